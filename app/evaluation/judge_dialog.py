"""Dialogs before and after a model labels failures: the choice of a model with its cost, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background import evaluations as background
from app.evaluation.words import judging_expectation, judging_outcome
from engine.core.words import counted
from widgets.theme import SPACE

if TYPE_CHECKING:
    from pathlib import Path

    from app.background.jobs import BackgroundJob, Jobs
    from engine.evaluation.labelling import JudgingEstimate, LabellingOutcome
    from engine.evaluation.plan import Contender


class JudgeDialog(QDialog):
    """Asks which model should label the failed attempts of a batch, and shows the expected cost.

    Signals:
        judge_chosen(str, bool): the judge's name, and whether attempts that have a label are judged again.
    """

    judge_chosen = Signal(str, bool)

    def __init__(
        self, jobs: Jobs, project: Path, batch: int, judges: Mapping[str, Contender], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Judge failures")
        self.resize(520, 220)
        self._jobs, self._project, self._batch, self._judges = jobs, project, batch, judges
        self._job: BackgroundJob | None = None
        self._estimate: JudgingEstimate | None = None
        self.judge = QComboBox()
        self.judge.setAccessibleName("Judge")
        self.judge.addItems(list(judges))
        self.judge.currentIndexChanged.connect(lambda _: self._tell())
        self.again = QCheckBox("Also judge attempts that have a label")
        self.again.toggled.connect(lambda _: self._count())
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.start = QPushButton("Judge")
        self.start.setObjectName("primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self._begin)
        self._lay_out()
        self._count()

    def done(self, result: int) -> None:
        """Cancels the estimate."""
        if self._job is not None and self._job.is_pending:
            self._job.cancel()
        super().done(result)

    def _lay_out(self) -> None:
        about = QLabel("A model reads attempts that scored below 0.6 and says why they failed.")
        about.setObjectName("secondary")
        about.setWordWrap(True)
        form = QFormLayout()
        form.setHorizontalSpacing(4 * SPACE)
        form.setVerticalSpacing(2 * SPACE)
        form.addRow("Judge", self.judge)
        form.addRow("", self.again)
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.start)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(about)
        layout.addLayout(form)
        layout.addWidget(self.summary)
        layout.addStretch(1)
        layout.addLayout(buttons)

    def _count(self) -> None:
        if self._job is not None and self._job.is_pending:
            self._job.cancel()
        self._estimate = None
        self._tell()
        self._job = self._jobs.run(
            "Counting failures",
            background.estimate_label,
            self._project,
            self._batch,
            self.again.isChecked(),
            done=self._counted,
            failed=self.summary.setText,
            quiet=True,
        )

    def _counted(self, estimate: JudgingEstimate) -> None:
        self._estimate = estimate
        self._tell()

    def _tell(self) -> None:
        estimate, judge = self._estimate, self._judges.get(self.judge.currentText())
        self.start.setEnabled(estimate is not None and estimate.attempts > 0 and judge is not None)
        if judge is None:
            self.summary.setText("No model is set up that could judge. Add one in Evaluate › Models.")
        elif estimate is None:
            self.summary.setText("Counting…")
        elif not estimate.attempts:
            self.summary.setText("Every failed attempt of this batch has a label.")
        else:
            self.summary.setText(judging_expectation(estimate, judge.settings))

    def _begin(self) -> None:
        self.judge_chosen.emit(self.judge.currentText(), self.again.isChecked())
        self.accept()


def outcome_box(judge: Contender, labelled: LabellingOutcome, parent: QWidget) -> QMessageBox:
    """Shows the outcome of labelling, with a button that lists the attempts."""
    summary = f"Labelled: {counted(labelled.labelled, 'attempt')}."
    box = QMessageBox(QMessageBox.Icon.Information, "Judge failures", summary, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(judging_outcome(labelled, judge.settings))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.addButton(QMessageBox.StandardButton.Close)
    return box
