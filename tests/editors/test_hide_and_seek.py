"""The editor of hide and seek, driven by mouse and keyboard."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from spatial_workbench.engine.core import Openness
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.hide_and_seek import Crowd
from spatial_workbench.engine.tasks.hide_and_seek.editing import EDGE, snapped
from spatial_workbench.engine.tasks.hide_and_seek.field import overlapping_pairs
from tests.editors.driving import HANDS, at, steps
from tests.widgets.test_viewport3d import LEFT, drag

TASK = task_of("hide_and_seek")


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, TASK.instances()[0], size=(1200, 760))


def click(qtbot, editor, x, y):
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor, (x, y)))


def test_a_click_places_a_person_on_the_half_metre_grid(editor, qtbot):
    click(qtbot, editor, -6.1, -5.9)
    assert editor.crowd.centers.tolist() == [[-6, -6]]
    assert steps(editor) == 1


def test_without_snapping_people_stand_where_one_clicks(editor, qtbot):
    editor.panel.widgets["Snap to half metres"].setChecked(False)
    editor.panel.widgets["Snap to people"].setChecked(False)
    click(qtbot, editor, -6.2, -5.8)
    assert np.abs(editor.crowd.centers[0] - [-6.2, -5.8]).max() < 0.15


@pytest.mark.parametrize(("place", "why"), [((0, 0), "in the building"), ((-25, -25), "more than 30 m")])
def test_nobody_is_placed_where_nobody_may_stand(editor, qtbot, place, why):
    with qtbot.waitSignal(editor.message) as blocker:
        click(qtbot, editor, *place)
    assert why in blocker.args[0]
    assert len(editor.crowd.centers) == 0


def test_nobody_is_placed_on_somebody(editor, qtbot):
    click(qtbot, editor, -6, -6)
    with qtbot.waitSignal(editor.message) as blocker:
        click(qtbot, editor, -6, -6)
    assert "somebody stands there" in blocker.args[0]


def test_a_drag_with_the_block_tool_fills_up_to_the_number_missing_in_one_step(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_B)
    drag(qtbot, editor.view, LEFT, at(editor, (-8, -8)), at(editor, (-6, -6)))
    assert len(editor.crowd.centers) == 4
    assert steps(editor) == 1


def test_all_missing_people_are_added_where_they_are_safe(editor, qtbot):
    editor.document.open_to(Openness.WRONG)
    qtbot.keyClick(editor.view, Qt.Key.Key_A)
    assert len(editor.crowd.centers) == 4
    assert "hidden by at least" in editor.status()


def test_a_selected_person_is_dragged(editor, qtbot):
    click(qtbot, editor, -6, -6)
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    drag(qtbot, editor.view, LEFT, at(editor, (-6, -6)), at(editor, (-9, -9)))
    assert editor.crowd.centers.tolist() == [[-9, -9]]
    assert steps(editor) == 2


def test_arrows_nudge_by_5_cm_and_join_one_step(editor, qtbot):
    click(qtbot, editor, -6, -6)
    editor.view.set_selection(["person 0"])
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    assert editor.crowd.centers[0] == pytest.approx([-5.9, -6])
    assert steps(editor) == 2


def test_people_are_not_moved_onto_each_other(editor, qtbot):
    editor.edit("two", Crowd.of(np.array([[-6.0, -6.0], [-6.5, -6.0]])))
    editor.view.set_selection(["person 0"])
    with qtbot.waitSignal(editor.message) as blocker:
        editor.commands.move_people(np.array([-0.2, 0.0]))
    assert "somebody stands there" in blocker.args[0]


def test_delete_takes_the_selected_away(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_A)
    editor.view.set_selection(["person 0", "person 2"])
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    assert len(editor.crowd.centers) == 2


def test_visible_people_are_red_with_a_line_of_sight_only_while_wrong_ones_are_told(editor, qtbot):
    click(qtbot, editor, 6, 6)
    assert editor.view.scene.item("person 0").color == "accent"
    editor.document.open_to(Openness.WRONG)
    assert "1 visible" in editor.status()
    assert editor.view.scene.item("person 0").color == "failed"
    assert editor.view.scene.item("sight 0").color == "failed"


def test_the_picture_follows_and_counts_red_pixels(editor, qtbot):
    editor.document.open_to(Openness.WRONG)
    click(qtbot, editor, 6, 6)
    qtbot.waitUntil(lambda: editor.pictures.pane.counts.text() not in ("", "0 red pixels"))
    assert "Published camera" in editor.pictures.pane.counts.toolTip()


def test_the_field_in_space_shows_the_same_people_and_selection(editor, qtbot):
    click(qtbot, editor, -6, -6)
    qtbot.waitUntil(lambda: "person 0" in list(editor.space.scene.ids()))
    editor.view.set_selection(["person 0"])
    assert editor.space.selection == ("person 0",)


def test_a_press_with_one_pixel_of_jitter_moves_nobody(editor, qtbot):
    editor.panel.widgets["Snap to half metres"].setChecked(False)
    click(qtbot, editor, -6, -6)
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    place = at(editor, editor.crowd.centers[0])
    qtbot.mousePress(editor.view, LEFT, pos=place)
    qtbot.mouseMove(editor.view, place + QPoint(1, 0))
    qtbot.mouseRelease(editor.view, LEFT, pos=place + QPoint(1, 0))
    assert steps(editor) == 1


def test_people_snap_to_contact_with_a_neighbour_and_alt_leaves_it(editor, qtbot):
    click(qtbot, editor, -8, -8)
    click(qtbot, editor, -8.6, -8.02)
    assert editor.crowd.centers[1] == pytest.approx([-8.5, -8])
    place = at(editor, (-9.13, -8.02))
    qtbot.mouseClick(editor.view, LEFT, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, place)
    assert editor.crowd.centers[2][0] != pytest.approx(-9, abs=0.03)


def test_people_snap_to_the_edge_of_the_safe_ground_and_are_hidden_there(editor, qtbot):
    ring = editor.aim._ring
    middle = (ring[0] + ring[1]) / 2
    way = (ring[1] - ring[0]) / np.hypot(*(ring[1] - ring[0]))
    place, words = snapped(middle + 0.1 * np.array([-way[1], way[0]]), editor.crowd.centers, ring, 0.2)
    assert (place, words) == (pytest.approx(middle, abs=1e-6), EDGE)
    assert not editor.crowd.field.visible_people(place[None])[0]


def test_the_spray_strews_the_missing_people_over_safe_ground_in_one_step(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_S)
    drag(qtbot, editor.view, LEFT, at(editor, (-8, -8)), at(editor, (-12, -12)))
    assert len(editor.crowd.centers) == 4
    assert steps(editor) == 1
    assert not editor.crowd.field.visible_people(editor.crowd.centers).any()
    assert not overlapping_pairs(editor.crowd.centers)


def test_others_make_room_where_they_are_to_be_pushed_aside(editor, qtbot):
    editor.panel.widgets["Push others aside"].setChecked(True)
    click(qtbot, editor, -8, -8)
    click(qtbot, editor, -8, -8)
    assert len(editor.crowd.centers) == 2
    assert not overlapping_pairs(editor.crowd.centers)
    assert editor.crowd.centers[1].tolist() == [-8, -8]


def test_the_reference_is_brought_into_view_in_space_too(editor, qtbot):
    editor.show_elements(["building"])
    editor.edit("Load reference solution", editor.task.solve(editor.instance))
    editor.panes.frame_if_outside()
    qtbot.waitUntil(lambda: all(pane.shows_everything() for pane in editor.panes))


@pytest.fixture
def by_hand(show_editor):
    return show_editor(TASK, TASK.instances()[0], size=(1200, 760), aids=HANDS)


def test_without_judging_nobody_is_refused_by_a_rule(by_hand, qtbot):
    for place in ((0, 0), (0, 0), (-25, -25), (6, 6), (-6, -6)):
        click(qtbot, by_hand, *place)
    assert len(by_hand.crowd.centers) == 5


def test_without_judging_a_block_is_filled_wherever_it_is(by_hand, qtbot):
    qtbot.keyClick(by_hand.view, Qt.Key.Key_B)
    drag(qtbot, by_hand.view, LEFT, at(by_hand, (-1, -1)), at(by_hand, (1, 1)))
    assert len(by_hand.crowd.centers) == 25


def test_without_judging_nothing_tells_who_can_be_seen(by_hand, qtbot):
    click(qtbot, by_hand, 6, 6)
    assert by_hand.view.scene.item("person 0").color == "accent"
    assert not any(name.startswith("sight") for name in by_hand.view.scene.ids())
    assert by_hand.status() == ""
    assert not hasattr(by_hand, "camera")


@pytest.mark.slow
def test_without_judging_an_answer_that_is_full_still_refuses(by_hand, qtbot):
    by_hand.edit("full", Crowd.of(np.zeros((1000, 2))))
    with qtbot.waitSignal(by_hand.message) as blocker:
        click(qtbot, by_hand, -6, -6)
    assert "at most 1000 people" in blocker.args[0]
