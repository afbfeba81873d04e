"""Newest wins: one piece of work runs at a time, and of those requested meanwhile only the last is kept."""

from __future__ import annotations

from collections.abc import Callable

Begin = Callable[[Callable[[], None]], None]
"""Starts work, and calls its argument when the work has ended."""


class Latest:
    """Keeps at most one piece of work running and one waiting."""

    def __init__(self) -> None:
        self._is_busy = False
        self._waiting: Begin | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs."""
        return not self._is_busy

    @property
    def is_outdated(self) -> bool:
        """Whether a newer request is waiting, so that the current result need not be shown."""
        return self._waiting is not None

    def run(self, begin: Begin) -> None:
        """Starts now, or as soon as the running work has ended."""
        if self._is_busy:
            self._waiting = begin
            return
        self._is_busy = True
        begin(self._ended)

    def _ended(self) -> None:
        self._is_busy = False
        waiting = self._waiting
        self._waiting = None
        if waiting is not None:
            self.run(waiting)
