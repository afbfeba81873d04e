"""The dialog that deletes data, and the message after a withdrawal."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store.studies.records import Withdrawal


class PurgeDialog(FormDialog):
    """Asks which data of a study to delete: files on this machine, or all sessions of the project, too.

    Signals:
        ordered(bool): delete; True: all sessions of the project, too.
    """

    ordered = Signal(bool)

    def __init__(self, name: str, delete_after: str, parent: QWidget | None = None) -> None:
        about = "Session files on this machine are deleted if the project holds all of their contents."
        super().__init__("Delete data", about, "Delete", parent)
        self._expected = name
        self.data = QCheckBox("All sessions of the project, too, with their attempts")
        self.name = QLineEdit(placeholderText=name)
        self.name.setMinimumWidth(320)
        self.form.addRow("", self.data)
        self.form.addRow("Name", self.name)
        self._until = f"The data may be kept until {delete_after}. " if date.today().isoformat() <= delete_after else ""
        self.data.toggled.connect(self._check_input)
        self.name.textChanged.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Passes the order on."""
        self.ordered.emit(self.data.isChecked())
        self.accept()

    def _check_input(self) -> None:
        is_all = self.data.isChecked()
        self.form.setRowVisible(self.name, is_all)
        self.show_trouble(
            f"{self._until}This cannot be undone. Type the name of the study to continue." if is_all else ""
        )
        self.go.setEnabled(not is_all or self.name.text() == self._expected)


def withdrawal_lines(done: Withdrawal) -> list[str]:
    """What was deleted, and what still holds the data."""
    lines = [f"{counted(done.sessions, 'session')} and {counted(done.attempts, 'attempt')} deleted."]
    lines += [f"Still holds the data: {name}" for name in done.elsewhere]
    if not done.is_journal_clear:
        lines.append("Another program has the project open. Close it and withdraw again, to clear the journal.")
    return lines
