"""One reviewer's decision: steps accepted, edited, rejected, moved or added, and the solution and the tags."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from spatial_workbench.app.puzzles.review.form_parts import ReviewForm, line_field, plain_label
from spatial_workbench.app.puzzles.review.step_form import AddedSteps, StepForm
from spatial_workbench.app.puzzles.review.tag_choice import TagChoice
from spatial_workbench.engine.puzzles.annotation.decisions import DECIDED_FIELDS, PuzzleDecision
from spatial_workbench.engine.puzzles.annotation.settling import KNOWN_WORDS, field_trouble
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE


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
        self.order = list(self.steps)
        """The forms of the steps as they are shown."""
        self.before = AddedSteps("before step 1")
        self.solution = line_field("solution", puzzle.solution)
        self.tags = {name: TagChoice(name, getattr(puzzle, name)) for name in KNOWN_WORDS}
        self.note = plain_label("")
        self.note.setObjectName("error")
        self.accept_rest = make_button(
            "Accept the rest", "", self._accept_rest, "Accept all steps on which nothing is decided"
        )
        self.finish = QPushButton("Finish review")
        self.finish.setObjectName("primary")
        self.finish.setToolTip("Your decision cannot be changed afterwards")
        self.finish.clicked.connect(self._finish)
        self._lay_out()

    def decision(self) -> PuzzleDecision:
        """The decision in the form; unchanged fields are left out."""
        values = {name: self._value(name) for name in DECIDED_FIELDS}
        changed = {name: value for name, value in values.items() if value != getattr(self._puzzle, name)}
        order = tuple(form.number for form in self.order)
        return PuzzleDecision.model_validate(
            {
                "steps": tuple(form.decision() for form in self.steps),
                "before": self.before.texts(),
                "order": None if self.order == self.steps else order,
                **changed,
            }
        )

    def move_step(self, form: StepForm, by: int) -> None:
        """Moves a step up or down; at an end, it stays."""
        place = self.order.index(form)
        target = place + by
        if not 0 <= target < len(self.order):
            return
        self.order.insert(target, self.order.pop(place))
        self._steps.removeWidget(form)
        self._steps.insertWidget(target, form)
        self._show_places()

    def _show_places(self) -> None:
        for place, form in enumerate(self.order, 1):
            form.show_place(place, len(self.order))

    def _accept_rest(self) -> None:
        for form in self.steps:
            form.accept_if_open()

    def _value(self, name: str) -> str | tuple[str, ...]:
        return self.tags[name].value() if name in self.tags else self.solution.text().strip()

    def _finish(self) -> None:
        troubles = (
            *(form.lacking for form in self.steps),
            *(field_trouble(name, self._value(name)) for name in DECIDED_FIELDS),
        )
        trouble = next(filter(None, troubles), "")
        self.note.setText(trouble)
        if not trouble:
            self.decided.emit(self.decision())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(make_button("Add first step", "", lambda: self.before.add(), "Add a step before step 1"))
        head.addStretch(1)
        head.addWidget(self.accept_rest)
        self.column.addLayout(head)
        self.column.addWidget(self.before)
        self._steps = QVBoxLayout()
        self._steps.setSpacing(3 * SPACE)
        self.column.addLayout(self._steps)
        for form in self.steps:
            form.chosen.connect(self.step_chosen)
            form.moved.connect(lambda by, form=form: self.move_step(form, by))
            self._steps.addWidget(form)
        self._show_places()
        for name in DECIDED_FIELDS:
            title = QLabel(name.capitalize())
            title.setObjectName("caption")
            self.column.addWidget(title)
            self.column.addWidget(self.tags.get(name, self.solution))
        self.column.addWidget(self.note)
        self.column.addWidget(self.finish)
        self.column.addStretch(1)
