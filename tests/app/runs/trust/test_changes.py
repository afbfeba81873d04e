"""The page of another version: compared first, and stored only when that is wanted."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.store import Actor

WAIT_MS = 60_000
TASK = task("shikaku")
INSTANCE = TASK.instances()[0]
SOLVED = TASK.format(TASK.solve(INSTANCE))


def fill(project):
    """1: judged today. 2: refused by an old version that passes today."""
    old = Verdict(instance=INSTANCE.address, verifier="default", version="0", score=0.0, passed=False)
    today = tuple(TASK.verify_all(INSTANCE, SOLVED))
    project.attempts.add(INSTANCE, SOLVED, Actor.MODEL, "ash", verdicts=today)
    project.attempts.add(INSTANCE, SOLVED, Actor.MODEL, "ash", verdicts=(old,))


@pytest.fixture
def page(window, qtbot):
    window.project.tell(fill, announce=True)
    window.project.flush()
    window.actions_registry["runs.changes"].trigger()
    opened = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: opened.is_idle)
    return opened


def compare(page, qtbot):
    before = page.area.section
    qtbot.mouseClick(page.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.area.section is not before and page.is_idle, timeout=WAIT_MS)


def passes(window, qtbot):
    rows = []
    window.project.ask(lambda project: project.runs.rows([2]), rows.extend)
    qtbot.waitUntil(lambda: bool(rows))
    return rows[0].passed


@pytest.mark.slow
def test_an_empty_page_says_that_nothing_is_stored(page):
    assert "Nothing is stored until you say so" in page.area.empty.text.text()
    assert not page.keep.isEnabled()


def test_what_changes_is_shown_and_not_stored(page, window, qtbot):
    compare(page, qtbot)
    changes = page.area.section.tables[1]
    assert ("2", "now passes") in [(line.title, line.cells[4].text) for line in changes.lines]
    assert page.keep.isEnabled()
    assert passes(window, qtbot) is False


def test_new_verdicts_are_stored_when_that_is_wanted(page, window, qtbot):
    compare(page, qtbot)
    before = page.area.section
    qtbot.mouseClick(page.keep, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.area.section is not before and page.is_idle, timeout=WAIT_MS)
    assert "stored" in page.area.section.words[0]
    assert not page.keep.isEnabled()
    assert passes(window, qtbot) is True
    compare(page, qtbot)
    assert page.area.section.words == ("2 attempts judged; today's verifiers say what is stored.",)


@pytest.mark.slow
def test_a_change_leads_to_its_attempt(page, window, qtbot):
    page.area.attempts_chosen.emit((2,))
    assert isinstance(window.tabs.currentWidget(), RunsPage)
