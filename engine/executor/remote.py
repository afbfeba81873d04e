"""What a Dask worker does: each of its threads hands jobs to a child process of its own.

A Dask task cannot be stopped, and Dask limits the memory of a worker, not of a task; both are possible with a child.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from importlib.metadata import version

from spatial_workbench.engine.executor.contracts import (
    ExecutorUnavailable,
    cancelled,
    decode_job,
    encode_finished,
)
from spatial_workbench.engine.executor.job_process import JobProcess

DISTRIBUTION = "spatial-workbench"

_thread = threading.local()
_running: dict[str, tuple[JobProcess, str]] = {}
_stopped: set[str] = set()
"""Tickets of jobs to stop; they may arrive before Dask starts these jobs. About 100 bytes each."""


def run_job(text: str, ticket: str, allowed: tuple[str, ...], needed_version: str) -> str:
    """Runs an encoded job in this thread's child process and returns how it ended, encoded.

    Args:
        text: The job.
        ticket: Identifies the job for `stop_jobs`; unique in the cluster.
        allowed: What the name of the job's module must begin with.
        needed_version: Version of the program that sent the job.

    Raises:
        ExecutorUnavailable: This worker has another version, and might give other results.
    """
    if version(DISTRIBUTION) != needed_version:
        raise ExecutorUnavailable(
            f"A worker has {DISTRIBUTION} {version(DISTRIBUTION)}, not {needed_version}. "
            "Install the same version on every machine of the cluster."
        )
    process = _process(allowed)
    key = decode_job(text).key
    _running[ticket] = process, key
    try:
        if ticket in _stopped:
            return encode_finished(cancelled(key))
        return encode_finished(process.run(text))
    finally:
        del _running[ticket]


def stop_jobs(tickets: Iterable[str]) -> None:
    """Cancels the jobs, whether this worker is running them or would start them later."""
    for ticket in tickets:
        _stopped.add(ticket)
        if ticket in _running:
            process, key = _running[ticket]
            process.stop(key)


def _process(allowed: tuple[str, ...]) -> JobProcess:
    if getattr(_thread, "allowed", None) != allowed:
        if hasattr(_thread, "process"):
            _thread.process.close()
        _thread.allowed = allowed
        _thread.process = JobProcess(allowed)
    process: JobProcess = _thread.process
    return process
