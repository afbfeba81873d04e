"""*Levels…*: the levels that there are, to change one, to build on it, or to begin a new one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QMenu, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.levels.parts import TASKS
from spatial_workbench.app.levels.work import KnownLevel, PublishedLevel
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE

ABOUT = "Levels that you made or opened. A level is a file; its address means the same level for ever."
READING = "Reading the levels…"
NONE = "There are no levels of your own yet. Make a new one, begin with a published one, or open a file."
_LEVEL = Qt.ItemDataRole.UserRole


class LevelsDialog(FormDialog):
    """Lists the levels of one's own.

    Signals:
        new_wanted(), file_wanted(): a new level, or one from a file.
        copy_wanted(str): a new level that begins as the published one of that id.
        change_wanted(KnownLevel), build_wanted(str): what to do with a level; of the latter its address.
        discarding_wanted(KnownLevel): a level that was not saved is to be forgotten.
    """

    new_wanted = Signal()
    file_wanted = Signal()
    copy_wanted = Signal(str)
    change_wanted = Signal(object)
    build_wanted = Signal(str)
    discarding_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Levels", ABOUT, "Change", parent)
        self.setMinimumSize(520, 360)
        self.list = QListWidget()
        self.list.setAccessibleName("Levels of your own")
        self.list.itemDoubleClicked.connect(lambda _: self.order())
        self.list.currentItemChanged.connect(lambda _: self._update())
        self.new = make_button("New level", "place", self._ask_new, "Begin with flat ground")
        self.new_from = make_button("New from…", "copy", self._offer_published, "Begin with a published level")
        self.new_from.setEnabled(False)
        self.published = QMenu(self)
        self.open_file = make_button("Open file…", "open", self._ask_file, "Change the level in a file")
        self.build = make_button("Build on it", "play", self._ask_build, "Open the editor for machines on this level")
        self.discard = make_button(
            "Discard", "delete", self._ask_discard, "Forget the chosen level, which is not saved"
        )
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for button in (self.new, self.new_from, self.open_file):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.discard)
        row.addWidget(self.build)
        self.body.insertWidget(1, self.list, 1)
        self.body.insertLayout(2, row)
        self.show_note(READING)
        self._update()

    def show_levels(self, levels: Sequence[KnownLevel]) -> None:
        """Lists levels."""
        self.list.clear()
        for level in levels:
            item = QListWidgetItem(f"{level.title}   ·   {level.about}")
            item.setToolTip(level.address or "The program kept it when its tab was closed.")
            item.setData(_LEVEL, level)
            self.list.addItem(item)
        self.list.setCurrentRow(0 if levels else -1)
        self.show_note("" if levels else NONE)
        self._update()

    def offer_published(self, levels: Sequence[PublishedLevel]) -> None:
        """Offers published levels to begin with, in a menu for each task."""
        self.published.clear()
        menus = {task: self.published.addMenu(title) for task, title in TASKS}
        for level in levels:
            title = f"{level.id} · {level.title}".replace("&", "&&")
            menus[level.task].addAction(title).triggered.connect(partial(self._ask_copy, level.id))
        self.new_from.setEnabled(bool(levels))

    @property
    def chosen(self) -> KnownLevel | None:
        """The chosen level."""
        item = self.list.currentItem()
        level: KnownLevel | None = item.data(_LEVEL) if item is not None else None
        return level

    def order(self) -> None:
        """Changes the chosen level."""
        if self.chosen is not None:
            self.change_wanted.emit(self.chosen)
            self.accept()

    def _ask_new(self) -> None:
        self.new_wanted.emit()
        self.accept()

    def _offer_published(self) -> None:
        self.published.popup(self.new_from.mapToGlobal(self.new_from.rect().bottomLeft()))

    def _ask_copy(self, level_id: str) -> None:
        self.copy_wanted.emit(level_id)
        self.accept()

    def _ask_file(self) -> None:
        self.file_wanted.emit()
        self.accept()

    def _ask_build(self) -> None:
        if self.chosen is not None and self.chosen.address:
            self.build_wanted.emit(self.chosen.address)
            self.accept()

    def _ask_discard(self) -> None:
        if self.chosen is not None and self.chosen.unsaved is not None:
            self.discarding_wanted.emit(self.chosen)

    def _update(self) -> None:
        self.go.setEnabled(self.chosen is not None)
        self.build.setEnabled(self.chosen is not None and bool(self.chosen.address))
        self.discard.setEnabled(self.chosen is not None and self.chosen.unsaved is not None)
