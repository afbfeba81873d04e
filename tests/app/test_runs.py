"""The runs browser as a person uses it: filter, sort, look, judge again, override, compare."""

import json
import sqlite3
import uuid
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QMessageBox

from spatial_workbench.app.attempts.compared import differences
from spatial_workbench.app.comparison.page import ComparePage
from spatial_workbench.app.frame.controls import Chip
from spatial_workbench.app.runs.detail import NO_REASONING
from spatial_workbench.app.runs.filters import active
from spatial_workbench.app.runs.model import BLOCK, RunsModel
from spatial_workbench.app.runs.overrides import OverrideDialog
from spatial_workbench.app.workspace.attempts_panel import AttemptsPanel
from spatial_workbench.app.workspace.replay import ReplayPage
from spatial_workbench.engine.core import Check, Figure, Problem, Verdict, resolve, task
from spatial_workbench.engine.evaluation.reverify import judge
from spatial_workbench.engine.store import Actor, Asked, BatchState, Project, RunFilter
from tools.studio.quickstart import add_recorded_run

ONE = task("two_segments")
FIRST, SECOND = ONE.instances()[:2]
SOLVED = ONE.solve(FIRST).model_dump_json()
FLAWED = '{"segments": [[[0, 0], [0.5, 0.1]], [[0.8, 0], [0.2, 1]]]}'
BROKEN = '{"segments": ['


def fill(project):
    """1: Ada, solved. 2: birch, flawed, with prompt, reply, tries. 3: cedar, broken JSON. 4: birch, other instance."""
    project.attempts.add(FIRST, SOLVED, Actor.PERSON, "Ada", 300.0, tuple(judge(FIRST.address, SOLVED)))
    batch = project.batches.add("first", "{}", [(0, FIRST.address, FIRST.task, 0, None)])
    item = project.items.of_batch(batch)[0].number
    project.items.add_try(item, '{"message": "too many requests"}', error="rate limit", seconds=1.0)
    project.items.add_reply(item, 0, "Draw two segments", "Here is my scarlet answer", "I turned it over", "{}")
    project.batches.set_state(batch, BatchState.FINISHED)
    asked = Asked(batch=batch, item=item, tools=True, output_tokens=900, cost_usd=0.02, prompt=1, reasoning="turned")
    project.attempts.add(FIRST, FLAWED, Actor.MODEL, "birch", 20.0, tuple(judge(FIRST.address, FLAWED)), asked=asked)
    project.attempts.add(FIRST, BROKEN, Actor.MODEL, "cedar", 2.0, tuple(judge(FIRST.address, BROKEN)))
    project.attempts.add(SECOND, FLAWED, Actor.MODEL, "birch", 9.0, tuple(judge(SECOND.address, FLAWED)))


@pytest.fixture
def page(window, qtbot):
    return open_page(window, qtbot, fill)


def open_page(window, qtbot, filling=None):
    if filling is not None:
        window.project.tell(filling, announce=True)
        window.project.flush()
    window.actions_registry["runs.browse"].trigger()
    page = window.tabs.currentWidget()
    settle(page, qtbot)
    return page


def settle(page, qtbot):
    """Waits until what was asked for is shown."""
    qtbot.waitUntil(lambda: page.is_listed)
    qtbot.waitUntil(lambda: not page.model.numbers or page.model.row(0) is not None)
    qtbot.waitUntil(lambda: page.is_idle)


def choose(page, qtbot, *numbers):
    page.table.select_numbers(numbers)
    qtbot.waitUntil(lambda: page.table.selected_numbers() == sorted(numbers, reverse=True))
    if len(numbers) == 1:
        qtbot.waitUntil(lambda: page.is_idle and page.detail.dossier and page.detail.dossier.row.number == numbers[0])


def listed(page, qtbot, run_filter=None):
    if run_filter is not None:
        page.filters.set_filter(run_filter)
    qtbot.waitUntil(lambda: page.is_listed)
    return list(page.model.numbers)


def cells(page, row):
    return [page.model.index(row, column).data() for column in range(page.model.columnCount())]


# Metres ------------------------------------------------------------------------------------------------------------


def add_throws(project, *metres):
    """Throws at T2, each with what its verdict measured."""
    level = resolve("machine_throw:1")[1]
    for value in metres:
        figures = (Figure("R", 9 * value, "m²"), Figure("distance", value, "m"))
        verdict = Verdict(
            instance=level.address, verifier="default", version="1", score=1, passed=value > 0, figures=figures
        )
        project.attempts.add(level, "{}", Actor.MODEL, "cedar", verdicts=(verdict,))


def test_machines_are_listed_sorted_and_filtered_by_metres_that_are_never_cut(window, qtbot):
    page = open_page(window, qtbot, lambda project: add_throws(project, 25.31, 147.2, 0.0))
    qtbot.waitUntil(lambda: [cells(page, row)[6] for row in range(3)] == ["0.0 m", "147.2 m", "25.3 m"])
    page.table.horizontalHeader().setSortIndicator(6, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: list(page.model.numbers) == [2, 1, 3])
    assert listed(page, qtbot, RunFilter(measured_min=20.0, measured_max=100.0)) == [1]


def test_the_attempts_at_a_level_are_listed_by_metres(window, qtbot):
    open_page(window, qtbot, lambda project: add_throws(project, 25.31))
    panel = AttemptsPanel()
    rows = []
    qtbot.addWidget(panel)
    window.project.ask(lambda project: project.attempts.newest(), rows.extend)
    qtbot.waitUntil(lambda: bool(rows))
    panel.show_attempts(rows)
    assert panel.model.headerData(2, Qt.Orientation.Horizontal) == "Distance"
    assert panel.model.index(0, 2).data() == "25.3 m"


# The list ------------------------------------------------------------------------------------------------------------


def test_the_newest_attempt_stands_first_with_all_that_is_known_of_it(page):
    assert list(page.model.numbers) == [4, 3, 2, 1]
    assert cells(page, 2)[:15] == [
        *("2", "Two segments", ONE.caption(FIRST), "birch", "Model", "0.00", "", "Not passed"),
        *("", "", "As it is", "With", "0:20", "900", "0.0200"),
    ]
    assert page._count.text() == "4 attempts"


def test_an_empty_project_says_how_attempts_come_about(window, qtbot):
    page = open_page(window, qtbot)
    assert page._stack.currentIndex() == 1
    assert "Solve a task" in page.empty.text.text()
    assert not page.empty.button.isVisible()


def test_a_filter_that_nothing_fits_says_so_and_can_be_cleared(page, qtbot):
    assert listed(page, qtbot, RunFilter(text="nowhere")) == []
    assert page.empty.heading.text() == "No attempt matches"
    page.empty.button.click()
    assert listed(page, qtbot) == [4, 3, 2, 1]


def test_typing_searches_in_the_raw_words_after_a_moment(page, qtbot):
    qtbot.keyClicks(page.filters.search, "turned")
    qtbot.waitUntil(lambda: list(page.model.numbers) == [2])
    assert page._count.text() == "1 of 4 attempts"


def test_the_last_of_many_filters_wins(page, qtbot):
    for run_filter in (RunFilter(passed=True), RunFilter(who=("cedar",)), RunFilter(who=("birch",))):
        page.filters.set_filter(run_filter)
    assert listed(page, qtbot) == [4, 2]


def test_a_click_on_a_header_sorts_and_another_one_turns_it_round(page, qtbot):
    header = page.table.horizontalHeader()
    header.setSortIndicator(12, Qt.SortOrder.AscendingOrder)
    assert listed(page, qtbot) == [3, 4, 2, 1]
    header.setSortIndicator(12, Qt.SortOrder.DescendingOrder)
    assert listed(page, qtbot) == [1, 2, 4, 3]


def test_choosing_in_a_list_makes_a_chip_and_a_click_on_it_takes_the_filter_away(page, qtbot):
    page.filters.who._list.item(1).setCheckState(Qt.CheckState.Checked)
    assert listed(page, qtbot) == [4, 2]
    (chip,) = page.filters._chips.findChildren(Chip)
    assert chip.text() == "Who: birch"
    chip.click()
    assert listed(page, qtbot) == [4, 3, 2, 1]


def test_ranges_and_dates_are_filters_too(page, qtbot):
    low, high = page.filters.ranges["Time, s"]._fields
    low.setText("5")
    high.setText("25")
    high.editingFinished.emit()
    assert listed(page, qtbot) == [4, 2]
    page.filters.dates._fields[1].setText("2001-01-01")
    page.filters.dates._fields[1].editingFinished.emit()
    assert listed(page, qtbot) == []
    assert [words for words, _ in active(page.filters.run_filter)] == [
        "Time, s: 5.0 to 25.0",
        "Submitted: up to 2001-01-01",
    ]


def test_every_author_can_be_chosen(page, qtbot):
    page.filters.actor.setCurrentIndex(page.filters.actor.findData(Actor.PERSON))
    assert listed(page, qtbot) == [1]


def test_filters_and_columns_are_as_they_were_left(open_window, qtbot):
    window = open_window()
    page = open_page(window, qtbot, fill)
    page.filters.set_filter(RunFilter(who=("birch",), batch=1))
    page.table.horizontalHeader().moveSection(3, 0)
    page.table.setColumnWidth(1, 222)
    window.close()
    again = open_page(open_window(), qtbot)
    assert again.filters.run_filter == RunFilter(who=("birch",))
    assert again.table.horizontalHeader().visualIndex(3) == 0
    assert again.table.columnWidth(1) == 222


def test_new_attempts_appear_and_the_selection_stays(window, page, qtbot):
    choose(page, qtbot, 2)
    window.project.tell(lambda project: project.attempts.add(FIRST, SOLVED, Actor.REFERENCE), announce=True)
    qtbot.waitUntil(lambda: list(page.model.numbers) == [5, 4, 3, 2, 1])
    assert page.table.selected_numbers() == [2]
    assert page.table.current_number == 2


def test_what_another_program_stores_is_noticed(window, page, qtbot):
    with Project.open(window.project.path) as other:
        other.judgements.override_score(2, 0.75, False, "nearly", "Emmy")
    qtbot.waitUntil(lambda: cells(page, 2)[5] == "0.75")


def test_rows_are_read_in_blocks_and_only_where_one_looks(qtbot):
    asked = []
    model = RunsModel(lambda question, done: asked.append(question))
    model.replace(range(100_000))
    model.row(50_000)
    model.row(50_001)
    qtbot.waitUntil(lambda: len(asked) == 1)

    class Reads:
        def rows(self, numbers):
            assert list(numbers) == list(range(50_000, 50_000 + BLOCK))
            return []

    asked[0](SimpleNamespace(runs=Reads()))


def test_the_block_that_was_looked_at_last_is_read_first(qtbot):
    answers = []
    order = []
    model = RunsModel(lambda question, done: answers.append((question, done)))
    model.replace(range(10_000))

    class Reads:
        def rows(self, numbers):
            order.append(numbers[0] // BLOCK)
            return []

    for block in (0, 7, 3):
        model.row(block * BLOCK)
    qtbot.waitUntil(lambda: bool(answers))
    while answers:
        question, done = answers.pop()
        done(question(SimpleNamespace(runs=Reads())))
    assert order == [3, 7, 0]


@pytest.mark.slow
def test_a_hundred_thousand_attempts_are_listed_to_the_last(window, qtbot):
    from tools.bench.runs import fill as fill_with_many

    window.project.tell(lambda project: fill_with_many(project, 1_000))
    window.project.flush()
    multiply(window.project.path, rows=1_000, times=100)
    page = open_page(window, qtbot)
    assert page._count.text() == "100,000 attempts"
    page.table.scrollToBottom()
    qtbot.waitUntil(lambda: page.model.row(99_999) is not None)
    page.table.selectAll()
    assert len(page.table.selected_numbers()) == 100_000


def multiply(path, rows, times):
    """Writes copies of the first attempts behind them, as quickly as SQLite can."""
    connection = sqlite3.connect(path)
    for table, key in (("attempts", "id"), ("facts", "attempt")):
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})") if name != key]
        listed = ", ".join(columns)
        connection.execute(
            f"INSERT INTO {table} ({key}, {listed})"
            f" SELECT {key} + {rows} * step, {listed} FROM {table}, (SELECT value AS step FROM json_each(?))",
            (json.dumps(list(range(1, times))),),
        )
    connection.commit()
    connection.close()


# One attempt ---------------------------------------------------------------------------------------------------------


def test_a_chosen_attempt_is_drawn_with_its_verdict_and_all_verifiers_to_choose_from(page, qtbot):
    choose(page, qtbot, 1)
    detail = page.detail
    assert detail.stage.view is not None
    assert detail.verdict_panel._word.text() == "Passed"
    assert [detail.verifier.itemData(i) for i in range(3)] == ["default", "published", "crosscheck"]
    detail.verifier.setCurrentIndex(2)
    assert detail.verdict_panel._note.text().startswith("crosscheck")


def test_what_was_asked_said_and_spent_stands_in_the_tabs(page, qtbot):
    choose(page, qtbot, 2)
    detail = page.detail
    assert detail.prompt_panel.text.toPlainText() == "Draw two segments"
    assert detail.raw.text.toPlainText() == "Here is my scarlet answer"
    assert detail.reasoning.text.toPlainText() == "I turned it over"
    assert detail.usage.tries.topLevelItem(0).text(4) == "rate limit: too many requests"
    assert detail.usage._form.rowCount() == 5


def test_a_persons_attempt_shows_the_tasks_prompt_and_the_answer(page, qtbot):
    choose(page, qtbot, 1)
    detail = page.detail
    assert detail.prompt_panel.text.toPlainText() == ONE.prompt(FIRST).text
    assert SOLVED in detail.raw.text.toPlainText()
    assert detail.reasoning.text.toPlainText() == NO_REASONING


def test_an_answer_that_cannot_be_read_shows_the_instance_alone_and_says_why(page, qtbot):
    choose(page, qtbot, 3)
    assert page.detail._trouble.isVisible()
    assert "cannot be read" in page.detail._trouble.text()
    assert page.detail.stage.view is not None


def test_a_long_text_is_cut_on_the_screen_and_copied_whole(page, qtbot):
    choose(page, qtbot, 1)
    page.detail.raw.show_text("x" * 150_000)
    assert "150,000" in page.detail.raw._note.text()
    next(button for button in page.detail.raw.findChildren(QAbstractButton)).click()
    assert len(QApplication.clipboard().text()) == 150_000


def test_opening_an_attempt_puts_its_answer_into_the_editor(window, page, qtbot):
    choose(page, qtbot, 2)
    page.buttons.open.click()
    qtbot.waitUntil(lambda: window.workspace is not None)
    answer = ONE.parse(FLAWED)
    qtbot.waitUntil(lambda: window.workspace.document.answer == answer)
    assert window.workspace.document.undo_stack.canUndo()


def test_opening_an_attempt_goes_to_the_tab_that_is_open_already(window, workspace, qtbot):
    page = open_page(window, qtbot, fill)
    choose(page, qtbot, 2)
    page.buttons.open.click()
    qtbot.waitUntil(lambda: workspace.document.answer == ONE.parse(FLAWED))
    assert window.workspace is workspace


def test_two_attempts_at_one_instance_are_compared(window, page, qtbot):
    choose(page, qtbot, 1, 2)
    page.buttons.compare.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ComparePage))
    assert window.tabs.currentWidget().title.startswith("Attempt 1 · Ada and Attempt 2 · birch")


def test_attempts_at_different_instances_are_not_compared_and_the_reason_is_told(window, page, qtbot):
    choose(page, qtbot, 2, 4)
    page.buttons.compare.click()
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


def test_a_comparison_tells_scores_checks_and_tokens_and_marks_what_differs(window, page, qtbot):
    table = figures(compared(window, page, qtbot, 1, 2))
    assert table["Figures", "Score"] == ["≠", "1.00", "0.00"]
    assert table["Figures", "Output tokens"] == ["≠", "–", "900"]
    assert table["Verifiers", "default"] == ["≠", "1.00, passed", "0.00, not passed"]
    checks = [name for group, name in table if group == "Checks"]
    assert checks == [check.name for check in judge(FIRST.address, FLAWED)[0].checks]


def test_a_comparison_can_be_cut_down_to_what_differs(window, page, qtbot):
    comparison = compared(window, page, qtbot, 1, 2)
    comparison.show_figures()
    comparison.figures.only_differences.click()
    group = comparison.figures.tree.topLevelItem(0)
    assert {group.child(j).text(1) for j in range(group.childCount()) if not group.child(j).isHidden()} == {"≠"}


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


def test_what_a_judge_said_is_shown_with_confidence_justification_and_evidence(window, qtbot):
    judgement = {
        "confidence": 0.8,
        "justification": "<b>One is missing.</b>",
        "evidence_tags": ["off by one"],
        "judge": "elm",
    }

    def filling(project):
        fill(project)
        project.judgements.add_label(2, "ok", "Near-Miss Edge Case", json.dumps(judgement))

    page = open_page(window, qtbot, filling)
    choose(page, qtbot, 2)
    form = page.detail.failure.form
    shown = {form.itemAt(k, form.ItemRole.LabelRole).widget().text(): form.itemAt(k, form.ItemRole.FieldRole).widget()
             for k in range(form.rowCount()) if form.itemAt(k, form.ItemRole.LabelRole)}  # fmt: skip
    assert [shown[name].text() for name in ("Failure mode", "Confidence", "Evidence", "Judge")] == [
        *("Near-Miss Edge Case", "80%", "off by one", "elm"),
    ]
    assert shown["Justification"].text() == "<b>One is missing.</b>"
    assert "confidence 80%. <b>One is missing.</b>" in page.detail.history.topLevelItem(0).text(2)


def test_lines_that_correspond_stand_beside_each_other():
    lines = differences("a\nb\nc", "a\nx\ny\nc")
    assert [(line.left, line.right, line.differs) for line in lines] == [
        *(("a", "a", False), ("b", "x", True), (None, "y", True), ("c", "c", False)),
    ]


def test_an_agents_run_is_replayed_and_others_cannot_be(window, qtbot):
    page = open_page(window, qtbot, lambda project: (fill(project), add_recorded_run(project)))
    choose(page, qtbot, 2)
    assert not page.buttons.replay.isEnabled()
    choose(page, qtbot, 5)
    page.buttons.replay.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ReplayPage))


# Judging again, and overriding ---------------------------------------------------------------------------------------


def spoil(project):
    """An attempt whose stored default verdict is wrong."""
    fill(project)
    default, *rest = judge(FIRST.address, SOLVED)
    wrong = default.model_copy(
        update={"score": 0.25, "passed": False, "version": "0", "checks": (Check.of("old", [Problem("Wrong")]),)}
    )
    project.attempts.add(FIRST, SOLVED, Actor.MODEL, "cedar", verdicts=(wrong, *rest))


def test_verifying_again_says_when_nothing_changed(page, qtbot):
    choose(page, qtbot, 1)
    page.buttons.verify_menu.selected.trigger()
    qtbot.waitUntil(lambda: "nothing changed" in page.verifying.panel.words.text())
    assert not page.verifying.panel.list.isVisible()


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
    qtbot.waitUntil(lambda: cells(page, 0)[5] == "1.00")


def test_an_attempt_that_the_filters_hide_is_shown_all_the_same(window, page, qtbot):
    listed(page, qtbot, RunFilter(passed=True))
    page.show_attempt(2)
    assert "hide it" in window.statusBar().currentMessage()
    qtbot.waitUntil(lambda: page.is_idle)
    assert page.detail.dossier.row.number == 2
    choose(page, qtbot, 1)
    page.table.clearSelection()
    qtbot.waitUntil(lambda: page.is_idle and page.detail.dossier is None)


def test_all_in_the_list_are_judged_again_only_after_a_question(page, qtbot):
    listed(page, qtbot, RunFilter(who=("birch",)))
    page.buttons.verify_menu.listed.trigger()
    box = page.findChild(QMessageBox)
    assert box.text().startswith("2 attempts will be judged")
    next(button for button in box.buttons() if button.text().startswith("Verify")).click()
    qtbot.waitUntil(lambda: "2 attempts verified again" in page.verifying.panel.words.text())


def test_judging_again_can_be_cancelled(window, qtbot):
    page = open_page(window, qtbot, fill)
    page.verifying.verify_again([1, 2, 3, 4] * 200)
    page.verifying.panel.cancel.click()
    assert page.verifying.panel.words.text().startswith("Stopped.")
    assert page.buttons.verify.isEnabled()
    qtbot.waitUntil(lambda: window.jobs.long.current is None)


def test_an_overridden_score_counts_and_the_original_stays_visible_until_it_is_withdrawn(page, qtbot):
    choose(page, qtbot, 2)
    page.buttons.override.click()
    dialog = page.findChild(OverrideDialog)
    assert not dialog.ok.isEnabled()
    dialog.score.setValue(1.0)
    dialog.passed.setChecked(True)
    dialog.reason.setPlainText("the rule is ambiguous")
    dialog.ok.click()
    qtbot.waitUntil(lambda: cells(page, 2)[5:8] == ["1.00", "", "Passed"])
    qtbot.waitUntil(lambda: page.detail._override.isVisible())
    words = "Overridden: 0.00 → 1.00 by somebody: the rule is ambiguous"
    assert page.detail._override.text() == words
    assert "was 0.00" in page.model.index(2, 5).data(Qt.ItemDataRole.ToolTipRole)
    qtbot.waitUntil(lambda: page.findChild(OverrideDialog) is None)

    page.buttons.override.click()
    page.findChild(OverrideDialog).withdraw.click()
    qtbot.waitUntil(lambda: cells(page, 2)[5] == "0.00")
    qtbot.waitUntil(lambda: page.detail.history.topLevelItem(0).text(1) == "Override withdrawn")


# Everywhere ----------------------------------------------------------------------------------------------------------


def test_every_control_of_the_runs_pages_has_a_name(window, page, qtbot):
    window.actions_registry["runs.disagreements"].trigger()
    kinds = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox)
    nameless = [
        widget
        for kind in kinds
        for widget in window.findChildren(kind)
        if not widget.objectName().startswith("qt_")
        and not isinstance(widget.parent(), QAbstractSpinBox | QComboBox)
        and widget.isEnabled()
        and widget.isVisible()
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]
    assert nameless == []


def test_the_page_may_be_closed_while_everything_is_on_its_way(window, page, qtbot):
    page.table.select_numbers([1])
    page.verifying.verify_again([1, 2, 3, 4])
    page.filters.set_filter(RunFilter(text="scarlet"))
    window.pages.close(page)
    qtbot.waitUntil(lambda: window.jobs.long.current is None and window.jobs.live.current is None)
    window.project.flush()
    qtbot.wait(100)
    assert window.tabs.count() == 1


def test_light_and_dark_reach_the_drawing(window, page, qtbot):
    choose(page, qtbot, 1)
    before = page.detail.stage.view.theme.name
    window.actions_registry["view.theme"].trigger()
    assert page.detail.stage.view.theme.name != before


def test_attempts_of_people_are_exported_from_the_list(window, qtbot, tmp_path, monkeypatch):
    page = open_page(window, qtbot, lambda project: project.attempts.add(FIRST, SOLVED, Actor.PERSON, "Ada", 300.0))
    path = tmp_path / "people.jsonl"
    monkeypatch.setattr("spatial_workbench.app.runs.buttons.choose_export_file", lambda parent, name: ("jsonl", path))
    page.buttons.export_menu.listed.trigger()
    qtbot.waitUntil(path.exists)
    assert '"model": "Ada"' in path.read_text()


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
