"""What an executor knows of its jobs."""

from __future__ import annotations

import threading

from engine.evaluation.executor.contracts import ExecutorUnavailable, Finished, cancelled


class Ledger:
    """Which jobs are pending and which have finished; what is settled first for a key is what became of it."""

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
            ExecutorUnavailable: Nothing will be settled any more.
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
        """Writes down what became of a job, unless that is known already."""
        with self._changed:
            if finished.key in self._open:
                self._open.remove(finished.key)
                self._finished.append(finished)
                self._changed.notify_all()

    def cancel(self, key: str) -> bool:
        """Settles a job as cancelled; whether it was open."""
        with self._changed:
            was_open = key in self._open
            self.settle(cancelled(key))
            return was_open

    def wants(self, key: str) -> bool:
        """Whether it is not known yet what became of the job."""
        with self._changed:
            return key in self._open

    def take(self, timeout_s: float) -> list[Finished]:
        """What `Executor.finished` gives."""
        with self._changed:
            self._changed.wait_for(lambda: self._finished or self._closed or self._lost, timeout_s)
            taken, self._finished = self._finished, []
            if self._lost and not taken:
                raise ExecutorUnavailable(self._lost)
            return taken

    @property
    def pending(self) -> int:
        """How many jobs have not been taken."""
        with self._changed:
            return len(self._open) + len(self._finished)

    def lose(self, why: str) -> None:
        """Notes that nothing more will be settled."""
        with self._changed:
            self._lost = why
            self._changed.notify_all()

    def close(self) -> bool:
        """Forgets all jobs and wakes whoever waits; whether it was open before."""
        with self._changed:
            was_open, self._closed = not self._closed, True
            self._open.clear()
            self._finished.clear()
            self._changed.notify_all()
            return was_open
