"""The editor of terrain levelling, driven by mouse and keyboard; blasts are simulated for real."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.terrain_levelling import TerrainPlan
from spatial_workbench.engine.tasks.terrain_levelling.drawing import NEAR_COLOR, nearly_flat
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge
from spatial_workbench.widgets.editing.nudging import way_on_screen
from spatial_workbench.widgets.editors.terrain_levelling.plan_table import runs_of
from tests.editors.driving import steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

TASK = task_of("terrain_levelling")
INSTANCE = TASK.instances()[0]
HIGHEST = (12, 12)


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, INSTANCE, size=(1100, 760))


@pytest.fixture
def planned(show_editor):
    plan = TerrainPlan.of([Charge(3, 4, 2.0), Charge(8, 8, 1.0), Charge(12, 12, 0.5)])
    return show_editor(TASK, INSTANCE, plan, size=(1100, 760))


def top_of(editor, cell):
    x, y = cell
    place = editor.view.project(np.array([[x + 0.5, y + 0.5, editor.plan.height_at(cell)]]))[0]
    return QPoint(round(place[0]), round(place[1]))


def test_a_click_adds_a_blast_of_the_panels_depth_in_one_step(editor, qtbot):
    qtbot.mouseClick(editor.view, LEFT, pos=top_of(editor, HIGHEST))
    assert editor.plan.charges == (Charge(12, 12, 1.0),)
    assert steps(editor) == 1


def test_a_drag_down_sets_the_depth_in_steps_of_5_cm(editor, qtbot):
    start = top_of(editor, HIGHEST)
    drag(qtbot, editor.view, LEFT, start, start + QPoint(0, 60))
    depth = editor.plan.charges[0].z
    assert depth != 1.0
    assert round(depth / 0.05) * 0.05 == pytest.approx(depth)


def test_a_hole_is_never_deeper_than_the_cell_is_high(editor, qtbot):
    start = top_of(editor, HIGHEST)
    drag(qtbot, editor.view, LEFT, start, start + QPoint(0, 5000))
    assert editor.plan.charges[0].z == pytest.approx(editor.plan.start[12, 12])


def test_the_map_is_simulated_after_each_blast(planned):
    assert len(planned.plan.simulated.run.blasts) == 3
    assert not np.array_equal(planned.map.shown, planned.plan.start)


def test_shaving_selected_cells_makes_one_blast_for_each(editor, qtbot):
    editor.view.set_selection(["cell 12,12", "cell 11,12"])
    editor.target.put(7.0)
    qtbot.keyClick(editor.view, Qt.Key.Key_S)
    assert [charge[:2] for charge in editor.plan.charges] == [
        (x, 12) for x in (12, 11) if editor.plan.start[12, x] > 7.05
    ]


def test_shaving_at_a_height_above_all_says_so(editor, qtbot):
    editor.target.put(20.0)
    with qtbot.waitSignal(editor.message) as blocker:
        editor.commands.shave()
    assert "No cell is higher than 20.00 m" in blocker.args[0]


def test_a_plan_without_a_blast_keeps_the_others_as_they_are():
    plan = TerrainPlan.of([Charge(x, 4, 1.0) for x in range(5)])
    shorter = plan.with_charges(plan.charges[:2] + plan.charges[3:])
    assert [any(other is blast for other in shorter.blasts) for blast in plan.blasts] == [True, True, False, True, True]


def test_results_that_arrive_leave_the_rows_of_the_table_alone(planned, qtbot):
    resets = []
    planned.table.plan.modelReset.connect(lambda: resets.append(True))
    planned._show_plan()
    assert not resets


def test_rows_are_selected_by_stretches(planned):
    planned.table.select_rows([2, 0, 1])
    assert planned.table.rows == [0, 1, 2]
    assert list(runs_of([7, 1, 2, 3, 9, 8])) == [(1, 3), (7, 9)]
    assert list(runs_of([])) == []


def test_a_blast_is_moved_in_the_order_and_taken_out(planned, qtbot):
    planned.table.select_rows([2])
    qtbot.keyClick(planned.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert [charge.x for charge in planned.plan.charges] == [3, 12, 8]
    qtbot.keyClick(planned.view, Qt.Key.Key_Delete)
    assert [charge.x for charge in planned.plan.charges] == [3, 8]


def test_a_depth_is_typed_into_the_table(planned):
    model = planned.table.plan
    assert model.setData(model.index(0, 2), "0.75")
    assert planned.plan.charges[0].z == 0.75
    assert not model.setData(model.index(0, 2), "deep")


def test_a_depth_that_is_too_deep_is_marked_in_the_table(planned):
    planned.commands.set_depth_of(1, 29.0)
    model = planned.table.plan
    assert model.data(model.index(1, 3)) == "not possible"
    assert "more than the height there" in planned.status()


def test_the_table_tells_what_became_of_the_rock(planned):
    model = planned.table.plan
    assert {model.data(model.index(row, 3)) for row in range(3)} <= {"rolled", "fell back"} | {
        f"{blast.lost:.2f} lost" for blast in planned.plan.simulated.run.blasts
    }


def test_the_map_can_be_looked_at_after_any_blast(planned):
    planned.panel.widgets["Blasts shown"].setValue(0)
    assert np.array_equal(planned.map.shown, planned.plan.start)
    planned.panel.widgets["Blasts shown"].setValue(3)
    assert np.array_equal(planned.map.shown, planned.plan.simulated.run.heights)


def test_the_map_before_the_blasts_and_the_change_are_shown(planned):
    planned.panel.widgets["Before the blasts"].setChecked(True)
    assert np.array_equal(planned.map.shown, planned.plan.start)
    planned.panel.widgets["Before the blasts"].setChecked(False)
    planned.panel.widgets["Colour"].setCurrentIndex(1)
    assert "series 5" in planned.view.scene.item("terrain").colors


def test_the_rolling_rock_of_a_blast_is_played(planned, qtbot):
    planned.table.select_rows([0])
    qtbot.keyClick(planned.view, Qt.Key.Key_P)
    assert planned.timeline.isVisible()
    assert "spheres" in [item.name for item in planned.view.scene.items]
    planned.animation.stop()
    assert "spheres" not in [item.name for item in planned.view.scene.items]


def test_the_brush_adds_many_blasts_as_one_step(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_B)
    drag(qtbot, editor.view, LEFT, top_of(editor, (12, 12)), top_of(editor, (13, 12)))
    assert len(editor.plan.charges) >= 1
    assert steps(editor) == 1


def test_the_largest_flat_region_is_outlined(editor):
    assert "largest flat region" in [item.name for item in editor.view.scene.items]


def test_the_depth_is_said_at_the_pointer_while_drilling(editor, qtbot):
    start = top_of(editor, HIGHEST)
    qtbot.mousePress(editor.view, LEFT, pos=start)
    assert editor.ghost.note == ("1.00 m deep", f"(12, 12), {editor.plan.start[12, 12]:.2f} m high")
    QApplication.sendEvent(editor.view, _move(editor.view, start + QPoint(0, 60), LEFT, Qt.KeyboardModifier.NoModifier))
    assert editor.ghost.note[0] != "1.00 m deep"
    qtbot.mouseRelease(editor.view, LEFT, pos=start + QPoint(0, 60))
    assert editor.ghost.note[0].startswith(f"{editor.plan.charges[0].z:.2f}") or editor.ghost.note == ("", "")


def test_the_largest_flat_region_is_filled_and_its_low_steps_are_yellow(editor):
    items = {item.name: item for item in editor.view.scene.items}
    assert items["inside of the largest flat region"].opacity < 1
    assert items["steps just too high"].color == NEAR_COLOR


def test_only_steps_of_up_to_40_cm_are_marked_at_the_rim():
    heights = np.array([[0.0, 0.0, 0.3, 0.0], [0.0, 0.0, 0.9, 0.0]])
    region = np.array([[True, True, False, False]] * 2)
    strips = nearly_flat(heights, region)
    assert len(strips) == 1
    assert np.array(strips)[..., 0].max() == 2


def test_the_legend_tells_what_the_colours_mean(editor):
    assert editor.map.legend()[0].text.startswith("0 to 10 m, bands")
    editor.panel.widgets["Colour"].setCurrentIndex(1)
    assert [entry.text for entry in editor.map.legend()][:2] == ["raised", "lowered"]


def test_the_map_follows_while_a_long_plan_is_simulated(editor):
    jobs = []
    editor.runner.run = lambda label, function, *arguments, done, **rest: jobs.append((function, arguments, done))
    charges = [Charge(x, 12, 0.3) for x in range(2, 16)]
    editor.edit("Plan", TerrainPlan.of(charges))
    maps = []
    while jobs:
        function, arguments, done = jobs.pop()
        done(function(*arguments))
        maps.append((editor.plan.simulated.done_count, editor.map.shown.copy()))
    counts = [count for count, _ in maps]
    assert counts == [6, 12, 14]
    assert not np.array_equal(maps[0][1], maps[1][1])
    assert "simulating" not in editor.status()


def test_a_plan_that_is_known_already_is_shown_at_once(planned):
    asked = []
    run = planned.runner.run
    planned.runner.run = lambda *given, **rest: (asked.append(given[3:]), run(*given, **rest))
    plan = planned.document.answer
    planned.edit("Clear", TerrainPlan.of([]))
    planned.edit("Plan", plan)
    assert asked == [(plan.charges, 3)]
    assert planned.plan.simulated.done_count == 3


def test_an_edit_in_the_middle_simulates_from_there_on(planned):
    asked = []
    run = planned.runner.run
    planned.runner.run = lambda *given, **rest: (asked.append(given[3]), run(*given, **rest))
    planned.commands.set_depth_of(2, 0.4)
    assert asked == [planned.plan.charges]
    assert planned.plan.simulated.is_current


def test_a_blast_that_is_pointed_out_is_framed_with_the_columns_around_it(show_editor):
    answer = TASK.parse({"blasts": [{"x": 3, "y": 3, "z": 1}]})
    editor = show_editor(TASK, TASK.instances()[0], answer)
    assert {"cell 1,1", "cell 5,5"} <= set(editor.context_of(["blast 0"]))


def test_rows_do_not_stay_selected_when_another_plan_takes_their_place(planned):
    planned.table.select_rows([1])
    planned.document.edit("Load reference solution", TerrainPlan.of([Charge(0, 0, 1.0), Charge(1, 0, 1.0)]))
    assert planned.table.rows == []


HANDS = frozenset({Aid.VIEWING, Aid.EDITING})


@pytest.fixture
def by_hand(show_editor):
    return show_editor(TASK, INSTANCE, TerrainPlan.of([Charge(3, 4, 2.0)]), size=(1100, 760), aids=HANDS)


def test_nothing_is_simulated_for_a_person_who_is_not_to_be_judged(by_hand):
    assert by_hand.runner.labels == []
    assert np.array_equal(by_hand.map.shown, by_hand.plan.start)
    assert by_hand.table.plan.columnCount() == 3


def test_flat_regions_and_heights_are_drawn_only_where_their_class_is_allowed(by_hand):
    assert [item.name for item in by_hand.view.scene.items] == ["terrain", "blasts"]
    assert set(by_hand.view.scene.item("terrain").colors) == {"neutral"}
    assert by_hand.map.legend() == ()
    assert by_hand.status() == ""


def test_a_blast_that_a_rule_forbids_is_set_where_nothing_is_judged(by_hand):
    by_hand.commands.add_blasts([((3, 4), 29.0)], "Add blast")
    assert by_hand.plan.charges[-1] == Charge(3, 4, 29.0)
    by_hand.ghost.show_hole((3, 4), 29.0)
    assert by_hand.view.ghost_reason == ""
    assert by_hand.ghost.note == ("", "")


def test_without_a_selection_nothing_is_shaved_for_a_person_who_solves_alone(by_hand, qtbot):
    with qtbot.waitSignal(by_hand.message):
        by_hand.commands.shave()
    assert len(by_hand.plan.charges) == 1


def test_a_depth_that_is_no_number_is_refused_whoever_types_it(by_hand, qtbot):
    with qtbot.waitSignal(by_hand.message):
        by_hand.commands.set_depth_of(0, float("inf"))
    assert by_hand.plan.charges[0].z == 2.0


def test_the_bar_shows_that_blasts_are_simulated(editor):
    editor.runner.run = lambda *given, **rest: None
    editor.commands.add_blasts([(HIGHEST, 1.0)], "Add blast")
    assert not editor._busy.isHidden()
    assert "simulating" in editor.status()


def test_no_stroke_makes_a_plan_longer_than_is_evaluated(editor, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.widgets.editors.terrain_levelling.commands.MAX_BLASTS", 1)
    with qtbot.waitSignal(editor.message):
        editor.commands.add_blasts([(HIGHEST, 1.0), ((11, 12), 1.0)], "Add 2 blasts")
    assert editor.plan.charges == ()


# The cursor ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def at_3_4(by_hand):
    by_hand.terrain_cursor.type_coordinate(0, 3)
    by_hand.terrain_cursor.type_coordinate(1, 4)
    return by_hand


def cell_beside(editor, way):
    x, y = editor.terrain_cursor.cell
    dx, dy, _ = way_on_screen(editor.view, (*way, 0))
    return x + dx, y + dy


def test_arrows_move_the_cursor_as_seen_in_the_view(at_3_4, qtbot):
    for key, way in ((Qt.Key.Key_Right, (1, 0)), (Qt.Key.Key_Up, (0, 1)), (Qt.Key.Key_Left, (-1, 0))):
        beside = cell_beside(at_3_4, way)
        qtbot.keyClick(at_3_4.view, key)
        assert at_3_4.terrain_cursor.cell == beside


def test_the_cursor_stays_on_the_map(by_hand):
    by_hand.terrain_cursor.type_coordinate(0, 99)
    by_hand.terrain_cursor.type_coordinate(1, -3)
    assert by_hand.terrain_cursor.cell == (15, 0)


def test_return_blasts_the_cell_by_exactly_the_depth_in_the_panel(at_3_4, qtbot):
    at_3_4.panel.widgets["Depth"].setValue(1.23)
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Return)
    assert at_3_4.plan.charges[-1] == Charge(3, 4, 1.23)
    assert steps(at_3_4) == 1


def test_a_key_blasts_no_deeper_than_the_cell_is_high_where_that_is_judged(editor, qtbot):
    editor.panel.widgets["Depth"].setValue(29)
    qtbot.keyClick(editor.view, Qt.Key.Key_Return)
    assert editor.plan.charges == (Charge(0, 0, pytest.approx(editor.plan.start[0, 0])),)


def test_arrows_with_shift_blast_cells_in_one_step(at_3_4, qtbot):
    first = cell_beside(at_3_4, (1, 0))
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    second = cell_beside(at_3_4, (1, 0))
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert [charge[:2] for charge in at_3_4.plan.charges[1:]] == [first, second]
    assert steps(at_3_4) == 1


def test_cells_are_selected_and_shaved_by_keys(at_3_4, qtbot):
    beside = cell_beside(at_3_4, (0, 1))
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Space)
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert at_3_4.view.selection == ("cell 3,4", "cell {},{}".format(*beside))
    at_3_4.target.put(0.5)
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_S)
    assert [charge[:2] for charge in at_3_4.plan.charges[1:]] == [(3, 4), beside]


def test_space_selects_the_cell_and_then_no_longer(at_3_4, qtbot):
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Space)
    qtbot.keyClick(at_3_4.view, Qt.Key.Key_Space)
    assert at_3_4.view.selection == ()


def test_keys_change_the_depth(by_hand, qtbot):
    qtbot.keyClick(by_hand.view, Qt.Key.Key_PageDown)
    qtbot.keyClick(by_hand.view, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ShiftModifier)
    assert by_hand.commands.depth_m == pytest.approx(1.09)
