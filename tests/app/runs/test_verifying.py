"""Attempts are judged again, after a question where that is needed."""

import json
import uuid

import pytest
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.engine.core import Check, Problem, task
from spatial_workbench.engine.evaluation.reverify import judge
from spatial_workbench.engine.store import Actor, RunFilter
from tests.app.runs.conftest import FIRST, SOLVED, cells, choose, fill, listed, open_page


def spoil(project):
    """An attempt whose stored default verdict is wrong."""
    fill(project)
    default, *rest = judge(FIRST.address, SOLVED)
    wrong = default.model_copy(
        update={"score": 0.25, "passed": False, "version": "0", "checks": (Check.of("old", [Problem("Wrong")]),)}
    )
    project.attempts.add(FIRST, SOLVED, Actor.MODEL, "cedar", verdicts=(wrong, *rest))


@pytest.mark.slow
def test_verifying_again_says_when_nothing_changed(page, qtbot):
    choose(page, qtbot, 1)
    page.buttons.verify_menu.selected.trigger()
    qtbot.waitUntil(lambda: "nothing changed" in page.verifying.panel.words.text())
    assert not page.verifying.panel.list.isVisible()


@pytest.mark.slow
def test_verifying_again_stores_and_lists_what_changed_and_a_click_goes_there(window, qtbot):
    page = open_page(window, qtbot, spoil)
    page.verifying.verify_again([5, 4, 1])
    panel = page.verifying.panel
    qtbot.waitUntil(lambda: panel.list.isVisible())
    item = panel.list.topLevelItem(0)
    assert [item.text(i) for i in range(4)] == ["#5", "default", "0.25 → 1.00", "not passed → passed"]
    assert item.text(4).startswith("0 → ")
    panel.list.setCurrentItem(item)
    assert page.table.selected_numbers() == [5]
    qtbot.waitUntil(lambda: cells(page, 0, "Score") == ["1.00"])


@pytest.mark.slow
def test_all_in_the_list_are_judged_again_only_after_a_question(page, qtbot):
    listed(page, qtbot, RunFilter(who=("birch",)))
    page.buttons.verify_menu.listed.trigger()
    box = page.findChild(QMessageBox)
    assert box.text().startswith("2 attempts will be checked")
    next(button for button in box.buttons() if button.text().startswith("Verify")).click()
    qtbot.waitUntil(lambda: "2 attempts verified again" in page.verifying.panel.words.text())


def test_judging_again_can_be_cancelled(window, qtbot):
    page = open_page(window, qtbot, fill)
    page.verifying.verify_again([1, 2, 3, 4] * 200)
    page.verifying.panel.cancel.click()
    assert page.verifying.panel.words.text().startswith("Stopped.")
    assert page.buttons.verify.isEnabled()
    qtbot.waitUntil(lambda: window.jobs.long.current is None)


def test_programs_in_answers_are_run_only_after_a_question(window, qtbot, monkeypatch):
    cage = task("interlocking_parts").instances()[0]
    part = {"fileContents": f"# {uuid.uuid4()}", "fileType": "Python Generating STL", "transform": [1.0, 0, 0, 0] * 4}
    page = open_page(
        window, qtbot, lambda project: project.attempts.add(cage, json.dumps({"parts": [part]}), Actor.MODEL, "oak")
    )
    page.verifying.verify_again([page.model.numbers[0]])
    qtbot.waitUntil(lambda: page.findChild(QMessageBox) is not None)
    box = page.findChild(QMessageBox)
    assert "1 attempt holds a program that was not run" in box.text()
    again = []
    monkeypatch.setattr(
        page.verifying, "verify_again", lambda numbers, programs: again.append((list(numbers), programs))
    )
    button = next(button for button in box.buttons() if button.text() == "Run in the sandbox")
    button.click()
    assert again == [([page.model.numbers[0]], True)]
