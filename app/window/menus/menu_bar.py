"""The menu bar, filled from the registered actions."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from spatial_workbench.app.frame.actions import ActionEntry, Actions
from spatial_workbench.app.frame.host import Host
from spatial_workbench.app.frame.undo import UndoGroup
from spatial_workbench.app.window.menus.edit_entries import EditEntries
from spatial_workbench.widgets.icons import icon

MENUS = ("File", "Edit", "View", "Task", "Evaluate", "Runs", "Puzzles", "Help")
_IN_FRONT = ("edit.undo", "edit.redo")
"""What stands above the entries of the editor in the *Edit* menu."""
GROUPS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "File": (
        ("project.new", "project.open", "project.copy", "project.example"),
        ("results.publish",),
        ("level.open", "level.new", "level.edit"),
        ("page.close",),
    ),
    "View": (
        ("view.catalogue", "view.next", "view.previous"),
        ("view.picture", "view.video"),
        ("view.theme", "view.reset", "view.log"),
    ),
    "Task": (
        ("task.submit", "task.load", "task.save", "task.clear"),
        ("task.rules", "task.solve", "task.key", "task.crosscheck"),
        ("task.command", "level.change"),
    ),
    "Evaluate": (
        ("evaluate.new", "evaluate.batches", "evaluate.models"),
        ("evaluate.import",),
        ("evaluate.judge", "evaluate.judging"),
        ("evaluate.search",),
    ),
    "Runs": (
        ("runs.browse", "runs.results", "runs.disagreements"),
        ("runs.look", "runs.findings"),
        ("runs.verifiers", "runs.agreement", "runs.calibration", "runs.changes"),
        ("runs.search",),
        ("runs.studies",),
    ),
    "Puzzles": (
        ("puzzles.sets", "puzzles.add", "puzzles.import", "puzzles.new_set"),
        ("puzzles.review",),
        ("puzzles.lesson",),
    ),
}
"""The actions of a menu by their ids, with a line between groups; what is not named follows in a group of its own."""


def add_undo_actions(undo_group: UndoGroup, actions: Actions) -> None:
    """Registers undoing and redoing."""
    undo_group.undo_action.setShortcuts([QKeySequence("Ctrl+Z")])
    undo_group.undo_action.setIcon(icon("undo"))
    actions.add_made("edit.undo", "Edit", undo_group.undo_action)
    undo_group.redo_action.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
    undo_group.redo_action.setIcon(icon("redo"))
    actions.add_made("edit.redo", "Edit", undo_group.redo_action)


def fill_menu_bar(window: Host, submenus: Mapping[str, QMenu]) -> None:
    """Fills the menu bar of a window.

    submenus: by the id of the action below which they stand.
    """
    for title in MENUS:
        menu = window.menuBar().addMenu(f"&{title}")
        if title == "Edit":
            _add_edit_entries(menu, window)
        for number, group in enumerate(_grouped(title, window.actions_registry)):
            if number:
                menu.addSeparator()
            for entry in group:
                menu.addAction(entry.action)
                if entry.id in submenus:
                    menu.addMenu(submenus[entry.id])
        if title == "File":
            _add_quit(menu, window)


def _grouped(title: str, actions: Actions) -> list[list[ActionEntry]]:
    rest = {entry.id: entry for entry in actions.entries.values() if entry.menu == title and entry.id not in _IN_FRONT}
    named = [[rest.pop(id_) for id_ in group if id_ in rest] for group in GROUPS.get(title, ())]
    return [group for group in (*named, list(rest.values())) if group]


def _add_edit_entries(menu: QMenu, window: Host) -> None:
    for id_ in _IN_FRONT:
        menu.addAction(window.actions_registry[id_])
    menu.addSeparator()
    EditEntries(menu, lambda: window.pages.workspace)
    menu.addSeparator()


def _add_quit(menu: QMenu, window: Host) -> None:
    menu.addSeparator()
    leave = menu.addAction("&Quit")
    leave.setShortcut(QKeySequence.StandardKey.Quit)
    leave.triggered.connect(window.close)
