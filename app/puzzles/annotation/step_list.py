"""The steps of an annotation as a list of cards, in which they are moved, split and merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.annotation import step_editing as editing
from spatial_workbench.app.puzzles.annotation.holding import held_in_place
from spatial_workbench.app.puzzles.annotation.step_card import StepCard
from spatial_workbench.app.puzzles.annotation.step_editing import Steps
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding

NO_STEPS = (
    "No steps yet",
    "A step is one action with its result. Type p:, s:, m:, c: or e: at its start to choose the action; "
    "Ctrl+Enter makes the next step.",
)


class StepList(QScrollArea):
    """The steps, one below the other.

    Signals:
        changed(tuple, str, str): the steps as the person wants them; what was done; the text that was typed into.
        figure_opened(int): the figure of a step is to be shown.
        figure_asked(int): a figure is to be chosen for a step.
        current_changed(): another step is the current one, which is outlined: with the cursor; or steps have changed.
    """

    changed = Signal(tuple, str, str)
    figure_opened = Signal(int)
    figure_asked = Signal(int)
    current_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.steps: Steps = ()
        self.cards: list[StepCard] = []
        self._current = 0
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

    @property
    def current(self) -> int:
        """The step with the cursor, or the one that had it last."""
        return self._current

    @current.setter
    def current(self, index: int) -> None:
        changed = index != self._current
        self._current = index
        for i, card in enumerate(self.cards):
            card.show_current(i == index)
        if changed:
            self.current_changed.emit()

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
        self.current_changed.emit()

    def set_read_only(self, value: bool) -> None:
        """Whether steps can be changed."""
        self._read_only = value
        self.add.setVisible(not value)
        for card in self.cards:
            card.set_read_only(value)

    def mark(self, findings: Sequence[PuzzleFinding]) -> None:
        """Shows each finding at its step."""
        with held_in_place(self):
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
        self._change(editing.with_empty(self.steps, after + 1), "new step", after + 1)

    def split(self, index: int) -> None:
        """Splits a step at its cursor; the figure stays with the first part."""
        place = self.cards[index].text.textCursor().position()
        self._change(editing.split(self.steps, index, place), "split step", index + 1)

    def merge(self, index: int) -> None:
        """Joins a step with the next one, if there is one; it keeps its own figure if it has one."""
        if index + 1 < len(self.steps):
            self._change(editing.merged(self.steps, index), "merge steps", index)

    def move_step(self, index: int, to: int) -> None:
        """Moves a step to another place."""
        if index != to and 0 <= to < len(self.steps):
            self._change(editing.moved(self.steps, index, to), "move step", to)

    def delete(self, index: int) -> None:
        """Deletes a step."""
        self._change(editing.without(self.steps, index), "delete step", max(0, index - 1))

    def enter_figure(self, index: int, figure: str) -> None:
        """Sets the figure of a step, and leaves the cursor where it is."""
        if self._read_only:
            return
        with held_in_place(self):
            self.changed.emit(editing.with_figure(self.steps, index, figure), "figure", "")

    def set_figure(self, index: int, figure: str | None) -> None:
        """Sets the figure of a step, or removes it."""
        label = "figure" if figure else "remove figure"
        self._change(editing.with_figure(self.steps, index, figure), label, index)

    def _change(self, steps: Steps, label: str, current: int) -> None:
        if not self._read_only:
            self.changed.emit(steps, label, "")
            self.focus_step(current)

    def _edited(self, card: StepCard, text: str) -> None:
        index = self.cards.index(card)
        steps = editing.with_text(self.steps, index, text)
        self.changed.emit(steps, f"text of step {index + 1}", f"step {index}")

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
        self.cards[index].text.setFocus()
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
