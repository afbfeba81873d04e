"""Two independent annotations side by side, with their steps aligned, and what becomes of them in the third."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton

from spatial_workbench.app.frame.undo import SharedHistory, StateChange
from spatial_workbench.app.puzzles.review.difference_form import marked_label
from spatial_workbench.app.puzzles.review.form_parts import ReviewForm, StepPart, plain_label, text_box, value_text
from spatial_workbench.app.puzzles.review.tag_choice import TagChoice
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.adjudicating import (
    AdjudicationError,
    PairTaken,
    ThirdStep,
    says_the_same,
    taken_steps,
    third_annotation,
)
from spatial_workbench.engine.puzzles.annotation.decisions import DECIDED_FIELDS, TAGS
from spatial_workbench.engine.puzzles.annotation.double import StepPair, aligned_steps
from spatial_workbench.engine.puzzles.annotation.settling import KNOWN_WORDS
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_NO_STEP = "(no such step)"
Named = tuple[str, Puzzle]
"""An annotator and what they wrote."""


@dataclass(frozen=True)
class RowChoice:
    """What is taken for a row, and the new words."""

    taken: PairTaken | None = None
    text: str = ""


@dataclass(frozen=True)
class RowChoices:
    """All choices of a form, by the place of each row."""

    rows: dict[str, RowChoice] = field(default_factory=dict)


class AdjudicationForm(ReviewForm):
    """The steps of two annotations in rows, and the fields about which they differ; nothing is preset but what agrees.

    Signals:
        made(tuple, dict): the steps of the third annotation, and its solution, difficulty and tags.
    """

    made = Signal(tuple, dict)

    def __init__(self, first: Named, second: Named, undo_stack: QUndoStack | None) -> None:
        """undo_stack: The history into which choices go; None: the two are only compared."""
        super().__init__(4 * SPACE)
        self._first, self._second = first[1], second[1]
        self._undo_stack = undo_stack
        is_read = undo_stack is None
        names = first[0], second[0]
        pairs = aligned_steps(self._first, self._second)
        self.rows = [PairPart(pair, first, second, is_read) for pair in pairs]
        differing = [name for name in DECIDED_FIELDS if getattr(self._first, name) != getattr(self._second, name)]
        self.fields = [
            FieldPart(name, names, (getattr(self._first, name), getattr(self._second, name)), is_read)
            for name in differing
        ]
        self.parts: list[PairPart | FieldPart] = [*self.rows, *self.fields]
        self._state = self._shown_state()
        self.make = QPushButton("Make the third annotation")
        self.make.setObjectName("primary")
        self.make.setToolTip("It is written into the puzzle's folder, and goes to review in your name")
        self.make.clicked.connect(self._make)
        self.trouble = plain_label("")
        self.trouble.setObjectName("error")
        self._lay_out(names)
        for part in self.parts:
            part.edited.connect(self._note_change)
            self.add_part(part)
        self.column.addWidget(self.trouble)
        self.column.addStretch(1)

    def show_state(self, state: RowChoices) -> None:
        """Shows a state of the choices; for steps of the history."""
        self._state = state
        for part in self.parts:
            part.show_choice(state.rows[part.place])

    def steps(self) -> tuple[ThirdStep, ...]:
        """The steps of the third annotation.

        Raises:
            AdjudicationError: Nothing is chosen for a row, or its new text is empty.
        """
        return tuple(step for row in self.rows for step in row.steps())

    def values(self) -> dict[str, Any]:
        """The solution, the difficulty and the tags. Raises AdjudicationError."""
        own = {name: getattr(self._first, name) for name in DECIDED_FIELDS}
        return own | {part.name: part.value() for part in self.fields}

    def _make(self) -> None:
        try:
            steps, values = self.steps(), self.values()
            third_annotation(self._first, self._second, steps, values)
        except AdjudicationError as error:
            self.trouble.setText(f"{error}.".replace("..", "."))
            open_part = next((part for part in self.parts if part.is_open), None)
            if open_part is not None:
                open_part.taken.setFocus()
            return
        self.trouble.clear()
        self.made.emit(steps, values)

    def _shown_state(self) -> RowChoices:
        return RowChoices({part.place: part.choice() for part in self.parts})

    def _note_change(self, place: str, is_text: bool) -> None:
        before = self._state
        self._state = replace(before, rows=self._shown_state().rows)
        if self._undo_stack is not None and self._state != before:
            label = f"{'text' if is_text else 'choice'} for {place}"
            self._undo_stack.push(
                StateChange(self.show_state, label, before, self._state, place if is_text else "", is_shown=True)
            )

    def _lay_out(self, names: tuple[str, str]) -> None:
        alike = sum(row.is_same for row in self.rows)
        partners = sum(row.pair.first is not None and row.pair.second is not None for row in self.rows)
        head = QHBoxLayout()
        about = plain_label(
            f"A: {names[0]}, {counted(len(self._first.reasoning), 'step')}. "
            f"B: {names[1]}, {counted(len(self._second.reasoning), 'step')}. "
            f"{counted(partners, 'step')} with a partner, {alike} in the same words."
        )
        head.addWidget(about, 1)
        if self._undo_stack is not None:
            head.addWidget(self.make)
        self.column.addLayout(head)


class AdjudicatedPart(StepPart):
    """A row with a column for each annotator, and a choice unless it is only read.

    Signals:
        edited(str, bool): another choice was made for this place; whether a text was typed.
    """

    edited = Signal(str, bool)

    def __init__(self, number: int, place: str, title: str, is_read: bool) -> None:
        super().__init__(number)
        self.place = place
        self.taken = ChoiceBox()
        self.taken.setAccessibleName(f"The choice for {place}")
        self.taken.currentIndexChanged.connect(lambda _: self._choose())
        self.new = text_box(f"New text for {place}")
        self.new.setUndoRedoEnabled(False)
        self.new.installEventFilter(SharedHistory(self.new))
        self.new.textChanged.connect(lambda: self.edited.emit(self.place, True))
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(4 * SPACE)
        self.grid.setVerticalSpacing(SPACE)
        name = QLabel(title)
        name.setObjectName("caption")
        self.grid.addWidget(name, 0, 0)
        self.grid.setColumnStretch(0, 1)
        self.grid.setColumnStretch(1, 1)
        if not is_read:
            self.grid.addWidget(self.taken, 0, 1, Qt.AlignmentFlag.AlignRight)
        self._is_read = is_read

    @property
    def is_open(self) -> bool:
        """Whether nothing has been chosen yet."""
        return self.taken.currentData() is None

    def choice(self) -> RowChoice:
        """What is chosen."""
        taken = self.taken.currentData()
        return RowChoice(None if taken is None else PairTaken(taken), self._text())

    def show_choice(self, choice: RowChoice) -> None:
        """Shows a choice that was made before."""
        with QSignalBlocker(self.taken), QSignalBlocker(self.new):
            self.taken.setCurrentIndex(self.taken.findData(None if choice.taken is None else choice.taken.value))
            if self._text() != choice.text:
                self._set_text(choice.text)
        self._show_new()

    def _choose(self) -> None:
        self._begin_text()
        self._show_new()
        self.edited.emit(self.place, False)

    def _text(self) -> str:
        return self.new.toPlainText()

    def _set_text(self, text: str) -> None:
        self.new.setPlainText(text)

    def _begin_text(self) -> None:
        """Fills in what new words may begin with."""

    def _show_new(self) -> None:
        self.new.setVisible(not self._is_read and self.taken.currentData() == PairTaken.NEW)

    def _add_choices(self, choices: Iterator[tuple[str | None, str]]) -> None:
        with QSignalBlocker(self.taken):
            for value, label in choices:
                self.taken.addItem(label, value)


class PairPart(AdjudicatedPart):
    """Two steps that say the same, or one without a partner."""

    def __init__(self, pair: StepPair, first: Named, second: Named, is_read: bool) -> None:
        shown = pair.first or pair.second or 0
        super().__init__(shown, _place_of(pair), _title_of(pair), is_read)
        self.pair = pair
        self._first, self._second = first[1], second[1]
        self.is_same = says_the_same(pair, self._first, self._second)
        self._add_choices(_step_choices(pair, (first[0], second[0]), self.is_same))
        ours, theirs = (
            _step_text(number, puzzle) for number, puzzle in ((pair.first, first[1]), (pair.second, second[1]))
        )
        for column, (text, other) in enumerate(((ours, theirs), (theirs, ours))):
            label = marked_label(text, other or text) if text else plain_label(_NO_STEP)
            if not text:
                label.setObjectName("secondary")
            self.grid.addWidget(label, 1, column, Qt.AlignmentFlag.AlignTop)
            self.watch(label)
        self._start = ours or theirs
        self.grid.addWidget(self.new, 2, 0, 1, 2)
        self.watch(self.taken, self.new, self.new.viewport())
        self._show_new()

    def steps(self) -> tuple[ThirdStep, ...]:
        """The steps that follow from the choice. Raises AdjudicationError."""
        choice = self.choice()
        if choice.taken is None:
            raise AdjudicationError(f"Choose what is taken for {self.place}")
        try:
            return taken_steps(self.pair, self._first, self._second, choice.taken, choice.text)
        except AdjudicationError as error:
            raise AdjudicationError(f"{error}: {self.place}") from None

    def _begin_text(self) -> None:
        if self.taken.currentData() == PairTaken.NEW and not self._text():
            with QSignalBlocker(self.new):
                self._set_text(self._start)


class FieldPart(AdjudicatedPart):
    """A field in which the two differ."""

    def __init__(self, name: str, names: tuple[str, str], values: tuple[Any, Any], is_read: bool) -> None:
        super().__init__(0, name, name.capitalize(), is_read)
        self.name = name
        self._values = values
        self.tags = TagChoice(name, values[0]) if name in KNOWN_WORDS else None
        self._add_choices(
            iter(
                (
                    (None, "Choose…"),
                    (PairTaken.FIRST.value, f"Take A ({names[0]})"),
                    (PairTaken.SECOND.value, f"Take B ({names[1]})"),
                    (PairTaken.NEW.value, "Other words"),
                )
            )
        )
        for column, value in enumerate(values):
            label = marked_label(value_text(value), value_text(values[1 - column]))
            self.grid.addWidget(label, 1, column, Qt.AlignmentFlag.AlignTop)
        self.grid.addWidget(self.tags or self.new, 2, 0, 1, 2)
        if self.tags is not None:
            self.tags.changed.connect(lambda: self.edited.emit(self.place, True))
        self.watch(self.taken)
        self._show_new()

    def value(self) -> Any:
        """The chosen value. Raises AdjudicationError."""
        taken = self.taken.currentData()
        if taken is None:
            raise AdjudicationError(f"Choose what is taken for {self.place}")
        if taken != PairTaken.NEW:
            return self._values[0 if taken == PairTaken.FIRST else 1]
        return self.new.toPlainText().strip() if self.tags is None else self.tags.value()

    def _text(self) -> str:
        return self.new.toPlainText() if self.tags is None else value_text(self.tags.value())

    def _set_text(self, text: str) -> None:
        if self.tags is None:
            self.new.setPlainText(text)
        else:
            with QSignalBlocker(self.tags):
                self.tags.choose([word.strip() for word in text.split(",")] if self.name in TAGS else [text])

    def _begin_text(self) -> None:
        if self.tags is None and self.taken.currentData() == PairTaken.NEW and not self._text():
            with QSignalBlocker(self.new):
                self._set_text(str(self._values[0]))

    def _show_new(self) -> None:
        is_new = not self._is_read and self.taken.currentData() == PairTaken.NEW
        (self.tags or self.new).setVisible(is_new)


def _step_text(number: int | None, puzzle: Puzzle) -> str:
    return "" if number is None else puzzle.reasoning[number - 1].explanation


def _place_of(pair: StepPair) -> str:
    places = [f"step {k} of {who}" for who, k in (("A", pair.first), ("B", pair.second)) if k is not None]
    return " and ".join(places)


def _title_of(pair: StepPair) -> str:
    if pair.first is None or pair.second is None:
        return f"{_place_of(pair).capitalize()}, without a partner".replace(" of b", " of B").replace(" of a", " of A")
    return f"A {pair.first} = B {pair.second} · {round(100 * pair.similarity)} % alike"


def _step_choices(pair: StepPair, names: tuple[str, str], is_same: bool) -> Iterator[tuple[str | None, str]]:
    """What can be taken, with its label; only what both wrote in the same words is preset."""
    if is_same:
        yield PairTaken.BOTH.value, "Same words"
    else:
        yield None, "Choose…"
        if pair.first is not None:
            yield PairTaken.FIRST.value, f"Take A ({names[0]})"
        if pair.second is not None:
            yield PairTaken.SECOND.value, f"Take B ({names[1]})"
        if pair.first is not None and pair.second is not None:
            yield PairTaken.BOTH.value, "Take both, A first"
    yield PairTaken.NEW.value, "New text"
    yield PairTaken.NEITHER.value, "Leave out"
