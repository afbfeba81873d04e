"""The batches of the project with progress and cost; they can be paused, resumed, retried, judged and exported."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.exporting import choose_export_file
from spatial_workbench.app.evaluation.items import ItemList
from spatial_workbench.app.evaluation.judging_notice import JudgingNotice
from spatial_workbench.app.evaluation.spending_strip import SpendingStrip
from spatial_workbench.app.evaluation.watch import BatchStatus, BatchWatch, WatchedBatch
from spatial_workbench.app.evaluation.words import cost_words, duration, tokens
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.tables.rows import ROW, ROW_HEIGHT, RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.step_judgings import StepJudgings

_ICONS = {
    BatchStatus.STARTING: "clock",
    BatchStatus.RUNNING: "play",
    BatchStatus.PAUSING: "pause",
    BatchStatus.PAUSED: "pause",
    BatchStatus.CANCELLED: "close",
    BatchStatus.INTERRUPTED: "warning",
    BatchStatus.FINISHED: "check",
}
CANCELS = (
    "Stop at once. Questions in flight are given up, though they may have to be paid; what is stored is kept. "
    "Pause lets them finish"
)
_PROGRESS = 2
"""The column with the bar."""
_STOPPED = (BatchStatus.PAUSED, BatchStatus.CANCELLED, BatchStatus.INTERRUPTED)


def _note(batch: WatchedBatch) -> str:
    return batch.row.note or batch.row.name


COLUMNS: tuple[TableColumn[WatchedBatch], ...] = (
    TableColumn("Name", lambda batch: batch.row.name, 300, tip=_note),
    TableColumn(
        "State",
        lambda batch: batch.state.value.capitalize(),
        130,
        icon=lambda batch: (_ICONS[batch.state], "text"),
        tip=_note,
    ),
    TableColumn("Progress", lambda batch: f"{batch.row.ended} of {batch.row.total}", 170, tip=_note),
    TableColumn("Failed", lambda batch: str(batch.failed or ""), 70, is_figure=True, tip=_note),
    TableColumn(
        "Items/min",
        lambda batch: "" if batch.per_minute is None else f"{batch.per_minute:.0f}",
        80,
        is_figure=True,
        tip=_note,
    ),
    TableColumn(
        "Tokens out", lambda batch: tokens(batch.row.tokens) if batch.row.tokens else "", 90, is_figure=True, tip=_note
    ),
    TableColumn(
        "Cost", lambda batch: cost_words(batch.row.cost_usd, batch.row.unpriced), 110, is_figure=True, tip=_note
    ),
    TableColumn(
        "Time left",
        lambda batch: "" if batch.seconds_left is None else duration(batch.seconds_left),
        90,
        is_figure=True,
        tip=_note,
    ),
    TableColumn("Started", lambda batch: f"{batch.row.created_at.astimezone():%Y-%m-%d %H:%M}", 150, tip=_note),
)


class BatchesPage(QWidget):
    """The table of batches, and the items of the chosen one.

    Signals:
        new_wanted(): make a batch.
        copy_wanted(int): make a batch with the settings of another one.
        resume_wanted(int), pause_wanted(int), cancel_wanted(int), retry_wanted(int): resume, pause, cancel or retry
            a batch.
        attempts_wanted(int): list the attempts of a batch.
        attempt_wanted(int): show one attempt.
        item_wanted(int): show an item that has no attempt.
        judge_wanted(int): label the failed attempts of a batch.
        steps_wanted(int): judge the steps of a batch's attempts at puzzles.
        judging_wanted(): show the judgings of steps.
        export_wanted(object, str, object): which attempts (ExportSelection), the format, the file.
    """

    title = "Batches"
    icon_name = "model"
    new_wanted = Signal()
    copy_wanted = Signal(int)
    resume_wanted = Signal(int)
    pause_wanted = Signal(int)
    cancel_wanted = Signal(int)
    retry_wanted = Signal(int)
    attempts_wanted = Signal(int)
    attempt_wanted = Signal(int)
    item_wanted = Signal(int)
    judge_wanted = Signal(int)
    steps_wanted = Signal(int)
    judging_wanted = Signal()
    export_wanted = Signal(object, str, object)

    def __init__(
        self, watch: BatchWatch, judgings: StepJudgings, project: ProjectService, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.judging = JudgingNotice(judgings, project)
        self.judging.show_wanted.connect(self.judging_wanted)
        self._watch = watch
        self.model: RowsModel[WatchedBatch] = RowsModel(COLUMNS, lambda batch: batch.row.number)
        self.items = ItemList(project)
        self.spending = SpendingStrip()
        self.items.attempt_wanted.connect(self.attempt_wanted)
        self.items.item_wanted.connect(self.item_wanted)
        self._make_table()
        self._make_buttons()
        self._lay_out()
        watch.changed.connect(self._show_batches)
        self._show_batches()
        watch.look()

    def chosen(self) -> WatchedBatch | None:
        """The batch that is selected."""
        return self.model.row_at(self.table.currentIndex())

    def choose(self, batch: int) -> None:
        """Selects a batch."""
        numbers = [listed.row.number for listed in self.model.rows]
        if batch in numbers:
            self.table.selectRow(numbers.index(batch))

    def close_page(self) -> None:
        """Stops following."""
        self._watch.changed.disconnect(self._show_batches)
        self.judging.stop_following()

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_table(self) -> None:
        self.table = make_rows_table(self.model, COLUMNS, "Batches")
        self.table.setItemDelegateForColumn(_PROGRESS, _Bar(self.table))
        self.table.setWordWrap(False)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT + 4)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable_buttons())
        self.model.modelReset.connect(self._enable_buttons)

    def _make_buttons(self) -> None:
        def button(text: str, name: str, tip: str, signal: SignalInstance) -> QPushButton:
            push_button = QPushButton(icon(name), text)
            push_button.setToolTip(tip)
            push_button.clicked.connect(lambda: self._on_chosen(signal.emit))
            return push_button

        self.pause = button(
            "Pause",
            "pause",
            "Ask nothing more. Questions that were asked are finished; Resume goes on",
            self.pause_wanted,
        )
        self.resume = button("Resume", "play", "Ask the remaining questions", self.resume_wanted)
        self.cancel = button("Cancel", "close", CANCELS, self.cancel_wanted)
        self.retry = button(
            "Retry failed", "redo", "Retry failed items; answered questions are not asked again", self.retry_wanted
        )
        self.copy = button("Copy settings…", "copy", "Make a new batch with the settings of this one", self.copy_wanted)
        self.attempts = button("Attempts", "list", "List the attempts of this batch", self.attempts_wanted)
        self.judge = button("Judge failures…", "model", "Ask a model to label failed attempts", self.judge_wanted)
        tip = "Ask a model which annotated steps of puzzles the attempts met"
        self.steps = button("Judge steps…", "check", tip, self.steps_wanted)
        self.export = QPushButton(icon("save"), "Export…")
        self.export.setToolTip("Write the attempts of this batch to a file")
        self.export.clicked.connect(self._choose_file)

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        new = QPushButton("New batch…")
        new.setObjectName("primary")
        new.clicked.connect(self.new_wanted)
        head = QHBoxLayout()
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(new)
        tools = QHBoxLayout()
        tools.setSpacing(2 * SPACE)
        steering = (self.pause, self.resume, self.cancel, self.retry, self.copy)
        for push_button in (*steering, self.attempts, self.judge, self.steps, self.export):
            tools.addWidget(push_button)
        tools.addStretch(1)
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.setSpacing(3 * SPACE)
        column.addLayout(tools)
        column.addWidget(self.spending)
        column.addWidget(self.items, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        split.addWidget(self.table)
        split.addWidget(lower)
        split.setSizes([280, 440])
        self.empty = EmptyState(
            "No batches yet",
            "A batch asks models about tasks in the background and stores every answer with its verdicts.\n"
            "It continues when the window is closed. The models “reference” and “random” need no key.",
            "New batch…",
        )
        self.empty.button.clicked.connect(self.new_wanted)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(split)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        layout.setSpacing(4 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.judging)
        layout.addWidget(self._stack, 1)

    # What happens ------------------------------------------------------------------------------------------------

    def _show_batches(self) -> None:
        self.model.show_rows(self._watch.batches)
        self._stack.setCurrentIndex(1 if self.model.rows else 0)
        if self.model.rows and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        """Enables the buttons that apply to the chosen batch."""
        batch = self.chosen()
        state = batch.state if batch else None
        was_cancel = self.cancel.hasFocus()
        self.pause.setEnabled(state in (BatchStatus.RUNNING, BatchStatus.STARTING))
        self.resume.setEnabled(state in _STOPPED)
        self.cancel.setEnabled(state in (BatchStatus.RUNNING, BatchStatus.STARTING, BatchStatus.PAUSING))
        self.retry.setEnabled(batch is not None and batch.failed > 0 and not batch.is_alive)
        for button in (self.attempts, self.export):
            button.setEnabled(batch is not None and batch.row.ended > 0)
        self.copy.setEnabled(batch is not None)
        for judging in (self.judge, self.steps):
            judging.setEnabled(batch is not None and batch.row.ended > 0 and not batch.is_alive)
        self.spending.show_batch(batch)
        if self.cancel.hasFocus() and not was_cancel:
            # Qt moves the focus on from a button that becomes grey; the next key must not cancel the batch.
            self.table.setFocus()
        self.items.show_batch(batch)

    def _on_chosen(self, then: Callable[[int], None]) -> None:
        batch = self.chosen()
        if batch is not None:
            then(batch.row.number)

    def _choose_file(self) -> None:
        batch = self.chosen()
        if batch is None:
            return
        from spatial_workbench.app.background.evaluations import ExportSelection

        chosen = choose_export_file(self, f"batch-{batch.row.number}")
        if chosen is not None:
            self.export_wanted.emit(ExportSelection(batches=(batch.row.number,)), *chosen)


class _Bar(QStyledItemDelegate):
    """Paints how many items have ended, with a bar below."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        upper = QStyleOptionViewItem(option)
        upper.rect = option.rect.adjusted(0, 0, 0, -6)
        super().paint(painter, upper, index)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect.adjusted(0, upper.rect.height(), 0, 0), appearance().theme.color("accent"))
        theme = appearance().theme
        batch: WatchedBatch = index.data(ROW)
        rect = option.rect
        bar = QRect(rect.left() + 2 * SPACE, rect.bottom() - 8, rect.width() - 4 * SPACE, 4)
        done = QRect(bar.left(), bar.top(), round(bar.width() * batch.row.ended / max(1, batch.row.total)), 4)
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        selected = option.state & QStyle.StateFlag.State_Selected
        for part, role in ((bar, "line"), (done, "on_accent" if selected else "passed")):
            painter.setBrush(theme.color(role))
            painter.drawRoundedRect(part, 2, 2)
        painter.restore()
