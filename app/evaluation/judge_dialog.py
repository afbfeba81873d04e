"""Dialogs before and after a model labels failures: the choice of a model with its cost, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QMessageBox,
    QWidget,
)

from spatial_workbench.app.background import evaluations as background
from spatial_workbench.app.evaluation.words import judging_expectation, judging_outcome
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from pathlib import Path

    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.engine.evaluation.labelling import JudgingEstimate, LabellingOutcome
    from spatial_workbench.engine.evaluation.planning.plan import Contender


class JudgeDialog(FormDialog):
    """Asks which model should label the failed attempts of a batch, and shows the expected cost.

    Signals:
        judge_chosen(str, bool): the judge's name, and whether attempts that have a label are judged again.
    """

    judge_chosen = Signal(str, bool)
    heading = "Judge failures"
    about = "A model reads attempts that scored below 0.6 and says why they failed."
    again_text = "Also judge attempts with a label"
    nothing = "Every failed attempt of this batch has a label."

    def __init__(
        self,
        jobs: Jobs,
        project: Path,
        batch: int | None,
        judges: Mapping[str, Contender],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.heading, self.about, "Judge", parent)
        self.resize(520, 0)
        self._jobs = jobs
        self._project = project
        self._batch = batch
        self._judges = judges
        self._job: BackgroundJob | None = None
        self._estimate: JudgingEstimate | None = None
        self.judge = ChoiceBox()
        self.judge.setAccessibleName("Judge")
        self.judge.addItem("Choose a model…", "")
        for name in judges:
            self.judge.addItem(name, name)
        self.judge.currentIndexChanged.connect(lambda _: self._judge_changed())
        self.again = QCheckBox(self.again_text)
        self.again.toggled.connect(lambda _: self._count())
        self.form.addRow("Judge", self.judge)
        self.form.addRow("", self.again)
        self._add_options()
        self._count()

    def done(self, result: int) -> None:
        """Cancels the estimate."""
        if self._job is not None and self._job.is_pending:
            self._job.cancel()
        super().done(result)

    @property
    def chosen(self) -> str:
        """The name of the model; empty until one is chosen."""
        return str(self.judge.currentData() or "")

    def _count(self) -> None:
        if self._job is not None and self._job.is_pending:
            self._job.cancel()
        self._estimate = None
        self._show_estimate()
        self._job = self._start_counting()

    def _start_counting(self) -> BackgroundJob | None:
        return self._jobs.run(
            "Counting failures",
            background.estimate_label,
            self._project,
            self._batch,
            self.again.isChecked(),
            done=self._counted,
            failed=self.show_note,
            quiet=True,
        )

    def _judge_changed(self) -> None:
        self._show_estimate()

    def _add_options(self) -> None:
        """Adds further options; there are none here."""

    def _counted(self, estimate: JudgingEstimate) -> None:
        self._estimate = estimate
        self._show_estimate()

    def _show_estimate(self) -> None:
        estimate = self._estimate
        judge = self._judges.get(self.chosen)
        self.go.setEnabled(estimate is not None and estimate.attempts > 0 and judge is not None)
        if not self._judges:
            self.show_note("No model that can judge is set up. Add one in Evaluate › Models.")
        elif judge is None:
            self.show_note("Choose the model that judges; then the number of requests and their cost are shown.")
        elif estimate is None:
            self.show_note("Counting…")
        elif not estimate.attempts:
            self.show_note(self.nothing)
        else:
            self.show_note(judging_expectation(estimate, judge.settings))

    def order(self) -> None:
        self.judge_chosen.emit(self.chosen, self.again.isChecked())
        self.accept()


class StepJudgeDialog(JudgeDialog):
    """Asks which model should judge the steps of attempts at puzzles.

    scopes: What can be judged, by what it is called; the first is chosen.

    Signals:
        steps_chosen(str, object, str): the judge's name, what it judges and how (StepJudging), and this in words.
    """

    steps_chosen = Signal(str, object, str)
    heading = "Judge steps"
    about = "A model reads attempts at puzzles and says which annotated steps they contain, with the same result."
    again_text = "Also judge attempts that this judge has judged"
    nothing = "This judge has judged all of these attempts, or none of them is about a puzzle."

    def __init__(
        self,
        jobs: Jobs,
        project: Path,
        scopes: Mapping[str, StepJudging],
        judges: Mapping[str, Contender],
        parent: QWidget | None = None,
    ) -> None:
        self.scope = ChoiceBox()
        self.scope.setAccessibleName("Attempts")
        self.scope.setToolTip("Which attempts are judged")
        for text, what in scopes.items():
            self.scope.addItem(text, what)
        self.together = QCheckBox("One question for all steps of an attempt")
        self.together.setToolTip("Fewer requests; the published judge was asked about each step separately")
        super().__init__(jobs, project, None, judges, parent)
        self.together.toggled.connect(lambda _: self._count())
        self.scope.currentIndexChanged.connect(lambda _: self._count())

    def _what(self) -> StepJudging:
        scope: StepJudging = self.scope.currentData()
        return replace(scope, together=self.together.isChecked(), again=self.again.isChecked())

    def _add_options(self) -> None:
        self.form.insertRow(1, "Attempts", self.scope)
        self.form.addRow("", self.together)

    def _judge_changed(self) -> None:
        # What a judge has judged, and what its stored answers save, differs from judge to judge.
        self._count()

    def _start_counting(self) -> BackgroundJob | None:
        if not self.chosen:
            return None
        return self._jobs.run(
            "Counting steps",
            background.estimate_step_judging,
            self._project,
            self._judges[self.chosen].settings,
            self._what(),
            done=self._counted,
            failed=self.show_note,
            quiet=True,
        )

    def order(self) -> None:
        self.steps_chosen.emit(self.chosen, self._what(), self.scope.currentText())
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
