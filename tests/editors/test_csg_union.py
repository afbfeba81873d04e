"""The editor of csg_union, driven by mouse and keyboard."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.scene import Label, Polygon
from spatial_workbench.engine.tasks.csg_union import Polyhedron
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.csg_union import CsgUnionEditor
from spatial_workbench.widgets.editors.csg_union.workpiece import numbers_of
from tests.editors.driving import HANDS, at, steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = task("csg_union")
CORNERS = [(x, y, z) for z in (-5, 5) for x, y in ((-5, -5), (5, -5), (5, 5), (-5, 5))]
FACES = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
CUBE = Polyhedron.of(CORNERS, FACES)
SHEET = Polyhedron.of(CORNERS[4:], [(0, 1, 2, 3)])
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def open_editor(show_editor):
    def opened(answer=None, number=0, aids=ALL_AIDS):
        editor = show_editor(TASK, TASK.instances()[number], answer, size=(1000, 640), aids=aids)
        editor.view.reduce_motion = True
        return editor

    return opened


@pytest.fixture
def editor(open_editor):
    return open_editor()


@pytest.fixture
def cube(open_editor):
    return open_editor(CUBE)


def hover(editor, point):
    place = point if isinstance(point, QPoint) else at(editor, point)
    QApplication.sendEvent(editor.view, _move(editor.view, place, Qt.MouseButton.NoButton, NONE))


def click(qtbot, editor, point, held=NONE):
    hover(editor, point)
    qtbot.mouseClick(editor.view, LEFT, held, at(editor, point))


def key(qtbot, editor, which, held=NONE):
    qtbot.keyClick(editor.view, which, held)


def faces(editor):
    return editor.piece.body.faces


def figure(editor, name):
    """What the bar above the view says about the state."""
    return editor.panel.widgets["State of the polyhedron"].meters[name].figure.text()


def fields(editor, text):
    """The number fields of a control."""
    return editor.panel.widgets[text].fields


def places(editor):
    return [tuple(xyz) for xyz in editor.piece.body.vertices.tolist()]


def undo(editor):
    editor.document.undo_stack.undo()


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is CsgUnionEditor


# Vertices ------------------------------------------------------------------------------------------------------------


def test_a_click_near_a_corner_of_a_solid_places_a_vertex_exactly_there(qtbot, editor):
    key(qtbot, editor, Key.Key_P)
    place = at(editor, (5, -5, 5)) + QPoint(4, 3)
    qtbot.mouseClick(editor.view, LEFT, NONE, place)
    assert places(editor) == [(5, -5, 5)]
    assert steps(editor) == 1


def test_vertices_snap_to_where_an_edge_enters_another_solid(qtbot, open_editor):
    editor = open_editor(number=1)
    editor.panel.widgets["Snap to crossings"].setChecked(True)
    key(qtbot, editor, Key.Key_P)
    hover(editor, (5, 0, 5))
    assert editor.context.note == ("(5, 0, 5)", "edge of solid 0 on solid 1")
    click(qtbot, editor, (5, 0, 5))
    assert places(editor) == [(5, 0, 5)]


def test_no_solving_aid_is_on_by_default(editor):
    assert not editor.snapping.takes_crossings
    assert not editor.display.difference


def test_away_from_the_solids_vertices_snap_to_whole_centimetres_at_the_chosen_height(qtbot, editor):
    editor.panel.widgets["Plane z"].setValue(-5)
    key(qtbot, editor, Key.Key_P)
    click(qtbot, editor, (-8.8, -7.2, -5))
    assert places(editor) == [(-9, -7, -5)]


def test_a_second_vertex_at_the_same_place_is_refused_with_the_reason(qtbot, editor):
    key(qtbot, editor, Key.Key_P)
    click(qtbot, editor, (5, -5, 5))
    hover(editor, (5, -5, 5))
    assert editor.view.ghost_reason == "Vertex 0 is already there"
    click(qtbot, editor, (5, -5, 5))
    assert steps(editor) == 1


def test_a_typed_coordinate_is_exact_and_one_step(cube):
    rows = cube.table.rows
    assert rows.setData(rows.index(6, 2), "7,25")
    assert places(cube)[6] == (5, 5, 7.25)
    assert steps(cube) == 1
    undo(cube)
    assert places(cube)[6] == (5, 5, 5)


def test_a_typed_coordinate_that_is_no_number_or_meets_a_vertex_changes_nothing(cube):
    rows = cube.table.rows
    assert not rows.setData(rows.index(0, 0), "five")
    assert not rows.setData(rows.index(0, 0), "nan")
    rows.setData(rows.index(0, 0), "5")
    assert steps(cube) == 0
    assert "vertex 1 is at that place" in cube.status()


def test_the_table_and_the_view_select_the_same_vertices(qtbot, cube):
    click(qtbot, cube, (5, -5, 5))
    assert cube.view.selection == ("vertex 5",)
    assert [index.row() for index in cube.table.selectionModel().selectedRows()] == [5]
    cube.table.setFocus()
    cube.table.selectRow(6)
    assert cube.view.selection == ("vertex 6",)


def test_arrow_keys_move_the_selection_and_join_into_one_step(qtbot, cube):
    cube.view.set_selection(["vertex 4", "vertex 5", "vertex 6", "vertex 7"])
    for _ in range(3):
        key(qtbot, cube, Key.Key_PageUp)
    key(qtbot, cube, Key.Key_PageUp, SHIFT)
    assert places(cube)[4] == (-5, -5, 8.1)
    assert steps(cube) == 1


# Faces ---------------------------------------------------------------------------------------------------------------


TOP = [(-5, -5, 5), (5, -5, 5), (5, 5, 5), (-5, 5, 5)]


def test_a_clicked_loop_becomes_a_face_with_its_vertices_in_one_step(qtbot, open_editor):
    editor = open_editor(number=3)
    editor.shown.show_solid(0, False)
    key(qtbot, editor, Key.Key_L)
    for corner in (*TOP, TOP[0]):
        click(qtbot, editor, corner)
    assert set(places(editor)) == set(TOP)
    assert steps(editor) == 1
    undo(editor)
    assert places(editor) == []


def test_a_loop_is_wound_towards_the_viewer_whichever_way_it_is_clicked(qtbot, editor):
    key(qtbot, editor, Key.Key_L)
    for corner in (*TOP[::-1], TOP[-1]):
        click(qtbot, editor, corner)
    loop = editor.piece.body.vertices[list(faces(editor)[0])]
    assert np.cross(loop[1] - loop[0], loop[2] - loop[1])[2] > 0


def test_return_closes_the_loop_backspace_goes_back_and_escape_drops_it(qtbot, editor):
    key(qtbot, editor, Key.Key_L)
    for corner in TOP[:3]:
        click(qtbot, editor, corner)
    key(qtbot, editor, Key.Key_Backspace)
    assert len(editor.face_tool.loop) == 2
    click(qtbot, editor, TOP[3])
    key(qtbot, editor, Key.Key_Return)
    assert [len(face) for face in faces(editor)] == [3]
    click(qtbot, editor, TOP[0])
    key(qtbot, editor, Key.Key_Escape)
    assert editor.face_tool.loop == []
    assert steps(editor) == 1


def test_a_face_on_one_line_is_refused_with_the_reason(qtbot, editor):
    key(qtbot, editor, Key.Key_L)
    for corner in ((-5, -5, 5), (0, -5, 5), (5, -5, 5), (-5, -5, 5)):
        click(qtbot, editor, corner)
    assert faces(editor) == ()
    assert "on one line" in editor.status()


def test_for_whoever_is_not_judged_a_face_without_area_is_made(qtbot, open_editor):
    editor = open_editor(aids=HANDS)
    key(qtbot, editor, Key.Key_L)
    for corner in ((-5, -5, 5), (0, -5, 5), (5, -5, 5), (-5, -5, 5)):
        click(qtbot, editor, corner)
    assert faces(editor) == ((0, 1, 2),)


def test_for_whoever_is_not_judged_faces_that_are_not_flat_look_like_others(open_editor):
    bent = [*CORNERS[:6], (5, 5, 5.4), CORNERS[7]]
    editor = open_editor(Polyhedron.of(bent, FACES), aids=HANDS)
    assert editor.view.scene.item("face 1").color == "neutral"
    assert not any(isinstance(item, Label) for item in editor.view.scene.items)
    assert (editor.runner.labels, editor.status()) == ([], "")


def test_coordinates_at_the_pointer_are_for_those_who_may_measure(qtbot, open_editor):
    editor = open_editor(aids=HANDS)
    key(qtbot, editor, Key.Key_P)
    hover(editor, (5, -5, 5))
    assert editor.context.note == ("corner of solid 0", "")
    assert "Vertices" not in editor.panel.widgets


def test_a_click_on_a_solid_copies_its_face(qtbot, editor):
    key(qtbot, editor, Key.Key_G)
    hover(editor, (-2, 0, 5))
    assert editor.context.note[0] == "face of solid 0"
    click(qtbot, editor, (-2, 0, 5))
    assert set(places(editor)) == set(TOP)
    click(qtbot, editor, (-2, 0, 5))
    assert steps(editor) == 1


def test_selected_vertices_become_a_face_that_fits_its_neighbours(qtbot, open_editor):
    editor = open_editor(Polyhedron.of(CORNERS, FACES[:5]))
    assert len(editor.piece.findings.open_edges) == 4
    editor.view.set_selection(["vertex 0", "vertex 3", "vertex 7", "vertex 4"])
    key(qtbot, editor, Key.Key_M)
    assert editor.piece.findings.is_closed


def test_a_drag_pulls_a_face_out_along_its_normal(qtbot, cube):
    key(qtbot, cube, Key.Key_E)
    drag(qtbot, cube.view, LEFT, at(cube, (0, -1, 5)), at(cube, (0, -1, 8.2)))
    assert max(z for _, _, z in places(cube)) == 8
    assert cube.piece.findings.is_closed
    assert steps(cube) == 1


def test_a_face_is_pulled_that_lies_behind_what_is_drawn_over_it(qtbot, cube):
    key(qtbot, cube, Key.Key_E)
    scene = cube.view.scene
    cover = Polygon(id="missing 0", points=np.array([[-5, -5, 5.1], [5, -5, 5.1], [5, 5, 5.1], [-5, 5, 5.1]]))
    cube.view.set_scene(replace(scene, items=(*scene.items, cover)))
    cube.view.flush()
    assert cube.view.pick(QPointF(at(cube, (0, -1, 5)))).id == "missing 0"
    drag(qtbot, cube.view, LEFT, at(cube, (0, -1, 5)), at(cube, (0, -1, 8.2)))
    assert max(z for _, _, z in places(cube)) == 8


def test_a_distance_is_typed_after_a_click_on_a_face(qtbot, cube):
    key(qtbot, cube, Key.Key_E)
    click(qtbot, cube, (0, -1, 5))
    elevation = cube.view.camera.elevation_deg
    qtbot.keyClicks(cube.view, "2.75")
    assert cube.context.note[0] == "2.75 cm"
    assert steps(cube) == 0
    key(qtbot, cube, Key.Key_Return)
    assert max(z for _, _, z in places(cube)) == 7.75
    assert (steps(cube), cube.view.camera.elevation_deg) == (1, elevation)


def test_escape_leaves_a_face_whose_distance_is_typed(qtbot, cube):
    key(qtbot, cube, Key.Key_E)
    click(qtbot, cube, (0, -1, 5))
    qtbot.keyClicks(cube.view, "3")
    key(qtbot, cube, Key.Key_Escape)
    assert (steps(cube), cube.view.ghost) == (0, ())


def test_the_key_x_pulls_the_selected_faces_by_the_number_in_the_field(qtbot, cube):
    cube.panel.widgets["Pull by"].setValue(2.5)
    cube.view.set_selection(["face 1"])
    key(qtbot, cube, Key.Key_X)
    assert max(z for _, _, z in places(cube)) == 7.5


def test_a_face_is_split_flipped_merged_and_deleted_by_keys(qtbot, cube):
    cube.view.set_selection(["vertex 4", "vertex 6"])
    key(qtbot, cube, Key.Key_K)
    assert len(faces(cube)) == 7
    cube.view.set_selection(["face 1"])
    key(qtbot, cube, Key.Key_N)
    assert len(cube.piece.findings.turned_edges) == 3
    cube.view.set_selection(["vertex 5", "vertex 4"])
    key(qtbot, cube, Key.Key_W)
    assert len(places(cube)) == 7
    cube.view.set_selection(["face 0"])
    key(qtbot, cube, Key.Key_Delete)
    assert steps(cube) == 4


def test_what_cannot_be_done_says_why_and_changes_nothing(qtbot, cube):
    for which in (Key.Key_M, Key.Key_K, Key.Key_W, Key.Key_H, Key.Key_X, Key.Key_U):
        key(qtbot, cube, which)
        assert cube.status().count(" · ") >= 2
    assert steps(cube) == 0


def test_a_hole_is_cut_into_a_face_by_two_cuts(qtbot, open_editor):
    inner = [(-2, -2, 5), (2, -2, 5), (2, 2, 5), (-2, 2, 5)]
    editor = open_editor(Polyhedron.of([*CORNERS, *inner], FACES))
    editor.view.set_selection(["face 1", "vertex 8", "vertex 9", "vertex 10", "vertex 11"])
    assert len(editor.view.ghost) == 2
    assert "H cuts the hole along 2 cuts" in editor.status()
    key(qtbot, editor, Key.Key_H)
    assert len(faces(editor)) == 7
    assert sorted(editor.piece.findings.open_edges) == [(8, 9), (8, 11), (9, 10), (10, 11)]


# Solids --------------------------------------------------------------------------------------------------------------


def test_two_boxes_of_typed_sizes_are_united_and_pass(qtbot, editor):
    editor.panel.actions["Add solid"].trigger()
    fields(editor, "At")[0].setValue(8)
    assert editor.view.ghost
    editor.panel.actions["Add solid"].trigger()
    assert len(editor.piece.findings.shells) == 2
    editor.view.set_selection(())
    key(qtbot, editor, Key.Key_U)
    assert editor.runner.labels[-2] == "Unite"
    assert TASK.verify(editor.instance, editor.document.answer).passed
    assert steps(editor) == 3


def test_the_first_selected_shell_is_what_the_others_are_taken_from(qtbot, cube):
    for field in fields(cube, "Lengths"):
        field.setValue(4)
    fields(cube, "At")[2].setValue(5)
    cube.panel.actions["Add solid"].trigger()
    cube.view.set_selection(["face 0", "face 6"])
    key(qtbot, cube, Key.Key_D)
    assert cube.comparing.comparison.missing == pytest.approx(1800 - 1000 + 4 * 4 * 2)


def test_an_open_sheet_cannot_be_combined(qtbot, open_editor):
    editor = open_editor(SHEET)
    editor.panel.actions["Add solid"].trigger()
    editor.view.set_selection(())
    key(qtbot, editor, Key.Key_U)
    assert "Only closed solids" in editor.status()


def test_a_double_click_takes_the_whole_shell_and_it_is_turned_about_its_middle(qtbot, cube):
    qtbot.mouseDClick(cube.view, LEFT, NONE, at(cube, (0, -1, 5)))
    assert len(cube.piece.chosen_faces) == 6
    cube.panel.widgets["Angle"].setValue(45)
    cube.panel.actions["Turn"].trigger()
    assert max(x for x, _, _ in places(cube)) == pytest.approx(5 * 2**0.5)


@pytest.mark.parametrize("kind", range(6))
def test_every_kind_of_solid_can_be_added_and_is_closed(editor, kind):
    editor.panel.widgets["Kind"].setCurrentIndex(kind)
    editor.panel.actions["Add solid"].trigger()
    assert editor.piece.findings.is_closed
    assert not editor.piece.findings.is_inverted


# What is shown -------------------------------------------------------------------------------------------------------


def test_the_bar_tells_of_open_edges_until_the_body_is_watertight(open_editor):
    open_cube = open_editor(Polyhedron.of(CORNERS, FACES[:5]))
    assert figure(open_cube, "edges") == "4 open"
    assert figure(open_cube, "raw score") == "–"


def test_a_closed_body_shows_what_is_missing_and_its_raw_score(cube):
    assert figure(cube, "missing") == "800 cm³"
    assert figure(cube, "too much") == "nothing"
    assert figure(cube, "raw score") == f"{1000 / 1800 - 400 / 1800:.4f}"
    cube.shown.set_look("difference", True)
    assert cube.view.scene.item("missing").vertices[:, 0].max() == pytest.approx(13, abs=0.05)


def test_faces_that_cross_are_drawn_in_the_failed_colour(open_editor):
    shifted = [(x + 3.5, y + 1, z + 1) for x, y, z in CORNERS]
    both = Polyhedron.of([*CORNERS, *shifted], [*FACES, *([k + 8 for k in face] for face in FACES)])
    editor = open_editor(both)
    assert figure(editor, "crossings") not in ("none", "–")
    assert figure(editor, "raw score") == "–"
    assert editor.view.scene.item("face 3").color == "failed"


def test_a_cavity_with_the_wrong_winding_is_marked_and_not_measured(open_editor):
    inner = [(x / 2, y / 2, z / 2) for x, y, z in CORNERS]
    editor = open_editor(Polyhedron.of([*CORNERS, *inner], [*FACES, *([k + 8 for k in face] for face in FACES)]))
    assert figure(editor, "crossings") == "inside out"
    assert figure(editor, "raw score") == "–"
    assert editor.view.scene.item("face 7").color == "failed"


def test_the_ghosts_go_when_nothing_is_missing(open_editor):
    editor = open_editor(TASK.solve(TASK.instances()[1]), number=1)
    assert not any(item.name.startswith(("solid", "edges of")) for item in editor.view.scene.items)


def test_an_edge_that_a_check_names_can_be_flown_to(open_editor):
    editor = open_editor(SHEET)
    document = editor.document
    document.set_verdict(TASK.verify(document.instance, document.answer), document.revision)
    editor.show_elements(["edge 0-1"])
    assert editor.view.scene.item("edge 0-1").color == "failed"
    assert editor.view.selection == ("edge 0-1",)


def test_a_face_that_is_not_flat_is_marked_with_its_distance(cube):
    cube.table.rows.setData(cube.table.rows.index(6, 2), "5.4")
    label = cube.view.scene.item("bend 1")
    assert isinstance(label, Label)
    assert label.text == "0.1 cm off"
    assert cube.view.scene.item("face 1").color == "warning"


def test_thousands_of_faces_are_shown_as_one_piece(open_editor):
    away = np.arange(140) * 3.0 - 200
    vertices = [(x / 4 + a / 20, y / 20, z / 20) for a in away for x, y, z in CORNERS]
    loops = [[k + 8 * i for k in face] for i in range(len(away)) for face in FACES]
    editor = open_editor(Polyhedron.of(vertices, loops))
    names = [item.name for item in editor.view.scene.items]
    assert "faces" in names
    assert len(names) < 300
    assert "too many faces" in editor.status()


def test_solids_can_be_switched_off_and_then_are_not_copied(qtbot, editor):
    editor.shown.show_solid(0, False)
    assert "solid 0" not in [item.name for item in editor.view.scene.items]
    key(qtbot, editor, Key.Key_G)
    hover(editor, (-4, -4, 5))
    assert editor.context.note == ("", "")


def test_faces_that_did_not_change_are_the_same_items_after_an_edit(cube):
    before = cube.view.scene.item("face 0")
    cube.table.rows.setData(cube.table.rows.index(6, 2), "6")
    assert cube.view.scene.item("face 0") is before
    assert cube.view.scene.item("face 1").points[:, 2].max() == 6


def test_numbers_see_through_and_ghosts_can_be_switched(cube):
    cube.shown.set_look("numbers", True)
    assert cube.view.scene.item("number 7").text == "7"
    cube.shown.set_look("see_through", True)
    assert cube.view.scene.item("face 0").opacity < 1
    cube.shown.set_look("ghost_faces", False)
    assert "solid 0" not in [item.name for item in cube.view.scene.items]


def test_the_open_edges_are_painted_red(open_editor):
    editor = open_editor(SHEET)
    x, y = editor.view.project(np.array([(0.0, -5.0, 5.0)]))[0]
    picture = editor.view.grab().toImage()
    color = picture.pixelColor(round(x), round(y))
    assert color.red() > 2 * color.green()


def test_numbers_are_read_out_of_ids_of_their_kind_only():
    assert numbers_of(["face 3", "vertex 4", "edge 1-2", "face x"], "face") == [3]


# A whole solution by hand --------------------------------------------------------------------------------------------


def test_the_slab_with_a_cube_through_it_is_built_by_hand_and_passes(qtbot, open_editor):
    """Subtask 4: the slab's copied faces, the cube's outer end, and a hole where it comes out."""
    editor = open_editor(number=4)
    for field, value in zip(fields(editor, "Lengths"), (10, 20, 30), strict=True):
        field.setValue(value)
    editor.panel.actions["Add solid"].trigger()
    body = editor.piece.body
    side = next(i for i, face in enumerate(body.faces) if (body.vertices[list(face)][:, 0] == 5).all())
    for y, z in ((-7.5, -7.5), (7.5, -7.5), (7.5, 7.5), (-7.5, 7.5)):
        editor.commands.add_vertex(np.array([5.0, y, z]))
    corners = [f"vertex {k}" for k in range(8, 12)]
    editor.view.set_selection([f"face {side}", *corners])
    key(qtbot, editor, Key.Key_H)
    editor.view.set_selection(corners)
    key(qtbot, editor, Key.Key_M)
    editor.view.set_selection([f"face {len(faces(editor)) - 1}"])
    editor.panel.widgets["Pull by"].setValue(12.5)
    key(qtbot, editor, Key.Key_X)
    assert TASK.verify(editor.instance, editor.document.answer).passed
    assert figure(editor, "raw score") == "1.0000"


def test_a_selection_is_dropped_with_what_is_deleted(qtbot, cube):
    cube.select_all()
    assert len(cube.view.selection) == 14
    key(qtbot, cube, Key.Key_Delete)
    assert cube.view.selection == ()
    assert places(cube) == []
    undo(cube)
    assert len(faces(cube)) == 6


def test_control_adds_faces_to_the_selection_in_order(qtbot, cube):
    click(qtbot, cube, (0, -1, 5))
    click(qtbot, cube, (0, -5, -1), CONTROL)
    assert cube.piece.chosen_faces == [1, 2]
