"""The items of a batch: the state and result of each, and a way to open it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.columns import instance_label, task_title
from spatial_workbench.app.attempts.words import CUT_OFF_ICON, cut_off_words
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.engine.core import address_order, measured_text, task_of_address
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.batch_process import log_file
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.store import ItemState
from spatial_workbench.widgets.tables.rows import RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.watch import WatchedBatch
    from spatial_workbench.engine.store import ItemLine, Project

_FAILED = (ItemState.ERROR, ItemState.CRASHED)
FILTERS: tuple[tuple[str, tuple[ItemState, ...]], ...] = (
    ("All", tuple(ItemState)),
    ("Waiting", (ItemState.WAITING,)),
    ("Asking", (ItemState.ASKING,)),
    ("Checking", (ItemState.ANSWERED,)),
    ("Done", (ItemState.DONE,)),
    ("Failed", _FAILED),
    ("Not asked", (ItemState.NOT_ASKED,)),
)
STATES = {
    ItemState.WAITING: ("Waiting", "clock", "secondary"),
    ItemState.ASKING: ("Asking", "play", "accent"),
    ItemState.ANSWERED: ("Checking", "check", "accent"),
    ItemState.DONE: ("Done", "passed", "passed"),
    ItemState.ERROR: ("Failed", "failed", "failed"),
    ItemState.CRASHED: ("Failed", "failed", "failed"),
    ItemState.NOT_ASKED: ("Not asked", "close", "secondary"),
}
"""Word, icon and colour of each state."""


def _message(line: ItemLine) -> str:
    return ": ".join(filter(None, (line.error, line.message)))


def _task(line: ItemLine) -> str:
    return task_title(task_of_address(line.address))


def _address(line: ItemLine) -> str:
    return line.address


def item_columns(model_of: Callable[[ItemLine], str]) -> tuple[TableColumn[ItemLine], ...]:
    """The columns of the items; the name of its model is not part of an item."""
    return (
        TableColumn("#", lambda line: str(line.number), 64, is_figure=True, is_long=True, key=lambda line: line.number),
        TableColumn("Model", model_of, 250, is_long=True),
        TableColumn("Task", _task, 190, tip=_address, key=lambda line: (_task(line), address_order(line.address))),
        TableColumn(
            "Instance",
            lambda line: instance_label(line.address),
            90,
            is_figure=True,
            tip=_address,
            key=lambda line: address_order(line.address)[1:],
        ),
        TableColumn(
            "Repeat",
            lambda line: str(line.repeat + 1),
            64,
            is_figure=True,
            is_long=True,
            key=lambda line: line.repeat,
        ),
        TableColumn(
            "State",
            lambda line: f"{STATES[line.state][0]}, cut off" if line.cut_off else STATES[line.state][0],
            120,
            is_long=True,
            icon=lambda line: CUT_OFF_ICON if line.cut_off else STATES[line.state][1:],
            tip=lambda line: cut_off_words(line.cut_off),
            key=lambda line: list(STATES).index(line.state),
        ),
        TableColumn(
            "Score",
            lambda line: "" if line.score is None else score_words(line.score),
            64,
            is_figure=True,
            is_long=True,
            key=lambda line: -1.0 if line.score is None else line.score,
        ),
        TableColumn(
            "Measured",
            lambda line: measured_text(task_of_address(line.address), line.measured),
            84,
            is_figure=True,
            is_long=True,
            key=lambda line: -1.0 if line.measured is None else line.measured,
        ),
        TableColumn("Message", _message, is_long=True),
    )


class ItemList(QWidget):
    """A sentence about the batch above its items; updated while the batch runs.

    Signals:
        attempt_wanted(int): show the attempt of an item.
        item_wanted(int): show an item that has no attempt.
    """

    attempt_wanted = Signal(int)
    item_wanted = Signal(int)

    def __init__(self, project: ProjectService) -> None:
        super().__init__()
        self._project = project
        self._batch: WatchedBatch | None = None
        self._shown: object = None
        self._is_reading = False
        self._names: Sequence[str] = ()
        self._columns = item_columns(self._model_of)
        self.model: RowsModel[ItemLine] = RowsModel(self._columns, lambda line: line.number)
        self._make_parts()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.about)
        row = QHBoxLayout()
        row.addWidget(self.filters, 1)
        row.addWidget(self.open)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)

    def show_batch(self, batch: WatchedBatch | None) -> None:
        """Shows a batch; its items are read again only if something about them has changed."""
        self._batch = batch
        self.about.setText(self._sentence(batch))
        counts = batch.row.counts if batch is not None else {}
        for k, (name, states) in enumerate(FILTERS):
            self.filters.setTabText(k, f"{name}  {sum(counts.get(state, 0) for state in states):,}")
        self._read()

    def chosen(self) -> ItemLine | None:
        """The item that is selected."""
        return self.model.row_at(self.table.currentIndex())

    def choose(self, number: int) -> None:
        """Selects an item, if it is listed."""
        for row, line in enumerate(self.model.rows):
            if line.number == number:
                self.table.selectRow(row)

    def filter_by(self, name: str) -> None:
        """Lists the items of one of FILTERS only."""
        self.filters.setCurrentIndex([known for known, _ in FILTERS].index(name))

    def open_chosen(self) -> None:
        """Opens the attempt of the selected item, or the item itself if it has none yet."""
        line = self.chosen()
        if line is None:
            return
        if line.attempt is not None:
            self.attempt_wanted.emit(line.attempt)
        else:
            self.item_wanted.emit(line.number)

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setObjectName("secondary")
        self.filters = QTabBar()
        self.filters.setExpanding(False)
        self.filters.setDrawBase(False)
        self.filters.setAccessibleName("Which items are listed")
        for name, _ in FILTERS:
            self.filters.addTab(name)
        self.filters.currentChanged.connect(lambda _: self._read())
        self.open = QPushButton("Open")
        self.open.setToolTip("Show the attempt of the selected item, or its requests so far")
        self.open.setEnabled(False)
        self.open.clicked.connect(self.open_chosen)
        self.table = make_rows_table(self.model, self._columns, "Items of the batch")
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        header.setSectionResizeMode(len(self._columns) - 1, QHeaderView.ResizeMode.Stretch)
        self.table.activated.connect(lambda _: self.open_chosen())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._update_open())
        self.model.modelReset.connect(self._update_open)

    def _update_open(self) -> None:
        self.open.setEnabled(self.chosen() is not None)

    # Reading -----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Reads the items if the batch, its counts or the filter have changed; one reading at a time."""
        batch = self._batch
        if batch is None:
            self._shown = None
            self.model.show_rows(())
            return
        states = FILTERS[self.filters.currentIndex()][1]
        query = (batch.row.number, batch.row.counts, states)
        if query == self._shown or self._is_reading:
            return
        self._shown = query
        self._is_reading = True
        number = batch.row.number
        self._project.ask(lambda project: _lines(project, number, states), self._show_lines, self._not_read)

    def _show_lines(self, read: tuple[list[ItemLine], list[str]]) -> None:
        self._is_reading = False
        chosen = self.chosen()
        place = self.table.verticalScrollBar().value()
        lines, self._names = read
        if self.model.show_rows(lines):
            if chosen is not None:
                self.choose(chosen.number)
            self.table.verticalScrollBar().setValue(place)
        self._read()

    def _model_of(self, line: ItemLine) -> str:
        return self._names[line.model] if line.model < len(self._names) else ""

    def _not_read(self, text: str) -> None:
        self._is_reading = False
        self._project.trouble.emit(text)

    def _sentence(self, batch: WatchedBatch | None) -> str:
        if batch is None:
            return ""
        lost = ""
        if batch.state is BatchStatus.INTERRUPTED and self._project.path is not None:
            log = log_file(self._project.path, batch.row.number)
            lost = f"Its process ended unexpectedly; “Resume” asks the remaining questions. Its log is {log}."
        return " ".join(filter(None, (batch.row.note, lost)))


def _lines(project: Project, batch: int, states: Sequence[ItemState]) -> tuple[list[ItemLine], list[str]]:
    plan = BatchPlan.model_validate_json(project.batches.plan(batch))
    return project.items.lines(batch, states), [contender.settings.name for contender in plan.contenders]
