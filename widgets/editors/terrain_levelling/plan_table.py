"""The table of the plan: the blasts in their order, and the result of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.physics.rocks.rolling import Blast
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import Index

HEADERS = ("x", "y", "depth", "rock")
DEPTH = 2
ROCK = 3


class PlanModel(QAbstractTableModel):
    """The blasts, and with `shows_rock` where their rock went.

    Signals:
        depth_edited(int, float): the person typed another depth.
    """

    depth_edited = Signal(int, float)

    def __init__(self, shows_rock: bool) -> None:
        super().__init__()
        self._headers = HEADERS if shows_rock else HEADERS[:ROCK]
        self._charges: Sequence[Charge] = ()
        self._blasts: Sequence[Blast] = ()
        self._width = 1
        self._refused: int | None = None

    def show_plan(self, charges: Sequence[Charge], blasts: Sequence[Blast], width: int, refused: int | None) -> None:
        """Shows a plan with the results so far; `refused` is the blast that is not possible."""
        is_same_plan = charges == self._charges
        if not is_same_plan:
            self.beginResetModel()
        self._charges = charges
        self._blasts = blasts
        self._width = width
        self._refused = refused
        if not is_same_plan:
            self.endResetModel()
        elif charges:
            self.dataChanged.emit(self.index(0, 0), self.index(len(charges) - 1, len(self._headers) - 1))

    def is_same_cell(self, row: int, charges: Sequence[Charge]) -> bool:
        """Whether a row of another plan has the same cell as that row of this plan."""
        if row >= min(len(self._charges), len(charges)):
            return False
        return (charges[row].x, charges[row].y) == (self._charges[row].x, self._charges[row].y)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._charges)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._headers)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return _side(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return said(self._headers[section]) if orientation == Qt.Orientation.Horizontal else section

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return said(self._result(row)) if column == ROCK else f"{self._charges[row][column]:.4g}"
        if role == Qt.ItemDataRole.ToolTipRole and column == ROCK:
            return said(self._result(row))
        if role == Qt.ItemDataRole.EditRole and column == DEPTH:
            return self._charges[row].z
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            role_name = self._color(row)
            return appearance().theme.color(role_name) if role_name else None
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        try:
            depth = float(value)
        except (TypeError, ValueError):
            return False
        self.depth_edited.emit(index.row(), depth)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == DEPTH else flags

    def _result(self, row: int) -> str:
        if row == self._refused:
            return "not possible"
        if row >= len(self._blasts):
            return "…"
        blast = self._blasts[row]
        charge = self._charges[row]
        if blast.lost > 1e-9:
            return f"{blast.lost:.2f} lost"
        back = sum(gain for cell, gain in blast.gains.tolist() if cell == charge.y * self._width + charge.x)
        return "fell back" if back > charge.z - 1e-9 else marked("rolled")

    def _color(self, row: int) -> str:
        if len(self._headers) <= ROCK:
            return ""
        if row == self._refused:
            return "failed"
        result = self._result(row)
        return "warning" if result.endswith("lost") else "secondary" if result in ("fell back", "…") else ""


def _side(column: int) -> Qt.AlignmentFlag:
    """Numbers and their titles stand at the right."""
    side = Qt.AlignmentFlag.AlignRight if column < ROCK else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


class PlanTable(QTableView):
    """The table; the selected rows are the selected blasts.

    Signals:
        rows_selected(list[int]): the selection changed.
    """

    rows_selected = Signal(list)

    def __init__(self, shows_rock: bool) -> None:
        super().__init__()
        self.plan = PlanModel(shows_rock)
        self.setModel(self.plan)
        self.setAccessibleName(tr("Blasts in their order"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(False)
        self.setShowGrid(False)
        self.verticalHeader().setDefaultSectionSize(24)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(self.plan.columnCount() - 1, QHeaderView.ResizeMode.Stretch)
        for column, width in enumerate((40, 40, 68)):
            self.setColumnWidth(column, width)
        self.setMinimumWidth(286)
        self.selectionModel().selectionChanged.connect(lambda *_: self.rows_selected.emit(self.rows))

    @property
    def rows(self) -> list[int]:
        """The selected rows."""
        ranges = self.selectionModel().selection().toList()
        return sorted({row for part in ranges for row in range(part.top(), part.bottom() + 1)})

    def select_rows(self, rows: Sequence[int]) -> None:
        """Selects rows and scrolls to the first."""
        chosen = QItemSelection()
        for first, last in runs_of(rows):
            chosen.select(self.plan.index(first, 0), self.plan.index(last, self.plan.columnCount() - 1))
        with QSignalBlocker(self.selectionModel()):
            self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows:
            self.scrollTo(self.plan.index(rows[0], 0))
        self.viewport().update()
        self.rows_selected.emit(list(rows))


def runs_of(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last row of each run without gaps."""
    ordered = sorted(set(rows))
    breaks = [i for i in range(1, len(ordered)) if ordered[i] != ordered[i - 1] + 1]
    for begin, end in pairwise([0, *breaks, len(ordered)]):
        if end > begin:
            yield ordered[begin], ordered[end - 1]
