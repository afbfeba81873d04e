"""Reads the chosen set: its puzzles at once, and then the pictures of a large set through."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background.jobs import BackgroundJob
from spatial_workbench.app.puzzles import set_work as work
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.set_work import PuzzleRow, SetEntry, SetListing


class SetReading(QObject):
    """Reads one set at a time.

    Signals:
        listed(SetListing): the puzzles of the set; once more when their pictures have been read through.
        failed(str): why the set cannot be read.
        progressed(str): how far it is.
    """

    listed = Signal(object)
    failed = Signal(str)
    progressed = Signal(str)

    def __init__(self, lane: PageLane, parent: QObject) -> None:
        super().__init__(parent)
        self._lane = lane
        # Reading pictures through takes long where there are thousands; short work must not wait for it.
        self._pictures = PageLane("pictures of puzzles", lambda _: None, self)
        self._job: BackgroundJob | None = None
        self._kept_job: BackgroundJob | None = None
        self._picture_job: BackgroundJob | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is read."""
        return self._lane.is_idle and self._pictures.is_idle

    def read_set(self, entry: SetEntry) -> None:
        """Reads a set in place of the one that is being read."""
        self.stop()
        self.progressed.emit("Reading…")
        self._job = self._lane.run(
            f"Reading {entry.name}",
            work.listing,
            entry.path,
            entry.is_read_only,
            done=lambda listing: self._take(entry, listing),
            failed=self._fail,
            progressed=lambda done, total, text: self.progressed.emit(f"Reading {done:.0f} of {total:.0f}"),
        )

    def look_for_kept(self, entry: SetEntry, listing: SetListing) -> None:
        """Looks again which puzzles have changes that were not saved; `listed` tells it if that has changed."""

        def take(rows: tuple[PuzzleRow, ...]) -> None:
            self._kept_job = None
            if rows != listing.rows:
                self.listed.emit(replace(listing, rows=rows, is_thorough=True))

        self._kept_job = self._lane.run(
            "Looking for changes that were not saved", work.marked_kept, entry.path, listing.rows, done=take
        )

    def stop(self) -> None:
        """Stops reading."""
        if self._job is not None:
            self._lane.drop(self._job)
        if self._kept_job is not None:
            self._lane.drop(self._kept_job)
        if self._picture_job is not None:
            self._pictures.drop(self._picture_job)
        self._job = self._kept_job = self._picture_job = None

    def close(self) -> None:
        """Ends the process that reads pictures."""
        self._pictures.close()

    def _take(self, entry: SetEntry, listing: SetListing) -> None:
        self._job = None
        self.listed.emit(listing)
        if listing.is_thorough:
            return
        self._picture_job = self._pictures.run(
            f"Checking the pictures of {entry.name}",
            work.listing,
            entry.path,
            True,
            True,
            done=self._take_checked,
            progressed=lambda done, total, text: self.progressed.emit(
                f"{total:.0f} puzzles; checking the pictures: {done:.0f}"
            ),
        )

    def _take_checked(self, listing: SetListing) -> None:
        self._picture_job = None
        self.listed.emit(listing)

    def _fail(self, text: str) -> None:
        self._job = None
        self.failed.emit(text)
