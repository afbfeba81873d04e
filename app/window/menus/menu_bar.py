"""The menu bar, filled from the registered actions."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from spatial_workbench.app.frame.actions import Actions
from spatial_workbench.app.frame.host import Host
from spatial_workbench.app.frame.undo import UndoGroup
from spatial_workbench.app.window.menus.edit_entries import EditEntries
from spatial_workbench.widgets.icons import icon

MENUS = ("File", "Edit", "View", "Task", "Evaluate", "Runs", "Puzzles", "Help")


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
        for entry in window.actions_registry.entries.values():
            if entry.menu == title and entry.action not in menu.actions():
                menu.addAction(entry.action)
                if entry.id in submenus:
                    menu.addMenu(submenus[entry.id])
        if title == "File":
            _add_quit(menu, window)


def _add_edit_entries(menu: QMenu, window: Host) -> None:
    menu.addAction(window.actions_registry["edit.undo"])
    menu.addAction(window.actions_registry["edit.redo"])
    menu.addSeparator()
    EditEntries(menu, lambda: window.pages.workspace)
    menu.addSeparator()


def _add_quit(menu: QMenu, window: Host) -> None:
    menu.addSeparator()
    leave = menu.addAction("&Quit")
    leave.setShortcut(QKeySequence.StandardKey.Quit)
    leave.triggered.connect(window.close)
