"""The action registry: an action is registered once and serves menu, key, button, palette and shortcut editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.widgets.icons import icon


@dataclass(frozen=True)
class ActionEntry:
    """A registered action with its place."""

    id: str
    menu: str
    action: QAction
    default_keys: str


@dataclass(frozen=True)
class Bound:
    """An action with its keys, as the list of keys shows it.

    Attributes:
        scope: The editor that the action belongs to; empty for the window.
        place: The menu or the editor, for a person.
    """

    id: str
    scope: str
    place: str
    action: QAction
    default_keys: str

    @property
    def text(self) -> str:
        """The name of the action."""
        return self.action.text().replace("&", "").rstrip("…")

    @property
    def keys(self) -> str:
        """The first of its keys."""
        return self.action.shortcut().toString()

    def meets(self, other: Bound) -> bool:
        """Whether both can be active at once, and so must not share keys."""
        return "" in (self.scope, other.scope) or self.scope == other.scope


class Actions:
    """All actions of the window, by id."""

    def __init__(self, owner: QWidget, settings: Settings) -> None:
        self._owner = owner
        self._settings = settings
        self.entries: dict[str, ActionEntry] = {}
        self._usual: dict[str, list[QKeySequence]] = {}
        self._adopted: list[tuple[str, str, str, QAction]] = []

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
        self._usual[action_id] = [QKeySequence(default)] if default else []
        self._apply(action_id, action)
        action.setStatusTip(tip or text.replace("&", "").rstrip("…"))
        if icon_name:
            action.setIcon(icon(icon_name))
        self._owner.addAction(action)
        self.entries[action_id] = ActionEntry(action_id, menu, action, default)
        return action

    def __getitem__(self, action_id: str) -> QAction:
        return self.entries[action_id].action

    def add_made(self, action_id: str, menu: str, action: QAction) -> None:
        """Registers an existing action with its keys."""
        action.setObjectName(action_id)
        self._usual[action_id] = action.shortcuts()
        self.entries[action_id] = ActionEntry(action_id, menu, action, action.shortcut().toString())
        self._apply(action_id, action)

    def adopt(self, scope: str, place: str, actions: Iterable[QAction]) -> None:
        """Registers the actions of an editor that was opened, with the keys that the user chose.

        scope: names the editor; editors of the same scope have the same keys. place: what the list of keys calls it.
        """
        for action in actions:
            if action.text():
                bound_id = f"{scope}/{action.text()}"
                self._usual.setdefault(bound_id, action.shortcuts())
                self._adopted.append((bound_id, scope, place, action))
                self._apply(bound_id, action)

    def release(self, actions: Iterable[QAction]) -> None:
        """Forgets the actions of an editor that is closed."""
        gone = set(actions)
        self._adopted = [adopted for adopted in self._adopted if adopted[3] not in gone]

    def bound(self) -> list[Bound]:
        """Every action that can have keys: those of the window, then those of open editors."""
        bindings = {e.id: Bound(e.id, "", e.menu, e.action, e.default_keys) for e in self.entries.values()}
        for bound_id, scope, place, action in self._adopted:
            usual = self._usual[bound_id]
            bindings.setdefault(bound_id, Bound(bound_id, scope, place, action, usual[0].toString() if usual else ""))
        return list(bindings.values())

    def set_keys(self, bound_id: str, keys: str | None) -> None:
        """Gives an action other keys, "" for none; None restores the default ones."""
        self._settings.set_shortcut(bound_id, keys)
        if bound_id in self.entries:
            self._apply(bound_id, self.entries[bound_id].action)
        for adopted_id, _, _, action in self._adopted:
            if adopted_id == bound_id:
                self._apply(bound_id, action)

    def _apply(self, bound_id: str, action: QAction) -> None:
        keys = self._settings.shortcut(bound_id)
        usual = self._usual[bound_id]
        action.setShortcuts(usual if keys is None else [QKeySequence(keys)] if keys else [])
