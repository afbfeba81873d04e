"""Runs an editor's long work without blocking the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol


class Job(Protocol):
    """A piece of work that runs in another process."""

    def cancel(self) -> None:
        """Cancels the job; neither `done` nor `failed` is called afterwards."""


class Runner(Protocol):
    """Runs functions of the engine in another process."""

    def run(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
        quiet: bool = False,
    ) -> Job:
        """Calls `function(*arguments, progress=...)` in another process, then `done(result)` in this thread.

        The function has to be importable by its name, and the arguments and the result have to be picklable. The
        window shows `label` while it runs ("Filling the layer"), and nothing if it is `quiet`. Without `failed`, the
        window reports errors.
        """
        ...


class Newest:
    """Work of which only the newest request matters: a new request replaces the one that is running."""

    def __init__(self, runner: Runner, label: str) -> None:
        self.is_busy = False
        self._runner = runner
        self._label = label
        self._job: Job | None = None

    def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None],
    ) -> None:
        """Calls `function(*arguments, progress=...)` in another process; the window shows nothing of it."""
        self.cancel()
        self.is_busy = True
        ended = partial(self._end, done)
        gave_up = partial(self._end, failed)
        job = self._runner.run(self._label, function, *arguments, done=ended, failed=gave_up, quiet=True)
        self._job = job if self.is_busy else None

    def cancel(self) -> None:
        """Cancels the running request."""
        if self._job is not None:
            self._job.cancel()
        self.is_busy = False
        self._job = None

    def _end(self, callback: Callable[[Any], None], outcome: Any) -> None:
        self.is_busy = False
        self._job = None
        callback(outcome)
