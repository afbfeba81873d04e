"""Three columns where two reviewers differ, and what is taken."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton

from spatial_workbench.app.puzzles.review.form_parts import ReviewForm, StepPart, plain_label, text_box, value_text
from spatial_workbench.app.puzzles.review.tag_choice import TagChoice
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.decisions import TAGS, PuzzleDecision
from spatial_workbench.engine.puzzles.annotation.differences import PuzzleDifference, differences, marked_words
from spatial_workbench.engine.puzzles.annotation.settling import (
    KNOWN_WORDS,
    SettledChoice,
    SettlingError,
    Taken,
    settled,
)
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class DisagreementForm(ReviewForm):
    """Three columns for each difference: the first reviewer, the original, the second; and what is taken.

    Signals:
        settled(tuple): the choice for each difference.
    """

    settled = Signal(tuple)

    def __init__(
        self,
        puzzle: Puzzle,
        first: tuple[str, PuzzleDecision],
        second: tuple[str, PuzzleDecision],
        note: str = "",
    ) -> None:
        """note: What settling means for the chosen person."""
        super().__init__(4 * SPACE)
        self._puzzle = puzzle
        self._decisions = first[1], second[1]
        found = differences(puzzle, first[1], second[1])
        self.parts = [DifferencePart(difference, (first[0], second[0])) for difference in found]
        self._place = -1
        self.next = QPushButton("Next difference")
        self.next.clicked.connect(self.go_to_next)
        self.settle = QPushButton("Settle")
        self.settle.setObjectName("primary")
        self.note = plain_label("")
        self.trouble = plain_label("")
        self.trouble.setObjectName("error")
        self.settle.clicked.connect(self._settle)
        head = QHBoxLayout()
        head.addWidget(QLabel(counted(len(found), "difference")))
        head.addStretch(1)
        head.addWidget(self.next)
        head.addWidget(self.settle)
        self.column.addLayout(head)
        self.column.addWidget(self.note)
        self.show_note(note)
        for part in self.parts:
            self.add_part(part)
        self.column.addWidget(self.trouble)
        self.column.addStretch(1)

    def show_note(self, note: str) -> None:
        """Says what settling means for the chosen person; what was chosen stays."""
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def go_to_next(self) -> None:
        """Goes to the next difference, after the last one to the first."""
        if self.parts:
            self._place = (self._place + 1) % len(self.parts)
            self.parts[self._place].taken.setFocus()

    def _settle(self) -> None:
        missing = next((part for part in self.parts if part.choice() is None), None)
        if missing is not None:
            self.trouble.setText(f"Choose what is taken for {missing.difference.place}.")
            missing.taken.setFocus()
            return
        choices = tuple(choice for part in self.parts if (choice := part.choice()) is not None)
        try:
            settled(self._puzzle, *self._decisions, choices)
        except SettlingError as error:
            self.trouble.setText(f"{error}.".replace("..", "."))
            return
        self.trouble.clear()
        self.settled.emit(choices)


class DifferencePart(StepPart):
    """A difference: three texts with their different words marked, and the choice."""

    def __init__(self, difference: PuzzleDifference, names: tuple[str, str]) -> None:
        super().__init__(difference.step)
        self.difference = difference
        self.shown: list[QLabel] = []
        self.taken = ChoiceBox()
        self.taken.setAccessibleName(f"The choice for {difference.place}")
        for taken, label in _choices(difference, names):
            self.taken.addItem(label, taken)
        self.taken.currentIndexChanged.connect(lambda _: self._show_decision())
        self.new = text_box(f"New text for {difference.place}")
        self.tags = _tag_choice(difference)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(4 * SPACE)
        layout.setVerticalSpacing(SPACE)
        layout.addWidget(QLabel(difference.place.capitalize()), 0, 0)
        layout.addWidget(self.taken, 0, 2)
        columns = (
            (f"A: {names[0]}", difference.notes[0], difference.first),
            ("Original", "", difference.original),
            (f"B: {names[1]}", difference.notes[1], difference.second),
        )
        for k, (name, note, text) in enumerate(columns):
            caption = plain_label(" · ".join(filter(None, (name, note))))
            caption.setObjectName("caption")
            layout.addWidget(caption, 1, k)
            is_gone = difference.is_about_steps and not text
            shown = plain_label(_GONE) if is_gone else marked_label(text, difference.original if k != 1 else text)
            if is_gone:
                shown.setObjectName("secondary")
            self.shown.append(shown)
            layout.addWidget(shown, 2, k, Qt.AlignmentFlag.AlignTop)
            layout.setColumnStretch(k, 1)
        layout.addWidget(self.tags or self.new, 3, 0, 1, 3)
        self.watch(self.taken, self.new, self.new.viewport(), *self.shown)
        self._show_decision()

    def choice(self) -> SettledChoice | None:
        """What is taken; None if nothing has been chosen."""
        taken = self.taken.currentData()
        if taken is None:
            return None
        text = self._new_text() if taken == Taken.NEW else ""
        return SettledChoice(place=self.difference.place, taken=Taken(taken), text=text)

    def _show_decision(self) -> None:
        is_new = self.taken.currentData() == Taken.NEW
        if is_new and not self.new.toPlainText():
            self.new.setPlainText(self.difference.first or self.difference.original)
        (self.tags or self.new).setVisible(is_new)

    def _new_text(self) -> str:
        return self.new.toPlainText().strip() if self.tags is None else value_text(self.tags.value())


_GONE = "(no step)"


def _tag_choice(difference: PuzzleDifference) -> TagChoice | None:
    """For difficulty and tags, the words to choose from."""
    if difference.place not in KNOWN_WORDS:
        return None
    words = tuple(word.strip() for word in difference.first.split(","))
    return TagChoice(difference.place, words if difference.place in TAGS else difference.first)


def _choices(difference: PuzzleDifference, names: tuple[str, str]) -> Iterator[tuple[str | None, str]]:
    """What can be taken, with its label; nothing is preset."""
    yield None, "Choose…"
    for taken, name, text in ((Taken.FIRST, names[0], difference.first), (Taken.SECOND, names[1], difference.second)):
        is_gone = difference.is_about_steps and not text
        yield taken.value, f"Take {taken.value} ({name}): no step" if is_gone else f"Take {taken.value} ({name})"
    yield Taken.ORIGINAL.value, "Take the original"
    yield Taken.NEW.value, "Other words" if difference.place in KNOWN_WORDS else "New text"
    if difference.is_about_steps:
        yield Taken.DELETE.value, "Delete the step"


def marked_label(text: str, other: str) -> QLabel:
    """A text whose words that differ from another are bold and underlined."""
    parts = (
        f"<b><u>{escape(piece)}</u></b>" if differs else escape(piece) for piece, differs in marked_words(text, other)
    )
    label = make_rich(QLabel())
    label.setText("".join(parts).replace("\n", "<br>"))
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
