"""Programs of agents: a model writes a block of Python in each step, which runs in the sandbox; names are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.sandbox.contracts import SandboxLimits, SandboxSession, Tools
from spatial_workbench.engine.sandbox.running import open_session

MEMORY_BYTES = 2 << 30
OUTPUT_BYTES = 5_000_000
_BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class ProgramStep:
    """What came of a block.

    Attributes:
        code: The block.
        text: What it printed, and its exception.
        stopped: Why the program has ended, so that no step can follow; empty if one can.
        is_cut_off: Whether it was stopped because the run has ended.
    """

    code: str
    text: str = ""
    stopped: str = ""
    is_cut_off: bool = False


class _RunHasEnded(Exception):
    """The run has ended, so the program is stopped."""


class ProgramSteps:
    """An agent's program, step by step, in a sandbox of its own.

    Args:
        tools: Functions of the host that it may call, by name.
        has_ended: Whether the run has ended; asked while a block runs, which is then stopped.
        packages: What it may import besides the standard library's modules.
        prelude: Python that is run first.

    Raises:
        SandboxUnavailable: No sandbox works here.
    """

    def __init__(
        self, tools: Tools, has_ended: Callable[[], bool], packages: Sequence[str] = (), prelude: str = ""
    ) -> None:
        self._has_ended = has_ended
        limits = SandboxLimits(memory_bytes=MEMORY_BYTES, output_bytes=OUTPUT_BYTES)
        self._session: SandboxSession = open_session(tools, limits=limits, packages=packages)
        if prelude:
            self._session.run(prelude, echo=False)

    def run(self, reply: str, seconds: float, progress: Progress) -> ProgramStep | None:
        """Runs the first block of a reply, for at most so many seconds; None if there is none.

        Raises:
            Cancelled: Raised by `progress`.
        """
        block = _BLOCK.search(reply)
        if block is None:
            return None

        def stop_at_the_end(done: float, total: float, text: str = "") -> None:
            progress(done, total, text)
            if self._has_ended():
                raise _RunHasEnded

        try:
            result = self._session.run(block[1], seconds=seconds, progress=stop_at_the_end)
        except _RunHasEnded:
            return ProgramStep(block[1], is_cut_off=True)
        text = result.output + result.errors + (f"{result.exception}\n" if result.exception else "")
        return ProgramStep(block[1], text, result.stopped or "")

    def close(self) -> None:
        """Ends the sandbox."""
        self._session.close()
