"""A step in a reviewer's own version: accepted, edited, deleted, moved, split, or followed by new steps."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.review.form_parts import StepPart, line_field, plain_label, text_box
from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, StepDecision
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_LABELS = (
    (None, "Choose…"),
    (JudgedAnnotation.ACCEPT, "Accept"),
    (JudgedAnnotation.CHANGE, "Edit"),
    (JudgedAnnotation.REJECT, "Reject"),
)


class AddedSteps(QWidget):
    """Texts of steps that a reviewer adds in one place."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place
        self.boxes: list[QPlainTextEdit] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE)

    def add(self, text: str = "", index: int | None = None) -> QPlainTextEdit:
        """Adds a step, as the last one if no place is given."""
        where = len(self.boxes) if index is None else index
        box = text_box(f"Step added {self._place}", text)
        box.setPlaceholderText("A new step")
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(4 * SPACE, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(box, 1)
        layout.addWidget(make_button("Remove", "", lambda: self._remove(box, row), "Remove this new step"))
        self.boxes.insert(where, box)
        self._column.insertWidget(where, row)
        box.setFocus()
        return box

    def texts(self) -> tuple[str, ...]:
        """The texts in order; empty ones are left out."""
        return tuple(text for box in self.boxes if (text := box.toPlainText().strip()))

    def _remove(self, box: QPlainTextEdit, row: QWidget) -> None:
        self.boxes.remove(box)
        self._column.removeWidget(row)
        row.deleteLater()


class StepForm(StepPart):
    """A step: accept it, edit it, or reject it with a reason; nothing is chosen before the reviewer does.

    Signals:
        moved(int): the step is to go up (-1) or down (1).
    """

    moved = Signal(int)

    def __init__(self, number: int, text: str) -> None:
        super().__init__(number)
        self._original = text
        self.judged = ChoiceBox()
        self.judged.setAccessibleName(f"Decision on step {number}")
        for judged, label in _LABELS:
            self.judged.addItem(label, judged)
        self.judged.currentIndexChanged.connect(lambda _: self._show_decision())
        self.judged.activated.connect(lambda _: self._go_on())
        self.shown = plain_label(text)
        self.text = text_box(f"Text of step {number}", text)
        self.reason = line_field(f"Reason for step {number}", "")
        self.reason.setPlaceholderText("Reason")
        self.more = AddedSteps(f"after step {number}")
        self._title = QLabel(f"Step {number}")
        self._title.setObjectName("caption")
        self.up = make_button("Up", "", lambda: self.moved.emit(-1), f"Move step {number} up")
        self.down = make_button("Down", "", lambda: self.moved.emit(1), f"Move step {number} down")
        self.split = make_button("Split", "", self.split_at_cursor, "Make two steps of it, at the cursor")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(self._head())
        for part in (self.shown, self.text, self.reason, self.more):
            layout.addWidget(part)
        self.watch(self.judged, self.shown, self.text, self.text.viewport(), self.reason)
        self._show_decision()

    @property
    def lacking(self) -> str:
        """The missing part of the decision, in a sentence."""
        judged = self._judged()
        text = self.text.toPlainText().strip()
        if judged is None:
            return f"Nothing is decided on step {self.number}."
        if judged is JudgedAnnotation.REJECT and not self.reason.text().strip():
            return f"Say why step {self.number} is rejected."
        if judged is JudgedAnnotation.CHANGE and (not text or text == self._original):
            return f"Step {self.number} is to be edited, but its text is empty or unchanged."
        return ""

    def decision(self) -> StepDecision:
        """The decision on the step, once nothing is lacking."""
        judged = self._judged() or JudgedAnnotation.ACCEPT
        text = self.text.toPlainText().strip() if judged is JudgedAnnotation.CHANGE else ""
        return StepDecision(judged=judged, text=text, reason=self.reason.text().strip(), more=self.more.texts())

    def show_place(self, place: int, count: int) -> None:
        """Shows whether the step was moved from its place; flags and comments go on calling it by its number."""
        moved = "" if place == self.number else " · moved up" if place < self.number else " · moved down"
        self._title.setText(f"Step {self.number}{moved}")
        self.up.setEnabled(place > 1)
        self.down.setEnabled(place < count)

    def accept_if_open(self) -> None:
        """Accepts the step if nothing is decided on it."""
        if self._judged() is None:
            self.judged.setCurrentText("Accept")

    def split_at_cursor(self) -> None:
        """Makes two steps of the text, at the cursor."""
        text = self.text.toPlainText()
        place = self.text.textCursor().position()
        self.text.setPlainText(text[:place].strip())
        self.more.add(text[place:].strip(), 0)

    def _judged(self) -> JudgedAnnotation | None:
        judged = self.judged.currentData()
        return None if judged is None else JudgedAnnotation(judged)

    def _show_decision(self) -> None:
        judged = self._judged()
        is_edited = judged is JudgedAnnotation.CHANGE
        self.text.setVisible(is_edited)
        self.split.setVisible(is_edited)
        self.shown.setVisible(not is_edited)
        self.reason.setVisible(judged in (JudgedAnnotation.CHANGE, JudgedAnnotation.REJECT))

    def _go_on(self) -> None:
        """Goes to the reason, which a rejection needs. With the arrow keys, *Edit* is passed on the way to *Reject*."""
        if self._judged() is JudgedAnnotation.REJECT:
            self.reason.setFocus()

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(SPACE)
        head.addWidget(self._title)
        head.addStretch(1)
        parts: tuple[QPushButton, ...] = (
            self.split,
            make_button("Add step", "", lambda: self.more.add(), f"Add a step after step {self.number}"),
            self.up,
            self.down,
        )
        for part in parts:
            head.addWidget(part)
        head.addWidget(self.judged)
        return head
