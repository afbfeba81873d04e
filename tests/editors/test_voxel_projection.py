"""The editor of voxel_projection, driven by mouse and keyboard in its three views."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from spatial_workbench.engine.core import task
from spatial_workbench.engine.tasks.voxel_projection import FilledVoxels, grid_of
from spatial_workbench.engine.tasks.voxel_projection.drawing import in_motion
from spatial_workbench.engine.tasks.voxel_projection.editing import cell_at, findings, pair_of, spot_of
from spatial_workbench.engine.tasks.voxel_projection.grid import cells_of, kept_symmetries, symmetries
from spatial_workbench.widgets.editing.gestures import line, rectangle
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.voxel_projection import VoxelEditor
from spatial_workbench.widgets.editors.voxel_projection.drawing import PANELS, panel_at
from tests.editors.driving import HANDS, steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = task("voxel_projection")
SMALL = TASK.instances()[0]
RULED = TASK.instances()[5]
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LATIN = [(x, y, (-x - y) % 6) for x in range(6) for y in range(6)]


@pytest.fixture
def open_editor(show_editor):
    def opened(*cells, instance=SMALL):
        editor = show_editor(TASK, instance, FilledVoxels.of(cells), size=(1100, 640))
        editor.view.reduce_motion = True
        return editor

    return opened


def at(view, point):
    x, y = view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def middle(u, v):
    return (u + 0.5, v + 0.5)


def click(qtbot, editor, spot, held=NONE):
    qtbot.mouseClick(editor.layer_view, LEFT, held, at(editor.layer_view, middle(*spot)))


def stroke(qtbot, editor, start, end, held=NONE):
    drag(
        qtbot, editor.layer_view, LEFT, at(editor.layer_view, middle(*start)), at(editor.layer_view, middle(*end)), held
    )


def key(qtbot, editor, which, held=NONE):
    qtbot.keyClick(QApplication.focusWidget() or editor.view, which, held)


def cells(editor):
    return cells_of(editor.voxels.array)


# Painting ------------------------------------------------------------------------------------------------------------


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is VoxelEditor


def test_a_click_fills_a_cell_and_another_empties_it(qtbot, open_editor):
    editor = open_editor()
    click(qtbot, editor, (2, 4))
    assert cells(editor) == [(2, 4, 0)]
    click(qtbot, editor, (2, 4))
    assert (cells(editor), steps(editor)) == ([], 2)


def test_a_drag_paints_without_gaps_in_one_step(qtbot, open_editor):
    editor = open_editor()
    stroke(qtbot, editor, (0, 1), (5, 1))
    assert cells(editor) == [(x, 1, 0) for x in range(6)]
    assert (steps(editor), editor.document.undo_stack.undoText()) == (1, "Fill 6 cells")
    editor.document.undo_stack.undo()
    assert cells(editor) == []


def test_a_drag_from_a_filled_cell_empties(qtbot, open_editor):
    editor = open_editor((0, 0, 0), (1, 0, 0), (3, 0, 0))
    stroke(qtbot, editor, (0, 0), (2, 0))
    assert cells(editor) == [(3, 0, 0)]


def test_control_and_drag_fill_a_box(qtbot, open_editor):
    editor = open_editor()
    stroke(qtbot, editor, (1, 1), (3, 2), CONTROL)
    assert len(cells(editor)) == 6
    assert steps(editor) == 1


def test_layers_across_another_axis_are_painted_on_too(qtbot, open_editor):
    editor = open_editor()
    key(qtbot, editor, Qt.Key.Key_X)
    key(qtbot, editor, Qt.Key.Key_PageUp)
    click(qtbot, editor, (2, 4))
    assert cells(editor) == [(1, 2, 4)]
    assert editor.bar.title.text() == "Layer x = 1"


def test_a_forbidden_cell_is_refused_with_the_reason(qtbot, open_editor):
    editor = open_editor(instance=RULED)
    click(qtbot, editor, (3, 4))
    assert (cells(editor), steps(editor)) == ([], 0)
    assert "x + y + z = 7 contains a 7" in editor.status()
    assert len(editor.layer_view.scene.item("forbidden cells").ids) == 8 + 18 + 12 + 2


def test_escape_during_a_stroke_drops_it(qtbot, open_editor):
    editor = open_editor()
    start = at(editor.layer_view, middle(0, 0))
    qtbot.mousePress(editor.layer_view, LEFT, NONE, start)
    QApplication.sendEvent(editor.layer_view, _move(editor.layer_view, at(editor.layer_view, middle(4, 0)), LEFT, NONE))
    assert editor.voxels.shown.sum() == 5
    key(qtbot, editor, Qt.Key.Key_Escape)
    qtbot.mouseRelease(editor.layer_view, LEFT, NONE, start)
    assert editor.voxels.shown.sum() == 0
    assert steps(editor) == 0


def test_the_meters_follow_a_stroke_before_it_is_a_step(qtbot, open_editor):
    editor = open_editor()
    qtbot.mousePress(editor.layer_view, LEFT, NONE, at(editor.layer_view, middle(0, 0)))
    assert editor.panel.widgets["Voxels"].figure.text() == "1 / 50 voxels"
    assert editor.panel.widgets["Holes"].figure.text() == "105 holes"


# By keyboard ---------------------------------------------------------------------------------------------------------


def test_the_cursor_fills_by_space_and_by_shift_and_arrows_in_one_step(qtbot, open_editor):
    editor = open_editor()
    key(qtbot, editor, Qt.Key.Key_Up)
    key(qtbot, editor, Qt.Key.Key_Space)
    for _ in range(3):
        key(qtbot, editor, Qt.Key.Key_Right, SHIFT)
    assert cells(editor) == [(x, 1, 0) for x in range(4)]
    assert steps(editor) == 2


def test_typed_coordinates_move_the_cursor_to_another_layer(open_editor):
    editor = open_editor()
    editor.panel.widgets["Cell"].fields[2].setValue(4)
    assert (editor.layer.depth, editor.bar.slider.value()) == (4, 4)


def test_the_slider_changes_the_layer(open_editor):
    editor = open_editor()
    editor.bar.slider.setValue(3)
    assert editor.layer.depth == 3
    assert "layer z = 3" in editor.status()


# The whole grid ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("instance", [SMALL, RULED])
def test_a_latin_square_filled_to_the_number_solves_it(qtbot, open_editor, instance):
    editor = open_editor(instance=instance)
    key(qtbot, editor, Qt.Key.Key_L, SHIFT)
    assert editor.voxels.findings.holes == (0, 0, 0)
    assert editor.voxels.findings.symmetries
    key(qtbot, editor, Qt.Key.Key_F, SHIFT)
    assert TASK.verify(instance, editor.document.answer).passed
    assert steps(editor) == 2


def test_the_seed_decides_the_random_cells(qtbot, open_editor):
    editor = open_editor(*LATIN)
    editor.commands.fill_to_number()
    first = cells(editor)
    editor.document.undo_stack.undo()
    editor.panel.widgets["Seed"].setValue(5)
    editor.commands.fill_to_number()
    assert cells(editor) != first
    editor.document.undo_stack.undo()
    editor.panel.widgets["Seed"].setValue(0)
    editor.commands.fill_to_number()
    assert cells(editor) == first


def test_filling_beyond_the_number_is_refused(open_editor):
    editor = open_editor(*[(x, y, z) for x in range(6) for y in range(6) for z in range(2)])
    editor.commands.fill_to_number()
    assert "72 are filled already" in editor.status()


# Layers --------------------------------------------------------------------------------------------------------------


def test_a_layer_is_copied_pasted_mirrored_and_turned(qtbot, open_editor):
    editor = open_editor((0, 0, 0), (1, 0, 0))
    key(qtbot, editor, Qt.Key.Key_C)
    key(qtbot, editor, Qt.Key.Key_PageUp)
    key(qtbot, editor, Qt.Key.Key_V)
    assert set(cells(editor)) == {(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1)}
    key(qtbot, editor, Qt.Key.Key_M)
    assert {cell for cell in cells(editor) if cell[2] == 1} == {(5, 0, 1), (4, 0, 1)}
    key(qtbot, editor, Qt.Key.Key_R)
    assert sum(cell[2] == 1 for cell in cells(editor)) == 2
    key(qtbot, editor, Qt.Key.Key_E)
    assert not any(cell[2] == 1 for cell in cells(editor))


def test_pasting_leaves_forbidden_cells_out_and_says_so(open_editor):
    editor = open_editor(*[(x, 0, 0) for x in range(7)], instance=RULED)
    editor.layer_commands.copy()
    editor.layer.set_depth(1)
    editor.layer_commands.paste()
    assert "1 forbidden cells were left out" in editor.status()
    assert not editor.voxels.array[6, 0, 1]


# Projections ---------------------------------------------------------------------------------------------------------


def in_panel(editor, axis, u, v):
    left = PANELS.index(axis) * (editor.grid.n + 2)
    return at(editor.projections, (left + u + 0.5, v + 0.5))


def test_holes_are_marked_in_the_projections_and_on_the_walls(open_editor):
    editor = open_editor(*LATIN[1:])
    for view in (editor.view, editor.projections):
        assert list(view.scene.item("hole along z").ids) == ["hole along z at 0,0"]
        assert list(view.scene.item("hole along x").ids) == ["hole along x at 0,0"]


def test_a_click_on_a_hole_offers_the_cells_on_its_ray(qtbot, open_editor):
    editor = open_editor(*LATIN[1:])
    qtbot.mouseClick(editor.projections, LEFT, NONE, in_panel(editor, 2, 0, 0))
    menu = editor.findChild(QMenu, "cells on the ray")
    assert [action.text() for action in menu.actions()] == [f"Fill (0, 0, {z})" for z in range(6)]
    menu.actions()[2].trigger()
    menu.close()
    assert editor.voxels.array[0, 0, 2]
    assert editor.layer.depth == 2


def test_a_click_elsewhere_selects_the_voxels_on_the_ray(qtbot, open_editor):
    editor = open_editor(*LATIN)
    qtbot.mouseClick(editor.projections, LEFT, NONE, in_panel(editor, 1, 3, 2))
    assert editor.view.selection == ("voxel 3,1,2",)


def test_panels_are_found_by_their_place():
    assert panel_at(6, 8.5, 0.5) == (1, (0, 0))
    assert panel_at(6, 7.0, 0.5) is None


# Space and symmetry --------------------------------------------------------------------------------------------------


def test_a_voxel_that_is_clicked_in_space_brings_its_layer_and_delete_empties_it(qtbot, open_editor):
    editor = open_editor((2, 3, 4))
    qtbot.mouseClick(editor.view, LEFT, NONE, at(editor.view, (2.5, 3.5, 5.0)))
    assert editor.view.selection == ("voxel 2,3,4",)
    assert (editor.layer.depth, editor.layer.cursor) == (4, (2, 3))
    key(qtbot, editor, Qt.Key.Key_Delete)
    assert cells(editor) == []


def test_the_symmetries_that_remain_are_listed_and_a_pair_is_shown(open_editor):
    editor = open_editor(*LATIN)
    rows = [editor.symmetries.list.item(k).text() for k in range(editor.symmetries.list.count())]
    assert "x and y exchanged: (y, x, z)" in rows
    editor.symmetries.list.setCurrentRow(rows.index("x and y exchanged: (y, x, z)"))
    assert editor.view.style_.roles == {"voxel 0,1,5": "warning", "voxel 1,0,5": "warning"}
    assert any(item.name == "mapping" for item in editor.view.scene.items)
    assert "Empty or move (0, 1, 5) or (1, 0, 5)" in editor.status()


def test_the_mapping_is_shown_in_motion_and_ends_on_the_images(qtbot, open_editor):
    editor = open_editor(*LATIN)
    key(qtbot, editor, Qt.Key.Key_G)
    assert editor.timeline.isVisible()
    scene = editor.animation.scene
    ends = [np.floor(scene.at(k).item("moving").centers).astype(int).tolist() for k in (0, -1)]
    assert sorted(ends[0]) == sorted(ends[1])
    click(qtbot, editor, (0, 1))
    assert not editor.timeline.isVisible()


@pytest.mark.parametrize("symmetry", symmetries()[::5], ids=lambda symmetry: symmetry.name)
def test_turns_and_mirror_images_in_motion_reach_the_image(symmetry):
    grid = grid_of(SMALL)
    moved = in_motion(grid, grid.filled([(1, 2, 5)]), symmetry).at(-1).item("moving").centers
    assert moved[0] - 0.5 == pytest.approx(np.array(symmetry.cell((1, 2, 5), 6)))


def test_the_list_takes_the_focus_without_choosing_a_symmetry(open_editor):
    editor = open_editor(*LATIN)
    editor.symmetries.list.setFocus()
    assert editor.view.style_.roles == {}


def test_moving_one_of_the_pair_breaks_the_symmetry(open_editor):
    editor = open_editor(*LATIN)
    for symmetry in kept_symmetries(editor.voxels.array):
        cell, image = pair_of(editor.voxels.array, symmetry)
        changed = editor.voxels.array.copy()
        changed[cell] = False
        assert symmetry not in kept_symmetries(changed)
        assert image == symmetry.cell(cell, 6)


def test_entries_that_are_repeated_or_outside_are_told(open_editor):
    editor = open_editor((0, 0, 0), (0, 0, 0), (9, 0, 0))
    assert "2 entries are repeated or outside" in editor.status()


def test_a_failing_check_leads_to_the_layer_of_its_voxel(open_editor):
    editor = open_editor((0, 0, 0), (3, 1, 5), (3, 1, 5))
    verdict = TASK.verify(SMALL, editor.document.answer)
    editor.show_elements(["voxel 3,1,5"])
    assert not verdict.passed
    assert (editor.layer.depth, editor.layer.cursor) == (5, (3, 1))


# What the engine does for the editor ---------------------------------------------------------------------------------


def test_spots_and_cells_are_the_same_places():
    for axis in range(3):
        cell = cell_at(axis, 4, (1, 2))
        assert spot_of(axis, cell) == (4, (1, 2))


def test_fast_strokes_have_no_gaps():
    assert line((0, 0), (3, 1)) == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert rectangle((2, 1), (1, 2)) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_findings_of_an_empty_grid():
    grid = grid_of(SMALL)
    empty = findings(grid, grid.filled([]))
    assert (empty.count, empty.holes, empty.symmetries) == (0, (36, 36, 36), ())


def test_the_right_number_of_voxels_is_submitted_without_a_question(open_editor):
    editor = open_editor()
    assert "0 voxels are filled" in editor.submission_question()
    editor.document.edit("Load reference solution", TASK.solve(editor.instance))
    assert editor.submission_question() == ""


# By hand -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def by_hand(show_editor):
    return show_editor(TASK, RULED, FilledVoxels.of([(0, 0, 0)]), size=(1100, 640), aids=HANDS)


def test_without_judging_forbidden_cells_are_filled_and_not_marked(qtbot, by_hand):
    click(qtbot, by_hand, (3, 4))
    assert cells(by_hand) == [(0, 0, 0), (3, 4, 0)]
    assert not any(item.name in ("forbidden cells", "wrong cells") for item in by_hand.layer_view.scene.items)


def test_without_judging_no_hole_is_marked_or_counted(by_hand):
    for view in by_hand.panes:
        assert not any(name.startswith(("hole", "empty", "needed")) for name in view.scene.ids())
    assert by_hand.projections.scene.item("projection along x").text == "x"
    assert by_hand.status() == "layer z = 0"
    assert by_hand.submission_question() == ""


def test_without_solving_a_click_on_an_empty_ray_offers_nothing(qtbot, by_hand):
    qtbot.mouseClick(by_hand.projections, LEFT, NONE, in_panel(by_hand, 2, 2, 2))
    assert by_hand.findChild(QMenu, "cells on the ray") is None
