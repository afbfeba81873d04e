"""The sketch pad: pages, tools, history."""

import pytest
from PySide6.QtCore import Qt

from engine.puzzles.layers import Arrow, Ellipse, Rectangle, Stroke
from tests.widgets.sketch.conftest import on_screen

LEFT = Qt.MouseButton.LeftButton


def drag(qtbot, pad, *points):
    view = pad.view
    qtbot.mousePress(view, LEFT, pos=on_screen(pad, points[0]))
    for point in points[1:]:
        qtbot.mouseMove(view, on_screen(pad, point))
    qtbot.mouseRelease(view, LEFT, pos=on_screen(pad, points[-1]))


def shapes(pad):
    return pad.current.shapes


@pytest.mark.parametrize(
    ("key", "kind"),
    [("P", Stroke), ("L", Stroke), ("A", Arrow), ("B", Rectangle), ("E", Ellipse)],
)
def test_a_drag_draws_with_the_tool_of_the_key(qtbot, open_pad, key, kind):
    pad = open_pad()
    qtbot.keyClick(pad.view, getattr(Qt.Key, f"Key_{key}"))
    drag(qtbot, pad, (50, 50), (120, 80), (200, 150))
    assert [type(shape) for shape in shapes(pad)] == [kind]
    assert pad.undo_stack.count() == 1
