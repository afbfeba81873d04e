"""What people added to tasks, such as puzzles of their own, as it was listed last.

Listing reads folders that may be large or far away, so it is done in a thread, and the window shows the last list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background.delivery import in_thread
from spatial_workbench.engine.core import Named, collections_of, tasks

Listing = Mapping[str, Mapping[str, Sequence[Named]]]
"""Added instances, by task and collection."""


class Added(QObject):
    """The list of added instances.

    Signals:
        changed(): the list is another one.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._listing: Listing = {}

    def to(self, task_id: str) -> Mapping[str, Sequence[Named]]:
        """Instances added to a task, by collection."""
        return self._listing.get(task_id, {})

    def refresh(self) -> None:
        """Lists everything again in the background."""
        in_thread(lambda: (list_added(),), self._deliver)

    def _deliver(self, delivered: tuple[Listing]) -> None:
        self.take(*delivered)

    def take(self, listing: Listing) -> None:
        """Shows a new list."""
        if listing != self._listing:
            self._listing = listing
            self.changed.emit()


def list_added() -> Listing:
    """Everything that was added to any task."""
    return {task.id: collections for task in tasks() if (collections := collections_of(task))}


@cache
def added() -> Added:
    """The list that all windows share."""
    return Added()
