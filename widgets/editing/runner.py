"""How editors have long work done without making the window wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Job(Protocol):
    """A piece of work that runs in another process."""

    def cancel(self) -> None:
        """Stops it; neither `done` nor `failed` is called afterwards."""


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

        The function has to be importable by its name, the arguments and the result have to be picklable. `label` says
        what the window shows while it runs ("Filling the layer"); `quiet` work shows nothing. Without `failed`, the
        window tells of errors.
        """
        ...
