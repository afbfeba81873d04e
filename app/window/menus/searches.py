"""Searches for machines: started from the Evaluate menu, and opened from their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.machine_runs.page import MachineRunPage
    from spatial_workbench.app.machine_runs.search_dialog import SearchDialog
    from spatial_workbench.app.machine_runs.search_page import SearchPage
    from spatial_workbench.app.machine_runs.work import SearchOrder
    from spatial_workbench.engine.search.run_tree import RunTree


class Searches(QObject):
    """The searches of a window; `show` opens a page that browses machines."""

    def __init__(self, window: Host, show: Callable[[MachineRunPage], None]) -> None:
        super().__init__(window)
        self._window = window
        self._show = show
        self.dialog: SearchDialog | None = None
        add = window.actions_registry.add
        add("evaluate.search", "Evaluate", "&Search machines…", self.ask, "", "search")
        add("runs.search", "Runs", "Open &machine search…", self.choose, "", "open")

    def ask(self) -> None:
        """Asks how to search, beginning with the level of the workspace in front."""
        from spatial_workbench.app.machine_runs.search_dialog import SearchDialog

        workspace = self._window.pages.workspace
        level = "" if workspace is None else str(workspace.document.instance.parameters.get("level", ""))
        self.dialog = dialog = SearchDialog(self._window.project, level, self._window)
        dialog.ordered.connect(self.begin)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def begin(self, order: SearchOrder) -> SearchPage:
        """Runs a search in a page of its own."""
        from spatial_workbench.app.machine_runs.search_page import SearchPage
        from spatial_workbench.engine.core import resolve
        from spatial_workbench.engine.machines.designing.strategies import Strategy
        from spatial_workbench.engine.search.run_tree import STRATEGY_NAMES, RunTree

        level = str(resolve(order.address)[1].parameters["level"])
        tree = RunTree(STRATEGY_NAMES[Strategy(order.strategy)], level)
        page = SearchPage(tree, order.path, self._window.jobs, order)
        self._show(page)
        return page

    def choose(self) -> None:
        """Asks for the file of a search, and shows it."""
        folder = str(self._window.project.files_folder or "")
        path, _ = QFileDialog.getOpenFileName(self._window, "Open machine search", folder, "Searches (*.jsonl)")
        if path:
            self.open(Path(path))

    def open(self, path: Path) -> None:
        """Shows a stored search."""
        from spatial_workbench.app.machine_runs import work

        self._window.jobs.live.run(
            f"Reading {path.name}",
            work.read_search,
            path,
            done=lambda tree: self._opened(tree, path),
            failed=self._window.show_message,
        )

    def _opened(self, tree: RunTree, path: Path) -> None:
        from spatial_workbench.app.machine_runs.search_page import SearchPage

        self._show(SearchPage(tree, path, self._window.jobs))
