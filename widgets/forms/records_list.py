"""The names of the records of a list, with buttons that add, remove and move them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

LIST_PX = 232
MARK_PX = 14
LEAST_HEIGHT_PX = 132


class RecordsList(QWidget):
    """The names of records, of which one is chosen.

    Signals:
        chosen(): another record is chosen, or none.
        addition_asked(): somebody wants a further record.
        removal_asked(): somebody wants the chosen record to go.
        move_asked(int): somebody wants it further up (-1) or down (1).
    """

    chosen = Signal()
    addition_asked = Signal()
    removal_asked = Signal()
    move_asked = Signal(int)

    def __init__(self, noun: str) -> None:
        super().__init__()
        self.list = marked_list(LIST_PX)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setMinimumHeight(LEAST_HEIGHT_PX)
        self.list.currentRowChanged.connect(lambda _: self.chosen.emit())
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.list, self.removal_asked.emit)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.add_button = make_button("Add", "place", self.addition_asked.emit, f"Add a {noun}")
        self.remove_button = make_button("", "delete", self.removal_asked.emit, f"Remove the chosen {noun} (Delete)")
        self.up = make_button("", "up", lambda: self.move_asked.emit(-1), f"Move the chosen {noun} up")
        self.down = make_button("", "down", lambda: self.move_asked.emit(1), f"Move the chosen {noun} down")
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        for button in (self.add_button, self.up, self.down, self.remove_button):
            button.setAccessibleName(button.toolTip())
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.list, 1)
        column.addLayout(row)

    @property
    def row(self) -> int:
        """The row of the chosen record; -1 if there is none."""
        return self.list.currentRow()

    def show_titles(self, titles: Sequence[str], row: int) -> None:
        """Lists other records, of which one is chosen, without a signal."""
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItems(list(titles))
            self.list.setCurrentRow(row)

    def rename(self, row: int, title: str) -> None:
        """Gives a record another title."""
        self.list.item(row).setText(title)

    def mark(self, row: int, errors: Sequence[bool]) -> None:
        """Marks a record by its problems, of which each is an error or a warning."""
        mark_entry(self.list.item(row), errors)

    def update_buttons(self, is_fixed: bool) -> None:
        """Enables what can be done."""
        self.add_button.setEnabled(not is_fixed)
        self.remove_button.setEnabled(not is_fixed and self.row >= 0)
        self.up.setEnabled(not is_fixed and self.row > 0)
        self.down.setEnabled(not is_fixed and 0 <= self.row < self.list.count() - 1)


def marked_list(width_px: int) -> QListWidget:
    """A list whose entries can be marked."""
    names = QListWidget()
    names.setObjectName("sections")
    names.setFixedWidth(width_px)
    names.setIconSize(QSize(MARK_PX, MARK_PX))
    return names


def mark_entry(entry: QListWidgetItem, errors: Sequence[bool]) -> None:
    """Marks an entry by its problems, of which each is an error or a warning; without any, the mark goes."""
    name = "" if not errors else "failed" if any(errors) else "warning"
    entry.setIcon(icon(name, name) if name else QIcon())
