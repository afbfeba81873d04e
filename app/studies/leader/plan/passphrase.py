"""The passphrase to leave the participant's window."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.widgets.theme import SPACE


class PassphraseRow(QWidget):
    """Asks for a new passphrase.

    Signals:
        given(str): the passphrase.
    """

    given = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.line = QLineEdit(placeholderText="at least 8 characters")
        self.line.setAccessibleName("New passphrase")
        self.line.setMaximumWidth(260)
        self.line.returnPressed.connect(self._give_passphrase)
        self.button = QPushButton("Set")
        self.button.clicked.connect(self._give_passphrase)
        label = QLabel("Passphrase to leave the participant's window")
        label.setBuddy(self.line)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.line)
        row.addWidget(self.button)
        row.addStretch(1)
        words = QLabel("Only its hash is stored. Setting another one changes the document.")
        words.setObjectName("caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3 * SPACE)
        column.addWidget(label)
        column.addLayout(row)
        column.addWidget(words)

    def set_read_only(self, is_fixed: bool) -> None:
        """Whether another one can be set."""
        for control in (self.line, self.button):
            control.setEnabled(not is_fixed)

    def _give_passphrase(self) -> None:
        if self.line.text():
            self.given.emit(self.line.text())
