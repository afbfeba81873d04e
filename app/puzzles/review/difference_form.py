"""Three columns where two reviewers differ, and what is taken."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton

from spatial_workbench.app.puzzles.review.form_parts import ReviewForm, StepPart, plain_label, text_box
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.differences import (
    PuzzleDifference,
    differences,
    marked_words,
    settled,
)
from spatial_workbench.engine.puzzles.annotation.review import PuzzleDecision
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE


class DisagreementForm(ReviewForm):
    """Three columns for each difference: the first reviewer, the original, the second; and what is taken.

    Signals:
        settled(Puzzle, tuple): the puzzle as it is to be, and the choice for each difference.
    """

    settled = Signal(object, object)

    def __init__(self, puzzle: Puzzle, first: tuple[str, PuzzleDecision], second: tuple[str, PuzzleDecision]) -> None:
        super().__init__(4 * SPACE)
        self._puzzle = puzzle
        self._first = first[1]
        found = differences(puzzle, first[1], second[1])
        self.parts = [DifferencePart(difference, (first[0], second[0])) for difference in found]
        self._place = -1
        self.next = QPushButton("Next difference")
        self.next.clicked.connect(self.go_to_next)
        self.settle = QPushButton("Settle")
        self.settle.setObjectName("primary")
        self.settle.clicked.connect(self._settle)
        head = QHBoxLayout()
        head.addWidget(QLabel(counted(len(found), "difference")))
        head.addStretch(1)
        head.addWidget(self.next)
        head.addWidget(self.settle)
        self.column.addLayout(head)
        for part in self.parts:
            self.add_part(part)
        self.column.addStretch(1)

    def go_to_next(self) -> None:
        """Goes to the next difference, after the last one to the first."""
        if self.parts:
            self._place = (self._place + 1) % len(self.parts)
            self.parts[self._place].taken.setFocus()

    def _settle(self) -> None:
        texts = {part.difference.place: part.text() for part in self.parts}
        puzzle = settled(self._puzzle, self._first, texts)
        choices = tuple(f"{part.difference.place}: {part.choice()}" for part in self.parts)
        self.settled.emit(puzzle, choices)


class DifferencePart(StepPart):
    """A difference: three texts with their different words marked, and the choice."""

    def __init__(self, difference: PuzzleDifference, names: tuple[str, str]) -> None:
        super().__init__(difference.step)
        self.difference = difference
        self._texts = {"A": difference.first, "original": difference.original, "B": difference.second}
        self.shown: list[QLabel] = []
        self.taken = QComboBox()
        self.taken.setAccessibleName(f"The choice for {difference.place}")
        self.taken.addItem(f"Take A ({names[0]})", "A")
        self.taken.addItem("Take the original", "original")
        self.taken.addItem(f"Take B ({names[1]})", "B")
        self.taken.addItem("New text", "new")
        self.taken.currentIndexChanged.connect(lambda _: self._show_decision())
        self.new = text_box(f"New text for {difference.place}")
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
            shown = _marked(text, difference.original if k != 1 else text)
            self.shown.append(shown)
            layout.addWidget(shown, 2, k, Qt.AlignmentFlag.AlignTop)
            layout.setColumnStretch(k, 1)
        layout.addWidget(self.new, 3, 0, 1, 3)
        self.watch(self.taken, self.new, self.new.viewport(), *self.shown)
        self._show_decision()

    def choice(self) -> str:
        """A, B, original, or the new text."""
        taken = str(self.taken.currentData())
        return self.text() if taken == "new" else taken

    def text(self) -> str:
        """The chosen text."""
        taken = str(self.taken.currentData())
        return self.new.toPlainText().strip() if taken == "new" else self._texts[taken]

    def _show_decision(self) -> None:
        is_new = self.taken.currentData() == "new"
        if is_new and not self.new.toPlainText():
            self.new.setPlainText(self.difference.first)
        self.new.setVisible(is_new)


def _marked(text: str, other: str) -> QLabel:
    """A text whose words that differ from another are bold and underlined."""
    parts = (
        f"<b><u>{escape(piece)}</u></b>" if differs else escape(piece) for piece, differs in marked_words(text, other)
    )
    label = make_rich(QLabel())
    label.setText("".join(parts))
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
