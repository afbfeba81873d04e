"""Runs a search for disagreements in the background, and says how far it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background.jobs import Lane
from spatial_workbench.app.runs.findings import work
from spatial_workbench.app.runs.findings.work import LabOrder

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob
    from spatial_workbench.app.background.project_service import ProjectService


class LabSearching(QObject):
    """The search of a window; it goes on when its page is closed.

    Signals:
        progressed(float, float, str): seconds done, of how many, and what was found.
        found(): something was stored since.
        ended(str): the search has ended; says how.
    """

    progressed = Signal(float, float, str)
    found = Signal()
    ended = Signal(str)

    def __init__(self, project: ProjectService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._lane = Lane("laboratory", self)
        self._job: BackgroundJob | None = None
        self._said = ""
        self.last = (0.0, 0.0, "")

    @property
    def is_running(self) -> bool:
        """Whether a search runs."""
        return self._job is not None

    def start(self, order: LabOrder) -> bool:
        """Begins a search, or goes on with the stored one of the same seed; False if one runs or no project is open."""
        path = self._project.path
        if self.is_running or path is None:
            return False
        self._begin(path, order)
        return True

    def cancel(self) -> None:
        """Ends the search; what was found is stored, and the same search goes on later."""
        if self._job is not None:
            self._job.cancel()
            self._end("Stopped. The same search goes on where it stopped.")

    def close(self) -> None:
        """Ends the search, as the window is closed."""
        self._lane.close()
        self._job = None

    def _begin(self, path: Path, order: LabOrder) -> None:
        self.last = (0.0, order.minutes * 60 * len(order.tasks), "Starting")
        self._job = self._lane.run(
            "Looking for disagreements",
            work.search,
            path,
            order,
            done=self._finish,
            failed=lambda why: self._end(f"The search stopped: {why}"),
            progressed=self._report,
        )
        self.progressed.emit(*self.last)

    def _report(self, done: float, total: float, text: str) -> None:
        self.last = (done, total, text)
        self.progressed.emit(done, total, text)
        if text != self._said:
            self._said = text
            self.found.emit()

    def _finish(self, notes: list[str]) -> None:
        self._end(" ".join(["The search has ended.", *notes]))

    def _end(self, words: str) -> None:
        self._job = None
        self.found.emit()
        self.ended.emit(words)
