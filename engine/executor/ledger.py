"""An executor's book of jobs."""

from __future__ import annotations

import threading

from spatial_workbench.engine.executor.contracts import ExecutorUnavailable, Finished, cancelled


class Ledger:
    """Which jobs are pending and which have finished. For each key, the first outcome to be settled counts."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._keys: set[str] = set()
        self._open: set[str] = set()
        self._finished: list[Finished] = []
        self._closed = False
        self._lost = ""

    def add(self, key: str) -> None:
        """Enters a job.

        Raises:
            ValueError: The key is taken.
            RuntimeError: The ledger is closed.
            ExecutorUnavailable: The executor was lost, so nothing more will be settled.
        """
        with self._changed:
            if self._closed:
                raise RuntimeError("The executor is closed")
            if self._lost:
                raise ExecutorUnavailable(self._lost)
            if key in self._keys:
                raise ValueError(f"There was a job '{key}' already")
            self._keys.add(key)
            self._open.add(key)

    def settle(self, finished: Finished) -> None:
        """Records how a job ended, unless that is known already."""
        with self._changed:
            if finished.key in self._open:
                self._open.remove(finished.key)
                self._finished.append(finished)
                self._changed.notify_all()

    def cancel(self, key: str) -> bool:
        """Settles a job as cancelled; returns whether it was open."""
        with self._changed:
            was_open = key in self._open
            self.settle(cancelled(key))
            return was_open

    def is_open(self, key: str) -> bool:
        """Whether the job has been entered and not been settled."""
        with self._changed:
            return key in self._open

    def take_finished(self, timeout_s: float) -> list[Finished]:
        """The result of `Executor.finished`."""
        with self._changed:
            self._changed.wait_for(lambda: self._finished or self._closed or self._lost, timeout_s)
            taken = self._finished
            self._finished = []
            if self._lost and not taken:
                raise ExecutorUnavailable(self._lost)
            return taken

    @property
    def pending(self) -> int:
        """How many jobs `take_finished` has not returned yet."""
        with self._changed:
            return len(self._open) + len(self._finished)

    def lose(self, why: str) -> None:
        """Notes that the executor was lost, so that nothing more will be settled."""
        with self._changed:
            self._lost = why
            self._changed.notify_all()

    def close(self) -> bool:
        """Forgets all jobs and wakes waiting threads; returns whether it was open before."""
        with self._changed:
            was_open = not self._closed
            self._closed = True
            self._open.clear()
            self._finished.clear()
            self._changed.notify_all()
            return was_open
