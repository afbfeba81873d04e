"""What the menus do with the workspace in front: the *Task* menu, its panels, verifiers and picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMenu

from spatial_workbench.engine.core.acting.commands import commands_of
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.widgets.encoding import encoded

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.workspace.page import Workspace

_TASK_ACTIONS: tuple[tuple[str, str, Callable[[Workspace], object], str, str], ...] = (
    ("submit", "&Submit answer", lambda workspace: workspace.judgement.submit(), "F9", "submit"),
    ("solve", "Load &reference solution", lambda workspace: workspace.answers.load_reference(), "F6", "solve"),
    ("key", "Show the &key…", lambda workspace: workspace.judgement.ask_for_key(), "", "eye"),
    ("crosscheck", "&Cross-check", lambda workspace: workspace.judgement.crosscheck(), "F8", "check"),
    ("command", "Run co&mmand…", lambda workspace: workspace.ask_for_command(), "", "list"),
    ("rules", "R&ules", lambda workspace: workspace.show_rules(), "F1", "info"),
    ("clear", "C&lear answer", lambda workspace: workspace.answers.clear(), "", "delete"),
    ("load", "&Open answer…", lambda workspace: workspace.answers.ask_for_file(), "Ctrl+Shift+O", "open"),
    ("save", "Save &answer…", lambda workspace: workspace.answers.ask_where_to_save(), "Ctrl+S", "save"),
)
"""What the Task menu does with the workspace in front: id, text, what is done, keys, icon."""


class TaskEntries(QObject):
    """The entries of the menus that need a workspace in front.

    Attributes:
        verifiers: The menu of the verifiers that may judge the answer.
        panels: The menu of the panels.
    """

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self.verifiers = QMenu("&Check with", window)
        self.panels = QMenu("&Panels", window)
        self.panels.aboutToShow.connect(self._fill_panels)

    def add_actions(self) -> None:
        """Registers the actions of the *Task* menu."""
        add = self._window.actions_registry.add
        for name, text, do, keys, icon_name in _TASK_ACTIONS:
            add(f"task.{name}", "Task", text, partial(self._do_in_front, do), keys, icon_name)

    def follow_front(self) -> None:
        """Offers what the page that came to the front can do."""
        workspace = self._window.pages.workspace
        for entry in self._window.actions_registry.entries.values():
            if entry.menu == "Task":
                entry.action.setEnabled(workspace is not None)
        has_commands = workspace is not None and bool(commands_of(workspace.document.task))
        self._window.actions_registry["task.command"].setEnabled(has_commands)
        if workspace is not None:
            self._fill_verifiers(workspace)

    def begin_tour(self) -> None:
        """Begins the tour of the editor in front."""
        self._do_in_front(lambda workspace: workspace.begin_tour())

    def save_picture(self) -> None:
        """Asks for a file and writes the picture of the view in front to it."""
        workspace = self._window.pages.workspace
        if workspace is None:
            self._window.show_message("Open a subtask first; the picture shows its view.")
            return
        path, _ = QFileDialog.getSaveFileName(self._window, "Save the picture", "picture.png", "Pictures (*.png)")
        if not path:
            return
        try:
            write_whole(Path(path), encoded(workspace.editor.view.image(scale=2.0)))
        except OSError as error:
            self._window.show_message(f"The picture could not be written to “{path}”: {error.strerror}.")

    def _do_in_front(self, do: Callable[[Workspace], object]) -> None:
        """Calls a function with the workspace in front, if there is one."""
        if (workspace := self._window.pages.workspace) is not None:
            do(workspace)

    def _fill_verifiers(self, workspace: Workspace) -> None:
        self.verifiers.clear()
        for verifier in workspace.document.task.verifiers().values():
            action = self.verifiers.addAction(verifier.name)
            action.setToolTip(verifier.about)
            action.setCheckable(True)
            action.setChecked(verifier.name == workspace.session.live.verifier)
            action.triggered.connect(partial(self._use_verifier, verifier.name))

    def _use_verifier(self, name: str, _: bool = False) -> None:
        if (workspace := self._window.pages.workspace) is not None:
            workspace.judgement.use_verifier(name)
            self._fill_verifiers(workspace)

    def _fill_panels(self) -> None:
        self.panels.clear()
        workspace = self._window.pages.workspace
        if workspace is None:
            self.panels.addAction("Open a subtask to see its panels").setEnabled(False)
        else:
            self.panels.addActions(workspace.docks.actions())
