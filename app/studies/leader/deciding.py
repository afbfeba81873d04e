"""Deciding: exclusions, the end of collection, open outcomes, the checklist, and deletion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from spatial_workbench.app.studies.leader.checklist_view import ChecklistView
from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.dialogs.deciding import ExcludeDialog, NameDialog, UnsealDialog
from spatial_workbench.app.studies.leader.dialogs.deleting import PurgeDialog
from spatial_workbench.app.studies.leader.dialogs.lists import ListDialog
from spatial_workbench.app.studies.leader.outcomes_view import OutcomesView
from spatial_workbench.app.studies.leader.quality_view import QualityView
from spatial_workbench.app.studies.leader.work import deciding, deleting, reporting

if TYPE_CHECKING:
    from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.engine.evaluation.unsealing import Unsealed
    from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer


class Deciding(QObject):
    """Performs the actions of the pages about quality, outcomes and the checklist."""

    def __init__(
        self, chosen: ChosenStudy, quality: QualityView, outcomes: OutcomesView, checklist: ChecklistView
    ) -> None:
        super().__init__(outcomes)
        self._chosen = chosen
        self._outcomes = outcomes
        self._checklist = checklist
        self._reported: StudySnapshot | None = None
        """What the report that is shown, or being made, is about."""
        quality.exclude_asked.connect(self.ask_exclude)
        quality.close_asked.connect(self.ask_close)
        outcomes.unseal_asked.connect(self.ask_unseal)
        outcomes.purge_asked.connect(self.ask_purge)
        checklist.given.connect(self._answer)
        outcomes.sections.failed.connect(chosen.failed)
        chosen.failed.connect(lambda _: outcomes.show_progress(0, 0, ""))

    def ask_exclude(self, code: str) -> None:
        """Asks whom to exclude, and why."""
        snapshot = self._chosen.snapshot
        if snapshot is None:
            return
        sessions = [
            (slot.session, slot.code, [(place, cell.item) for place, cell in enumerate(slot.cells)])
            for slot in snapshot.progress.slots
            if slot.session
        ]
        dialog = ExcludeDialog(sessions, code, bool(snapshot.list_hash) or snapshot.is_open, self._chosen.page)
        dialog.ordered.connect(
            lambda session, reason, position: self._chosen.do("Excluding", deciding.excluded, session, reason, position)
        )
        self._chosen.ask(dialog)

    def ask_close(self) -> None:
        """Asks for the name before collection is closed."""
        snapshot = self._chosen.snapshot
        if snapshot is not None:
            dialog = NameDialog(snapshot.row.name, snapshot.missing, self._chosen.page)
            dialog.ordered.connect(lambda name: self._chosen.do("Closing", deciding.closed, name))
            self._chosen.ask(dialog)

    def ask_unseal(self, is_early: bool) -> None:
        """Asks before outcomes are opened."""
        if self._chosen.snapshot is not None:
            snapshot = self._chosen.snapshot
            dialog = UnsealDialog(is_early, snapshot.is_locked, snapshot.missing, self._chosen.page)
            dialog.ordered.connect(lambda secret, note: self.unseal(is_early, secret, note))
            self._chosen.ask(dialog)

    def unseal(self, is_early: bool = False, secret: str = "", note: str = "") -> None:
        """Opens the outcomes; judging may take long."""
        self._chosen.do(
            "Checking submissions",
            deciding.unsealed,
            is_early,
            secret,
            note,
            done=self._unsealed,
            progressed=self._outcomes.show_progress,
        )

    def _unsealed(self, done: Unsealed) -> None:
        self._outcomes.show_progress(0, 0, "")
        self._chosen.finish(f"{done.judged} submissions judged.")
        self._chosen.project.changed.emit()
        if lines := [*done.warnings, *done.failures]:
            self._chosen.ask(ListDialog("Outcomes", "The outcomes are open.", lines, self._chosen.page))

    def ask_purge(self) -> None:
        """Asks which data to delete."""
        snapshot = self._chosen.snapshot
        if snapshot is not None:
            dialog = PurgeDialog(snapshot.row.name, snapshot.row.delete_after, self._chosen.page)
            dialog.ordered.connect(lambda with_data: self._chosen.do("Deleting data", deleting.purged, with_data))
            self._chosen.ask(dialog)

    def show_outcomes(self, snapshot: StudySnapshot) -> None:
        """Shows whether outcomes are open, and the report."""
        self._outcomes.show_snapshot(snapshot)
        self.read_report()

    def read_report(self) -> None:
        """Makes the report again and shows it, if there is anything new to report."""
        snapshot = self._chosen.snapshot
        path = self._chosen.path
        if snapshot is None or path is None:
            return
        if self._reported is not None and self._reported.row.id != snapshot.row.id:
            self._outcomes.sections.forget()
        if self._reported == snapshot:
            return
        self._reported = snapshot
        self._outcomes.sections.show_waiting()
        done = partial(self._show_report, snapshot.row.id)
        self._chosen.soon("Making the report", reporting.report, path, snapshot.row.id, done=done)

    def forget_report(self) -> None:
        """Makes the report again when it is shown next: models may have been run, or points answered."""
        self._reported = None

    def _show_report(self, study: str, sections: tuple[ReportSection, ...]) -> None:
        if not self._chosen.is_closed and self._chosen.id == study:
            self._outcomes.sections.show_sections(sections)

    def read_checklist(self) -> None:
        """Reads the points of the checklist, and shows them."""
        path = self._chosen.path
        if path is not None:
            self._chosen.soon("Reading the checklist", reporting.checklist, path, self._chosen.id, done=self._list)

    def _answer(self, answers: dict[str, str], reason: str) -> None:
        self._chosen.do("Answering", reporting.answered, answers, reason, done=self._list)

    def _list(self, answers: tuple[StudyAnswer, ...]) -> None:
        if not self._chosen.is_closed:
            self._checklist.show_answers(answers)
