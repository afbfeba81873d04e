"""The table of a set's puzzles: rows, sorting, filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSortFilterProxyModel

from spatial_workbench.app.puzzles.review.words import MEANINGS
from spatial_workbench.app.puzzles.set_work import PuzzleRow
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleDifficulty, folded
from spatial_workbench.engine.puzzles.statistics import tags
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.tables.rows import RowsModel, TableColumn

_DIFFICULTIES = [*PuzzleDifficulty]
HAS_ERRORS = "errors"
HAS_WARNINGS = "warnings"
SOUND = "sound"
IS_KEPT = "kept"
KEPT = "Changes of the annotation were not saved; they are offered when you open it"


def _rank(difficulty: str) -> int:
    word = folded(difficulty)
    return PuzzleDifficulty(word).rank if word in _DIFFICULTIES else 0


def _trouble(row: PuzzleRow) -> str:
    return row.trouble


def _title(row: PuzzleRow) -> str:
    return f"{row.title} · not saved" if row.is_kept else row.title


def _title_tip(row: PuzzleRow) -> str:
    return KEPT if row.is_kept else row.trouble


def _count(
    title: str, count: Callable[[PuzzleRow], int], width: int, color: str = "", about: str = ""
) -> TableColumn[PuzzleRow]:
    """A column with a number, in a colour unless it is 0."""
    return TableColumn(
        title,
        lambda row: str(count(row) or "–"),
        width,
        is_figure=True,
        tip=_trouble,
        color=lambda row: color if count(row) else "",
        key=count,
        about=about,
    )


class PuzzlesModel(RowsModel[PuzzleRow]):
    """The puzzles of a set with their states."""

    def __init__(self) -> None:
        super().__init__(self._make_columns(), lambda row: row.folder)
        self.states: Mapping[str, ReviewState] = {}

    def show_puzzles(self, rows: Sequence[PuzzleRow], states: Mapping[str, ReviewState]) -> None:
        """Shows other puzzles, or other states."""
        self.states = states
        self.show_rows(rows)
        self.refresh()

    def state_of(self, row: PuzzleRow) -> ReviewState:
        """How far the review of a puzzle is."""
        return self.states.get(row.folder, ReviewState.DRAFT)

    def state_words(self, row: PuzzleRow) -> str:
        """The state of a puzzle for people, in the words of the review."""
        return "unreadable" if row.trouble else self.state_of(row).label

    def _make_columns(self) -> tuple[TableColumn[PuzzleRow], ...]:
        return (
            TableColumn("Title", _title, 210, is_long=True, tip=_title_tip, key=lambda row: row.title.lower()),
            TableColumn(
                "State",
                self.state_words,
                160,
                icon=self._picture,
                tip=lambda row: row.trouble or MEANINGS[self.state_of(row)],
                about="The state of the annotation's review",
            ),
            _count("Errors", lambda row: row.errors, 64, "failed", "They prevent its review"),
            _count("Warnings", lambda row: row.warnings, 80, "warning"),
            _count("Steps", lambda row: row.steps, 64),
            TableColumn(
                "Difficulty", lambda row: row.difficulty or "–", 96, tip=_trouble, key=lambda row: _rank(row.difficulty)
            ),
            TableColumn(
                "Modality",
                lambda row: ", ".join(row.modality) or "–",
                150,
                is_long=True,
                tip=_trouble,
                key=lambda row: row.modality,
            ),
            TableColumn(
                "Skills",
                lambda row: ", ".join(row.skills).replace("_", " ") or "–",
                is_long=True,
                tip=_trouble,
                key=lambda row: row.skills,
            ),
        )

    def _picture(self, row: PuzzleRow) -> tuple[str, str]:
        is_verified = self.state_of(row) is ReviewState.VERIFIED
        name = "failed" if row.trouble else "passed" if is_verified else "not_reached"
        return name, name


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
            "state": {self._model.state_words(row)},
            "difficulty": {folded(row.difficulty)},
            "tags": tags((*row.modality, *row.skills)),
            "problems": _problems(row),
        }
        fits = all(not chosen or values[name] & set(chosen) for name, chosen in self.chosen.items())
        return fits and all(word in row.searched for word in self.words)

    def lessThan(self, left: Index, right: Index) -> bool:
        rows = self._model.rows
        key = self._model.columns[left.column()].sort_key
        return bool(key(rows[left.row()]) < key(rows[right.row()]))


def _problems(row: PuzzleRow) -> set[str]:
    kinds = {HAS_ERRORS} if row.errors else set()
    kinds |= {HAS_WARNINGS} if row.warnings else set()
    return (kinds or {SOUND}) | ({IS_KEPT} if row.is_kept else set())
