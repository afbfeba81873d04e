"""A page's own process, so that short work never waits behind an import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from spatial_workbench.app.background.jobs import BackgroundJob, Lane, Submits


class PageLane(QObject, Submits):
    """Runs a page's jobs one after another, and counts them. Once it is closed, the page hears of nothing more.

    What fails is told to the page, unless a job has its own way to fail.
    """

    def __init__(self, name: str, tell: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._tell = tell
        self._lane = Lane(name, self)
        self._pending = 0
        self._is_closed = False

    @property
    def is_idle(self) -> bool:
        """Whether every job has ended, and its result was shown."""
        return not self._pending

    def submit(self, job: BackgroundJob) -> None:
        self._pending += 1
        job.done = self._settling(job.done)
        job.failed = self._settling(job.failed)
        job.quiet = True
        self._lane.submit(job)

    def drop(self, job: BackgroundJob) -> None:
        """Cancels a job whose result nobody wants any more."""
        if job.is_pending:
            job.cancel()
            self._pending -= 1

    def close(self) -> None:
        """Ends the process."""
        self._is_closed = True
        self._lane.close()

    def on_failure(self, label: str) -> Callable[[str], None]:
        return self._tell

    def _settling(self, then: Callable[[Any], None]) -> Callable[[Any], None]:
        def settled(value: Any) -> None:
            self._pending -= 1
            if not self._is_closed:
                then(value)

        return settled
