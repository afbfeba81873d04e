"""The puzzles of a set on the Puzzles page: a table with a search and filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.app.puzzles.model import HAS_ERRORS, HAS_WARNINGS, IS_KEPT, SOUND, PuzzleFilter, PuzzlesModel
from spatial_workbench.app.puzzles.set_work import PuzzleRow
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT, make_rows_table
from spatial_workbench.widgets.theme import SPACE

NO_PUZZLES = (
    "This set has no puzzles yet",
    "Make one with New puzzle, or import folders, zip files, PDFs or pictures. You can also drop or paste them here.",
)
NO_MATCH = ("No puzzle matches", "Remove a filter, or clear the search field.")
FILTERS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("state", "State", tuple((state.label, state.label) for state in ReviewState)),
    ("difficulty", "Difficulty", tuple((d.value, d.value) for d in PuzzleDifficulty)),
    ("tags", "Tags", tuple((tag.value, tag.label) for tag in (*Modality, *Skill))),
    (
        "problems",
        "Problems",
        (
            (HAS_ERRORS, "with errors"),
            (HAS_WARNINGS, "with warnings"),
            (SOUND, "without either"),
            (IS_KEPT, "not saved"),
        ),
    ),
)


class PuzzleList(QWidget):
    """Lists puzzles, of which some are selected.

    Signals:
        count_changed(str): how many puzzles are shown, in words.
        selection_changed(): others are selected.
        opened(): a puzzle was double-clicked, or Return was pressed.
        originals_wanted(): the set has no puzzles, and somebody wants to see the original ones.
    """

    count_changed = Signal(str)
    selection_changed = Signal()
    opened = Signal()
    originals_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._to_select: tuple[str, ...] = ()
        self.model = PuzzlesModel()
        self.filter = PuzzleFilter(self.model)
        self.search = SearchField("Search titles, texts and steps")
        self.search.setMaximumWidth(320)
        self.search.textChanged.connect(self._search)
        self.filters = {name: self._make_filter(name, title, options) for name, title, options in FILTERS}
        self.table = self._make_table()
        self.empty = EmptyState(*NO_PUZZLES, "Show the original puzzles")
        self.empty.button.setToolTip("Six puzzles that ship with the program")
        self.empty.button.clicked.connect(self.originals_wanted)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.empty)
        self._lay_out()

    @property
    def rows(self) -> Sequence[PuzzleRow]:
        """All puzzles of the set."""
        return self.model.rows

    def show_rows(self, rows: Sequence[PuzzleRow], states: Mapping[str, ReviewState]) -> None:
        """Shows the puzzles of a set; the selection stays, or becomes what was asked for."""
        chosen = self._to_select or tuple(row.folder for row in self.chosen_rows())
        self._to_select = ()
        self.model.show_puzzles(rows, states)
        self.choose(chosen)
        self._show_count()

    def show_trouble(self, heading: str, text: str) -> None:
        """Shows no puzzles, and why."""
        self.model.show_puzzles((), {})
        self._show_count()
        self.empty.say(heading, text)
        self.empty.button.hide()

    def chosen_rows(self) -> list[PuzzleRow]:
        """The selected puzzles, from the top."""
        indexes = self.table.selectionModel().selectedRows()
        return [self.model.rows[self.filter.mapToSource(i).row()] for i in sorted(indexes, key=lambda i: i.row())]

    def choose(self, folders: Sequence[str]) -> None:
        """Selects puzzles by their folders."""
        flags = QItemSelectionModel.SelectionFlag
        wanted = set(folders)
        chosen = QItemSelection()
        indexes = [self.filter.index(i, 0) for i in range(self.filter.rowCount())]
        indexes = [i for i in indexes if self.model.rows[self.filter.mapToSource(i).row()].folder in wanted]
        for index in indexes:
            chosen.select(index, index)
        self.table.selectionModel().select(chosen, flags.ClearAndSelect | flags.Rows)
        if indexes:
            self.table.selectionModel().setCurrentIndex(indexes[-1], flags.NoUpdate)

    def choose_next(self, folder: str) -> None:
        """Selects a puzzle by its folder when puzzles are shown next."""
        self._to_select = (folder,)

    def add_key(self, keys: str, do: Callable[[], object]) -> None:
        """Adds a key that works in the table."""
        action = QAction(self.table)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _=False: do())
        self.table.addAction(action)

    def _search(self, text: str) -> None:
        self.filter.search(text)
        self._show_count()

    def _choose_filter(self, name: str, values: tuple[str, ...]) -> None:
        self.filter.choose(name, values)
        self._show_count()

    def _show_count(self) -> None:
        shown = self.filter.rowCount()
        total = len(self.model.rows)
        self.empty.say(*(NO_MATCH if total else NO_PUZZLES))
        self.empty.button.setVisible(not total)
        self.stack.setCurrentIndex(0 if shown else 1)
        self.count_changed.emit(f"{shown} of {total}" if shown != total else counted(total, "puzzle"))

    def _make_filter(self, name: str, title: str, options: tuple[tuple[str, str], ...]) -> ChoiceButton:
        button = ChoiceButton(title)
        button.set_options(options)
        button.changed.connect(lambda values: self._choose_filter(name, values))
        return button

    def _make_table(self) -> QTableView:
        table = make_rows_table(self.filter, self.model.columns, "Puzzles of the set", several=True)
        table.setAlternatingRowColors(True)
        table.setSortingEnabled(True)
        table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.horizontalHeader().setStretchLastSection(True)
        table.activated.connect(lambda _: self.opened.emit())
        table.selectionModel().selectionChanged.connect(lambda *_: self.selection_changed.emit())
        return table

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(2 * SPACE)
        bar.addWidget(self.search, 1)
        for choice in self.filters.values():
            bar.addWidget(choice)
        bar.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.setSpacing(3 * SPACE)
        column.addLayout(bar)
        column.addWidget(self.stack, 1)
