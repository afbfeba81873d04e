"""The executor on a Dask cluster."""

from __future__ import annotations

import queue
import threading
import uuid
from collections.abc import Mapping
from importlib.metadata import version
from itertools import repeat
from typing import TYPE_CHECKING, Any, Self

from spatial_workbench.engine.executor.connection import connect
from spatial_workbench.engine.executor.contracts import (
    ALLOWED,
    ExecutorJob,
    ExecutorUnavailable,
    Finished,
    JobOutcome,
    decode_finished,
    encode_job,
)
from spatial_workbench.engine.executor.ledger import Ledger
from spatial_workbench.engine.executor.remote import DISTRIBUTION, run_job, stop_jobs

if TYPE_CHECKING:
    from distributed import Future

_CLOSE_SECONDS = 10.0


class ClusterExecutor:
    """Runs jobs on the workers of a cluster (see `Executor`).

    Only one thread talks to the cluster; the methods queue notes for it. If a worker dies, Dask repeats its job on
    another, and gives up after the fourth.
    """

    def __init__(self, address: str, allowed: tuple[str, ...] = ALLOWED) -> None:
        self._allowed = allowed
        self._ledger = Ledger()
        self._client = connect(address)
        self._version = version(DISTRIBUTION)
        # All users of a scheduler share its keys.
        self._session = uuid.uuid4().hex
        self._futures: dict[str, Future[str]] = {}
        self._notes: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._courier = threading.Thread(target=self._serve, daemon=True)
        self._courier.start()

    def submit(self, job: ExecutorJob) -> None:
        text = encode_job(job, self._allowed)
        self._ledger.add(job.key)
        self._notes.put(("submit", (job.key, text)))

    def cancel(self, key: str) -> None:
        if self._ledger.cancel(key):
            self._notes.put(("cancel", key))

    def finished(self, timeout_s: float) -> list[Finished]:
        return self._ledger.take_finished(timeout_s)

    @property
    def running(self) -> Mapping[str, float]:
        """Nothing: which jobs a cluster has begun is known to its scheduler only."""
        return {}

    @property
    def pending(self) -> int:
        return self._ledger.pending

    def close(self) -> None:
        if self._ledger.close():
            self._notes.put(("close", None))
            self._courier.join(_CLOSE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _serve(self) -> None:
        try:
            while self._carry_out(self._gather_notes()):
                pass
            self._stop_jobs(list(self._futures))
        except ExecutorUnavailable as error:
            self._ledger.lose(f"The cluster was lost: {error}")
        except Exception as error:
            # Otherwise nobody would learn of it, and the batch would wait for ever.
            self._ledger.lose(f"The cluster was lost: {type(error).__name__}: {error}")
        finally:
            self._client.close(timeout=_CLOSE_SECONDS / 2)

    def _gather_notes(self) -> dict[str, list[Any]]:
        """All queued notes, by kind; waits for the first."""
        notes: dict[str, list[Any]] = {}
        kind, what = self._notes.get()
        notes.setdefault(kind, []).append(what)
        while not self._notes.empty():
            kind, what = self._notes.get()
            notes.setdefault(kind, []).append(what)
        return notes

    def _carry_out(self, notes: dict[str, list[Any]]) -> bool:
        """Does what the notes say; returns whether to continue."""
        if "close" in notes:
            return False
        if "submit" in notes:
            self._submit_jobs(notes["submit"])
        if "done" in notes:
            self._settle_jobs(notes["done"])
        if "cancel" in notes:
            self._stop_jobs(notes["cancel"])
        return True

    def _submit_jobs(self, jobs: list[tuple[str, str]]) -> None:
        keys, texts = zip(*jobs, strict=True)
        tickets = [self._ticket(key) for key in keys]
        arguments = texts, tickets, repeat(self._allowed, len(jobs)), repeat(self._version, len(jobs))
        futures = self._client.map(run_job, *map(list, arguments), key=tickets, pure=False)
        for key, future in zip(keys, futures, strict=True):
            self._futures[key] = future
            future.add_done_callback(lambda _, key=key: self._notes.put(("done", key)))

    def _ticket(self, key: str) -> str:
        return f"job-{self._session}-{key}"

    def _settle_jobs(self, keys: list[str]) -> None:
        done = {key: self._futures.pop(key) for key in keys if key in self._futures}
        if any(future.status == "cancelled" for future in done.values()):
            # Jobs that were cancelled from here are no longer in `_futures`.
            raise ExecutorUnavailable("the connection to the scheduler broke")
        texts = self._client.gather(done, errors="skip")
        for key, text in texts.items():
            if text is not None:
                self._ledger.settle(decode_finished(text))
            else:
                self._ledger.settle(_failure_of(key, done[key]))

    def _stop_jobs(self, keys: list[str]) -> None:
        running = {key: self._futures.pop(key) for key in keys if key in self._futures}
        if running:
            self._client.cancel(list(running.values()))
            self._client.run(stop_jobs, [self._ticket(key) for key in running], on_error="ignore")


def _failure_of(key: str, future: Future[str]) -> Finished:
    """The outcome of a job that Dask could not run.

    Raises:
        ExecutorUnavailable: Dask cannot run any job.
    """
    from distributed import KilledWorker

    error = future.exception()
    if isinstance(error, ExecutorUnavailable):
        raise error
    if isinstance(error, KilledWorker):
        message = "Every worker that started it died"
    else:
        message = f"No worker could run it: {type(error).__name__}: {error}"
    return Finished(key, JobOutcome.CRASHED, None, message, 0.0, 0)
