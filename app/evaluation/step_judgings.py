"""The judgings of steps that the window knows: those launched in it, and those that its project keeps."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Lane
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.step_judging import StepJudgingWork
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
    from spatial_workbench.engine.evaluation.puzzles.kept_judgings import KeptJudging
    from spatial_workbench.engine.store import Project


class StepJudgings(QObject):
    """Launches, lists and drops judgings. The project keeps each until it has ended or is dropped.

    Signals:
        changed(): another judging is listed, or one is not any more.
        state_changed(): how far one of them is.
        ended(object): a judging (StepJudgingWork) is finished, or stopped by an error.
        found(int): so many judgings of the project that was opened wait to go on.
    """

    changed = Signal()
    state_changed = Signal()
    ended = Signal(object)
    found = Signal(int)

    def __init__(self, lane: Lane, project: ProjectService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._project = project
        self.works: list[StepJudgingWork] = []
        project.opened.connect(self._read)

    @property
    def of_project(self) -> list[StepJudgingWork]:
        """Those of the project in use, in the order in which they began."""
        return [work for work in self.works if work.project == self._project.path]

    @property
    def waiting(self) -> list[StepJudgingWork]:
        """Those of the project in use that can go on."""
        return [work for work in self.of_project if work.can_go_on]

    def launch(self, path: Path, judge: Contender, what: StepJudging, scope: str) -> StepJudgingWork:
        """Begins a judging, which the project keeps from now on."""
        from spatial_workbench.engine.evaluation.puzzles.kept_judgings import KeptJudging, keep_judging

        now = datetime.now(UTC)
        # Stored times have milliseconds.
        begun = now.replace(microsecond=now.microsecond // 1000 * 1000)
        judging = KeptJudging(id=uuid.uuid4().hex, judge=judge, what=replace(what, since=begun), scope=scope)
        self._project.tell(lambda project: keep_judging(project, judging), path=path)
        work = self._add(path, judging)
        work.resume()
        self.changed.emit()
        return work

    def drop(self, work: StepJudgingWork) -> None:
        """Takes a judging that does not run off the list; what was judged stays."""
        if not work.can_go_on or work not in self.works:
            return
        self.works.remove(work)
        self._forget(work)
        self.changed.emit()
        work.deleteLater()

    def _add(self, path: Path, judging: KeptJudging) -> StepJudgingWork:
        from spatial_workbench.app.evaluation.step_judging import StepJudgingWork

        work = StepJudgingWork(self._lane, path, judging, self)
        work.changed.connect(self.state_changed)
        work.ended.connect(lambda: self._end(work))
        self.works.append(work)
        return work

    def _end(self, work: StepJudgingWork) -> None:
        if not work.can_go_on:
            self._forget(work)
        self.ended.emit(work)

    def _forget(self, work: StepJudgingWork) -> None:
        judging = work.judging.id
        self._project.tell(lambda project: project.puzzles.drop_judging(judging), path=work.project)

    def _read(self, path: Path) -> None:
        def kept(project: Project) -> list[KeptJudging]:
            # Imported for projects with a judging only: all that judges takes long to load.
            if not project.puzzles.judgings():
                return []
            from spatial_workbench.engine.evaluation.puzzles.kept_judgings import kept_judgings

            return kept_judgings(project)

        self._project.ask(kept, lambda judgings: self._take(path, judgings))

    def _take(self, path: Path, judgings: list[KeptJudging]) -> None:
        known = {work.judging.id for work in self.works}
        found = [self._add(path, judging) for judging in judgings if judging.id not in known]
        self.changed.emit()
        if found:
            self.found.emit(len(found))
