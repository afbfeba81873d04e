"""Whether results that took long to compute were there already, so that a verdict can say that it is cached.

Caches of simulations and meshes tell when they are used; whoever judges asks whether one was.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Reuse:
    """What was noticed within a `with` block.

    Attributes:
        is_noticed: Whether an earlier result was used.
    """

    def __init__(self) -> None:
        self.is_noticed = False


_reuse: ContextVar[Reuse | None] = ContextVar("reuse", default=None)


def notice_reuse() -> None:
    """Says that an earlier result is used instead of computing it again."""
    reuse = _reuse.get()
    if reuse is not None:
        reuse.is_noticed = True


@contextmanager
def noticing_reuse() -> Iterator[Reuse]:
    """Notices within the `with` block whether earlier results are used."""
    reuse = Reuse()
    token = _reuse.set(reuse)
    try:
        yield reuse
    finally:
        _reuse.reset(token)
