"""Dialogs about freezing: what is fixed, the passphrase that will open the outcomes, and its recovery key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.studies.files.sealing import LEAST_CHARS, is_long_enough, key_lines
from spatial_workbench.engine.studies.planning.drafting import new_passphrase


class FreezeDialog(FormDialog):
    """Asks whether a study is to be frozen, and for the passphrase that will open its outcomes.

    Signals:
        ordered(str): freeze it; the passphrase.
    """

    ordered = Signal(str)

    def __init__(self, empty: Sequence[str], parent: QWidget | None = None) -> None:
        about = (
            "Freezing fixes the document, the items and the places, and from then on answers are encrypted. The"
            " passphrase below opens them, and so does the recovery key that is shown next. The passphrase is stored"
            " nowhere, so write it down."
        )
        super().__init__("Freeze", about, "Freeze", parent)
        self.passphrase = QLineEdit(new_passphrase())
        self.passphrase.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.passphrase.setMinimumWidth(320)
        self.is_kept = QCheckBox("I have written the passphrase down")
        self.form.addRow("Passphrase for the outcomes", self.passphrase)
        self.form.addRow("", self.is_kept)
        if empty:
            self.show_note(f"Still empty: {', '.join(empty)}. Reviewers ask for this, and it cannot be added later.")
        self.passphrase.textChanged.connect(self._check_input)
        self.is_kept.toggled.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Passes the passphrase on."""
        self.ordered.emit(self.passphrase.text())
        self.accept()

    def _check_input(self) -> None:
        is_long = is_long_enough(self.passphrase.text())
        self.show_trouble("" if is_long else f"The passphrase needs at least {LEAST_CHARS} characters.")
        self.go.setEnabled(is_long and self.is_kept.isChecked())


class RecoveryDialog(FormDialog):
    """Shows the recovery key of a study that was just frozen.

    Signals:
        ordered(Path): write the recovery sheet into this file.
    """

    ordered = Signal(object)

    def __init__(self, name: str, key: str, parent: QWidget | None = None) -> None:
        about = (
            "The study is frozen. If the passphrase is lost, this key opens the outcomes; without either, nobody"
            " can. Print the sheet, and keep it where nobody who analyses the study finds it."
        )
        super().__init__("Recovery key", about, "Save the sheet…", parent)
        self.cancel.setText("Close")
        self._name = name
        self._key = key
        self.key = QLabel("\n".join(key_lines(key)))
        self.key.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.key.setMinimumWidth(400)
        self.key.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.key.setAccessibleName("Recovery key")
        self.form.addRow(self.key)
        self.copy = QPushButton("Copy")
        self.copy.clicked.connect(self._copy)
        row = QHBoxLayout()
        row.addWidget(self.copy)
        row.addStretch(1)
        self.form.addRow(row)

    def order(self) -> None:
        """Asks for the file of the sheet."""
        suggested = f"{self._name} recovery.txt"
        path, _ = QFileDialog.getSaveFileName(self, "Save the recovery sheet", suggested, "Text (*.txt)")
        if path:
            self.ordered.emit(Path(path).with_suffix(".txt"))
            self.accept()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._key)
