"""The loop of every agent: a model is asked, what it asks for is done, and it is told what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from spatial_workbench.engine.core.agents import Reply, Turn
from spatial_workbench.engine.core.progress import Progress, silent

Asking = Callable[[Sequence[Turn], float], Reply]
"""(conversation, seconds left) -> the model's next turn. Raises NoReply."""


class DrivenRun(Protocol):
    """A run that a model acts in."""

    turns: list[Turn]
    """The conversation so far."""

    @property
    def seconds_left(self) -> float:
        """How long it may still take."""

    def is_over(self, progress: Progress) -> bool:
        """Whether it has ended, or does so now at a limit; asked before the model is."""

    def let_pass(self, seconds: float) -> None:
        """Counts time that a reply took before an interruption."""

    def act(self, reply: Reply, progress: Progress) -> Turn:
        """Does what a reply asks for, and keeps it; returns what the model is told."""


def drive(run: DrivenRun, ask: Asking, progress: Progress = silent) -> None:
    """Lets a model act until the run is over.

    Raises:
        NoReply: The model gave no reply.
        Cancelled: Raised by `progress`.
    """
    while not run.is_over(progress):
        reply = ask(run.turns, run.seconds_left)
        run.let_pass(reply.earlier_seconds)
        told = run.act(reply, progress)
        run.turns += [Turn("assistant", reply.text, uses=reply.uses), told]
