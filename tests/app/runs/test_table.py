"""The order of the runs browser, and machines in metres."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.attempts.columns import COLUMNS
from spatial_workbench.app.workspace.attempts_panel import AttemptsPanel
from spatial_workbench.engine.core import Figure, Verdict, resolve
from spatial_workbench.engine.store import Actor, RunFilter
from tests.app.runs.conftest import cells, listed, open_page, section


def add_throws(project, *metres):
    """Throws at T2, each with what its verdict measured."""
    level = resolve("machine_throw:1")[1]
    for value in metres:
        figures = (Figure("R", 9 * value, "m²"), Figure("distance", value, "m"))
        verdict = Verdict(
            instance=level.address, verifier="default", version="1", score=1, passed=value > 0, figures=figures
        )
        project.attempts.add(level, "{}", Actor.MODEL, "cedar", verdicts=(verdict,))


@pytest.mark.slow
def test_machines_are_listed_sorted_and_filtered_by_metres_that_are_never_cut(window, qtbot):
    page = open_page(window, qtbot, lambda project: add_throws(project, 25.31, 147.2, 0.0))
    qtbot.waitUntil(lambda: [cells(page, row, "Measured") for row in range(3)] == [["0.0 m"], ["147.2 m"], ["25.3 m"]])
    page.table.horizontalHeader().setSortIndicator(section("Measured"), Qt.SortOrder.DescendingOrder)
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


@pytest.mark.slow
def test_a_click_on_a_header_sorts_and_another_one_turns_it_round(page, qtbot):
    header = page.table.horizontalHeader()
    header.setSortIndicator(section("Time"), Qt.SortOrder.AscendingOrder)
    assert listed(page, qtbot) == [3, 4, 2, 1]
    header.setSortIndicator(section("Time"), Qt.SortOrder.DescendingOrder)
    assert listed(page, qtbot) == [1, 2, 4, 3]


def test_the_sorted_column_has_an_arrow_beside_its_title_and_no_heading_is_cut(page):
    header = page.table.horizontalHeader()
    widths = {column.title: (header.sectionSize(k), header.sectionSizeHint(k)) for k, column in enumerate(COLUMNS)}
    assert [title for title, (width, needed) in widths.items() if width < needed] == []
    header.setSortIndicator(section("Score"), Qt.SortOrder.DescendingOrder)
    place = header.arrow_place(section("Score"))
    left = header.sectionViewportPosition(section("Score"))
    assert left <= place.left() < place.right() < left + header.sectionSize(section("Score"))
    assert header.arrow_place(section("Task")) is None
