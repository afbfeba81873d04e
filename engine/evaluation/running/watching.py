"""Which state the user wants a batch to have, and signs of life of its process."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from spatial_workbench.engine.evaluation.running.jobs import BatchJobs
from spatial_workbench.engine.evaluation.running.spending import BatchSpending
from spatial_workbench.engine.store import BatchState, Project

BEAT_S = 1.0
LOOK_S = 0.1
"""How often the process checks whether it is to pause."""
_NAMED_AFTER_S = 2.0
"""A verdict that takes longer is named in the list of items."""


class BatchHeartbeat:
    """Reads from the project what the user wants, and records there that the process is alive.

    Attributes:
        state: The state that the batch should have, as it was last read.
    """

    def __init__(self, project: Project, batch: int, jobs: BatchJobs, spending: BatchSpending) -> None:
        self.state = BatchState.RUNNING
        self._project = project
        self._batch = batch
        self._jobs = jobs
        self._spending = spending
        self._next_beat = 0.0
        self._next_look = 0.0
        self._named: set[str] = set()

    def look(self) -> bool:
        """Reads the state, and regularly records that this process is alive; returns whether the state has changed."""
        before = self.state
        now = time.monotonic()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_S
            self.state = self._project.batches.beat(self._batch, self._spending.record)
            self.name_slow_verdicts()
        elif now >= self._next_look:
            self.state = self._project.batches.wanted_state(self._batch)
        else:
            return False
        self._next_look = now + LOOK_S
        return self.state is not before

    def name_slow_verdicts(self) -> None:
        """Notes in the list of items which answers have been judged for a while, and since when."""
        for key, (unit, seconds) in self._jobs.running.items():
            if seconds > _NAMED_AFTER_S and key not in self._named:
                self._named.add(key)
                began = datetime.now().astimezone() - timedelta(seconds=seconds)
                self._project.items.note(unit.lead.number, f"Being judged since {began:%H:%M:%S}")

    def leave(self, reason: str) -> BatchState:
        """Stores that the process ends, and why it ends early; returns the state in which it leaves the batch."""
        self._project.batches.beat(self._batch, self._spending.record)
        if self.state is not BatchState.CANCELLED:
            row = self._project.batches.get(self._batch)
            is_unfinished = row.ended < row.total
            self.state = BatchState.PAUSED if is_unfinished else BatchState.FINISHED
            self._project.batches.set_state(self._batch, self.state, reason)
        return self.state
