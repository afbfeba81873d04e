"""The list of what is wrong with a puzzle, and how much it is in words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding
from spatial_workbench.widgets.icons import icon


class FindingsPanel(QListWidget):
    """Everything wrong with a puzzle; choosing an entry goes to its field.

    Signals:
        field_wanted(tuple): the path of the field to go to.
    """

    field_wanted = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Checks")
        self.setWordWrap(True)
        self.itemClicked.connect(self._go_to_field)
        self.itemActivated.connect(self._go_to_field)

    def show_findings(self, findings: Sequence[PuzzleFinding]) -> None:
        """Lists findings, errors first."""
        self.clear()
        for finding in findings:
            name = "failed" if finding.is_error else "warning"
            item = QListWidgetItem(icon(name, name), f"{finding.message} · {finding.code}", self)
            item.setData(Qt.ItemDataRole.UserRole, finding.path)
            item.setToolTip(f"{'Error' if finding.is_error else 'Warning'} {finding.code}: go to {finding.place}")
        if not findings:
            item = QListWidgetItem(icon("passed", "passed"), "Nothing is wrong", self)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)

    def _go_to_field(self, item: QListWidgetItem) -> None:
        path = item.data(Qt.ItemDataRole.UserRole)
        if path:
            self.field_wanted.emit(tuple(path))


def findings_words(findings: Sequence[PuzzleFinding]) -> str:
    """How many errors and warnings there are."""
    errors = sum(finding.is_error for finding in findings)
    parts = [counted(errors, "error")] if errors else []
    parts += [counted(len(findings) - errors, "warning")] if len(findings) > errors else []
    return ", ".join(parts) or "no errors"
