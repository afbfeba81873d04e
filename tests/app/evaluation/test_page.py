"""The page of batches: they run, pause, go on, and fail item by item."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.engine.store import BatchState, Project
from tests.app.evaluation.conftest import cells, set_up_endpoint, start, tick, wait_for
from tests.evaluation.conftest import oracle
from tests.models.conftest import ScriptedReply, refuse


@pytest.mark.slow
def test_the_reference_needs_no_key_and_its_batch_comes_to_its_end(window, qtbot, dialog):
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    assert page.chosen().row.ended == 2
    qtbot.mouseClick(page.attempts, Qt.MouseButton.LeftButton)
    runs = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: runs.model.rowCount() == 2)


@pytest.mark.slow
def test_a_batch_is_paused_goes_on_and_survives_the_window(open_window, qtbot, server):
    answer = oracle()(["shikaku:0", "shikaku:1"])
    server.answers.append(lambda body: ScriptedReply([1.5, *answer(body).parts]))
    set_up_endpoint(server, limits={"parallel": 1})
    window = open_window()
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0", "shikaku:1"})
    tick(dialog, "tiny")
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.RUNNING)
    assert "1 evaluation running" in window.evaluations.status.text()
    qtbot.waitUntil(lambda: bool(server.seen))
    qtbot.mouseClick(page.pause, Qt.MouseButton.LeftButton)
    page = wait_for(window, qtbot, BatchStatus.PAUSED)
    assert page.chosen().row.ended == 1
    qtbot.mouseClick(page.resume, Qt.MouseButton.LeftButton)
    wait_for(window, qtbot, BatchStatus.RUNNING)
    path = window.project.path
    window.close()
    with Project.open(path) as project:
        qtbot.waitUntil(lambda: project.batches.get(1).state is BatchState.FINISHED)
        assert project.batches.get(1).ended == 2


@pytest.mark.slow
def test_what_failed_is_listed_with_its_reason_and_can_be_tried_again(window, qtbot, server):
    server.answers += [refuse(400, "no"), refuse(400, "no"), oracle()(["shikaku:0", "shikaku:1"])]
    set_up_endpoint(server, limits={"parallel": 1})
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0", "shikaku:1"})
    tick(dialog, "tiny")
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    page.items.filter_by("Failed")
    qtbot.waitUntil(lambda: cells(page.items, 1)[5] == "Failed")
    assert cells(page.items, 0)[1:4] == ["tiny", "Shikaku rectangles", "0"]
    assert cells(page.items, 0)[8].startswith("bad request: ")
    qtbot.mouseClick(page.retry, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.chosen().state is BatchStatus.FINISHED and page.chosen().failed == 0)


def test_after_pause_the_focus_is_on_the_list_and_not_on_cancel(window, qtbot, monkeypatch):
    window.actions_registry["evaluate.batches"].trigger()
    page = window.tabs.currentWidget()
    page._stack.setCurrentIndex(1)
    for part in (page.items, page.spending):
        monkeypatch.setattr(part, "show_batch", lambda batch: None)

    def show(state):
        row = SimpleNamespace(ended=0)
        monkeypatch.setattr(page, "chosen", lambda: SimpleNamespace(state=state, failed=0, is_alive=True, row=row))
        page._enable_buttons()

    show(BatchStatus.RUNNING)
    page.pause.setFocus()
    qtbot.waitUntil(page.pause.hasFocus)
    show(BatchStatus.PAUSING)
    assert page.cancel.isEnabled()
    assert page.table.hasFocus()


def test_pause_and_cancel_say_how_they_differ(window):
    window.actions_registry["evaluate.batches"].trigger()
    page = window.tabs.currentWidget()
    assert "are finished" in page.pause.toolTip()
    assert "given up" in page.cancel.toolTip()
