"""The steps of an annotation as a list of cards: action, text, figure, word count; moved, split and merged."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.undo import SharedHistory
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleAction, action_of
from spatial_workbench.engine.puzzles.puzzle import PuzzleStep
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding

Steps = tuple[PuzzleStep, ...]
_LETTER = re.compile(r"([psmce]):\s*", re.IGNORECASE)
_BY_KEY = {action.key: action for action in PuzzleAction}
_FIGURE_PX = QSize(72, 40)
NO_STEPS = (
    "No steps yet",
    "A step is one action with its result. Type p:, s:, m:, c: or e: at its start to choose the action; "
    "Ctrl+Enter makes the next step.",
)


def parts_of(explanation: str) -> tuple[str, str]:
    """The action with its colon as it is written, and the rest of an explanation."""
    head, colon, _ = explanation.partition(":")
    if not colon or action_of(f"{head}:") is None:
        return "", explanation
    rest = explanation[len(head) + 1 :]
    blanks = len(rest) - len(rest.lstrip(" "))
    return explanation[: len(head) + 1 + blanks], rest[blanks:]


def head_of(action: PuzzleAction | None) -> str:
    """How an explanation with that action begins."""
    return f"{action.label}: " if action is not None else ""


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
        self.setObjectName("card")
        self._head = ""
        self.number = PuzzleHandle()
        self.action = QComboBox()
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
        self.figure = QPushButton("No figure")
        self.figure.setIconSize(_FIGURE_PX)
        self.figure.clicked.connect(lambda: self.asked.emit("figure"))
        self.more = QToolButton()
        self.more.setIcon(icon("more"))
        self.more.setAccessibleName("More about this step")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        for text, wanted in (
            ("New step after it\tCtrl+Enter", "new"),
            ("Split at the cursor\tCtrl+Shift+Enter", "split"),
            ("Merge with the next\tCtrl+J", "merge"),
            ("Move up\tAlt+Up", "up"),
            ("Move down\tAlt+Down", "down"),
            ("Choose figure…", "choose"),
            ("Remove figure", "detach"),
            ("Delete step", "delete"),
        ):
            self.menu.addAction(text).triggered.connect(lambda _=False, wanted=wanted: self.asked.emit(wanted))
        self.more.setMenu(self.menu)
        self.marks: ProblemLines[PuzzleFinding] = ProblemLines()
        self._lay_out()

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


class StepList(QScrollArea):
    """The steps, one below the other.

    Signals:
        changed(tuple, str, str): the steps as the person wants them; what was done; the text that was typed into.
        figure_opened(int): the figure of a step is to be shown.
        figure_asked(int): a figure is to be chosen for a step.
    """

    changed = Signal(tuple, str, str)
    figure_opened = Signal(int)
    figure_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.steps: Steps = ()
        self.cards: list[StepCard] = []
        self.current = 0
        self._read_only = False
        self._thumbnails: Mapping[str, QPixmap] = {}
        self.add = QPushButton(icon("place"), "Add step")
        self.add.setToolTip("A step at the end (Ctrl+Enter in a step: after it)")
        self.add.clicked.connect(lambda: self.new_step(len(self.steps) - 1))
        self.empty = EmptyState(*NO_STEPS)
        body = _Body()
        self._body = body
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        self._column.setSpacing(2 * SPACE)
        self._column.addWidget(self.empty)
        self._column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addStretch(1)
        self.setWidget(body)

    def show_steps(self, steps: Steps, thumbnails: Mapping[str, QPixmap]) -> None:
        """Shows steps; cards whose step is the same stay as they are."""
        self.steps = steps
        self._thumbnails = thumbnails
        while len(self.cards) > len(steps):
            card = self.cards.pop()
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        while len(self.cards) < len(steps):
            self._add_card()
        for i, (card, step) in enumerate(zip(self.cards, steps, strict=True), 1):
            card.show_step(i, step, thumbnails.get(step.figure or ""))
        self.empty.setVisible(not steps)
        self.current = max(0, min(self.current, len(steps) - 1))

    def set_read_only(self, value: bool) -> None:
        """Whether steps can be changed."""
        self._read_only = value
        self.add.setVisible(not value)
        for card in self.cards:
            card.set_read_only(value)

    def mark(self, findings: Sequence[PuzzleFinding]) -> None:
        """Shows each finding at its step."""
        for i, card in enumerate(self.cards):
            card.marks.show_problems([f for f in findings if f.path[:2] == ("reasoning", i)])

    def focus_step(self, index: int) -> None:
        """Goes to a step."""
        if 0 <= index < len(self.cards):
            self.current = index
            self.cards[index].text.setFocus()
            self.ensureWidgetVisible(self.cards[index])

    def insert_text(self, text: str) -> None:
        """Inserts a text at the cursor of the current step, which is made if there is none."""
        if self._read_only:
            return
        if not self.steps:
            self.new_step(-1)
        self.cards[self.current].text.insertPlainText(text)

    # What is done with steps -------------------------------------------------------------------------------------

    def new_step(self, after: int) -> None:
        """Makes an empty step behind another one, and goes there."""
        steps = (*self.steps[: after + 1], PuzzleStep(""), *self.steps[after + 1 :])
        self._change(steps, "new step", after + 1)

    def split(self, index: int) -> None:
        """Splits a step at its cursor; the figure stays with the first part."""
        step = self.steps[index]
        card = self.cards[index]
        head, body = parts_of(step.explanation)
        place = card.text.textCursor().position()
        first = replace(step, explanation=head + body[:place].rstrip())
        rest = body[place:].strip()
        second = PuzzleStep(rest if action_of(rest) is not None else head + rest)
        self._change((*self.steps[:index], first, second, *self.steps[index + 1 :]), "split step", index + 1)

    def merge(self, index: int) -> None:
        """Joins a step with the next one; it keeps its own figure if it has one."""
        if index + 1 >= len(self.steps):
            return
        step = self.steps[index]
        other = self.steps[index + 1]
        text = f"{step.explanation.rstrip()} {parts_of(other.explanation)[1].strip()}".strip()
        merged = PuzzleStep(text, step.figure or other.figure, {**other.extra, **step.extra})
        self._change((*self.steps[:index], merged, *self.steps[index + 2 :]), "merge steps", index)

    def move_step(self, index: int, to: int) -> None:
        """Moves a step to another place."""
        if index != to and 0 <= to < len(self.steps):
            rest = [*self.steps[:index], *self.steps[index + 1 :]]
            self._change((*rest[:to], self.steps[index], *rest[to:]), "move step", to)

    def delete(self, index: int) -> None:
        """Deletes a step."""
        self._change((*self.steps[:index], *self.steps[index + 1 :]), "delete step", max(0, index - 1))

    def set_figure(self, index: int, figure: str | None) -> None:
        """Sets the figure of a step, or removes it."""
        steps = list(self.steps)
        extra = {name: value for name, value in steps[index].extra.items() if name != "figure"}
        steps[index] = replace(steps[index], figure=figure, extra=extra)
        self._change(tuple(steps), "figure" if figure else "remove figure", index)

    def _change(self, steps: Steps, label: str, current: int) -> None:
        if not self._read_only:
            self.changed.emit(steps, label, "")
            self.focus_step(current)

    def _edited(self, card: StepCard, text: str) -> None:
        index = self.cards.index(card)
        steps = list(self.steps)
        steps[index] = replace(steps[index], explanation=text)
        self.changed.emit(tuple(steps), f"text of step {index + 1}", f"step {index}")

    def _asked(self, card: StepCard, wanted: str) -> None:
        index = self.cards.index(card)
        does: dict[str, Callable[[], None]] = {
            "new": lambda: self.new_step(index),
            "split": lambda: self.split(index),
            "merge": lambda: self.merge(index),
            "up": lambda: self.move_step(index, index - 1),
            "down": lambda: self.move_step(index, index + 1),
            "delete": lambda: self.delete(index),
            "detach": lambda: self.set_figure(index, None),
            "figure": lambda: self.figure_opened.emit(index),
            "choose": lambda: self.figure_asked.emit(index),
        }
        self.current = index
        does[wanted]()

    # Cards -------------------------------------------------------------------------------------------------------

    def _add_card(self) -> None:
        card = StepCard()
        card.set_read_only(self._read_only)
        card.edited.connect(lambda text: self._edited(card, text))
        card.asked.connect(lambda wanted: self._asked(card, wanted))
        card.focused.connect(lambda: self._focused(card))
        card.number.dragged.connect(self._drag)
        card.number.dropped.connect(lambda height: self._drop(card, height))
        self._column.insertWidget(1 + len(self.cards), card)
        self.cards.append(card)

    def _focused(self, card: StepCard) -> None:
        if card in self.cards:
            self.current = self.cards.index(card)

    def _gap_at(self, height: int) -> int:
        """The number of cards whose middle is above a height on the screen."""
        local = self._body.mapFromGlobal(QPoint(0, height)).y()
        return sum(card.geometry().center().y() < local for card in self.cards)

    def _drag(self, height: int) -> None:
        if self._read_only:
            return
        gap = self._gap_at(height)
        self._body.line_y = self.cards[gap].y() - SPACE if gap < len(self.cards) else self.cards[-1].geometry().bottom()
        self._body.update()

    def _drop(self, card: StepCard, height: int) -> None:
        self._body.line_y = None
        self._body.update()
        if height >= 0:
            index = self.cards.index(card)
            gap = self._gap_at(height)
            self.move_step(index, gap - 1 if gap > index else gap)


class _Body(QWidget):
    """The container of the cards, with a line where a dragged one would go."""

    def __init__(self) -> None:
        super().__init__()
        self.line_y: int | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.line_y is not None:
            painter = QPainter(self)
            painter.fillRect(0, self.line_y, self.width(), 2, QColor(appearance().theme.accent))
