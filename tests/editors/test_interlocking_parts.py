"""The editor of interlocking_parts, driven by mouse and keyboard."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from spatial_workbench.engine import sandbox
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.sandbox import Availability
from spatial_workbench.engine.tasks.interlocking_parts import Form, InterlockingParts, Part, Parts, making
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY
from spatial_workbench.engine.tasks.interlocking_parts.making import make
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.interlocking_parts import InterlockingEditor
from tests.editors.driving import HANDS, steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = InterlockingParts()
INSTANCE = TASK.instances()[4]
REFERENCE = TASK.solve(INSTANCE)
NONE = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key
SOUTH = 2
EAST = 4


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(making, "_folder", lambda: tmp_path / "meshes")


@pytest.fixture
def open_editor(show_editor):
    return lambda answer=REFERENCE: show_editor(TASK, INSTANCE, answer, (1000, 700))


@pytest.fixture
def editor(open_editor):
    return open_editor()


@pytest.fixture
def empty(open_editor):
    return open_editor(Parts(parts=()))


def judge(editor):
    document = editor.document
    document.set_verdict(TASK.verify(INSTANCE, document.answer), document.revision)


def origin(editor, number):
    return editor.assembly.parts[number].matrix[:3, 3].tolist()


def volume(editor, number):
    return make(editor.assembly.parts[number]).solid.volume


def on_bed(editor, u, v):
    editor.draw_later()
    x, y = editor.bed.view.project(np.array([[u, v, 10.0]]))[0]
    return QPoint(round(x), round(y))


def handle(editor, name):
    return editor.gizmo.place_of(name).toPoint()


def pull(qtbot, editor, name, millimetres, modifiers=NONE):
    """Drags an arrow as far as it takes to move the parts by a distance."""
    axis = np.eye(3)["xyz".index(name[-1])]
    start, end = editor.view.project(np.array([editor.assembly.middle, editor.assembly.middle + millimetres * axis]))
    grasp = handle(editor, name)
    way = QPoint(*(int(c) for c in np.round(end - start)))
    drag(qtbot, editor.view, LEFT, grasp, grasp + way, modifiers)


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is InterlockingEditor


# Selecting and placing -----------------------------------------------------------------------------------------------


def test_a_row_of_the_list_selects_the_part_and_shows_it_on_the_bed(editor):
    editor.panel.widgets["Parts"].setCurrentRow(EAST)
    assert editor.view.selection == ("part 4",)
    assert editor.bed.number == EAST
    assert "fits" in editor.bed.figures.text()


def test_a_click_in_the_assembly_selects_in_the_list(qtbot, editor):
    place = editor.view.project(np.array([[-108.0, -185.0, 120.0]]))[0]
    qtbot.mouseClick(editor.view, LEFT, NONE, QPoint(*(int(c) for c in place)))
    assert editor.panel.widgets["Parts"].selected == (SOUTH,)


def test_an_arrow_moves_the_part_along_its_axis_in_one_step(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    pull(qtbot, editor, "move z", 60.0)
    x, y, z = origin(editor, SOUTH)
    assert (x, y) == (0, -175)
    assert z > 200
    assert steps(editor) == 1


def test_with_alt_the_part_goes_by_tenths(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    pull(qtbot, editor, "move x", 33.0, ALT)
    x = origin(editor, SOUTH)[0]
    assert x == pytest.approx(33, abs=6)
    assert round(x * 10) == pytest.approx(x * 10)


def test_faces_snap_to_faces_with_the_clearance(editor):
    editor.assembly.selection.select([1])
    editor.place_commands.move_by(editor.assembly.drag_to(2, 23.0, fine=False, reach=3.0))
    editor.assembly.end_drag()
    way = editor.assembly.drag_to(2, -23.4, fine=False, reach=3.0)
    assert "meets a face of part" in editor.status()
    editor.assembly.end_drag()
    editor.place_commands.move_by(way)
    assert origin(editor, 1)[2] == pytest.approx(720.0)


def test_a_part_that_would_overlap_says_so_while_it_is_dragged(editor):
    editor.assembly.selection.select([EAST])
    editor.assembly.drag_to(0, -6.0, fine=True, reach=0.0)
    assert "overlaps part 2" in editor.view.ghost_reason
    editor.assembly.end_drag()
    assert steps(editor) == 0


def test_escape_drops_a_drag(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    grasp = handle(editor, "move z")
    qtbot.mousePress(editor.view, LEFT, NONE, grasp)
    QApplication.sendEvent(editor.view, _move(editor.view, grasp - QPoint(0, 30), LEFT, NONE))
    assert editor.view.ghost
    qtbot.keyClick(editor.view, Key.Key_Escape)
    qtbot.mouseRelease(editor.view, LEFT, NONE, grasp)
    assert steps(editor) == 0
    assert not editor.view.ghost


def test_a_knob_turns_by_90_degrees(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    qtbot.mouseClick(editor.view, LEFT, NONE, handle(editor, "turn z"))
    assert np.allclose(editor.assembly.parts[SOUTH].matrix[:3, 0], (0, 1, 0))
    assert steps(editor) == 1


@pytest.mark.parametrize(("key", "axis"), [(Key.Key_T, 0), (Key.Key_Y, 1), (Key.Key_R, 2)])
def test_keys_turn_about_each_axis_and_four_turns_are_none(qtbot, editor, key, axis):
    editor.assembly.selection.select([EAST])
    before = editor.assembly.parts[EAST].matrix
    qtbot.keyClick(editor.view, key)
    assert np.allclose(editor.assembly.parts[EAST].matrix[:3, :3] @ before[:3, :3].T @ np.eye(3)[axis], np.eye(3)[axis])
    qtbot.keyClick(editor.view, key, SHIFT)
    assert np.allclose(editor.assembly.parts[EAST].matrix, before)


def test_arrow_keys_nudge_and_a_run_of_them_is_one_step(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    for _ in range(3):
        qtbot.keyClick(editor.view, Key.Key_PageUp)
    qtbot.keyClick(editor.view, Key.Key_PageUp, SHIFT)
    assert origin(editor, SOUTH)[2] == 185 + 13
    assert steps(editor) == 1
    before = origin(editor, SOUTH)
    qtbot.keyClick(editor.view, Key.Key_Right)
    assert np.linalg.norm(np.subtract(origin(editor, SOUTH), before)) == pytest.approx(1)


def test_numbers_can_be_typed(editor):
    editor.assembly.selection.select([SOUTH])
    x, x_deg = editor.panel.widgets["Position"].fields[0], editor.panel.widgets["Position"].fields[1]
    assert (x.value(), x_deg.value()) == (0, 90)
    x.setValue(12.5)
    x_deg.setValue(0)
    assert editor.assembly.parts[SOUTH].transform[3] == 12.5
    assert np.allclose(editor.assembly.parts[SOUTH].matrix[:3, :3], np.eye(3))
    assert steps(editor) == 2


def test_a_part_stands_on_the_face_that_is_chosen(empty):
    empty.panel.widgets["New panel"].fields[1].setValue(349.6)
    empty.commands.new_panel(370, 349.6, 72)
    empty.place_commands.move_by(np.array([0, 0, 180.0]))
    empty.panel.widgets["Stand on"].setCurrentIndex(1 + ["south", "north", "east", "west"].index("north"))
    north = REFERENCE.parts[3]
    assert empty.assembly.parts[0].matrix.tolist() == north.placed(north.matrix).matrix.tolist()


def test_bracket_keys_goes_from_part_to_part(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_BracketRight)
    qtbot.keyClick(editor.view, Key.Key_BracketRight)
    assert editor.assembly.selected == [1]


# Parts ---------------------------------------------------------------------------------------------------------------


def test_a_panel_is_a_valid_part_and_one_step(qtbot, empty):
    qtbot.keyClick(empty.view, Key.Key_N)
    assert len(empty.assembly.parts) == 1
    assert make(empty.assembly.parts[0]).is_valid
    assert steps(empty) == 1
    assert empty.assembly.selected == [0]


def test_a_copy_on_the_opposite_side_is_the_north_panel(qtbot, open_editor):
    editor = open_editor(Parts(parts=REFERENCE.parts[:3]))
    editor.assembly.selection.select([SOUTH])
    qtbot.keyClick(editor.view, Key.Key_D, SHIFT)
    assert np.allclose(editor.assembly.parts[3].matrix, REFERENCE.parts[3].matrix)
    assert editor.assembly.parts[3].fileContents == REFERENCE.parts[3].fileContents


@pytest.mark.parametrize("command", ["copy", "mirror"])
def test_copies_land_beside_everything_that_is_there(editor, command):
    editor.assembly.selection.select([8, 9])
    editor.commands.delete()
    editor.assembly.selection.select([SOUTH])
    editor.view.flush()
    count = len(editor.assembly.parts)
    getattr(editor.commands, command)()
    low, high = editor.assembly.bounds_of(count)
    others = [editor.assembly.bounds_of(i) for i in range(count)]
    assert all((high <= box[0]).any() or (low >= box[1]).any() for box in others)
    assert origin(editor, count)[1:] == origin(editor, SOUTH)[1:]


def test_delete_copy_and_mirror(qtbot, editor):
    editor.assembly.selection.select([8, 9])
    qtbot.keyClick(editor.view, Key.Key_Delete)
    assert len(editor.assembly.parts) == 8
    editor.assembly.selection.select([0])
    editor.commands.copy()
    editor.assembly.selection.select([SOUTH])
    editor.commands.mirror()
    assert len(editor.assembly.parts) == 10
    assert editor.assembly.parts[9].fileContents != editor.assembly.parts[SOUTH].fileContents
    assert volume(editor, 9) == pytest.approx(volume(editor, SOUTH))
    editor.document.undo_stack.undo()
    assert len(editor.assembly.parts) == 9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["part.stl", "part.obj"])
def test_a_mesh_is_imported_on_the_bed(qtbot, empty, tmp_path, monkeypatch, name):
    solid = make(REFERENCE.parts[SOUTH]).solid
    text = REFERENCE.parts[SOUTH].fileContents
    if name.endswith("obj"):
        rows = ["v {} {} {}".format(*vertex) for vertex in solid.vertices + 7]
        text = "\n".join([*rows, *("f {} {} {}".format(*(triangle + 1)) for triangle in solid.triangles)])
    (tmp_path / name).write_text(text)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / name), ""))
    qtbot.keyClick(empty.view, Key.Key_I)
    assert empty.assembly.parts[0].fileType == "STL"
    assert volume(empty, 0) == pytest.approx(solid.volume)
    assert make(empty.assembly.parts[0]).solid.bounds[0][2] == 0


def test_a_file_that_is_not_there_is_told(qtbot, empty, tmp_path):
    with qtbot.waitSignal(empty.message) as blocker:
        empty.commands.import_file(str(tmp_path / "none.stl"))
    assert "cannot be read" in blocker.args[0]


# The bed -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_click_takes_a_piece_of_bar_off_all_alike_and_one_across_a_window_puts_it_on(qtbot, editor):
    editor.assembly.selection.select([0])
    whole = volume(editor, 0)
    qtbot.keyClick(editor.view, Key.Key_B)
    qtbot.mouseClick(editor.bed.view, LEFT, NONE, on_bed(editor, 0, 36))
    assert volume(editor, 0) == pytest.approx(whole - 62 * 10 * 10)
    assert editor.assembly.parts[0].fileContents == editor.assembly.parts[1].fileContents
    qtbot.mouseClick(editor.bed.view, LEFT, NONE, on_bed(editor, 0, 36))
    assert volume(editor, 0) == pytest.approx(whole)
    assert steps(editor) == 2


def test_the_bed_is_drawn_anew_only_for_another_part(editor):
    editor.assembly.selection.select([SOUTH])
    editor.later.stop()
    editor.place_commands.move_by(np.array([0.0, 0.0, 9.0]))
    assert not editor.later.isActive()
    editor.assembly.selection.select([EAST])
    assert editor.later.isActive()


def test_the_piece_that_goes_is_shown_before_the_click(editor):
    editor.assembly.selection.select([0])
    editor.panel.actions["Bars"].trigger()
    place = on_bed(editor, 0, 36)
    QApplication.sendEvent(editor.bed.view, _move(editor.bed.view, place, Qt.MouseButton.NoButton, NONE))
    assert editor.bed.view.ghost_reason == "remove 62 × 10 mm"


def test_a_drag_draws_a_bar_on_the_lines_of_the_part(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    before = volume(editor, SOUTH)
    editor.panel.actions["Bars"].trigger()
    drag(qtbot, editor.bed.view, LEFT, on_bed(editor, -36.4, 140), on_bed(editor, 36.4, 140))
    assert volume(editor, SOUTH) == pytest.approx(before + 62 * 10 * 10)


def test_a_rectangle_cuts_and_only_this_part_if_wanted(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    before = volume(editor, SOUTH)
    editor.panel.widgets["Change all alike"].click()
    editor.panel.actions["Cut"].trigger()
    drag(qtbot, editor.bed.view, LEFT, on_bed(editor, -200, -200), on_bed(editor, -171, 200))
    assert volume(editor, SOUTH) < before
    assert volume(editor, 3) == pytest.approx(before)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_a_hole_goes_where_the_rod_is(qtbot, open_editor, kind):
    from spatial_workbench.engine.tasks.interlocking_parts import Cage
    from spatial_workbench.engine.tasks.interlocking_parts.editing import grid_panel

    text = grid_panel(Cage.of(INSTANCE.parameters), 370, 370, 72)
    editor = open_editor(Parts(parts=(Part(fileContents=text, fileType="STL", transform=IDENTITY),)))
    editor.assembly.selection.select([0])
    before = volume(editor, 0)
    editor.panel.widgets["Hole"].setCurrentIndex(kind)
    editor.panel.actions["Rod hole"].trigger()
    qtbot.mouseClick(editor.bed.view, LEFT, NONE, on_bed(editor, 177, -168))
    hole = before - volume(editor, 0)
    area = np.pi * 3.2**2
    expected = {0: 10 * area, 1: 370 * 3.2**2 * 2 * np.sqrt(3), 2: 370 * (area + 0.21 * 3.2**2)}
    assert hole == pytest.approx(expected[kind], rel=0.02)


def test_boxes_can_be_cut_and_filled_by_numbers(editor):
    editor.assembly.selection.select([0])
    before = volume(editor, 0)
    for field, value in zip(editor.panel.widgets["Box"].fields, (-31, 31, 31, 41), strict=True):
        field.setValue(value)
    editor.panel.actions["Cut box"].trigger()
    assert volume(editor, 0) == pytest.approx(before - 6200)
    editor.panel.actions["Add box"].trigger()
    assert volume(editor, 0) == pytest.approx(before)


def test_what_cannot_be_cut_is_refused_with_the_reason(qtbot, editor):
    class Failing:
        def run(self, label, function, *arguments, done, failed=None, quiet=False):
            try:
                done(function(*arguments))
            except Exception as error:
                failed(sentence_of(error))

    editor.changes.runner = Failing()
    editor.assembly.selection.select([0])
    for field, value in zip(editor.panel.widgets["Box"].fields, (-300, 300, -300, 300), strict=True):
        field.setValue(value)
    with qtbot.waitSignal(editor.message) as blocker:
        editor.panel.actions["Cut box"].trigger()
    assert blocker.args[0] == "Not done. Nothing would be left of the part"
    assert steps(editor) == 0


# Criteria ------------------------------------------------------------------------------------------------------------


def test_the_lamps_say_what_is_met_so_far(open_editor):
    editor = open_editor(Parts(parts=REFERENCE.parts[:9]))
    judge(editor)
    assert [line.is_met for line in editor.panel.widgets["Criteria"].lines] == [False] + [True] * 8
    assert "8 of 9" in editor.panel.widgets["Criteria"].title.text()
    assert editor.status().startswith("9 of 10 parts")


@pytest.mark.slow
def test_a_click_on_a_lamp_shows_the_parts(qtbot, editor):
    editor.assembly.selection.select([EAST])
    editor.place_commands.move_by(np.array([-6.0, 0, 0]))
    judge(editor)
    qtbot.mouseClick(editor.panel.widgets["Criteria"].lines[3], LEFT)
    assert editor.assembly.selected == [EAST]
    assert editor.view.style_.roles["part 4"] == "failed"
    qtbot.keyClick(editor.panel.widgets["Criteria"].lines[5], Key.Key_Return)
    assert set(editor.assembly.selected) >= {2, EAST}


def test_without_parts_nothing_is_said_to_be_met(empty):
    judge(empty)
    assert [line.is_met for line in empty.panel.widgets["Criteria"].lines[1:]] == [None] * 8


def test_exploding_moves_parts_in_the_view_only(qtbot, editor):
    editor.assembly.selection.select([SOUTH])
    qtbot.keyClick(editor.view, Key.Key_X)
    assert editor.apart.value == 60
    assert editor.view.scene.item("part 1").vertices[:, 2].min() > 800
    assert editor.gizmo.handles() == {}
    qtbot.keyClick(editor.view, Key.Key_X)
    assert steps(editor) == 0


def test_ghosts_can_be_left_out(editor):
    assert "rod 0" in set(editor.view.scene.ids())
    editor.panel.widgets["Rods, inside and limit"].click()
    assert "rod 0" not in set(editor.view.scene.ids())


# Programs ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def runs(monkeypatch):
    asked = []

    def compile_openscad(source, **_):
        asked.append(source)
        return REFERENCE.parts[0].fileContents.encode()

    monkeypatch.setattr(sandbox, "openscad_availability", lambda: Availability(True, "test", "", "1"))
    monkeypatch.setattr(sandbox, "compile_openscad", compile_openscad)
    return asked


SCAD = Part(fileContents="cube(10);", fileType="OpenSCAD", transform=IDENTITY)


def test_opening_and_editing_a_program_runs_nothing(runs, open_editor):
    editor = open_editor(Parts(parts=(SCAD,)))
    judge(editor)
    editor.assembly.selection.select([0])
    editor.place_commands.turn_parts(2, 90.0)
    assert runs == []
    assert "not run" in editor.panel.widgets["Parts"].item(0).text()
    assert "part 0 in words" in set(editor.view.scene.ids())


@pytest.mark.slow
def test_run_runs_it_in_the_sandbox_and_then_it_is_drawn(qtbot, runs, open_editor):
    editor = open_editor(Parts(parts=(SCAD, SCAD)))
    editor.assembly.selection.select([0, 1])
    with qtbot.waitSignal(editor.document.answer_changed):
        editor.panel.actions["Run"].trigger()
    assert runs == ["cube(10);"]
    assert "part 0" in set(editor.view.scene.ids())
    judge(editor)
    assert "not run" not in editor.panel.widgets["Parts"].item(0).text()
    assert steps(editor) == 0


def test_the_source_is_edited_in_a_dialog_that_says_where_it_runs(qtbot, runs, open_editor):
    editor = open_editor(Parts(parts=(SCAD,)))
    editor.assembly.selection.select([0])
    qtbot.keyClick(editor.view, Key.Key_E)
    dialog = editor.sources.dialog
    assert "only in the sandbox" in dialog.note.text()
    dialog.text.setPlainText("cube(20);")
    dialog.form.setCurrentText(Form.PYTHON_OPENSCAD)
    dialog.form.setCurrentText(Form.OPENSCAD)
    dialog.save.click()
    assert editor.assembly.parts[0].fileContents == "cube(20);"
    assert runs == []
    editor.sources.edit_source()
    editor.sources.dialog.run.click()
    assert runs == ["cube(20);"]


def test_an_stl_has_nothing_to_run(qtbot, editor):
    editor.assembly.selection.select([0])
    editor.sources.edit_source()
    assert not editor.sources.dialog.run.isEnabled()
    editor.sources.dialog.reject()
    assert not editor.panel.actions["Run"].isEnabled()


# Without aids --------------------------------------------------------------------------------------------------------


@pytest.fixture
def by_hand(show_editor):
    return show_editor(TASK, INSTANCE, REFERENCE, (1000, 700), HANDS)


@pytest.mark.slow
def test_without_judging_nothing_tells_whether_parts_fit(by_hand):
    by_hand.assembly.selection.select([EAST])
    judge(by_hand)
    by_hand.draw_later()
    assert "Criteria" not in by_hand.panel.widgets
    assert by_hand.panel.widgets["Parts"].item(EAST).text() == "4  STL"
    assert by_hand.bed.figures.text() == ""
    assert "bed contact" not in set(by_hand.bed.view.scene.ids())


def test_without_judging_a_drag_into_another_part_says_nothing(by_hand):
    by_hand.assembly.selection.select([EAST])
    by_hand.assembly.drag_to(0, -6.0, fine=True, reach=0.0)
    assert by_hand.view.ghost_reason == ""
    assert by_hand.status() == ""


def test_without_measuring_neither_rods_nor_limits_nor_places_are_shown(by_hand):
    drawn = {name.rstrip(" 0123456789") for name in by_hand.view.scene.ids()}
    assert drawn == {"part"}
    assert "Position" not in by_hand.panel.widgets
    by_hand.draw_later()
    assert by_hand.bed.view.scene.ground is None


def test_what_a_drag_said_is_gone_with_it(editor):
    editor.assembly.selection.select([EAST])
    editor.assembly.drag_to(0, 12.0, fine=False, reach=0.0)
    assert "x +12 mm" in editor.status()
    editor.assembly.end_drag()
    assert "mm" not in editor.status()


def test_the_selection_moves_by_typed_numbers_in_one_step(by_hand):
    by_hand.assembly.selection.select([SOUTH, EAST])
    before = [origin(by_hand, part) for part in (SOUTH, EAST)]
    for field, value in zip(by_hand.panel.widgets["Move by"].fields, (1.5, 0, -20), strict=True):
        field.setValue(value)
    by_hand.panel.actions["Move"].trigger()
    for part, (x, y, z) in zip((SOUTH, EAST), before, strict=True):
        assert origin(by_hand, part) == pytest.approx([x + 1.5, y, z - 20])
    assert steps(by_hand) == 1


def test_without_a_selection_nothing_can_be_moved_by_numbers(by_hand):
    by_hand.assembly.selection.select([])
    assert not by_hand.panel.actions["Move"].isEnabled()


def test_a_hole_is_made_at_typed_numbers_in_one_step(by_hand):
    by_hand.assembly.selection.select([SOUTH])
    before = volume(by_hand, SOUTH)
    for field, value in zip(by_hand.panel.widgets["Hole at"].fields, (36, 30), strict=True):
        field.setValue(value)
    by_hand.panel.actions["Make hole"].trigger()
    assert volume(by_hand, SOUTH) < before
    assert steps(by_hand) == 1
