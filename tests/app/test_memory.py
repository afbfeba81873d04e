"""Closed pages, dialogs and windows leave no objects behind."""

import gc
import os
import threading
from collections import Counter

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDialog

from spatial_workbench.app.attempts.compared import Compared
from spatial_workbench.app.window.palette import CommandPalette
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.widgets import icons
from tests.app.conftest import open_instance
from tests.sweeps import few, some

OURS = ("spatial_workbench", "PySide6", "pyqtgraph", "vtkmodules")
TIMES = int(os.environ.get("OPENINGS") or few(3, 5))
"""How often something is opened. A few times are enough, since each leak shows every time."""


def living():
    """How many living objects of the window there are, by class, and how many widgets Qt knows.

    Drawn icons are forgotten before: which are remembered depends on what was shown earlier.
    """
    icons._renderer.cache_clear()
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    kinds = map(type, gc.get_objects())
    count = Counter(f"{kind.__module__}.{kind.__name__}" for kind in kinds if is_ours(kind))
    count["widgets in Qt"] = len(QApplication.allWidgets())
    return count


def is_ours(kind):
    return str(kind.__module__).split(".")[0] in OURS


def left_over(before, times):
    """The kinds of objects of which each opening and closing has left at least one behind."""
    return {name: count for name, count in (living() - before).items() if count >= times}


def wait_for_libraries(window):
    """Waits for libraries loaded in other threads, whose objects stay."""
    window._openings.loader.flush()
    for thread in threading.enumerate():
        if thread.name == "load-charts":
            thread.join()


def wait_for_work(window, qtbot):
    """Waits until cancelled jobs, which hold objects, have ended."""
    qtbot.waitUntil(lambda: window.jobs.live.current is None and window.jobs.long.current is None)
    window.project.flush()


def open_and_close(window, qtbot, address):
    window.pages.close(open_instance(window, qtbot, address))


@pytest.mark.slow
@pytest.mark.parametrize("task", some(all_tasks(), 8), ids=lambda task: task.id)
def test_an_editor_that_is_closed_leaves_nothing_behind(window, qtbot, task):
    address = task.instances()[0].address
    open_and_close(window, qtbot, address)
    wait_for_libraries(window)
    # Once more, since PySide creates some classes only when they are first used.
    open_and_close(window, qtbot, address)
    wait_for_work(window, qtbot)
    before = living()
    for _ in range(TIMES):
        open_and_close(window, qtbot, address)
    wait_for_work(window, qtbot)
    assert left_over(before, TIMES) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "action", ["runs.browse", "runs.results", "runs.disagreements", "evaluate.batches", "view.log", "task.compare"]
)
def test_a_page_that_is_closed_leaves_nothing_behind(window, workspace, qtbot, action):
    def open_and_close_page():
        if action == "task.compare":
            side = Compared("Draft", "Two segments", workspace.editor.make_scene())
            window.show_comparison(side, side)
        else:
            window.actions_registry[action].trigger()
        QApplication.processEvents()
        window.pages.close(window.tabs.currentWidget())

    open_and_close_page()
    wait_for_libraries(window)
    before = living()
    for _ in range(TIMES):
        open_and_close_page()
    assert left_over(before, TIMES) == {}


@pytest.mark.slow
@pytest.mark.parametrize("action", ["app.settings", "help.palette", "help.about"])
def test_a_dialog_that_is_closed_leaves_nothing_behind(window, qtbot, action):
    def open_and_close_dialog():
        window.actions_registry[action].trigger()
        QApplication.processEvents()
        for dialog in window.findChildren(QDialog) + window.findChildren(CommandPalette):
            dialog.close()
        qtbot.waitUntil(lambda: window.jobs.long.current is None)

    open_and_close_dialog()
    wait_for_libraries(window)
    before = living()
    for _ in range(TIMES):
        open_and_close_dialog()
    assert left_over(before, TIMES) == {}


@pytest.mark.slow
def test_a_window_that_is_closed_leaves_nothing_behind(open_window, qtbot):
    def open_and_close_window():
        window = open_window()
        open_instance(window, qtbot, "two_segments:0")
        wait_for_libraries(window)
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    open_and_close_window()
    before = living()
    for _ in range(TIMES):
        open_and_close_window()
    assert left_over(before, TIMES) == {}


def test_cycles_are_collected_in_the_windows_thread_only(open_window, qtbot):
    threads = []
    gc.enable()
    window = open_window()
    gc.callbacks.append(note := lambda *_: threads.append(threading.current_thread()))
    window._openings.loader.load_ahead([make_garbage])
    window._openings.loader.flush()
    make_garbage()
    qtbot.waitUntil(lambda: len(threads) > 0)
    gc.callbacks.remove(note)
    assert set(threads) == {threading.main_thread()}


def make_garbage():
    garbage = [[] for _ in range(3 * gc.get_threshold()[0])]
    garbage.append(garbage)
