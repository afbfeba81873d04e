"""The sets of puzzles at the left of the Puzzles page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE


class SetList(QWidget):
    """Lists the sets, of which one is chosen, above buttons that add one or remove it.

    adding: buttons for adding a set: text, name of the icon, what a click does, and the tooltip.
    forget: removes the chosen set from the list.

    Signals:
        chosen(): another set was chosen, or the list was read again.
    """

    chosen = Signal()

    def __init__(
        self, adding: Sequence[tuple[str, str, Callable[[], object], str]], forget: Callable[[], object]
    ) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._to_choose = SET_NAME
        self.entries: tuple[SetEntry, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName("Sets of puzzles")
        self.list.currentItemChanged.connect(lambda *_: self._choose())
        self.forget_button = make_button("Forget", "close", forget, "Remove the set from this list; its files stay")
        self.forget_button.setEnabled(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 4 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        title = QLabel("Sets")
        title.setObjectName("panelTitle")
        column.addWidget(title)
        column.addWidget(self.list, 1)
        for text, icon_name, do, tip in adding:
            column.addWidget(make_button(text, icon_name, do, tip))
        column.addWidget(self.forget_button)

    @property
    def entry(self) -> SetEntry | None:
        """The chosen set."""
        item = self.list.currentItem()
        return None if item is None else cast("SetEntry", item.data(Qt.ItemDataRole.UserRole))

    @property
    def own_entry(self) -> SetEntry | None:
        """The chosen set if it is a person's own, which can be changed; None for one that ships with the program."""
        entry = self.entry
        return None if entry is None or entry.is_read_only else entry

    def choose_next(self, name: str) -> None:
        """Chooses a set by its name when the list is read next."""
        self._to_choose = name

    def choose(self, name: str) -> None:
        """Chooses a set by its name."""
        self.list.setCurrentRow([entry.name for entry in self.entries].index(name))

    def show_entries(self, entries: tuple[SetEntry, ...]) -> None:
        """Shows the sets, and chooses the one that was chosen before or was asked for.

        A set that is not listed yet is chosen with a later reading: one that began before may end only now.
        """
        wanted = self._to_choose
        self.entries = entries
        with QSignalBlocker(self.list):
            self.list.clear()
            for entry in entries:
                item = QListWidgetItem(icon("lock" if entry.is_read_only else "open", "secondary"), shown_name(entry))
                item.setData(Qt.ItemDataRole.UserRole, entry)
                item.setToolTip(
                    entry.trouble or ("Shipped with the program" if entry.is_read_only else str(entry.path))
                )
                self.list.addItem(item)
            names = [entry.name for entry in entries]
            self.list.setCurrentRow(names.index(wanted) if wanted in names else 0)
        self._choose()
        if wanted and wanted not in names:
            self._to_choose = wanted

    def _choose(self) -> None:
        entry = self.entry
        if entry is None:
            return
        self._to_choose = entry.name
        self.forget_button.setEnabled(not entry.is_read_only)
        self.chosen.emit()


def shown_name(entry: SetEntry) -> str:
    """What people read of a set's name."""
    return "Original puzzles" if entry.is_read_only else entry.name
