"""Dialogs that ask for a decision and its reason: exclusions, names to type, opening the outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.dialogs.lists import codes_in_words
from spatial_workbench.engine.studies.analysis.rules import LEAST_REASON
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class ReasonDialog(FormDialog):
    """Asks for a text: a reason, or a note.

    Signals:
        ordered(str): the text.
    """

    ordered = Signal(str)

    def __init__(self, title: str, about: str, verb: str, least: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(title, about, verb, parent)
        self._least = least
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Text")
        self.text.setTabChangesFocus(True)
        self.text.setMinimumSize(380, 90)
        self.text.textChanged.connect(self._check_input)
        self.body.insertWidget(1, self.text)
        self._check_input()

    def order(self) -> None:
        """Passes the text on."""
        self.ordered.emit(self.text.toPlainText().strip())
        self.accept()

    def _check_input(self) -> None:
        self.go.setEnabled(len(self.text.toPlainText().strip()) >= self._least)


class ExcludeDialog(FormDialog):
    """Asks which session or trial is excluded, and why.

    Signals:
        ordered(str, str, object): session, reason, position or None.
    """

    ordered = Signal(str, str, object)

    def __init__(
        self,
        sessions: Sequence[tuple[str, str, Sequence[tuple[int, str]]]],
        code: str,
        is_late: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`sessions` are (session, code, [(position, item)])."""
        about = (
            "The list is fixed. This becomes a post-hoc entry; the report lists it separately, with its own figures."
            if is_late
            else "It is added to the list that closing fixes."
        )
        super().__init__("Exclude", about, "Exclude", parent)
        self._trials = {session: trials for session, _, trials in sessions}
        self.session = ChoiceBox()
        for session, name, _ in sessions:
            self.session.addItem(name, session)
        self.session.setCurrentIndex(max(0, self.session.findText(code)))
        self.trial = ChoiceBox()
        self.reason = QLineEdit(placeholderText=f"at least {LEAST_REASON} characters")
        self.reason.setMinimumWidth(360)
        self.form.addRow("Code", self.session)
        self.form.addRow("What", self.trial)
        self.form.addRow("Reason", self.reason)
        self.session.currentIndexChanged.connect(self._offer)
        self.reason.textChanged.connect(self._check_input)
        self._offer()
        self._check_input()

    def order(self) -> None:
        """Passes the exclusion on."""
        self.ordered.emit(self.session.currentData(), self.reason.text().strip(), self.trial.currentData())
        self.accept()

    def _offer(self) -> None:
        self.trial.clear()
        self.trial.addItem("the whole session", None)
        for position, item in self._trials.get(self.session.currentData(), ()):
            self.trial.addItem(item, position)

    def _check_input(self) -> None:
        self.go.setEnabled(len(self.reason.text().strip()) >= LEAST_REASON and self.session.count() > 0)


class NameDialog(FormDialog):
    """Asks for the name of the study as a confirmation.

    Signals:
        ordered(str): the name.
    """

    ordered = Signal(str)

    def __init__(self, name: str, missing: Sequence[str], parent: QWidget | None = None) -> None:
        about = "After this, no bundles can be written, and the list of exclusions is fixed. Type the name to continue."
        super().__init__("Close collection", about, "Close collection", parent)
        self._expected = name
        self.name = QLineEdit(placeholderText=name)
        self.name.setMinimumWidth(320)
        self.form.addRow("Name", self.name)
        self.name.textChanged.connect(self._check_input)
        if missing:
            self.show_note(f"No results yet: {codes_in_words(missing)}. They can be merged until outcomes are opened.")
        self._check_input()

    def order(self) -> None:
        """Passes the name on."""
        self.ordered.emit(self.name.text())
        self.accept()

    def _check_input(self) -> None:
        self.go.setEnabled(self.name.text() == self._expected)


class UnsealDialog(FormDialog):
    """Asks whether outcomes are to be opened.

    Signals:
        ordered(str, str): open them; the passphrase or the recovery key, and a note for the report.
    """

    ordered = Signal(str, str)

    def __init__(self, is_early: bool, is_locked: bool, missing: Sequence[str], parent: QWidget | None = None) -> None:
        about = "All answers are judged by all verifiers. The report records that you looked. This cannot be undone."
        super().__init__("Show outcomes", about, "Show outcomes", parent)
        self.secret = QLineEdit(placeholderText="or the recovery key")
        self.secret.setEchoMode(QLineEdit.EchoMode.Password)
        self.secret.setMinimumWidth(320)
        self.remark = QLineEdit(placeholderText="may be empty")
        if is_locked:
            self.form.addRow("Passphrase for the outcomes", self.secret)
            self.go.setEnabled(False)
            self.secret.textChanged.connect(lambda text: self.go.setEnabled(bool(text)))
        self.form.addRow("Note", self.remark)
        words = ["Exclusions are not fixed yet; the report says so in its first paragraph."] if is_early else []
        words += (
            [f"No results were merged for {codes_in_words(missing)}; they cannot be merged afterwards."]
            if missing
            else []
        )
        self.show_trouble(" ".join(words))

    def order(self) -> None:
        """Passes secret and note on."""
        self.ordered.emit(self.secret.text(), self.remark.text())
        self.accept()
