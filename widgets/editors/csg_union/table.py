"""The table of vertices: exact coordinates to read and to type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.qt import Index

HEADERS = ("x cm", "y cm", "z cm")
EDITABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


class VertexModel(QAbstractTableModel):
    """The vertices as rows.

    Signals:
        typed(int, int, float): vertex, axis, and its new coordinate.
    """

    typed = Signal(int, int, float)

    def __init__(self) -> None:
        super().__init__()
        self.vertices: Floats = np.zeros((0, 3))

    def show_vertices(self, vertices: Floats) -> None:
        """Shows these vertices."""
        if vertices is self.vertices:
            return
        if len(vertices) == len(self.vertices):
            self.vertices = vertices
            if len(vertices):
                self.dataChanged.emit(self.index(0, 0), self.index(len(vertices) - 1, 2))
            return
        self.beginResetModel()
        self.vertices = vertices
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.vertices)

    def columnCount(self, parent: Index | None = None) -> int:
        return 3

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return HEADERS[section] if orientation == Qt.Orientation.Horizontal else str(section)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        value = float(self.vertices[index.row(), index.column()])
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{round(value, 3) + 0.0:.6g}"
        if role in (Qt.ItemDataRole.EditRole, Qt.ItemDataRole.ToolTipRole):
            return repr(value)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return EDITABLE

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        try:
            number = float(str(value).replace(",", "."))
        except ValueError:
            return False
        if not np.isfinite(number):
            return False
        self.typed.emit(index.row(), index.column(), number)
        return True


class VertexTable(QTableView):
    """Shows vertices, and which are selected.

    Signals:
        chosen(tuple[int, ...]): the person selected rows.
    """

    chosen = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Vertices"))
        self.setToolTip(tr("Double-click or F2 to type an exact coordinate"))
        self.rows = VertexModel()
        self.setModel(self.rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setDefaultSectionSize(22)
        self._is_updating = False
        self._chosen_rows: list[int] = []
        self.selectionModel().selectionChanged.connect(self._selected)
        self.rows.modelReset.connect(self._forget_selection)

    def select(self, vertices: Sequence[int]) -> None:
        """Selects rows without emitting `chosen`."""
        if list(vertices) == self._chosen_rows:
            return
        self._chosen_rows = list(vertices)
        chosen = QItemSelection()
        for first, last in _runs(vertices):
            chosen.select(self.rows.index(first, 0), self.rows.index(last, 2))
        self._is_updating = True
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._is_updating = False
        if len(vertices) == 1:
            self.scrollTo(self.rows.index(vertices[0], 0))

    def _forget_selection(self) -> None:
        """Called when the rows have been replaced."""
        self._chosen_rows = []
        self.clearSelection()

    def _selected(self) -> None:
        if not self._is_updating and self.hasFocus():
            self.chosen.emit(tuple(sorted(index.row() for index in self.selectionModel().selectedRows())))


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last number of each run without gaps."""
    ordered = np.array(sorted(numbers), int)
    for run in np.split(ordered, np.flatnonzero(np.diff(ordered) > 1) + 1):
        if len(run):
            yield int(run[0]), int(run[-1])
