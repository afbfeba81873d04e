"""Asks models to judge stored attempts: why they failed, and which steps of puzzles they met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.evaluation.step_judgings import StepJudgings
from spatial_workbench.engine.core.words import counted

if TYPE_CHECKING:
    from spatial_workbench.app.evaluation.judging_page import JudgingPage
    from spatial_workbench.app.evaluation.step_judging import StepJudgingWork
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.engine.evaluation.labelling import LabellingOutcome
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging


class Judging(QObject):
    """The dialogs and jobs of judging.

    Signals:
        attempts_wanted(int): list the attempts of a batch.
        steps_wanted(int): show the steps of an attempt.
    """

    attempts_wanted = Signal(int)
    steps_wanted = Signal(int)

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self.judgings = StepJudgings(window.jobs.judging, window.project, self)
        self.judgings.ended.connect(self._end_of)
        self.judgings.found.connect(self._tell_of_waiting)
        window.pages.register("judging", self._make_page)

    def label(self, batch: int) -> None:
        """Asks which model should label the failed attempts of a batch, and starts it."""
        from spatial_workbench.app.evaluation.judge_dialog import JudgeDialog

        judges = judging_models()
        path = self._window.project.path
        if path is None:
            return
        dialog = JudgeDialog(self._window.jobs, path, batch, judges, self._window)
        dialog.judge_chosen.connect(lambda name, again: self._label(judges[name], batch, again))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def judge_steps(self, batch: int | None = None, attempts: tuple[int, ...] | None = None) -> None:
        """Asks which model should judge the steps of attempts at puzzles, and starts it.

        Without a batch and attempts, those that are chosen on open pages are offered, and all of the project.
        """
        from spatial_workbench.app.evaluation.judge_dialog import StepJudgeDialog

        judges = judging_models()
        path = self._window.project.path
        if path is None:
            return
        scopes = scope_of(batch, attempts) if batch is not None or attempts is not None else self._scopes()
        dialog = StepJudgeDialog(self._window.jobs, path, scopes, judges, self._window)
        dialog.steps_chosen.connect(lambda name, what, scope: self._judge_steps(judges[name], what, scope))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _scopes(self) -> dict[str, StepJudging]:
        from spatial_workbench.app.evaluation.page import BatchesPage
        from spatial_workbench.app.runs.page import RunsPage

        scopes: dict[str, StepJudging] = {}
        for page in self._window.pages:
            if isinstance(page, RunsPage) and page.table.selected_count:
                scopes |= scope_of(None, tuple(page.table.selected_numbers()))
            elif isinstance(page, BatchesPage) and (batch := page.chosen()) is not None:
                scopes |= scope_of(batch.row.number, None)
        return scopes | scope_of(None, None)

    def _judge_steps(self, judge: Contender, what: StepJudging, scope: str) -> None:
        path = self._window.project.path
        if path is None:
            return
        self.judgings.launch(path, judge, what, scope)
        # Whoever asks about one attempt goes on looking at its steps.
        if what.attempts is None or len(what.attempts) > 1:
            self.show_judging()

    def _tell_of_waiting(self, count: int) -> None:
        waiting = "Judging of steps is paused" if count == 1 else f"{count} judgings of steps are paused"
        self._window.show_message(f"{waiting}; go on with it, or drop it, in Evaluate › Judging of steps.")

    def _end_of(self, work: StepJudgingWork) -> None:
        self._window.project.changed.emit()
        self._window.show_message(f"Judging steps by {work.name} is {work.state.value}. {work.words}".strip())

    def show_judging(self) -> None:
        """Goes to the page of judging."""
        self._window.pages.show("judging")

    def _make_page(self) -> JudgingPage:
        from spatial_workbench.app.evaluation.judging_page import JudgingPage

        page = JudgingPage(self.judgings, self._window.project)
        page.judge_wanted.connect(lambda: self.judge_steps())
        page.attempt_wanted.connect(self.steps_wanted)
        return page

    def _label(self, judge: Contender, batch: int, again: bool) -> None:
        from spatial_workbench.app.background.evaluations import label, with_keys
        from spatial_workbench.app.evaluation.judge_dialog import outcome_box
        from spatial_workbench.engine.models import session_keys

        def done(labelled: LabellingOutcome) -> None:
            box = outcome_box(judge, labelled, self._window)
            attempts = box.addButton("Show attempts", QMessageBox.ButtonRole.AcceptRole)
            attempts.clicked.connect(lambda: self.attempts_wanted.emit(batch))
            box.open()

        path = self._window.project.path
        failed = self._window.show_message
        run = self._window.jobs.run
        keys = session_keys([judge.settings])
        work = (label, path, judge.model_dump_json(), batch, again)
        run("Judging failures", with_keys, keys, *work, done=done, failed=failed)


def scope_of(batch: int | None, attempts: tuple[int, ...] | None) -> dict[str, StepJudging]:
    """What is judged, by what it is called in the dialog."""
    from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging

    if attempts is not None:
        return {f"Selected in the runs browser: {counted(len(attempts), 'attempt')}": StepJudging(attempts=attempts)}
    if batch is not None:
        return {f"Batch {batch}": StepJudging(batch=batch)}
    return {"All attempts at puzzles of this project": StepJudging()}


def judging_models() -> dict[str, Contender]:
    """The models that can label failures, judge steps and flag puzzles, by name."""
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.models import ModelLibrary, Provider

    return {
        known.settings.name: Contender(settings=known.settings, capabilities=known.capabilities)
        for known in ModelLibrary().all_priced()
        if known.is_reachable and (known.settings.provider.is_endpoint or known.settings.provider is Provider.OFFLINE)
    }
