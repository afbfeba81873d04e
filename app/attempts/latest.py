"""Newest wins: one piece of work runs at a time, and of those requested meanwhile only the last is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import Project

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


class LatestReply:
    """Asks a project. Of the questions that come while one is being answered, only the last is asked."""

    def __init__(self, project: ProjectService) -> None:
        self._project = project
        self._latest = Latest()
        self._is_closed = False

    @property
    def is_idle(self) -> bool:
        """Whether the last question was answered."""
        return self._latest.is_idle

    @property
    def is_outdated(self) -> bool:
        """Whether a newer question is waiting, so that the current reply need not be shown."""
        return self._latest.is_outdated

    def ask(self, question: Callable[[Project], Any], show: Callable[[Any], None]) -> None:
        """Calls `question(project)` in the project's thread, then `show(reply)`; an error is emitted as `trouble`."""

        def begin(ended: Callable[[], None]) -> None:
            def arrived(reply: Any) -> None:
                if not self._is_closed:
                    show(reply)
                ended()

            def failed(text: str) -> None:
                self._project.trouble.emit(text)
                ended()

            self._project.ask(question, arrived, failed)

        self._latest.run(begin)

    def close(self) -> None:
        """Ignores later replies."""
        self._is_closed = True
