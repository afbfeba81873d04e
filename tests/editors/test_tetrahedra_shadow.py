"""The editor of tetrahedra_shadow, driven by mouse and keyboard in both of its views."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import State, task
from spatial_workbench.engine.core.scene import Polyline
from spatial_workbench.engine.tasks.tetrahedra_shadow import Tetrahedra, target_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import pieces_at
from spatial_workbench.engine.tasks.tetrahedra_shadow.collisions import collisions
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import (
    Surroundings,
    centers_of,
    mirrored,
    ring_copies,
    row_copies,
    turned,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import Live
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import SPACING, pose_of, settled
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import shadows_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import vertices_of
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.tetrahedra_shadow import TetrahedraEditor
from spatial_workbench.widgets.editors.tetrahedra_shadow.handles import Handle
from spatial_workbench.widgets.scene_views.view import Pick
from tests.editors.driving import HANDS, steps
from tests.mouse_wheel import turn_wheel
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = task("tetrahedra_shadow")
SQUARE = TASK.instances()[0]
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
TARGET = target_of(SQUARE)
FIRST = pose_of("triangle", -1.5, -1)
SECOND = pose_of("triangle", 0.5, -1)


@pytest.fixture
def open_editor(show_editor):
    def opened(*poses, select=False, aids=ALL_AIDS):
        answer = Tetrahedra(tetrahedrons=pieces_at(np.array(poses).reshape(-1, 7)))
        editor = show_editor(TASK, SQUARE, answer, size=(1100, 620), aids=aids)
        editor.view.reduce_motion = True
        if select:
            editor.placing.use(editor.select_tool)
        return editor

    return opened


@pytest.fixture
def two(open_editor):
    return open_editor(FIRST, SECOND, select=True)


def at(view, point):
    x, y = view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def hover(view, point, held=NONE):
    QApplication.sendEvent(view, _move(view, at(view, point), Qt.MouseButton.NoButton, held))


def click(qtbot, view, point, held=NONE):
    hover(view, point, held)
    qtbot.mouseClick(view, LEFT, held, at(view, point))


def key(qtbot, editor, which, held=NONE):
    qtbot.keyClick(QApplication.focusWidget() or editor.view, which, held)


def undo(editor):
    editor.document.undo_stack.undo()


def middle(editor, number):
    return centers_of(editor.pieces.poses[number : number + 1])[0]


# Placing -------------------------------------------------------------------------------------------------------------


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is TetrahedraEditor


def test_a_click_in_the_plan_places_a_tetrahedron_on_the_ground_in_one_step(qtbot, open_editor):
    editor = open_editor()
    click(qtbot, editor.plan, (0.3, 0.2))
    assert len(editor.pieces.poses) == 1
    assert editor.pieces.live.vertices[..., 2].min() == 0
    assert np.abs(middle(editor, 0)[:2] - [0.3, 0.2]).max() < 0.08
    assert steps(editor) == 1
    undo(editor)
    assert len(editor.pieces.poses) == 0


def test_a_click_in_space_places_one_under_the_pointer(qtbot, open_editor):
    editor = open_editor()
    click(qtbot, editor.view, (0.5, -0.5, 0), ALT)
    assert middle(editor, 0)[:2] == pytest.approx((0.5, -0.5), abs=0.05)


def test_a_piece_over_another_takes_the_next_level(qtbot, open_editor):
    editor = open_editor(FIRST)
    click(qtbot, editor.plan, middle(editor, 0)[:2])
    assert editor.pieces.poses[1, 2] == pytest.approx(SPACING)
    assert not len(editor.pieces.live.pairs)


def test_without_stacking_a_piece_that_would_intersect_is_refused_with_the_reason(qtbot, open_editor):
    editor = open_editor(FIRST)
    editor.panel.widgets["Stack automatically"].setChecked(False)
    click(qtbot, editor.plan, middle(editor, 0)[:2])
    assert (len(editor.pieces.poses), steps(editor)) == (1, 0)
    assert "Not placed: Intersects tetrahedron 0" in editor.status()


def test_intersections_are_taken_if_they_are_allowed_and_are_marked(qtbot, open_editor):
    editor = open_editor(FIRST)
    editor.panel.widgets["Stack automatically"].setChecked(False)
    editor.panel.widgets["Allow intersections"].setChecked(True)
    click(qtbot, editor.plan, middle(editor, 0)[:2])
    assert editor.view.style_.roles == {"tetrahedron 0": "failed", "tetrahedron 1": "failed"}
    assert "1 pair intersects" in editor.panel.widgets["Tetrahedra"].words.text()
    editor.placing.use(editor.select_tool)
    assert editor.plan.scene.item("0 and 1 intersect").pattern == "hatch"
    assert "intersects 1 (0.1" in editor.marks.describe(Pick("tetrahedron 0", "tetrahedron 0", (0, 0, 0)))[1]


def test_for_whoever_is_not_judged_pieces_may_intersect_and_nothing_tells_of_it(qtbot, open_editor):
    editor = open_editor(FIRST, aids=HANDS)
    editor.panel.widgets["Stack automatically"].setChecked(False)
    click(qtbot, editor.plan, middle(editor, 0)[:2])
    assert len(editor.pieces.poses) == 2
    assert (editor.view.style_.roles, editor.measuring.fit, editor.status()) == ({}, None, "")


def test_for_whoever_may_not_measure_the_plan_shows_edges_and_no_shadows(open_editor):
    editor = open_editor(FIRST, aids=HANDS)
    assert isinstance(editor.plan.scene.item("tetrahedron 0"), Polyline)
    assert not any(item.name.startswith("covered") for item in editor.plan.scene.items)


def test_the_ghost_snaps_a_corner_to_a_corner_of_the_target(open_editor):
    editor = open_editor()
    editor.hand.choose_orientation("Square", "square", 0.0)
    hover(editor.plan, (-2 + 0.38, -2 + 0.33))
    corner = shadows_of(vertices_of(editor.place_tool.pose[None]))[0].bounds[:2]
    assert corner == pytest.approx((-2, -2), abs=1e-8)
    assert "snapped to corner of the target" in editor.status()


def test_with_alt_nothing_snaps(open_editor):
    editor = open_editor()
    editor.hand.choose_orientation("Square", "square", 0.0)
    hover(editor.plan, (-2 + 0.38, -2 + 0.33), ALT)
    corner = shadows_of(vertices_of(editor.place_tool.pose[None]))[0].bounds[:2]
    assert np.abs(np.array(corner) + 2).max() > 0.005


def test_the_meters_follow_the_ghost_before_anything_is_placed(open_editor):
    editor = open_editor()
    hover(editor.plan, (0, 0))
    share = np.sqrt(3) / 4 / 16
    assert editor.panel.widgets["Coverage"].figure.text() == f"{100 * share:.1f} % covered"
    editor.place_tool.leave()
    assert editor.panel.widgets["Coverage"].figure.text() == "0.0 % covered"


def test_the_wheel_turns_the_ghost_by_5_degrees_and_with_control_zooms(open_editor):
    editor = open_editor()
    hover(editor.plan, (0, 0))
    before = editor.place_tool.next_pose.copy()
    scale = editor.plan.plane.pixels_per_unit
    turn_wheel(editor.plan, 1, NONE, at=at(editor.plan, (0, 0)))
    expected = turned(before[None], (0, 0, 1), 5)[0]
    assert editor.place_tool.next_pose[3:] == pytest.approx(expected[3:])
    assert editor.plan.plane.pixels_per_unit == scale
    turn_wheel(editor.plan, 1, CONTROL, at=at(editor.plan, (0, 0)))
    assert editor.plan.plane.pixels_per_unit > scale


def test_the_wheel_turns_a_selected_piece_that_the_pointer_is_on(two):
    two.pieces.select([0])
    expected = turned(two.pieces.poses[:1], (0, 0, 1), 5)[0]
    turn_wheel(two.plan, 1, NONE, at=at(two.plan, middle(two, 0)[:2]))
    assert two.pieces.poses[0] == pytest.approx(expected, abs=1e-6)
    scale = two.plan.plane.pixels_per_unit
    turn_wheel(two.plan, 1, NONE, at=at(two.plan, (1.9, 1.9)))
    assert two.plan.plane.pixels_per_unit > scale


def test_a_tetrahedron_is_placed_by_keys_alone(qtbot, open_editor):
    editor = open_editor()
    key(qtbot, editor, Qt.Key.Key_Right)
    key(qtbot, editor, Qt.Key.Key_Right)
    key(qtbot, editor, Qt.Key.Key_Return)
    assert middle(editor, 0)[:2] == pytest.approx((0.05, 0), abs=1e-8)


@pytest.mark.parametrize(("which", "area"), [(Qt.Key.Key_T, 0.433), (Qt.Key.Key_Q, 0.5), (Qt.Key.Key_W, 0.354)])
def test_keys_choose_the_orientation(qtbot, open_editor, which, area):
    editor = open_editor()
    key(qtbot, editor, which)
    assert shadows_of(vertices_of(editor.place_tool.next_pose[None]))[0].area == pytest.approx(area, abs=1e-3)


def test_free_takes_the_orientation_of_the_selected_piece(qtbot, open_editor):
    editor = open_editor(pose_of("wedge", 0, 0, 33), select=True)
    editor.pieces.select([0])
    key(qtbot, editor, Qt.Key.Key_C)
    assert editor.placing.is_placing
    assert editor.place_tool.next_pose[3:] == pytest.approx(editor.pieces.poses[0, 3:])


# Selecting, moving, tilting ------------------------------------------------------------------------------------------


def test_a_click_selects_in_both_views(qtbot, two):
    click(qtbot, two.plan, middle(two, 1)[:2])
    assert (two.pieces.selected, two.view.selection) == ([1], ("tetrahedron 1",))
    assert two.panel.widgets["Selection"].text() == "Tetrahedron 1"


def test_a_drag_in_the_plan_moves_a_piece_in_one_step(qtbot, two):
    start = middle(two, 0)
    drag(qtbot, two.plan, LEFT, at(two.plan, start[:2]), at(two.plan, start[:2] + np.array([0.1, 1.5])))
    assert middle(two, 0)[:2] - start[:2] == pytest.approx((0.1, 1.5), abs=0.06)
    assert steps(two) == 1
    undo(two)
    assert middle(two, 0) == pytest.approx(start)


def test_a_drag_in_space_moves_a_piece_over_the_ground(qtbot, two):
    start = middle(two, 1)
    face = start + np.array([0, -0.17, 0.1])
    drag(qtbot, two.view, LEFT, at(two.view, face), at(two.view, face + np.array([0, 1.2, 0])))
    assert (two.pieces.selected, steps(two)) == ([1], 1)
    assert middle(two, 1)[:2] - start[:2] == pytest.approx((0, 1.2), abs=0.1)


def test_a_drag_onto_another_piece_stacks_it(qtbot, two):
    drag(
        qtbot,
        two.plan,
        LEFT,
        at(two.plan, middle(two, 0)[:2]),
        at(two.plan, middle(two, 1)[:2] + np.array([0.05, 0.1])),
    )
    assert two.pieces.poses[0, 2] == pytest.approx(SPACING)
    assert not len(two.pieces.live.pairs)


def test_a_shift_drag_copies(qtbot, two):
    start = middle(two, 0)[:2]
    drag(qtbot, two.plan, LEFT, at(two.plan, start), at(two.plan, start + np.array([0, 1.5])), SHIFT)
    assert len(two.pieces.poses) == 3
    assert two.pieces.selected == [2]


def test_escape_during_a_drag_leaves_everything_as_it_was(qtbot, two):
    start = at(two.plan, middle(two, 0)[:2])
    qtbot.mousePress(two.plan, LEFT, NONE, start)
    QApplication.sendEvent(two.plan, _move(two.plan, start + QPoint(40, 40), LEFT, NONE))
    key(qtbot, two, Qt.Key.Key_Escape)
    qtbot.mouseRelease(two.plan, LEFT, NONE, start + QPoint(40, 40))
    assert steps(two) == 0
    assert not two.plan.ghost


def handle_place(editor, handle):
    center = centers_of(editor.pieces.poses[editor.pieces.selected]).mean(axis=0)
    return at(editor.view, center + np.eye(3)[handle.axis] * (0.5 if handle.turns else 1.0))


def test_the_arrow_of_an_axis_moves_along_it(qtbot, two):
    two.pieces.select([0])
    start = two.pieces.poses[0].copy()
    place = handle_place(two, Handle(0, False))
    ends = [middle(two, 0) + np.array([x, 0, 0]) for x in (1.0, 1.6)]
    way = at(two.view, ends[1]) - at(two.view, ends[0])
    drag(qtbot, two.view, LEFT, place, place + way)
    assert two.pieces.poses[0, 0] - start[0] == pytest.approx(0.6, abs=0.05)
    assert two.pieces.poses[0, 1:] == pytest.approx(start[1:])


def test_the_ring_of_an_axis_tilts_in_steps_of_5_degrees(qtbot, two):
    two.pieces.select([0])
    start = two.pieces.poses[:1].copy()
    place = handle_place(two, Handle(1, True))
    drag(qtbot, two.view, LEFT, place, place + QPoint(21, 0))
    assert two.pieces.poses[0, 3:] == pytest.approx(turned(start, (0, 1, 0), 10)[0, 3:])
    assert two.document.undo_stack.undoText() == "Tilt tetrahedron"
    assert two.pieces.live.vertices[0, :, 2].min() == pytest.approx(0, abs=1e-8)


def test_r_turns_the_selection_about_its_middle_and_a_row_of_keys_is_one_step(qtbot, two):
    two.pieces.select([1])
    before = middle(two, 1)
    for _ in range(3):
        key(qtbot, two, Qt.Key.Key_R)
    assert middle(two, 1)[:2] == pytest.approx(before[:2])
    assert steps(two) == 1
    assert two.pieces.poses[1, 3:] == pytest.approx(turned(SECOND[None], (0, 0, 1), 45)[0, 3:])


def test_page_keys_raise_only_where_pieces_do_not_stack_by_themselves(qtbot, two):
    two.pieces.select([0])
    key(qtbot, two, Qt.Key.Key_PageUp)
    assert two.pieces.poses[0, 2] == 0
    two.panel.widgets["Stack automatically"].setChecked(False)
    key(qtbot, two, Qt.Key.Key_PageUp)
    assert two.pieces.poses[0, 2] == pytest.approx(SPACING)


def test_bracket_keys_goes_through_the_pieces_and_arrows_move_them(qtbot, open_editor):
    editor = open_editor(FIRST, SECOND)
    key(qtbot, editor, Qt.Key.Key_BracketRight)
    key(qtbot, editor, Qt.Key.Key_BracketRight)
    key(qtbot, editor, Qt.Key.Key_Up)
    assert editor.pieces.selected == [1]
    assert editor.pieces.poses[1, 1] == pytest.approx(-0.95)


# Commands and numbers ------------------------------------------------------------------------------------------------


def test_delete_takes_the_selection_away(qtbot, two):
    two.pieces.select([0])
    key(qtbot, two, Qt.Key.Key_Delete)
    assert two.pieces.poses[0, 0] == 0.5


def test_the_mirror_image_is_added_on_the_other_side(qtbot, two):
    two.pieces.select([1])
    key(qtbot, two, Qt.Key.Key_M)
    assert middle(two, 2)[:2] == pytest.approx(middle(two, 1)[:2] * [-1, 1])


def test_a_duplicate_lies_beside_and_above(qtbot, two):
    two.pieces.select([0])
    key(qtbot, two, Qt.Key.Key_D, CONTROL)
    assert len(two.pieces.poses) == 3
    assert not len(two.pieces.live.pairs)


def test_a_ring_of_six_triangles_is_a_hexagon(qtbot, open_editor):
    editor = open_editor(pose_of("triangle", 0, 0), select=True)
    editor.pieces.select([0])
    editor.panel.widgets["Pieces"].setValue(6)
    key(qtbot, editor, Qt.Key.Key_A, SHIFT)
    assert len(editor.pieces.poses) == 6
    assert editor.measuring.fit.covered.area == pytest.approx(6 * np.sqrt(3) / 4)
    assert not len(editor.pieces.live.pairs)


def test_typed_numbers_are_taken_as_they_are_and_normalise_mends_them(two):
    two.pieces.select([0])
    two.panel.widgets["Quaternion"].fields[0].setValue(2.0)
    assert two.pieces.poses[0, 3] == 2
    assert two.view.style_.roles == {"tetrahedron 0": "failed"}
    assert "not normalised" in two.panel.widgets["Tetrahedra"].words.text()
    two.panel.actions["Normalise"].trigger()
    assert two.pieces.poses[0, 3] == 1
    two.panel.widgets["Position"].fields[2].setValue(3.5)
    assert two.pieces.poses[0, 2] == 3.5


def test_a_quaternion_of_zeros_is_refused(two):
    two.pieces.select([0])
    two.panel.widgets["Quaternion"].fields[0].setValue(0.0)
    assert two.pieces.poses[0, 3] == 1
    assert "no direction" in two.status()


def test_pieces_that_add_nothing_are_marked_when_the_verdict_is_there(open_editor):
    lifted = FIRST.copy()
    lifted[2] = 2
    editor = open_editor(FIRST, lifted)
    document = editor.document
    document.set_verdict(TASK.verify(SQUARE, document.answer), document.revision)
    assert set(editor.view.style_.roles.values()) == {"warning"}


def test_the_reference_is_shown_with_full_meters(open_editor):
    editor = open_editor()
    editor.document.edit("Load", TASK.solve(SQUARE))
    assert editor.panel.widgets["Score"].figure.text() == "score 1.000"
    assert TASK.verify(SQUARE, editor.document.answer).checks[2].state is State.PASSED


# What the engine does for the editor ---------------------------------------------------------------------------------


def test_the_live_score_of_a_moved_piece_is_that_of_the_whole():
    poses = np.array([FIRST, SECOND, pose_of("square", 0, 0), pose_of("wedge", -1, 0.4, 30)])
    goal = poses[[2]] + np.array([0.3, 0.1, 0, 0, 0, 0, 0])
    live = Live(TARGET)
    whole = Live(TARGET)
    live.set_poses(poses)
    whole.set_poses(np.concatenate([poses[[0, 1, 3]], goal]))
    assert live.fit((2,), goal).raw() == pytest.approx(whole.fit().raw(), abs=1e-12)


def test_a_mirror_image_has_the_mirrored_corners():
    poses = np.array([pose_of("wedge", 0.3, -1, 20, 0.5), pose_of("square", 1, 1, 77)])
    for axis, sign in ((0, (-1, 1, 1)), (1, (1, -1, 1))):
        images = vertices_of(mirrored(poses, axis))
        expected = vertices_of(poses) * sign
        for image, goal in zip(images, expected, strict=True):
            distances = np.linalg.norm(image[:, None] - goal[None], axis=2)
            assert distances.min(axis=1).max() < 1e-8


def test_copies_keep_their_distances():
    row = row_copies(FIRST[None], 4, (0.5, 0.1))
    ring = ring_copies(FIRST[None], 4)
    assert row[:, :2] - FIRST[:2] == pytest.approx(np.array([[0.5, 0.1], [1.0, 0.2], [1.5, 0.3]]))
    radii = np.linalg.norm(centers_of(ring)[:, :2], axis=1)
    assert radii == pytest.approx(np.linalg.norm(centers_of(FIRST[None])[0, :2]))


def test_settled_pieces_meet_nothing():
    same = np.repeat(FIRST[None], 5, axis=0)
    poses = settled(same[:1], same[1:])
    assert not len(collisions(vertices_of(np.concatenate([same[:1], poses]))).pairs)


def test_pieces_that_settle_together_lie_as_if_they_came_one_by_one():
    poses = np.random.default_rng(3).normal(size=(40, 7))
    one_by_one = poses[:5]
    for pose in poses[5:]:
        one_by_one = np.concatenate([one_by_one, settled(one_by_one, pose[None])])
    assert settled(poses[:5], poses[5:]) == pytest.approx(one_by_one[5:])


def test_an_edge_is_snapped_to_where_no_corner_is_near():
    snap = Surroundings([("the target", np.array([[-2, -2], [2, -2], [2, 2], [-2, 2]]))]).snap(
        np.array([[0.33, -1.95], [1.33, -1.95], [0.83, -1.1]]), 0.1
    )
    assert snap.shift == pytest.approx((0, -0.05))
    assert snap.words == "edge of the target"


# By numbers ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def type_position(open_editor):
    def typed(*poses, place):
        editor = open_editor(*poses, select=bool(poses), aids=HANDS)
        for axis, value in enumerate(place):
            editor.panel.widgets["Place by numbers"].fields[axis].setValue(value)
        return editor

    return typed


def test_a_piece_in_the_chosen_orientation_is_placed_at_typed_numbers_in_one_step(type_position):
    editor = type_position(place=(0.25, -1.5, 0))
    editor.panel.actions["Square"].trigger()
    editor.panel.actions["Place there"].trigger()
    assert editor.pieces.poses[0] == pytest.approx(pose_of("square", 0.25, -1.5), abs=1e-8)
    assert steps(editor) == 1


def test_without_stacking_a_piece_is_placed_at_the_typed_height(type_position):
    editor = type_position(place=(0, 0, 2.5))
    editor.panel.widgets["Stack automatically"].setChecked(False)
    editor.panel.actions["Place there"].trigger()
    assert editor.pieces.poses[0, :3].tolist() == [0, 0, 2.5]


def test_the_selection_moves_until_its_first_piece_is_at_typed_numbers(type_position):
    editor = type_position(FIRST, SECOND, place=(1, 0, 0))
    assert not editor.panel.actions["Move there"].isEnabled()
    editor.pieces.select([0, 1])
    editor.panel.actions["Move there"].trigger()
    assert editor.pieces.poses[:, :2].tolist() == [[1, 0], [3, 0]]
    assert (steps(editor), editor.document.undo_stack.undoText()) == (1, "Move 2 tetrahedra")


def test_the_next_piece_and_the_selection_turn_by_a_typed_angle(type_position):
    editor = type_position(FIRST, place=(0, 0, 0))
    editor.panel.widgets["Turn by numbers"].fields[0].setValue(12.5)
    editor.pieces.select([0])
    editor.panel.actions["About z"].trigger()
    assert editor.pieces.poses[0] == pytest.approx(turned(FIRST[None], (0, 0, 1), 12.5)[0], abs=1e-8)
    editor.placing.use(editor.place_tool)
    editor.panel.actions["About z"].trigger()
    editor.panel.actions["Place there"].trigger()
    assert editor.pieces.poses[1, 3:] == pytest.approx(pose_of("triangle", 0, 0, 12.5)[3:], abs=1e-8)
