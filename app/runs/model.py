"""A table of any number of attempts, in groups or not. It knows the numbers of all, and reads only rows in view."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, QTimer, Signal

from spatial_workbench.app.attempts.columns import COLUMNS, AttemptColumn, own_columns
from spatial_workbench.app.runs.lines import RunListing, group_words
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import Index

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunGroup, RunRow

BLOCK = 200
"""Rows that are read at once."""
KEPT = 40
"""Blocks that are kept, and that may wait to be read."""

_SHOWN = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.DecorationRole)
"""The roles for which a row has to be read."""
_ROOT = QModelIndex()

Ask = Callable[[Callable[[Any], Any], Callable[[Any], None]], None]
"""How the project is asked: ProjectService.ask."""


class RunsModel(QAbstractTableModel):
    """Attempts as rows of a table.

    Rows are read in blocks when they come into view; until then their cells are empty. One block is read at a time,
    the most recently requested first, so that fast scrolling leaves no queue of outdated blocks.

    Signals:
        rows_read(): requested rows have been read.
    """

    rows_read = Signal()

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self.listing = RunListing()
        self.lines: Sequence[int] = ()
        """What each row shows (see `RunListing.lines`)."""
        self.opened: set[str] = set()
        """The keys of the groups whose attempts are shown."""
        self.columns: tuple[AttemptColumn, ...] = COLUMNS
        """Those of all attempts, then one for each verifier of somebody else's that has judged some."""
        self._ask = ask
        self._blocks: OrderedDict[int, tuple[int, dict[int, RunRow]]] = OrderedDict()
        self._wanted: dict[int, None] = {}
        self._reading: int | None = None
        self._state = 0
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._read_next)

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of all attempts that are listed, those of closed groups, too."""
        return self.listing.numbers

    def replace(self, listing: RunListing) -> None:
        """Shows other attempts, or other groups."""
        self.beginResetModel()
        if listing.grouped_by != self.listing.grouped_by:
            self.opened = set()
        self.listing = listing
        self.lines = listing.lines(self.opened)
        self._blocks.clear()
        self._start_anew()
        self.endResetModel()

    def show_own(self, verifiers: Sequence[str]) -> None:
        """Shows a column for each of these verifiers of somebody else's, after all others."""
        before, now = len(self.columns), (*COLUMNS, *own_columns(verifiers))
        if [column.title for column in now] == [column.title for column in self.columns]:
            return
        if before > len(COLUMNS):
            self.beginRemoveColumns(_ROOT, len(COLUMNS), before - 1)
            self.columns = COLUMNS
            self.endRemoveColumns()
        if len(now) > len(COLUMNS):
            self.beginInsertColumns(_ROOT, len(COLUMNS), len(now) - 1)
            self.columns = now
            self.endInsertColumns()

    def refresh(self) -> None:
        """Reads the rows again: the attempts are the same, but something about them may have changed."""
        self._start_anew()
        if self.lines:
            self._announce_changed(0, len(self.lines) - 1)

    def group(self, index: int) -> RunGroup | None:
        """The group whose head a row is; None: it is an attempt."""
        return self.listing.group(self.lines[index])

    def head_words(self, group: RunGroup) -> tuple[str, str]:
        """The title of a group, and its count and mean."""
        return self.listing.title(group), group_words(group)

    def row(self, index: int) -> RunRow | None:
        """An attempt, if it is one and has been read; a missing or outdated one is requested."""
        number = index // BLOCK
        state, rows = self._blocks.get(number, (-1, {}))
        if state != self._state and number != self._reading:
            self._wanted.pop(number, None)
            self._wanted[number] = None
            self._soon.start()
        return rows.get(self.lines[index])

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return self.columns[section].heading(role) if orientation == Qt.Orientation.Horizontal else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.alignment
        if role not in _SHOWN:
            return None
        group = self.group(index.row())
        if group is not None:
            return self._head(group) if index.column() == 0 and role != Qt.ItemDataRole.DecorationRole else None
        row = self.row(index.row())
        if row is not None:
            return column.cell(row, role)
        is_number = index.column() == 0 and role == Qt.ItemDataRole.DisplayRole
        return str(self.lines[index.row()]) if is_number else None

    def _head(self, group: RunGroup) -> str:
        state = "open" if group.key in self.opened else "closed"
        return with_marks(", ".join((*self.head_words(group), state)))

    def _start_anew(self) -> None:
        self._state += 1
        self._wanted.clear()
        self._reading = None

    def _read_next(self) -> None:
        if self._reading is not None or not self._wanted:
            return
        block, _ = self._wanted.popitem()
        for passed_by in list(self._wanted)[:-KEPT]:
            del self._wanted[passed_by]
        self._reading = block
        state = self._state
        numbers = [line for line in self.lines[block * BLOCK : (block + 1) * BLOCK] if line > 0]
        self._ask(
            lambda project: {row.number: row for row in project.runs.rows(numbers)},
            lambda rows: self._take_rows(block, rows, state),
        )

    def _take_rows(self, block: int, rows: dict[int, RunRow], state: int) -> None:
        if state != self._state:
            return
        self._reading = None
        self._blocks[block] = (state, rows)
        self._blocks.move_to_end(block)
        while len(self._blocks) > KEPT:
            self._blocks.popitem(last=False)
        self._announce_changed(block * BLOCK, min(len(self.lines), (block + 1) * BLOCK) - 1)
        self.rows_read.emit()
        self._read_next()

    def _announce_changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))
