"""Jobs, what becomes of them, and the interface of whatever runs them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self

ALLOWED = ("engine.",)
"""Jobs may name functions of these packages only."""

TRIES = 2
"""How often a job is begun whose process dies on it."""

_FUNCTION = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+:[A-Za-z]\w*", re.ASCII)


class ExecutorUnavailable(Exception):
    """Jobs cannot be run there: why, and what to do about it."""


class Outcome(StrEnum):
    """What became of a job."""

    DONE = "done"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    CRASHED = "crashed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Job:
    """A call of a pure function: its result depends on the arguments alone, so it does not matter if it runs twice.

    Attributes:
        key: Unique among the jobs of an executor.
        function: "package.module:name"; it takes keyword arguments and returns JSON data.
        arguments: JSON data.
        time_limit_s: Wall-clock seconds.
        memory_limit_mb: What its process may allocate, 0.3 GB of libraries included; binds on Linux only.
    """

    key: str
    function: str
    arguments: Mapping[str, Any]
    time_limit_s: float = 600.0
    memory_limit_mb: int = 4096

    def __post_init__(self) -> None:
        if self.time_limit_s <= 0 or self.memory_limit_mb <= 0:
            raise ValueError(f"Job '{self.key}': limits are greater than 0")


@dataclass(frozen=True)
class Finished:
    """What became of the job of that key.

    Attributes:
        outcome: What became of it.
        value: What the function returned, when it is done.
        message: A sentence for a person, when it is not.
        seconds: How long the last try took; the start of a process is not counted.
        tries: How often it was begun.
    """

    key: str
    outcome: Outcome
    value: Any
    message: str
    seconds: float
    tries: int


def cancelled(key: str) -> Finished:
    """What became of a job that was cancelled."""
    return Finished(key, Outcome.CANCELLED, None, "It was cancelled", 0.0, 0)


class Executor(Protocol):
    """Runs jobs at once and in no certain order. All methods may be called from any thread."""

    def submit(self, job: Job) -> None:
        """Adds a job; never waits for one to run.

        Raises:
            ValueError: The function may not be named, or there was a job of the same key.
            TypeError: The arguments are not JSON data.
            RuntimeError: The executor is closed.
        """

    def cancel(self, key: str) -> None:
        """Ends a job as CANCELLED, even if it is running; nothing happens when it is finished already."""

    def finished(self, timeout_s: float) -> list[Finished]:
        """Gives the jobs that have finished since the last call, each once.

        Waits for at least one, at most so many seconds and not after `close`; an empty list if there is none.

        Raises:
            ExecutorUnavailable: What runs the jobs was lost, and they with it.
        """

    @property
    def pending(self) -> int:
        """How many jobs were submitted that `finished` has not given yet."""

    def close(self) -> None:
        """Ends what runs, quickly, and forgets what waits."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *reason: object) -> None: ...


def check_function(name: str, allowed: tuple[str, ...]) -> None:
    """Raises ValueError unless a job may name this function."""
    if not _FUNCTION.fullmatch(name) or not name.startswith(allowed):
        raise ValueError(f"'{name}' is not the name of a function (package.module:name) in {' or '.join(allowed)}")


def encode_job(job: Job, allowed: tuple[str, ...]) -> str:
    """The job as JSON text on one line.

    Raises:
        ValueError: The function may not be named.
        TypeError: The arguments are not JSON data.
    """
    check_function(job.function, allowed)
    return json.dumps({**vars(job), "arguments": dict(job.arguments)})


def decode_job(text: str) -> Job:
    """The job that `encode_job` wrote."""
    return Job(**json.loads(text))


def encode_finished(finished: Finished) -> str:
    """What became of a job as JSON text."""
    return json.dumps(vars(finished))


def decode_finished(text: str) -> Finished:
    """What `encode_finished` wrote."""
    record = json.loads(text)
    return Finished(**{**record, "outcome": Outcome(record["outcome"])})
