"""The items of a batch."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.item_dialog import ItemDialog
from spatial_workbench.app.evaluation.items import item_columns
from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.engine.store import ItemLine, ItemState
from spatial_workbench.widgets.tables.rows import RowsModel
from tests.app.evaluation.conftest import cells, page_of, set_up_endpoint, start, tick, wait_for
from tests.evaluation.conftest import oracle
from tests.models.conftest import ScriptedReply, refuse


def asked(window, qtbot, *names):
    """A batch of two instances of Shikaku has begun; its page."""
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0", "shikaku:1"})
    tick(dialog, *names)
    start(dialog, qtbot)
    return page_of(window)


@pytest.mark.slow
def test_the_items_of_a_batch_tell_what_is_being_asked_and_follow_it(window, qtbot, server):
    answer = oracle()(["shikaku:0", "shikaku:1"])
    server.answers.append(lambda body: ScriptedReply([1.0, *answer(body).parts]))
    set_up_endpoint(server, limits={"parallel": 1})
    page = asked(window, qtbot, "tiny")
    qtbot.waitUntil(lambda: page.items.model.rowCount() == 2 and cells(page.items, 0)[5] == "Asking")
    assert cells(page.items, 1)[5] == "Waiting"
    qtbot.waitUntil(lambda: cells(page.items, 1)[5:7] == ["Done", "1.00"])
    qtbot.waitUntil(lambda: page.items.filters.tabText(4) == "Done  2")


@pytest.mark.slow
def test_an_item_that_is_done_opens_its_attempt(window, qtbot):
    page = asked(window, qtbot, "reference")
    wait_for(window, qtbot, BatchStatus.FINISHED)
    qtbot.waitUntil(lambda: page.items.model.rowCount() == 2 and page.items.model.rows[1].attempt is not None)
    number = page.items.model.rows[1].attempt
    page.items.table.selectRow(1)
    qtbot.mouseClick(page.items.open, Qt.MouseButton.LeftButton)
    runs = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: runs.detail.dossier is not None and runs.detail.dossier.row.number == number)


@pytest.mark.slow
def test_an_item_that_failed_opens_what_was_asked_for_it_and_why_it_failed(window, qtbot, server):
    server.answers.append(refuse(400, "<b>no such field</b>"))
    set_up_endpoint(server)
    page = asked(window, qtbot, "tiny")
    wait_for(window, qtbot, BatchStatus.FINISHED)
    qtbot.waitUntil(lambda: cells(page.items, 0)[5] == "Failed")
    page.items.table.selectRow(0)
    qtbot.keyClick(page.items.table, Qt.Key.Key_Return)
    dialog = window.findChild(ItemDialog)
    qtbot.waitUntil(lambda: "no such field" in dialog.state.text())
    assert dialog.requests.topLevelItemCount() == 1
    assert not dialog.attempt.isEnabled()


def test_items_are_sorted_by_a_click_on_a_header_and_instances_as_numbers():
    model = RowsModel(item_columns(lambda line: "tiny"))
    model.show_rows([line(1, "shikaku:10"), line(2, "shikaku:2"), line(3, "shikaku@7")])
    model.sort(3, Qt.SortOrder.DescendingOrder)
    assert [row.address for row in model.rows] == ["shikaku@7", "shikaku:10", "shikaku:2"]


def line(number, address):
    return ItemLine(number, 0, address, 0, ItemState.WAITING, None, None, None, None)
