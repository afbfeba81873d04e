"""Views that are out of sight give their graphics back; what they show is drawn again when they are seen again."""

from __future__ import annotations

from functools import cache
from typing import Protocol
from weakref import ref

KEPT = 2
"""So many hidden views keep their graphics, so that going to and fro between tabs draws nothing again."""


class Releasable(Protocol):
    """A view whose graphics can be given back and made again."""

    def release(self) -> None:
        """Gives the graphics back; the next frame makes them again."""


class OutOfSight:
    """The hidden views that still hold graphics, the one hidden longest first."""

    def __init__(self) -> None:
        self._views: list[ref[Releasable]] = []

    def add(self, view: Releasable) -> None:
        """A view was hidden: another one gives its graphics back for it."""
        self.remove(view)
        self._views.append(ref(view))
        for hidden in self._views[:-KEPT]:
            if (other := hidden()) is not None:
                other.release()
        del self._views[:-KEPT]

    def remove(self, view: Releasable) -> None:
        """A view is seen again, or closed."""
        self._views = [hidden for hidden in self._views if hidden() not in (None, view)]


@cache
def out_of_sight() -> OutOfSight:
    """The hidden views of the application."""
    return OutOfSight()
