"""Records of one kind as a table: its columns are data, and one model serves them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.tables.sorted_header import SortedHeader

ROW_HEIGHT = 28
"""In pixels."""
ROW = Qt.ItemDataRole.UserRole
"""The role of the record itself, for delegates."""
RowT = TypeVar("RowT")
_ROOT = QModelIndex()


def _nothing(row: Any) -> None:
    """No icon, and the same for all rows."""


def _no_words(row: Any) -> str:
    return ""


@dataclass(frozen=True)
class TableColumn(Generic[RowT]):
    """What a column shows of a record.

    Attributes:
        title: The heading.
        text: What the cell says.
        width: In pixels.
        is_figure: Whether it stands at the right.
        is_long: Whether the tooltip has the text, too, because it may not fit.
        icon: The name of an icon and its role in the theme; None: there is none.
        tip: More about the cell.
        color: The role of the text in the theme; empty: that of any text.
        key: What records are sorted by; None: the text.
        about: The tooltip of the heading; empty: the title.
    """

    title: str
    text: Callable[[RowT], str]
    width: int = 100
    is_figure: bool = False
    is_long: bool = False
    icon: Callable[[RowT], tuple[str, str] | None] = _nothing
    tip: Callable[[RowT], str] = _no_words
    color: Callable[[RowT], str] = _no_words
    key: Callable[[RowT], Any] | None = None
    about: str = ""

    @property
    def alignment(self) -> int:
        """Left or right."""
        side = Qt.AlignmentFlag.AlignRight if self.is_figure else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)

    def heading(self, role: int) -> Any:
        """What the heading has for a role of Qt."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.about or self.title or None
        return self.alignment if role == Qt.ItemDataRole.TextAlignmentRole else None

    def cell(self, row: RowT, role: int) -> Any:
        """What the cell of a record has for a role of Qt."""
        if role == Qt.ItemDataRole.DisplayRole:
            return with_marks(self.text(row))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment
        if role == Qt.ItemDataRole.ToolTipRole:
            return with_marks(self.tip(row) or (self.text(row) if self.is_long else "")) or None
        if role == Qt.ItemDataRole.DecorationRole:
            picture = self.icon(row)
            return None if picture is None else icon(*picture)
        if role == Qt.ItemDataRole.ForegroundRole:
            color = self.color(row)
            return appearance().theme.color(color) if color else None
        return row if role == ROW else None

    def sort_key(self, row: RowT) -> Any:
        """What a record is sorted by."""
        return self.text(row) if self.key is None else self.key(row)


class RowsModel(QAbstractTableModel, Generic[RowT]):
    """Records as rows.

    identity: what makes a record the same in a newer list. While all are the same, in the same order, the selection
        stays. By default, as many rows as before are the same.
    has_aligned_heads: whether headings stand above their cells, and not in the middle.

    Attributes:
        columns: What is shown of each record.
        rows: The records, in the order in which they are shown.
    """

    def __init__(
        self,
        columns: Sequence[TableColumn[RowT]],
        identity: Callable[[RowT], object] = _nothing,
        has_aligned_heads: bool = True,
    ) -> None:
        super().__init__()
        self.rows: tuple[RowT, ...] = ()
        self.columns = columns
        self._identity = identity
        self._has_aligned_heads = has_aligned_heads
        self._order: tuple[int, bool] | None = None

    def show_rows(self, rows: Sequence[RowT]) -> bool:
        """Shows other records; returns whether rows were added, removed or moved."""
        shown = self._sorted(rows)
        if shown == self.rows:
            return False
        is_other = [self._identity(row) for row in shown] != [self._identity(row) for row in self.rows]
        if is_other:
            self.beginResetModel()
        self.rows = shown
        if is_other:
            self.endResetModel()
        else:
            self.refresh()
        return is_other

    def show_columns(self, columns: Sequence[TableColumn[RowT]]) -> None:
        """Shows as many other columns."""
        self.columns = columns
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(columns) - 1)
        self.refresh()

    def refresh(self) -> None:
        """Shows the same records again: what the columns say of them may have changed."""
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def row_at(self, index: Index) -> RowT | None:
        """The record at an index of this model; None if there is none."""
        return self.rows[index.row()] if index.isValid() else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts the records by a column, those that are shown later, too. What is selected stays selected."""
        self._order = column, order == Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        before = self.rows
        self.rows = self._sorted(before)
        place = {id(row): number for number, row in enumerate(self.rows)}
        indexes = self.persistentIndexList()
        moved = [self.index(place[id(before[index.row()])], index.column()) for index in indexes]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_centred = role == Qt.ItemDataRole.TextAlignmentRole and not self._has_aligned_heads
        if orientation is not Qt.Orientation.Horizontal or is_centred:
            return None
        return self.columns[section].heading(role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return self.columns[index.column()].cell(self.rows[index.row()], role)

    def _sorted(self, rows: Sequence[RowT]) -> tuple[RowT, ...]:
        if self._order is None:
            return tuple(rows)
        column, is_descending = self._order
        return tuple(sorted(rows, key=self.columns[column].sort_key, reverse=is_descending))


def make_rows_table(
    model: QAbstractItemModel, columns: Sequence[TableColumn[Any]], name: str, several: bool = False
) -> QTableView:
    """A table in which whole rows are selected.

    name: for screen readers. several: whether more than one row can be selected.
    """
    modes = QAbstractItemView.SelectionMode
    table = QTableView()
    header = SortedHeader(table)
    table.setHorizontalHeader(header)
    table.setModel(model)
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    for place, column in enumerate(columns):
        table.setColumnWidth(place, max(column.width, header.sectionSizeHint(place)))
    return table
