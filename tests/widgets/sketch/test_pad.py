"""The sketch pad: pages, tools, history."""

import math

import pytest
from PySide6.QtCore import QPoint, QPointF, QSizeF, Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    COLORS,
    Arrow,
    Ellipse,
    Rectangle,
    Stroke,
    Text,
    blank_page,
)
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.widgets.sketch.camera import SketchCamera
from spatial_workbench.widgets.sketch.pointer import Touch
from tests.widgets.sketch.conftest import on_screen

LEFT = Qt.MouseButton.LeftButton


def drag(qtbot, pad, *points):
    view = pad.view
    qtbot.mousePress(view, LEFT, pos=on_screen(pad, points[0]))
    for point in points[1:]:
        qtbot.mouseMove(view, on_screen(pad, point))
    qtbot.mouseRelease(view, LEFT, pos=on_screen(pad, points[-1]))


def shapes(pad):
    return pad.desk.current.shapes


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


def test_undo_goes_back_two_hundred_steps(open_pad):
    pad = open_pad()
    for i in range(210):
        pad.toolbox.tools["Line"].add("Draw", Stroke(points=((i, 0), (i, 9))))
        pad.desk.begin_gesture()
    while pad.desk.undo_stack.canUndo():
        pad.desk.undo_stack.undo()
    assert len(shapes(pad)) == 10


def test_a_polyline_ends_with_enter(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_Y)
    for point in ((30, 30), (90, 40), (60, 120)):
        qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, point))
    qtbot.keyClick(pad.view, Qt.Key.Key_Return)
    assert len(shapes(pad)[0].points) == 3


def test_a_text_is_typed_on_the_page(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_T)
    qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, (40, 40)))
    qtbot.keyClicks(pad.text_entry.field, "route")
    qtbot.keyClick(pad.text_entry.field, Qt.Key.Key_Return)
    assert [shape.text for shape in shapes(pad)] == ["route"]


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


def test_escape_drops_what_is_being_drawn(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_B)
    qtbot.mousePress(pad.view, LEFT, pos=on_screen(pad, (50, 50)))
    qtbot.mouseMove(pad.view, on_screen(pad, (90, 90)))
    qtbot.keyClick(pad.view, Qt.Key.Key_Escape)
    qtbot.mouseRelease(pad.view, LEFT, pos=on_screen(pad, (90, 90)))
    assert shapes(pad) == ()


def test_the_wheel_zooms_about_the_pointer_within_its_bounds(open_pad):
    pad = open_pad()
    pos = QPointF(200, 100)
    point = pad.view.on_page(pos)
    pad.view.zoom(1.25, pos)
    assert math.dist(pad.view.on_page(pos).toTuple(), point.toTuple()) < 1e-6
    pad.view.zoom(1e9, pos)
    assert pad.view.camera.scale == 16
    pad.view.zoom(1e-9, pos)
    assert pad.view.camera.scale == 0.1


def test_turning_and_mirroring_change_the_view_only(qtbot, open_pad):
    pad = open_pad()
    for key in (Qt.Key.Key_R, Qt.Key.Key_M):
        qtbot.keyClick(pad.view, key)
    qtbot.keyClick(pad.view, Qt.Key.Key_L)
    drag(qtbot, pad, (50, 50), (150, 90))
    start, end = shapes(pad)[0].points
    assert math.dist(start, (50, 50)) < 2
    assert math.dist(end, (150, 90)) < 2


def test_mirroring_a_turned_view_mirrors_what_is_seen():
    room = QSizeF(400, 300)
    turned = SketchCamera(middle=(100, 50)).turned()
    seen = turned.transform(room).map(QPointF(120, 60))
    mirrored = turned.flipped().transform(room).map(QPointF(120, 60))
    assert (mirrored.x(), mirrored.y()) == (400 - seen.x(), seen.y())


def test_space_and_dragging_pans(qtbot, open_pad):
    pad = open_pad()
    before = pad.view.on_page(QPointF(100, 100))
    qtbot.keyPress(pad.view, Qt.Key.Key_Space)
    qtbot.mousePress(pad.view, LEFT, pos=QPoint(100, 100))
    qtbot.mouseMove(pad.view, QPoint(130, 120))
    qtbot.mouseRelease(pad.view, LEFT, pos=QPoint(130, 120))
    assert math.dist(pad.view.on_page(QPointF(130, 120)).toTuple(), before.toTuple()) < 1e-6
    assert shapes(pad) == ()


def test_the_pressure_of_a_pen_is_kept(open_pad):
    pad = open_pad()
    pen = pad.toolbox.tools["Pen"]
    for call, x, pressure in ((pen.press, 10, 0.2), (pen.move, 60, 0.9), (pen.release, 60, None)):
        call(Touch(QPointF(x, 10), QPointF(x, 10), 1.0, pressure=pressure))
    assert shapes(pad)[0].pressures == (0.2, 0.9)


def test_each_page_has_its_own_layer(qtbot, open_pad):
    pad = open_pad(("content.png", "content_1.png"))
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((5, 5), (9, 9))))
    qtbot.keyClick(pad.view, Qt.Key.Key_PageDown)
    assert (pad.pages.front, shapes(pad)) == ("content_1.png", ())
    pad.desk.undo_stack.undo()
    assert (pad.pages.front, pad.pages.layers()) == ("content.png", {})


def test_nothing_is_drawn_on_a_page_that_is_only_shown(qtbot, open_pad):
    pad = open_pad()
    pad.desk.is_read_only = True
    drag(qtbot, pad, (50, 50), (120, 80))
    assert shapes(pad) == ()


def test_a_flat_figure_is_shown_without_its_page(open_pad):
    pad = open_pad()
    pad.pages.set_figure(png_of(blank_page((50, 60))))
    pad.pages.wait()
    assert (pad.view.tiles.size, pad.desk.can_draw) == ((50, 60), False)
    pad.pages.set_figure(None)
    pad.pages.wait()
    assert (pad.view.tiles.size, pad.desk.can_draw) == ((400, 300), True)


def test_a_figure_is_only_wanted_where_it_is_offered(qtbot, open_pad):
    assert not open_pad().actions_by_name["Save as figure"].isVisible()
    pad = open_pad(offers_figures=True)
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((5, 5), (9, 9))))
    with qtbot.waitSignal(pad.figure_wanted) as wanted:
        pad.actions_by_name["Save as figure"].trigger()
    assert wanted.args == [pad.desk.current]


def test_a_damaged_page_is_said_in_its_place(qtbot, open_pad):
    pad = open_pad()
    pad.pages.replace({"content.png": b"no picture"})
    qtbot.waitUntil(lambda: "cannot be shown" in pad.view.message)
    assert "not a PNG" in pad.view.message


def test_every_tool_tells_its_key_and_its_name(open_pad):
    for action in open_pad().actions_by_name.values():
        assert action.text()
        assert all(key.toString() in action.toolTip() for key in action.shortcuts()[:1])


def written(qtbot, open_pad):
    """A pad with the text "route"."""
    pad = open_pad()
    pad.toolbox.tools["Text"].add("Write", Text(position=(60, 60), text="route", size=30))
    return pad


def change_text(qtbot, pad, words, key=Qt.Key.Key_Return):
    """Double-clicks the text with the tool Pick, and types other words."""
    pad.toolbox.take("Pick")
    at = on_screen(pad, (80, 75))
    qtbot.mouseClick(pad.view, LEFT, pos=at)
    qtbot.mouseDClick(pad.view, LEFT, pos=at)
    pad.text_entry.field.selectAll()
    qtbot.keyClicks(pad.text_entry.field, words)
    qtbot.keyClick(pad.text_entry.field, Qt.Key.Key_Backspace if not words else key)
    if not words:
        qtbot.keyClick(pad.text_entry.field, key)


def test_a_double_click_changes_a_text_and_undo_brings_it_back(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    before = shapes(pad)
    change_text(qtbot, pad, "way")
    assert shapes(pad) == (before[0].model_copy(update={"text": "way"}),)
    pad.desk.undo_stack.undo()
    assert shapes(pad) == before


def test_escape_leaves_a_text_as_it_was(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    change_text(qtbot, pad, "way", Qt.Key.Key_Escape)
    assert [shape.text for shape in shapes(pad)] == ["route"]


def test_a_text_that_is_emptied_is_removed(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    change_text(qtbot, pad, "")
    assert shapes(pad) == ()


def test_a_click_on_a_text_with_the_text_tool_changes_it(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    pad.toolbox.take("Text")
    qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, (80, 75)))
    assert pad.text_entry.field.text() == "route"
    pad.toolbox.take("Pick")
    assert pad.desk.undo_stack.count() == 1


def test_the_second_of_two_quick_strokes_is_drawn_too(qtbot, open_pad):
    pad = open_pad()
    drag(qtbot, pad, (50, 50), (52, 52))
    view = pad.view
    qtbot.mouseDClick(view, LEFT, pos=on_screen(pad, (50, 50)))
    qtbot.mouseMove(view, on_screen(pad, (90, 90)))
    qtbot.mouseRelease(view, LEFT, pos=on_screen(pad, (90, 90)))
    assert len(shapes(pad)) >= 2
    assert shapes(pad)[-1].points[-1] == pytest.approx((90, 90), abs=2)
