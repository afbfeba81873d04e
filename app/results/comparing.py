"""The dialog that compares two sets of attempts in pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.comparing.sets import AttemptSet, UnknownSet, set_of_run, written_set
from spatial_workbench.engine.evaluation.results.contents import ReportSection, ResultsChoice
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.tables.section_view import SectionView
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

Verifiers = Sequence[tuple[str, str, int]]
"""Names and versions of verifiers, and how many attempts each has judged."""
Ask = Callable[[AttemptSet, AttemptSet], None]

_SIZE_PX = (1000, 760)
_SET_PX, _JUDGE_PX = 380, 240
_NONE = "There are no runs yet. Ask models with Evaluate › New batch, or import answers."
_FEW = (
    "There is only one run. Choose two verifiers to compare its scores under both, or type which attempts to compare, "
    "such as batch=3; or ask another model with Evaluate › New batch."
)
_READING = "Comparing…"
_SAME = "Choose two different sets: other attempts, or another verifier."
_HOW_TO_TYPE = (
    "A run, or fields that select attempts: batch=3 task=shikaku,maze_3d tools=yes attempts=1-40. In the runs browser, "
    "Compare sets takes those that are listed or selected."
)


class SetChoice:
    """The two boxes that choose a set of attempts and its verifier.

    sets: What is offered; others can be typed. changed: Called when another set is chosen.
    """

    def __init__(
        self, name: str, sets: Sequence[AttemptSet], verifiers: Verifiers, changed: Callable[[], None]
    ) -> None:
        self._offered = {one.title: one for one in sets}
        self.sets = ChoiceBox()
        self.sets.setEditable(True)
        self.sets.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.sets.addItems(list(self._offered))
        self.sets.setAccessibleName(name)
        self.sets.setToolTip(_HOW_TO_TYPE)
        self.sets.setMinimumWidth(_SET_PX)
        self.judges = ChoiceBox()
        self.judges.setAccessibleName(f"Verifier of the {name.lower()}")
        self.judges.setToolTip("Whose scores count: those of Results, or those that a verifier stored")
        self.judges.setMinimumWidth(_JUDGE_PX)
        self.judges.addItem("as in Results", "")
        for verifier, version, count in verifiers:
            self.judges.addItem(f"by {verifier} {version} · {count:,}", f"{verifier}@{version}")
        field = self.sets.lineEdit()
        assert field is not None
        field.setPlaceholderText("a run, or batch=3 task=shikaku")
        field.editingFinished.connect(changed)
        self.sets.activated.connect(lambda _: changed())
        self.judges.currentIndexChanged.connect(lambda _: changed())

    @property
    def chosen(self) -> AttemptSet:
        """The set that is chosen or typed.

        Raises:
            UnknownSet: What is typed is no set.
        """
        text = self.sets.currentText().strip()
        found = self._offered.get(text) or written_set(text)
        judge = str(self.judges.currentData())
        return found.judged_by(judge) if judge else found

    @property
    def state(self) -> tuple[str, int]:
        """What is in the boxes."""
        return self.sets.currentText(), self.judges.currentIndex()

    def choose(self, text: str, judge: int = 0) -> None:
        """Fills both boxes, and tells nobody."""
        for box in (self.sets, self.judges):
            box.blockSignals(True)
        self.sets.setCurrentText(text)
        self.judges.setCurrentIndex(judge)
        for box in (self.sets, self.judges):
            box.blockSignals(False)


class ComparisonDialog(QDialog):
    """Shows how two sets of attempts differ on the subtasks that both have a score for.

    sets: What is offered, the first two of which are compared at first. verifiers: Those that have stored verdicts.
    ask: Called with two sets; the answer comes by `show_section` or `show_trouble`.

    Signals:
        pair_requested(int, int): two attempts at a subtask are to be shown side by side.
        attempt_requested(int): one attempt is to be shown.
        failed(str): a file could not be written.
    """

    pair_requested = Signal(int, int)
    attempt_requested = Signal(int)
    failed = Signal(str)

    def __init__(
        self, sets: Sequence[AttemptSet], verifiers: Verifiers, ask: Ask, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare two sets of attempts")
        self.setObjectName("page")
        self.resize(*_SIZE_PX)
        self._ask = ask
        self._view: SectionView | None = None
        self._asked: tuple[AttemptSet, AttemptSet] | None = None
        self.first = SetChoice("First set", sets, verifiers, self._compare)
        self.second = SetChoice("Second set", sets, verifiers, self._compare)
        self.second.choose(sets[1].title if len(sets) > 1 else sets[0].title if sets else "")
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.viewport().setObjectName("page")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 0)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(self._make_choices())
        layout.addWidget(self.note)
        layout.addWidget(self.area, 1)
        if len(sets) < 2:
            self.note.setText(_FEW if sets else _NONE)
        else:
            self._compare()

    @property
    def asked(self) -> tuple[AttemptSet, AttemptSet] | None:
        """The two sets that are compared; None: there is nothing to compare."""
        return self._asked

    def show_section(self, section: ReportSection) -> None:
        """Shows a comparison."""
        self._drop_view()
        self.note.hide()
        self._view = view = SectionView(section)
        view.failed.connect(self.failed)
        view.attempts_chosen.connect(self._open)
        self.area.setWidget(view)

    def show_trouble(self, text: str) -> None:
        """Says why there is nothing to compare."""
        self._drop_view()
        self.note.setText(text)
        self.note.show()

    def done(self, result: int) -> None:
        self._drop_view()
        super().done(result)

    def _make_choices(self) -> QGridLayout:
        swap = QToolButton()
        swap.setIcon(icon("compare", "secondary"))
        swap.setToolTip("Exchange the two sets")
        swap.setAccessibleName("Exchange the two sets")
        swap.clicked.connect(self._swap)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(2 * SPACE)
        for row, (word, side) in enumerate((("Compare", self.first), ("with", self.second))):
            for column, widget in enumerate((QLabel(word), side.sets, QLabel("judged"), side.judges)):
                grid.addWidget(widget, row, column)
        grid.addWidget(swap, 0, 4, 2, 1)
        grid.setColumnStretch(5, 1)
        return grid

    def _swap(self) -> None:
        first, second = self.first.state, self.second.state
        self.first.choose(*second)
        self.second.choose(*first)
        self._compare()

    def _compare(self) -> None:
        try:
            sets = self.first.chosen, self.second.chosen
        except UnknownSet as error:
            self._asked = None
            self.show_trouble(str(error))
            return
        if sets == self._asked:
            return
        if sets[0].has_the_attempts_of(sets[1]) and sets[0].judge == sets[1].judge:
            self._asked = None
            self.show_trouble(_SAME)
            return
        self._asked = sets
        self.show_trouble(_READING)
        self._ask(*sets)

    def _open(self, attempts: tuple[int, ...]) -> None:
        if len(attempts) > 1:
            self.pair_requested.emit(*attempts[:2])
        else:
            self.attempt_requested.emit(attempts[0])

    def _drop_view(self) -> None:
        if self._view is not None:
            self._view.close_view()
            self.area.takeWidget()
            self._view.deleteLater()
            self._view = None


def read_comparison(
    path: Path, first: AttemptSet, second: AttemptSet, choice: ResultsChoice, progress: Progress = silent
) -> ReportSection | str:
    """Two sets of attempts compared, or a sentence why that is not possible; runs in a background process."""
    from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare
    from spatial_workbench.engine.evaluation.results.comparisons import comparison_section
    from spatial_workbench.engine.store import Project

    try:
        with Project.open(path) as project:
            return comparison_section(project, first, second, choice, progress)
    except NothingToCompare as error:
        return str(error)


class RunComparing:
    """Opens the dialog, and has it filled in the background.

    run: Runs a function in the background; it takes what `Lane.run` takes.
    """

    def __init__(self, page: QWidget, run: Callable[..., Any]) -> None:
        self._page = page
        self._run = run
        self.dialog: ComparisonDialog | None = None

    def open(
        self,
        path: Path,
        runs: Sequence[str],
        choice: ResultsChoice,
        verifiers: Verifiers = (),
        sets: Sequence[AttemptSet] = (),
    ) -> ComparisonDialog:
        """Opens the dialog on the runs of a project, and on other sets, which come first."""

        def ask(first: AttemptSet, second: AttemptSet) -> None:
            self._run(
                "Comparing attempts",
                read_comparison,
                path,
                first,
                second,
                choice,
                done=lambda answer: self._show((first, second), answer),
                failed=lambda text: self._show((first, second), f"The attempts could not be compared. {text}"),
            )

        if self.dialog is not None:
            self.dialog.close()
        offered = (*sets, *map(set_of_run, runs))
        self.dialog = dialog = ComparisonDialog(offered, verifiers, ask, self._page)
        dialog.finished.connect(self._forget)
        dialog.show()
        return dialog

    def _show(self, sets: tuple[AttemptSet, AttemptSet], answer: ReportSection | str) -> None:
        """Shows an answer, unless other sets were chosen meanwhile."""
        if self.dialog is None or self.dialog.asked != sets:
            return
        if isinstance(answer, str):
            self.dialog.show_trouble(answer)
        else:
            self.dialog.show_section(answer)

    def _forget(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
