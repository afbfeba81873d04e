"""Tables of results as cards."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine
from spatial_workbench.widgets.tables.table_view import TableCard
from tests.mouse_wheel import turn_wheel

ROWS = 40


@pytest.fixture
def page(qtbot):
    """A page that scrolls a high table with a pinned column, and has room below it."""
    headings = tuple(Heading(f"run {k}") for k in range(12))
    lines = tuple(TableLine(f"task {k}", tuple(TableCell(str(k)) for _ in headings)) for k in range(ROWS))
    card = TableCard(Table("Scores", "Task", headings, lines, pinned=1))
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.addWidget(card)
    column.addSpacing(2000)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inner)
    area.resize(600, 400)
    qtbot.addWidget(area)
    area.show()
    qtbot.waitExposed(area)
    area.card = card
    return area


def heights(page):
    """Where the headings of columns, of the pinned column and of the titles of rows are on the page as it is seen."""
    grid = page.card.grid
    parts = (grid.horizontalHeader(), grid._pinned.horizontalHeader(), grid._first)
    return [part.mapTo(page.viewport(), QPoint()).y() for part in parts]


def test_headings_stay_in_sight_while_rows_below_them_are_seen(page):
    (before,) = set(heights(page))
    assert before > 0
    bar = page.verticalScrollBar()
    bar.setValue(before + 300)
    assert heights(page) == [0, 0, 0]
    page.card.grid._pinned.updateGeometries()
    page.card.grid.updateGeometries()
    assert heights(page) == [0, 0, 0]
    bar.setValue(0)
    assert heights(page) == [before] * 3


def test_headings_go_with_the_last_row(page):
    grid = page.card.grid
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    assert max(heights(page)) < 0
    assert grid.horizontalHeader().geometry().bottom() < grid.height()


def test_the_horizontal_bar_is_in_sight_while_rows_above_it_are_seen(page):
    bar = page.card.grid.horizontalScrollBar()

    def bottom():
        return bar.mapTo(page.viewport(), QPoint(0, bar.height())).y()

    assert bottom() == page.viewport().height()
    page.verticalScrollBar().setValue(page.card.grid.height())
    assert 0 < bottom() < page.viewport().height()
    assert bar.mapTo(page.card.grid, QPoint(0, bar.height())).y() == page.card.grid.height()


@pytest.mark.parametrize("part", ["the table", "its pinned column"])
def test_shift_and_the_wheel_scroll_sideways(page, part):
    grid = page.card.grid
    over = grid.viewport() if part == "the table" else grid._pinned.viewport()
    turn_wheel(over, -1, Qt.KeyboardModifier.ShiftModifier)
    assert grid.horizontalScrollBar().value() > 0
    assert page.verticalScrollBar().value() == 0
