"""The page for changing the keys of actions: conflicts are named, and must be resolved before saving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.actions import Actions, Bound
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.theme import SPACE

_ROW_HEIGHT = 34
_MOST_NAMED = 3
"""So many conflicts are named at a time."""


@dataclass(frozen=True)
class _Row:
    bound: Bound
    field: QKeySequenceEdit

    @property
    def keys(self) -> str:
        return self.field.keySequence().toString()


class KeysPage(QWidget):
    """A table of actions with a field for the keys of each.

    Signals:
        valid_changed(bool): whether no two actions that can meet have the same keys.
    """

    valid_changed = Signal(bool)

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.search = SearchField("Search actions or keys")
        self.search.textChanged.connect(self._filter)
        self.restore = QPushButton("Restore defaults")
        self.restore.setToolTip("Give every action its original keys")
        self.restore.clicked.connect(self._restore)
        self.note = QLabel()
        self.note.setObjectName("error")
        self.note.setWordWrap(True)
        self.table = self._make_table()
        self.rows = [self._add(bound) for bound in actions.bound()]
        hint = QLabel("The keys of an editor are listed here while a subtask with it is open.")
        hint.setObjectName("secondary")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.search, 1)
        head.addWidget(self.restore)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)
        layout.addWidget(hint)
        self._check()

    def conflicts(self) -> list[tuple[Bound, Bound]]:
        """Pairs of actions that would have the same keys in the same place."""
        return [
            (row.bound, other.bound)
            for row, other in combinations(self.rows, 2)
            if row.keys and row.keys == other.keys and row.bound.meets(other.bound)
        ]

    def store(self) -> None:
        """Assigns the keys to the actions, and stores those that differ from the defaults."""
        for row in self.rows:
            if row.keys != row.bound.keys:
                self._actions.set_keys(row.bound.id, None if row.keys == row.bound.default_keys else row.keys)

    def _add(self, bound: Bound) -> _Row:
        row = self.table.rowCount()
        self.table.insertRow(row)
        text = QTableWidgetItem(f"{bound.place} › {bound.text}")
        text.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.table.setItem(row, 0, text)
        field = QKeySequenceEdit(QKeySequence(bound.keys))
        field.setMaximumSequenceLength(1)
        field.setClearButtonEnabled(True)
        field.setAccessibleName(f"Keys for {bound.text}")
        field.keySequenceChanged.connect(lambda _: self._check())
        self.table.setCellWidget(row, 1, field)
        self.table.setRowHeight(row, _ROW_HEIGHT)
        return _Row(bound, field)

    def _restore(self) -> None:
        for row in self.rows:
            with QSignalBlocker(row.field):
                row.field.setKeySequence(QKeySequence(row.bound.default_keys))
        self._check()

    def _check(self) -> None:
        conflicts = self.conflicts()
        self.note.setText(_sentence(conflicts))
        self.note.setVisible(bool(conflicts))
        self.valid_changed.emit(not conflicts)

    def _filter(self, words: str) -> None:
        for index, row in enumerate(self.rows):
            text = f"{row.bound.place} {row.bound.text} {row.keys}".lower()
            self.table.setRowHidden(index, not all(word in text for word in words.lower().split()))

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, 2)
        table.setHorizontalHeaderLabels(["Action", "Keys"])
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.setColumnWidth(1, 180)
        table.setAccessibleName("Keys of all actions")
        return table


def _sentence(conflicts: Sequence[tuple[Bound, Bound]]) -> str:
    return "\n".join(_both(first, second) for first, second in conflicts[:_MOST_NAMED])


def _both(first: Bound, second: Bound) -> str:
    return f"“{first.place} › {first.text}” and “{second.place} › {second.text}” cannot have the same keys."
