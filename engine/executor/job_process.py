"""The parent's side of a child process that runs jobs."""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from spatial_workbench.engine.children import ChildProcess, Message, steady_arithmetic
from spatial_workbench.engine.executor.contracts import TRIES, ExecutorJob, Finished, JobOutcome, decode_job

# Results must not depend on the number of cores or on the order of sets. Besides, there is nearly a child for each
# core, so no core is left for further threads.
_ENVIRONMENT = {
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


class JobProcess:
    """A child process that is kept from job to job, and replaced if it was killed or died.

    One thread runs jobs on it; `stop` may be called from any thread.
    """

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = tuple(allowed)
        self._child: ChildProcess | None = None
        self._generation = 0
        self._inbox: queue.SimpleQueue[str | tuple[int, Message | None]] = queue.SimpleQueue()
        """Keys of jobs to stop, and messages of the child with the number of its generation; None marks its end."""

    def run(self, text: str) -> Finished:
        """Runs an encoded job and returns how it ended.

        If the process dies or runs out of memory, the job is tried again in a fresh process, since earlier jobs may
        have been the cause.

        Raises:
            OSError: The process cannot be started.
        """
        job = decode_job(text)
        for tries in range(1, TRIES + 1):
            finished = replace(self._run_once(job, text), tries=tries)
            if finished.outcome not in (JobOutcome.DONE, JobOutcome.FAILED):
                self.close()
            if finished.outcome not in (JobOutcome.CRASHED, JobOutcome.OUT_OF_MEMORY):
                break
        return finished

    def stop(self, key: str) -> None:
        """Cancels the job of that key if `run` is running it, or is about to."""
        self._inbox.put(key)

    def close(self) -> None:
        """Ends the child process; called by the thread that runs jobs."""
        child = self._child
        self._child = None
        if child:
            child.close()

    def _run_once(self, job: ExecutorJob, text: str) -> Finished:
        if self._child and not self._child.is_alive:
            self.close()
        child = self._child = self._child or self._start()
        began = time.monotonic()
        child.send(Message({}, content=text.encode()))
        outcome, value, message = self._wait_for_outcome(child, job.key, began + job.time_limit_s)
        if outcome is JobOutcome.TIMED_OUT:
            message = f"It was stopped at its time limit of {job.time_limit_s:g} s"
        return Finished(job.key, outcome, value, message, time.monotonic() - began, 1)

    def _start(self) -> ChildProcess:
        self._generation += 1
        generation = self._generation
        child = ChildProcess(
            "spatial_workbench.engine.executor.child:serve",
            *self._allowed,
            deliver=lambda message: self._inbox.put((generation, message)),
            environment={**_ENVIRONMENT, **steady_arithmetic()},
        )
        child.wait_until_ready()
        return child

    def _wait_for_outcome(self, child: ChildProcess, key: str, deadline: float) -> tuple[JobOutcome, Any, str]:
        """How the job ended: outcome, value and message."""
        while True:
            try:
                event = self._inbox.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return JobOutcome.TIMED_OUT, None, ""
            if event == key:
                return JobOutcome.CANCELLED, None, "It was cancelled"
            if isinstance(event, str) or event[0] != self._generation:
                continue
            if event[1] is None:
                return JobOutcome.CRASHED, None, f"Its process died each time, the last time {child.obituary()}"
            reply = json.loads(event[1].content)
            return JobOutcome(reply["outcome"]), reply.get("value"), reply.get("message", "")
