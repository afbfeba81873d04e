"""Helpers for the tests of both executors."""

import time
import uuid

from spatial_workbench.engine.executor import ExecutorJob

ALLOWED = ("spatial_workbench.engine.", "tests.")


def job(key, function, time_limit_s=60.0, memory_limit_mb=4096, **arguments):
    return ExecutorJob(key, f"tests.executor.executor_jobs:{function}", arguments, time_limit_s, memory_limit_mb)


def all_of(executor):
    """Waits for all pending jobs; how each ended, by key."""
    results = {}
    while executor.pending:
        results |= {finished.key: finished for finished in executor.finished(30)}
    return results


def run(executor, *arguments, **more):
    """How a job ends; nothing else may be pending."""
    key = uuid.uuid4().hex
    executor.submit(job(key, *arguments, **more))
    return all_of(executor)[key]


def wait_for(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def number_in(path):
    """Waits for the number that a job writes to a file."""
    wait_for(lambda: path.exists() and path.read_text())
    return int(path.read_text())


def is_alive(process):
    """Whether the Linux process of that number has not ended."""
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
