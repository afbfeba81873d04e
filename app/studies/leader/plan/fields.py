"""Fields of a study's plan: each is bound to a place in the document and shows what is wrong there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.studies.planning.checking import StudyProblem
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.theme import SPACE

Data = dict[str, Any]
LINES_OF_TEXT = 3
SHORT_IN_A_ROW = 3
SEVERAL = "In several languages; edit it as JSON."
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class Field(QWidget):
    """A labelled control that is bound to a place in the document.

    Signals:
        edited(): the person changed it; `value` is what it holds now.
    """

    edited = Signal()

    def __init__(self, path: str, label: str, control: QWidget, hint: str = "") -> None:
        super().__init__()
        self.path = path
        self.control = control
        control.setAccessibleName(label or path)
        self.problems: ProblemLines[StudyProblem] = ProblemLines()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        if label and not isinstance(control, QCheckBox):
            title = QLabel(label)
            title.setBuddy(control)
            column.addWidget(title)
        column.addWidget(control)
        if hint:
            words = QLabel(hint)
            words.setObjectName("caption")
            words.setWordWrap(True)
            column.addWidget(words)
        column.addWidget(self.problems)

    @property
    def value(self) -> Any:
        """What the field holds, as the document has it.

        Raises:
            ValueError: It cannot be read.
        """
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Shows a value without a signal."""
        raise NotImplementedError

    def set_read_only(self, is_fixed: bool) -> None:
        """Whether it can be changed."""
        self.control.setEnabled(not is_fixed)

    def show_problems(self, problems: Sequence[StudyProblem]) -> None:
        """Shows what is wrong here."""
        self.problems.show_problems(problems)

    @property
    def told(self) -> Sequence[StudyProblem]:
        """All that is wrong here."""
        return self.problems.problems

    @property
    def faults(self) -> Sequence[StudyProblem]:
        """What was typed into parts of it and cannot be read; `value` has what stood there before."""
        return ()

    @property
    def step(self) -> str:
        """What was changed last, if it was typed: a further change of the same is part of one step of the history."""
        return self.path if isinstance(self.control, QLineEdit | QPlainTextEdit) else ""

    def offer(self, data: Data) -> None:
        """Keeps it in step with the rest of the document, `data`."""

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        """Has texts shown and written in one of the study's languages."""


class LineField(Field):
    """A text on one line."""

    def __init__(self, path: str, label: str, hint: str = "") -> None:
        self.line = QLineEdit()
        super().__init__(path, label, self.line, hint)
        self.line.textEdited.connect(self.edited)

    @property
    def value(self) -> Any:
        return self.line.text().strip()

    def show_value(self, value: Any) -> None:
        if self.line.text().strip() != value:
            self.line.setText(str(value))

    def set_read_only(self, is_fixed: bool) -> None:
        self.line.setReadOnly(is_fixed)


class KeyField(LineField):
    """A short name that stands for something in the data."""

    def __init__(self, path: str = "key", label: str = "Key") -> None:
        super().__init__(path, label, "Its name in the data")
        self.line.setMaximumWidth(220)

    @property
    def value(self) -> Any:
        text = self.line.text().strip()
        if not _KEY.fullmatch(text):
            raise ValueError("A key begins with a letter, and has up to 40 letters, digits, _ and -")
        return text

    def show_value(self, value: Any) -> None:
        if self.line.text().strip() != value:
            self.line.setText(str(value))


class TextField(Field):
    """A text on several lines, in one language at a time."""

    def __init__(self, path: str, label: str, hint: str = "", rows: int = LINES_OF_TEXT) -> None:
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(rows * self.text.fontMetrics().lineSpacing() + 4 * SPACE)
        self._stored: Any = ""
        self._language = ""
        self._languages: tuple[str, ...] = ("",)
        super().__init__(path, label, self.text, hint)
        self.text.textChanged.connect(self.edited)

    @property
    def value(self) -> Any:
        return with_text(self._stored, self.text.toPlainText(), self._language, self._languages)

    def show_value(self, value: Any) -> None:
        self._stored = value
        shown, elsewhere = text_in(value, self._language, self._languages)
        self.text.setPlaceholderText(elsewhere)
        if self.text.toPlainText() != shown:
            with QSignalBlocker(self.text):
                self.text.setPlainText(shown)

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        if (language, tuple(languages)) != (self._language, self._languages):
            self._language = language
            self._languages = tuple(languages)
            self.show_value(self._stored)

    def set_read_only(self, is_fixed: bool) -> None:
        self.text.setReadOnly(is_fixed)


def text_in(value: Any, language: str, languages: Sequence[str]) -> tuple[str, str]:
    """A text in a language; and, where there is none, what people who chose this language are shown instead."""
    if isinstance(value, Mapping):
        return str(value.get(language, "")), ""
    is_first = language == languages[0]
    return (str(value), "") if is_first else ("", str(value))


def with_text(value: Any, text: str, language: str, languages: Sequence[str]) -> Any:
    """A text with other words in one language. It stays one for all languages until it is written in a second one."""
    first = languages[0]
    if not isinstance(value, Mapping):
        if language == first or not text:
            return text if language == first else value
        return {first: str(value), language: text}
    texts = {**value, language: text}
    return {name: words for name, words in texts.items() if words or name == first}


class LinesField(Field):
    """A list of texts, one a line; one in several languages is shown and left alone."""

    def __init__(self, path: str, label: str, hint: str = "", rows: int = LINES_OF_TEXT) -> None:
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(rows * self.text.fontMetrics().lineSpacing() + 4 * SPACE)
        self._kept: Any = None
        super().__init__(path, label, self.text, hint)
        self.text.textChanged.connect(self._announce_lines)

    @property
    def value(self) -> Any:
        lines = [line.strip() for line in self.text.toPlainText().splitlines()]
        return [line for line in lines if line] if self._kept is None else self._kept

    def show_value(self, value: Any) -> None:
        is_plain = all(isinstance(entry, str) for entry in value)
        if is_plain and self._kept is None and self.value == list(value):
            return
        self._kept = None if is_plain else value
        self.text.setReadOnly(not is_plain)
        with QSignalBlocker(self.text):
            self.text.setPlainText("\n".join(value) if is_plain else SEVERAL)

    def set_read_only(self, is_fixed: bool) -> None:
        self.text.setReadOnly(is_fixed or self._kept is not None)

    def _announce_lines(self) -> None:
        if self._kept is None:
            self.edited.emit()


class NumberField(Field):
    """A number; an empty field is none."""

    def __init__(self, path: str, label: str, hint: str = "", whole: bool = True, empty: str = "") -> None:
        self.line = QLineEdit()
        self.line.setMaximumWidth(140)
        self.line.setPlaceholderText(empty)
        self._whole = whole
        super().__init__(path, label, self.line, hint)
        self.line.textEdited.connect(self.edited)

    @property
    def value(self) -> Any:
        text = self.line.text().strip()
        if not text:
            return None
        try:
            return int(text) if self._whole else float(text)
        except ValueError:
            raise ValueError(f"“{text[:20]}” is not a {'whole number' if self._whole else 'number'}") from None

    def show_value(self, value: Any) -> None:
        text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        try:
            is_same = self.value == value
        except ValueError:
            is_same = False
        if not is_same:
            self.line.setText(text)

    def set_read_only(self, is_fixed: bool) -> None:
        self.line.setReadOnly(is_fixed)


class ChoiceField(Field):
    """One of several words; `labels` are shown in place of the values."""

    def __init__(
        self, path: str, label: str, options: Sequence[str], hint: str = "", labels: Mapping[str, str] | None = None
    ) -> None:
        self.box = QComboBox()
        self.box.setMaximumWidth(320)
        for option in options:
            self.box.addItem((labels or {}).get(option, option), option)
        super().__init__(path, label, self.box, hint)
        self.box.activated.connect(lambda _: self.edited.emit())

    @property
    def value(self) -> Any:
        return self.box.currentData()

    def show_value(self, value: Any) -> None:
        if value is not None and self.box.findData(value) < 0:
            self.box.addItem(str(value), value)
        self.box.setCurrentIndex(self.box.findData(value))

    def set_options(self, options: Sequence[tuple[str, Any]]) -> None:
        """Offers other values, each with its words; what was chosen stays chosen, even if it is none of them."""
        present = [(self.box.itemText(place), self.box.itemData(place)) for place in range(self.box.count())]
        if present == list(options):
            return
        chosen = self.value
        self.box.clear()
        for words, option in options:
            self.box.addItem(words, option)
        self.show_value(chosen)


class TickField(Field):
    """A box to tick."""

    def __init__(self, path: str, label: str, hint: str = "") -> None:
        self.box = QCheckBox(label)
        super().__init__(path, label, self.box, hint)
        self.box.clicked.connect(lambda _: self.edited.emit())

    @property
    def value(self) -> Any:
        return self.box.isChecked()

    def show_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


def monospaced() -> Any:
    """The font for JSON."""
    from PySide6.QtGui import QFontDatabase

    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """The part of a document at a place such as "limits.item_s"."""
    part: Any = data
    for name in path.split("."):
        part = part[name]
    return part


def with_value(data: Mapping[str, Any], path: str, value: Any) -> Data:
    """The document with another part at a place."""
    name, _, rest = path.partition(".")
    return {**data, name: with_value(data[name], rest, value) if rest else value}


def covers(path: str, place: str) -> bool:
    """Whether a problem's place lies within a field's path."""
    return place == path or place.startswith((f"{path}.", f"{path}["))


def combo(name: str, options: Sequence[str]) -> QComboBox:
    """A list of words with a name for screen readers."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.addItems(list(options))
    return box


def add_fields(column: QVBoxLayout, fields: Sequence[Field]) -> None:
    """Adds long fields below each other, short ones beside each other."""
    short: list[Field] = []
    for field in (*fields, None):
        if isinstance(field, NumberField | ChoiceField):
            short.append(field)
            continue
        if short:
            column.addLayout(beside(short))
            short = []
        if field is not None:
            column.addWidget(field)


def beside(fields: Sequence[QWidget]) -> QGridLayout:
    """Short fields, three in a row."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(6 * SPACE)
    grid.setVerticalSpacing(3 * SPACE)
    for place, field in enumerate(fields):
        grid.addWidget(field, place // SHORT_IN_A_ROW, place % SHORT_IN_A_ROW, Qt.AlignmentFlag.AlignTop)
    for column in range(SHORT_IN_A_ROW):
        grid.setColumnStretch(column, 1)
    return grid
