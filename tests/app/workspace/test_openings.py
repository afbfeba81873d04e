"""Subtasks are opened step by step, while the window answers."""

import pytest

from spatial_workbench.app.frame.loading import OpeningPage
from tests.app.conftest import open_instance


@pytest.fixture
def steps(window, qtbot, monkeypatch):
    """Opens a subtask; what builds its workspace, to be gone through step by step."""
    begun = []
    monkeypatch.setattr("spatial_workbench.app.workspace.openings.in_turns", lambda _, steps: begun.append(steps))
    window.open_instance("two_segments:0")
    qtbot.waitUntil(lambda: bool(begun))
    monkeypatch.undo()
    return begun[0]


@pytest.mark.slow
def test_the_window_answers_between_the_editor_and_its_panels(window, steps):
    for _ in range(3):
        next(steps)
        assert window.workspace is None
    assert list(steps) == []
    assert window.workspace.prompt_panel.text.toPlainText()


@pytest.mark.parametrize("done", [1, 2, 3])
def test_a_tab_that_is_closed_while_its_workspace_is_built_stays_closed(window, steps, done):
    for _ in range(done):
        next(steps)
    window.pages.close(window.tabs.currentWidget())
    assert list(steps) == []
    assert window.tabs.count() == 1


def test_a_workspace_that_is_half_built_when_the_person_changes_is_built_for_the_new_person(window, steps, qtbot):
    next(steps)
    next(steps)
    window.person.change_person("Ben")
    assert list(steps) == []
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.workspace.session.person == "Ben"


def test_opening_an_instance_twice_goes_to_its_tab(window, workspace):
    window.open_instance("two_segments:0")
    assert window.tabs.count() == 2


def test_a_tab_shows_at_once_that_its_editor_is_being_built(window, qtbot):
    window.open_instance("two_segments:0")
    assert isinstance(window.tabs.currentWidget(), OpeningPage)
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.tabs.count() == 2


def test_an_editor_that_is_being_built_stays_behind_when_another_tab_is_in_front(window, qtbot):
    window.open_instance("two_segments:0")
    window.tabs.setCurrentWidget(window.catalogue)
    qtbot.waitUntil(lambda: any(window.pages.workspaces))
    assert window.tabs.currentWidget() is window.catalogue
    assert window.tabs.count() == 2


@pytest.mark.slow
def test_an_editor_whose_tab_is_closed_while_it_is_built_does_not_come_up(window, workspace, qtbot):
    window.open_instance("two_segments:4")
    window.pages.close(window.tabs.currentWidget())
    open_instance(window, qtbot, "two_segments:5")
    assert [page.document.instance.number for page in window.pages.workspaces] == [0, 5]


def test_a_new_instance_is_generated_from_a_seed(window, qtbot):
    window.open_instance("two_segments@7")
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.workspace.document.instance.seed == 7


def test_a_wrong_address_is_told_and_nothing_opens(window):
    window.open_instance("two_segments:99")
    assert "instances 0 to 26" in window.statusBar().currentMessage()
    assert window.tabs.count() == 1


@pytest.mark.slow
def test_an_instance_that_is_being_opened_does_not_come_up_in_another_project(window, qtbot, tmp_path):
    with qtbot.waitSignal(window.project.opened):
        window.project.open(tmp_path / "other.workbench", create=True)
        window.open_instance("shikaku:0")
    window.project.flush()
    assert window.tabs.count() == 1
    open_instance(window, qtbot, "shikaku:0")
