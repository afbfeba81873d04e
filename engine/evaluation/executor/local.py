"""The executor on this machine: a thread for each child process."""

from __future__ import annotations

import queue
import threading
from typing import Self

from engine.evaluation.executor.contracts import ALLOWED, Finished, Job, Outcome, encode_job
from engine.evaluation.executor.job_process import JobProcess
from engine.evaluation.executor.ledger import Ledger


class LocalExecutor:
    """Runs up to `workers` jobs at once on this machine (see `Executor`). Processes start when they are needed."""

    def __init__(self, workers: int, allowed: tuple[str, ...] = ALLOWED) -> None:
        if workers < 1:
            raise ValueError(f"There must be at least 1 worker, not {workers}")
        self._allowed = allowed
        self._ledger = Ledger()
        self._waiting: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._running: dict[str, JobProcess] = {}
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        text = encode_job(job, self._allowed)
        self._ledger.add(job.key)
        self._waiting.put((job.key, text))

    def cancel(self, key: str) -> None:
        with self._lock:
            if self._ledger.cancel(key) and key in self._running:
                self._running[key].stop(key)

    def finished(self, timeout_s: float) -> list[Finished]:
        return self._ledger.take(timeout_s)

    @property
    def pending(self) -> int:
        return self._ledger.pending

    def close(self) -> None:
        if not self._ledger.close():
            return
        with self._lock:
            for key, process in self._running.items():
                process.stop(key)
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _work(self) -> None:
        process = JobProcess(self._allowed)
        try:
            while entry := self._waiting.get():
                self._run(process, *entry)
        finally:
            process.close()

    def _run(self, process: JobProcess, key: str, text: str) -> None:
        with self._lock:
            if not self._ledger.wants(key):
                return
            self._running[key] = process
        try:
            finished = process.run(text)
        except OSError as error:
            finished = Finished(key, Outcome.CRASHED, None, f"Its process could not be started: {error}", 0.0, 1)
        with self._lock:
            del self._running[key]
            self._ledger.settle(finished)
