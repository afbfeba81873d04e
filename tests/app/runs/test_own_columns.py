"""Columns of verifiers of somebody else's in the runs browser and in Results."""

import pytest

from spatial_workbench.app.attempts.columns import COLUMNS
from spatial_workbench.app.results.choice_bar import VERIFIERS
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.evaluation.reverify import judge
from spatial_workbench.engine.store import Actor
from spatial_workbench.engine.store.facts import THEIR_SCORE
from tests.app.runs.conftest import FIRST, SOLVED, fill, open_page, settle

OWN = "own:theirs"


def said(score, version="1"):
    return Verdict(instance=FIRST.address, verifier=OWN, version=version, score=score, passed=score == 1)


def fill_judged(project):
    fill(project)
    project.attempts.add_verdicts(1, [said(0.25)], 0.01)
    project.attempts.add_verdicts(2, [said(1.0)], 0.01)


@pytest.fixture
def page(window, qtbot):
    opened = open_page(window, qtbot, fill_judged)
    qtbot.waitUntil(lambda: opened.model.columnCount() == len(COLUMNS) + 1)
    return opened


def own_cells(page):
    place = len(COLUMNS)
    return {line: page.model.index(row, place).data() for row, line in enumerate(page.model.lines)}


def test_each_verifier_is_a_column_with_its_score(page, qtbot):
    assert page.model.columns[-1].title == OWN
    assert own_cells(page) == {4: "", 3: "", 2: "1.00", 1: "0.25"}


def test_scores_that_came_with_imported_answers_are_a_column_with_a_name_of_its_own(window, qtbot):
    def fill_imported(project):
        fill(project)
        theirs = said(0.25).model_copy(update={"verifier": THEIR_SCORE, "version": "imported"})
        project.attempts.add_verdicts(2, [theirs], 0.01)

    page = open_page(window, qtbot, fill_imported)
    qtbot.waitUntil(lambda: page.model.columnCount() == len(COLUMNS) + 1)
    assert page.model.columns[-1].title == "Their score"
    assert own_cells(page)[2] == "0.25"
    assert "file" in page.model.columns[-1].about


@pytest.mark.slow
def test_the_column_sorts_the_list(page, qtbot):
    page.table.sortByColumn(len(COLUMNS), page.table.horizontalHeader().sortIndicatorOrder().AscendingOrder)
    settle(page, qtbot)
    assert list(page.model.numbers)[:2] == [1, 2]


def test_the_column_comes_with_the_first_verdict_and_all_keep_their_place(window, qtbot):
    page = open_page(window, qtbot, fill)
    page.table.setColumnWidth(4, 201)
    window.project.tell(lambda project: project.attempts.add_verdicts(1, [said(0.5)], 0.01), announce=True)
    qtbot.waitUntil(lambda: page.model.columnCount() == len(COLUMNS) + 1)
    assert page.table.columnWidth(4) == 201
    qtbot.waitUntil(lambda: own_cells(page)[1] == "0.50")


@pytest.mark.slow
def test_the_layout_without_it_is_kept_when_the_page_is_closed(page, window, qtbot):
    page.table.setColumnWidth(4, 203)
    page.table.sortByColumn(len(COLUMNS), page.table.horizontalHeader().sortIndicatorOrder().AscendingOrder)
    settle(page, qtbot)
    window.pages.close(page)
    again = open_page(window, qtbot)
    assert again.table.columnWidth(4) == 203
    qtbot.waitUntil(lambda: again.model.columnCount() == len(COLUMNS) + 1)


def fill_plain(project):
    """Three attempts without a batch, of which one was judged by two versions, and another by the first."""
    for name in ("ash", "birch", "cedar"):
        project.attempts.add(FIRST, SOLVED, Actor.MODEL, name, None, tuple(judge(FIRST.address, SOLVED)))
    project.attempts.add_verdicts(1, [said(0.25), said(0.5, "2")], 0.01)
    project.attempts.add_verdicts(2, [said(1.0)], 0.01)


@pytest.mark.slow
def test_results_offer_each_version_and_count_nothing_else(window, qtbot):
    window.project.tell(fill_plain, announce=True)
    window.project.flush()
    window.actions_registry["runs.results"].trigger()
    results = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: results.results is not None and results.is_idle, timeout=30_000)
    box = results.bar.verifier
    offered = [box.itemText(place) for place in range(len(VERIFIERS), box.count())]
    assert offered == [
        f"Checked by {OWN}, version 1 · 2 attempts",
        f"Checked by {OWN}, version 2 · 1 attempt",
    ]
    box.setCurrentIndex(box.count() - 1)
    qtbot.waitUntil(lambda: bool(results.is_idle and results.results.choice.verifier == f"{OWN}@2"), timeout=30_000)
    assert results.results.attempts == 1
    assert "2 attempts that own:theirs@2 has not judged are left out." in results.note.text()
    assert box.currentData() == f"{OWN}@2"
