"""Jobs, their outcomes, and the interface of executors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self

ALLOWED = ("spatial_workbench.engine.",)
"""Jobs may only name functions of these packages."""

TRIES = 2
"""How often a job is started if its process dies."""

_FUNCTION = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+:[A-Za-z]\w*", re.ASCII)


class ExecutorUnavailable(Exception):
    """Jobs cannot be run; the message says why, and what to do about it."""


class JobOutcome(StrEnum):
    """How a job ended."""

    DONE = "done"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    CRASHED = "crashed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class ExecutorJob:
    """A call of a pure function: its result depends only on the arguments, so running it twice does no harm.

    Attributes:
        key: Unique among the jobs of an executor.
        function: "package.module:name"; it takes keyword arguments and returns JSON data.
        arguments: JSON data.
        time_limit_s: Wall-clock seconds.
        memory_limit_mb: What its process may allocate, including about 0.3 GB for libraries; enforced on Linux only.
    """

    key: str
    function: str
    arguments: Mapping[str, Any]
    time_limit_s: float = 600.0
    memory_limit_mb: int = 4096

    def __post_init__(self) -> None:
        if self.time_limit_s <= 0 or self.memory_limit_mb <= 0:
            raise ValueError(f"Job '{self.key}': limits must be greater than 0")


@dataclass(frozen=True)
class Finished:
    """A job that has ended, by its key.

    Attributes:
        outcome: How it ended.
        value: What the function returned, if it is done.
        message: A sentence for a person, if it is not.
        seconds: How long the last try took, without the start of a process.
        tries: How often it was started.
    """

    key: str
    outcome: JobOutcome
    value: Any
    message: str
    seconds: float
    tries: int


def cancelled(key: str) -> Finished:
    """The end of a job that was cancelled."""
    return Finished(key, JobOutcome.CANCELLED, None, "It was cancelled", 0.0, 0)


class Executor(Protocol):
    """Runs jobs in parallel, in no particular order. All methods may be called from any thread."""

    def submit(self, job: ExecutorJob) -> None:
        """Adds a job; does not wait for it to run.

        Raises:
            ValueError: The function is not allowed, or there was a job with the same key.
            TypeError: The arguments are not JSON data.
            RuntimeError: The executor is closed.
        """

    def cancel(self, key: str) -> None:
        """Ends a job as CANCELLED, even if it is running; does nothing if it has finished."""

    def finished(self, timeout_s: float) -> list[Finished]:
        """Returns the jobs that have finished since the last call, each once.

        Waits until there is one, but no longer than the timeout and not after `close`; the list may be empty.

        Raises:
            ExecutorUnavailable: The cluster was lost, and the jobs with it.
        """

    @property
    def pending(self) -> int:
        """How many submitted jobs `finished` has not returned yet."""

    @property
    def running(self) -> Mapping[str, float]:
        """The keys of the jobs that are running, each with its seconds so far; empty where that is not known."""

    def close(self) -> None:
        """Quickly ends running jobs, and forgets waiting ones."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *reason: object) -> None: ...


def check_function(name: str, allowed: tuple[str, ...]) -> None:
    """Raises ValueError unless a job may name this function."""
    if not _FUNCTION.fullmatch(name) or not name.startswith(allowed):
        raise ValueError(f"'{name}' is not the name of a function (package.module:name) in {' or '.join(allowed)}")


def encode_job(job: ExecutorJob, allowed: tuple[str, ...]) -> str:
    """The job as JSON text on one line.

    Raises:
        ValueError: The function is not allowed.
        TypeError: The arguments are not JSON data.
    """
    check_function(job.function, allowed)
    return json.dumps({**vars(job), "arguments": dict(job.arguments)})


def decode_job(text: str) -> ExecutorJob:
    """The job that `encode_job` wrote."""
    return ExecutorJob(**json.loads(text))


def encode_finished(finished: Finished) -> str:
    """The end of a job as JSON text."""
    return json.dumps(vars(finished))


def decode_finished(text: str) -> Finished:
    """The end of a job that `encode_finished` wrote."""
    record = json.loads(text)
    return Finished(**{**record, "outcome": JobOutcome(record["outcome"])})
