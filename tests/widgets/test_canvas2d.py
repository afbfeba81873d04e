"""The 2D canvas, driven by the mouse."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core.scene import (
    Boxes,
    Ground,
    HeightField,
    Label,
    Mesh,
    Points,
    Polygon,
    Polyline,
    RigidBodies,
    Scene,
    Voxels,
)
from spatial_workbench.widgets.render3d.extent import shown_bounds
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.scene_views import canvas2d
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.canvas2d_items import Plane, arrow_head, border_lines, flat_image
from spatial_workbench.widgets.scene_views.overlays import hint_box, kept_inside
from spatial_workbench.widgets.scene_views.rulers import paint_rulers, step_of, tick_step, ticks
from spatial_workbench.widgets.theme import DARK, LIGHT
from tests.mouse_wheel import turn_wheel
from tests.widgets.scenes import bricks, cubes, flat_scene
from tests.widgets.test_viewport3d import LEFT, MIDDLE, RIGHT, Greedy, drag, pixels

ROOT = Path(__file__).resolve().parents[2]


def show(qtbot, scene, size=(360, 200)):
    view = Canvas2D()
    qtbot.addWidget(view, before_close_func=lambda w: w.close_view())
    view.resize(*size)
    view.set_scene(scene)
    with qtbot.waitExposed(view):
        view.show()
    view.setFocus()
    view.flush()
    return view


@pytest.fixture
def view(qtbot):
    return show(qtbot, flat_scene())


def place(view, x, y):
    px, py = view.project(np.array([[x, y]], float))[0]
    return QPoint(round(px), round(py))


def color_at(view, x, y):
    at = place(view, x, y)
    return pixels(view.grab().toImage())[at.y(), at.x()]


def test_the_whole_scene_is_shown_with_equal_scales(view):
    corners = view.project(np.array([[0, 0], [30, 0], [30, 10], [0, 10.0]]))
    assert (corners >= 0).all()
    assert (corners <= [360, 200]).all()
    width, height = np.ptp(corners, axis=0)
    assert width / height == pytest.approx(3)


def test_a_polygon_has_its_colour_where_it_is(view):
    assert color_at(view, 3, 8).tolist() == list(QColor("#0072B2").getRgb()[:3])


@pytest.mark.parametrize("y_up", [True, False])
def test_y_points_where_the_scene_says(qtbot, y_up):
    view = show(qtbot, flat_scene(y_up))
    low, high = view.project(np.array([[0, 0], [0, 10.0]]))[:, 1]
    assert (high < low) == y_up
    assert view.pick(QPointF(place(view, 3, 8))).id == "square 0"
    np.testing.assert_allclose(view.ray(QPointF(place(view, 3, 8)))[0][:2], (3, 8), atol=0.1)


def test_the_line_on_top_is_picked_before_the_square_under_it(view):
    assert view.pick(QPointF(place(view, 4, 5))).id == "line"
    assert view.pick(QPointF(place(view, 4, 8))).id == "square 0"
    assert view.pick(QPointF(place(view, 10, 8))) is None


def test_a_pick_tells_the_place_in_the_scene(view):
    np.testing.assert_allclose(view.pick(QPointF(place(view, 4, 8))).position, (4, 8, 0), atol=0.1)


def test_clicks_and_boxes_select(qtbot, view):
    qtbot.mouseClick(view, LEFT, pos=place(view, 4, 8))
    assert view.selection == ("square 0",)
    qtbot.mouseClick(view, LEFT, Qt.KeyboardModifier.ShiftModifier, place(view, 25, 8))
    assert view.selection == ("square 0", "square 2")
    drag(qtbot, view, LEFT, place(view, 10.2, -0.5), place(view, 20.8, 10))
    assert view.selection == ("square 1",)


def test_the_selection_is_outlined_in_the_accent_colour(view):
    view.set_selection(["square 1"])
    red, _, blue = color_at(view, 11, 4)
    assert blue - red > 80


def test_the_middle_button_pans(qtbot, view):
    before = view.project(np.array([[0, 0.0]]))[0]
    drag(qtbot, view, MIDDLE, QPoint(100, 100), QPoint(140, 90))
    np.testing.assert_allclose(view.project(np.array([[0, 0.0]]))[0] - before, [40, -10], atol=0.01)


def test_the_wheel_zooms_to_the_pointer(view):
    pos = place(view, 15, 5)
    point = view.ray(QPointF(pos))[0]
    before = view.plane.pixels_per_unit
    turn_wheel(view, 3, at=pos)
    assert view.plane.pixels_per_unit > 1.5 * before
    np.testing.assert_allclose(view.ray(QPointF(pos))[0], point, atol=1e-6)


def test_f_frames_the_selection_and_then_everything(qtbot, view):
    whole = view.plane.pixels_per_unit
    view.set_selection(["square 1"])
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.plane.pixels_per_unit > 1.1 * whole
    view.set_selection([])
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.plane.pixels_per_unit == pytest.approx(whole)


def test_a_resized_canvas_still_shows_everything(qtbot, view):
    view.resize(500, 160)
    QApplication.processEvents()
    corners = view.project(np.array([[0, 0], [30, 10.0]]))
    assert (corners >= 0).all()
    assert (corners <= [500, 160]).all()


def test_a_right_click_asks_for_a_menu(qtbot, view):
    with qtbot.waitSignal(view.context_requested) as seen:
        qtbot.mouseClick(view, RIGHT, pos=place(view, 4, 8))
    assert seen.args[0].id == "square 0"


def test_a_tool_gets_the_point_in_the_plane(qtbot, view):
    tool = Greedy()
    tool.move = lambda event: tool.events.append(event.point) or True
    view.set_tool(tool)
    qtbot.mouseMove(view, place(view, 12, 6))
    np.testing.assert_allclose(tool.events[-1], (12, 6), atol=0.1)


def test_hovering_tells_the_element(qtbot, view):
    with qtbot.waitSignal(view.hovered) as seen:
        qtbot.mouseMove(view, place(view, 4, 8))
    assert seen.args[0].id == "square 0"


def test_highlight_fade_and_hide(view):
    view.set_highlight({"square 0": "#ff0000"}, fade_rest=True)
    assert color_at(view, 3, 8).tolist() == [255, 0, 0]
    faded = color_at(view, 14, 8)
    view.set_highlight({})
    assert np.abs(color_at(view, 14, 8) - faded).max() > 30
    view.set_hidden(["square 0"])
    assert color_at(view, 3.5, 8.5).min() > 200
    assert view.pick(QPointF(place(view, 3, 8))) is None


def test_a_ghost_lies_on_top_in_its_colour(view):
    ghost = Polygon(id="ghost", points=np.array([[9, 3], [10.8, 3], [10.8, 8], [9, 8.0]]))
    view.set_ghost([ghost], "It leaves the grid.")
    red, green, _ = color_at(view, 10, 6)
    assert red - green > 60


def test_themes_recolour(view):
    view.set_theme(DARK)
    view.flush()
    assert pixels(view.grab().toImage())[1, 200].mean() < 90


def test_the_outlines_of_a_selection_are_painted_once_while_only_the_pointer_moves(qtbot, view, monkeypatch):
    outlined = []
    monkeypatch.setattr(canvas2d, "paint_outlines", lambda _, items, *__: outlined.append([i.name for i in items]))
    view.set_selection(["square 0"])
    view.flush()
    for x in (13, 14, 15):
        qtbot.mouseMove(view, place(view, x, 8))
        view.repaint()
    assert outlined.count(["square 0"]) == 1


def test_the_picture_is_painted_once_while_only_the_pointer_moves(qtbot, view):
    frames = []
    view.frame_drawn.connect(frames.append)
    for x in (3, 4, 13, 14, 24):
        qtbot.mouseMove(view, place(view, x, 8))
        QApplication.processEvents()
    assert frames == []


def test_the_export_is_as_large_as_asked_for(view):
    image = view.image(2.0)
    assert (image.width(), image.height()) == (720, 400)
    assert pixels(image).std() > 10


def test_a_canvas_that_was_never_shown_fills_its_picture(qtbot):
    view = Canvas2D()
    qtbot.addWidget(view)
    view.set_scene(flat_scene())
    view.resize(300, 100)
    view.frame(animate=False)
    corners = view.project(np.array([[0, 0], [30, 10.0]]))
    assert np.ptp(corners[:, 0]) > 250
    assert (corners >= 0).all()
    assert (corners <= [300, 100]).all()


def test_two_canvases_can_be_linked(qtbot, view):
    other = show(qtbot, flat_scene())
    view.view_changed.connect(lambda: other.set_view_state(view.view_state()))
    turn_wheel(view, 2, at=place(view, 15, 5))
    np.testing.assert_allclose(other.project(np.array([[3, 3.0]])), view.project(np.array([[3, 3.0]])), atol=0.01)


@pytest.mark.parametrize("pattern", ["solid", "hatch", "cross", "dots", "grid"])
def test_every_pattern_can_be_told_from_an_empty_place(qapp, pattern):
    square = Polygon(id="s", points=np.array([[0, 0], [4, 0], [4, 4], [0, 4.0]]), color="series 5", pattern=pattern)
    picture = pixels(flat_image(Scene(items=(square,), flat=True), (60, 60)))
    empty = pixels(flat_image(Scene(items=(), flat=True), (60, 60)))
    assert np.abs(picture - empty)[20:40, 20:40].max(axis=2).mean() > 15


FROM_ABOVE = [
    bricks(2),
    Voxels(name="v", cells=np.array([[0, 0, 0], [1, 0, 3]]), colors=["#ff0000", "#00ff00"]),
    HeightField(id="h", heights=np.array([[0.0, 5.0], [np.nan, 2.0]])),
    Mesh(id="m", vertices=np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0.0]]), faces=np.array([[0, 1, 2]]), edges=True),
    cubes((0, 0, 0), (3, 0, 1)),
    Polyline(id="l", points=np.array([[0, 0], [4, 4.0]]), arrow=True),
    Polyline(id="d", points=np.array([[0, 0], [4, 4.0], [0, 4]]), dashed=True, closed=True),
    Points(name="p", ids=["a"], positions=np.array([[0, 0.0]])),
    Label(id="w", position=(0.0, 0.0), text="word"),
]


@pytest.mark.parametrize("item", FROM_ABOVE, ids=lambda item: item.name)
def test_every_kind_of_item_can_be_seen_from_above(qapp, item):
    bounds = ((-2, -2, 0), (6, 6, 0))
    picture = pixels(flat_image(Scene(items=(item,), flat=True, bounds=bounds), (80, 80)))
    empty = pixels(flat_image(Scene(items=(), flat=True, bounds=bounds), (80, 80)))
    assert (np.abs(picture - empty).max(axis=2) > 20).sum() > 5


@pytest.mark.parametrize("item", FROM_ABOVE[:8], ids=lambda item: item.name)
def test_every_kind_of_item_can_be_selected_and_hovered(qtbot, item):
    view = show(qtbot, Scene(items=(item,), flat=True))
    names = [*item.ids] if isinstance(item, Boxes | Points | RigidBodies) else [item.name]
    plain = pixels(view.image())
    view.set_selection(names)
    assert (np.abs(pixels(view.image()) - plain).max(axis=2) > 20).any()


def test_the_higher_of_two_cells_is_seen_and_picked(qtbot):
    cells = np.array([[0, 0, 4], [0, 0, 0]])
    scene = Scene(items=(Voxels(name="v", cells=cells, colors=["#00ff00", "#ff0000"], edges=False),), flat=True)
    view = show(qtbot, scene)
    assert color_at(view, 0.5, 0.5).tolist() == [0, 255, 0]
    assert view.pick(QPointF(place(view, 0.5, 0.5))).id == "v 0,0,4"


def test_marked_elements_of_an_item_are_marked_alone(qapp):
    scene = Scene(items=(bricks(2, "#00ff00"),), flat=True, bounds=((-16, -8, 0), (16, 32, 0)))
    picture = pixels(flat_image(scene, (80, 100), style=Style(roles={"brick 0": "#ff0000"})))
    plane = Plane.framing(np.array([-16, -8]), np.array([16, 32]), (80, 100), True)
    (x, y), (u, v) = plane.to_pixels(np.array([[0, 0], [0, 24.0]])).astype(int).tolist()
    assert picture[y, x, 0] > picture[y, x, 1]
    assert picture[v, u, 0] < picture[v, u, 1]


def test_an_arrow_s_head_ends_at_the_last_point():
    head = arrow_head(np.array([[0, 0], [10, 0.0]]), 2.0)
    np.testing.assert_allclose(head[0], (10, 0))
    assert head[1, 1] == -head[2, 1]


@pytest.mark.parametrize(("pixels_per_unit", "step"), [(64, 1), (33, 2), (6.4, 10), (0.5, 200), (640, 0.1)])
def test_ticks_are_round_numbers_at_a_readable_distance(pixels_per_unit, step):
    assert tick_step(pixels_per_unit) == pytest.approx(step)


def test_cells_have_no_ticks_between_them():
    assert step_of(Scene(items=(), flat=True), 200) == pytest.approx(0.5)
    assert step_of(Scene(items=(), flat=True, whole=True), 200) == 1


def test_no_tick_is_minus_zero():
    assert [f"{value:g}" for value in ticks(-0.4, 1.1, 0.5)] == ["0", "0.5", "1"]


def test_a_dense_grid_leaves_lines_out(qapp):
    fine = Scene(items=(), flat=True, ground=Ground(0.01, (0, 0, 30, 10)))
    assert pixels(flat_image(fine, (90, 60))).std() < 60


def test_a_canvas_without_items_shows_its_sentence(qtbot):
    view = show(qtbot, replace(flat_scene(), items=()))
    plain = view.grab().toImage()
    view.set_empty_text("Draw the first rectangle.")
    assert view.grab().toImage() != plain


def test_the_canvas_tells_screen_readers_what_it_is(view):
    assert view.accessibleName() == "2D canvas"
    assert view.accessibleDescription()


def test_a_canvas_does_not_wait_for_the_3d_library():
    code = "import sys, widgets.scene_views.canvas2d; print(any(name.startswith('vtkmodules') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "False"


def test_many_boxes_look_as_they_do_in_small_numbers():
    centers = np.array([(x, y, 0) for x in range(20) for y in range(15)], float)

    def boxes(name, chosen):
        ids = [f"{name} {i}" for i in range(len(chosen))]
        colors = [f"series {i % 3}" for i in range(len(chosen))]
        return Boxes(name=name, ids=ids, centers=chosen, sizes=np.full(3, 0.8), colors=colors)

    at_once = Scene(items=[boxes("all", centers)], flat=True)
    in_parts = Scene(items=[boxes(f"part {k}", centers[k : k + 150]) for k in (0, 150)], flat=True)
    first, second = (pixels(flat_image(scene, (600, 400))).astype(int) for scene in (at_once, in_parts))
    assert np.abs(first - second).max() <= 2


def test_a_hint_covers_nothing_of_what_is_framed(qtbot):
    view = show(qtbot, flat_scene(), (360, 300))
    view.show_hint("Drag from cell to cell to draw a rectangle.  Double click a clue for its candidates.")
    low, high = shown_bounds(view.scene)
    assert view.project(np.array([low, high]))[:, 1].max() < hint_box(view.rect(), view.font(), view.texts.hint).top()


def test_nothing_moves_when_the_hint_goes(qtbot):
    view = show(qtbot, flat_scene(), (360, 300))
    view.show_hint("Drag from cell to cell to draw a rectangle.")
    plane = view.plane
    view.show_hint("")
    assert view.plane == plane


class RecordingPainter(QPainter):
    """Keeps where text is drawn."""

    def __init__(self, image):
        super().__init__(image)
        self.boxes = []

    def drawText(self, box, flags, text):
        super().drawText(box, flags, text)
        self.boxes.append(self.boundingRect(box, flags, text))


@pytest.mark.parametrize("center", range(0, 100, 10))
def test_the_name_of_an_axis_is_not_written_over_a_number(qapp, center):
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    painter = RecordingPainter(image)
    paint_rulers(painter, Plane((center, 0.0), 1.0, (300, 200)), replace(flat_scene(), unit="a long unit"), LIGHT)
    painter.end()
    along = sorted((box for box in painter.boxes if box.bottom() > 180), key=lambda box: box.left())
    assert all(left.right() < right.left() for left, right in pairwise(along))


def test_a_label_at_the_edge_is_moved_into_the_view(qtbot):
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    label = Label(id="a", position=(0.0, 0.0), text="a rather long word")
    place = kept_inside(painter, [label], np.array([[199.0, 1.0]]), QRect(0, 0, 200, 100))[0]
    painter.end()
    assert place[0] < 160
    assert place[1] > 5


def test_the_border_of_many_columns_is_drawn_once_round_all():
    square = np.array([[x, y] for x in range(3, 6) for y in range(2, 4)])
    lines = {tuple(map(tuple, sorted(line.tolist()))) for line in border_lines(square)}
    assert len(lines) == 10
    assert {((3, 2), (3, 3)), ((5, 4), (6, 4))} <= lines
    assert ((4, 2), (4, 3)) not in lines
