"""Why two verdicts differ: what decides, and below it the checks, the figures, and the rule with the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QTabWidget, QVBoxLayout, QWidget

from spatial_workbench.app.attempts import explanations
from spatial_workbench.app.runs.differences.check_pairs import CheckPairs
from spatial_workbench.app.runs.differences.figure_pairs import FigurePairs
from spatial_workbench.app.runs.differences.why_view import WhyView
from spatial_workbench.engine.core.verdict import FULL_SCORE
from spatial_workbench.engine.evaluation.laboratory.explaining import DifferenceExplained, deciding_check
from spatial_workbench.engine.evaluation.laboratory.reasons import CheckReason
from spatial_workbench.engine.evaluation.rulings import RulingContrast
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs

DECIDING = "Looking for what decides…"


class ExplanationPanel(QWidget):
    """Explains a difference, also one of the score alone.

    Signals:
        elements_chosen(tuple): the elements that the chosen check concerns.
        message(str): a note for the status bar.
    """

    elements_chosen = Signal(tuple)
    message = Signal(str)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._address = ""
        self._contrast: RulingContrast | None = None
        self._asked = ""
        self.decides = QLabel()
        self.decides.setWordWrap(True)
        self.decides.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.known = QLabel()
        self.known.setObjectName("secondary")
        self.known.setWordWrap(True)
        self.known.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.checks = CheckPairs()
        self.checks.chosen.connect(self._choose_check)
        self.figures = FigurePairs()
        self.why = WhyView()
        self.why.message.connect(self.message)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for widget, text, tip in (
            (self.checks, "Checks", "Every check of both verdicts, those that differ first"),
            (self.figures, "Figures", "What both measured, the largest difference first"),
            (
                self.why,
                "Why?",
                "The rule of the chosen check, what both verifiers said of it, and the code",
            ),
        ):
            self.tabs.setTabToolTip(self.tabs.addTab(widget, text), tip)
        self._lay_out()

    def clear_panel(self) -> None:
        """Explains nothing."""
        self._contrast = None
        self.decides.clear()
        self.known.hide()
        self.checks.clear()
        self.figures.clear()
        self.why.clear_reason()

    def close_panel(self) -> None:
        """Takes no result any more."""
        self._contrast = None

    def show_contrast(self, address: str, contrast: RulingContrast) -> None:
        """Shows the checks of two verdicts on an answer to an instance; what decides follows."""
        self._address = address
        self._contrast = contrast
        self._asked = ""
        self.decides.setText(DECIDING)
        self.known.hide()
        self.figures.clear()
        self.why.clear_reason()
        self.checks.show_contrast(contrast)
        deciding = deciding_check(contrast.first, contrast.second)
        if deciding:
            self.checks.choose(deciding)
        else:
            self._ask_why(FULL_SCORE)

    def show_explained(self, explained: DifferenceExplained) -> None:
        """Shows what decides."""
        if self._contrast is None:
            return
        self.decides.setText(with_marks(explained.decides))
        sentences = [f"Known as “{known.id}”: {known.says}" for known in explained.known]
        self.known.setText(with_marks("\n".join(sentences)))
        self.known.setVisible(bool(sentences))
        self.figures.show_figures(explained.figures, self._contrast.first.verifier, self._contrast.second.verifier)
        self.tabs.setTabText(1, f"Figures ({sum(pair.differs for pair in explained.figures)} differ)")

    def _choose_check(self, name: str, elements: tuple[str, ...]) -> None:
        self.elements_chosen.emit(elements)
        self._ask_why(name)

    def _ask_why(self, check: str) -> None:
        if self._contrast is None or check == self._asked:
            return
        self._asked = check
        contrast = self._contrast
        arguments = (self._address, check, contrast.first, contrast.second)
        self._jobs.live.run(
            "Reading the rule",
            explanations.reason,
            *arguments,
            done=self._show_reason,
            failed=self._tell,
            quiet=True,
        )

    def _tell(self, text: str) -> None:
        if self._contrast is not None:
            self.message.emit(text)

    def _show_reason(self, reason: CheckReason) -> None:
        if self._contrast is not None and reason.check == self._asked:
            self.why.show_reason(reason)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        words.setSpacing(SPACE)
        words.addWidget(self.decides)
        words.addWidget(self.known)
        self.known.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(words)
        layout.addWidget(self.tabs, 1)
