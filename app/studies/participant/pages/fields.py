"""Fields for questions: about the person, about an item, about the load."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.studies.participant.texts import announce, words
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.planning.document import Covariate
from spatial_workbench.engine.studies.sessions.replies import MOST_TEXT_CHARS
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import takes_wheel

TARGET_PX = 24
"""The least height of what can be clicked."""


def as_target(button: QAbstractButton) -> None:
    """Makes a box or a circle large enough to be hit, and shows with a frame that the keyboard is at it."""
    button.setObjectName("choice")
    button.setMinimumHeight(scaled(TARGET_PX))


class Question(QWidget):
    """A question with its field, and room for what is wrong with the reply."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__()
        self.ask = words(text, "sectionTitle")
        self.hint = words(hint, "secondary")
        if not hint:
            self.hint.hide()
        self.fault = words("", "error")
        self.fault.hide()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 2 * SPACE)
        self.column.setSpacing(2 * SPACE)
        self.column.addWidget(self.ask)
        self.column.addWidget(self.hint)

    def finish(self, first: QWidget) -> None:
        """Ends the question; `first` is what has the keyboard first."""
        self.first = first
        self.setFocusProxy(first)
        self.column.addWidget(self.fault)

    def show_fault(self, text: str) -> None:
        """Shows the fault of the reply; an empty text if there is none."""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))
        if text:
            announce(self, f"{self.ask.text()}: {text}")

    def drop_fault(self, *_: object) -> None:
        """Clears the fault, since the reply changed; its room stays, so that the questions below keep their place."""
        self.fault.setText("")


class CovariateField(Question):
    """A question about the person, which they may refuse to answer.

    options: what they read of its options, by what is stored of them.
    """

    def __init__(self, question: Covariate, text: str, options: Mapping[str, str]) -> None:
        super().__init__(text, _hint(question))
        self._options = options
        self.key = question.key
        self._value: Callable[[], Any]
        self._controls = QWidget()
        layout = QVBoxLayout(self._controls)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        first = self._make(question, layout, text)
        self.refuses = QCheckBox(tr("Prefer not to say"))
        self.refuses.setAccessibleName(tr("{question}: prefer not to say", question=text))
        as_target(self.refuses)
        self.refuses.toggled.connect(self._controls.setDisabled)
        self.refuses.toggled.connect(self.drop_fault)
        self.column.addWidget(self._controls)
        self.column.addWidget(self.refuses)
        self.finish(first)

    @property
    def reply(self) -> dict[str, Any]:
        """The reply by the question's key; nothing if there is none."""
        if self.refuses.isChecked():
            return {self.key: None}
        value = self._value()
        return {} if value in ("", [], None) else {self.key: value}

    def _make(self, question: Covariate, layout: QVBoxLayout, text: str) -> QWidget:
        if question.type == "integer":
            field = QLineEdit()
            field.setMaximumWidth(scaled(160))
            field.setAccessibleName(text)
            field.setMinimumHeight(scaled(30))
            layout.addWidget(field)
            field.textEdited.connect(self.drop_fault)
            self._value = field.text
            return field
        if question.type == "text":
            area = FreeText(text)
            layout.addWidget(area)
            area.textChanged.connect(self.drop_fault)
            self._value = area.toPlainText
            return area
        if question.type == "multi":
            boxes = {value: QCheckBox(words) for value, words in self._options.items()}
            for box in boxes.values():
                as_target(box)
                box.toggled.connect(self.drop_fault)
                layout.addWidget(box)
            self._value = lambda: [value for value, box in boxes.items() if box.isChecked()]
            return next(iter(boxes.values()))
        if question.type == "scale":
            low, high = question.range or (1, 5)
            scale = NumberRow(text, range(low, high + 1))
            layout.addWidget(scale)
            scale.chosen.connect(self.drop_fault)
            self._value = lambda: scale.value
            return scale
        choice = OptionsChoice(text, self._options)
        layout.addWidget(choice)
        choice.chosen.connect(self.drop_fault)
        self._value = lambda: choice.value
        return choice


def _hint(question: Covariate) -> str:
    if question.type == "integer" and question.range is not None:
        low, high = question.range
        return tr("A whole number from {low} to {high}.", low=low, high=high)
    return tr("Choose all that apply.") if question.type == "multi" else ""


class OptionsChoice(QWidget):
    """Options of which one can be chosen.

    options: the words of each by its value.

    Signals:
        chosen(str): an option was chosen; its value.
    """

    chosen = Signal(str)

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        self.values = tuple(options)
        self.buttons = [QRadioButton(words) for words in options.values()]
        for value, button in zip(self.values, self.buttons, strict=True):
            button.setAccessibleName(f"{name}: {button.text()}")
            as_target(button)
            button.clicked.connect(lambda _=False, value=value: self.chosen.emit(value))
            column.addWidget(button)
        if self.buttons:
            self.setFocusProxy(self.buttons[0])

    @property
    def value(self) -> str | None:
        """The value of the chosen option."""
        chosen = zip(self.values, self.buttons, strict=True)
        return next((value for value, button in chosen if button.isChecked()), None)

    def choose(self, option: str) -> None:
        """Shows the option with this value as chosen."""
        for value, button in zip(self.values, self.buttons, strict=True):
            button.setChecked(value == option)


class NumberRow(QWidget):
    """Numbers in a row of which one can be chosen, with words at the ends.

    Signals:
        chosen(int): a number was chosen.
    """

    chosen = Signal(int)

    def __init__(self, name: str, numbers: Sequence[int], low: str = "", high: str = "") -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4 * SPACE)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)
        if low:
            row.addWidget(words(low, "secondary", wraps=False))
        for number in numbers:
            button = QRadioButton(str(number))
            button.setAccessibleName(f"{name}: {number}")
            as_target(button)
            self._group.addButton(button, number)
            row.addWidget(button)
        if high:
            row.addWidget(words(high, "secondary", wraps=False))
        row.addStretch(1)
        self.setFocusProxy(self._group.buttons()[0])

    @property
    def value(self) -> int | None:
        """The chosen number."""
        return None if self._group.checkedButton() is None else self._group.checkedId()


class FreeText(QPlainTextEdit):
    """A field for a few sentences."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setFixedHeight(scaled(110))
        self.textChanged.connect(self._cut)

    def _cut(self) -> None:
        text = self.toPlainText()
        if len(text) > MOST_TEXT_CHARS:
            self.setPlainText(text[:MOST_TEXT_CHARS])
            self.moveCursor(self.textCursor().MoveOperation.End)


class ParticipantSlider(QSlider):
    """A slider that has no value until it is touched, so that nothing is suggested.

    Signals:
        touched(int): the value after the first touch, and after every change.
        digit_typed(str): a digit, for whoever shows the value as a number.
    """

    touched = Signal(int)
    digit_typed = Signal(str)

    def __init__(self, name: str, step: int = 1) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, 100)
        self.setSingleStep(step)
        self.setPageStep(10)
        self.setValue(50)
        self.setMinimumHeight(scaled(TARGET_PX))
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._step = step
        self.is_touched = False
        self._show_touched()
        self.valueChanged.connect(lambda value: self.touch(value))

    def touch(self, value: int) -> None:
        """Takes a value."""
        value = round(value / self._step) * self._step
        if not self.is_touched:
            self.is_touched = True
            self._show_touched()
        if value != self.value():
            self.setValue(value)
            return
        self.touched.emit(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if takes_wheel(self, event):
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        room = max(1, self.width() - handle.width())
        place = round(event.position().x()) - handle.width() // 2
        self.touch(QStyle.sliderValueFromPosition(0, 100, place, room))
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text().isdecimal() and event.text().isascii():
            self.digit_typed.emit(event.text())
            return
        super().keyPressEvent(event)
        if not self.is_touched and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.touch(self.value())

    def _show_touched(self) -> None:
        self.setProperty("touched", self.is_touched)
        self.style().polish(self)


class Rating(Question):
    """A value from 0 to 100, by a slider or as a number."""

    def __init__(self, text: str, low: str, high: str, step: int = 1, hint: str = "") -> None:
        super().__init__(text, hint)
        self.slider = ParticipantSlider(text, step)
        self.number = QLineEdit()
        self.number.setValidator(QIntValidator(0, 100, self))
        self.number.setPlaceholderText("–")
        self.number.setFixedWidth(scaled(64))
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setAccessibleName(tr("{question} as a number", question=text))
        self.slider.touched.connect(lambda value: self.number.setText(str(value)))
        self.slider.touched.connect(self.drop_fault)
        self.slider.digit_typed.connect(self._begin_number)
        self.number.textEdited.connect(self._typed)
        self.number.editingFinished.connect(self._leave)
        ends = QHBoxLayout()
        ends.addWidget(words(low, "secondary", wraps=False))
        ends.addStretch(1)
        ends.addWidget(words(high, "secondary", wraps=False))
        row = QHBoxLayout()
        row.setSpacing(3 * SPACE)
        row.addWidget(self.slider, 1)
        row.addWidget(self.number)
        self.column.addLayout(row)
        self.column.addLayout(ends)
        ends.setContentsMargins(0, 0, scaled(64) + 3 * SPACE, 0)
        self.finish(self.slider)

    @property
    def value(self) -> int | None:
        """The value; None before it was touched."""
        return self.slider.value() if self.slider.is_touched else None

    def _begin_number(self, digit: str) -> None:
        self.number.setFocus()
        self.number.clear()
        self.number.insert(digit)
        self._typed(digit)

    def _typed(self, text: str) -> None:
        if text:
            self.slider.blockSignals(True)
            self.slider.touch(int(text))
            self.slider.blockSignals(False)
            self.drop_fault()

    def _leave(self) -> None:
        if self.slider.is_touched:
            self.number.setText(str(self.slider.value()))
