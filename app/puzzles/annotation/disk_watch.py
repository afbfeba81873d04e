"""Notices when another program changes a puzzle that is open."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.banner import Banner
from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.annotation.saving import AnnotationSaving
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.engine.puzzles.annotation.annotating import Stamp

WATCH_MS = 3_000


class DiskWatch(QObject):
    """Compares the files of a puzzle with those that were read or written last, and lets the person choose.

    Signals:
        reload_wanted(): the version on the disk is wanted.
    """

    reload_wanted = Signal()

    def __init__(
        self, page: QWidget, edited: EditedPuzzle, lane: PageLane, saving: AnnotationSaving, banner: Banner
    ) -> None:
        super().__init__(page)
        self._page = page
        self._edited = edited
        self._lane = lane
        self._saving = saving
        self._banner = banner
        self._timer = QTimer(self, interval=WATCH_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Looks every few seconds from now on."""
        self._timer.start()

    def stop(self) -> None:
        """Looks no more."""
        self._timer.stop()

    def look(self) -> None:
        """Looks whether another program has changed the puzzle, while the page is visible and nothing else runs."""
        if self._edited.is_open and self._page.isVisible() and self._lane.is_idle and not self._banner.isVisible():
            self._read_stamp(self._compare_stamp)

    def show_changed_elsewhere(self) -> None:
        """Says that another program has changed the puzzle, and offers either version."""
        self._banner.offer(
            f"{self._edited.title} was changed by another program. Reload shows its version; Keep mine overwrites it "
            "when you save.",
            {"Reload": self.reload_wanted.emit, "Keep mine": lambda: self._read_stamp(self._edited.take_stamp)},
        )

    def _read_stamp(self, done: Callable[[Stamp], None]) -> None:
        edited = self._edited
        self._lane.run(
            "Looking for changes", work.stamp, edited.set_path, edited.folder, done=done, failed=lambda _: None
        )

    def _compare_stamp(self, stamp: Stamp) -> None:
        if stamp != self._edited.annotation.stamp and not self._saving.is_running:
            self.show_changed_elsewhere()
