"""The common parts of the leader's lists: a model of rows under headings that are aligned to the left."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 28
_ROOT = QModelIndex()
RowT = TypeVar("RowT")


class RowsModel(QAbstractTableModel, Generic[RowT]):
    """Rows under headings; subclasses say in `data` what the cells show."""

    heads: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[RowT, ...] = ()

    def show_rows(self, rows: tuple[RowT, ...]) -> None:
        """Replaces the rows, unless they are the same. As many as before keep the selection."""
        if rows == self.rows:
            return
        is_same_length = len(rows) == len(self.rows)
        if not is_same_length:
            self.beginResetModel()
        self.rows = rows
        if is_same_length:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.heads) - 1))
        else:
            self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return self.heads[section] if role == Qt.ItemDataRole.DisplayRole else None
