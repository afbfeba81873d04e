"""The list of operations in the tools panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QLabel, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.fluid_simulation import FluidBox
from spatial_workbench.widgets.editors.fluid_simulation.rows import OperationRow
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.theme import SPACE

MATERIALS = ("Air", "Rock")


class OperationsPanel(QWidget):
    """The operations in their order: a check box to switch each on or off, its material, and its extent.

    Signals:
        chosen(int): the person chose a row; -1 for none.
        switched(int, bool): the person switched a row on or off.
        reordered(list[int]): the person dragged rows; the previous indices in their new order.
    """

    chosen = Signal(int)
    switched = Signal(int, bool)
    reordered = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Sequence[OperationRow], int, Mapping[int, str]] | None = None
        self._rows: Sequence[OperationRow] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Operations"))
        self.list.setToolTip(
            tr("Carried out from top to bottom; later operations override earlier ones. Drag to reorder.")
        )
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setIconSize(QSize(16, 16))
        self.list.setMinimumSize(212, 132)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self.chosen)
        self.list.itemChanged.connect(self._ticked)
        self.list.model().rowsMoved.connect(lambda *_: QTimer.singleShot(0, self._report_order))
        self.empty = QLabel(tr("No operations yet. Choose a tool and drag a rectangle on the ground."))
        self.empty.setObjectName("secondary")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.list)
        self._pages.setFixedHeight(self.list.sizeHint().height())
        column(self, self._pages, spacing=SPACE)

    def show_rows(self, rows: Sequence[OperationRow], chosen: int, faults: Mapping[int, str]) -> None:
        """Shows the list without emitting signals.

        faults: why rows are skipped, by their index.
        """
        if self._shown == (rows, chosen, faults):
            return
        self._shown = rows, chosen, faults
        self._rows = rows
        self.list.blockSignals(True)
        self.list.clear()
        number = 0
        for i, row in enumerate(rows):
            self.list.addItem(self._item(i, row, number, faults.get(i, "")))
            number += row.is_on
        self.list.setCurrentRow(chosen)
        self.list.blockSignals(False)
        self._pages.setCurrentWidget(self.list if rows else self.empty)

    def _item(self, index: int, row: OperationRow, number: int, fault: str) -> QListWidgetItem:
        name = str(number) if row.is_on else "–"
        item = QListWidgetItem(f"{name}   {extent(row.box)}")
        role = "failed" if fault else "text" if row.is_on else "disabled"
        item.setIcon(icon("warning" if fault else "rock" if row.box.rock else "air", role))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)
        item.setCheckState(Qt.CheckState.Checked if row.is_on else Qt.CheckState.Unchecked)
        item.setData(Qt.ItemDataRole.UserRole, index)
        tip = f"{said(MATERIALS[row.box.rock])} {extent(row.box)}"
        if fault:
            tip += f"\nSkipped: {fault}"
        elif not row.is_on:
            tip += "\nSwitched off: kept here while the task is open, but not in the answer"
        item.setToolTip(said(tip))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, said(f"Operation {name}: {tip}"))
        return item

    def _ticked(self, item: QListWidgetItem) -> None:
        index = item.data(Qt.ItemDataRole.UserRole)
        is_on = item.checkState() == Qt.CheckState.Checked
        if self._rows[index].is_on != is_on:
            QTimer.singleShot(0, lambda: self.switched.emit(index, is_on))

    def _report_order(self) -> None:
        self._shown = None
        order = [self.list.item(i).data(Qt.ItemDataRole.UserRole) for i in range(self.list.count())]
        if order != sorted(order):
            self.reordered.emit(order)


def extent(box: FluidBox) -> str:
    """A box in short form: "4–11, 4–11, 2" for x, y, z."""
    pairs = zip(box.low, box.high, strict=True)
    return ", ".join(f"{low}" if low == high else f"{low}–{high}" for low, high in pairs)
