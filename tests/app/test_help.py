"""Help beside the editor: rules, gestures and keys with F1, and a tour that can be left for good."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.workspace.tour import MOST_CHARS, steps_of
from spatial_workbench.engine.core import tasks
from tests.app.conftest import open_instance

MARKS = ("**", "`", "](", "##")


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_every_editor_has_a_tour_of_three_steps_in_plain_words(task):
    steps = steps_of(task)
    assert [step.place for step in steps] == ["task", "view", "verdict"]
    for step in steps:
        assert 30 < len(step.text) < 2 * MOST_CHARS
        assert step.text.endswith((".", ":", "?"))
        assert not [mark for mark in MARKS if mark in step.text]


def test_rules_gestures_and_keys_stand_beside_the_editor(workspace, window, qtbot):
    assert not workspace.rules_panel.isVisible()
    window.actions_registry["task.rules"].trigger()
    qtbot.waitUntil(workspace.rules_panel.isVisible)
    text = workspace.rules_panel.toPlainText()
    assert all(heading in text for heading in ("Building by hand", "Keys"))
    window.actions_registry["task.rules"].trigger()
    qtbot.waitUntil(lambda: not workspace.rules_panel.isVisible())


@pytest.fixture
def touring(window, qtbot):
    """The workspace of an editor that was never opened, with its tour."""
    window.settings.show_tours = True
    workspace = open_instance(window, qtbot, "shikaku:0")
    qtbot.waitUntil(lambda: workspace.tour is not None)
    return workspace


def test_a_first_visit_begins_with_a_tour_that_leaves_the_keyboard_alone(touring):
    assert touring.tour.count.text() == "1 of 3"
    assert not touring.tour.isAncestorOf(touring.focusWidget() or touring)
    assert touring.rect().contains(touring.tour.geometry())


def test_the_tour_goes_from_step_to_step_and_ends(touring, window, qtbot):
    tour = touring.tour
    for _ in range(3):
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    assert touring.tour is None
    assert not window.settings.wants_tour("spatial_workbench.widgets.editors.shikaku")
    assert window.settings.show_tours


@pytest.mark.slow
def test_tours_can_be_left_for_good(touring, window, qtbot):
    qtbot.mouseClick(touring.tour.never, Qt.MouseButton.LeftButton)
    other = open_instance(window, qtbot, "two_segments:0")
    qtbot.wait(50)
    assert other.tour is None


def test_the_tour_can_be_had_again(workspace, window):
    window.actions_registry["help.tour"].trigger()
    assert workspace.tour is not None


def test_escape_leaves_the_tour(touring, qtbot):
    qtbot.keyClick(touring.tour, Qt.Key.Key_Escape)
    assert touring.tour is None
