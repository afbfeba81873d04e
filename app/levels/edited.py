"""A level that is open: as it is shown, as it is stored, and the history between the two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from spatial_workbench.app.frame.undo import StateChange
from spatial_workbench.engine.machines.levels.level_drafts import Draft, title_of, written
from spatial_workbench.engine.machines.levels.level_files import ExaminedLevel, LevelFault, examine_level
from spatial_workbench.engine.machines.levels.library import drop_unsaved, keep_unsaved
from spatial_workbench.widgets.forms.places import covers

if TYPE_CHECKING:
    from spatial_workbench.app.levels.work import ReadLevel

UNDO_LIMIT = 500


class EditedLevel(QObject):
    """A level as plain data, which each change replaces by another one.

    Attributes:
        draft: What is shown now.
        examined: What it makes, and what is wrong with it.
        path: Its file; None: it was not saved to one.
        selection: The places of the chosen things.

    Signals:
        changed(): another state of the level is shown.
        selected(): other things are chosen.
    """

    changed = Signal()
    selected = Signal()

    def __init__(self, read: ReadLevel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft = read.draft
        self.path = read.path
        self.unsaved = read.unsaved
        self.examined: ExaminedLevel = examine_level(self.draft)
        self.selection: tuple[str, ...] = ()
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._stored: Draft | None = None if read.unsaved is not None else read.draft

    @property
    def name(self) -> str:
        """What the level is called."""
        return str(self.draft.get("name") or "Level without a name")

    @property
    def is_saved(self) -> bool:
        """Whether nothing would be lost; a new level that nobody has touched is nothing yet."""
        return self.draft == self._stored

    @property
    def is_sound(self) -> bool:
        """Whether machines can be built on it."""
        return self.examined.level is not None and not self.examined.faults

    def faults_at(self, place: str) -> Sequence[LevelFault]:
        """What is wrong with a part."""
        return [fault for fault in self.examined.faults if covers(place, fault.place)]

    def change(self, draft: Draft, label: str, key: str = "") -> None:
        """Replaces the level, as a step of the history.

        key: The field that was typed into; see `StateChange`.
        """
        if draft != self.draft:
            self.undo_stack.push(StateChange(self.show_draft, label, self.draft, draft, key))

    def show_draft(self, draft: Draft) -> None:
        """Shows a state of the level; for steps of the history."""
        self.draft = draft
        self.examined = examine_level(draft)
        self.changed.emit()

    def select(self, places: Sequence[str]) -> None:
        """Chooses things."""
        chosen = tuple(dict.fromkeys(places))
        if chosen != self.selection:
            self.selection = chosen
            self.selected.emit()

    def title_of(self, place: str) -> str:
        """What a thing is called."""
        return title_of(self.draft, place)

    def take_saved(self, draft: Draft, path: Path) -> None:
        """Notes which state is stored now, and where."""
        self._stored = draft
        self.path = path
        self.unsaved = None
        self.changed.emit()

    def keep(self) -> Path | None:
        """Keeps what is not saved; returns where, or None if there is nothing to keep.

        Raises:
            OSError: It cannot be kept.
        """
        if self.is_saved:
            return None
        kept = keep_unsaved(written(self.draft))
        if self.unsaved is not None and self.unsaved != kept:
            drop_unsaved(self.unsaved)
        return kept
