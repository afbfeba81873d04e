"""A lesson for annotators: one puzzle, and tasks that are checked as one goes; nothing of it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.puzzles.annotation.lesson import MINUTES, PRACTICE, LessonTask, TaskKind, lesson
from spatial_workbench.engine.puzzles.sets.originals import PAGE, originals
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.fitted_picture import FittedPicture
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.lesson import LessonFeedback

_TEXT_PX = 96
_COLUMN_PX = 460


class LessonPage(QWidget):
    """The page of the practice puzzle at the left, and the tasks at the right, one after another.

    Attributes:
        place: Which task is shown, from 0.
        field: Where its answer is given.

    Signals:
        sets_wanted(): the lesson is done, and the sets of puzzles are to be shown.
    """

    title = "Learn to annotate"
    icon_name = "info"
    sets_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._puzzle = next(original for original in originals() if original.folder == PRACTICE)
        self._tasks = lesson()
        self._answers = [""] * len(self._tasks)
        self._passed = [task.kind is TaskKind.NOTHING for task in self._tasks]
        self.place = 0
        self.field = LessonField(self._tasks[0], "")
        self.progress = _label("caption")
        self.heading = _label("sectionTitle")
        self.text = _label("")
        self.feedback = _label("")
        self.clue = _label("secondary")
        self.back = make_button("Back", "", lambda: self.go_to(self.place - 1), "The task before this one")
        self.hint = make_button("Hint", "", self._show_hint, "What helps if nothing comes to mind")
        self.check = make_button("Check", "tick", self.check_answer, "Check the answer (Ctrl+Enter)", is_primary=True)
        self.check.setShortcut("Ctrl+Return")
        self.next = make_button("Next", "", self._go_on, "The next task")
        self._lay_out()
        self.go_to(0)

    def close_page(self) -> None:
        """Keeps nothing."""

    def go_to(self, place: int) -> None:
        """Shows a task, with what was answered before."""
        self._answers[self.place] = self.field.answer()
        self.place = place
        task = self._tasks[place]
        self.progress.setText(f"Task {place + 1} of {len(self._tasks)} · {MINUTES} minutes in all · nothing is kept")
        self.heading.setText(task.title)
        self.text.setText(task.text)
        self.clue.clear()
        self.feedback.clear()
        self._show_field(LessonField(task, self._answers[place]))
        self._show_buttons()

    def check_answer(self) -> None:
        """Says whether the answer is right, and why."""
        task = self._tasks[self.place]
        if task.kind is not TaskKind.NOTHING:
            self._show_feedback(task.check(self.field.answer(), self._puzzle.puzzle))

    def _show_feedback(self, feedback: LessonFeedback) -> None:
        self.feedback.setObjectName("" if feedback.is_right else "error")
        self.feedback.style().polish(self.feedback)
        self.feedback.setText(f"{'✓ Right.' if feedback.is_right else '✗ Not yet.'} {feedback.text}")
        self._passed[self.place] = self._passed[self.place] or feedback.is_right
        self._show_buttons()
        if feedback.is_right:
            self.next.setFocus()

    def _show_hint(self) -> None:
        self.clue.setText(self._tasks[self.place].hint)

    def _go_on(self) -> None:
        if self.place + 1 < len(self._tasks):
            self.go_to(self.place + 1)
        else:
            self.sets_wanted.emit()

    def _show_field(self, field: LessonField) -> None:
        self._column.replaceWidget(self.field, field)
        self.field.deleteLater()
        self.field = field
        field.entered.connect(self.check_answer)
        field.focus()

    def _show_buttons(self) -> None:
        task = self._tasks[self.place]
        is_last = self.place + 1 == len(self._tasks)
        self.back.setEnabled(self.place > 0)
        self.hint.setVisible(bool(task.hint))
        self.check.setVisible(task.kind is not TaskKind.NOTHING)
        self.next.setEnabled(self._passed[self.place])
        self.next.setText("Show the sets of puzzles" if is_last else "Next")

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        picture = FittedPicture("The page of the practice puzzle")
        picture.show_picture(dict(self._puzzle.files())[PAGE])
        side = QFrame()
        side.setObjectName("panel")
        self._column = QVBoxLayout(side)
        self._column.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 4 * SPACE)
        self._column.setSpacing(3 * SPACE)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        for button in (self.hint, self.check, self.next):
            buttons.addWidget(button)
        for part in (self.progress, self.heading, self.text, self.field, self.clue, self.feedback):
            self._column.addWidget(part)
        self._column.addLayout(buttons)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(side)
        area.setMinimumWidth(_COLUMN_PX)
        across = QHBoxLayout()
        across.setSpacing(4 * SPACE)
        across.addWidget(picture, 3)
        across.addWidget(area, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 4 * SPACE)
        layout.setSpacing(4 * SPACE)
        layout.addWidget(title)
        layout.addLayout(across, 1)


class LessonField(QWidget):
    """Where a task is answered: a line, a text, one of several answers, or tags.

    Signals:
        entered(): Return was pressed in a line.
    """

    entered = Signal()

    def __init__(self, task: LessonTask, answer: str) -> None:
        super().__init__()
        self.kind = task.kind
        self.line = QLineEdit(answer)
        self.line.setAccessibleName(task.title)
        self.line.returnPressed.connect(self.entered)
        self.text = QPlainTextEdit(answer)
        self.text.setAccessibleName(task.title)
        self.text.setFixedHeight(_TEXT_PX)
        self.text.setTabChangesFocus(True)
        self.boxes: dict[str, QRadioButton | QCheckBox] = {}
        self._group = QButtonGroup(self)
        column = FlowLayout(self) if task.kind is TaskKind.TAGS else QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        if task.kind is TaskKind.LINE:
            column.addWidget(self.line)
        elif task.kind is TaskKind.TEXT:
            column.addWidget(self.text)
        chosen = answer.split(",") if task.kind is TaskKind.TAGS else [answer]
        for words in task.choices:
            self.boxes[words] = box = self._box(words)
            box.setChecked(words in chosen)
            column.addWidget(box if task.kind is TaskKind.TAGS else _with_words(box, words))

    def answer(self) -> str:
        """What is answered; of several tags, their words joined by commas."""
        if self.kind is TaskKind.LINE:
            return self.line.text().strip()
        if self.kind is TaskKind.TEXT:
            return self.text.toPlainText().strip()
        return ",".join(words for words, box in self.boxes.items() if box.isChecked())

    def focus(self) -> None:
        """Goes to where the answer is given."""
        first = {TaskKind.LINE: self.line, TaskKind.TEXT: self.text}.get(self.kind)
        first = first or next(iter(self.boxes.values()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _box(self, words: str) -> QRadioButton | QCheckBox:
        if self.kind is TaskKind.TAGS:
            return QCheckBox(words.replace("_", " "))
        box = QRadioButton()
        box.setAccessibleName(words)
        self._group.addButton(box)
        return box


def _with_words(box: QRadioButton | QCheckBox, words: str) -> QWidget:
    """A button with its words beside it, on as many lines as they need; a click on them chooses it."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2 * SPACE)
    layout.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(ChoiceWords(box, words), 1)
    return row


class ChoiceWords(QLabel):
    """The words of an answer to choose; a click chooses it."""

    def __init__(self, box: QRadioButton | QCheckBox, words: str) -> None:
        super().__init__(words)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._box = box

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._box.setChecked(True)
        self._box.setFocus(Qt.FocusReason.MouseFocusReason)


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(role)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
