"""The buttons above the runs browser, and the same actions in the menu of its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from spatial_workbench.app.attempts.exporting import choose_export_file
from spatial_workbench.app.attempts.replays import REPLAY, can_replay, words_of_replay
from spatial_workbench.app.runs.model import RunsModel
from spatial_workbench.app.runs.row_actions import RowActions
from spatial_workbench.app.runs.sets_menu import SetsMenu
from spatial_workbench.app.runs.table import RunsTable
from spatial_workbench.app.runs.verifying import VerifyingAgain
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

PUZZLES = "puzzle_hunt"
"""The task whose steps can be judged."""
MOST_READ = 20
"""Of more selected attempts, the tasks are not looked at."""


class RunButtons(QWidget):
    """What can be done with the selected attempts, and with all in the list.

    Signals:
        label_wanted(), note_wanted(): add a label or a note to the selected attempts.
        override_wanted(): replace the score of the selected attempt.
        export_wanted(object, str, object): which attempts (ExportSelection), the format, the file.
        steps_wanted(object): let a model judge the steps of these attempts, a tuple of numbers.
        sets_wanted(object, object): compare these two sets of attempts (AttemptSet).
        agreement_wanted(tuple[int, ...]): say how far the verifiers of these attempts agree.
    """

    override_wanted = Signal()
    label_wanted = Signal()
    note_wanted = Signal()
    export_wanted = Signal(object, str, object)
    steps_wanted = Signal(object)
    sets_wanted = Signal(object, object)
    agreement_wanted = Signal(tuple)

    def __init__(
        self,
        runs: RunsModel,
        table: RunsTable,
        row_actions: RowActions,
        verifying: VerifyingAgain,
        words: Callable[[], str],
    ) -> None:
        """words: Returns the active filters in words."""
        super().__init__()
        self._runs = runs
        self._table = table
        self._row = FlowLayout(self, at_right=True)
        self._row.setSpacing(2 * SPACE)
        self._add_row_actions(row_actions)
        self._add_sets(words)
        self._add_remarks()
        self._add_verifying(verifying)
        self.override = self._add("Override score…", "", "Replace the verifier's score with yours, and give a reason")
        self.override.clicked.connect(self.override_wanted)
        self._add_export()
        self._fill_context_menu()

    def show_selection(self) -> None:
        """Offers what can be done with the attempts that are selected and listed now."""
        count = self._table.selected_count
        listed = len(self._runs.numbers)
        row = self._table.only_selected
        self.open.setEnabled(count == 1)
        self.replay.setEnabled(row is not None and can_replay(row))
        words, tip = REPLAY if row is None else words_of_replay(row)
        self.replay.setText(words)
        self.replay.setToolTip(tip)
        pair = self._table.read_rows(2) if count == 2 else []
        self.compare.setEnabled(len({row.address for row in pair}) == 1 and len(pair) == 2)
        self.override.setEnabled(count == 1)
        self.export.setEnabled(listed > 0)
        has_puzzles = any(row.task == PUZZLES for row in self._table.read_rows(MOST_READ))
        self.judge_steps.setEnabled(has_puzzles or count > MOST_READ)
        self.add_label.setEnabled(count > 0)
        self.add_note.setEnabled(count > 0)
        self.remarks.setEnabled(count > 0)
        for name, button in self._in_menu.items():
            name.setEnabled(button.isEnabled())
            name.setText(button.text())
        self.verify_menu.show_counts(count, listed)
        self.export_menu.show_counts(count, listed)
        self.sets_menu.show_counts(count, listed)

    def _add_row_actions(self, actions: RowActions) -> None:
        numbers = self._table.selected_numbers
        self.open = self._add("Open in editor", "pencil", "Put this attempt's answer into the editor (Enter)")
        self.open.clicked.connect(lambda: actions.open_in_editor(*numbers()))
        self.replay = self._add(REPLAY[0], "play", REPLAY[1])
        self.replay.clicked.connect(lambda: actions.replay(*numbers()))
        self.compare = self._add("Compare", "compare", "Two attempts at the same instance, beside each other")
        self.compare.clicked.connect(lambda: actions.compare(*numbers()))

    def _add_sets(self, words: Callable[[], str]) -> None:
        tip = "Compare two sets of attempts in pairs: set one aside, then list or select another; or their verifiers"
        self.compare_sets = self._add("Compare sets", "", tip)
        self.sets_menu = SetsMenu(self.compare_sets, self._table.selected_numbers, lambda: self._runs.numbers, words)
        self.sets_menu.chosen.connect(self.sets_wanted)
        self.sets_menu.agreement_wanted.connect(self.agreement_wanted)

    def _add_verifying(self, verifying: VerifyingAgain) -> None:
        self.verify = self._add("Verify again", "check", "Check attempts with the current verifiers")
        self.verify_menu = ScopeMenu(self.verify, "Verify {} again")
        self.verify_menu.selected.triggered.connect(lambda: verifying.verify_again(self._table.selected_numbers()))
        self.verify_menu.listed.triggered.connect(lambda: verifying.ask_to_verify(self._runs.numbers))
        verifying.running.connect(self.verify.setDisabled)

    def _add_export(self) -> None:
        self.export = self._add("Export", "save", "Write attempts to a file: JSON lines, an Inspect log, a table")
        self.export_menu = ScopeMenu(self.export, "Export {}…")
        self.export_menu.selected.triggered.connect(lambda: self._export(self._table.selected_numbers()))
        self.export_menu.listed.triggered.connect(lambda: self._export(self._runs.numbers))

    def _add_remarks(self) -> None:
        self.remarks = self._add("Label", "tag", "Labels and notes of your own on the selected attempts")
        menu = QMenu(self.remarks)
        self.add_label = menu.addAction("Add or remove a label…")
        self.add_label.triggered.connect(self.label_wanted)
        self.add_note = menu.addAction("Add a note…")
        self.add_note.triggered.connect(self.note_wanted)
        self.remarks.setMenu(menu)

    def _fill_context_menu(self) -> None:
        self._in_menu: dict[QAction, QPushButton] = {}
        for button in (self.open, self.replay, self.compare, self.override):
            action = QAction(button.text(), self._table)
            action.triggered.connect(button.click)
            self._table.addAction(action)
            self._in_menu[action] = button
        self._table.addAction(self.add_label)
        self._table.addAction(self.add_note)
        self.judge_steps = QAction("Judge steps…", self._table)
        self.judge_steps.setToolTip("Ask a model which annotated steps of puzzles the selected attempts met")
        self.judge_steps.triggered.connect(lambda: self.steps_wanted.emit(tuple(self._table.selected_numbers())))
        self._table.addAction(self.judge_steps)
        self._table.addAction(self.verify_menu.selected)
        self._table.addAction(self.export_menu.selected)

    def _export(self, numbers: Sequence[int]) -> None:
        """Asks for a file, and requests the export of these attempts."""
        from spatial_workbench.app.background.evaluations import ExportSelection

        chosen = choose_export_file(self, "attempts")
        if chosen is not None:
            self.export_wanted.emit(ExportSelection(attempts=tuple(numbers)), *chosen)

    def _add(self, text: str, icon_name: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        if icon_name:
            button.setIcon(icon(icon_name))
        button.setToolTip(tip)
        self._row.addWidget(button)
        return button


class ScopeMenu(QMenu):
    """The menu of a button that does something with the selected attempts, or with all in the list."""

    def __init__(self, button: QPushButton, words: str) -> None:
        """words: what is done, with {} for the attempts."""
        super().__init__(button)
        self._words = words
        self.selected = self.addAction(words.format("the selected attempt"))
        self.listed = self.addAction("")
        button.setMenu(self)

    def show_counts(self, selected: int, listed: int) -> None:
        """Says how many attempts each entry concerns; an entry without any is grey."""
        self.selected.setEnabled(selected > 0)
        some = f"the {selected:,} selected attempts" if selected > 1 else "the selected attempt"
        self.selected.setText(self._words.format(some))
        self.listed.setEnabled(listed > 0)
        every = f"all {listed:,} attempts in the list" if listed > 1 else "every attempt in the list"
        self.listed.setText(f"{self._words.format(every).rstrip('…')}…")
