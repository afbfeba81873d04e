"""The page of another version: what today's verifiers change in the verdicts of a project, before it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.columns import task_title
from spatial_workbench.app.attempts.latest import LatestReply
from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.app.runs.own import work as own_work
from spatial_workbench.app.runs.trust import work
from spatial_workbench.app.runs.trust.area import SectionArea
from spatial_workbench.engine.store import RunFilter

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier

NOTHING = (
    "Nothing is compared yet",
    "All stored attempts are judged by the verifiers of this version, and what they would change is shown. Nothing is "
    "stored until you say so, and verdicts that are stored stay beside new ones.",
)


class ChangesPage(QWidget):
    """Chooses attempts by task, shows what today's verifiers would change, and stores it when that is wanted.

    Signals:
        message(str): a note for the status bar.
        attempt_requested(int): show an attempt whose verdict changes.
    """

    title = "Another version"
    icon_name = "version"
    message = Signal(str)
    attempt_requested = Signal(int)

    def __init__(self, project: ProjectService, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._reading = LatestReply(project)
        self._own: tuple[OwnVerifier, ...] = ()
        self._is_storing = False
        self.area = SectionArea(*work.CHANGES, "changes")
        self.area.message.connect(self.message)
        self.area.attempts_chosen.connect(lambda numbers: self.attempt_requested.emit(numbers[0]))
        self.area.started.connect(self._show_possible)
        self.area.ended.connect(self._end)
        self._make_controls()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        project.changed.connect(self._read_choices)
        self._listing: BackgroundJob = jobs.live.run(
            "Reading the verifiers", own_work.known, done=self._offer, failed=self.message.emit, quiet=True, owner=self
        )
        self._read_choices()
        self.area.show_empty(*NOTHING)
        self._show_possible()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self.area.is_idle and self._reading.is_idle and not self._listing.is_pending

    def compare(self) -> None:
        """Judges the chosen attempts in the background, and shows what would change."""
        self._start("Judging", work.changes, RunFilter(tasks=self.tasks.chosen or None))

    def store(self) -> None:
        """Judges the attempts that change once more, and stores their new verdicts."""
        self._is_storing = True
        self._start("Storing", work.store_changes, self._changed())

    def close_page(self) -> None:
        """Ends what runs, and releases the page."""
        self._project.changed.disconnect(self._read_choices)
        if self._listing.is_pending:
            self._listing.cancel()
        self._reading.close()
        self.area.close_area()

    def _start(self, label: str, function: Any, chosen: Any) -> None:
        path = self._project.path
        if path is not None:
            own = self._own if self.own.isChecked() else ()
            self.area.work_out(label, function, path, chosen, own, self.programs.isChecked())

    def _changed(self) -> tuple[int, ...]:
        """The attempts that the shown section says would change."""
        section = self.area.section
        tables = section.tables[:1] if section is not None else ()
        return tuple(sorted({number for table in tables for line in table.lines for number in line.attempts}))

    def _end(self) -> None:
        if self._is_storing:
            self._is_storing = False
            self._project.changed.emit()
        self._show_possible()

    def _show_possible(self) -> None:
        is_idle = self.area.is_idle
        self.go.setEnabled(is_idle)
        self.keep.setEnabled(is_idle and work.is_undone(self.area.section))
        self.own.setVisible(bool(self._own))

    def _read_choices(self) -> None:
        self._reading.ask(
            lambda project: project.runs.choices()["tasks"],
            lambda names: self.tasks.set_options([(name, task_title(name)) for name in names]),
        )

    def _offer(self, verifiers: Sequence[OwnVerifier]) -> None:
        self._own = tuple(verifiers)
        self._show_possible()

    def _make_controls(self) -> None:
        self.tasks = ChoiceButton("Tasks")
        self.tasks.setToolTip("Only attempts at these tasks")
        self.own = QCheckBox("Also verifiers of your own")
        self.own.setToolTip("Where their version has changed since they judged; a command runs as you do")
        self.programs = QCheckBox("Run programs in answers")
        self.programs.setToolTip("In the sandbox; otherwise, attempts with programs are left out")
        self.go = QPushButton("Compare versions")
        self.go.setObjectName("primary")
        self.go.setToolTip("Judge all of these attempts, and store nothing")
        self.go.clicked.connect(self.compare)
        self.keep = QPushButton("Store the new verdicts")
        self.keep.setToolTip("Judge the attempts that change once more, and store what their verifiers say now")
        self.keep.clicked.connect(self.store)
        for widget in (self.tasks, self.own, self.programs, self.go, self.keep):
            self.area.controls.addWidget(widget)
        self.area.controls.addStretch(1)
