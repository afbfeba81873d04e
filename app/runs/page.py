"""The runs browser: filters, sorts, shows, compares and re-verifies all attempts of people and models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.columns import COLUMNS
from spatial_workbench.app.attempts.exporting import choose_export_file
from spatial_workbench.app.attempts.latest import Latest
from spatial_workbench.app.attempts.replays import can_replay
from spatial_workbench.app.attempts.words import ROW_HEIGHT
from spatial_workbench.app.runs.detail import RunDetail
from spatial_workbench.app.runs.filters import FilterBar
from spatial_workbench.app.runs.model import RunsModel
from spatial_workbench.app.runs.overrides import ask_override
from spatial_workbench.app.runs.row_actions import RowActions
from spatial_workbench.app.runs.verifying import Verifying, VerifyingPanel
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.reverify import NOT_RUN, VerdictChange, VerificationFailure
from spatial_workbench.engine.store import Project, RunFilter
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

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
    """

    title = "Runs"
    icon_name = "list"
    message = Signal(str)
    attempt_opened = Signal(str, int)
    compare_requested = Signal(object, object)
    replay_requested = Signal(str, object)
    export_wanted = Signal(object, str, object)
    steps_wanted = Signal(object)

    def __init__(self, project: ProjectService, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._jobs = jobs
        self._settings = settings
        self._is_closed = False
        self._latest = Latest()
        self.row_actions = RowActions(self._ask, jobs, self)
        for name in ("message", "attempt_opened", "compare_requested", "replay_requested"):
            getattr(self.row_actions, name).connect(getattr(self, name))
        self._verifying: Verifying | None = None
        self._guest: int | None = None
        self.total = 0
        self.filters = FilterBar()
        self.model = RunsModel(self._ask)
        self.table = self._make_table()
        self.detail = RunDetail(project, jobs, lambda: settings.person)
        self.detail.judge_wanted.connect(lambda number: self.steps_wanted.emit((number,)))
        self.verifying_panel = VerifyingPanel()
        self._rest = QTimer(self, singleShot=True, interval=RESTED_MS)
        self._rest.timeout.connect(self._show_current)
        self._make_actions()
        self._lay_out()
        self._restore()
        self._connect()
        self.reload()

    # Reading -----------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Reads the list again; attempts that are still listed stay selected and shown."""
        run_filter = self.filters.run_filter
        by, descending = self._order()

        def look(project: Project) -> tuple[list[int], int]:
            return project.runs.numbers(run_filter, by, descending), project.runs.count()

        self._latest.run(
            lambda ended: self._project.ask(
                look, lambda listing: self._found(listing, ended), lambda text: self._failed(text, ended)
            )
        )

    def selected(self) -> list[int]:
        """The numbers of the selected attempts, from the top."""
        ranges = sorted((r.top(), r.bottom()) for r in self._ranges())
        return [self.model.numbers[i] for top, bottom in ranges for i in range(top, bottom + 1)]

    def select(self, numbers: Sequence[int]) -> None:
        """Selects those of these attempts that are listed, and scrolls to the first."""
        place = {number: i for i, number in enumerate(self.model.numbers)}
        rows = sorted(place[number] for number in numbers if number in place)
        self._select_rows(rows)
        if rows:
            index = self.model.index(rows[0], 0)
            self.table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.table.scrollTo(index)

    def show_attempt(self, number: int) -> None:
        """Shows an attempt, even if the filters hide it from the list."""
        if number in self.model.numbers:
            self.select([number])
        else:
            self.table.clearSelection()
            self._guest = number
            self.detail.show_attempt(number)
            self.message.emit(f"Attempt {number} is not in the list, because the filters hide it.")

    @property
    def is_listed(self) -> bool:
        """Whether the list is up to date with the filters."""
        return self._latest.is_idle

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._latest.is_idle and self.detail.is_idle and not self._rest.isActive()

    def close_page(self) -> None:
        """Saves the page's state, and releases its resources."""
        self._is_closed = True
        self._remember()
        self.row_actions.close()
        if self._verifying is not None:
            self._verifying.drop()
        self._project.changed.disconnect(self._project_changed)
        self.detail.close_detail()

    def _ask(self, question: Callable[[Project], Any], done: Callable[[Any], None]) -> None:
        """Asks the project; ignores replies that arrive after the tab was closed."""
        self._project.ask(question, lambda answer: None if self._is_closed else done(answer))

    def _found(self, listing: tuple[list[int], int], ended: Callable[[], None]) -> None:
        if not self._is_closed:
            numbers, self.total = listing
            self._show_attempts(numbers)
            self._tell_count()
        ended()

    def _failed(self, text: str, ended: Callable[[], None]) -> None:
        self._project.trouble.emit(text)
        ended()

    def _show_attempts(self, numbers: list[int]) -> None:
        """Shows these attempts; the selection and the scroll position follow their attempts."""
        if numbers == self.model.numbers:
            self.model.refresh()
            return
        chosen = self.selected()
        current = self._current()
        top = self.table.rowAt(0)
        # At the top of the list new attempts should come into view; elsewhere the position should stay.
        anchor = self.model.numbers[top] if top > 0 else None
        self.table.selectionModel().blockSignals(True)
        self.model.replace(numbers)
        place = {number: i for i, number in enumerate(numbers)} if chosen or anchor or current else {}
        self._select_rows(sorted(place[number] for number in chosen if number in place))
        if current in place:
            index = self.model.index(place[current], 0)
            self.table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.table.selectionModel().blockSignals(False)
        if anchor in place:
            self.table.verticalScrollBar().setValue(place[anchor])
        self._tell_selection()
        self._rest.start()

    def _select_rows(self, rows: Sequence[int]) -> None:
        selection = QItemSelection()
        for first, last in _spans(rows):
            left = self.model.index(first, 0)
            right = self.model.index(last, len(COLUMNS) - 1)
            selection.append(QItemSelectionRange(left, right))
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _current(self) -> int | None:
        index = self.table.currentIndex()
        return self.model.numbers[index.row()] if index.isValid() else None

    def _order(self) -> tuple[str, bool]:
        header = self.table.horizontalHeader()
        column = header.sortIndicatorSection()
        return COLUMNS[column].by, header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder

    def _project_changed(self) -> None:
        self.reload()
        self._ask(
            lambda project: (project.runs.choices(), project.batches.all()),
            lambda choices: self.filters.set_choices(*choices),
        )
        if self.detail.dossier is not None:
            self.detail.show_attempt(self.detail.dossier.row.number)

    # What is shown -----------------------------------------------------------------------------------------------

    def _tell_count(self) -> None:
        listed = len(self.model.numbers)
        words = (
            counted(listed, "attempt") if listed == self.total else f"{listed:,} of {counted(self.total, 'attempt')}"
        )
        self._count.setText(words)
        self._stack.setCurrentIndex(0 if listed else 1)
        head, text = NO_MATCH if self.total else NO_ATTEMPTS
        self.empty.say(head, text)
        self.empty.button.setVisible(bool(self.total))
        self._tell_selection()

    def _tell_selection(self) -> None:
        count = sum(r.height() for r in self._ranges())
        self._chosen.setText(f"{count:,} selected" if count > 1 else "")
        self.open.setEnabled(count == 1)
        self.override.setEnabled(count == 1)
        self.compare.setEnabled(count == 2)
        self.judge_steps.setEnabled(count > 0)
        self.verify_selected.setEnabled(count > 0)
        self.verify_selected.setText(f"The {count:,} selected" if count > 1 else "The selected attempt")
        self.export_selected.setEnabled(count > 0)
        self.export_selected.setText(f"The {count:,} selected…" if count > 1 else "The selected attempt…")
        listed = len(self.model.numbers)
        self.export.setEnabled(listed > 0)
        self.export_all.setText(f"All {listed:,} in the list…" if listed else "All in the list…")
        self.verify_all.setEnabled(listed > 0)
        self.verify_all.setText(f"All {listed:,} in the list…" if listed else "All in the list…")
        row = self.model.row(self._ranges()[0].top()) if count == 1 else None
        self.replay.setEnabled(row is not None and can_replay(row))

    def _ranges(self) -> list[QItemSelectionRange]:
        """The selected rows, in blocks."""
        return self.table.selectionModel().selection().toList()

    def _selection_changed(self) -> None:
        self._tell_selection()
        self._rest.start()

    def _show_current(self) -> None:
        if self.table.selectionModel().hasSelection():
            self._guest = None
            number = self._current()
        else:
            number = self._guest
        if number is None:
            self.detail.clear()
        else:
            self.detail.show_attempt(number)

    # What can be done --------------------------------------------------------------------------------------------

    def verify_again(self, numbers: Sequence[int], programs: bool = False) -> None:
        """Judges attempts with the current verifiers, and lists what changed.

        programs: Whether programs in answers run, in the sandbox; where some are left, this asks afterwards.
        """
        if self._verifying is not None or self._project.path is None or not numbers:
            return
        self._verifying = Verifying(self._jobs, self._project.path, numbers, programs)
        self._verifying.progressed.connect(self.verifying_panel.show_progress)
        self._verifying.ended.connect(self._verified)
        self.verifying_panel.show_progress(0, len(numbers))
        self.verify.setEnabled(False)
        self._verifying.start()

    def ask_verify_all(self) -> None:
        """Asks whether to judge all attempts in the list again."""
        numbers = list(self.model.numbers)
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Verify again",
            f"{counted(len(numbers), 'attempt')} will be judged by the current verifiers. "
            "This may take a while; you can cancel it, and older verdicts are kept.",
            QMessageBox.StandardButton.Cancel,
            self,
        )
        go = box.addButton(f"Verify {len(numbers):,} again", QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(go)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        go.clicked.connect(lambda: self.verify_again(numbers))
        box.open()

    def _ask_override(self) -> None:
        dossier = self.detail.dossier
        if dossier is not None and dossier.row.number in self.selected():
            ask_override(dossier, self._project, self._settings.person, self)

    def _verified(self, outcomes: list[VerdictChange | VerificationFailure], judged: int, cut_off: bool) -> None:
        self._verifying = None
        self.verify.setEnabled(True)
        self.verifying_panel.show_end(outcomes, judged, cut_off)
        if outcomes:
            self._project.changed.emit()
        failures = [outcome for outcome in outcomes if isinstance(outcome, VerificationFailure)]
        if not_run := [failure.attempt for failure in failures if failure.reason == NOT_RUN]:
            self._ask_to_run_programs(not_run)

    def _ask_to_run_programs(self, numbers: Sequence[int]) -> None:
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Programs in answers",
            f"{counted(len(numbers), 'attempt holds a program that was', 'attempts hold programs that were')} not run. "
            "In the sandbox, programs have no access to your files, your keys and the network.",
            QMessageBox.StandardButton.NoButton,
            self,
        )
        run = box.addButton("Run in the sandbox", QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton("Leave as they are", QMessageBox.ButtonRole.RejectRole))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        run.clicked.connect(lambda: self.verify_again(numbers, programs=True))
        box.open()

    def _cancel_verifying(self) -> None:
        if self._verifying is not None:
            self._verifying.cancel()

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setAccessibleName("Attempts")
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setSectionsMovable(True)
        header.setHighlightSections(False)
        header.setSortIndicatorShown(True)
        header.setSectionsClickable(True)
        header.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
        header.setToolTip("Click to sort, drag to move, drag an edge to resize")
        for i, column in enumerate(COLUMNS):
            table.setColumnWidth(i, column.width)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return table

    def _make_actions(self) -> None:
        self.open = self._button("Open in editor", "pencil", "Put this attempt's answer into the editor (Enter)")
        self.open.clicked.connect(lambda: self.row_actions.open_in_editor(*self.selected()))
        self.replay = self._button("Replay", "play", "Show the agent's run step by step, or play the machine")
        self.replay.clicked.connect(lambda: self.row_actions.replay(*self.selected()))
        self.compare = self._button("Compare", "compare", "Two attempts at the same instance, beside each other")
        self.compare.clicked.connect(lambda: self.row_actions.compare(*self.selected()))
        self.override = self._button(
            "Override score…", "", "Replace the verifier's score with yours, and give a reason"
        )
        self.override.clicked.connect(self._ask_override)
        self.verify = self._button("Verify again", "check", "Judge attempts with the current verifiers")
        menu = QMenu(self.verify)
        self.verify_selected = menu.addAction("The selected attempt")
        self.verify_selected.triggered.connect(lambda: self.verify_again(self.selected()))
        self.verify_all = menu.addAction("All in the list…")
        self.verify_all.triggered.connect(self.ask_verify_all)
        self.verify.setMenu(menu)
        self.export = self._button("Export", "save", "Write attempts to a file: JSON lines, an Inspect log, a table")
        menu = QMenu(self.export)
        self.export_selected = menu.addAction("The selected attempt…")
        self.export_selected.triggered.connect(lambda: self._export(self.selected()))
        self.export_all = menu.addAction("All in the list…")
        self.export_all.triggered.connect(lambda: self._export(self.model.numbers))
        self.export.setMenu(menu)
        for button in (self.open, self.replay, self.compare, self.override):
            action = QAction(button.text(), self.table)
            action.triggered.connect(button.click)
            self.table.addAction(action)
        self.judge_steps = QAction("Judge steps…", self.table)
        self.judge_steps.setToolTip("Ask a model which annotated steps of puzzles the selected attempts met")
        self.judge_steps.triggered.connect(lambda: self.steps_wanted.emit(tuple(self.selected())))
        self.table.addAction(self.judge_steps)
        self.table.addAction(self.verify_selected)
        self.table.addAction(self.export_selected)

    def _export(self, numbers: Sequence[int]) -> None:
        """Asks for a file, and requests the export of these attempts."""
        from spatial_workbench.app.background.evaluations import ExportSelection

        chosen = choose_export_file(self, "attempts")
        if chosen is not None:
            self.export_wanted.emit(ExportSelection(attempts=tuple(numbers)), *chosen)

    def _button(self, text: str, icon_name: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        if icon_name:
            button.setIcon(icon(icon_name))
        button.setToolTip(tip)
        return button

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        self._count = QLabel()
        self._count.setObjectName("secondary")
        self._count.setAccessibleName("Attempts found")
        self._chosen = QLabel()
        self._chosen.setObjectName("secondary")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addSpacing(2 * SPACE)
        head.addWidget(self._count)
        head.addWidget(self._chosen)
        head.addStretch(1)
        for button in (self.open, self.replay, self.compare, self.verify, self.override, self.export):
            head.addWidget(button)
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
        column.addWidget(self.verifying_panel)
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
        top.addLayout(head)
        top.addWidget(self.filters)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.splitter, 1)

    def _connect(self) -> None:
        self.filters.changed.connect(self.reload)
        self.table.horizontalHeader().sortIndicatorChanged.connect(lambda *_: self.reload())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._selection_changed())
        self.table.activated.connect(lambda *_: self.open.click())
        self.model.rows_read.connect(self._tell_selection)
        self.verifying_panel.cancelled.connect(self._cancel_verifying)
        self.verifying_panel.attempt_chosen.connect(self.show_attempt)
        self._project.changed.connect(self._project_changed)
        find = QShortcut(QKeySequence.StandardKey.Find, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.filters.search.setFocus)
        self._ask(
            lambda project: (project.runs.choices(), project.batches.all()),
            lambda choices: self.filters.set_choices(*choices),
        )

    def _restore(self) -> None:
        for name, part in self._layouts().items():
            stored = self._settings.layout(f"runs-{name}")
            if stored is not None:
                part.restoreState(stored)
        filters = self._settings.remembered("runs-filter")
        if filters:
            self.filters.set_filter(_filter_of(filters))

    def _remember(self) -> None:
        for name, part in self._layouts().items():
            self._settings.set_layout(f"runs-{name}", part.saveState())
        # The number of a batch is only valid in its project.
        self._settings.remember(
            "runs-filter", self.filters.run_filter.model_dump_json(exclude_none=True, exclude={"batch"})
        )

    def _layouts(self) -> dict[str, Any]:
        return {
            "columns": self.table.horizontalHeader(),
            "beside": self.splitter,
            "detail": self.detail.splitter,
        }


def _filter_of(stored: str) -> RunFilter:
    try:
        return RunFilter.model_validate_json(stored)
    except ValueError:
        return RunFilter()


def _spans(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted row numbers as spans without gaps: [1, 2, 3, 7] gives [(1, 3), (7, 7)]."""
    spans: list[tuple[int, int]] = []
    for row in rows:
        if spans and row == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], row)
        else:
            spans.append((row, row))
    return spans
