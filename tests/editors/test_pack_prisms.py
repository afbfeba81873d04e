"""The editor of packings, driven by mouse and keyboard."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu

from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.pack_prisms import Packing
from tests.editors.driving import HANDS, steps
from tests.widgets.test_viewport3d import LEFT, drag

TASK = task_of("pack_prisms")


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, TASK.instances()[0])


@pytest.fixture
def solved(show_editor):
    return show_editor(TASK, TASK.instances()[0], TASK.solve(TASK.instances()[0]))


def spot(editor, point):
    x, y = editor.view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def click(qtbot, editor, point):
    qtbot.mouseClick(editor.view, LEFT, pos=spot(editor, point))
    editor.view.flush()


def placed(editor):
    low, high = editor.boxes.corners
    return [(tuple(a), tuple(b)) for a, b in zip(low.tolist(), high.tolist(), strict=True)]


def test_the_first_box_clicks_to_the_origin(editor, qtbot):
    click(qtbot, editor, (2.5, 1.5, 0))
    assert placed(editor) == [((0, 0, 0), (5, 3, 2))]
    assert steps(editor) == 1


def test_the_next_box_is_laid_flush_on_the_top(editor, qtbot):
    click(qtbot, editor, (2.5, 1.5, 0))
    click(qtbot, editor, (2.6, 1.4, 2))
    assert placed(editor)[1] == ((0, 0, 2), (5, 3, 4))


def test_r_turns_the_next_box(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    click(qtbot, editor, (1.5, 2.5, 0))
    assert placed(editor) == [((0, 0, 0), (3, 5, 2))]


def test_copies_lay_a_block_in_one_step_as_far_as_the_tray_reaches(editor, qtbot):
    editor.next_box.copies.put(2, 9)
    click(qtbot, editor, (2.5, 1.5, 0))
    assert len(placed(editor)) == 7
    assert steps(editor) == 1
    assert editor.boxes.left == [0]


def test_an_empty_tray_refuses_with_the_reason(solved, qtbot):
    with qtbot.waitSignal(solved.message) as blocker:
        solved.next_box.place_block(np.array([50, 0, 0]))
    assert "all boxes of 5×3×2 are placed" in blocker.args[0]


def test_an_overlap_is_refused_unless_it_is_allowed(editor, qtbot):
    editor.next_box.place_block(np.zeros(3, np.int64))
    with qtbot.waitSignal(editor.message) as blocker:
        editor.next_box.place_block(np.array([1, 0, 0]))
    assert "overlap" in blocker.args[0]
    editor.panel.widgets["Allow overlaps"].setChecked(True)
    editor.next_box.place_block(np.array([1, 0, 0]))
    assert len(placed(editor)) == 2


def test_arrows_move_the_selection_and_join_one_step(editor, qtbot):
    editor.next_box.place_block(np.zeros(3, np.int64))
    editor.view.set_selection(["box 0"])
    for _ in range(3):
        qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    assert placed(editor)[0][0] == (3, 0, 0)
    assert steps(editor) == 2


def test_g_drops_the_selection(editor, qtbot):
    editor.next_box.place_block(np.array([0, 0, 0]))
    editor.next_box.place_block(np.array([0, 0, 9]))
    editor.view.set_selection(["box 1"])
    qtbot.keyClick(editor.view, Qt.Key.Key_G)
    assert placed(editor)[1][0] == (0, 0, 2)


def test_a_drag_with_the_select_tool_moves_a_box_over_the_ground(editor, qtbot):
    editor.next_box.place_block(np.zeros(3, np.int64))
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    editor.view.flush()
    drag(qtbot, editor.view, LEFT, spot(editor, (2, 1.5, 2)), spot(editor, (6, 1.5, 2)))
    assert placed(editor)[0][0] == (4, 0, 0)


def test_a_group_is_turned_mirrored_and_copied(editor, qtbot):
    editor.next_box.place_block(np.array([0, 0, 0]))
    editor.next_box.place_block(np.array([5, 0, 0]))
    editor.view.set_selection(["box 0", "box 1"])
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    assert editor.boxes.corners[1].max(axis=0).tolist() == [3, 10, 2]
    qtbot.keyClick(editor.view, Qt.Key.Key_M)
    qtbot.keyClick(editor.view, Qt.Key.Key_D)
    assert len(placed(editor)) == 4
    assert editor.boxes.corners[1].max(axis=0).tolist() == [6, 10, 2]


def test_delete_puts_boxes_back_into_the_tray(solved, qtbot):
    solved.view.set_selection(["box 0", "box 3"])
    qtbot.keyClick(solved.view, Qt.Key.Key_Delete)
    assert solved.boxes.left == [2]


def test_overlapping_boxes_are_marked_at_once(editor):
    editor.edit("overlap", Packing.of(np.zeros((2, 3), np.int64), np.array([[5, 3, 2], [5, 3, 2]])))
    assert "2 of 7 boxes" in editor.status()
    assert editor.view.scene.item("boxes").ids == ["box 0", "box 1"]


def test_gaps_are_shown_as_blocks(editor):
    editor.next_box.place_block(np.array([0, 0, 0]))
    editor.next_box.place_block(np.array([7, 0, 0]))
    editor.panel.widgets["Gaps"].setChecked(True)
    gap = editor.view.scene.item("gaps")
    assert gap.sizes.tolist() == [[2, 3, 2]]


def test_a_container_to_aim_at_is_drawn_and_boxes_outside_it_are_marked(editor):
    editor.next_box.place_block(np.array([0, 0, 0]))
    editor.aim((4, 7, 6))
    assert "container 0" in list(editor.view.scene.ids())


def test_the_exact_containers_are_offered(show_editor):
    editor = show_editor(TASK, TASK.instances()[2])
    editor.aim(editor.boxes.order.perfect_containers()[0])
    assert editor.boxes.target.tolist() == [5, 7, 193]


def test_the_boxes_are_pulled_apart(solved):
    before = np.ptp(solved.view.scene.item("boxes").centers, axis=0)
    solved.panel.widgets["Exploded view"].setValue(100)
    assert np.allclose(np.ptp(solved.view.scene.item("boxes").centers, axis=0), 2 * before)


def test_a_box_snaps_to_the_far_corner_of_the_container(editor, qtbot):
    editor.aim((12, 10, 6))
    editor.view.flush()
    click(qtbot, editor, (10.2, 7.8, 0))
    assert placed(editor) == [((7, 7, 0), (12, 10, 2))]


def test_a_box_on_the_ground_snaps_to_the_face_of_the_one_beside_it(editor, qtbot):
    editor.next_box.place_block(np.zeros(3, np.int64))
    editor.view.flush()
    click(qtbot, editor, (8.4, 1.5, 0))
    assert placed(editor)[1] == ((5, 0, 0), (10, 3, 2))


def test_a_dragged_box_snaps_to_the_wall_of_the_container(editor, qtbot):
    editor.aim((13, 10, 6))
    editor.next_box.place_block(np.zeros(3, np.int64))
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    editor.view.flush()
    drag(qtbot, editor.view, LEFT, spot(editor, (2, 1.5, 2)), spot(editor, (9, 1.5, 2)))
    assert placed(editor)[0][0] == (8, 0, 0)


def test_what_fits_at_the_pointer_is_offered_and_laid_by_a_click(editor):
    editor.aim((8, 3, 2))
    editor.next_box.place_block(np.zeros(3, np.int64))
    editor.view.flush()
    room = editor.fitting.room_under(QPointF(spot(editor, (6.5, 1.5, 0.5))))
    assert [corner.tolist() for corner in room] == [[5, 0, 0], [8, 3, 2]]
    menu = editor.fitting.menu_for(*room)
    assert [action.text() for action in menu.actions()] == ["No box that is left fits into 3×3×2"]
    editor.aim((8, 5, 2))
    room = editor.fitting.room_under(QPointF(spot(editor, (6.5, 1.5, 0.5))))
    editor.fitting.menu_for(*room).actions()[1].trigger()
    assert placed(editor)[1] == ((5, 0, 0), (8, 5, 2))


def test_a_right_click_asks_what_fits_there(editor, qtbot):
    editor.aim((8, 5, 2))
    editor.view.flush()
    qtbot.mouseClick(editor.view, Qt.MouseButton.RightButton, pos=spot(editor, (6.5, 1.5, 0)))
    menu = editor.findChild(QMenu)
    assert menu.actions()[0].text() == "Space of 8×5×2"
    menu.close()


def test_the_tool_that_a_choice_of_size_takes_in_hand_has_its_button_down(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    assert editor.panel.actions["Select"].isChecked()
    qtbot.keyClick(editor.view, Qt.Key.Key_Period)
    assert editor.panel.actions["Place"].isChecked()
    assert not editor.panel.actions["Select"].isChecked()


def test_the_exact_container_that_is_aimed_at_is_the_chosen_one(show_editor):
    editor = show_editor(TASK, TASK.instances()[2])
    editor.aim(editor.boxes.order.perfect_containers()[0])
    assert editor.panel.widgets["Exact"].currentText() == "5×7×193"
    editor.aim((1, 2, 3))
    assert editor.panel.widgets["Exact"].currentText() == "–"


@pytest.fixture
def by_hand(show_editor):
    return show_editor(TASK, TASK.instances()[0], aids=HANDS)


def test_without_judging_no_box_is_refused_or_marked(by_hand):
    by_hand.next_box.copies.put(0, 9)
    by_hand.next_box.place_block(np.zeros(3, np.int64))
    by_hand.next_box.place_block(np.array([1, 0, 0]))
    assert len(placed(by_hand)) == 18
    assert by_hand.marked() == {}
    assert not any(name.startswith("alone") for name in by_hand.view.scene.ids())


def test_without_judging_boxes_are_moved_and_copied_onto_each_other(by_hand):
    by_hand.next_box.place_block(np.zeros(3, np.int64))
    by_hand.next_box.place_block(np.array([5, 0, 0]))
    by_hand.view.set_selection(["box 0"])
    by_hand.commands.duplicate()
    assert placed(by_hand)[1] == placed(by_hand)[2]


def test_without_measuring_nothing_is_counted(by_hand):
    by_hand.next_box.place_block(np.zeros(3, np.int64))
    assert by_hand.status() == ""
    assert by_hand.next_box.tray._group.button(0).text() == "5×3×2"


def test_without_judging_an_answer_that_is_full_still_refuses(by_hand, qtbot):
    by_hand.edit("full", Packing.of(np.zeros((1000, 3), np.int64), np.ones((1000, 3), np.int64)))
    with qtbot.waitSignal(by_hand.message) as blocker:
        by_hand.next_box.place_block(np.zeros(3, np.int64))
    assert "at most 1000 boxes" in blocker.args[0]
