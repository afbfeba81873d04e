"""The page of agreement: over chosen attempts of the project, with a report, and a way to the attempts."""

import pytest

from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.agreement_tables import NOTHING
from spatial_workbench.engine.store import Actor

WAIT_MS = 60_000
INSTANCES = task("shikaku").instances()


def said(verifier, score, version="1"):
    return Verdict(instance="shikaku:0", verifier=verifier, version=version, score=score, passed=score == 1)


def fill(project):
    """Six attempts of two models; birch's are judged differently by a verifier of somebody else's."""
    for k in range(6):
        name = ("ash", "birch")[k % 2]
        theirs = said("own:theirs", 0.0 if name == "birch" else 1.0)
        verdicts = (said("default", 1.0), theirs)
        project.attempts.add(INSTANCES[k % 3], "{}", Actor.MODEL, name, verdicts=verdicts)


@pytest.fixture
def page(window, qtbot):
    window.project.tell(fill, announce=True)
    window.project.flush()
    return open_page(window, qtbot)


def open_page(window, qtbot):
    window.actions_registry["runs.agreement"].trigger()
    opened = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: opened.area.section is not None and opened.is_idle, timeout=WAIT_MS)
    return opened


def matrix(page):
    return page.area.section.tables[0]


def test_all_attempts_are_compared_at_first(page):
    assert [cell.text for cell in matrix(page).lines[0].cells] == ["n 6", "50.0"]
    assert len(page.area.section.tables[3].lines) == 3


def test_attempts_are_chosen_by_author(page, qtbot):
    before = page.area.section
    page.who.set_chosen(["ash"])
    page.who.changed.emit(("ash",))
    qtbot.waitUntil(lambda: page.area.section is not before and page.is_idle, timeout=WAIT_MS)
    assert [cell.text for cell in matrix(page).lines[0].cells] == ["n 3", "100.0"]


@pytest.mark.slow
def test_selected_attempts_come_from_the_runs_browser_until_they_are_given_up(page, window, qtbot):
    before = page.area.section
    window.actions_registry["runs.browse"].trigger()
    runs = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: runs.is_idle and len(runs.model.numbers) == 6, timeout=WAIT_MS)
    runs.table.select_numbers([1, 3, 4])
    menu = runs.buttons.sets_menu
    qtbot.waitUntil(lambda: menu.agreement_of_selected.text() == "Agreement of verifiers on the 3 selected")
    menu.agreement_of_selected.trigger()
    assert window.tabs.currentWidget() is page
    qtbot.waitUntil(lambda: page.area.section is not before and page.is_idle, timeout=WAIT_MS)
    assert page.selection.text() == "3 selected attempts"
    assert matrix(page).lines[0].cells[0].text == "n 3"
    before = page.area.section
    page.selection.click()
    qtbot.waitUntil(lambda: page.area.section is not before and page.is_idle, timeout=WAIT_MS)
    assert page.selection.isHidden()
    assert matrix(page).lines[0].cells[0].text == "n 6"


def test_another_version_replaces_the_one_before(page, window, qtbot):
    before = page.area.section
    window.project.tell(lambda project: project.attempts.add_verdicts(2, [said("own:theirs", 1.0, "2")], 0.01))
    window.project.flush()
    page.again.click()
    qtbot.waitUntil(lambda: page.area.section is not before and page.is_idle, timeout=WAIT_MS)
    assert [cell.text for cell in matrix(page).lines[0].cells] == ["n 6", "100.0"]
    assert matrix(page).lines[0].cells[1].detail.endswith("n 1")


@pytest.mark.slow
def test_a_double_click_leads_to_the_attempt(page, window):
    page.area.attempts_chosen.emit((2,))
    assert isinstance(window.tabs.currentWidget(), RunsPage)


@pytest.mark.slow
def test_a_report_for_the_author_is_saved(page, qtbot, tmp_path):
    path = tmp_path / "agreement.html"
    page.area.save_to(path)
    qtbot.waitUntil(lambda: page.is_idle, timeout=WAIT_MS)
    text = path.read_text()
    assert "Agreement of verifiers" in text
    assert "Attempts on which verifiers differ" in text


def test_an_empty_project_says_so(window, qtbot):
    assert open_page(window, qtbot).area.section.lacking == NOTHING
