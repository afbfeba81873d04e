"""An annotation to be read, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout

from spatial_workbench.app.puzzles.review.form_parts import ReviewForm, StepPart, plain_label, value_text
from spatial_workbench.engine.puzzles.annotation.decisions import DECIDED_FIELDS
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.theme import SPACE


class ReadingForm(ReviewForm):
    """An annotation to be read by people who flag it, assign reviewers or audit it."""

    def __init__(self, puzzle: Puzzle, whose: Sequence[str] = ()) -> None:
        """whose: Whose words each step has, if that is known."""
        super().__init__(3 * SPACE)
        names = [*whose, *[""] * (len(puzzle.reasoning) - len(whose))]
        self.steps = [ReadStep(k, step.explanation, names[k - 1]) for k, step in enumerate(puzzle.reasoning, 1)]
        for step in self.steps:
            self.add_part(step)
        for name in DECIDED_FIELDS:
            self.column.addWidget(plain_label(f"{name.capitalize()}: {value_text(getattr(puzzle, name)) or '–'}"))
        self.column.addStretch(1)


class ReadStep(StepPart):
    """A step to be read; a click shows its figure."""

    def __init__(self, number: int, text: str, whose: str = "") -> None:
        super().__init__(number)
        self.text = plain_label(text)
        title = QLabel(" · ".join(filter(None, (f"Step {number}", whose))))
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setObjectName("caption")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(title)
        layout.addWidget(self.text)
