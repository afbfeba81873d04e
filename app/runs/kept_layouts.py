"""The sizes that a user gave to the parts of a page, kept in the settings."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QHeaderView, QSplitter

from spatial_workbench.app.frame.settings import Settings


class KeptLayouts:
    """Restores and stores the states of splitters and headers, by the names of their settings."""

    def __init__(self, settings: Settings, parts: Mapping[str, QSplitter | QHeaderView]) -> None:
        self._settings = settings
        self._parts = parts

    def restore(self) -> None:
        """Gives the parts the sizes that they had last time."""
        for name, part in self._parts.items():
            stored = self._settings.layout(name)
            if stored is not None:
                part.restoreState(stored)

    def store(self) -> None:
        """Keeps the sizes of the parts."""
        for name, part in self._parts.items():
            self._settings.set_layout(name, part.saveState())
