"""The jobs that the executor runs for a batch."""

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
    """Jobs of a batch, each about a unit, with a function that stores its result."""

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
        """Submits a function of `evaluation.work` by its name; `then` stores its result."""
        self._submitted += 1
        key = f"{function}:{unit.lead.number}:{self._submitted}"
        self._jobs[key] = (unit, then)
        self._executor.submit(ExecutorJob(key, f"{_WORK}:{function}", arguments, JUDGING_LIMIT_S))

    def finished(self, timeout_s: float) -> Iterator[tuple[Unit, Callable[[], None]]]:
        """The units whose jobs have finished, each with a function that stores the result.

        Waits for the first, but no longer than the timeout.
        """
        for finished in self._executor.finished(timeout_s):
            unit, then = self._jobs.pop(finished.key)
            yield unit, partial(then, unit, finished)

    def cancel_all_but(self, count: int) -> None:
        """Cancels all but the first `count` jobs, which are the ones that the executor may have begun."""
        for key in list(self._jobs)[count:]:
            self._executor.cancel(key)
