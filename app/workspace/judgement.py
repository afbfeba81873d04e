"""The verdict in a workspace, and submitting: how much is shown, which questions come first, the last submission."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QVBoxLayout, QWidget

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.workspace.session import Session
from spatial_workbench.app.workspace.submission_line import SubmissionLine
from spatial_workbench.engine.core import Aid, Verdict
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.widgets.editing.abilities import save_sketches_of, submission_question_of
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.panels.verdict_panel import SHOW_WRONG, VerdictPanel

_ASK_FOR_KEY = (
    "Show what is missing from your answer?\n\nThis is recorded with the draft and with every attempt "
    "that you submit here from now on. Such attempts do not count as solved without help."
)
_ASK_ABOUT_EMPTY = (
    "Submit an empty answer?\n\nNothing has been built here yet. The attempt will be stored and checked as it is."
)
_NOT_BEFORE = f"Right or wrong is told when you submit the answer, or while “{SHOW_WRONG}” is on."


class JudgementPanel(QWidget):
    """The verdict, with the last submission below it.

    Signals:
        message(str): why something was not done.
        solved(): an attempt that was just submitted has passed.
        attempt_wanted(int): show this attempt in the list.
    """

    message = Signal(str)
    solved = Signal()
    attempt_wanted = Signal(int)

    def __init__(self, session: Session, editor: Editor[Any], jobs: ScopedRunner) -> None:
        super().__init__()
        self._session = session
        self._editor = editor
        self._jobs = jobs
        self._document = session.document
        self._has_asked_about_empty = False
        self.panel = VerdictPanel()
        self.line = SubmissionLine()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.panel, 1)
        column.addWidget(self.line)
        self._connect()
        self._show_openness()
        if self._document.verdict is not None:
            self._show_verdict()

    def submit(self) -> None:
        """Stores the answer as an attempt with all verdicts; first asks any question the editor has."""
        save_sketches_of(self._editor)
        question = submission_question_of(self._editor) or self._question_about_empty()
        if not question:
            self._session.submit()
            return
        box = QMessageBox(QMessageBox.Icon.Question, "Submit", question, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.addButton("Submit", QMessageBox.ButtonRole.AcceptRole).clicked.connect(self._session.submit)
        box.setDefaultButton(box.addButton("Keep working", QMessageBox.ButtonRole.RejectRole))
        box.open()

    def crosscheck(self) -> None:
        """Cross-checks the current answer and shows both verdicts."""
        verdict = self._document.verdict
        if verdict is None or not self._document.is_verdict_current:
            self.message.emit("Wait for the verdict first; the cross-check is compared with it.")
            return
        if not self._document.tells_all:
            self.message.emit(_NOT_BEFORE)
            return
        self._session.use_aid("Cross-check", Aid.JUDGING)
        self.panel.show_waiting(True, "Cross-checking by another method…")
        self._jobs.run(
            "Cross-checking",
            judging.verify,
            self._document.instance,
            packed(self._document.task, self._document.answer),
            "crosscheck",
            done=lambda other: self._compare_methods(verdict, other),
        )

    def use_verifier(self, name: str) -> None:
        """Switches to another of the task's verifiers."""
        self._session.use_aid(f"Check with {name}", Aid.JUDGING)
        self._session.live.verifier = name
        self._session.live.request()
        if not self._document.tells_all:
            self.message.emit(_NOT_BEFORE)

    def ask_for_key(self) -> None:
        """Asks once whether to show what is missing from the answer, and records that it was shown."""
        box = QMessageBox(QMessageBox.Icon.Question, "Show the key", _ASK_FOR_KEY, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        show = box.addButton("Show the key", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Keep working", QMessageBox.ButtonRole.RejectRole)
        show.clicked.connect(self._session.show_key)
        box.open()

    def _connect(self) -> None:
        session = self._session
        document = self._document
        panel = self.panel
        session.trouble.connect(self.line.show_trouble)
        session.submitted.connect(self.line.show_stored)
        session.judged.connect(self._judged)
        session.live.waiting_changed.connect(panel.show_waiting)
        document.verdict_changed.connect(self._show_verdict)
        document.answer_changed.connect(self._grey_verdict)
        document.openness_changed.connect(self._show_openness)
        panel.elements_clicked.connect(self._editor.show_elements)
        panel.cancel_requested.connect(session.live.cancel)
        panel.crosscheck_requested.connect(self.crosscheck)
        panel.key_requested.connect(self.ask_for_key)
        panel.wrong_wanted.connect(session.show_wrong)
        self.line.attempt_wanted.connect(self.attempt_wanted)

    def _question_about_empty(self) -> str:
        """The question that is asked once in this tab before an empty answer is submitted."""
        task = self._document.task
        document = self._document
        if self._has_asked_about_empty or document.answer != task.empty(document.instance):
            return ""
        self._has_asked_about_empty = True
        return _ASK_ABOUT_EMPTY

    def _judged(self, number: int, verdicts: tuple[Verdict, ...]) -> None:
        default = next(verdict for verdict in verdicts if verdict.verifier == "default")
        self.line.show_judged(number, default)
        if default.passed:
            self.solved.emit()

    def _show_verdict(self) -> None:
        self.panel.show_verdict(self._document.verdict, self._document.is_verdict_current)

    def _show_openness(self) -> None:
        self.panel.show_rule(self._document.task.live, self._document.openness, self._session.explores)

    def _grey_verdict(self) -> None:
        self.panel.set_current(False)

    def _compare_methods(self, verdict: Verdict, other: Verdict) -> None:
        agree = not verdict.disagrees_with(other, self._document.task.score_tolerance)
        self.panel.show_waiting(False)
        scores = f"{verdict.verifier} {score_words(verdict.score, 3)} · cross-check {score_words(other.score, 3)}"
        self.panel.show_comparison(f"{scores} ({other.elapsed_s:.2f} s)", agree)
