"""Follows the batches of the open project: their progress, speed, and whether their process is alive."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import BatchRow, Project

PERIOD_MS = 1000
_SPEED_OVER_S = 60.0
_STARTS_WITHIN_S = 20.0


class BatchStatus(StrEnum):
    """The state of a batch as the window shows it."""

    STARTING = "starting"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


@dataclass(frozen=True)
class WatchedBatch:
    """A batch as the window shows it."""

    row: BatchRow
    is_alive: bool
    state: BatchStatus
    per_minute: float | None
    """Items that came to their end, lately; None: not known yet."""

    @property
    def failed(self) -> int:
        """The number of items that failed."""
        from spatial_workbench.engine.store import ItemState

        return sum(self.row.counts.get(state, 0) for state in (ItemState.ERROR, ItemState.CRASHED))

    @property
    def seconds_left(self) -> float | None:
        """How long the rest is expected to take."""
        if not self.per_minute or self.state is not BatchStatus.RUNNING:
            return None
        return 60 * (self.row.total - self.row.ended) / self.per_minute


class BatchWatch(QObject):
    """Looks at the batches once a second while one is alive, and whenever the project changes.

    Signals:
        changed(): `batches` has changed.
        ended(WatchedBatch): a batch that was alive has stopped.
    """

    changed = Signal()
    ended = Signal(object)

    def __init__(self, project: ProjectService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.batches: list[WatchedBatch] = []
        self._project = project
        self._history: dict[int, deque[tuple[float, int]]] = {}
        self._begun: dict[int, float] = {}
        self._alive: set[int] = set()
        self._is_asking = False
        self._timer = QTimer(self, interval=PERIOD_MS)
        self._timer.timeout.connect(self.look)
        project.opened.connect(self._forget)
        project.changed.connect(self.look)

    def expect(self, batch: int) -> None:
        """Shows a batch as starting until its new process is seen."""
        self._begun[batch] = time.monotonic()
        self._timer.start()
        self.look()

    def look(self) -> None:
        """Reads the progress of the batches."""
        if not self._is_asking and self._project.path is not None:
            self._is_asking = True
            self._project.ask(_seen, self._take_batches)

    def _forget(self) -> None:
        self._history.clear()
        self._begun.clear()
        self._alive.clear()
        self._is_asking = False
        self.look()

    def _take_batches(self, seen: list[tuple[BatchRow, bool]]) -> None:
        self._is_asking = False
        self.batches = [self._watched(row, alive) for row, alive in seen]
        before = self._alive
        self._alive = {batch.row.number for batch in self.batches if batch.is_alive}
        starting = any(batch.state is BatchStatus.STARTING for batch in self.batches)
        if self._alive or starting:
            self._timer.start()
        else:
            self._timer.stop()
        self.changed.emit()
        for batch in self.batches:
            if batch.row.number in before - self._alive:
                self.ended.emit(batch)

    def _watched(self, row: BatchRow, alive: bool) -> WatchedBatch:
        if alive:
            self._begun.pop(row.number, None)
        recently = time.monotonic() - self._begun.get(row.number, float("-inf")) < _STARTS_WITHIN_S
        return WatchedBatch(row, alive, _shown(row, alive, recently), self._speed(row) if alive else None)

    def _speed(self, row: BatchRow) -> float | None:
        now = time.monotonic()
        history = self._history.setdefault(row.number, deque())
        history.append((now, row.ended))
        while now - history[0][0] > _SPEED_OVER_S:
            history.popleft()
        begin, ended = history[0]
        known = now - begin > 2 and row.ended > ended
        return 60 * (row.ended - ended) / (now - begin) if known else None


def _shown(row: BatchRow, alive: bool, recently: bool) -> BatchStatus:
    from spatial_workbench.engine.store import BatchState

    if row.state is BatchState.RUNNING:
        return BatchStatus.RUNNING if alive else BatchStatus.STARTING if recently else BatchStatus.INTERRUPTED
    if row.state is BatchState.PAUSED and alive:
        return BatchStatus.PAUSING
    return BatchStatus(row.state.value)


def _seen(project: Project) -> list[tuple[BatchRow, bool]]:
    from spatial_workbench.engine.evaluation.lock import is_running
    from spatial_workbench.engine.store import BatchState

    return [
        (row, row.state is not BatchState.FINISHED and is_running(project.path, row.number))
        for row in project.batches.all()
    ]
