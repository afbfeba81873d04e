"""The table of the runs browser: its columns, its order, and the selected attempts by their numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QMenu, QTableView

from spatial_workbench.app.runs.heads import HeadDelegate
from spatial_workbench.app.runs.lines import RunListing
from spatial_workbench.app.runs.model import RunsModel
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT
from spatial_workbench.widgets.tables.sorted_header import SortedHeader

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunRow

_TURNING: dict[int, bool | None] = {
    Qt.Key.Key_Left: False,
    Qt.Key.Key_Right: True,
    Qt.Key.Key_Space: None,
    Qt.Key.Key_Return: None,
    Qt.Key.Key_Enter: None,
}
"""The keys that close (False) or open (True) the group at the cursor, or do the other (None)."""


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
        self.setItemDelegate(HeadDelegate(self, runs))
        self.pressed.connect(self._take_press)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    @property
    def order(self) -> tuple[str, bool]:
        """What the project sorts the attempts by, and whether the largest come first."""
        header = self.horizontalHeader()
        section = header.sortIndicatorSection()
        # The column of a verifier may have gone.
        column = self._runs.columns[section if section < len(self._runs.columns) else 0]
        return column.by, header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder

    @property
    def current_number(self) -> int | None:
        """The number of the attempt with the cursor."""
        index = self.currentIndex()
        line = self._runs.lines[index.row()] if index.isValid() else 0
        return line if line > 0 else None

    @property
    def selected_count(self) -> int:
        """How many attempts are selected."""
        return sum(block.height() for block in self._blocks()) if not self._is_grouped else len(self.selected_numbers())

    @property
    def only_selected(self) -> RunRow | None:
        """The selected attempt if it is the only one and has been read."""
        rows = self._selected_rows() if self.selected_count == 1 else []
        return self._runs.row(rows[0]) if rows else None

    def read_rows(self, most: int) -> list[RunRow]:
        """The selected attempts that have been read, from the top; none if more are selected than `most`."""
        if self.selected_count > most:
            return []
        return [row for row in map(self._runs.row, self._selected_rows()) if row is not None]

    def selected_numbers(self) -> list[int]:
        """The numbers of the selected attempts, from the top."""
        return [self._runs.lines[row] for row in self._selected_rows()]

    def select_numbers(self, numbers: Sequence[int]) -> None:
        """Selects those of these attempts that are listed, and scrolls to the first."""
        place = self._places()
        rows = sorted(place[number] for number in numbers if number in place)
        self._select_rows(rows)
        if rows:
            self._move_cursor(rows[0])
            self.scrollTo(self._runs.index(rows[0], 0))

    def show_listing(self, listing: RunListing) -> None:
        """Lists these attempts or groups."""
        if listing == self._runs.listing:
            self._runs.refresh()
        else:
            self._relist(listing)

    def open_groups(self, keys: Collection[str]) -> None:
        """Shows the attempts of these groups, and only the heads of the others."""
        self._runs.opened = set(keys)
        self._relist(self._runs.listing)

    def turn_group(self, row: int) -> None:
        """Opens a group if it is closed, or closes it."""
        group = self._runs.group(row)
        if group is not None:
            self.open_groups(self._runs.opened ^ {group.key})
            self._move_cursor(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        group = self._runs.group(index.row()) if index.isValid() else None
        if group is None or event.key() not in _TURNING:
            super().keyPressEvent(event)
            return
        wanted = _TURNING[event.key()]
        if wanted is None or wanted != (group.key in self._runs.opened):
            self.turn_group(index.row())

    @property
    def _is_grouped(self) -> bool:
        return bool(self._runs.listing.grouped_by)

    def _selected_rows(self) -> list[int]:
        """The rows of the selected attempts, from the top; a selection over several groups contains their heads."""
        blocks = sorted((block.top(), block.bottom()) for block in self._blocks())
        rows = [row for top, bottom in blocks for row in range(top, bottom + 1)]
        return [row for row in rows if self._runs.lines[row] > 0] if self._is_grouped else rows

    def _take_press(self, index: Index) -> None:
        """Turns the group that was pressed; a second press, of a double click, does not turn it back."""
        row = index.row()
        if self._runs.group(row) is not None and QApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            QTimer.singleShot(0, self, lambda: self.turn_group(row))

    def _relist(self, listing: RunListing) -> None:
        chosen = self.selected_numbers()
        current = self.current_number
        top = self.rowAt(0)
        # At the top of the list new attempts should come into view; elsewhere the position should stay.
        anchor = self._runs.lines[top] if top > 0 else None
        place_px = self.verticalScrollBar().value()
        self.selectionModel().blockSignals(True)
        self._runs.replace(listing)
        place = self._places() if chosen or anchor or current else {}
        self._select_rows(sorted(place[number] for number in chosen if number in place))
        if current in place:
            self._move_cursor(place[current])
        self.selectionModel().blockSignals(False)
        if anchor in place:
            self.verticalScrollBar().setValue(place[anchor])
        elif self._is_grouped:
            self.verticalScrollBar().setValue(place_px)
        self.chosen.emit()

    def _set_up_header(self) -> None:
        header = SortedHeader(self)
        self.setHorizontalHeader(header)
        header.setSectionsMovable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
        header.sortIndicatorChanged.connect(lambda *_: self.ordered.emit())
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._offer_columns)
        self._set_widths(0)
        self._runs.columnsInserted.connect(self._take_columns)

    def _take_columns(self, parent: QModelIndex, first: int, last: int) -> None:
        self._set_widths(first)

    def _set_widths(self, first: int) -> None:
        """Gives the columns from one on their widths; a heading with the arrow of the sorted column is never cut."""
        hint = self.horizontalHeader().sectionSizeHint
        for i, column in enumerate(self._runs.columns[first:], first):
            self.setColumnWidth(i, max(column.width, hint(i)))

    def _offer_columns(self, place: QPoint) -> None:
        """Opens the menu that shows and hides columns."""
        header = self.horizontalHeader()
        menu = QMenu(self)
        for i, column in enumerate(self._runs.columns):
            action = menu.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(not header.isSectionHidden(i))
            action.setEnabled(i > 0)
            action.toggled.connect(lambda on, section=i: header.setSectionHidden(section, not on))
        menu.setToolTip("Columns that are shown")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(header.mapToGlobal(place))

    def _blocks(self) -> list[QItemSelectionRange]:
        """The selected rows, in blocks."""
        return self.selectionModel().selection().toList()

    def _places(self) -> dict[int, int]:
        """The row of each attempt, by its number."""
        return {line: i for i, line in enumerate(self._runs.lines)}

    def _move_cursor(self, row: int) -> None:
        index = self._runs.index(row, 0)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _select_rows(self, rows: Sequence[int]) -> None:
        selection = QItemSelection()
        for first, last in _spans(rows):
            left = self._runs.index(first, 0)
            right = self._runs.index(last, len(self._runs.columns) - 1)
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
