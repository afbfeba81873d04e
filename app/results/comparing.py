"""The dialog that compares two runs in pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.results.contents import ReportSection, ResultsChoice
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.tables.section_view import SectionView
from spatial_workbench.widgets.theme import SPACE

_SIZE_PX = (1000, 760)
_FEW = "There is only one run. Ask another model with Evaluate › New batch, or import answers, and compare then."
_NONE = "There are no runs yet. Ask models with Evaluate › New batch, or import answers."
_READING = "Comparing…"

Ask = Callable[[str, str], None]


class ComparisonDialog(QDialog):
    """Shows how two runs differ on the subtasks that both have a score for.

    runs: The names of the runs. ask: Called with two of them; the answer comes by `show_section` or `show_trouble`.

    Signals:
        pair_requested(int, int): two attempts at a subtask are to be shown side by side.
        attempt_requested(int): one attempt is to be shown.
        failed(str): a file could not be written.
    """

    pair_requested = Signal(int, int)
    attempt_requested = Signal(int)
    failed = Signal(str)

    def __init__(self, runs: Sequence[str], ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare two runs")
        self.setObjectName("page")
        self.resize(*_SIZE_PX)
        self._ask = ask
        self._view: SectionView | None = None
        self.first, self.second = (self._combo(runs, name) for name in ("First run", "Second run"))
        self.second.setCurrentIndex(1 if len(runs) > 1 else -1)
        swap = QToolButton()
        swap.setIcon(icon("compare", "secondary"))
        swap.setToolTip("Exchange the two runs")
        swap.setAccessibleName("Exchange the two runs")
        swap.clicked.connect(self._swap)
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.viewport().setObjectName("page")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for widget in (QLabel("Compare"), self.first, swap, QLabel("with"), self.second):
            row.addWidget(widget)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 0)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addWidget(self.area, 1)
        if len(runs) < 2:
            self.note.setText(_FEW if runs else _NONE)
            return
        for combo in (self.first, self.second):
            combo.currentIndexChanged.connect(lambda _: self._compare())
        self._compare()

    @property
    def runs(self) -> tuple[str, str]:
        """The two runs that are chosen."""
        return self.first.currentText(), self.second.currentText()

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

    def _combo(self, runs: Sequence[str], name: str) -> QComboBox:
        combo = QComboBox()
        combo.addItems(list(runs))
        combo.setAccessibleName(name)
        combo.setMinimumWidth(240)
        return combo

    def _swap(self) -> None:
        first, second = self.first.currentIndex(), self.second.currentIndex()
        self.first.blockSignals(True)
        self.first.setCurrentIndex(second)
        self.first.blockSignals(False)
        self.second.setCurrentIndex(first)

    def _compare(self) -> None:
        first, second = self.runs
        if first == second:
            self.show_trouble("Choose two different runs.")
            return
        self.show_trouble(_READING)
        self._ask(first, second)

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
    path: Path, first: str, second: str, choice: ResultsChoice, progress: Progress = silent
) -> ReportSection | str:
    """Two runs of a project compared, or a sentence why that is not possible; runs in a background process."""
    from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare
    from spatial_workbench.engine.evaluation.results.contents import comparison_section
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

    def open(self, path: Path, runs: Sequence[str], choice: ResultsChoice) -> ComparisonDialog:
        """Opens the dialog on the runs of a project."""

        def ask(first: str, second: str) -> None:
            self._run(
                "Comparing runs",
                read_comparison,
                path,
                first,
                second,
                choice,
                done=lambda answer: self._show((first, second), answer),
                failed=lambda text: self._show((first, second), f"The runs could not be compared. {text}"),
            )

        self.dialog = dialog = ComparisonDialog(runs, ask, self._page)
        dialog.finished.connect(self._forget)
        dialog.show()
        return dialog

    def _show(self, runs: tuple[str, str], answer: ReportSection | str) -> None:
        """Shows an answer, unless other runs were chosen meanwhile."""
        if self.dialog is None or self.dialog.runs != runs:
            return
        if isinstance(answer, str):
            self.dialog.show_trouble(answer)
        else:
            self.dialog.show_section(answer)

    def _forget(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
