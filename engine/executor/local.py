"""The executor on this machine: a thread for each child process.

There are two lanes. A job that takes long leaves the usual lane, and another process takes its place there, so that a
slow verdict never holds up the others.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import Self

from spatial_workbench.engine.executor.contracts import ALLOWED, ExecutorJob, Finished, JobOutcome, encode_job
from spatial_workbench.engine.executor.job_process import JobProcess
from spatial_workbench.engine.executor.ledger import Ledger

SLOW_AFTER_S = 10.0
"""A job that has run for longer is slow; seconds."""
MOST_SLOW = 3
"""The most slow jobs that run beside the usual ones. Each takes a process, and time from the others."""
_WATCH_S = 0.5


class LocalExecutor:
    """Runs up to `workers` jobs at once on this machine (see `Executor`), and a few slow ones beside them.

    Processes start when they are needed.
    """

    def __init__(self, workers: int, allowed: tuple[str, ...] = ALLOWED) -> None:
        if workers < 1:
            raise ValueError(f"There must be at least 1 worker, not {workers}")
        self._allowed = allowed
        self._ledger = Ledger()
        self._waiting: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._running: dict[str, JobProcess] = {}
        self._since: dict[str, float] = {}
        self._slow: set[str] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []
        for _ in range(workers):
            self._add_thread(self._work)
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def submit(self, job: ExecutorJob) -> None:
        text = encode_job(job, self._allowed)
        self._ledger.add(job.key)
        self._waiting.put((job.key, text))

    def cancel(self, key: str) -> None:
        with self._lock:
            if self._ledger.cancel(key) and key in self._running:
                self._running[key].stop(key)

    def finished(self, timeout_s: float) -> list[Finished]:
        return self._ledger.take_finished(timeout_s)

    @property
    def pending(self) -> int:
        return self._ledger.pending

    def close(self) -> None:
        if not self._ledger.close():
            return
        self._closed.set()
        self._watcher.join()
        with self._lock:
            for key, process in self._running.items():
                process.stop(key)
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    @property
    def running(self) -> Mapping[str, float]:
        """The keys of the jobs that are running, each with its seconds so far."""
        now = time.monotonic()
        with self._lock:
            return {key: now - since for key, since in self._since.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _add_thread(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _watch(self) -> None:
        """Starts a thread in the place of each job that has become slow, for at most `MOST_SLOW` jobs at a time."""
        while not self._closed.wait(_WATCH_S):
            slow = [key for key, seconds in self.running.items() if seconds > SLOW_AFTER_S]
            for key in slow:
                with self._lock:
                    is_new = key in self._running and key not in self._slow and len(self._slow) < MOST_SLOW
                    if is_new:
                        self._slow.add(key)
                        self._add_thread(self._work)

    def _work(self) -> None:
        process = JobProcess(self._allowed)
        try:
            while entry := self._waiting.get():
                if self._run(process, *entry):
                    # Another process has taken its place.
                    break
        finally:
            process.close()

    def _run(self, process: JobProcess, key: str, text: str) -> bool:
        """Runs a job; returns whether it was slow."""
        with self._lock:
            if not self._ledger.is_open(key):
                return False
            self._running[key] = process
            self._since[key] = time.monotonic()
        try:
            finished = process.run(text)
        except OSError as error:
            finished = Finished(key, JobOutcome.CRASHED, None, f"Its process could not be started: {error}", 0.0, 1)
        with self._lock:
            del self._running[key]
            del self._since[key]
            self._ledger.settle(finished)
            was_slow = key in self._slow
            self._slow.discard(key)
        return was_slow
