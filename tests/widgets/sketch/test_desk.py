"""The desk that the tools work on: history, selection and look."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.layers import Stroke, blank_page
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.widgets.sketch.desk import Look
from tests.widgets.sketch.conftest import shapes


def test_undo_goes_back_two_hundred_steps(open_pad):
    pad = open_pad()
    for i in range(210):
        pad.toolbox.tools["Line"].add("Draw", Stroke(points=((i, 0), (i, 9))))
        pad.desk.begin_gesture()
    while pad.desk.undo_stack.canUndo():
        pad.desk.undo_stack.undo()
    assert len(shapes(pad)) == 10


def test_each_page_has_its_own_layer(qtbot, open_pad):
    pad = open_pad(("content.png", "content_1.png"))
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((5, 5), (9, 9))))
    qtbot.keyClick(pad.view, Qt.Key.Key_PageDown)
    assert (pad.pages.front, shapes(pad)) == ("content_1.png", ())
    pad.desk.undo_stack.undo()
    assert (pad.pages.front, pad.pages.layers()) == ("content.png", {})


def picked(pad, *points):
    """A pad with a line from point to point, which is selected."""
    pad.toolbox.take("Pick")
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=points))
    pad.desk.select({0})
    return pad


def test_arrow_keys_move_what_is_selected_by_a_pixel_and_with_shift_by_ten(qtbot, open_pad):
    pad = picked(open_pad(), (50, 50), (90, 50))
    qtbot.keyClick(pad.view, Qt.Key.Key_Right)
    qtbot.keyClick(pad.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert shapes(pad)[0].points == ((51, 60), (91, 60))
    qtbot.keyClick(pad.view, Qt.Key.Key_Escape)
    assert pad.desk.selection == frozenset()


def test_a_look_that_is_chosen_changes_what_is_selected_and_what_is_drawn_next(open_pad):
    pad = picked(open_pad(), (50, 50), (90, 50))
    pad.desk.set_look(width=9.0)
    assert (shapes(pad)[0].width, pad.desk.look.width) == (9.0, 9.0)


def test_a_layer_that_would_be_too_large_is_refused_with_a_message(open_pad, monkeypatch):
    monkeypatch.setattr("spatial_workbench.widgets.sketch.desk.MOST_SHAPES", 1)
    pad = picked(open_pad(), (50, 50), (90, 50))
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((1, 1), (9, 9))))
    assert len(shapes(pad)) == 1
    assert pad.status_line.hint.text() == "A layer holds at most 1 shapes."


def test_another_page_drops_the_selection(open_pad):
    pad = picked(open_pad(("content.png", "content_1.png")), (50, 50), (90, 50))
    pad.pages.turn_by(1)
    assert pad.desk.selection == frozenset()


@pytest.mark.parametrize(
    ("size", "width"), [((400, 300), 4), ((1_500, 900), 4), ((6_000, 3_000), 16), ((90_000, 10), 200)]
)
def test_lines_are_wider_on_larger_pages(size, width):
    assert Look().width_on(size) == width


def test_a_pen_on_a_page_of_6000_pixels_is_seen_and_so_is_a_text(qtbot, open_pad):
    pad = open_pad()
    pad.pages.replace({"content.png": png_of(blank_page((6_000, 300)))})
    qtbot.waitUntil(lambda: pad.view.tiles is not None and pad.desk.current.size == (6_000, 300))
    with qtbot.waitSignal(pad.desk.text_wanted) as wanted:
        pad.desk.write_at((10, 10))
    assert (wanted.args[0].width, wanted.args[0].size) == (16, 112)
    pad.toolbox.take("Pick")
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((5, 5), (9, 9))))
    pad.desk.select({0})
    pad.desk.set_look(width=6.0)
    assert (shapes(pad)[0].width, pad.desk.look.width) == (24, 6)
