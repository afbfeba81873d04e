"""The action registry: an action is registered once and serves menu, key, button, palette and shortcut editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.settings import Settings
from widgets.icons import icon


@dataclass(frozen=True)
class Entry:
    """A registered action with its place."""

    id: str
    menu: str
    action: QAction
    default_keys: str


class Actions:
    """All actions of the window, by id."""

    def __init__(self, owner: QWidget, settings: Settings) -> None:
        self._owner = owner
        self._settings = settings
        self.entries: dict[str, Entry] = {}

    def add(
        self,
        action_id: str,
        menu: str,
        text: str,
        slot: Callable[[], object],
        keys: str | QKeySequence.StandardKey = "",
        icon_name: str = "",
        tip: str = "",
    ) -> QAction:
        """Registers an action. `menu` is the menu's title; `keys` the usual shortcut."""
        action = QAction(text, self._owner)
        action.setObjectName(action_id)
        action.triggered.connect(lambda _=False: slot())
        default = QKeySequence(keys).toString() if not isinstance(keys, str) else keys
        action.setShortcut(QKeySequence(self._settings.shortcut(action_id) or default))
        action.setStatusTip(tip or text.replace("&", "").rstrip("…"))
        if icon_name:
            action.setIcon(icon(icon_name))
        self._owner.addAction(action)
        self.entries[action_id] = Entry(action_id, menu, action, default)
        return action

    def __getitem__(self, action_id: str) -> QAction:
        return self.entries[action_id].action

    def set_keys(self, action_id: str, keys: str | None) -> None:
        """Gives an action another shortcut; None goes back to the usual one."""
        entry = self.entries[action_id]
        self._settings.set_shortcut(action_id, keys)
        entry.action.setShortcut(QKeySequence(entry.default_keys if keys is None else keys))
