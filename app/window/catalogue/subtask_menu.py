"""The menu of a task's subtasks, each with its state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QMenu, QWidget

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.window.palette import CommandPalette, WindowCommand
from spatial_workbench.engine.core import Named, Task
from spatial_workbench.widgets.icons import icon

if TYPE_CHECKING:
    from spatial_workbench.engine.store import TaskProgress

MOST_IN_MENU = 30
"""A longer collection is shown as a list with a search field."""


class SubtaskMenu(QMenu):
    """The subtasks to choose from; those that a person added stand in a menu for each collection."""

    def __init__(
        self, task: Task[Any], progress: TaskProgress | None, choose: Callable[[str], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._task = task
        self._progress = progress
        self._choose = choose
        self._over = parent
        for instance in task.instances():
            self._add_to(self, instance.address, f"{instance.number}   {task.caption(instance)}")
        for collection, entries in added().to(task.id).items():
            self._add_collection(collection, entries)

    def _add_to(self, menu: QMenu, address: str, text: str) -> None:
        state = self._state_of(address)
        action = menu.addAction(f"{text}\t{state}" if state else text)
        if state == "solved":
            action.setIcon(icon("passed", "passed"))
        action.triggered.connect(lambda _=False: self._choose(address))

    def _add_collection(self, collection: str, entries: Sequence[Named]) -> None:
        """A short collection becomes a menu, a long one a list with a search field."""
        title = f"{collection}  ({len(entries)})".replace("&", "&&")
        if len(entries) > MOST_IN_MENU:
            self.addAction(f"{title}…").triggered.connect(lambda _=False: self._choose_from(collection, entries))
            return
        inner = self.addMenu(title)
        for entry in entries:
            self._add_to(inner, f"{self._task.id}:{entry.name}", entry.caption.replace("&", "&&"))

    def _choose_from(self, collection: str, entries: Sequence[Named]) -> None:
        """Opens a list, which stays when this menu is gone."""
        commands = []
        for entry in entries:
            address = f"{self._task.id}:{entry.name}"
            commands.append(WindowCommand(entry.caption, self._state_of(address), partial(self._choose, address)))
        window = self._over.window()
        CommandPalette(commands, window, f"Search {collection}", most=len(commands)).open_over(window)

    def _state_of(self, address: str) -> str:
        progress = self._progress
        if progress is None:
            return ""
        if address in progress.solved:
            return "solved"
        if address in progress.solved_with_help:
            return "solved with help"
        return "begun" if address in progress.drafts else ""
