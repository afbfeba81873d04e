"""What an import could not bring, though it was planned."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QListWidget, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.puzzles.sets.found_files import LeftOut

ABOUT = "These puzzles could not be imported. Everything else is in the set."


class LeftOutDialog(FormDialog):
    """Names puzzles that could not be imported, with the reasons."""

    def __init__(self, left_out: Sequence[LeftOut], parent: QWidget | None = None) -> None:
        super().__init__("Left out of the import", ABOUT, "Close", parent)
        self.resize(640, 300)
        self.list = QListWidget()
        self.list.setAccessibleName("Puzzles that could not be imported, and why")
        self.list.setWordWrap(True)
        self.list.addItems([f"{entry.words}." for entry in left_out])
        self.body.insertWidget(1, self.list, 1)
        self.cancel.hide()
