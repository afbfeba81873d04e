"""The solver's own steps, one a line with its number beside it, and the answer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QResizeEvent, QTextBlock
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.shown_text import replace_line, replace_text
from spatial_workbench.widgets.theme import SPACE

_GUTTER_PX = 30


class StepsField(QPlainTextEdit):
    """Text whose lines are numbered steps; empty lines have no number."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Your steps"))
        self.setPlaceholderText(tr("What you did and what it yields, one step a line"))
        self.setToolTip(
            tr("What you did and what it yields, one step a line. Steps are optional and are not judged here.")
        )
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(_GUTTER_PX, 0, 0, 0)
        self._gutter = _Gutter(self)
        self.updateRequest.connect(lambda *_: self._gutter.update())

    @property
    def steps(self) -> list[str]:
        """The lines that are not empty."""
        return [line.strip() for line in self.toPlainText().splitlines() if line.strip()]

    @property
    def step_in_hand(self) -> int:
        """The line that the cursor is in."""
        return self.textCursor().blockNumber()

    def event(self, event: QEvent) -> bool:
        if _is_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), _GUTTER_PX, area.height()))

    def paint_numbers(self, painter: QPainter) -> None:
        """Paints the number of each step beside its first line."""
        painter.setPen(appearance().theme.color("secondary"))
        block = self.document().firstBlock()
        number = 0
        while block.isValid():
            if block.text().strip():
                number += 1
                self._paint_number(painter, block, number)
            block = block.next()

    def _paint_number(self, painter: QPainter, block: QTextBlock, number: int) -> None:
        place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        if place.bottom() >= 0 and place.top() <= self._gutter.height():
            height = self.fontMetrics().height()
            area = QRect(0, round(place.top()), _GUTTER_PX - 2 * SPACE, height)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))


class _Gutter(QWidget):
    def __init__(self, field: StepsField) -> None:
        super().__init__(field)
        self._field = field

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), appearance().theme.color("field"))
        self._field.paint_numbers(painter)


class AnswerField(QLineEdit):
    """A line for the answer; undo and redo are the window's."""

    def event(self, event: QEvent) -> bool:
        if _is_undo(event):
            event.ignore()
            return False
        return super().event(event)


class AnswerPane(QWidget):
    """Steps and answer.

    has_submit: whether there is a button to submit; Enter in the line submits in either case.

    Signals:
        steps_written(list, int): the person changed the steps; all of them, and the line that the cursor is in.
        answer_written(str): the person changed the answer.
        submitted(): the person submits the answer.
    """

    steps_written = Signal(list, int)
    answer_written = Signal(str)
    submitted = Signal()

    def __init__(self, has_submit: bool = True) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.steps = StepsField()
        self.answer = AnswerField()
        self.answer.setAccessibleName(tr("Answer"))
        self.answer.setPlaceholderText(tr("A word or a phrase"))
        self.answer.setMaxLength(1000)
        self.submit = QPushButton(tr("Submit"))
        self.submit.setObjectName("primary")
        self.submit.setToolTip(tr("Decide whether this is the answer (Enter in the line, or F9)"))
        self.steps.textChanged.connect(self._announce_steps)
        self.answer.textEdited.connect(self.answer_written)
        self.answer.returnPressed.connect(self.submit.click)
        self.submit.clicked.connect(self.submitted)
        if not has_submit:
            self.submit.hide()
        self._lay_out()

    def show_text(self, steps: list[str], answer: str) -> None:
        """Shows steps and answer, unless they are there already, since that would move the cursor."""
        if steps != self.steps.steps:
            with QSignalBlocker(self.steps):
                replace_text(self.steps, "\n".join(steps))
        if answer != " ".join(self.answer.text().split()):
            replace_line(self.answer, answer)
        self.submit.setEnabled(bool(answer))

    def sizeHint(self) -> QSize:
        return QSize(300, 220)

    def _announce_steps(self) -> None:
        self.steps_written.emit(self.steps.steps, self.steps.step_in_hand)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(SPACE)
        column.addWidget(_caption("Your steps (optional)", self.steps))
        column.addWidget(self.steps, 1)
        column.addSpacing(SPACE)
        column.addWidget(_caption("Answer", self.answer))
        line = QHBoxLayout()
        line.setSpacing(2 * SPACE)
        line.addWidget(self.answer, 1)
        line.addWidget(self.submit)
        column.addLayout(line)


def _caption(text: str, field: QWidget) -> QLabel:
    label = QLabel(said(text))
    label.setObjectName("caption")
    label.setBuddy(field)
    return label


def _is_undo(event: QEvent) -> bool:
    """Whether an event asks a field to undo or redo."""
    from PySide6.QtGui import QKeyEvent

    if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
