"""The editor of lego_hemisphere, driven by mouse and keyboard in both of its views."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.tasks.lego_hemisphere import Brick
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import BrickAssembly
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.lego_hemisphere import LegoEditor
from tests.editors.driving import HANDS
from tests.editors.lego_hemisphere.conftest import (
    ALT,
    BACK,
    CONTROL,
    FRONT,
    INSTANCE,
    NONE,
    ON_FRONT,
    RIGHT,
    SHIFT,
    TASK,
    at,
    click,
    hover,
    key,
    poses,
    steps,
    undo,
)
from tests.widgets.test_viewport3d import LEFT, _move, drag

# Placing by mouse ----------------------------------------------------------------------------------------------------


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is LegoEditor


def test_a_click_on_the_ground_places_a_brick_on_the_8_mm_lattice(qtbot, open_editor):
    editor = open_editor()
    click(qtbot, editor.view, (1.5, -54.2, 0))
    assert poses(editor) == [(0, -56, 4.8, 0)]
    undo(editor)
    assert poses(editor) == []


def test_a_click_in_the_plan_places_a_brick_on_the_active_layer(qtbot, open_editor):
    editor = open_editor(FRONT)
    key(qtbot, editor, Qt.Key.Key_PageUp)
    editor.draw_later()
    click(qtbot, editor.canvas, (9, -55))
    assert poses(editor)[1] == (8, -56, 14.4, 0)


def test_with_alt_a_brick_is_placed_where_the_pointer_is(qtbot, open_editor):
    editor = open_editor()
    click(qtbot, editor.canvas, (3, -53), ALT)
    x, y, z, _ = poses(editor)[0]
    assert (x, y) == pytest.approx((3, -53), abs=0.5)
    assert (x, y) != (0, -56)
    assert z == 4.8


def test_pointing_at_the_top_of_a_brick_puts_the_ghost_on_it(editor):
    hover(editor.view, (7, -55, 9.6))
    assert editor.ghost.poses.tolist() == [[8, -56, 14.4, 0]]
    assert "snapped to brick 0" in editor.status()


def test_pointing_at_the_side_of_a_brick_puts_the_ghost_beside_it(editor):
    hover(editor.view, (0, -64, 5))
    assert editor.ghost.poses.tolist() == [[0, -72, 4.8, 0]]


def test_placing_on_a_brick_makes_its_layer_the_active_one_and_the_ground_stays_the_ground(qtbot, editor):
    click(qtbot, editor.view, (7, -55, 9.6))
    assert (poses(editor)[2], editor.piece.layer) == ((8, -56, 14.4, 0), 1)
    hover(editor.view, (-48, -24, 0))
    assert editor.ghost.poses[0, 2] == 4.8


def test_without_stacking_the_ghost_stays_on_the_active_layer(editor):
    editor.place_tool.stacks = False
    hover(editor.view, (7, -55, 9.6))
    assert editor.ghost.poses[0, 2] == 4.8


def test_a_brick_takes_the_lattice_of_the_turned_brick_below_it(qtbot, open_editor):
    editor = open_editor(Brick.at(0, -56, 4.8, 15))
    hover(editor.view, (1, -55, 9.6))
    assert editor.ghost.poses[0, 3] == 15
    assert editor.ghost.problem == ""


def test_an_illegal_place_is_refused_with_the_reason(qtbot, editor):
    editor.place_tool.stacks = False
    hover(editor.view, (8, -60, 0))
    assert editor.view.ghost_reason == "Overlaps brick 0"
    click(qtbot, editor.view, (8, -60, 0))
    assert steps(editor) == 0
    assert "Not placed: Overlaps brick 0" in editor.status()


def test_an_illegal_place_is_taken_if_that_is_allowed(qtbot, editor):
    editor.piece.allows_illegal = True
    editor.place_tool.stacks = False
    click(qtbot, editor.view, (8, -60, 0))
    assert len(poses(editor)) == 3


def test_a_brick_in_the_air_is_said_to_float(qtbot, editor):
    editor.layers.go_to(4)
    hover(editor.canvas, (-48, 0))
    assert editor.ghost.problem == "Floats on layer 4: there is no brick to click with"


def test_a_brick_wholly_in_the_hollow_is_refused(editor):
    hover(editor.canvas, (0, 0))
    assert editor.ghost.problem == "Is wholly in the hollow"


def test_a_double_click_places_one_brick(qtbot, open_editor):
    editor = open_editor()
    click(qtbot, editor.view, (0, -56, 0))
    qtbot.mouseDClick(editor.view, LEFT, pos=at(editor.view, (0, -56, 0)))
    assert len(poses(editor)) == 1


def test_the_ghost_goes_when_the_pointer_leaves(editor):
    hover(editor.view, (-48, -24, 0))
    assert editor.view.ghost
    editor.place_tool.leave()
    assert not editor.view.ghost
    assert not editor.canvas.ghost


def test_the_ghost_tells_its_share_in_the_shell(editor):
    hover(editor.view, (0, 56, 0))
    assert editor.place_tool.share == pytest.approx(TASK.verify(INSTANCE, [BACK.model_dump()]).details["shares"][0])


def test_while_mirroring_four_bricks_are_placed_in_one_step(qtbot, open_editor):
    editor = open_editor()
    editor.panel.widgets["at x = 0"].setChecked(True)
    editor.panel.widgets["at y = 0"].setChecked(True)
    click(qtbot, editor.canvas, (40, 32))
    assert {(x, y) for x, y, *_ in poses(editor)} == {(40, 32), (-40, 32), (40, -32), (-40, -32)}
    assert (steps(editor), editor.document.undo_stack.undoText()) == (1, "Place 4 bricks")


def test_a_brick_on_the_mirror_is_placed_once(qtbot, open_editor):
    editor = open_editor()
    editor.panel.widgets["at x = 0"].setChecked(True)
    click(qtbot, editor.canvas, (0, -56))
    assert len(poses(editor)) == 1


def test_mirror_images_that_overlap_are_refused(open_editor):
    editor = open_editor()
    editor.panel.widgets["at x = 0"].setChecked(True)
    hover(editor.canvas, (8, -56))
    assert editor.ghost.problem == "The new bricks overlap each other"


# By keyboard ---------------------------------------------------------------------------------------------------------


def test_a_brick_is_placed_by_keys_alone(qtbot, open_editor):
    editor = open_editor()
    key(qtbot, editor, Qt.Key.Key_Right)
    start = editor.ghost.poses[0].copy()
    key(qtbot, editor, Qt.Key.Key_Right)
    assert abs(editor.ghost.poses[0] - start).sum() == 8
    key(qtbot, editor, Qt.Key.Key_Return)
    assert poses(editor) == [tuple(editor.place_tool.pose)]


def test_with_shift_an_arrow_key_moves_the_ghost_by_1_mm(qtbot, open_editor):
    editor = open_editor()
    key(qtbot, editor, Qt.Key.Key_Right)
    start = editor.ghost.poses[0].copy()
    key(qtbot, editor, Qt.Key.Key_Up, SHIFT)
    assert abs(editor.ghost.poses[0] - start).sum() == pytest.approx(1)


def test_arrow_keys_follow_the_picture(open_editor):
    editor = open_editor()
    editor.view.standard_view("front")
    assert editor.hand.way_on_screen((1, 0, 0)) == (1, 0, 0)
    editor.view.standard_view("right")
    assert editor.hand.way_on_screen((1, 0, 0)) == (0, 1, 0)


def test_r_turns_the_ghost_and_with_shift_by_15_degrees(qtbot, open_editor):
    editor = open_editor()
    hover(editor.view, (0, -56, 0))
    key(qtbot, editor, Qt.Key.Key_R)
    assert editor.ghost.poses[0, 3] == 90
    key(qtbot, editor, Qt.Key.Key_R, SHIFT)
    assert editor.ghost.poses[0, 3] == 105


def test_page_keys_change_the_layer_within_bounds(qtbot, editor):
    key(qtbot, editor, Qt.Key.Key_PageUp)
    assert (editor.piece.layer, editor.panel.widgets["Active"].value()) == (1, 1)
    for _ in range(3):
        key(qtbot, editor, Qt.Key.Key_PageDown)
    assert editor.piece.layer == 0


def test_escape_leaves_the_place_tool_and_then_the_selection(qtbot, editor):
    editor.piece.select([0])
    key(qtbot, editor, Qt.Key.Key_Escape)
    assert not editor.placing.is_placing
    assert editor.piece.selected == [0]
    key(qtbot, editor, Qt.Key.Key_Escape)
    assert editor.piece.selected == []


# Selecting and moving ------------------------------------------------------------------------------------------------


def test_a_click_selects_and_control_adds(qtbot, selecting):
    click(qtbot, selecting.view, (0, -56, 9.6))
    assert selecting.piece.selected == [0]
    click(qtbot, selecting.view, (56, 0, 9.6), CONTROL)
    assert selecting.piece.selected == [0, 1]


def test_what_is_selected_in_the_plan_is_selected_in_space(qtbot, selecting):
    click(qtbot, selecting.canvas, (56, 0))
    assert selecting.view.selection == ("brick 1",)


def test_a_drag_from_an_empty_place_selects_in_a_box(qtbot, selecting):
    view = selecting.view
    drag(qtbot, view, LEFT, QPoint(3, 3), QPoint(view.width() - 3, view.height() - 3))
    assert selecting.piece.selected == [0, 1]


def test_a_drag_moves_the_brick_on_the_lattice_in_one_step(qtbot, selecting):
    drag(qtbot, selecting.canvas, LEFT, at(selecting.canvas, (0, -56)), at(selecting.canvas, (-17, -49)))
    assert poses(selecting)[0] == (-16, -48, 4.8, 0)
    assert steps(selecting) == 1
    undo(selecting)
    assert poses(selecting)[0] == (0, -56, 4.8, 0)


def test_a_drag_in_space_moves_along_the_layer(qtbot, selecting):
    drag(qtbot, selecting.view, LEFT, at(selecting.view, (0, -56, 9.6)), at(selecting.view, (-16, -48, 9.6)))
    assert poses(selecting)[0] == (-16, -48, 4.8, 0)


def test_while_a_brick_is_dragged_it_is_a_ghost_and_the_history_waits(qtbot, selecting):
    canvas = selecting.canvas
    qtbot.mousePress(canvas, LEFT, pos=at(canvas, (0, -56)))
    QApplication.sendEvent(canvas, _move(canvas, at(canvas, (-16, -48)), LEFT, NONE))
    assert selecting.view.style_.hidden == {"brick 0"}
    assert selecting.ghost.poses.tolist() == [[-16, -48, 4.8, 0]]
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, LEFT, pos=at(canvas, (-16, -48)))
    assert (steps(selecting), selecting.view.style_.hidden, selecting.piece.selected) == (0, frozenset(), [0])


def test_a_page_key_lifts_what_is_dragged(qtbot, open_editor):
    editor = open_editor(FRONT, Brick.at(40, -32, 4.8))
    editor.placing.use(editor.select_tool)
    canvas = editor.canvas
    qtbot.mousePress(canvas, LEFT, pos=at(canvas, (40, -32)))
    QApplication.sendEvent(canvas, _move(canvas, at(canvas, (16, -48)), LEFT, NONE))
    key(qtbot, editor, Qt.Key.Key_PageUp)
    qtbot.mouseRelease(canvas, LEFT, pos=at(canvas, (16, -48)))
    assert poses(editor)[1] == (16, -48, 14.4, 0)


def test_a_brick_is_not_dropped_into_another(qtbot, selecting):
    drag(qtbot, selecting.canvas, LEFT, at(selecting.canvas, (0, -56)), at(selecting.canvas, (54, 2)))
    assert steps(selecting) == 0
    assert "Not moved: Overlaps brick 1" in selecting.status()


def test_a_shift_drag_copies(qtbot, selecting):
    drag(qtbot, selecting.canvas, LEFT, at(selecting.canvas, (0, -56)), at(selecting.canvas, (0, 56)), SHIFT)
    assert poses(selecting) == [(0, -56, 4.8, 0), (56, 0, 4.8, 90), (0, 56, 4.8, 0)]
    assert selecting.piece.selected == [2]


def test_several_bricks_are_dragged_together(qtbot, open_editor):
    editor = open_editor(FRONT, ON_FRONT, RIGHT)
    editor.placing.use(editor.select_tool)
    editor.piece.select([0, 1])
    drag(qtbot, editor.canvas, LEFT, at(editor.canvas, (0, -56)), at(editor.canvas, (-8, -48)))
    assert poses(editor)[:2] == [(-8, -48, 4.8, 0), (0, -48, 14.4, 0)]
    assert (steps(editor), editor.piece.selected) == (1, [0, 1])


def test_arrow_keys_nudge_the_selection_and_make_one_step(qtbot, selecting):
    selecting.piece.select([0])
    selecting.canvas.setFocus()
    for _ in range(3):
        key(qtbot, selecting, Qt.Key.Key_Left)
    assert poses(selecting)[0] == (-24, -56, 4.8, 0)
    assert steps(selecting) == 1


def test_a_nudge_goes_past_what_is_in_the_way(qtbot, open_editor):
    editor = open_editor(FRONT, Brick.at(32, -56, 4.8))
    editor.placing.use(editor.select_tool)
    editor.piece.select([1])
    editor.canvas.setFocus()
    key(qtbot, editor, Qt.Key.Key_Left)
    assert poses(editor)[1] == (-32, -56, 4.8, 0)


def test_a_selection_is_lifted_onto_a_brick(qtbot, open_editor):
    editor = open_editor(FRONT, Brick.at(8, -40, 4.8))
    editor.placing.use(editor.select_tool)
    editor.piece.select([1])
    editor.commands.lift(1)
    assert "Not moved: Floats" in editor.status()
    editor.commands.move_by(0, -16, 1)
    assert poses(editor)[1] == (8, -56, 14.4, 0)


# Commands ------------------------------------------------------------------------------------------------------------


def test_delete_takes_the_selected_bricks_away_in_one_step(qtbot, editor):
    editor.piece.selection.select_all()
    key(qtbot, editor, Qt.Key.Key_Delete)
    assert (poses(editor), editor.piece.selected) == ([], [])
    undo(editor)
    assert len(poses(editor)) == 2


def test_r_turns_the_selected_bricks_together(qtbot, open_editor):
    editor = open_editor(FRONT, ON_FRONT)
    editor.placing.use(editor.select_tool)
    editor.piece.select([0, 1])
    key(qtbot, editor, Qt.Key.Key_R)
    assert [pose[3] for pose in poses(editor)] == [90, 90]
    assert BrickAssembly(editor.piece.poses).misfits == []
    undo(editor)
    assert poses(editor) == [(0, -56, 4.8, 0), (8, -56, 14.4, 0)]


def test_copies_stand_beside_and_are_selected(qtbot, editor):
    editor.piece.select([0])
    key(qtbot, editor, Qt.Key.Key_D, CONTROL)
    assert poses(editor)[2] == (32, -56, 4.8, 0)
    assert editor.piece.selected == [2]


def test_mirroring_adds_the_images_of_the_selected_bricks(editor):
    editor.piece.select([1])
    editor.commands.mirror("x")
    assert poses(editor)[2] == (-56, 0, 4.8, 270)
    assert (steps(editor), editor.document.undo_stack.undoText()) == (1, "Mirror x")


@pytest.mark.parametrize("command", ["four_fold", "copy"])
def test_copies_are_worked_out_in_the_background_and_dropped_if_the_bricks_change_meanwhile(editor, command):
    waiting = []
    editor.runner.run = lambda _, function, *data, done: waiting.append(lambda: done(function(*data)))
    editor.piece.selection.select_all()
    getattr(editor.commands, command)()
    editor.commands.delete()
    waiting[0]()
    assert editor.piece.bricks == ()
    assert "changed in the meantime" in editor.status()


def test_what_is_symmetric_already_is_not_mirrored_again(editor):
    editor.commands.mirror("y")
    editor.commands.mirror("y")
    assert len(poses(editor)) == 3
    assert "There is nothing new to mirror." in editor.status()


def test_without_a_selection_everything_is_mirrored_and_images_without_room_are_left_out(open_editor):
    editor = open_editor(FRONT, Brick.at(44, 0, 4.8), Brick.at(-48, 4, 4.8))
    editor.commands.mirror("x")
    assert {(x, y) for x, y, *_ in poses(editor)} == {(0, -56), (44, 0), (-48, 4)}
    assert "2 left out" in editor.status()


@pytest.mark.slow
def test_four_fold_repeats_the_selected_brick_by_quarter_turns_in_one_step(open_editor):
    editor = open_editor(FRONT)
    editor.piece.select([0])
    editor.panel.actions["Four-fold"].trigger()
    assert poses(editor)[1:] == [(56, 0, 4.8, 90), (0, 56, 4.8, 180), (-56, 0, 4.8, 270)]
    assert (steps(editor), editor.document.undo_stack.undoText()) == (1, "Four-fold")


def test_arrow_keys_move_bricks_that_a_check_selected_while_the_place_tool_is_in_hand(qtbot, open_editor):
    editor = open_editor(FRONT)
    assert editor.placing.is_placing
    editor.show_elements(["brick 0"])
    key(qtbot, editor, Qt.Key.Key_Left)
    assert poses(editor) == [(-8, -56, 4.8, 0)]


@pytest.mark.slow
def test_an_array_is_previewed_and_applied_in_one_step(editor):
    editor.piece.select([0])
    editor.panel.actions["Array…"].trigger()
    editor.panel.widgets["Copies"].fields[2].setValue(2)
    assert len(editor.view.ghost[0].ids) == 3
    editor.panel.actions["Apply"].trigger()
    assert poses(editor)[2:] == [(0, -56, 14.4, 0), (32, -56, 4.8, 0), (32, -56, 14.4, 0)]
    assert (steps(editor), editor.view.ghost) == (1, ())


def test_an_array_leaves_out_what_has_no_room(editor):
    editor.piece.select([1])
    editor.panel.actions["Array…"].trigger()
    editor.panel.widgets["Copies"].fields[0].setValue(4)
    assert editor.panel.widgets["How many have room"].text() == "1 of 3 have room"


def test_an_array_begins_with_bricks_that_touch_and_follows_the_selection(editor):
    editor.piece.select([0])
    editor.panel.actions["Array…"].trigger()
    assert [editor.panel.widgets[f"Pitch {axis}"].value() for axis in "xyz"] == [32, 16, 9.6]
    editor.piece.select([0, 1])
    assert editor.panel.widgets["How many have room"].text() == "1 of 2 have room"
    assert len(editor.view.ghost[0].ids) == 1


def test_escape_closes_the_array(qtbot, editor):
    editor.piece.select([0])
    editor.panel.actions["Array…"].trigger()
    editor.view.setFocus()
    key(qtbot, editor, Qt.Key.Key_Escape)
    assert not editor.array.is_open
    assert editor.piece.selected == [0]


def test_the_bricks_of_the_active_layer_are_selected(qtbot, open_editor):
    editor = open_editor(FRONT, ON_FRONT, RIGHT)
    key(qtbot, editor, Qt.Key.Key_L)
    assert editor.piece.selected == [0, 2]


def test_the_solver_fills_the_active_layer(editor):
    editor.commands.fill_layer()
    assert editor.runner.labels == ["Filling layer 0"]
    assert len(poses(editor)) > 10
    assert steps(editor) == 1
    assert BrickAssembly(editor.piece.poses).overlaps == []
    editor.commands.fill_layer()
    assert "Nothing more fits into layer 0." in editor.status()


def test_what_was_placed_while_the_solver_worked_keeps_its_place(editor):
    callbacks = []
    editor.runner.run = lambda *_, done: callbacks.append(done)
    editor.commands.fill_layer()
    editor.piece.add_bricks("Place brick", (BACK,), select=False)
    callbacks[0]((BACK, Brick.at(-48, 0, 4.8)))
    assert poses(editor)[2:] == [(0, 56, 4.8, 0), (-48, 0, 4.8, 0)]


def test_bricks_that_cost_points_are_removed(open_editor):
    editor = open_editor(FRONT, Brick.at(84, 0, 4.8))
    editor.commands.keep_worthy()
    assert poses(editor) == [(0, -56, 4.8, 0)]
    editor.commands.keep_worthy()
    assert "Every brick is more than 25% inside" in editor.status()


# Numbers -------------------------------------------------------------------------------------------------------------


def test_the_fields_show_and_set_the_one_selected_brick(selecting):
    selecting.piece.select([1])
    fields = [selecting.panel.widgets[text] for text in ("x", "y", "Layer", "Angle")]
    assert [field.value() for field in fields] == [56, 0, 0, 90]
    fields[1].setValue(16)
    fields[3].setValue(0)
    assert poses(selecting)[1] == (56, 16, 4.8, 0)
    assert steps(selecting) == 2


def test_a_typed_place_is_taken_and_its_problem_told(selecting):
    selecting.piece.select([1])
    selecting.commands.set_value(0, 0.0)
    selecting.commands.set_value(1, -56.0)
    assert poses(selecting)[1][:2] == (0, -56)
    assert "Moved, but: Overlaps brick 0" in selecting.status()


def test_several_bricks_are_moved_by_what_is_typed(selecting):
    selecting.piece.select([0, 1])
    selecting.panel.widgets["x by"].setValue(-8)
    selecting.panel.actions["Move"].trigger()
    assert [pose[0] for pose in poses(selecting)] == [-8, 48]
    assert steps(selecting) == 1


def test_the_panel_tells_the_share_of_the_selected_brick(selecting):
    selecting.piece.select([0])
    assert "100 % inside the shell" in selecting.panel.widgets["What is selected"].text()


def test_commands_that_need_a_selection_are_off_without_one(editor):
    needing = [editor.panel.actions[text] for text in ("Duplicate", "Delete", "Array…")]
    assert not any(action.isEnabled() for action in needing)
    editor.piece.select([0])
    assert all(action.isEnabled() for action in needing)


# Classes of aids -----------------------------------------------------------------------------------------------------


@pytest.fixture
def by_hand(open_editor):
    return open_editor(FRONT, RIGHT, judged=False, aids=HANDS)


def test_who_is_not_judged_places_moves_and_repeats_bricks_against_the_rules(qtbot, by_hand):
    by_hand.place_tool.stacks = False
    click(qtbot, by_hand.view, (8, -60, 0))
    by_hand.piece.select([0])
    by_hand.commands.nudge((1, 0), 8)
    by_hand.commands.copy()
    assert poses(by_hand)[0] == (8, -56, 4.8, 0)
    assert poses(by_hand)[2:] == [(8, -56, 4.8, 0), (40, -56, 4.8, 0)]
    by_hand.commands.mirror("x")
    assert len(poses(by_hand)) == 5


def test_hands_see_neither_shares_nor_what_is_wrong(by_hand):
    hover(by_hand.view, (7, -55, 9.6))
    assert (by_hand.ghost.words, by_hand.view.ghost_reason, by_hand.status()) == ("", "", "layer 0")
    assert by_hand.view.scene.item("bricks").colors == ["series 0", "series 0"]
    by_hand.piece.select([0])
    assert by_hand.panel.widgets["What is selected"].text() == "Brick 0 · layer 0"
