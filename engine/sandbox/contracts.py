"""The interface that all sandboxes share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from spatial_workbench.engine.core import Progress, silent

Tool = Callable[..., Any]
"""A function of the host that the program may call; arguments and result are plain JSON data."""

Tools = Mapping[str, Tool]


@dataclass(frozen=True)
class SandboxLimits:
    """What a program may use.

    Attributes:
        seconds: Wall-clock seconds of one step.
        memory_bytes: Address space of the program.
        output_bytes: What one step may print, both streams together.
        scratch_bytes: Size of its scratch folder.
        processes: Processes and threads together. Only threads can be started, such as those of numeric libraries.
    """

    seconds: float = 60.0
    memory_bytes: int = 1 << 30
    output_bytes: int = 50_000_000
    scratch_bytes: int = 1 << 26
    processes: int = 16


@dataclass(frozen=True)
class Availability:
    """Whether something can be run here.

    Attributes:
        available: Whether it was tested and works.
        backend: "bubblewrap", "webassembly" or "openscad"; empty if nothing works.
        reason: A sentence for a person: what works, or why nothing does.
        version: Exactly what was tested, for the records of a run.
    """

    available: bool
    backend: str
    reason: str
    version: str = ""


@dataclass(frozen=True)
class StepResult:
    """How one step ended.

    Attributes:
        output: What it printed.
        errors: What it wrote to standard error.
        exception: If the step raised: the last line of the traceback, with the line number.
        stopped: If the program has ended: why, such as a limit or a crash. No step can follow.
        seconds: How long it took, in wall-clock seconds.
        calls: How many tool calls it made.
    """

    output: str
    errors: str
    exception: str | None
    stopped: str | None
    seconds: float
    calls: int


@dataclass(frozen=True)
class ProgramResult:
    """The outcome of a program that ran to its end: its standard output, its standard error, and how long it took."""

    output: str
    errors: str
    seconds: float


class SandboxUnavailable(Exception):
    """No sandbox works on this machine, so the program was not run. The message says why."""


class ProgramFailed(Exception):
    """The program raised, broke a limit, or crashed. The message says which."""

    def __init__(self, message: str, output: str = "", errors: str = "") -> None:
        super().__init__(message)
        self.output = output
        self.errors = errors


class ToolError(Exception):
    """Raised by a tool to refuse a call; the program sees an exception with this message."""


class SandboxSession(Protocol):
    """A program that is run step by step and keeps its names from one step to the next.

    All of its output is untrusted: whatever decides a score has to happen in the host's tools.
    """

    def run(
        self, code: str, *, seconds: float | None = None, echo: bool = True, progress: Progress = silent
    ) -> StepResult:
        """Runs one step of Python.

        Args:
            code: The source of the step.
            seconds: Its wall-clock limit; by default that of the session.
            echo: Whether to print the value of a final expression, as a notebook does.
            progress: Called about twenty times a second with (seconds so far, limit).

        Raises:
            SandboxUnavailable: An earlier step ended the program.
            Cancelled: Raised by `progress`, which ends the program.
        """

    def close(self) -> None:
        """Ends the program. May be called twice."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...
