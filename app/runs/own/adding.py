"""Asks for a verifier of one's own: a file that runs in the sandbox, or a command."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QSpinBox, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.registry import tasks
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE

ABOUT = (
    "A function verify(instance, answer) in a file of Python, or a command that reads a case and prints a verdict as "
    "JSON. See “Verifiers of your own” in the documentation."
)
FILE_NOTE = "Files run in the sandbox only, where they see nothing of this machine."
COMMAND_NOTE = "A command runs as you do: add only one that you trust. Projects never hold it."


class AddVerifierDialog(FormDialog):
    """Name, task, what runs the verifier, and how long it may take.

    Signals:
        wanted(OwnVerifier): add this one.
    """

    wanted = Signal(object)

    def __init__(self, task: str = "", parent: QWidget | None = None) -> None:
        super().__init__("Add a verifier", ABOUT, "Add", parent)
        self.resize(560, 320)
        self.name = QLineEdit()
        self.name.setPlaceholderText("grader")
        self.name.setToolTip("Its verdicts are stored under own: and this name")
        self.task = QComboBox()
        for known in sorted(tasks(), key=lambda known: known.title):
            self.task.addItem(known.title, known.id)
        self.task.setCurrentIndex(max(0, self.task.findData(task)))
        self.kind = QComboBox()
        self.kind.addItem("File, in the sandbox", OwnKind.FILE)
        self.kind.addItem("Command", OwnKind.COMMAND)
        self.kind.currentIndexChanged.connect(lambda _: self._show_kind())
        self.place = QLineEdit()
        self.browse = QPushButton("Browse…")
        self.browse.clicked.connect(self._choose_file)
        self.seconds = inset(QSpinBox())
        self.seconds.setRange(1, 3600)
        self.seconds.setValue(60)
        self.seconds.setSuffix(" s")
        self.lasting = QCheckBox("Stays for many answers: a case on each line, a verdict on each line")
        self.lasting.setToolTip("Otherwise the command is started for each answer")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.place, 1)
        row.addWidget(self.browse)
        self.form.addRow("Name", self.name)
        self.form.addRow("Task", self.task)
        self.form.addRow("Runs as", self.kind)
        self.form.addRow("File or command", row)
        self.form.addRow("", self.lasting)
        self.form.addRow("Time for an answer", self.seconds)
        self._show_kind()
        self.name.setFocus()

    def order(self) -> None:
        """Asks for the verifier; the dialog stays until it was taken."""
        kind = self.kind.currentData()
        words = self.place.text().strip()
        try:
            command = tuple(shlex.split(words)) if kind == OwnKind.COMMAND else ()
        except ValueError as error:
            self.show_trouble(f"The command cannot be split into words: {error}.")
            return
        path = str(Path(words).expanduser()) if kind == OwnKind.FILE else ""
        self.wanted.emit(
            OwnVerifier(
                name=self.name.text().strip(),
                task=self.task.currentData(),
                kind=kind,
                path=path,
                command=command,
                seconds=float(self.seconds.value()),
                lasting=kind == OwnKind.COMMAND and self.lasting.isChecked(),
            )
        )

    def _show_kind(self) -> None:
        is_file = self.kind.currentData() == OwnKind.FILE
        self.browse.setVisible(is_file)
        self.form.setRowVisible(self.lasting, not is_file)
        self.place.setPlaceholderText("/path/to/grader.py" if is_file else "python3 /path/to/grader.py")
        self.show_note(FILE_NOTE if is_file else COMMAND_NOTE)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "The file of the verifier", "", "Python (*.py)")
        if path:
            self.place.setText(path)
