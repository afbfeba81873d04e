"""Hidden views release their graphics, and are drawn again when they are shown again."""

from __future__ import annotations

from functools import cache
from typing import Protocol
from weakref import ref

KEPT = 2
"""How many hidden views keep their graphics, so that switching to and fro between tabs redraws nothing."""


class Releasable(Protocol):
    """A view whose graphics can be released and made again."""

    def release(self) -> None:
        """Releases the graphics; the next frame makes them again."""


class OutOfSight:
    """The hidden views that still hold graphics, those hidden longest first."""

    def __init__(self) -> None:
        self._views: list[ref[Releasable]] = []

    def add(self, view: Releasable) -> None:
        """Called when a view is hidden; the one hidden longest may have to release its graphics."""
        self.remove(view)
        self._views.append(ref(view))
        for hidden in self._views[:-KEPT]:
            if (other := hidden()) is not None:
                other.release()
        del self._views[:-KEPT]

    def remove(self, view: Releasable) -> None:
        """Called when a view is shown again, or closed."""
        self._views = [hidden for hidden in self._views if hidden() not in (None, view)]


@cache
def out_of_sight() -> OutOfSight:
    """The hidden views of the application."""
    return OutOfSight()
