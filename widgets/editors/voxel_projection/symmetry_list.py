"""The list of remaining symmetries."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QListWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.voxel_projection.grid import Symmetry


class SymmetryList(QListWidget):
    """A row for each symmetry, of which one may be chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Symmetries that remain"))
        self.setToolTip(tr("Choose a symmetry to see a voxel and its image; moving either breaks the symmetry"))
        self.setMaximumHeight(132)

    @property
    def chosen(self) -> int:
        """The chosen row; -1 if none is chosen."""
        return self.currentRow() if self.selectedItems() else -1

    def show_symmetries(self, symmetries: Sequence[Symmetry]) -> None:
        """Lists these symmetries, without emitting signals."""
        rows = [f"{said(symmetry.name)}: {symmetry.formula}" for symmetry in symmetries]
        if rows == [self.item(k).text() for k in range(self.count())]:
            return
        with QSignalBlocker(self):
            self.clear()
            self.addItems(rows)
            for k, row in enumerate(rows):
                self.item(k).setToolTip(row)

    def clear_choice(self) -> None:
        """Chooses none, without emitting signals."""
        with QSignalBlocker(self):
            self.clearSelection()
