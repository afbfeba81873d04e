"""What the executor is doing for a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from spatial_workbench.engine.evaluation.running.units import Unit
from spatial_workbench.engine.evaluation.work import JUDGING_LIMIT_S
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished

MOST_PENDING = 256
"""How many jobs the executor is given at a time; the rest wait in the project."""
_WORK = "spatial_workbench.engine.evaluation.work"


class BatchJobs:
    """Jobs of a batch, each about a unit, with what is to be stored when it has finished."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._submitted = 0
        self._jobs: dict[str, tuple[Unit, Callable[[Unit, Finished], None]]] = {}

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def has_room(self) -> bool:
        """Whether another job may be submitted."""
        return len(self._jobs) < MOST_PENDING

    @property
    def running(self) -> Mapping[str, tuple[Unit, float]]:
        """The units whose jobs are running, and for how many seconds, by a key of their own."""
        running = self._executor.running
        return {key: (self._jobs[key][0], seconds) for key, seconds in running.items() if key in self._jobs}

    def submit(
        self, function: str, arguments: dict[str, Any], unit: Unit, then: Callable[[Unit, Finished], None]
    ) -> None:
        """Submits a function of `evaluation.work`; `then` stores what it gave."""
        self._submitted += 1
        key = f"{function}:{unit.lead.number}:{self._submitted}"
        self._jobs[key] = (unit, then)
        self._executor.submit(ExecutorJob(key, f"{_WORK}:{function}", arguments, JUDGING_LIMIT_S))

    def finished(self, timeout_s: float) -> Iterator[tuple[Unit, Callable[[], None]]]:
        """The units whose jobs have finished, each with what stores the result; waits for the first."""
        for finished in self._executor.finished(timeout_s):
            unit, then = self._jobs.pop(finished.key)
            yield unit, partial(then, unit, finished)

    def cancel_all_but(self, count: int) -> None:
        """Takes back the jobs that the executor has not begun, which are those after the first `count`."""
        for key in list(self._jobs)[count:]:
            self._executor.cancel(key)
