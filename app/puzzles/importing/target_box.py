"""The set into which puzzles are imported: one that is there, a new one, or the folder in its own place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.puzzles.sets.folders import folder_name
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

NEW = "A new set"
IN_PLACE = "No set: leave the folder where it is, and add it to the list"
_TYPING_MS = 400


class TargetBox(QWidget):
    """Chooses a set; the default is the one where the person stands, or a new one where that cannot be changed.

    sets: All sets; those that are read-only or cannot be read are not offered.
    chosen: The name of the set where the person stands.
    home: The folder in which new sets are made.

    Signals:
        changed(): another set was chosen, or the new one has another name.
    """

    changed = Signal()

    def __init__(self, sets: Sequence[SetEntry], chosen: str, home: Path) -> None:
        super().__init__()
        self._home = home
        self._is_own_choice = False
        self.box = ChoiceBox()
        self.box.setAccessibleName("Set to import into")
        for entry in sets:
            if not entry.is_read_only and not entry.trouble:
                self.box.addItem(entry.name, entry.path)
        self.box.addItem(NEW)
        at = self.box.findText(chosen)
        self._is_default = at < 0
        self.box.setCurrentIndex(at if at >= 0 else self.box.count() - 1)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the new set")
        self.name.setToolTip(f"The new set's folder in {home}")
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.name.textEdited.connect(lambda _: self._typing.start())
        self.box.activated.connect(self._choose)
        self.box.currentIndexChanged.connect(lambda _: self.name.setVisible(self.is_new))
        self.name.setVisible(self.is_new)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.box, 1)
        row.addWidget(self.name, 1)

    @property
    def is_new(self) -> bool:
        """Whether a new set is made."""
        return self.box.currentText() == NEW

    @property
    def is_in_place(self) -> bool:
        """Whether the folder is listed as a set where it is, and nothing is copied."""
        return self.box.currentText() == IN_PLACE

    @property
    def path(self) -> Path:
        """The folder of the set."""
        if not self.is_new:
            return Path(self.box.currentData() or self._home)
        return self._home / folder_name(self.name.text() or "Puzzles")

    def offer(self, free_home: Path, in_place: bool) -> None:
        """Proposes the folder of a new set, and to leave a folder where it is.

        That is the default where the person stands in a set that cannot be changed.
        """
        if not self.name.isModified():
            self.name.setText(free_home.name)
        with QSignalBlocker(self.box):
            at = self.box.findText(IN_PLACE)
            if in_place and at < 0:
                self.box.addItem(IN_PLACE)
                if self._is_default and not self._is_own_choice:
                    self.box.setCurrentIndex(self.box.count() - 1)
            elif not in_place and at >= 0:
                was_chosen = self.is_in_place
                self.box.removeItem(at)
                if was_chosen:
                    self.box.setCurrentText(NEW)
        self.name.setVisible(self.is_new)

    def _choose(self) -> None:
        self._is_own_choice = True
        self._typing.stop()
        self.changed.emit()
