"""Fields of a form: each is bound to a place in a document and shows what is wrong there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core.declared_fields import ROWS
from spatial_workbench.widgets.forms.places import Data
from spatial_workbench.widgets.number_box import PlainDoubleBox, inset
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.shown_text import replace_line, replace_text
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox, CountBox

HIGHEST = 2**31 - 1
DECIMALS = 3
QWIDGETSIZE_MAX = 2**24 - 1
"""The width of a widget that may be as wide as it likes, as Qt has it."""
SEVERAL = "In several languages; edit it as JSON."


class PlacedProblem(Protocol):
    """A problem of a document: its place, a sentence, and whether it is an error or a warning."""

    @property
    def place(self) -> str: ...

    @property
    def message(self) -> str: ...

    @property
    def is_error(self) -> bool: ...


@dataclass(frozen=True)
class FieldFault:
    """Text typed into a field that is not a valid value."""

    place: str
    message: str
    is_error: bool = True


class FormField(QWidget):
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
        self.problems: ProblemLines[PlacedProblem] = ProblemLines(self)
        self._title = QLabel(label, self)
        self._title.setBuddy(control)
        self._hint = QLabel(hint, self)
        self._hint.setObjectName("caption")
        self._hint.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for part in (self._title, control, self._hint, self.problems):
            column.addWidget(part)
        # A widget that is made visible before it stands in another one is a window of its own.
        self._title.setVisible(bool(label) and not isinstance(control, QCheckBox))
        self._hint.setVisible(bool(hint))

    def stand_in_row(self) -> QLabel | None:
        """Has the hint become a tooltip, and gives away the label to stand left of the field; a box has none."""
        about = self._hint.text()
        self._hint.hide()
        self.control.setMaximumWidth(QWIDGETSIZE_MAX)
        for part in (self.control, self._title):
            part.setToolTip(about)
        if isinstance(self.control, QCheckBox):
            return None
        layout = self.layout()
        assert layout is not None
        layout.removeWidget(self._title)
        self._title.show()
        return self._title

    @property
    def value(self) -> Any:
        """What the field holds, as the document has it.

        Raises:
            ValueError: It cannot be read.
        """
        raise NotImplementedError

    @property
    def typed(self) -> Any:
        """What the field holds, and where that cannot be read, what was typed."""
        return self.value

    def show_value(self, value: Any) -> None:
        """Shows a value without a signal."""
        raise NotImplementedError

    def set_read_only(self, is_fixed: bool) -> None:
        """Whether it can be changed."""
        self.control.setEnabled(not is_fixed)

    def show_problems(self, problems: Sequence[PlacedProblem]) -> None:
        """Shows what is wrong here."""
        self.problems.show_problems(problems)

    @property
    def told(self) -> Sequence[PlacedProblem]:
        """All that is wrong here."""
        return self.problems.problems

    @property
    def faults(self) -> Sequence[PlacedProblem]:
        """What was typed into parts of it and cannot be read; `value` has what stood there before."""
        return ()

    @property
    def step(self) -> str:
        """What was changed last, if it was typed: a further change of the same is part of one step of the history."""
        return self.path if isinstance(self.control, QLineEdit | QPlainTextEdit) else ""

    def offer(self, data: Data) -> None:
        """Keeps it in step with the rest of the document, `data`."""

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        """Shows and writes texts in one of the document's languages."""


class LineField(FormField):
    """A text on one line."""

    def __init__(self, path: str, label: str, hint: str = "", empty: str = "") -> None:
        self.line = QLineEdit(placeholderText=empty)
        super().__init__(path, label, self.line, hint)
        self.line.textEdited.connect(self.edited)

    @property
    def value(self) -> Any:
        return self.line.text().strip()

    def show_value(self, value: Any) -> None:
        if self.line.text().strip() != value:
            replace_line(self.line, str(value))

    def set_read_only(self, is_fixed: bool) -> None:
        self.line.setReadOnly(is_fixed)


class LinesField(FormField):
    """A list of texts, one per line; a text in several languages is shown, but cannot be changed."""

    def __init__(self, path: str, label: str, hint: str = "", rows: int = ROWS) -> None:
        self.text = long_edit(rows)
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
            replace_text(self.text, "\n".join(value) if is_plain else SEVERAL)

    def set_read_only(self, is_fixed: bool) -> None:
        self.text.setReadOnly(is_fixed or self._kept is not None)

    def _announce_lines(self) -> None:
        if self._kept is None:
            self.edited.emit()


class NumberField(FormField):
    """A number that is typed; an empty field is none."""

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
            return int(text) if self._whole else float(text.replace(",", "."))
        except ValueError:
            raise ValueError(f"“{text[:20]}” is not a {'whole number' if self._whole else 'number'}") from None

    @property
    def typed(self) -> Any:
        return self.line.text().strip().replace(",", ".") or None

    def show_value(self, value: Any) -> None:
        text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        try:
            is_same = self.value == value
        except ValueError:
            is_same = False
        if not is_same:
            replace_line(self.line, text)

    def set_read_only(self, is_fixed: bool) -> None:
        self.line.setReadOnly(is_fixed)


class CountField(FormField):
    """A whole number with arrows; where it may be left open, the value below the lowest is none."""

    def __init__(
        self, path: str, label: str, bounds: tuple[int, int], hint: str = "", unit: str = "", empty: str | None = None
    ) -> None:
        self.spin = inset(CountBox())
        low, high = bounds
        self._open = low - 1 if empty is not None else None
        self.spin.setRange(low if self._open is None else self._open, high)
        self.spin.setSpecialValueText(empty or "")
        self.spin.setSuffix(f" {unit}" if unit else "")
        self.spin.setGroupSeparatorShown(True)
        super().__init__(path, label, self.spin, hint)
        self.spin.valueChanged.connect(self.edited)

    @property
    def value(self) -> Any:
        number = self.spin.value()
        return None if number == self._open else number

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.spin):
            self.spin.setValue(self.spin.minimum() if value is None else round(value))


class AmountField(FormField):
    """A number with a unit and arrows."""

    def __init__(self, path: str, label: str, bounds: tuple[float, float], hint: str = "", unit: str = "") -> None:
        self.spin = inset(PlainDoubleBox())
        self.spin.setRange(*bounds)
        self.spin.setDecimals(DECIMALS)
        self.spin.setSuffix(f" {unit}")
        self.spin.setGroupSeparatorShown(True)
        super().__init__(path, label, self.spin, hint)
        self.spin.valueChanged.connect(self.edited)

    @property
    def value(self) -> Any:
        return self.spin.value()

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.spin):
            self.spin.setValue(value)


class ChoiceField(FormField):
    """One of several values, each with its words.

    default: shown where the document leaves the value out.
    """

    def __init__(
        self, path: str, label: str, options: Sequence[tuple[Any, str]], hint: str = "", default: Any = None
    ) -> None:
        self._default = default
        self.box = ChoiceBox()
        self.box.setMaximumWidth(320)
        for value, words in options:
            self.box.addItem(words, value)
        super().__init__(path, label, self.box, hint)
        self.box.activated.connect(lambda _: self.edited.emit())

    @property
    def value(self) -> Any:
        return self.box.currentData()

    def show_value(self, value: Any) -> None:
        value = self._default if value is None else value
        if value is not None and self.box.findData(value) < 0:
            self.box.addItem(str(value), value)
        self.box.setCurrentIndex(self.box.findData(value))

    def set_options(self, options: Sequence[tuple[Any, str]]) -> None:
        """Offers other values, each with its words; what was chosen stays chosen, even if it is none of them."""
        present = [(self.box.itemData(place), self.box.itemText(place)) for place in range(self.box.count())]
        if present == list(options):
            return
        chosen = self.value
        self.box.clear()
        for option, words in options:
            self.box.addItem(words, option)
        self.show_value(chosen)


class TickField(FormField):
    """A box to tick.

    default: shown where the document leaves the value out.
    """

    def __init__(self, path: str, label: str, hint: str = "", default: bool = False) -> None:
        self._default = default
        self.box = QCheckBox(label)
        super().__init__(path, label, self.box, hint)
        self.box.clicked.connect(lambda _: self.edited.emit())

    @property
    def value(self) -> Any:
        return self.box.isChecked()

    def show_value(self, value: Any) -> None:
        self.box.setChecked(self._default if value is None else bool(value))


def long_edit(rows: int) -> QPlainTextEdit:
    """A text of so many lines, which the tab key leaves."""
    text = QPlainTextEdit()
    text.setTabChangesFocus(True)
    text.setFixedHeight(rows * text.fontMetrics().lineSpacing() + 4 * SPACE)
    return text


def combo(name: str, options: Sequence[str]) -> QComboBox:
    """A list of words with a name for screen readers."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.addItems(list(options))
    return box
