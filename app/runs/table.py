"""The table of the runs browser: its columns, its order, and the selected attempts by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from spatial_workbench.app.attempts.columns import COLUMNS
from spatial_workbench.app.runs.model import RunsModel
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunRow


class RunsTable(QTableView):
    """Attempts in rows. Selection and scroll position follow their attempts when others are listed.

    Signals:
        chosen(): the selection changed, or other attempts are listed.
        ordered(): the user wants another order.
    """

    chosen = Signal()
    ordered = Signal()

    def __init__(self, runs: RunsModel) -> None:
        super().__init__()
        self._runs = runs
        self.setModel(runs)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Attempts")
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self._set_up_header()
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    @property
    def order(self) -> tuple[str, bool]:
        """What the project sorts the attempts by, and whether the largest come first."""
        header = self.horizontalHeader()
        column = header.sortIndicatorSection()
        return COLUMNS[column].by, header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder

    @property
    def current_number(self) -> int | None:
        """The number of the attempt with the cursor."""
        index = self.currentIndex()
        return self._runs.numbers[index.row()] if index.isValid() else None

    @property
    def selected_count(self) -> int:
        """How many attempts are selected."""
        return sum(block.height() for block in self._blocks())

    @property
    def only_selected(self) -> RunRow | None:
        """The selected attempt if it is the only one and has been read."""
        return self._runs.row(self._blocks()[0].top()) if self.selected_count == 1 else None

    def selected_numbers(self) -> list[int]:
        """The numbers of the selected attempts, from the top."""
        blocks = sorted((block.top(), block.bottom()) for block in self._blocks())
        return [self._runs.numbers[i] for top, bottom in blocks for i in range(top, bottom + 1)]

    def select_numbers(self, numbers: Sequence[int]) -> None:
        """Selects those of these attempts that are listed, and scrolls to the first."""
        place = self._places()
        rows = sorted(place[number] for number in numbers if number in place)
        self._select_rows(rows)
        if rows:
            self._move_cursor(rows[0])
            self.scrollTo(self._runs.index(rows[0], 0))

    def list_numbers(self, numbers: Sequence[int]) -> None:
        """Lists these attempts."""
        if numbers == self._runs.numbers:
            self._runs.refresh()
            return
        chosen = self.selected_numbers()
        current = self.current_number
        top = self.rowAt(0)
        # At the top of the list new attempts should come into view; elsewhere the position should stay.
        anchor = self._runs.numbers[top] if top > 0 else None
        self.selectionModel().blockSignals(True)
        self._runs.replace(numbers)
        place = self._places() if chosen or anchor or current else {}
        self._select_rows(sorted(place[number] for number in chosen if number in place))
        if current in place:
            self._move_cursor(place[current])
        self.selectionModel().blockSignals(False)
        if anchor in place:
            self.verticalScrollBar().setValue(place[anchor])
        self.chosen.emit()

    def _set_up_header(self) -> None:
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setHighlightSections(False)
        header.setSortIndicatorShown(True)
        header.setSectionsClickable(True)
        header.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
        header.setToolTip("Click to sort, drag to move, drag an edge to resize")
        header.sortIndicatorChanged.connect(lambda *_: self.ordered.emit())
        for i, column in enumerate(COLUMNS):
            self.setColumnWidth(i, column.width)

    def _blocks(self) -> list[QItemSelectionRange]:
        """The selected rows, in blocks."""
        return self.selectionModel().selection().toList()

    def _places(self) -> dict[int, int]:
        """The row of each attempt, by its number."""
        return {number: i for i, number in enumerate(self._runs.numbers)}

    def _move_cursor(self, row: int) -> None:
        index = self._runs.index(row, 0)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _select_rows(self, rows: Sequence[int]) -> None:
        selection = QItemSelection()
        for first, last in _spans(rows):
            left = self._runs.index(first, 0)
            right = self._runs.index(last, len(COLUMNS) - 1)
            selection.append(QItemSelectionRange(left, right))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)


def _spans(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted row numbers as spans without gaps: [1, 2, 3, 7] gives [(1, 3), (7, 7)]."""
    spans: list[tuple[int, int]] = []
    for row in rows:
        if spans and row == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], row)
        else:
            spans.append((row, row))
    return spans
