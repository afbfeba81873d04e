"""The nine criteria as they are met so far: a lamp, a name and a sentence each; a click shows what is meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from engine.core import State
from engine.tasks.interlocking_parts.cage import CRITERIA
from widgets.icons import IconLabel
from widgets.theme import SPACE

ICONS = {State.PASSED: "passed", State.FAILED: "failed", State.NOT_REACHED: "not_reached"}
WORDS = {State.PASSED: "met", State.FAILED: "not met", State.NOT_REACHED: "open"}


class CriteriaList(QScrollArea):
    """A column with one line a criterion.

    Signals:
        chosen(int): a person clicked the line of that criterion, or pressed Return on it.
    """

    chosen = Signal(int)

    def __init__(self, asked: int | None) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Criteria")
        body = QWidget()
        body.setObjectName("panel")
        column = QVBoxLayout(body)
        column.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        column.setSpacing(SPACE)
        self.title = QLabel("Criteria")
        self.title.setObjectName("caption")
        column.addWidget(self.title)
        self.lines = [Lamp(number, asked == number) for number in range(len(CRITERIA))]
        for line in self.lines:
            line.clicked.connect(self.chosen)
            column.addWidget(line)
        column.addStretch(1)
        self.setWidget(body)

    def sizeHint(self) -> QSize:
        return QSize(300, 250)

    def show_details(self, details: Mapping[str, Any] | None, is_current: bool) -> None:
        """Shows what a verdict found so far; None: nothing is known. What is not current stays, greyed."""
        self.widget().setEnabled(is_current)
        if not is_current:
            return
        states = [State(word) for word in details["criteria"]] if details else [State.NOT_REACHED] * len(CRITERIA)
        messages = details["messages"] if details else [""] * len(CRITERIA)
        waiting = bool(details and details["waiting"])
        for line, state, message in zip(self.lines, states, messages, strict=True):
            shown = State.NOT_REACHED if waiting and state is State.PASSED else state
            line.show_state(shown, message)
        met = sum(state is State.PASSED for state in states) if details and not waiting else 0
        self.title.setText("Criteria" if not details else f"Criteria · {met} of {len(CRITERIA)} met so far")


class Lamp(QWidget):
    """A criterion: an icon, its name, and below it what is wrong."""

    clicked = Signal(int)

    def __init__(self, number: int, is_asked: bool) -> None:
        super().__init__()
        self._number = number
        self.state = State.NOT_REACHED
        self.icon, self.name, self.words = IconLabel(), QLabel(f"{number} · {CRITERIA[number]}"), QLabel()
        if is_asked:
            font = self.name.font()
            font.setBold(True)
            self.name.setFont(font)
        self.words.setObjectName("caption")
        self.words.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.name)
        column.addWidget(self.words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_state(State.NOT_REACHED, "")

    def show_state(self, state: State, message: str) -> None:
        """Shows whether the criterion is met, and why not."""
        self.state = state
        self.words.setText(message)
        self.words.setVisible(bool(message))
        self.setToolTip(message or f"{CRITERIA[self._number].capitalize()}: {WORDS[state]}")
        self.setAccessibleName(f"Criterion {self._number}, {CRITERIA[self._number]}: {WORDS[state]}. {message}".strip())
        self.icon.show_icon(ICONS[state])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit(self._number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self._number)
        else:
            super().keyPressEvent(event)
