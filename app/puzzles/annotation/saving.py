"""Saves the annotation of a puzzle, one state after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.annotation.work import SaveOutcome
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.engine.puzzles.sets.side_files import side_path

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.annotating import Annotation


class AnnotationSaving(QObject):
    """Saves a puzzle in one change of its files. A save that is asked for while another one runs follows it.

    Signals:
        begun(): a save runs.
        saved(): what was sent is stored.
        refused(SaveOutcome): nothing was stored; what was sent is in the side file if that could be written.
        crashed(): the process that saves has ended too early; nobody knows what it wrote.
    """

    begun = Signal()
    saved = Signal()
    refused = Signal(object)
    crashed = Signal()

    def __init__(self, edited: EditedPuzzle, lane: PageLane) -> None:
        super().__init__(edited)
        self._edited = edited
        self._lane = lane
        self.is_running = False
        self._is_asked_again = False

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Saves the puzzle; `then` is called once it is stored."""
        edited = self._edited
        if edited.is_read_only or not edited.is_open:
            return
        if self.is_running:
            self._is_asked_again = True
            return
        self.is_running = True
        self.begun.emit()
        sent = edited.annotation
        self._lane.run(
            f"Saving {edited.title}",
            work.save,
            edited.set_path,
            edited.folder,
            sent,
            edited.sketches,
            done=lambda outcome: self._end(sent, outcome, then),
            failed=self._fail,
        )

    def _end(self, sent: Annotation, outcome: SaveOutcome, then: Callable[[], object] | None) -> None:
        if outcome.saved is None:
            self._refuse(outcome)
            return
        self.is_running = False
        self._edited.take_saved(sent.puzzle, outcome.saved, outcome.files, outcome.misread)
        self.saved.emit()
        if then is not None:
            then()
        again = self._is_asked_again
        self._is_asked_again = False
        if again and self._edited.is_edited:
            self.save()

    def _refuse(self, outcome: SaveOutcome) -> None:
        self.is_running = False
        self._is_asked_again = False
        self.refused.emit(outcome)

    def _fail(self, text: str) -> None:
        self._refuse(SaveOutcome(trouble=text, kept_at=side_path(self._edited.set_path, self._edited.folder)))
        self.crashed.emit()
