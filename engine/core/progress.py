"""How a long computation reports its progress and is cancelled."""

from typing import Protocol


class Cancelled(Exception):
    """Raised out of a `Progress` call when the result is no longer wanted."""


class Progress(Protocol):
    """Called regularly by long computations: (done, total, what is being done).

    A call may raise `Cancelled`; computations must not catch it.
    """

    def __call__(self, done: float, total: float, text: str = "") -> None: ...


def silent(done: float, total: float, text: str = "") -> None:
    """A Progress that reports nothing and never cancels."""
