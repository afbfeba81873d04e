"""A real window with a project of its own."""

import shutil
import weakref

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMessageBox
from shiboken6 import isValid

from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.engine.store import Project
from tests.app.lending import LentProcess, end_all
from tests.dialogs import every_dialog_fits

__all__ = ["every_dialog_fits"]


@pytest.fixture(scope="session", autouse=True)
def lent_processes():
    """Lets windows use processes that earlier ones have left idle."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("spatial_workbench.app.background.jobs.ChildProcess", LentProcess)
        yield
    end_all()


PAUSES_MS = {
    "background.project_service.WATCH_MS": 100,
    "evaluation.estimate_panel._SETTLED_MS": 10,
    "evaluation.watch.PERIOD_MS": 100,
    "machine_runs.search_page.LOOK_MS": 50,
    "puzzles.annotation.aids.REST_MS": 10,
    "puzzles.annotation.checking.CHECK_MS": 10,
    "studies.leader.plan.tab.STORING_MS": 10,
}
"""How long pages of `app` wait in tests until they look again, or until nobody types any more."""


@pytest.fixture(scope="session", autouse=True)
def short_pauses():
    """Lets tests wait for what pages do, not for their pauses."""
    with pytest.MonkeyPatch.context() as patch:
        for name, pause_ms in PAUSES_MS.items():
            patch.setattr(f"spatial_workbench.app.{name}", pause_ms)
        yield


@pytest.fixture(scope="session")
def empty_project(tmp_path_factory):
    """A project with nothing in it, to be copied: making one takes longer."""
    path = tmp_path_factory.mktemp("projects") / "empty.workbench"
    Project.create(path).close()
    return path


@pytest.fixture
def open_window(qtbot, qapp, tmp_path, empty_project):
    """Opens the window on a project in the test's folder; call it again after closing the window to reopen it.

    project: a file that is copied to begin with.
    """
    from spatial_workbench.app.window.application import build_window

    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    Settings().show_tours = False
    path = tmp_path / "work.workbench"
    opened = weakref.WeakSet()

    def open_(project=empty_project):
        if not path.exists():
            shutil.copy(project, path)
        window = build_window(qapp)
        window.resize(1280, 800)
        window.show()
        window.start(path)
        qtbot.waitUntil(lambda: window.project.path == path)
        opened.add(window)
        return window

    yield open_
    for window in filter(isValid, opened):
        window.close()
        window.deleteLater()


@pytest.fixture
def window(open_window):
    """The window, open on an empty project."""
    return open_window()


@pytest.fixture
def workspace(window, qtbot):
    """The window with an instance of two_segments in front."""
    return open_instance(window, qtbot, "two_segments:0")


def open_instance(window, qtbot, address):
    """Opens an instance and waits for its first verdict."""
    window.open_instance(address)
    qtbot.waitUntil(lambda: window.workspace is not None and window.workspace.document.instance.address == address)
    workspace = window.workspace
    qtbot.waitUntil(lambda: workspace.document.is_verdict_current)
    return workspace


def trigger(window, action):
    window.actions_registry[action].trigger()


def has_verdict(workspace, passed):
    return lambda: workspace.document.is_verdict_current and workspace.document.verdict.passed is passed


def solve(window, qtbot):
    workspace = window.workspace
    trigger(window, "task.solve")
    qtbot.waitUntil(has_verdict(workspace, True))


def confirm_empty(workspace):
    """Answers the question that is asked once before an empty answer is submitted."""
    for box in workspace.findChildren(QMessageBox):
        if box.isVisible():
            box.buttons()[0].click()


def submit(window, qtbot):
    workspace = window.workspace
    before = window.workspace.attempts.panel.model.rowCount()
    trigger(window, "task.submit")
    confirm_empty(workspace)
    model = workspace.attempts.panel.model
    qtbot.waitUntil(lambda: model.rowCount() > before and model.rows[0].score is not None)
