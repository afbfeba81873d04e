"""Title, pages and solution of the selected puzzle of an import, and what becomes of those that are there already."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from spatial_workbench.app.puzzles.importing.draft import ImportDraft, key_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.import_plan import DuplicateChoice, PlannedPuzzle
from spatial_workbench.engine.puzzles.sets.import_survey import PagePuzzle
from spatial_workbench.engine.puzzles.sets.pairing import RangeError
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

WITHOUT = "without a solution"


class PuzzleStrip(QWidget):
    """Changes the selected puzzles of a draft; what cannot be changed is not shown.

    Signals:
        renamed(): a title has changed, and with it the folder.
        changed(): pages, a solution or a choice has changed.
        refused(str): why a range of pages was not taken; empty: it was.
    """

    renamed = Signal()
    changed = Signal()
    refused = Signal(str)

    def __init__(self, draft: ImportDraft) -> None:
        super().__init__()
        self._draft = draft
        self._selected: Sequence[PlannedPuzzle] = ()
        self.title = QLineEdit()
        self.title.setAccessibleName("Title of the puzzle")
        self.title.editingFinished.connect(self._rename)
        self.pages = QLineEdit()
        self.pages.setAccessibleName("Pages of the file")
        self.pages.setToolTip("Pages and ranges of pages, as in 3-7 or 1, 4-6; empty for all")
        self.pages.setMaximumWidth(120)
        self.pages.editingFinished.connect(self._take_pages)
        self.solution = ChoiceBox()
        self.solution.setAccessibleName("Solution of the puzzle")
        self.solution.setMinimumWidth(180)
        self.solution.activated.connect(self._pair)
        self.choice = ChoiceBox()
        self.choice.setAccessibleName("What becomes of puzzles that are there already")
        self.choice.setToolTip(
            "Replace: the puzzle in the set goes to its folder .workbench/removed; new pages alone leave its "
            "annotation as it is. Keep both: the new one gets a number."
        )
        for choice in DuplicateChoice:
            self.choice.addItem(choice.words, choice)
        self.choice.activated.connect(self._choose)
        self._lay_out()

    def show_selected(self, selected: Sequence[PlannedPuzzle]) -> None:
        """Shows the puzzles that are selected."""
        self._selected = selected
        single = selected[0].puzzle if len(selected) == 1 else None
        made = single if isinstance(single, PagePuzzle) else None
        duplicates = [entry for entry in selected if entry.duplicate is not None]
        self._form.setRowVisible(self.title, made is not None)
        self._form.setRowVisible(self._row, made is not None)
        self._form.setRowVisible(self.choice, bool(duplicates))
        if made is not None:
            self._show_made(made)
        if duplicates:
            several = f"{counted(len(duplicates), 'puzzle')} there already"
            self._there.setText(several if len(selected) > 1 else "There already")
            self.choice.setCurrentIndex(self.choice.findData(self._draft.choice_of(duplicates[0])))

    def _show_made(self, made: PagePuzzle) -> None:
        self.title.setText(made.title)
        self.pages.setVisible(made.pages.has_range)
        self.pages.setPlaceholderText(f"all {made.pages.total}")
        self.pages.setText(", ".join(map(str, made.pages.numbers)) if made.pages.numbers else "")
        solutions = self._draft.survey.solutions
        with QSignalBlocker(self.solution):
            self.solution.clear()
            self.solution.addItem(WITHOUT, None)
            for solution in solutions:
                self.solution.addItem(solution.files[0].shown, solution)
            at = [solution.files for solution in solutions].index(made.solution.files) if made.solution else -1
            self.solution.setCurrentIndex(1 + at)
        self.solution.setEnabled(bool(solutions))

    @property
    def _made(self) -> PagePuzzle | None:
        single = self._selected[0].puzzle if len(self._selected) == 1 else None
        return single if isinstance(single, PagePuzzle) else None

    def _rename(self) -> None:
        made = self._made
        title = self.title.text().strip()
        if made is not None and title and title != made.title:
            self._draft.rename(made, title)
            self.renamed.emit()

    def _take_pages(self) -> None:
        made = self._made
        if made is None or not made.pages.has_range:
            return
        try:
            self._draft.take_pages(made, self.pages.text())
        except RangeError as error:
            self.refused.emit(f"{made.source}: {error}.")
            return
        self.refused.emit("")
        self.changed.emit()

    def _pair(self) -> None:
        if self._made is not None:
            self._draft.pair(self._made, self.solution.currentData())
            self.changed.emit()

    def _choose(self) -> None:
        keys = [key_of(entry.puzzle) for entry in self._selected if entry.duplicate is not None]
        self._draft.choose(keys, DuplicateChoice(self.choice.currentData()))
        self.changed.emit()

    def _lay_out(self) -> None:
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.pages)
        row.addWidget(self.solution, 1)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(4 * SPACE)
        self._form.setVerticalSpacing(2 * SPACE)
        self._form.addRow("Title", self.title)
        self._form.addRow("Pages, solution", self._row)
        self._there = QLabel()
        self._there.setBuddy(self.choice)
        self._form.addRow(self._there, self.choice)
