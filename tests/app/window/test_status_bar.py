"""The status bar tells of a project that takes a while to open, and lets it be given up."""

from threading import Event

import pytest

from spatial_workbench.engine.store import Project, sound_files


@pytest.fixture
def slow(window, monkeypatch):
    """Opening a project takes until the event is set, or the opening is cancelled."""
    window.status_bar._wait.setInterval(0)
    go_on = Event()
    opened = Project.open

    def open_slowly(path, progress):
        while not go_on.wait(0.01):
            progress(3, 12, "Checking")
        return opened(path)

    monkeypatch.setattr(Project, "open", open_slowly)
    return go_on


def is_shown(window):
    return window.status_bar._progress.isVisible()


def test_a_project_that_takes_a_while_to_open_is_told_of_with_its_progress(window, slow, qtbot, tmp_path):
    Project.create(tmp_path / "large.workbench").close()
    window.project.open(tmp_path / "large.workbench")
    qtbot.waitUntil(lambda: is_shown(window) and window.status_bar._progress.value() == 250)
    assert window.status_bar._job_text.text() == "Opening “large.workbench”"
    slow.set()
    qtbot.waitUntil(lambda: window.project.path == tmp_path / "large.workbench")
    assert not is_shown(window)


def test_a_project_that_is_being_opened_can_be_given_up(window, slow, qtbot, tmp_path):
    before = window.project.path
    Project.create(tmp_path / "large.workbench").close()
    window.project.open(tmp_path / "large.workbench")
    qtbot.waitUntil(lambda: is_shown(window))
    with qtbot.waitSignal(window.project.abandoned):
        window.status_bar._cancel.click()
    assert window.project.path == before
    assert not is_shown(window)
    window.project.flush()
    slow.set()


def test_a_project_that_is_refused_is_no_longer_being_opened(window, slow, qtbot, tmp_path):
    (tmp_path / "letter.workbench").write_text("Dear aunt")
    window.project.open(tmp_path / "letter.workbench")
    qtbot.waitUntil(lambda: is_shown(window))
    with qtbot.waitSignal(window.project.refused):
        slow.set()
    assert not is_shown(window)


def test_a_project_in_which_something_cannot_be_read_is_checked_when_it_is_opened_again(
    window, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setattr(sound_files, "LEAST_BYTES", 0)
    path = tmp_path / "large.workbench"
    Project.create(path).close()
    with qtbot.waitSignal(window.project.opened):
        window.project.open(path)
    assert sound_files.is_remembered(path, sound_files.stamp_of(path))
    with qtbot.waitSignal(window.project.trouble):
        window.project.ask(lambda project: project.database.execute("SELECT * FROM nowhere"), print)
    window.close()
    assert not sound_files.is_remembered(path, sound_files.stamp_of(path))
