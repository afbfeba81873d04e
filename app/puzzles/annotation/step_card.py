"""One step of an annotation: its action, its text and its figure, with a handle by which it is dragged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QKeyEvent, QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
)

from spatial_workbench.app.frame.undo import SharedHistory
from spatial_workbench.app.puzzles.annotation.step_editing import head_of, parts_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleAction, action_of
from spatial_workbench.engine.puzzles.puzzle import PuzzleStep
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding

_LETTER = re.compile(r"([psmce]):\s*", re.IGNORECASE)
_BY_KEY = {action.key: action for action in PuzzleAction}
_FIGURE_PX = QSize(72, 40)
_MENU = (
    ("New step after it\tCtrl+Enter", "new"),
    ("Split at the cursor\tCtrl+Shift+Enter", "split"),
    ("Merge with the next\tCtrl+J", "merge"),
    ("Move up\tAlt+Up", "up"),
    ("Move down\tAlt+Down", "down"),
    ("Choose figure…", "choose"),
    ("Remove figure", "detach"),
    ("Delete step", "delete"),
)


class StepText(QPlainTextEdit):
    """The text of a step, as high as it needs to be.

    Signals:
        asked(str): a key asked for "new", "split", "merge", "up" or "down".
        focused(): it has got the focus.
    """

    asked = Signal(str)
    focused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setPlaceholderText("The action, and its result")
        self.installEventFilter(SharedHistory(self))
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = _asked_by(event)
        if wanted:
            self.asked.emit(wanted)
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = max(2, round(self.document().size().height()))
        height = lines * self.fontMetrics().lineSpacing() + 5 * SPACE
        if height != self.height():
            self.setFixedHeight(height)


def _asked_by(event: QKeyEvent) -> str:
    key = event.key()
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    control = Qt.KeyboardModifier.ControlModifier
    alt = Qt.KeyboardModifier.AltModifier
    shift = Qt.KeyboardModifier.ShiftModifier
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return {control: "new", control | shift: "split"}.get(modifiers, "")
    if modifiers == alt:
        return {Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down"}.get(Qt.Key(key), "")
    return "merge" if key == Qt.Key.Key_J and modifiers == control else ""


class PuzzleHandle(QLabel):
    """The number of a step, by which it is dragged.

    Signals:
        dragged(int): the pointer is at this height on the screen.
        dropped(int): it was let go there.
    """

    dragged = Signal(int)
    dropped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panelTitle")
        self.setFixedWidth(28)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip("Drag to another place (Alt+Up, Alt+Down)")
        self._from: QPoint | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._from = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self.dragged.emit(round(event.globalPosition().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        start = self._from
        self._from = None
        end = event.globalPosition().toPoint()
        if start is not None:
            self.dropped.emit(end.y() if abs(end.y() - start.y()) > 2 * SPACE else -1)


class StepCard(QFrame):
    """One step.

    Signals:
        edited(str): the explanation was changed by the person.
        asked(str): something is to be done with the step; see `StepList`.
        focused(): the step is the current one.
    """

    edited = Signal(str)
    asked = Signal(str)
    focused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("step")
        self._head = ""
        self.number = PuzzleHandle()
        self.action = ChoiceBox()
        self.action.setAccessibleName("Action")
        self.action.addItem("Choose the action", None)
        for action in PuzzleAction:
            self.action.addItem(action.label, action)
            self.action.setItemData(
                self.action.count() - 1, f"{action.meaning} ({action.key}:)", Qt.ItemDataRole.ToolTipRole
            )
        self.action.activated.connect(self._choose_action)
        self.text = StepText()
        self.text.textChanged.connect(self._typed)
        self.text.asked.connect(self.asked)
        self.text.focused.connect(self.focused)
        self.words = QLabel()
        self.words.setObjectName("caption")
        self.words.setToolTip("The words of the step, those of its action among them, as the published figures count")
        self.figure = QPushButton("No figure")
        self.figure.setIconSize(_FIGURE_PX)
        self.figure.clicked.connect(lambda: self.asked.emit("figure"))
        self.more = QToolButton()
        self.more.setIcon(icon("more"))
        self.more.setAccessibleName("More about this step")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        for text, wanted in _MENU:
            self.menu.addAction(text).triggered.connect(lambda _=False, wanted=wanted: self.asked.emit(wanted))
        self.more.setMenu(self.menu)
        self.marks: ProblemLines[PuzzleFinding] = ProblemLines()
        for part in (self.action, self.figure, self.more):
            part.installEventFilter(self)
        self._lay_out()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.focused.emit()
        return super().eventFilter(watched, event)

    def show_current(self, is_current: bool) -> None:
        """Outlines the step, or does not."""
        if self.property("current") != is_current:
            self.setProperty("current", is_current)
            self.style().unpolish(self)
            self.style().polish(self)

    @property
    def explanation(self) -> str:
        """The explanation as it is shown."""
        return self._head + self.text.toPlainText()

    def show_step(self, number: int, step: PuzzleStep, thumbnail: QPixmap | None) -> None:
        """Shows a step; the cursor stays where it is if the text stays."""
        self.number.setText(str(number))
        self.text.setAccessibleName(f"Step {number}")
        if step.explanation != self.explanation:
            self._head, body = parts_of(step.explanation)
            self._set_text(body)
        self._show_action()
        self.figure.setText("" if thumbnail else step.figure or "No figure")
        self.figure.setIcon(QIcon(thumbnail) if thumbnail else QIcon())
        self.figure.setEnabled(step.figure is not None)
        self.figure.setToolTip(f"Open {step.figure}" if step.figure else "Draw on the page, then Save as figure")

    def set_read_only(self, value: bool) -> None:
        """Whether the step can be changed."""
        self.text.setReadOnly(value)
        self.action.setEnabled(not value)
        self.more.setVisible(not value)

    def _set_text(self, body: str) -> None:
        cursor = self.text.textCursor()
        place = cursor.position()
        self.text.blockSignals(True)
        self.text.setPlainText(body)
        self.text.blockSignals(False)
        cursor.setPosition(min(place, len(body)))
        self.text.setTextCursor(cursor)

    def _typed(self) -> None:
        body = self.text.toPlainText()
        if letter := _LETTER.match(body):
            self._head = head_of(_BY_KEY[letter[1].lower()])
            place = self.text.textCursor().position()
            self._set_text(body[letter.end() :])
            cursor = self.text.textCursor()
            cursor.setPosition(max(0, min(place - letter.end(), len(body) - letter.end())))
            self.text.setTextCursor(cursor)
        elif self._head and body.startswith(" "):
            # The blank that is typed after the colon stands there already.
            self._set_text(body.lstrip(" "))
        self._show_action()
        self.edited.emit(self.explanation)

    def _choose_action(self) -> None:
        chosen = self.action.currentData()
        self._head = head_of(PuzzleAction(chosen) if chosen else None)
        self._show_action()
        self.edited.emit(self.explanation)
        self.text.setFocus()

    def _show_action(self) -> None:
        action = action_of(self.explanation)
        self.action.setCurrentIndex(0 if action is None else 1 + list(PuzzleAction).index(action))
        self.words.setText(counted(len(self.explanation.split()), "word"))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2 * SPACE)
        top.addWidget(self.action)
        top.addStretch(1)
        top.addWidget(self.words)
        top.addWidget(self.figure)
        top.addWidget(self.more)
        column = QVBoxLayout()
        column.setSpacing(SPACE)
        column.addLayout(top)
        column.addWidget(self.text)
        column.addWidget(self.marks)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        row.setSpacing(SPACE)
        row.addWidget(self.number)
        row.addLayout(column, 1)
