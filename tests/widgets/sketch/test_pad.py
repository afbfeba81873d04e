"""The sketch pad."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    Arrow,
    Ellipse,
    Rectangle,
    Stroke,
)
from tests.widgets.sketch.conftest import LEFT, drag, on_screen, shapes


@pytest.mark.parametrize(
    ("key", "kind"),
    [("P", Stroke), ("L", Stroke), ("A", Arrow), ("B", Rectangle), ("E", Ellipse)],
)
def test_a_drag_draws_with_the_tool_of_the_key(qtbot, open_pad, key, kind):
    pad = open_pad()
    qtbot.keyClick(pad.view, getattr(Qt.Key, f"Key_{key}"))
    drag(qtbot, pad, (50, 50), (120, 80), (200, 150))
    assert [type(shape) for shape in shapes(pad)] == [kind]
    assert pad.desk.undo_stack.count() == 1


def test_nothing_is_drawn_on_a_page_that_is_only_shown(qtbot, open_pad):
    pad = open_pad()
    pad.desk.is_read_only = True
    drag(qtbot, pad, (50, 50), (120, 80))
    assert shapes(pad) == ()


def test_a_figure_is_only_wanted_where_it_is_offered(qtbot, open_pad):
    assert not open_pad().actions_by_name["Save as figure"].isVisible()
    pad = open_pad(offers_figures=True)
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((5, 5), (9, 9))))
    with qtbot.waitSignal(pad.figure_wanted) as wanted:
        pad.actions_by_name["Save as figure"].trigger()
    assert wanted.args == [pad.desk.current]


def test_escape_drops_what_is_being_drawn(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_B)
    qtbot.mousePress(pad.view, LEFT, pos=on_screen(pad, (50, 50)))
    qtbot.mouseMove(pad.view, on_screen(pad, (90, 90)))
    qtbot.keyClick(pad.view, Qt.Key.Key_Escape)
    qtbot.mouseRelease(pad.view, LEFT, pos=on_screen(pad, (90, 90)))
    assert shapes(pad) == ()
