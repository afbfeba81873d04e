"""The runs browser: filters, sorts, shows, compares and re-verifies all attempts of people and models."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.latest import LatestReply
from spatial_workbench.app.runs.buttons import RunButtons
from spatial_workbench.app.runs.detail import RunDetail
from spatial_workbench.app.runs.filtering.filter_words import active_filters
from spatial_workbench.app.runs.filtering.filters import FilterBar
from spatial_workbench.app.runs.filtering.kept_filters import KeptFilter
from spatial_workbench.app.runs.kept_layouts import KeptLayouts
from spatial_workbench.app.runs.lines import GROUPINGS, RunListing
from spatial_workbench.app.runs.model import RunsModel
from spatial_workbench.app.runs.overrides import ask_override
from spatial_workbench.app.runs.remarking.remarks import RemarkActions, RemarkHistory
from spatial_workbench.app.runs.row_actions import RowActions
from spatial_workbench.app.runs.table import RunsTable
from spatial_workbench.app.runs.verifying import VerifyingAgain
from spatial_workbench.app.video.films import TakeFilm
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store import Project
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.settings import Settings

NO_ATTEMPTS = (
    "No attempts yet",
    "Solve a task from the catalogue and submit it (F9), or ask models with Evaluate › New batch.",
)
NO_MATCH = ("No attempt matches", "Remove a filter, or clear them all.")
RESTED_MS = 60
"""How long the selection must stay before the attempt is read, so that arrow keys can run through the list."""


class RunsPage(QWidget):
    """A table of all attempts with filters, beside the chosen attempt.

    Signals:
        message(str): a note for the status bar.
        attempt_opened(str, int): the instance's address and the attempt's number: put its answer into the editor.
        compare_requested(object, object): two Compared answers to show beside each other.
        replay_requested(str, object): a title, and a RunRecord or MachineRun to show.
        export_wanted(object, str, object): which attempts (ExportSelection), the format, the file.
        steps_wanted(object): let a model judge the steps of these attempts, a tuple of numbers.
        sets_wanted(object, object): compare these two sets of attempts (AttemptSet).
        agreement_wanted(tuple[int, ...]): say how far the verifiers of these attempts agree.
    """

    title = "Runs"
    icon_name = "list"
    message = Signal(str)
    attempt_opened = Signal(str, int)
    compare_requested = Signal(object, object)
    replay_requested = Signal(str, object)
    export_wanted = Signal(object, str, object)
    steps_wanted = Signal(object)
    sets_wanted = Signal(object, object)
    agreement_wanted = Signal(tuple)

    def __init__(self, project: ProjectService, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._settings = settings
        self._is_closed = False
        self._guest: int | None = None
        """The attempt that is shown though the filters hide it."""
        self._listing = LatestReply(project)
        self.total = 0
        self.undo_stack = RemarkHistory(project, lambda: settings.person, self)
        self.filters = FilterBar()
        self.model = RunsModel(self._ask)
        self.table = RunsTable(self.model)
        self.detail = RunDetail(project, jobs, lambda: settings.person)
        self.verifying = VerifyingAgain(project, jobs, self)
        self.row_actions = RowActions(self._ask, jobs, self)
        self.buttons = RunButtons(
            self.model,
            self.table,
            self.row_actions,
            self.verifying,
            lambda: ", ".join(words for words, _ in active_filters(self.filters.run_filter)),
        )
        self._remark_actions = RemarkActions(self.undo_stack, self.table, self.filters, self.buttons, self.detail)
        self._kept_filter = KeptFilter(settings, project.path, self.filters)
        self._rest = QTimer(self, singleShot=True, interval=RESTED_MS)
        self._rest.timeout.connect(self._show_current)
        self._lay_out()
        self._layouts = KeptLayouts(
            settings,
            {
                f"runs-columns-{self.model.columnCount()}": self.table.horizontalHeader(),
                "runs-beside": self.splitter,
                "runs-detail": self.detail.splitter,
            },
        )
        self._restore()
        self._connect()
        self.reload()

    def reload(self) -> None:
        """Reads the list again; attempts that are still listed stay selected and shown."""
        run_filter = self.filters.run_filter
        by, descending = self.table.order
        group = self.grouping.currentData()

        def read(project: Project) -> tuple[RunListing, int]:
            if group:
                listing = RunListing.of_groups(project.runs.groups(run_filter, group, by, descending), group)
            else:
                listing = RunListing(project.runs.numbers(run_filter, by, descending))
            return listing, project.runs.count()

        self._listing.ask(read, self._show_listing)

    def show_attempt(self, number: int) -> None:
        """Shows an attempt, even if the filters hide it from the list."""
        if number in self.model.numbers:
            self._open_group_of(number)
            self.table.select_numbers([number])
        else:
            self.table.clearSelection()
            self._guest = number
            self.detail.show_attempt(number)
            self.message.emit(f"Attempt {number} is not in the list, because the filters hide it.")

    def offer_film(self, take: TakeFilm) -> None:
        """Offers the replay of the selected attempt."""
        row = self.table.only_selected
        if row is None:
            take("Select one attempt; the video shows its replay.")
        else:
            self.row_actions.offer_film(row.number, take)

    @property
    def is_listed(self) -> bool:
        """Whether the list is up to date with the filters."""
        return self._listing.is_idle

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._listing.is_idle and self.detail.is_idle and not self._rest.isActive()

    def close_page(self) -> None:
        """Saves the page's state, and releases its resources."""
        self._is_closed = True
        # The next project may have others.
        self.model.show_own(())
        self._layouts.store()
        self._kept_filter.store()
        self._settings.remember("runs-group", self.grouping.currentData())
        self._listing.close()
        self.row_actions.close()
        self.verifying.close()
        self._project.changed.disconnect(self._project_changed)
        self.detail.close_detail()

    def _open_group_of(self, number: int) -> None:
        for group in self.model.listing.groups:
            if number in group.numbers and group.key not in self.model.opened:
                self.table.open_groups({*self.model.opened, group.key})

    def _ask(self, question: Callable[[Project], Any], done: Callable[[Any], None]) -> None:
        """Asks the project; ignores replies that arrive after the tab was closed."""
        self._project.ask(question, lambda answer: None if self._is_closed else done(answer))

    def _read_choices(self) -> None:
        """Reads what the filters can choose from."""
        self._ask(
            lambda project: (project.runs.choices(), project.batches.all(), project.runs.own_verifiers()),
            self._take_choices,
        )

    def _take_choices(self, choices: tuple[Any, Any, list[str]]) -> None:
        of_filters, batches, own = choices
        self.filters.set_choices(of_filters, batches)
        self.model.show_own(own)

    def _project_changed(self) -> None:
        self.reload()
        self._read_choices()
        if self.detail.dossier is not None:
            self.detail.show_attempt(self.detail.dossier.row.number)

    def _show_listing(self, read: tuple[RunListing, int]) -> None:
        listing, self.total = read
        self.table.show_listing(listing)
        listed = len(listing.numbers)
        words = counted(listed, "attempt")
        words = words if listed == self.total else f"{listed:,} of {counted(self.total, 'attempt')}"
        groups = f" in {counted(len(listing.groups), 'group')}" if listing.grouped_by else ""
        self._count.setText(words + groups)
        for button in (self.open_all, self.close_all):
            button.setVisible(bool(listing.grouped_by))
        self._stack.setCurrentIndex(0 if listed else 1)
        head, text = NO_MATCH if self.total else NO_ATTEMPTS
        self.empty.say(head, text)
        self.empty.button.setVisible(bool(self.total))
        self._show_selection()

    def _show_selection(self) -> None:
        count = self.table.selected_count
        self._chosen.setText(f"{count:,} selected" if count > 1 else "")
        self.buttons.show_selection()

    def _show_current(self) -> None:
        if self.table.selectionModel().hasSelection():
            self._guest = None
            number = self.table.current_number
        else:
            number = self._guest
        if number is None:
            self.detail.clear()
        else:
            self.detail.show_attempt(number)

    def _ask_override(self) -> None:
        dossier = self.detail.dossier
        if dossier is not None and dossier.row.number in self.table.selected_numbers():
            ask_override(dossier, self._project, self._settings.person, self)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        self.empty = EmptyState(button="Clear filters")
        self.empty.button.clicked.connect(self.filters.clear)
        self._stack.addWidget(self.empty)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self.verifying.panel)
        self.splitter = QSplitter()
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.detail)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([880, 480])
        self.splitter.setCollapsible(0, False)
        top = QVBoxLayout()
        top.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 3 * SPACE)
        top.setSpacing(3 * SPACE)
        top.addLayout(self._make_head())
        top.addWidget(self.filters)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.splitter, 1)

    def _make_head(self) -> QHBoxLayout:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        self._count = QLabel()
        self._count.setObjectName("secondary")
        self._count.setAccessibleName("Attempts found")
        self._chosen = QLabel()
        self._chosen.setObjectName("secondary")
        self.grouping = ChoiceBox()
        self.grouping.setAccessibleName("Groups")
        self.grouping.setToolTip("Attempts that have the model, the task or the instance in common, with their mean")
        for key, words in GROUPINGS:
            self.grouping.addItem(words, key)
        self.open_all = self._make_link("Open all", "Show the attempts of all groups")
        self.close_all = self._make_link("Close all", "Show only the heads of the groups")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addSpacing(2 * SPACE)
        head.addWidget(self._count)
        head.addWidget(self._chosen)
        head.addSpacing(2 * SPACE)
        head.addWidget(self.grouping)
        head.addWidget(self.open_all)
        head.addWidget(self.close_all)
        head.addWidget(self.buttons, 1)
        return head

    def _make_link(self, text: str, tip: str) -> QPushButton:
        link = QPushButton(text)
        link.setObjectName("link")
        link.setToolTip(tip)
        link.hide()
        return link

    def _connect(self) -> None:
        self.filters.changed.connect(self.reload)
        self.grouping.currentIndexChanged.connect(lambda _: self.reload())
        self.open_all.clicked.connect(lambda: self.table.open_groups({g.key for g in self.model.listing.groups}))
        self.close_all.clicked.connect(lambda: self.table.open_groups(()))
        self.table.ordered.connect(self.reload)
        self.table.chosen.connect(self._show_selection)
        self.table.chosen.connect(self._rest.start)
        self.table.activated.connect(lambda *_: self.buttons.open.click())
        self.model.rows_read.connect(self._show_selection)
        self.row_actions.message.connect(self.message)
        self.row_actions.attempt_opened.connect(self.attempt_opened)
        self.row_actions.compare_requested.connect(self.compare_requested)
        self.row_actions.replay_requested.connect(self.replay_requested)
        self.buttons.override_wanted.connect(self._ask_override)
        self.buttons.export_wanted.connect(self.export_wanted)
        self.buttons.steps_wanted.connect(self.steps_wanted)
        self.buttons.sets_wanted.connect(self.sets_wanted)
        self.buttons.agreement_wanted.connect(self.agreement_wanted)
        self.detail.judge_wanted.connect(lambda number: self.steps_wanted.emit((number,)))
        self.verifying.panel.attempt_chosen.connect(self.show_attempt)
        self._project.changed.connect(self._project_changed)
        find = QShortcut(QKeySequence.StandardKey.Find, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.filters.search.setFocus)
        self._read_choices()

    def _restore(self) -> None:
        self._layouts.restore()
        self._kept_filter.restore()
        self.grouping.setCurrentIndex(max(0, self.grouping.findData(self._settings.remembered("runs-group"))))
