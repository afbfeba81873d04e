"""The commands of the palette: every action that can be used now, and every subtask that can be opened."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.window.palette import WindowCommand
from spatial_workbench.engine.core import tasks

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host


def palette_commands(window: Host) -> Iterator[WindowCommand]:
    """The commands of the window, of the editor in front, and those that open subtasks."""
    yield from _menu_commands(window)
    yield from _editor_commands(window)
    yield from _open_commands(window)


def plain(text: str) -> str:
    """An action's text without its mnemonic and dots."""
    return text.replace("&", "").rstrip("…")


def _menu_commands(window: Host) -> Iterator[WindowCommand]:
    for entry in window.actions_registry.entries.values():
        if entry.action.isEnabled():
            keys = entry.action.shortcut().toString()
            yield WindowCommand(f"{entry.menu}: {plain(entry.action.text())}", keys, entry.action.trigger)


def _editor_commands(window: Host) -> Iterator[WindowCommand]:
    workspace = window.pages.workspace
    if workspace is None:
        return
    for action in (*workspace.editor.actions(), *workspace.editor.view.actions()):
        if action.isEnabled() and action.text():
            yield WindowCommand(plain(action.text()), action.shortcut().toString(), action.trigger)


def _open_commands(window: Host) -> Iterator[WindowCommand]:
    for known in tasks():
        for instance in known.instances():
            text = f"Open {known.title} {instance.number}: {known.caption(instance)}"
            run = partial(window.open_instance, instance.address)
            yield WindowCommand(text, instance.address, run, instance.number, known.id)
        for collection, members in added().to(known.id).items():
            for named in members:
                run = partial(window.open_instance, f"{known.id}:{named.name}")
                text = f"Open {known.title} {collection}: {named.caption}"
                yield WindowCommand(text, "", run, also=f"{known.id} {named.name}")
