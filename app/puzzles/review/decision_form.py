"""One reviewer's decision: each step accepted, edited or rejected, and the solution and the tags."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from spatial_workbench.app.puzzles.review.form_parts import (
    ReviewForm,
    StepPart,
    line_field,
    plain_label,
    text_box,
    value_text,
)
from spatial_workbench.engine.puzzles.annotation.decisions import (
    DECIDED_FIELDS,
    JudgedAnnotation,
    PuzzleDecision,
    StepDecision,
)
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.theme import SPACE

_LABELS = {JudgedAnnotation.ACCEPT: "Accept", JudgedAnnotation.CHANGE: "Edit", JudgedAnnotation.REJECT: "Reject"}
_KNOWN: dict[str, tuple[str, ...]] = {"difficulty": (*PuzzleDifficulty,), "modality": (*Modality,), "skills": (*Skill,)}
"""The words that a field may hold."""


class DecisionForm(ReviewForm):
    """A reviewer's own copy of the steps, the solution and the tags.

    Signals:
        decided(PuzzleDecision): the person has decided.
    """

    decided = Signal(object)

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(3 * SPACE)
        self._puzzle = puzzle
        self.steps = [StepForm(k, step.explanation) for k, step in enumerate(puzzle.reasoning, 1)]
        self.fields = {name: line_field(name, value_text(getattr(puzzle, name))) for name in DECIDED_FIELDS}
        self.note = plain_label("")
        self.note.setObjectName("error")
        self.finish = QPushButton("Finish review")
        self.finish.setObjectName("primary")
        self.finish.setToolTip("Your decision cannot be changed afterwards")
        self.finish.clicked.connect(self._finish)
        for form in self.steps:
            self.add_part(form)
        for name, field in self.fields.items():
            self.column.addWidget(QLabel(name.capitalize()))
            self.column.addWidget(field)
        self.column.addWidget(self.note)
        self.column.addWidget(self.finish)
        self.column.addStretch(1)

    def decision(self) -> PuzzleDecision:
        """The decision in the form; unchanged fields are left out."""
        values = {name: self._value(name) for name in DECIDED_FIELDS}
        changed = {name: value for name, value in values.items() if value != getattr(self._puzzle, name)}
        return PuzzleDecision.model_validate({"steps": tuple(form.decision() for form in self.steps), **changed})

    def _value(self, name: str) -> str | tuple[str, ...]:
        text = self.fields[name].text().strip()
        is_list = isinstance(getattr(self._puzzle, name), tuple)
        return tuple(part.strip() for part in text.split(",") if part.strip()) if is_list else text

    def _wrong_field(self) -> str:
        """What is wrong with the solution or the tags, in a sentence."""
        if not self.fields["solution"].text().strip():
            return "The solution is empty."
        for name, known in _KNOWN.items():
            given = self._value(name)
            words = (given,) if isinstance(given, str) else given
            wrong = next((word for word in words if word not in known), None)
            if wrong is not None or not words:
                return f"{name.capitalize()}: “{wrong or ''}” is not one of {', '.join(known)}."
        return ""

    def _finish(self) -> None:
        lacking = next((form.lacking for form in self.steps if form.lacking), "") or self._wrong_field()
        self.note.setText(lacking)
        if not lacking:
            self.decided.emit(self.decision())


class StepForm(StepPart):
    """A step: accept it, edit it, or reject it with a reason."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(number)
        self._original = text
        self.judged = QComboBox()
        self.judged.setAccessibleName(f"Decision on step {number}")
        for judged, label in _LABELS.items():
            self.judged.addItem(label, judged.value)
        self.judged.currentIndexChanged.connect(lambda _: self._show_decision())
        self.text = text_box(f"Text of step {number}", text)
        self.reason = line_field(f"Reason for step {number}", "")
        self.reason.setPlaceholderText("Reason")
        head = QHBoxLayout()
        head.addWidget(QLabel(f"Step {number}"))
        head.addStretch(1)
        head.addWidget(self.judged)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addWidget(self.text)
        layout.addWidget(self.reason)
        self.watch(self.judged, self.text, self.text.viewport(), self.reason)
        self._show_decision()

    @property
    def lacking(self) -> str:
        """The missing part of the decision, in a sentence."""
        judged = self.decision().judged
        text = self.text.toPlainText().strip()
        if judged is JudgedAnnotation.REJECT and not self.reason.text().strip():
            return f"Say why step {self.number} is rejected."
        if judged is JudgedAnnotation.CHANGE and (not text or text == self._original):
            return f"Step {self.number} is to be edited, but its text is empty or unchanged."
        return ""

    def decision(self) -> StepDecision:
        """The decision on the step."""
        judged = JudgedAnnotation(self.judged.currentData())
        text = self.text.toPlainText().strip() if judged is JudgedAnnotation.CHANGE else ""
        return StepDecision(judged=judged, text=text, reason=self.reason.text().strip())

    def _show_decision(self) -> None:
        judged = JudgedAnnotation(self.judged.currentData())
        self.text.setReadOnly(judged is not JudgedAnnotation.CHANGE)
        self.reason.setVisible(judged is not JudgedAnnotation.ACCEPT)
