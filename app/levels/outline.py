"""What a level consists of, as a tree with marks where something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.levels.edited import EditedLevel
from spatial_workbench.app.levels.parts import GROUND, LEVEL, MACHINES, MORE, SECTIONS
from spatial_workbench.engine.machines.levels.level_drafts import GOAL, KINDS, LISTS
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

WIDTH_PX = 232
OWNERS = {
    GROUND: ("wind_m_s", "ground"),
    MACHINES: ("size_limits", "parameters", "types"),
    MORE: ("path", "programme"),
    LEVEL: ("name", "task", "about", "window_s", "par", "format", "version"),
}
"""For each section the parts of the file that it shows."""
_TITLES = {"obstacles": "Obstacles", "balls": "Balls", "targets": "Targets"}
_PLACE = Qt.ItemDataRole.UserRole


class LevelOutline(QWidget):
    """The sections of a level and its things; a section or some things are chosen.

    Signals:
        section_chosen(str): a section is to be shown.
        things_chosen(tuple[str, ...]): these things are chosen.
        addition_asked(str): somebody wants a thing of this kind.
        copy_asked(), removal_asked(): somebody wants copies of the chosen things, or them gone.
    """

    section_chosen = Signal(str)
    things_chosen = Signal(tuple)
    addition_asked = Signal(str)
    copy_asked = Signal()
    removal_asked = Signal()

    def __init__(self, edited: EditedLevel) -> None:
        super().__init__()
        self._edited = edited
        self._items: dict[str, QTreeWidgetItem] = {}
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName("Parts of the level")
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setIndentation(3 * SPACE)
        self.tree.setRootIsDecorated(False)
        self.tree.itemSelectionChanged.connect(self._tell)
        self._lists = QMenu(self)
        self.add_button = make_button("Add", "place", self._open_menu, "Add an obstacle, ball, target or goal (A)")
        self.copy_button = make_button("", "copy", self.copy_asked.emit, "Duplicate what is chosen (Ctrl+D)")
        self.remove_button = make_button("", "delete", self.removal_asked.emit, "Remove what is chosen (Delete)")
        for button in (self.copy_button, self.remove_button):
            button.setAccessibleName(button.toolTip())
        self._fill_menu()
        self._lay_out()
        self._add_key("Del", self.removal_asked.emit)
        self.refresh()

    def refresh(self) -> None:
        """Lists the things anew, if there are others, and marks what is wrong."""
        wanted = self._wanted()
        with QSignalBlocker(self.tree):
            if list(self._items) != [place for place, _, _ in wanted]:
                self._fill(wanted)
            for place, title, _ in wanted:
                self._items[place].setText(0, title)
            self._mark()
        self.show_selection()

    def show_section(self, section: str) -> None:
        """Marks a section as chosen."""
        with QSignalBlocker(self.tree):
            self.tree.clearSelection()
            self.tree.setCurrentItem(self._items[section])
        self._update_buttons()

    def show_selection(self) -> None:
        """Marks the chosen things; without any, the section stays chosen."""
        chosen = [self._items[place] for place in self._edited.selection if place in self._items]
        if chosen:
            with QSignalBlocker(self.tree):
                self.tree.clearSelection()
                self.tree.setCurrentItem(chosen[-1])
                for item in chosen:
                    item.setSelected(True)
        self._update_buttons()

    def title_at(self, place: str) -> str:
        """What the part of the file that a fault is about is called here."""
        owner = self.owner_of(place)
        return self._items[owner].text(0) if owner in self._items else ""

    def owner_of(self, place: str) -> str:
        """The entry that shows a part of the file, such as "obstacles[3]" for "obstacles[3].size"."""
        head = place.partition(".")[0]
        if head in self._items and head not in LISTS:
            return head
        name = head.partition("[")[0]
        return next((section for section, parts in OWNERS.items() if name in parts), LEVEL)

    def _wanted(self) -> list[tuple[str, str, str]]:
        """Places, titles and the entries they stand below."""
        draft = self._edited.draft
        rows = [(section, title, "") for section, title in SECTIONS.items()]
        for name in LISTS:
            count = len(draft.get(name, ()))
            if count:
                rows.append((name, f"{_TITLES[name]} ({count})", ""))
                rows += [(f"{name}[{k}]", self._edited.title_of(f"{name}[{k}]"), name) for k in range(count)]
        return [*rows, (GOAL, "Goal", "")] if draft.get(GOAL) is not None else rows

    def _fill(self, wanted: Sequence[tuple[str, str, str]]) -> None:
        current = self.tree.currentItem()
        kept = current.data(0, _PLACE) if current is not None else LEVEL
        self.tree.clear()
        self._items = {}
        for place, title, above in wanted:
            item = QTreeWidgetItem([title])
            item.setData(0, _PLACE, place)
            if place in LISTS:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self._items[place] = item
            if above:
                self._items[above].addChild(item)
            else:
                self.tree.addTopLevelItem(item)
        self.tree.expandAll()
        self.tree.setCurrentItem(self._items.get(kept, self._items[LEVEL]))

    def _mark(self) -> None:
        faulty = {self.owner_of(fault.place) for fault in self._edited.examined.faults}
        for place, item in self._items.items():
            item.setIcon(0, icon("failed", "failed") if place in faulty else QIcon())

    def _tell(self) -> None:
        places = [item.data(0, _PLACE) for item in self.tree.selectedItems()]
        things = tuple(place for place in places if place not in SECTIONS and place not in LISTS)
        if things:
            self.things_chosen.emit(things)
        elif places and places[0] in SECTIONS:
            self.section_chosen.emit(places[0])
        self._update_buttons()

    def _update_buttons(self) -> None:
        for button in (self.copy_button, self.remove_button):
            button.setEnabled(bool(self._edited.selection))

    def _fill_menu(self) -> None:
        for kind in KINDS:
            action = self._lists.addAction(kind.replace("_", " ").capitalize())
            action.triggered.connect(partial(self.addition_asked.emit, kind))
        self._lists.addSeparator()
        for kind in ("ball", "target", GOAL):
            action = self._lists.addAction(kind.capitalize())
            action.triggered.connect(partial(self.addition_asked.emit, kind))

    def open_menu(self) -> None:
        """Offers the kinds of things that can be added."""
        self._open_menu()

    def _open_menu(self) -> None:
        self._lists.popup(self.add_button.mapToGlobal(self.add_button.rect().bottomLeft()))

    def _add_key(self, keys: str, do: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self.tree, do)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        for button in (self.add_button, self.copy_button, self.remove_button):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.tree, 1)
        column.addLayout(row)
