"""The runs browser: what is listed, what is shown, and what stays when it is opened again."""

import json
import sqlite3

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit

from spatial_workbench.engine.store import Actor, Project, RunFilter
from tests.app.runs.conftest import FIRST, ONE, SOLVED, cells, choose, fill, listed, open_page


def test_the_newest_attempt_stands_first_with_all_that_is_known_of_it(page):
    assert list(page.model.numbers) == [4, 3, 2, 1]
    titles = (
        "#",
        "Task",
        "Instance",
        "No.",
        "Who",
        "Author",
        "Score",
        "Result",
        "Failed check",
        "Read",
        "Tools",
        "Time",
    )
    assert cells(page, 2, *titles) == [
        *("2", "Two segments", ONE.caption(FIRST), "0", "birch", "Model", "0.00", "Not passed"),
        *("on the grid", "As it is", "With", "0:20"),
    ]
    assert cells(page, 2, "Repeat", "Tokens in", "Tokens out", "Reasoning", "Cost, $") == ["1", "", "900", "", "0.0200"]
    assert cells(page, 1, "Result", "Read") == ["Unreadable", "Truncated"]
    assert page._count.text() == "4 attempts"


def test_an_empty_project_says_how_attempts_come_about(window, qtbot):
    page = open_page(window, qtbot)
    assert page._stack.currentIndex() == 1
    assert "Solve a task" in page.empty.text.text()
    assert not page.empty.button.isVisible()


@pytest.mark.slow
def test_filters_and_columns_are_as_they_were_left(open_window, qtbot):
    window = open_window()
    page = open_page(window, qtbot, fill)
    page.filters.set_filter(RunFilter(who=("birch",), batch=1))
    page.table.horizontalHeader().moveSection(3, 0)
    page.table.setColumnWidth(1, 222)
    window.close()
    again = open_page(open_window(), qtbot)
    assert again.filters.run_filter == RunFilter(who=("birch",), batch=1)
    assert again.table.horizontalHeader().visualIndex(3) == 0
    assert again.table.columnWidth(1) == 222


@pytest.mark.slow
def test_new_attempts_appear_and_the_selection_stays(window, page, qtbot):
    choose(page, qtbot, 2)
    window.project.tell(lambda project: project.attempts.add(FIRST, SOLVED, Actor.REFERENCE), announce=True)
    qtbot.waitUntil(lambda: list(page.model.numbers) == [5, 4, 3, 2, 1])
    assert page.table.selected_numbers() == [2]
    assert page.table.current_number == 2


@pytest.mark.slow
def test_what_another_program_stores_is_noticed(window, page, qtbot):
    with Project.open(window.project.path) as other:
        other.judgements.override_score(2, 0.75, False, "nearly", "Emmy")
    qtbot.waitUntil(lambda: cells(page, 2, "Score") == ["0.75"])


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


@pytest.mark.slow
def test_an_attempt_that_the_filters_hide_is_shown_all_the_same(window, page, qtbot):
    listed(page, qtbot, RunFilter(passed=True))
    page.show_attempt(2)
    assert "hide it" in window.statusBar().currentMessage()
    qtbot.waitUntil(lambda: page.is_idle)
    assert page.detail.dossier.row.number == 2
    choose(page, qtbot, 1)
    page.table.clearSelection()
    qtbot.waitUntil(lambda: page.is_idle and page.detail.dossier is None)


@pytest.mark.slow
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


@pytest.mark.slow
def test_light_and_dark_reach_the_drawing(window, page, qtbot):
    choose(page, qtbot, 1)
    before = page.detail.stage.view.theme.name
    window.actions_registry["view.theme"].trigger()
    assert page.detail.stage.view.theme.name != before
