"""The items of a batch: the state and result of each, and a way to open it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.columns import task_title
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.engine.core import address_order, measured_text, task_of_address
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.batch_process import log_file
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.store import ItemState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.watch import WatchedBatch
    from spatial_workbench.engine.store import ItemLine, Project

    Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_COLUMNS = ("#", "Model", "Task", "Instance", "Repeat", "State", "Score", "Measured", "Message")
_WIDTHS = (64, 250, 190, 90, 64, 120, 64, 84)
_FIGURES = (0, 3, 4, 6, 7)
_STATE = 5
_MESSAGE = 8
_FAILED = (ItemState.ERROR, ItemState.CRASHED)
FILTERS: tuple[tuple[str, tuple[ItemState, ...]], ...] = (
    ("All", tuple(ItemState)),
    ("Waiting", (ItemState.WAITING,)),
    ("Asking", (ItemState.ASKING,)),
    ("Judging", (ItemState.ANSWERED,)),
    ("Done", (ItemState.DONE,)),
    ("Failed", _FAILED),
    ("Not asked", (ItemState.NOT_ASKED,)),
)
STATES = {
    ItemState.WAITING: ("Waiting", "clock", "secondary"),
    ItemState.ASKING: ("Asking", "play", "accent"),
    ItemState.ANSWERED: ("Judging", "model", "accent"),
    ItemState.DONE: ("Done", "passed", "passed"),
    ItemState.ERROR: ("Failed", "failed", "failed"),
    ItemState.CRASHED: ("Failed", "failed", "failed"),
    ItemState.NOT_ASKED: ("Not asked", "close", "secondary"),
}
"""Word, icon and colour of each state."""


def instance_label(address: str) -> str:
    """Names an instance within its task: the number of a published one, "@" and the seed of a generated one."""
    _, _, number = address.partition(":")
    return number or address[address.find("@") :]


class ItemsModel(QAbstractTableModel):
    """The items as a table that is sorted by a column."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[ItemLine] = []
        self._names: Sequence[str] = ()
        self._order: tuple[int, bool] = (0, False)

    def show(self, lines: list[ItemLine], names: Sequence[str]) -> bool:
        """Shows these items; returns whether rows were added, removed or moved."""
        self._names = names
        lines = self._sorted(lines)
        if [line.number for line in lines] == [line.number for line in self.lines]:
            self.lines = lines
            if lines:
                self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, len(_COLUMNS) - 1))
            return False
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()
        return True

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = column, order == Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        self.lines = self._sorted(self.lines)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return _COLUMNS[section]
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.lines[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return with_marks(self._texts(line)[column])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.DecorationRole and column == _STATE:
            return icon(*STATES[line.state][1:])
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.address if column in (2, 3) else self._texts(line)[column] or None
        return None

    def _texts(self, line: ItemLine) -> tuple[str, ...]:
        return (
            str(line.number),
            self._name(line),
            task_title(task_of_address(line.address)),
            instance_label(line.address),
            str(line.repeat + 1),
            STATES[line.state][0],
            "" if line.score is None else score_words(line.score),
            measured_text(task_of_address(line.address), line.measured),
            ": ".join(filter(None, (line.error, line.message))),
        )

    def _name(self, line: ItemLine) -> str:
        return self._names[line.model] if line.model < len(self._names) else ""

    def _sorted(self, lines: list[ItemLine]) -> list[ItemLine]:
        column, descending = self._order
        return sorted(lines, key=partial(self._key, column), reverse=descending)

    def _key(self, column: int, line: ItemLine) -> Any:
        keys: dict[int, Callable[[], Any]] = {
            0: lambda: line.number,
            2: lambda: (self._texts(line)[2], address_order(line.address)),
            3: lambda: address_order(line.address)[1:],
            4: lambda: line.repeat,
            5: lambda: list(STATES).index(line.state),
            6: lambda: -1.0 if line.score is None else line.score,
            7: lambda: -1.0 if line.measured is None else line.measured,
        }
        return keys.get(column, lambda: self._texts(line)[column])()


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
        self.model = ItemsModel()
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
        row = self.table.currentIndex().row()
        return self.model.lines[row] if 0 <= row < len(self.model.lines) else None

    def choose(self, number: int) -> None:
        """Selects an item, if it is listed."""
        for row, line in enumerate(self.model.lines):
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
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setAccessibleName("Items of the batch")
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        header.setSectionResizeMode(_MESSAGE, QHeaderView.ResizeMode.Stretch)
        self.table.activated.connect(lambda _: self.open_chosen())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._tell_open())
        self.model.modelReset.connect(self._tell_open)

    def _tell_open(self) -> None:
        self.open.setEnabled(self.chosen() is not None)

    # Reading -----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Reads the items if the batch, its counts or the filter have changed; one reading at a time."""
        batch = self._batch
        if batch is None:
            self._shown = None
            self.model.show([], ())
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
        if self.model.show(*read):
            if chosen is not None:
                self.choose(chosen.number)
            self.table.verticalScrollBar().setValue(place)
        self._read()

    def _not_read(self, text: str) -> None:
        self._is_reading = False
        self._project.trouble.emit(text)

    def _sentence(self, batch: WatchedBatch | None) -> str:
        if batch is None:
            return ""
        requests = f"Requests made: {batch.row.tries:,}." if batch.row.tries else ""
        lost = ""
        if batch.state is BatchStatus.INTERRUPTED and self._project.path is not None:
            log = log_file(self._project.path, batch.row.number)
            lost = f"Its process ended unexpectedly; “Resume” asks the remaining questions. Its log is {log}."
        return " ".join(filter(None, (requests, batch.row.note, lost)))


def _lines(project: Project, batch: int, states: Sequence[ItemState]) -> tuple[list[ItemLine], list[str]]:
    plan = BatchPlan.model_validate_json(project.batches.plan(batch))
    return project.items.lines(batch, states), [contender.settings.name for contender in plan.contenders]


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in _FIGURES else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
