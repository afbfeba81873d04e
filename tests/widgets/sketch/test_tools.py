"""The tools of the sketch pad."""

import pytest
from PySide6.QtCore import QPointF, Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    COLORS,
    Stroke,
)
from spatial_workbench.widgets.sketch.pointer import Touch
from tests.widgets.sketch.conftest import LEFT, drag, on_screen, shapes


def test_a_polyline_ends_with_enter(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_Y)
    for point in ((30, 30), (90, 40), (60, 120)):
        qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, point))
    qtbot.keyClick(pad.view, Qt.Key.Key_Return)
    assert len(shapes(pad)[0].points) == 3


def test_cells_are_filled_on_a_grid_of_three_points_and_emptied_again(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_G)
    for point in ((100, 100), (140, 100), (100, 140)):
        qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, point))
    qtbot.keyClick(pad.view, Qt.Key.Key_C)
    drag(qtbot, pad, (110, 110), (150, 110))
    assert [round(shape.points[0][0], -1) for shape in shapes(pad)] == [100, 140]
    qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, (120, 120)))
    assert [round(shape.points[0][0], -1) for shape in shapes(pad)] == [140]


def test_filling_without_a_grid_says_how_to_lay_one(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_C)
    qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, (120, 120)))
    assert "Lay a grid" in pad.status_line.hint.text()


def test_the_eraser_removes_what_it_touches_in_one_step(qtbot, open_pad):
    pad = open_pad()
    for x in (50, 90, 130):
        pad.desk.begin_gesture()
        pad.toolbox.tools["Line"].add("Draw", Stroke(points=((x, 50), (x, 150))))
    qtbot.keyClick(pad.view, Qt.Key.Key_X)
    drag(qtbot, pad, (50, 100), (90, 100))
    assert [shape.points[0][0] for shape in shapes(pad)] == [130]
    pad.desk.undo_stack.undo()
    assert len(shapes(pad)) == 3


def test_a_picked_shape_is_moved_recoloured_and_deleted(qtbot, open_pad):
    pad = open_pad()
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((50, 50), (150, 50))))
    qtbot.keyClick(pad.view, Qt.Key.Key_V)
    drag(qtbot, pad, (100, 50), (110, 80))
    assert shapes(pad)[0].points[0] == (60, 80)
    qtbot.keyClick(pad, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    assert shapes(pad)[0].color == COLORS["blue"]
    qtbot.keyClick(pad.view, Qt.Key.Key_Delete)
    assert shapes(pad) == ()


def test_the_pressure_of_a_pen_is_kept(open_pad):
    pad = open_pad()
    pen = pad.toolbox.tools["Pen"]
    for call, x, pressure in ((pen.press, 10, 0.2), (pen.move, 60, 0.9), (pen.release, 60, None)):
        call(Touch(QPointF(x, 10), QPointF(x, 10), 1.0, pressure=pressure))
    assert shapes(pad)[0].pressures == (0.2, 0.9)


def test_the_second_of_two_quick_strokes_is_drawn_too(qtbot, open_pad):
    pad = open_pad()
    drag(qtbot, pad, (50, 50), (52, 52))
    view = pad.view
    qtbot.mouseDClick(view, LEFT, pos=on_screen(pad, (50, 50)))
    qtbot.mouseMove(view, on_screen(pad, (90, 90)))
    qtbot.mouseRelease(view, LEFT, pos=on_screen(pad, (90, 90)))
    assert len(shapes(pad)) >= 2
    assert shapes(pad)[-1].points[-1] == pytest.approx((90, 90), abs=2)
