"""The list of operations in the tools panel, with the numbers of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.tasks.fluid_simulation import Box
from engine.tasks.fluid_simulation.world import DEPTH
from widgets.editors.fluid_simulation.rows import Row
from widgets.icons import icon
from widgets.number_box import number_field
from widgets.theme import SPACE

AXES = "xyz"
MATERIALS = ("Air", "Rock")


class OperationsPanel(QWidget):
    """The operations in their order: a box to tick for on and off, material, and extent; below, six numbers.

    Signals:
        chosen(int): a person chose a row; -1 for none.
        switched(int, bool): a person switched a row on or off.
        reordered(list[int]): a person dragged rows; the earlier numbers in their new order.
        retyped(int, Box): a person gave a row other numbers or another material.
    """

    chosen = Signal(int)
    switched = Signal(int, bool)
    reordered = Signal(list)
    retyped = Signal(int, object)

    def __init__(self, n: int, actions: Sequence[QAction]) -> None:
        super().__init__()
        self._n = n
        self._rows: list[Row] = []
        self.list = QListWidget()
        self.list.setAccessibleName("Operations")
        self.list.setToolTip("Done from the top down; a later one overrides an earlier one. Drag to reorder.")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setIconSize(QSize(16, 16))
        self.list.setMinimumSize(212, 132)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self.chosen)
        self.list.itemChanged.connect(self._ticked)
        self.list.model().rowsMoved.connect(lambda *_: QTimer.singleShot(0, self._tell_order))
        for action in actions:
            self.list.addAction(action)
        self.empty = QLabel("No operations yet. Choose a tool and drag a rectangle on the ground.")
        self.empty.setObjectName("secondary")
        self.empty.setWordWrap(True)
        self.fields = [number_field(f"{axis} {end}", (0, self._last(axis))) for axis in AXES for end in ("from", "to")]
        for field in self.fields:
            field.setMinimumWidth(68)
            field.valueChanged.connect(self._retyped)
        self.material = QComboBox()
        self.material.addItems(MATERIALS)
        self.material.setAccessibleName("Material")
        self.material.setToolTip("What the box becomes")
        self.material.activated.connect(self._retyped)
        self._lay_out(actions)
        self.show_rows([], -1, {})

    def show_rows(self, rows: Sequence[Row], chosen: int, faults: dict[int, str]) -> None:
        """Shows the list without telling anybody.

        faults: why rows are skipped, by their place.
        """
        self._rows = list(rows)
        self.list.blockSignals(True)
        self.list.clear()
        number = 0
        for i, row in enumerate(rows):
            self.list.addItem(self._item(i, row, number, faults.get(i, "")))
            number += row.is_on
        self.list.setCurrentRow(chosen)
        self.list.blockSignals(False)
        self.list.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self._show_numbers(rows[chosen].box if 0 <= chosen < len(rows) else None)

    def _item(self, index: int, row: Row, number: int, fault: str) -> QListWidgetItem:
        name = str(number) if row.is_on else "–"
        item = QListWidgetItem(f"{name}   {extent(row.box)}")
        role = "failed" if fault else "text" if row.is_on else "disabled"
        item.setIcon(icon("warning" if fault else "rock" if row.box.rock else "air", role))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)
        item.setCheckState(Qt.CheckState.Checked if row.is_on else Qt.CheckState.Unchecked)
        item.setData(Qt.ItemDataRole.UserRole, index)
        told = f"{MATERIALS[row.box.rock]} {extent(row.box)}"
        if fault:
            told += f"\nSkipped: {fault}"
        elif not row.is_on:
            told += "\nSwitched off: kept here while the task is open, but not part of the answer"
        item.setToolTip(told)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"Operation {name}: {told}")
        return item

    def _show_numbers(self, box: Box | None) -> None:
        values = [v for pair in zip(box.low, box.high, strict=True) for v in pair] if box else [0] * 6
        for field, value in zip(self.fields, values, strict=True):
            field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(False)
            field.setEnabled(box is not None)
        self.material.setCurrentIndex(int(box.rock) if box else 0)
        self.material.setEnabled(box is not None)

    def _ticked(self, item: QListWidgetItem) -> None:
        index, is_on = item.data(Qt.ItemDataRole.UserRole), item.checkState() == Qt.CheckState.Checked
        if self._rows[index].is_on != is_on:
            QTimer.singleShot(0, lambda: self.switched.emit(index, is_on))

    def _tell_order(self) -> None:
        order = [self.list.item(i).data(Qt.ItemDataRole.UserRole) for i in range(self.list.count())]
        if order != sorted(order):
            self.reordered.emit(order)

    def _retyped(self) -> None:
        index = self.list.currentRow()
        x0, x1, y0, y1, z0, z1 = (int(field.value()) for field in self.fields)
        self.retyped.emit(index, Box((x0, y0, z0), (x1, y1, z1), bool(self.material.currentIndex())))

    def _last(self, axis: str) -> int:
        return (DEPTH if axis == "z" else self._n) - 1

    def _lay_out(self, actions: Sequence[QAction]) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.empty)
        column.addWidget(self.list)
        column.addLayout(self._buttons(actions))
        column.addLayout(self._numbers())

    def _buttons(self, actions: Sequence[QAction]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setIconSize(QSize(16, 16))
            button.setAutoRaise(True)
            button.setAccessibleName(action.text())
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _numbers(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE)
        for i, axis in enumerate(AXES):
            grid.addWidget(QLabel(axis), i, 0)
            grid.addWidget(self.fields[2 * i], i, 1)
            grid.addWidget(QLabel("to"), i, 2)
            grid.addWidget(self.fields[2 * i + 1], i, 3)
        grid.addWidget(QLabel("is"), len(AXES), 0)
        grid.addWidget(self.material, len(AXES), 1, 1, 3)
        for column in (1, 3):
            grid.setColumnStretch(column, 1)
        return grid


def extent(box: Box) -> str:
    """A box in few characters: "4–11, 4–11, 2" for x, y, z."""
    pairs = zip(box.low, box.high, strict=True)
    return ", ".join(f"{low}" if low == high else f"{low}–{high}" for low, high in pairs)
