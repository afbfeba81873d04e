"""The Studies page: the studies at the left; plan, progress, quality, outcomes and checklist of the chosen one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent, QUndoStack
from PySide6.QtWidgets import QDialog, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from spatial_workbench.app.frame.drops import level_paths
from spatial_workbench.app.studies.leader.checklist_view import ChecklistView
from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.collecting import Collecting
from spatial_workbench.app.studies.leader.deciding import Deciding
from spatial_workbench.app.studies.leader.head import StudyHead
from spatial_workbench.app.studies.leader.outcomes_view import OutcomesView
from spatial_workbench.app.studies.leader.plan.tab import PlanTab
from spatial_workbench.app.studies.leader.progress_view import ProgressView, results_in
from spatial_workbench.app.studies.leader.quality_view import QualityView
from spatial_workbench.app.studies.leader.serving import BrowserCollecting
from spatial_workbench.app.studies.leader.study_list import StudyList
from spatial_workbench.app.studies.leader.study_tabs import StudyTabs
from spatial_workbench.app.studies.leader.work import reading
from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService

NO_STUDIES = (
    "No studies yet",
    "A study lets people solve the same items as models, under limits fixed beforehand.",
    "New study…",
)
PLAN, PROGRESS, QUALITY, OUTCOMES, CHECKLIST = range(5)
_SIZES = [230, 1000]


class StudiesPage(QWidget):
    """The leader's page.

    Signals:
        message(str): a note for the status bar.
        report_asked(str, bool): write the report on a study; True: and open it.
        short_report_asked(str): write the short form of the report on a study.
        export_asked(str, str): export the data of a study in a form.
        results_asked(): go to Results.
    """

    title = "Studies"
    icon_name = "person"
    message = Signal(str)
    report_asked = Signal(str, bool)
    short_report_asked = Signal(str)
    export_asked = Signal(str, str)
    results_asked = Signal()

    def __init__(self, jobs: Jobs, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self._project = project
        self._reading: BackgroundJob | None = None
        self._reads_again = False
        self.chosen = ChosenStudy(jobs, project, self)
        self.studies = StudyList(self.chosen)
        self.plan = PlanTab(self.chosen)
        self.progress = ProgressView()
        self.quality = QualityView()
        self.outcomes = OutcomesView()
        self.checklist = ChecklistView()
        self.collecting = Collecting(self.chosen, self.plan, self.progress)
        self.serving = BrowserCollecting(self.chosen, self.progress)
        self.deciding = Deciding(self.chosen, self.quality, self.outcomes, self.checklist)
        self.head = StudyHead()
        self.tabs = StudyTabs(self.chosen)
        self._lay_out()
        self._connect()
        self.reload()

    @property
    def study(self) -> str:
        """The id of the chosen study; "" if none is chosen."""
        return self.studies.study

    @property
    def snapshot(self) -> StudySnapshot | None:
        """The chosen study as it was read last."""
        return self.chosen.snapshot

    @property
    def dialog(self) -> QDialog | None:
        """The dialog that was opened last."""
        return self.chosen.dialog

    @property
    def undo_stack(self) -> QUndoStack:
        """The history of the plan."""
        return self.plan.form.undo_stack

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown and stored."""
        return self.chosen.is_idle and not self._reads_again

    def reload(self) -> None:
        """Reads the list, and the chosen study, again."""
        if self._project.path is None or self.chosen.is_closed:
            return
        if self._reading is not None and self._reading.is_pending:
            self._reads_again = True
            return
        self._reads_again = False
        self.chosen.id = self.study
        self._reading = self.chosen.soon(
            "Reading studies", reading.read_page, self._project.path, self.study, done=self._show_data
        )

    def choose(self, study: str) -> None:
        """Goes to a study."""
        self.studies.choose(study)

    def go_to(self, tab: int) -> None:
        """Goes to one of the tabs."""
        self.tabs.setCurrentIndex(tab)

    def close_page(self) -> None:
        """Stores the last input, and ends background work."""
        self.plan.form.flush()
        self.collecting.watch(False)
        self.outcomes.sections.forget()
        self._project.changed.disconnect(self.reload)
        self._project.leaving.disconnect(self.plan.form.flush)
        self._project.opened.disconnect(self._forget)
        self.chosen.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.collecting.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.collecting.watch(False)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and not level_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take_dropped([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    def take_dropped(self, paths: list[Path]) -> None:
        """Merges results that were dropped; a document becomes a draft."""
        documents = [path for path in paths if path.suffix == ".json"]
        for path in documents:
            self.studies.take_document(path)
        rest = [path for path in paths if path not in documents]
        if rest:
            self.collecting.merge(results_in(rest) or rest)

    # Showing ---------------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        """Another project is in use."""
        self.chosen.snapshot = None
        self.plan.is_amending = False
        self.studies.forget()

    def _show_data(self, read: reading.PageData) -> None:
        self._reading = None
        if self.chosen.is_closed:
            return
        if self._reads_again or (read.snapshot is not None and read.snapshot.row.id != self.study and self.study):
            self.reload()
            return
        self.studies.show_rows(read.rows)
        self.stack.setCurrentIndex(0 if read.rows else 1)
        if read.snapshot is not None and read.snapshot.row.id == self.study:
            self._show_study(read.snapshot)
        elif self.study:
            self.reload()

    def _show_study(self, snapshot: StudySnapshot) -> None:
        before = self.snapshot
        is_other = before is None or before.row.id != snapshot.row.id
        if is_other:
            self.plan.form.flush()
        self.chosen.id = snapshot.row.id
        self.chosen.snapshot = snapshot
        self.head.show_study(snapshot)
        if is_other:
            self.head.show_if_overdue(snapshot)
        is_in_another_state = before is not None and before.row.state is not snapshot.row.state
        self.plan.show_study(snapshot, is_other, is_in_another_state)
        if is_other:
            self.go_to(PLAN if snapshot.is_editable else OUTCOMES if snapshot.is_open else PROGRESS)
        self.tabs.show()
        self.tabs.update_front()

    def _go_to_place(self, code: str) -> None:
        self.go_to(PROGRESS)
        self.progress.choose(code)

    def _made(self, study: str) -> None:
        self.studies.choose(study)
        self.chosen.finish("The draft is stored.")

    def _done(self, text: str) -> None:
        self.message.emit(text)
        self.reload()

    def _failed(self, text: str) -> None:
        self._reading = None
        self.head.show_note(text)
        self.message.emit(text)

    # Widgets ---------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._project.changed.connect(self.reload)
        self._project.leaving.connect(self.plan.form.flush)
        self._project.opened.connect(self._forget)
        self.chosen.message.connect(self.message)
        self.chosen.failed.connect(self._failed)
        self.chosen.done.connect(self._done)
        self.chosen.made.connect(self._made)
        self.chosen.asking.connect(self.head.hide_note)
        self.studies.chosen.connect(self.reload)
        self.plan.amend.clicked.connect(lambda: self.go_to(PLAN))
        self.collecting.stale.connect(self.reload)
        self.quality.row_chosen.connect(self._go_to_place)
        self.outcomes.short_report_asked.connect(lambda: self.short_report_asked.emit(self.study))
        self.outcomes.report_asked.connect(lambda opens: self.report_asked.emit(self.study, opens))
        self.outcomes.export_asked.connect(lambda kind: self.export_asked.emit(self.study, kind))
        self.outcomes.results_asked.connect(self.results_asked)
        self.tabs.currentChanged.connect(lambda _: self.deciding.forget_report())
        self.tabs.currentChanged.connect(lambda _: self.tabs.update_front())

    def _lay_out(self) -> None:
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.addWidget(self.studies)
        splitter.addWidget(self._make_right())
        splitter.setStretchFactor(1, 1)
        splitter.setSizes(_SIZES)
        splitter.setChildrenCollapsible(False)
        empty = EmptyState(*NO_STUDIES)
        empty.button.clicked.connect(self.studies.ask_new)
        self.stack = QStackedWidget()
        self.stack.addWidget(splitter)
        self.stack.addWidget(empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)

    def _make_right(self) -> QWidget:
        self.tabs.add_view(self.plan, "Plan")
        self.tabs.add_view(self.progress, "Progress", self.progress.show_snapshot)
        self.tabs.add_view(self.quality, "Quality", self.quality.show_snapshot)
        self.tabs.add_view(self.outcomes, "Outcomes", self.deciding.show_outcomes)
        self.tabs.add_view(self.checklist, "Checklist", lambda _: self.deciding.read_checklist())
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(6 * SPACE, 5 * SPACE, 6 * SPACE, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.head)
        column.addWidget(self.tabs, 1)
        return right
