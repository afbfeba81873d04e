"""The editor of fluid_simulation, driven by mouse and keyboard."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolButton

from spatial_workbench.engine.core import silent
from spatial_workbench.engine.tasks.fluid_simulation import FluidSimulation, earthworks_of
from spatial_workbench.engine.tasks.fluid_simulation.shaping import (
    brushed,
    moved,
    rectangles,
    resized,
    stroke,
    with_mirror_images,
)
from spatial_workbench.engine.tasks.fluid_simulation.views import draw_level
from spatial_workbench.engine.tasks.fluid_simulation.world import FluidBox
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.fluid_simulation import FluidEditor
from spatial_workbench.widgets.editors.fluid_simulation.gestures import AreaTool, BrushTool, PresetTool, SelectTool
from spatial_workbench.widgets.editors.fluid_simulation.marks import describe
from spatial_workbench.widgets.editors.fluid_simulation.operations import extent
from tests.editors.driving import HANDS
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = FluidSimulation()
LAKE, HIDDEN, BANDS = (TASK.instances()[i] for i in (0, 3, 8))
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
PIT = [4, 4, 2, 9, 8, 2, "Air"]
WALL = [2, 2, 3, 12, 12, 3, "Rock"]


class AtOnce:
    """A runner that does its work at once, in this process."""

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        done(function(*arguments, progress=silent))


class Never:
    """A runner whose work never ends, but can be cancelled."""

    cancelled = False

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        return self

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def open_editor(qtbot):
    def opened(rows=(), instance=LAKE, runner=None, aids=ALL_AIDS):
        document = AnswerDocument(TASK, instance, earthworks_of(rows))
        editor = FluidEditor(document, runner or AtOnce(), aids=aids)
        qtbot.addWidget(editor, before_close_func=lambda w: w.close_editor())
        qtbot.addWidget(editor.tools)
        editor.view.reduce_motion = True
        editor.resize(1000, 560)
        editor.tools.show()
        with qtbot.waitExposed(editor):
            editor.show()
        editor.activateWindow()
        editor.view.setFocus()
        return editor

    return opened


@pytest.fixture
def editor(open_editor):
    return open_editor()


def at(view, *point):
    x, y = view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def rows(editor):
    return [[*o.xyzMin, *o.xyzMax, o.material] for o in editor.document.answer.earthworks]


def steps(editor):
    return editor.document.undo_stack.count()


def hover(view, pos):
    QApplication.sendEvent(view, _move(view, pos, Qt.MouseButton.NoButton, NONE))


def judge(editor):
    editor.document.set_verdict(TASK.verify(editor.instance, editor.document.answer), editor.document.revision)


def drag_plan(qtbot, editor, start, end):
    drag(qtbot, editor.plan, LEFT, at(editor.plan, *start), at(editor.plan, *end))


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is FluidEditor


# Boxes ---------------------------------------------------------------------------------------------------------------


def test_a_rectangle_and_then_a_depth_make_one_step(qtbot, editor):
    drag(qtbot, editor.view, LEFT, at(editor.view, 4.5, 4.5, 3), at(editor.view, 9.5, 8.5, 3))
    assert rows(editor) == []
    goal = at(editor.view, 9.5, 8.5, 3) + at(editor.view, 7, 6.5, 1) - at(editor.view, 7, 6.5, 2)
    hover(editor.view, goal)
    qtbot.mouseClick(editor.view, LEFT, pos=goal)
    assert rows(editor) == [[4, 4, 1, 9, 8, 2, "Air"]]
    assert steps(editor) == 1
    editor.document.undo_stack.undo()
    assert rows(editor) == []


def test_with_a_height_in_the_field_the_release_makes_the_box(qtbot, editor):
    editor.site.box_height.put(3)
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    drag(qtbot, editor.view, LEFT, at(editor.view, 9.5, 8.5, 3), at(editor.view, 4.5, 4.5, 3))
    assert rows(editor) == [[4, 4, 3, 9, 8, 5, "Rock"]]


def test_building_goes_to_the_first_level_that_has_room(qtbot, editor):
    assert editor.site.level == 2
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    assert editor.site.level == 3
    qtbot.keyClick(editor.view, Qt.Key.Key_D)
    assert editor.site.level == 2


def test_a_rectangle_that_leaves_the_world_ends_at_its_edge(qtbot, editor):
    drag_plan(qtbot, editor, (13.5, 13.5), (16.4, 16.4))
    assert rows(editor) == [[13, 13, 2, 15, 15, 2, "Air"]]


def test_a_press_beside_the_world_makes_nothing(qtbot, editor):
    drag_plan(qtbot, editor, (-0.4, 3.5), (5.5, 5.5))
    assert rows(editor) == []


def test_on_the_plan_a_rectangle_is_a_box_at_once(qtbot, editor):
    drag_plan(qtbot, editor, (4.5, 4.5), (9.5, 8.5))
    assert rows(editor) == [PIT]
    assert steps(editor) == 1


def test_escape_drops_what_was_begun(qtbot, editor):
    drag(qtbot, editor.view, LEFT, at(editor.view, 4.5, 4.5, 3), at(editor.view, 9.5, 8.5, 3))
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    qtbot.mouseClick(editor.view, LEFT, pos=QPoint(5, 5))
    assert rows(editor) == []
    assert not editor.site.pending.boxes


def test_the_ghost_shows_what_would_be_made_in_both_views(qtbot, editor):
    qtbot.mousePress(editor.plan, LEFT, pos=at(editor.plan, 4.5, 4.5))
    hover_pressed(editor.plan, at(editor.plan, 9.5, 8.5))
    assert editor.site.pending.words() == "6 × 5 × 1"
    assert len(editor.view.ghost) == len(editor.plan.ghost) == 1
    qtbot.mouseRelease(editor.plan, LEFT, pos=at(editor.plan, 9.5, 8.5))
    assert editor.view.ghost == ()


def hover_pressed(view, pos):
    QApplication.sendEvent(view, _move(view, pos, LEFT, NONE))


# Presets, mirror, brush ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "operations"),
    [
        (Qt.Key.Key_P, [[4, 4, 1, 9, 8, 2, "Air"]]),
        (Qt.Key.Key_W, [[4, 4, 3, 9, 8, 3, "Rock"], [5, 5, 3, 8, 7, 3, "Air"]]),
        (Qt.Key.Key_T, [[3, 3, 5, 10, 9, 5, "Rock"], [3, 3, 3, 3, 3, 4, "Rock"]]),
        (Qt.Key.Key_I, [[4, 4, 1, 9, 8, 2, "Rock"]]),
    ],
)
def test_presets_are_made_of_a_rectangle_in_one_step(qtbot, editor, key, operations):
    qtbot.keyClick(editor.view, key)
    assert isinstance(editor.view.tool, PresetTool)
    drag_plan(qtbot, editor, (4.5, 4.5), (9.5, 8.5))
    assert rows(editor) == operations
    assert steps(editor) == 1


def test_a_preset_s_button_follows_its_action(qtbot, editor):
    button = next(b for b in editor.tools.findChildren(QToolButton) if b.text() == "Walled pool")
    qtbot.mouseClick(button, LEFT)
    assert editor.view.tool.name == "walled pool"
    assert button.isChecked()
    qtbot.keyClick(editor.view, Qt.Key.Key_D)
    assert not button.isChecked()


def test_what_cannot_be_made_is_refused_with_the_reason(qtbot, editor):
    editor._use(PresetTool(editor.site, "roof on a pillar"))
    messages = []
    editor.message.connect(messages.append)
    drag_plan(qtbot, editor, (0.5, 4.5), (6.5, 8.5))
    assert rows(editor) == []
    assert messages == ["Nothing was placed: x runs from -1 to 7, outside 0..15."]


def test_a_roof_on_the_ground_is_refused(qtbot, editor):
    editor._use(PresetTool(editor.site, "roof on a pillar"))
    editor.look.set_level(3)
    hover(editor.plan, at(editor.plan, 5.5, 5.5))
    assert editor.plan.ghost_reason == ""
    qtbot.mousePress(editor.plan, LEFT, pos=at(editor.plan, 5.5, 5.5))
    assert editor.plan.ghost_reason == "a roof has to be at z = 4 to 7"
    qtbot.mouseRelease(editor.plan, LEFT, pos=at(editor.plan, 5.5, 5.5))
    assert rows(editor) == []


def test_the_mirror_places_images_in_the_same_step(qtbot, editor):
    for mirror in editor.site.mirrors:
        mirror.put(True)
    drag_plan(qtbot, editor, (1.5, 2.5), (3.5, 3.5))
    assert sorted(row[:2] for row in rows(editor)) == [[1, 2], [1, 12], [12, 2], [12, 12]]
    assert steps(editor) == 1


def test_an_image_that_is_the_box_itself_is_made_once():
    box = FluidBox((6, 6, 2), (9, 9, 2), False)
    assert with_mirror_images([box], 16, True, True) == [box]


def test_images_keep_the_order_of_the_steps():
    rock = FluidBox((1, 1, 3), (3, 3, 3), True)
    air = FluidBox((2, 2, 3), (2, 2, 3), False)
    assert [box.rock for box in with_mirror_images([rock, air], 16, True, False)] == [True, True, False, False]


def test_a_brush_stroke_is_one_step_of_few_boxes(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_B)
    editor.site.brush_width.put(3)
    drag_plan(qtbot, editor, (4.5, 5.5), (9.5, 5.5))
    assert rows(editor) == [[3, 4, 2, 10, 6, 2, "Air"]]
    assert steps(editor) == 1


def test_the_brush_paints_rock_in_space_too(qtbot, editor):
    editor.site.paints_rock.put(True)
    editor._use(BrushTool(editor.site))
    editor.look.set_level(3)
    drag(qtbot, editor.view, LEFT, at(editor.view, 4.5, 5.5, 3), at(editor.view, 4.5, 9.5, 3))
    assert rows(editor) == [[4, 5, 3, 4, 9, 3, "Rock"]]


def test_a_brush_at_the_edge_paints_only_the_world(qtbot, editor):
    editor._use(BrushTool(editor.site))
    editor.site.brush_width.put(3)
    qtbot.mouseClick(editor.plan, LEFT, pos=at(editor.plan, 0.5, 0.5))
    assert rows(editor) == [[0, 0, 2, 1, 1, 2, "Air"]]


def test_a_stroke_has_no_gaps():
    assert stroke((0, 0), (4, 2)) == [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2)]


def test_boxes_of_a_stroke_are_exactly_what_was_painted():
    painted = {(1, 1), (1, 2), (1, 3), (2, 2), (3, 1), (3, 2), (3, 3)}
    boxes = brushed(painted, 2, rock=True)
    cells = [(x, y) for b in boxes for x in range(b.low[0], b.high[0] + 1) for y in range(b.low[1], b.high[1] + 1)]
    assert sorted(cells) == sorted(painted)
    assert len(boxes) == 3


def test_rectangles_take_the_axis_that_needs_fewer():
    mask = np.zeros((5, 4), bool)
    mask[:, 0] = mask[:, 2] = True
    assert len(rectangles(mask)) == 2
    assert len(rectangles(mask.T)) == 2


# Select, move, resize ------------------------------------------------------------------------------------------------


def test_a_click_on_the_plan_chooses_the_last_operation_there(qtbot, open_editor):
    editor = open_editor([PIT, [5, 5, 2, 6, 6, 2, "Rock"]])
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    qtbot.mouseClick(editor.plan, LEFT, pos=at(editor.plan, 5.5, 5.5))
    assert editor.operation_list.chosen == 1
    qtbot.mouseClick(editor.plan, LEFT, pos=at(editor.plan, 13.5, 13.5))
    assert editor.operation_list.chosen == -1


def test_a_click_in_space_chooses_what_is_under_the_pointer(qtbot, open_editor):
    editor = open_editor([[2, 2, 3, 4, 4, 3, "Rock"], [8, 8, 2, 11, 11, 2, "Air"]])
    editor._use(SelectTool(editor.site))
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor.view, 3, 3, 4))
    assert editor.operation_list.chosen == 0
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor.view, 9.5, 9.5, 3))
    assert editor.operation_list.chosen == 1


def test_dragging_an_operation_moves_it_by_whole_voxels(qtbot, open_editor):
    editor = open_editor([PIT])
    editor._use(SelectTool(editor.site))
    drag_plan(qtbot, editor, (5.5, 5.5), (7.6, 4.4))
    assert rows(editor) == [[6, 3, 2, 11, 7, 2, "Air"]]
    assert steps(editor) == 1


def test_in_space_an_operation_moves_in_its_plane(qtbot, open_editor):
    editor = open_editor([[2, 2, 3, 4, 4, 3, "Rock"]])
    editor._use(SelectTool(editor.site))
    drag(qtbot, editor.view, LEFT, at(editor.view, 2.5, 2.5, 4), at(editor.view, 6.5, 3.5, 4))
    assert rows(editor) == [[6, 3, 3, 8, 5, 3, "Rock"]]


def test_a_moved_operation_stays_in_the_world():
    assert moved(FluidBox((1, 1, 2), (3, 3, 2), False), (-5, 20, 0), 16) == FluidBox((0, 13, 2), (2, 15, 2), False)


def test_a_handle_resizes(qtbot, open_editor):
    editor = open_editor([PIT])
    editor._use(SelectTool(editor.site))
    editor.operation_list.choose_row(0)
    drag_plan(qtbot, editor, (10, 6.5), (12.1, 6.5))
    assert rows(editor) == [[4, 4, 2, 11, 8, 2, "Air"]]


def test_the_upper_handle_in_space_resizes_in_height(qtbot, open_editor):
    editor = open_editor([[6, 6, 3, 9, 9, 3, "Rock"]])
    editor._use(SelectTool(editor.site))
    editor.operation_list.choose_row(0)
    drag(qtbot, editor.view, LEFT, at(editor.view, 8, 8, 4), at(editor.view, 8, 8, 6))
    assert rows(editor) == [[6, 6, 3, 9, 9, 5, "Rock"]]


def test_a_resized_operation_keeps_a_voxel():
    box = FluidBox((4, 4, 2), (9, 8, 2), False)
    assert resized(box, 0, True, 1, 16).high == (4, 8, 2)
    assert resized(box, 0, False, -3, 16).low == (0, 4, 2)


def test_escape_leaves_the_operation_where_it_was(qtbot, open_editor):
    editor = open_editor([PIT])
    editor._use(SelectTool(editor.site))
    qtbot.mousePress(editor.plan, LEFT, pos=at(editor.plan, 5.5, 5.5))
    hover_pressed(editor.plan, at(editor.plan, 8.5, 8.5))
    qtbot.keyClick(editor.plan, Qt.Key.Key_Escape)
    qtbot.mouseRelease(editor.plan, LEFT, pos=at(editor.plan, 8.5, 8.5))
    assert rows(editor) == [PIT]


# The list and keys ---------------------------------------------------------------------------------------------------


def test_arrows_nudge_the_chosen_operation_and_are_one_step(qtbot, open_editor):
    editor = open_editor([PIT])
    editor.operation_list.choose_row(0)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        qtbot.keyClick(editor.view, key)
    qtbot.keyClick(editor.view, Qt.Key.Key_Down, SHIFT)
    assert rows(editor) == [[6, 5, 1, 11, 9, 1, "Air"]]
    assert steps(editor) == 1


def test_delete_and_duplicate_by_key(qtbot, open_editor):
    editor = open_editor([PIT, WALL])
    editor.operation_list.choose_row(0)
    qtbot.keyClick(editor.view, Qt.Key.Key_D, CONTROL)
    assert rows(editor) == [PIT, [5, 5, 2, 10, 9, 2, "Air"], WALL]
    assert editor.operation_list.chosen == 1
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    assert rows(editor) == [PIT, WALL]
    assert steps(editor) == 2


def test_the_list_shows_material_and_extent(open_editor):
    panel = open_editor([PIT, WALL]).operations
    assert [panel.list.item(i).text() for i in range(2)] == ["0   4–9, 4–8, 2", "1   2–12, 2–12, 3"]
    assert extent(FluidBox((1, 1, 1), (1, 1, 1), True)) == "1, 1, 1"


def test_an_empty_list_says_how_to_begin(editor):
    assert editor.operations.empty.isVisibleTo(editor.operations)
    assert not editor.operations.list.isVisibleTo(editor.operations)


def test_a_chosen_row_is_the_chosen_operation(qtbot, open_editor):
    editor = open_editor([PIT, WALL])
    editor.operations.list.setCurrentRow(1)
    assert editor.operation_list.chosen_box.rock
    assert [int(field.value()) for field in editor.panel.widgets["Extent"].fields] == [2, 12, 2, 12, 3, 3]


def test_rows_are_reordered_by_buttons_keys_and_dragging(qtbot, open_editor):
    editor = open_editor([PIT, WALL])
    editor.operation_list.choose_row(1)
    qtbot.keyClick(editor.view, Qt.Key.Key_Up, CONTROL)
    assert rows(editor) == [WALL, PIT]
    editor.operations.list.model().moveRow(QModelIndex(), 0, QModelIndex(), 2)
    qtbot.waitUntil(lambda: rows(editor) == [PIT, WALL])
    assert steps(editor) == 2


def test_a_switched_off_operation_leaves_the_answer_and_comes_back_to_its_place(qtbot, open_editor):
    editor = open_editor([PIT, WALL])
    editor.operations.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: rows(editor) == [WALL])
    assert editor.operations.list.item(0).text().startswith("–")
    assert steps(editor) == 1
    editor.operations.list.item(0).setCheckState(Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: rows(editor) == [PIT, WALL])


def test_undo_switches_on_again_without_a_second_copy(open_editor):
    editor = open_editor([PIT, WALL])
    editor.operation_list.switch(0, False)
    editor.document.undo_stack.undo()
    assert [row.is_on for row in editor.operation_list.rows] == [True, True]
    editor.document.undo_stack.redo()
    assert [row.is_on for row in editor.operation_list.rows] == [False, True]
    assert rows(editor) == [WALL]


def test_numbers_are_put_in_order_and_into_the_world(qtbot, open_editor):
    editor = open_editor([PIT])
    editor.operation_list.choose_row(0)
    field = editor.panel.widgets["Extent"].fields[0]
    assert field.maximum() == 15
    field.setValue(12)
    assert rows(editor) == [[9, 4, 2, 12, 8, 2, "Air"]]
    assert steps(editor) == 1


def test_the_material_can_be_changed(open_editor):
    editor = open_editor([PIT])
    editor.operation_list.choose_row(0)
    editor.panel.widgets["Material"].setCurrentIndex(1)
    assert rows(editor) == [[*PIT[:6], "Rock"]]


def test_a_skipped_operation_says_why(open_editor):
    editor = open_editor([PIT, [0, 0, 2, 99, 3, 2, "Air"]])
    assert editor.operation_list.faults == {1: "x runs from 0 to 99, outside 0..15"}
    assert "Skipped" in editor.operations.list.item(1).toolTip()


# Levels and looks ----------------------------------------------------------------------------------------------------


def test_page_keys_change_the_level_within_the_world(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_PageUp)
    assert (editor.site.level, editor.strip.slider.value()) == (3, 3)
    for _ in range(9):
        qtbot.keyClick(editor.view, Qt.Key.Key_PageDown)
    assert editor.site.level == 0


def test_the_slider_changes_the_level(editor):
    editor.strip.slider.setValue(6)
    assert editor.site.level == 6


def plan_scene(editor):
    editor.draw_later()
    return editor.plan.scene


def voxels(scene, name):
    matches = [item for item in scene.items if item.name == name]
    return len(matches[0].cells) if matches else 0


def test_the_cut_leaves_a_ghost_of_the_rock_above(qtbot, open_editor):
    editor = open_editor([WALL])
    assert voxels(editor.view.scene, "rock") == 16 * 16 * 3 + 121
    qtbot.keyClick(editor.view, Qt.Key.Key_C)
    assert voxels(editor.view.scene, "rock") == 16 * 16 * 3
    assert voxels(editor.view.scene, "rock above") == 121
    assert not editor.view.scene.item("rock above").pickable


def test_rock_of_glass_shows_the_water_below(qtbot, open_editor):
    editor = open_editor([PIT])
    qtbot.keyClick(editor.view, Qt.Key.Key_X)
    assert editor.view.scene.item("rock").opacity < 0.3
    qtbot.keyClick(editor.view, Qt.Key.Key_X)
    assert editor.view.scene.item("rock").opacity == 1


def test_water_stays_clear_behind_glass_and_below_a_cut(open_editor):
    editor = open_editor([PIT])
    clear = editor.view.scene.item("capacity").opacity
    editor.panel.actions["See-through rock"].trigger()
    assert editor.view.scene.item("capacity").opacity == clear < 1
    editor.panel.actions["See-through rock"].trigger()
    editor.panel.actions["Cut above the level"].trigger()
    assert editor.view.scene.item("capacity").opacity == clear


def test_parts_that_do_not_change_stay_the_same_objects(open_editor):
    editor = open_editor([PIT])
    editor.panel.actions["Cut above the level"].trigger()
    before = editor.view.scene.item("rock")
    editor.redraw()
    assert editor.view.scene.item("rock") is before


def test_the_plan_can_be_put_away(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_L)
    assert not editor.plan.isVisible()
    qtbot.keyClick(editor.view, Qt.Key.Key_L)
    assert editor.plan.isVisible()


def test_the_plan_shades_what_lies_deeper_and_what_is_covered(open_editor):
    editor = open_editor([PIT, WALL])
    editor.look.set_level(2)
    assert voxels(plan_scene(editor), "shade 1") == voxels(plan_scene(editor), "covered") == 30
    editor.look.set_level(3)
    assert voxels(plan_scene(editor), "rock") == 121


def test_the_plan_shows_the_water_of_its_level_and_less_of_deeper_water(open_editor):
    editor = open_editor([PIT])
    assert voxels(plan_scene(editor), "water") == 30
    editor.look.set_level(3)
    assert voxels(plan_scene(editor), "deep water") == 30


def test_what_stays_dry_is_hatched_on_the_plan():
    rock = np.zeros((8, 8, 8), bool)
    dry = rock.copy()
    dry[2:5, 3:6, 2] = True
    scene = draw_level(rock, rock, rock, dry, 2)
    assert scene.item("dry 0").pattern == "hatch"
    assert "dry 0" not in {item.name for item in draw_level(rock, rock, rock, dry, 3).items}


# Feedback ------------------------------------------------------------------------------------------------------------


def test_what_could_hold_water_is_known_at_once(qtbot, editor):
    drag_plan(qtbot, editor, (4.5, 4.5), (9.5, 8.5))
    assert voxels(editor.view.scene, "capacity") == 30
    assert editor.goals.meters[0].figure.text() == "30/36"
    assert editor.goals.meters[0].words.text() == "surface: 6 missing"
    assert editor.goals.moment.text() == "if all that can fills"
    assert editor.status() == "1 operation · level 2 · 30 voxels could hold water"


def test_the_verdict_brings_the_water_of_the_rain(open_editor):
    editor = open_editor([PIT])
    judge(editor)
    assert editor.goals.moment.text() == "after the rain"
    assert voxels(editor.view.scene, "water") == 30
    assert voxels(editor.view.scene, "capacity") == 0


def test_falling_rock_is_marked_with_its_distance(open_editor):
    editor = open_editor([[2, 2, 6, 4, 4, 6, "Rock"]])
    assert voxels(editor.view.scene, "fallen") == 9
    assert editor.view.scene.item("fall 0 distance").text == "falls 3"
    assert editor.status().endswith("1 falling")


def test_visible_water_beside_a_hidden_lake_is_marked(open_editor):
    editor = open_editor([PIT], HIDDEN)
    judge(editor)
    assert set(editor.view.scene.item("water").colors) == {"failed"}
    assert editor.goals.meters[0].words.text() == "visible: 30 too many"


def test_water_on_a_level_that_has_to_stay_dry_is_marked(open_editor):
    editor = open_editor([[20, 20, 3, 30, 30, 4, "Rock"], [21, 21, 4, 29, 29, 4, "Air"]], BANDS)
    judge(editor)
    assert set(editor.view.scene.item("water").colors) == {"failed"}
    assert {"forbidden level 4", "forbidden level 5"} <= {item.name for item in editor.view.scene.items}


def test_a_leak_shows_the_way_out_and_a_small_body_has_a_grey_label(open_editor):
    editor = open_editor([PIT])
    judge(editor)
    names = {item.name for item in editor.view.scene.items}
    assert "leak 0" in names
    assert editor.view.scene.item("body 0").color == "muted"


def test_a_clicked_check_shows_its_voxels_with_the_centre_of_the_rain(open_editor):
    editor = open_editor([PIT], HIDDEN)
    judge(editor)
    editor.show_elements(["water 4,4,2"])
    editor.view.flush()
    places = editor.view.project(np.array([(4.5, 4.5, 2.5), (21.0, 21.0, 8.0)]))
    assert (places >= 0).all()
    assert (places <= [editor.view.width(), editor.view.height()]).all()


def test_a_clicked_body_is_shown_as_a_whole(open_editor):
    editor = open_editor([[2, 2, 2, 36, 8, 2, "Air"]], HIDDEN)
    judge(editor)
    editor.show_elements(["body 0"])
    editor.view.flush()
    places = editor.view.project(np.array([(2.0, 2.0, 3.0), (37.0, 9.0, 3.0)]))
    assert (places >= 0).all()
    assert (places <= [editor.view.width(), editor.view.height()]).all()


def test_what_is_under_the_pointer_is_described(open_editor):
    editor = open_editor([[2, 2, 3, 4, 4, 3, "Rock"]])
    pick = editor.view.pick(at(editor.view, 3.5, 3.5, 4).toPointF())
    assert describe(editor.site, pick) == ("Rock", "(3, 3, 3) · operation 0")


# Rain ----------------------------------------------------------------------------------------------------------------


def test_the_rain_fills_the_pit_frame_by_frame(qtbot, open_editor):
    editor = open_editor([PIT])
    qtbot.keyClick(editor.view, Qt.Key.Key_G)
    assert editor.timeline.isVisible()
    editor.timeline.go_to(1)
    early = voxels(editor.view.scene, "water")
    editor.timeline.go_to(10_000)
    assert early < voxels(editor.view.scene, "water") == 30
    assert editor.goals.moment.text().startswith("after ")
    assert voxels(plan_scene(editor), "water") == 30


def test_while_it_rains_the_looks_still_hold(open_editor):
    editor = open_editor([PIT])
    editor.water.play()
    editor.timeline.go_to(5)
    editor.panel.actions["See-through rock"].trigger()
    assert editor.view.scene.item("rock").opacity < 0.3
    assert 0 < voxels(editor.view.scene, "water") < 30


def test_an_edit_ends_the_rain(qtbot, open_editor):
    editor = open_editor([PIT])
    editor.water.play()
    drag_plan(qtbot, editor, (12.5, 12.5), (13.5, 13.5))
    assert not editor.timeline.isVisible()
    assert voxels(editor.view.scene, "capacity") == 34


def test_closing_the_timeline_goes_back_to_the_answer(open_editor):
    editor = open_editor([PIT])
    editor.water.play()
    editor.timeline.closed.emit()
    assert voxels(editor.view.scene, "capacity") == 30


def test_rain_that_leaves_nothing_is_told(editor):
    messages = []
    editor.message.connect(messages.append)
    editor.water.play()
    assert messages == ["No water stays: every drop leaves the world."]
    assert not editor.timeline.isVisible()


def test_an_edit_cancels_rain_that_is_still_worked_out(qtbot, open_editor):
    runner = Never()
    editor = open_editor([PIT], runner=runner)
    editor.water.play()
    drag_plan(qtbot, editor, (12.5, 12.5), (13.5, 13.5))
    assert runner.cancelled


# Classes of aids -----------------------------------------------------------------------------------------------------


def test_for_hands_nothing_falls_and_nothing_holds_water(open_editor):
    editor = open_editor([PIT, [2, 2, 6, 4, 4, 6, "Rock"]], aids=HANDS)
    judge(editor)
    assert {"capacity", "water", "fallen", "dry"}.isdisjoint(item.name for item in editor.view.scene.items)
    assert voxels(editor.view.scene, "rock") == 16 * 16 * 3 - 30 + 9
    assert voxels(plan_scene(editor), "water") == 0
    assert editor.status() == ""


def test_hands_place_what_leaves_the_world(qtbot, open_editor):
    editor = open_editor(aids=HANDS)
    editor._use(PresetTool(editor.site, "roof on a pillar"))
    drag_plan(qtbot, editor, (0.5, 4.5), (6.5, 8.5))
    assert rows(editor)[0] == [-1, 3, 5, 7, 9, 5, "Rock"]
    assert not editor.operations.list.item(0).toolTip().count("Skipped")


# Tools ---------------------------------------------------------------------------------------------------------------


def test_tools_are_taken_by_key(qtbot, editor):
    kinds = []
    for key in (Qt.Key.Key_D, Qt.Key.Key_R, Qt.Key.Key_B, Qt.Key.Key_V):
        qtbot.keyClick(editor.view, key)
        kinds.append(type(editor.view.tool))
    assert kinds == [AreaTool, AreaTool, BrushTool, SelectTool]


@pytest.mark.slow
def test_the_window_s_process_never_loads_the_compiler():
    code = (
        "import sys;"
        "from spatial_workbench.engine.tasks.fluid_simulation import FluidSimulation as F, earthworks_of as e;"
        "import spatial_workbench.widgets.editors.fluid_simulation;"
        "from spatial_workbench.engine.tasks.fluid_simulation.editing import feedback;"
        "t = F(); i = t.instances()[0]; t.scene(i, t.solve(i));"
        "assert 'numba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
