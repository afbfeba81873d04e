"""Which step gets the sketch as its figure, and how far its drawing is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy

from spatial_workbench.app.puzzles.annotation.step_editing import Steps
from spatial_workbench.engine.core.words import abridged
from spatial_workbench.widgets.theme import SPACE

_MOST_LETTERS = 60


class FigureStrip(QFrame):
    """A line below the page that names the step to which *Save as figure* goes, and shows a drawing under way.

    Signals:
        cancelled(): the drawing is not wanted any more.
    """

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.target = QLabel()
        self.target.setObjectName("secondary")
        self.target.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.words = QLabel()
        self.words.setObjectName("secondary")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(30 * SPACE, 2 * SPACE)
        self.bar.setAccessibleName("Progress of the figure")
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Do not make this figure; the sketch stays")
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.target, 1)
        row.addWidget(self.words)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        # The page above keeps its size when the button comes and goes.
        self.setMinimumHeight(self.sizeHint().height())
        self.end()

    def show_target(self, steps: Steps, current: int) -> None:
        """Names the step that gets a figure now; a new one where there is none."""
        if not steps:
            self.target.setText("Save as figure: makes a first step")
            return
        shown = abridged(steps[current].explanation, _MOST_LETTERS)
        self.target.setText(f"Save as figure: step {current + 1}, {shown or 'which is empty'}")

    def begin(self) -> None:
        """Shows that a figure is being drawn."""
        self.words.setText("Drawing the figure…")
        self.bar.setRange(0, 0)
        self._show_work(True)

    def show_progress(self, done: float, total: float, text: str) -> None:
        """Shows how far the drawing is."""
        self.bar.setRange(0, int(total))
        self.bar.setValue(int(done))
        self.words.setText(f"{text.capitalize()}…")

    def end(self) -> None:
        """Shows no drawing any more."""
        self._show_work(False)

    def _show_work(self, is_running: bool) -> None:
        for part in (self.words, self.bar, self.cancel):
            part.setVisible(is_running)
