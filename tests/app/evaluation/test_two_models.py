"""Two models in a grid, paused by a limit of money, resumed, compared and put into LaTeX, from the window alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton

from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.engine.core import resolve
from tests.app.evaluation.conftest import set_up_endpoint, start, tick, wait_for
from tests.models.conftest import chat, refuse

ADDRESSES = [f"shikaku:{k}" for k in range(6)]
PRICES = {"input_usd": 1000.0, "output_usd": 1000.0}
"""A question of 10 and an answer of 5 tokens cost 1.5 cents."""
WAIT_MS = 60_000


def stand_in():
    """Answers as the model that is asked: "honest" is right on two thirds, "careless" errs in the usual ways."""
    known = {}
    for k, address in enumerate(ADDRESSES):
        task, instance = resolve(address)
        known[task.prompt(instance).text] = (k, task.format(task.solve(instance)))
    errors = {
        1: chat('{"rectangles": [[0, 0, 1, 1]]}'),
        2: chat('{"rectangles": [[0, 0, '),
        4: chat("I would need to see the board."),
        5: chat('{"rectangles": [[0, 0, 1', finish="length"),
    }
    busy = [refuse(429, "slow down", retry_after="0")]

    def answer(body):
        text = body["messages"][-1]["content"]
        found = next((found for prompt, found in known.items() if prompt in text), None)
        if found is None:
            return chat("Hello.")  # to a probe
        k, solution = found
        if body["model"] == "honest":
            return chat(solution if k % 3 else "I do not know.")
        return busy.pop() if busy else errors.get(k) or chat(solution)

    return answer


@pytest.mark.slow
def test_two_models_are_asked_in_a_grid_paused_by_a_limit_resumed_compared_and_put_into_latex(window, qtbot, server):
    server.answers.append(stand_in())
    for name in ("honest", "careless"):
        set_up_endpoint(server, name=name, model=name, prices=PRICES, limits={"parallel": 1}, max_wait_s=2)
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose(set(ADDRESSES))
    tick(dialog, "honest", "careless")
    dialog.form.grid.lines["temperature"].setText("0, 1")
    dialog.form.most_cost.setValue(0.24)
    qtbot.waitUntil(lambda: "24 calls" in dialog.estimate.summary.text(), timeout=WAIT_MS)
    start(dialog, qtbot)  # finds out what the endpoints can do with a temperature
    qtbot.waitUntil(lambda: dialog.start.text() == "Start", timeout=WAIT_MS)
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.PAUSED)
    assert 0 < page.chosen().row.ended < 24
    assert "limit" in page.chosen().row.note
    qtbot.mouseClick(page.resume, Qt.MouseButton.LeftButton)
    wait_for(window, qtbot, BatchStatus.FINISHED)

    window.actions_registry["runs.results"].trigger()
    results = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: results.results is not None and results.is_idle, timeout=WAIT_MS)
    results.compare.click()
    comparing = results.comparing.dialog
    qtbot.waitUntil(lambda: comparing.area.widget() is not None, timeout=WAIT_MS)
    offered = [comparing.first.sets.itemText(k) for k in range(comparing.first.sets.count())]
    of = {name: next(title for title in offered if name in title and "0" in title) for name in ("honest", "careless")}
    for side, name in ((comparing.first, "careless"), (comparing.second, "honest")):
        side.sets.setCurrentText(of[name])
        side.sets.lineEdit().editingFinished.emit()
    qtbot.waitUntil(lambda: [one.title for one in comparing.asked or ()] == [of["careless"], of["honest"]])
    qtbot.waitUntil(lambda: comparing.area.widget() is not None, timeout=WAIT_MS)
    card = comparing.area.widget().cards[0]
    # Careless is right on subtasks 0 and 3, honest on 1, 2, 4 and 5.
    _, subtasks, _, first, second = card.table.rows[0][:5]
    assert (subtasks, round(first, 4), round(second, 4)) == (6, round(2 / 6, 4), round(4 / 6, 4))
    menu = card.findChild(QToolButton).menu()
    next(action for action in menu.actions() if action.text() == "Copy as LaTeX").trigger()
    text = QGuiApplication.clipboard().text()
    assert text.count("\\toprule") == 1
    # 2 : 4 subtasks that only one passed: by McNemar's exact test, p = 2 (1 + 6 + 15) / 2^6.
    assert "All subtasks in common} & 6 & 33.3 & 66.7 & -33.3" in text
    assert "& 2 : 4 & 0.688 &" in text
