"""Attempts are opened, compared and replayed."""

import pytest

from spatial_workbench.app.attempts.compared import differences
from spatial_workbench.app.comparison.page import ComparePage
from spatial_workbench.app.workspace.replay import ReplayPage
from spatial_workbench.engine.evaluation.reverify import judge
from tests.app.runs.conftest import FIRST, FLAWED, ONE, choose, fill, open_page
from tools.studio.quickstart import add_recorded_run


@pytest.mark.slow
def test_opening_an_attempt_puts_its_answer_into_the_editor(window, page, qtbot):
    choose(page, qtbot, 2)
    page.buttons.open.click()
    qtbot.waitUntil(lambda: window.workspace is not None)
    answer = ONE.parse(FLAWED)
    qtbot.waitUntil(lambda: window.workspace.document.answer == answer)
    assert window.workspace.document.undo_stack.canUndo()


@pytest.mark.slow
def test_opening_an_attempt_goes_to_the_tab_that_is_open_already(window, workspace, qtbot):
    page = open_page(window, qtbot, fill)
    choose(page, qtbot, 2)
    page.buttons.open.click()
    qtbot.waitUntil(lambda: workspace.document.answer == ONE.parse(FLAWED))
    assert window.workspace is workspace


@pytest.mark.slow
def test_two_attempts_at_one_instance_are_compared(window, page, qtbot):
    choose(page, qtbot, 1, 2)
    page.buttons.compare.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ComparePage))
    assert window.tabs.currentWidget().title.startswith("Attempt 1 · Ada and Attempt 2 · birch")


def test_attempts_at_different_instances_are_not_compared_and_the_reason_is_told(window, page, qtbot):
    choose(page, qtbot, 2, 4)
    assert not page.buttons.compare.isEnabled()
    page.row_actions.compare(2, 4)
    qtbot.waitUntil(lambda: "different instances" in window.statusBar().currentMessage())


def compared(window, page, qtbot, *numbers):
    """The page that compares two attempts."""
    choose(page, qtbot, *numbers)
    page.buttons.compare.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ComparePage))
    return window.tabs.currentWidget()


def figures(comparison):
    """What the table says, by group and name."""
    groups = [comparison.figures.tree.topLevelItem(k) for k in range(comparison.figures.tree.topLevelItemCount())]
    return {
        (group.text(0), group.child(j).text(0)): [group.child(j).text(column) for column in (1, 2, 3)]
        for group in groups
        for j in range(group.childCount())
    }


@pytest.mark.slow
def test_a_comparison_tells_scores_checks_and_tokens_and_marks_what_differs(window, page, qtbot):
    table = figures(compared(window, page, qtbot, 1, 2))
    assert table["Figures", "Score"] == ["≠", "1.00", "0.00"]
    assert table["Figures", "Output tokens"] == ["≠", "–", "900"]
    assert table["Verifiers", "default"] == ["≠", "1.00, passed", "0.00, not passed"]
    checks = [name for group, name in table if group == "Checks"]
    assert checks == [check.name for check in judge(FIRST.address, FLAWED)[0].checks]


@pytest.mark.slow
def test_a_comparison_can_be_cut_down_to_what_differs(window, page, qtbot):
    comparison = compared(window, page, qtbot, 1, 2)
    comparison.show_figures()
    comparison.figures.only_differences.click()
    group = comparison.figures.tree.topLevelItem(0)
    assert {group.child(j).text(1) for j in range(group.childCount()) if not group.child(j).isHidden()} == {"≠"}


@pytest.mark.slow
def test_texts_are_compared_line_by_line(window, page, qtbot):
    comparison = compared(window, page, qtbot, 1, 2)
    comparison.show_texts()
    qtbot.waitUntil(lambda: "differ" in comparison.words.note.text())
    left, right = (text.toPlainText().splitlines() for text in comparison.words.texts)
    assert any(line.startswith("≠") for line in left)
    assert any("0.5, 0.1" in line for line in right)
    comparison.words.kind.setCurrentText("Raw output")
    qtbot.waitUntil(lambda: "scarlet" in comparison.words.texts[1].toPlainText())


def test_an_unreadable_answer_is_compared_by_its_text_and_the_reason_is_told(window, page, qtbot):
    messages = []
    window.statusBar().messageChanged.connect(messages.append)
    comparison = compared(window, page, qtbot, 1, 3)
    assert any("Attempt 3" in text and "cannot be read" in text for text in messages)
    assert figures(comparison)["Figures", "Score"] == ["≠", "1.00", "0.00"]


def test_lines_that_correspond_stand_beside_each_other():
    lines = differences("a\nb\nc", "a\nx\ny\nc")
    assert [(line.left, line.right, line.differs) for line in lines] == [
        *(("a", "a", False), ("b", "x", True), (None, "y", True), ("c", "c", False)),
    ]


@pytest.mark.slow
def test_an_agents_run_is_replayed_and_others_cannot_be(window, qtbot):
    page = open_page(window, qtbot, lambda project: (fill(project), add_recorded_run(project)))
    choose(page, qtbot, 2)
    assert not page.buttons.replay.isEnabled()
    choose(page, qtbot, 5)
    page.buttons.replay.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ReplayPage))
