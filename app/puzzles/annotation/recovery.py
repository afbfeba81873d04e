"""What is not saved is kept beside the set, and offered when the puzzle is opened again."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.banner import Banner
from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.widgets.sketch import SketchPad

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.sets.side_files import SideFile

KEEP_MS = 10_000


class AnnotationRecovery(QObject):
    """Backs up unsaved changes in the side file of a puzzle, and restores them.

    Signals:
        message(str): a note for the status bar.
    """

    message = Signal(str)

    def __init__(self, edited: EditedPuzzle, lane: PageLane, pad: SketchPad, banner: Banner) -> None:
        super().__init__(edited)
        self._edited = edited
        self._lane = lane
        self._pad = pad
        self._banner = banner
        self._kept: object = None
        """The state that was backed up last."""
        self._timer = QTimer(self, interval=KEEP_MS)
        self._timer.timeout.connect(self.keep)

    def start(self) -> None:
        """Backs up changes from now on, every few seconds."""
        self._timer.start()

    def stop(self) -> None:
        """Backs nothing up any more."""
        self._timer.stop()

    def keep(self) -> None:
        """Backs up unsaved changes, if there are any since the last backup."""
        edited = self._edited
        state = (edited.puzzle, edited.sketches)
        if edited.is_dirty and state != self._kept:
            self._kept = state
            self._lane.run(
                "Keeping changes",
                work.keep_aside,
                edited.set_path,
                edited.folder,
                edited.annotation,
                edited.sketches,
                done=self._warn_unless_kept,
                failed=lambda _: self._warn_unless_kept(None),
            )

    def keep_at_end(self) -> None:
        """Backs up unsaved changes while the page is being closed."""
        edited = self._edited
        if edited.is_dirty:
            # A thread that the program waits for when it ends; the page's process may be gone before it is done.
            state = (edited.set_path, edited.folder, edited.annotation, edited.sketches)
            Thread(target=work.keep_aside, args=state, name="keep-annotation").start()
            self.message.emit(f"The changes of {edited.title} are kept; they are offered when you open it again.")

    def keep_again(self) -> None:
        """Backs up unsaved changes, even if that was done before."""
        self.forget()
        self.keep()

    def forget(self) -> None:
        """Takes no state for backed up."""
        self._kept = None

    def offer(self, side: SideFile) -> None:
        """Offers to restore what a side file has kept."""
        at = side.at.astimezone().strftime("%Y-%m-%d %H:%M")
        changed = "" if side.stamp == self._edited.annotation.stamp else " The files have changed since then."
        self._banner.offer(
            f"There are changes from {at} that were not saved.{changed}",
            {"Restore": lambda: self.restore(side), "Discard": self.discard},
        )

    def restore(self, side: SideFile) -> None:
        """Shows what a side file has kept, as a change that can be undone and has to be saved."""
        annotation = work.restored(side, self._edited.annotation)
        self._edited.add_fresh(annotation.fresh)
        self._edited.change(annotation.puzzle, "restored changes")
        for layer in side.sketches:
            if layer.page in self._edited.pages:
                self._pad.pages.turn_to(layer.page)
                self._pad.desk.put("restored sketch", layer)
        self.message.emit("The changes are back. Save them with Ctrl+S.")

    def discard(self) -> None:
        """Drops the backup."""
        edited = self._edited
        self._lane.run("Dropping changes", work.forget_side, edited.set_path, edited.folder, done=lambda _: None)

    def _warn_unless_kept(self, path: Path | None) -> None:
        if path is None:
            self.message.emit("What you typed could not be kept outside the set; save it soon.")
