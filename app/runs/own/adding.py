"""Asks for a verifier of one's own: a file, in the sandbox or trusted to run outside of it, or a command."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.registry import tasks
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier, OwnVerifierError
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox, CountBox

ABOUT = (
    "A function verify(instance, answer) in a file of Python, or a command that reads a case and prints a verdict as "
    "JSON. See “Verifiers of your own” in the documentation."
)
FILE_NOTE = "The file runs in the sandbox, where it sees nothing of this machine."
TRUST_NOTE = (
    "The file then runs as you do: it can read and change your files and use the network. Do this only with a file "
    "that you wrote or have read. If it changes, it does not run until you add it again. Projects never hold this."
)
COMMAND_NOTE = "A command runs as you do: add only one that you trust. Projects never hold it."


class AddVerifierDialog(FormDialog):
    """Name, task, what runs the verifier, and how long it may take.

    Signals:
        wanted(OwnVerifier): add this one.
    """

    wanted = Signal(object)

    def __init__(self, task: str = "", parent: QWidget | None = None) -> None:
        super().__init__("Add a verifier", ABOUT, "Add", parent)
        self.resize(560, 0)
        self.name = QLineEdit()
        self.name.setPlaceholderText("grader")
        self.name.setToolTip("Its verdicts are stored under own: and this name")
        self.task = ChoiceBox()
        for known in sorted(tasks(), key=lambda known: known.title):
            self.task.addItem(known.title, known.id)
        self.task.setCurrentIndex(max(0, self.task.findData(task)))
        self.kind = ChoiceBox()
        self.kind.addItem("File of Python", OwnKind.FILE)
        self.kind.addItem("Command", OwnKind.COMMAND)
        self.kind.currentIndexChanged.connect(lambda _: self._show_kind())
        self.place = QLineEdit()
        self.browse = QPushButton("Browse…")
        self.browse.clicked.connect(self._choose_file)
        self.seconds = inset(CountBox())
        self.seconds.setRange(1, 3600)
        self.seconds.setValue(60)
        self.seconds.setSuffix(" s")
        self.lasting = QCheckBox("Stays for many answers: a case on each line, a verdict on each line")
        self.lasting.setToolTip("Otherwise the command is started for each answer")
        self.trust = QCheckBox("I trust this file: run it outside of the sandbox")
        self.trust.setToolTip("It can then import what is installed, and works where there is no sandbox")
        self.trust.toggled.connect(lambda _: self._show_kind())
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.place, 1)
        row.addWidget(self.browse)
        self.form.addRow("Name", self.name)
        self.form.addRow("Task", self.task)
        self.form.addRow("Runs as", self.kind)
        self.form.addRow("File or command", row)
        self.form.addRow("", self.trust)
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
        verifier = OwnVerifier(
            name=self.name.text().strip(),
            task=self.task.currentData(),
            kind=kind,
            path=path,
            command=command,
            seconds=float(self.seconds.value()),
            lasting=kind == OwnKind.COMMAND and self.lasting.isChecked(),
        )
        try:
            self.wanted.emit(verifier.with_trust() if self._is_trusted else verifier)
        except OwnVerifierError as error:
            self.show_trouble(str(error))

    @property
    def _is_trusted(self) -> bool:
        return self.kind.currentData() == OwnKind.FILE and self.trust.isChecked()

    def _show_kind(self) -> None:
        is_file = self.kind.currentData() == OwnKind.FILE
        self.browse.setVisible(is_file)
        self.form.setRowVisible(self.lasting, not is_file)
        self.form.setRowVisible(self.trust, is_file)
        self.place.setPlaceholderText("/path/to/grader.py" if is_file else "python3 /path/to/grader.py")
        self.show_note(TRUST_NOTE if self._is_trusted else FILE_NOTE if is_file else COMMAND_NOTE)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "The file of the verifier", "", "Python (*.py)")
        if path:
            self.place.setText(path)
            self.trust.setChecked(False)
