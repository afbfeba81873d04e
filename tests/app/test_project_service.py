"""The project of a window: what is stored stays stored."""

import sys

import pytest
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.background.project_service import ProjectService
from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.engine.store import Project, PuzzleEvent
from tests.store.test_holding import another_program_opens, look_into


@pytest.fixture
def service(qtbot, tmp_path):
    service = ProjectService()
    with qtbot.waitSignal(service.opened):
        service.open(tmp_path / "team.workbench", create=True)
    yield service
    service.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="locks are not lost there")
def test_what_is_done_after_another_program_has_removed_the_journal_is_stored(service, qtbot):
    def lose_the_journal(project):
        look_into(project.path)
        another_program_opens(project.path)
        assert not project.path.with_name(f"{project.path.name}-wal").exists()
        event = {"puzzle_set": "Hunt", "id": "1", "folder": "Oak", "version": "1", "kind": "commented", "event": "{}"}
        project.puzzles.add_events([PuzzleEvent(at="2026-05-01T00:00:00Z", person="Ada", **event)])

    lost = []
    service.ask(lose_the_journal, lost.append)
    qtbot.waitUntil(lambda: bool(lost))
    with qtbot.waitSignal(service.changed):
        pass
    assert another_program_opens(service.path) == "Ada\n"


@pytest.fixture
def other_program(tmp_path):
    """Another program that has a project open, until the test ends."""
    opened = []
    yield lambda path: opened.append(Project.open(path))
    for project in opened:
        project.close()


def lose_and_replace(window, qtbot, other_program):
    """Another program takes the journal of the window's project away, and begins a new one."""

    def lose(project):
        for file in project.path.parent.glob(f"{project.path.name}*"):
            file.read_bytes()
        another_program_opens(project.path)

    lost = []
    # Until there is a new journal, nobody looks.
    window.project._watch.stop()
    window.project.ask(lose, lambda _: lost.append(True))
    qtbot.waitUntil(lambda: bool(lost))
    other_program(window.project.path)
    window.project._watch.start()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="locks are not lost there")
def test_the_window_warns_once_when_another_program_has_replaced_the_journal(window, qtbot, other_program):
    lose_and_replace(window, qtbot, other_program)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert "what you do now is not stored in the project" in box.text()
    assert "File › Save a copy… stores all of it" in box.text()
    box.reject()
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is None)
    window.project._look_for_changes()
    window.project.flush()
    qtbot.wait(50)
    assert window.findChild(QMessageBox) is None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="locks are not lost there")
def test_the_warning_of_a_replaced_journal_is_said_in_german(window, qtbot, other_program):
    with in_language("de"), qtbot.waitSignal(window.project.trouble) as told:
        lose_and_replace(window, qtbot, other_program)
    assert "hat das Journal dieses Projekts entfernt" in told.args[0]


def test_a_change_that_cannot_be_stored_is_told_in_the_language_that_is_spoken(service, qtbot):
    def refuse(project):
        raise OSError("disk full")

    with in_language("de"), qtbot.waitSignal(service.trouble) as told:
        service.tell(refuse)
    assert told.args[0].startswith("Eine Änderung ließ sich nicht speichern (disk full). Sie ist noch im Fenster")
