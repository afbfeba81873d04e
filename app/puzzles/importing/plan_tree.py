"""The puzzles of an import as rows: what each comes from, and what is there already."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.app.puzzles.importing.draft import ImportDraft, PuzzleKey, key_of, likeness
from spatial_workbench.engine.puzzles.sets.import_plan import PlannedPuzzle, too_many_pages
from spatial_workbench.engine.puzzles.sets.import_survey import FoundPuzzle, PagePuzzle, WholePuzzle
from spatial_workbench.engine.puzzles.sets.pages import CONTENT
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import top_items

TITLE, SOURCE, PAGES, SOLUTION, LIKENESS, THERE = range(6)
_HEADERS = ("Puzzle", "From", "Pages", "Solution", "Names alike", "There already")
_WIDTHS = (200, 190, 100, 150, 84, 190)
_TIPS = {
    PAGES: "How many pages the puzzle gets; of a PDF, a range can be chosen below",
    SOLUTION: "The pages of the solution become figures, for the annotator to assign to steps",
    LIKENESS: "How far the file names of puzzle and solution agree; from 80 % on they are paired",
    THERE: "A puzzle of the set with the same name or the same pages, and what becomes of it",
}
_KEY = Qt.ItemDataRole.UserRole


class PlanTree(QTreeWidget):
    """Lists the puzzles of an import, each with a tick.

    Signals:
        ticked(): other puzzles are wanted.
        picked(): others are selected.
    """

    ticked = Signal()
    picked = Signal()

    def __init__(self, draft: ImportDraft) -> None:
        super().__init__()
        self._draft = draft
        self._puzzles: dict[PuzzleKey, PlannedPuzzle] = {}
        self.setAccessibleName("Puzzles to import")
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHeaderLabels(_HEADERS)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)
        for column, tip in _TIPS.items():
            self.headerItem().setToolTip(column, tip)
        self.itemChanged.connect(self._tick)
        self.itemSelectionChanged.connect(self.picked)

    @property
    def selected(self) -> list[PlannedPuzzle]:
        """The selected puzzles, from the top."""
        return [self._puzzles[item.data(0, _KEY)] for item in top_items(self) if item.isSelected()]

    def show_puzzles(self, planned: Sequence[PlannedPuzzle]) -> None:
        """Shows the puzzles; the selection stays where it can, and begins with the first one."""
        chosen = {key_of(entry.puzzle) for entry in self.selected}
        with QSignalBlocker(self):
            self.clear()
            self._puzzles = {key_of(entry.puzzle): entry for entry in planned}
            for key, entry in self._puzzles.items():
                item = QTreeWidgetItem(self)
                item.setData(0, _KEY, key)
                item.setCheckState(TITLE, _state(self._draft.is_ticked(key)))
                self._fill(item, entry)
                item.setSelected(key in chosen)
            first = self.topLevelItem(0)
            if first is not None and not self.selectedItems():
                self.setCurrentItem(first)
        self.picked.emit()

    def refresh(self) -> None:
        """Shows what has changed in the puzzles that are listed."""
        self._puzzles |= {key_of(entry.puzzle): entry for entry in self._draft.planned}
        with QSignalBlocker(self):
            for item in top_items(self):
                self._fill(item, self._puzzles[item.data(0, _KEY)])

    def _fill(self, item: QTreeWidgetItem, entry: PlannedPuzzle) -> None:
        puzzle = entry.puzzle
        solution = puzzle.solution if isinstance(puzzle, PagePuzzle) else None
        texts = {
            TITLE: puzzle.title,
            SOURCE: puzzle.source,
            PAGES: _pages(puzzle),
            SOLUTION: solution.files[0].name if solution else "–",
            LIKENESS: likeness(puzzle),
            THERE: self._there(entry),
        }
        for column, text in texts.items():
            item.setText(column, text)
            item.setToolTip(column, text)
        item.setTextAlignment(LIKENESS, Qt.AlignmentFlag.AlignCenter)
        item.setForeground(PAGES, appearance().theme.color("failed" if too_many_pages(puzzle) else "text"))
        item.setForeground(THERE, appearance().theme.color("warning" if entry.duplicate else "text"))

    def _there(self, entry: PlannedPuzzle) -> str:
        if entry.duplicate is None:
            return "–" if entry.folder else "…"
        choice = self._draft.choice_of(entry).words
        return f"{choice}: {entry.duplicate.words(entry.folder)}"

    def _tick(self, item: QTreeWidgetItem, column: int) -> None:
        if column == TITLE:
            self._draft.tick(item.data(0, _KEY), item.checkState(TITLE) == Qt.CheckState.Checked)
            self.ticked.emit()


def _state(is_ticked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked


def _pages(puzzle: FoundPuzzle) -> str:
    if isinstance(puzzle, WholePuzzle):
        return str(sum(bool(CONTENT.fullmatch(name)) for name in puzzle.files))
    if puzzle.pages.numbers:
        return f"{puzzle.pages.count} of {puzzle.pages.total}"
    return f"{puzzle.pages.count}, too many" if too_many_pages(puzzle) else str(puzzle.pages.count)
