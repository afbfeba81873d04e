"""Replays how a person or a model came to an answer, from the edit at which two verifiers part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.attempts import explanations
from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.engine.evaluation.edit_histories import EditHistory

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import Difference


class PartingReplays(QObject):
    """Opens replays of attempts.

    Signals:
        wanted(str, object): show a replay under this title.
        message(str): a note for the status bar.
    """

    wanted = Signal(str, object)
    message = Signal(str)

    def __init__(self, project: ProjectService, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._jobs = jobs

    def show(self, difference: Difference) -> None:
        """Replays an attempt from where the two verifiers part; a run without edits is replayed from its beginning."""
        title = f"Replay of attempt {difference.attempt}"

        def arrived(record: Any) -> None:
            if isinstance(record, str):
                self.message.emit(record)
            elif isinstance(record, EditHistory):
                self._look_for_parting(title, record, difference)
            else:
                self.wanted.emit(title, record)

        self._project.ask(lambda project: replay_of(project, difference.attempt), arrived, self.message.emit)

    def _look_for_parting(self, title: str, history: EditHistory, difference: Difference) -> None:
        def found(number: int | None) -> None:
            pair = f"{difference.first} and {difference.second}"
            note = f"After this edit, {pair} part." if number else f"After no edit do {pair} part."
            self.wanted.emit(title, replace(history, shown=number or 0, note=note))

        self._jobs.run(
            "Looking for the edit at which the verifiers part",
            explanations.parting_edit,
            history,
            difference.first,
            difference.second,
            done=found,
            failed=self.message.emit,
        )
