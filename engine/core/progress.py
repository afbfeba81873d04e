"""How a long computation says how far it is, and learns that nobody waits for it any more."""

from typing import Protocol


class Cancelled(Exception):
    """Raised out of a `Progress` call when the result is no longer wanted."""


class Progress(Protocol):
    """Called now and then by long computations: (done, total, what is being done).

    A call may raise `Cancelled`; computations let it pass.
    """

    def __call__(self, done: float, total: float, text: str = "") -> None: ...


def silent(done: float, total: float, text: str = "") -> None:
    """A Progress that nobody watches and nobody cancels."""
