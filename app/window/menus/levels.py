"""The File menu's entry for levels of people's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from spatial_workbench.app.background import judging
from spatial_workbench.app.frame.added import added

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host

FILTER = "Levels (*.level.json *.json);;All files (*)"


class OwnLevels(QObject):
    """Opens levels from files."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        window.actions_registry.add("level.open", "File", "Open &level…", self._choose, "", "open")

    def open_file(self, path: str) -> None:
        """Adds the level in a file, and opens it; says what is wrong with the file."""
        name = Path(path).name
        self._window.jobs.run(
            f"Reading {name}",
            judging.add_level,
            path,
            done=self._open,
            failed=lambda text: self._window.warn("The level was not opened", text),
        )

    def _open(self, address: str) -> None:
        added().refresh()
        self._window.open_instance(address)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, "Open a level", "", FILTER)
        if path:
            self.open_file(path)
