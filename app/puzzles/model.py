"""The table of a set's puzzles: rows, sorting, filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt

from spatial_workbench.app.puzzles.work import PuzzleRow
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleDifficulty, folded
from spatial_workbench.engine.puzzles.statistics import tags
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
SORT_ROLE = Qt.ItemDataRole.UserRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_DIFFICULTIES = [*PuzzleDifficulty]
HAS_ERRORS = "errors"
HAS_WARNINGS = "warnings"
SOUND = "sound"


@dataclass(frozen=True)
class PuzzleColumn:
    """A column: its header, its contents, and its sort key."""

    header: str
    text: Callable[[PuzzleRow, ReviewState], str]
    key: Callable[[PuzzleRow, ReviewState], Any]
    is_number: bool = False
    tip: str = ""


def state_words(row: PuzzleRow, state: ReviewState) -> str:
    """The state of a puzzle for people; one that is not under review yet says whether it could be."""
    if row.trouble:
        return "unreadable"
    return "has errors" if state is ReviewState.DRAFT and row.errors else state.label


def _rank(difficulty: str) -> int:
    word = folded(difficulty)
    return PuzzleDifficulty(word).rank if word in _DIFFICULTIES else 0


COLUMNS = (
    PuzzleColumn("Title", lambda row, _: row.title, lambda row, _: row.title.lower()),
    PuzzleColumn("State", state_words, state_words, tip="The state of the annotation's review"),
    PuzzleColumn(
        "Errors", lambda row, _: str(row.errors or "–"), lambda row, _: row.errors, True, "They prevent its review"
    ),
    PuzzleColumn("Warnings", lambda row, _: str(row.warnings or "–"), lambda row, _: row.warnings, True),
    PuzzleColumn("Steps", lambda row, _: str(row.steps or "–"), lambda row, _: row.steps, True),
    PuzzleColumn("Difficulty", lambda row, _: row.difficulty or "–", lambda row, _: _rank(row.difficulty)),
    PuzzleColumn("Modality", lambda row, _: ", ".join(row.modality) or "–", lambda row, _: row.modality),
    PuzzleColumn("Skills", lambda row, _: ", ".join(row.skills).replace("_", " ") or "–", lambda row, _: row.skills),
)


class PuzzlesModel(QAbstractTableModel):
    """The puzzles of a set with their states."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[PuzzleRow] = ()
        self.states: Mapping[str, ReviewState] = {}

    def show_rows(self, rows: Sequence[PuzzleRow], states: Mapping[str, ReviewState]) -> None:
        """Replaces the rows."""
        self.beginResetModel()
        self.rows = rows
        self.states = states
        self.endResetModel()

    def state_of(self, row: PuzzleRow) -> ReviewState:
        """How far the review of a puzzle is."""
        return self.states.get(row.folder, ReviewState.DRAFT)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.header
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return _RIGHT
        return column.tip or None if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return with_marks(column.text(row, self.state_of(row)))
        if role == SORT_ROLE:
            return column.key(row, self.state_of(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.trouble or (column.text(row, self.state_of(row)) if index.column() in (0, 6, 7) else None)
        if role == Qt.ItemDataRole.TextAlignmentRole and column.is_number:
            return _RIGHT
        return self._decoration(row, index.column(), role)

    def _decoration(self, row: PuzzleRow, column: int, role: int) -> Any:
        theme = appearance().theme
        if role == Qt.ItemDataRole.ForegroundRole and column == 2 and row.errors:
            return theme.color("failed")
        if role == Qt.ItemDataRole.ForegroundRole and column == 3 and row.warnings:
            return theme.color("warning")
        if role == Qt.ItemDataRole.DecorationRole and column == 1:
            state = self.state_of(row)
            name = "failed" if row.errors else "passed" if state is ReviewState.VERIFIED else "not_reached"
            return icon(name, name)
        return None


class PuzzleFilter(QSortFilterProxyModel):
    """Sorts by what a column means, and lists what fits the filters."""

    def __init__(self, model: PuzzlesModel) -> None:
        super().__init__()
        self._model = model
        self.words: tuple[str, ...] = ()
        self.chosen: dict[str, tuple[str, ...]] = {}
        self.setSourceModel(model)

    def search(self, text: str) -> None:
        """Lists puzzles that hold all of these words."""
        self.beginFilterChange()
        self.words = tuple(text.lower().split())
        self.endFilterChange()

    def choose(self, name: str, values: tuple[str, ...]) -> None:
        """Lists puzzles that have one of these values; none: all puzzles."""
        self.beginFilterChange()
        self.chosen[name] = values
        self.endFilterChange()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        row = self._model.rows[source_row]
        values = {
            "state": {state_words(row, self._model.state_of(row))},
            "difficulty": {folded(row.difficulty)},
            "tags": tags((*row.modality, *row.skills)),
            "problems": _problems(row),
        }
        fits = all(not chosen or values[name] & set(chosen) for name, chosen in self.chosen.items())
        return fits and all(word in row.searched for word in self.words)

    def lessThan(self, left: Index, right: Index) -> bool:
        model = self._model
        key = COLUMNS[left.column()].key
        first, second = model.rows[left.row()], model.rows[right.row()]
        return bool(key(first, model.state_of(first)) < key(second, model.state_of(second)))


def _problems(row: PuzzleRow) -> set[str]:
    kinds = {HAS_ERRORS} if row.errors else set()
    kinds |= {HAS_WARNINGS} if row.warnings else set()
    return kinds or {SOUND}
