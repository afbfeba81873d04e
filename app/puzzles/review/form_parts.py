"""Parts of the forms of a review: what is about a step, labels and fields."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from spatial_workbench.widgets.theme import SPACE

_TEXT_PX = 72


class ReviewForm(QWidget):
    """Parts below each other, some of them about a step.

    Signals:
        step_chosen(int): the person went to this step, from 1; 0: to a field of the puzzle.
    """

    step_chosen = Signal(int)

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(4 * SPACE, 0, 2 * SPACE, 0)
        self.column.setSpacing(spacing)

    def add_part(self, part: StepPart) -> None:
        """Adds what is about a step."""
        part.chosen.connect(self.step_chosen)
        self.column.addWidget(part)


class StepPart(QWidget):
    """A part of a form that is about a step, counted from 1; 0: about the puzzle.

    Signals:
        chosen(int): the person went to the part, by a click or by the keyboard.
    """

    chosen = Signal(int)

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def watch(self, *fields: QWidget) -> None:
        """Chooses the part whenever one of its fields is clicked or gets the focus."""
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress):
            self.chosen.emit(self.number)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self.number)
        super().mousePressEvent(event)


def text_box(name: str, text: str = "") -> QPlainTextEdit:
    """A field for some lines of text, read aloud by its name."""
    box = QPlainTextEdit(text)
    box.setAccessibleName(name)
    box.setFixedHeight(_TEXT_PX)
    box.setTabChangesFocus(True)
    box.setAcceptDrops(False)
    return box


def line_field(name: str, text: str) -> QLineEdit:
    """A field for a line of text, read aloud by its name."""
    line = QLineEdit(text)
    line.setAccessibleName(name.capitalize())
    return line


def plain_label(text: str) -> QLabel:
    """A text on as many lines as it needs, shown as it is."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def value_text(value: str | tuple[str, ...]) -> str:
    """A field of a puzzle in a line."""
    return value if isinstance(value, str) else ", ".join(value)
