"""Judging of steps: it runs in the background, is paused and resumed, and outlives the window in the project."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background.evaluations import judge_puzzle_steps, with_keys
from spatial_workbench.app.background.jobs import JUDGING_DRAIN_S, BackgroundJob, Lane
from spatial_workbench.engine.evaluation.puzzles.candidates import judge_of
from spatial_workbench.engine.models import session_keys

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
    from spatial_workbench.engine.evaluation.puzzles.judging import StepJudgingOutcome
    from spatial_workbench.engine.evaluation.puzzles.kept_judgings import KeptJudging
    from spatial_workbench.engine.store import StepJudge


class JudgingState(StrEnum):
    """How far judging is."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped by an error"


class StepJudgingWork(QObject):
    """One judge, and what it is asked about.

    A pause lets the answers that are on their way come in. Whatever ends the work, all answers until then are kept, and
    `resume` goes on from there.

    Attributes:
        words: How far it is, or how it ended.

    Signals:
        changed(): the state or the words changed.
        ended(): it is finished, or stopped by an error.
    """

    changed = Signal()
    ended = Signal()

    def __init__(
        self,
        lane: Lane,
        project: Path,
        judging: KeptJudging,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._lane = lane
        self.project = project
        self.judging = judging
        self.state = JudgingState.PAUSED
        self.words = ""
        self._job: BackgroundJob | None = None
        lane.changed.connect(self._look)

    @property
    def judge(self) -> Contender:
        """The model that judges."""
        return self.judging.judge

    @property
    def what(self) -> StepJudging:
        """Which attempts it is asked about, and how."""
        return self.judging.what

    @property
    def name(self) -> str:
        """The name of the model that judges."""
        return self.judge.settings.name

    @property
    def step_judge(self) -> StepJudge:
        """Whose judgements it adds."""
        return judge_of(self.judge.settings, self.what.together)

    @property
    def can_go_on(self) -> bool:
        """Whether there is something to resume."""
        return self.state in (JudgingState.PAUSED, JudgingState.STOPPED)

    def resume(self) -> None:
        """Starts it, or goes on where it ended."""
        if not self.can_go_on:
            return
        self.words = ""
        self._job = self._lane.run(
            f"Judging steps by {self.name}",
            with_keys,
            session_keys([self.judge.settings]),
            judge_puzzle_steps,
            self.project,
            self.judging.model_dump_json(),
            JUDGING_DRAIN_S,
            done=self._finish,
            failed=self._stop,
            progressed=self._progress,
        )
        self._look()

    def pause(self) -> None:
        """Asks nothing more; answers that are on their way are still stored."""
        if self._job is not None:
            self._job.cancel()
        self._look()

    def _progress(self, done: float, total: float, text: str) -> None:
        self.words = text
        self._look()

    def _finish(self, outcome: StepJudgingOutcome) -> None:
        from spatial_workbench.app.evaluation.words import steps_outcome

        self._end(JudgingState.FINISHED, steps_outcome(outcome))

    def _stop(self, text: str) -> None:
        self._end(JudgingState.STOPPED, text)

    def _end(self, state: JudgingState, words: str) -> None:
        self._job = None
        self.state = state
        self.words = words
        self.changed.emit()
        self.ended.emit()

    def _look(self) -> None:
        """Takes the state from the job, which can also be cancelled in the status bar."""
        job = self._job
        if job is None:
            return
        if job.is_cancelled:
            self.state = JudgingState.PAUSING if self._lane.current is job else JudgingState.PAUSED
        else:
            self.state = JudgingState.RUNNING if self._lane.current is job else JudgingState.QUEUED
        if self.state is JudgingState.PAUSED:
            self._job = None
        self.changed.emit()
