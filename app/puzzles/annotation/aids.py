"""Decoding aids: what a text is in other codes, live, with a button that inserts the result into the step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.puzzles.annotation import decoding
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.number_box import BoundedIntBox, inset
from spatial_workbench.widgets.search_field import add_cross
from spatial_workbench.widgets.theme import SPACE

REST_MS = 200
MOST_WORDS = 12
Row = tuple[str, Callable[[str], str]]


def _counts(text: str) -> str:
    return " ".join(f"{letter}{count}" for letter, count in decoding.letter_counts(text).items())


def _numbers(text: str) -> str:
    return " ".join(map(str, decoding.numbers_of(text)))


def _from_numbers(text: str) -> str:
    return decoding.letters_of_numbers(decoding.numbers_in(text))


def _words(decode: Callable[[str], str]) -> Callable[[str], str]:
    """A decoder whose result is left out if it is meaningless."""
    return lambda text: result if (result := decode(text)).strip("? ") else ""


ROWS: tuple[Row, ...] = (
    ("Letters", _counts),
    ("A1Z26", _numbers),
    ("Numbers to letters", _from_numbers),
    ("Reversed", lambda text: text[::-1]),
    ("Index", _words(decoding.indexed)),
    ("From braille", _words(decoding.from_braille)),
    ("To braille", decoding.to_braille),
    ("From semaphore", _words(decoding.from_semaphore)),
    ("To semaphore", decoding.to_semaphore),
    ("From Morse", _words(decoding.from_morse)),
    ("To Morse", decoding.to_morse),
)


class AidsPanel(QScrollArea):
    """A text, and its conversions to other codes.

    Signals:
        inserted(str): insert this into the step.
        anagrams_wanted(str): look this up in the word list, then call `show_anagrams`.
    """

    inserted = Signal(str)
    anagrams_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.results: dict[str, QLabel] = {}
        self._buttons: dict[str, QPushButton] = {}
        self.text = QLineEdit()
        self.text.setPlaceholderText("Letters, numbers, dots; PLUM 2, PASTA 5 for an index")
        self.text.setAccessibleName("Text to decode")
        add_cross(self.text, "Clear the text")
        self.text.textChanged.connect(lambda _: self._update())
        self.other = QLineEdit()
        self.other.setPlaceholderText("Is it an anagram of …?")
        self.other.setAccessibleName("Text to compare with")
        self.other.textChanged.connect(lambda _: self._update())
        self.shift = inset(BoundedIntBox())
        self.shift.setRange(-25, 25)
        self.shift.setValue(13)
        self.shift.setPrefix("by ")
        self.shift.valueChanged.connect(lambda _: self._update())
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._ask_words)
        self._lay_out()
        self._update()

    def show_anagrams(self, text: str, words: Sequence[str]) -> None:
        """Shows the words that a text's letters make, unless the text has changed meanwhile."""
        if text == self.text.text():
            more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
            self._show_result("Anagrams", ", ".join(words[:MOST_WORDS]) + more)

    def _update(self) -> None:
        text = self.text.text()
        for name, decode in ROWS:
            self._show_result(name, decode(text))
        self._show_result("Shifted", decoding.shifted(text, self.shift.value()))
        self._show_result("Compared", _compared(text, self.other.text()))
        self._show_result("Anagrams", "")
        self._rest.start()

    def _ask_words(self) -> None:
        if len(decoding.letters_of(self.text.text())) > 1:
            self.anagrams_wanted.emit(self.text.text())

    def _show_result(self, name: str, result: str) -> None:
        self.results[name].setText(result or "–")
        self._buttons[name].setVisible(bool(result))

    def _lay_out(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        inputs = QHBoxLayout()
        inputs.setSpacing(2 * SPACE)
        inputs.addWidget(self.text, 3)
        inputs.addWidget(self.other, 2)
        column.addLayout(inputs)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setVerticalSpacing(SPACE)
        for i, name in enumerate((*(name for name, _ in ROWS), "Shifted", "Compared", "Anagrams")):
            self._add_row(grid, i, name)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        for title, signs in (("Braille", _braille_signs()), ("Semaphore, as seen", _semaphore_signs())):
            caption = QLabel(title)
            caption.setObjectName("caption")
            column.addWidget(caption)
            column.addWidget(self._table(signs))
        column.addStretch(1)
        self.setWidget(body)

    def _add_row(self, grid: QGridLayout, row: int, name: str) -> None:
        caption = QLabel(name)
        caption.setObjectName("secondary")
        self.results[name] = result = QLabel()
        result.setWordWrap(True)
        result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        result.setAccessibleName(name)
        self._buttons[name] = button = QPushButton("Insert")
        button.setObjectName("link")
        button.setAccessibleName(f"Insert {name}")
        button.clicked.connect(lambda: self.inserted.emit(result.text()))
        head: QWidget = caption
        if name == "Shifted":
            head = QWidget()
            line = QHBoxLayout(head)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(2 * SPACE)
            line.addWidget(caption)
            line.addWidget(self.shift)
        grid.addWidget(head, row, 0)
        grid.addWidget(result, row, 1)
        grid.addWidget(button, row, 2)

    def _table(self, signs: Sequence[tuple[str, str]]) -> QWidget:
        """A table of a code; a click on a sign adds its letter to the text."""
        body = QWidget()
        flow = FlowLayout(body)
        flow.setSpacing(SPACE)
        for letter, sign in signs:
            button = QToolButton()
            button.setText(f"{sign} {letter}")
            button.setToolTip(f"Add {letter}")
            button.clicked.connect(lambda _=False, letter=letter: self.text.setText(self.text.text() + letter))
            flow.addWidget(button)
        return body


def _compared(first: str, second: str) -> str:
    if not decoding.letters_of(first) or not decoding.letters_of(second):
        return ""
    more, less = decoding.anagram_difference(first, second)
    if not more and not less:
        return "the same letters"
    parts = [f"{more} too many" if more else "", f"{less} missing" if less else ""]
    return "; ".join(part for part in parts if part)


def _braille_signs() -> list[tuple[str, str]]:
    return [(letter, decoding.to_braille(letter)) for letter in decoding.BRAILLE]


def _semaphore_signs() -> list[tuple[str, str]]:
    return [(letter, decoding.to_semaphore(letter)) for letter in sorted(decoding.SEMAPHORE)]
