"""Runs the verifications and simulations of a batch: on this machine, or on a Dask cluster, with the same results.

    child          the child's side: runs jobs, one after the other
    cluster        the executor on a Dask cluster
    connection     connects to a Dask cluster, unless that would be unsafe or could change results
    contracts      jobs, their outcomes, and the interface of executors
    job_process    the parent's side of a child process that runs jobs
    ledger         an executor's book of jobs: which wait, run, and are finished
    local          the executor on this machine: a thread for each child process
    running        `run_jobs`: submits jobs and collects their results
    remote         what a Dask worker does: each of its threads hands jobs to a child process of its own

    with open_executor() as executor:
        jobs = iter([ExecutorJob("lego_hemisphere:0", "spatial_workbench.engine.evaluation.work:judge", {...})])
        for finished in run_jobs(executor, lambda: next(jobs, None)):
            ...

A job names a function and holds its arguments as JSON data. On either executor it runs in a child process, which is
kept from job to job. So a job can be stopped at its time limit, is held to its memory limit, and harms no other job if
it crashes. See docs/cluster.md.
"""

from __future__ import annotations

import os

from spatial_workbench.engine.executor.cluster import ClusterExecutor
from spatial_workbench.engine.executor.contracts import (
    ALLOWED,
    Executor,
    ExecutorJob,
    ExecutorUnavailable,
    Finished,
    JobOutcome,
)
from spatial_workbench.engine.executor.local import LocalExecutor
from spatial_workbench.engine.executor.running import run_jobs

__all__ = [
    "Executor",
    "ExecutorJob",
    "ExecutorUnavailable",
    "Finished",
    "JobOutcome",
    "open_executor",
    "run_jobs",
    "usual_workers",
]


def open_executor(
    workers: int | None = None, cluster: str | None = None, *, allowed: tuple[str, ...] = ALLOWED
) -> Executor:
    """Opens the executor of a batch; close it, or use it as a context manager.

    Args:
        workers: How many jobs run at once on this machine; by default `usual_workers`. A cluster runs one per worker.
        cluster: Address of a Dask scheduler, such as "tls://host:8786", to run the jobs there.
        allowed: What the names of the jobs' modules must begin with.

    Raises:
        ExecutorUnavailable: The cluster cannot be used; says why and what to do.
        ValueError: `workers` is less than 1.
    """
    if cluster:
        return ClusterExecutor(cluster, allowed)
    return LocalExecutor(usual_workers() if workers is None else workers, allowed)


def usual_workers() -> int:
    """How many jobs run at once on this machine by default: one less than there are cores, at least 1."""
    return max(1, (os.cpu_count() or 1) - 1)
