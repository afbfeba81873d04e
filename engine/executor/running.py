"""One loop that submits jobs and collects their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from spatial_workbench.engine.executor.contracts import Executor, ExecutorJob, Finished

POLL_S = 0.1
"""How long the loop waits for a job before it reports again."""


def run_jobs(
    executor: Executor,
    next_job: Callable[[], ExecutorJob | None],
    report: Callable[[int], None] = lambda finished: None,
    most_pending: int = 64,
) -> Iterator[Finished]:
    """Runs jobs, and yields each when it has finished, in any order.

    When the caller leaves its loop, or `report` raises, the jobs that have not finished are cancelled, and their ends
    are removed from the executor. Nobody else may use the executor meanwhile.

    Args:
        next_job: Returns the next job, or None if there is none now. It is called again at least ten times a second
            while jobs are pending; once it returns None and no job is pending, the loop ends.
        report: Called with the number of finished jobs, at least ten times a second while the loop waits; it may raise
            Cancelled.
        most_pending: The most jobs that wait or run at a time.

    Raises:
        ExecutorUnavailable: The cluster was lost, and the jobs with it.
    """
    pending: set[str] = set()
    finished_count = 0
    try:
        while True:
            report(finished_count)
            while len(pending) < most_pending and (job := next_job()) is not None:
                executor.submit(job)
                pending.add(job.key)
            if not pending:
                return
            for finished in executor.finished(POLL_S):
                pending.remove(finished.key)
                finished_count += 1
                yield finished
    finally:
        _withdraw_jobs(executor, pending)


def _withdraw_jobs(executor: Executor, keys: set[str]) -> None:
    for key in keys:
        executor.cancel(key)
    while keys and executor.pending:
        keys -= {finished.key for finished in executor.finished(POLL_S)}
