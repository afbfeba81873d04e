"""A first tour of an editor in three steps: what is asked, how to build it, how it is judged.

The words come from the task's page of rules, so that they are written once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Task, Tells
from spatial_workbench.widgets.qt import the_application
from spatial_workbench.widgets.theme import SPACE

WIDTH = 360
MOST_CHARS = 260
"""Sentences are taken from the page of rules up to about this length."""
_BUILDING = ("Building by hand", "Solving")
_NO_GOAL = ("#", "Source", "|")
"""Headings, where a task comes from, and tables."""
_FORM_ALONE = "While you build, the verdict tells no more than the form; right or wrong is told when you submit."
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z*“])")


@dataclass(frozen=True)
class TourStep:
    """A step: its title, a sentence or two, and the part of the workspace that it is about."""

    title: str
    text: str
    place: str


def steps_of(task: Task[Any], submit_keys: str = "F9", rules_keys: str = "F1") -> tuple[TourStep, ...]:
    """The three steps; for a task without a page of rules, the general texts."""
    page = task.rules()
    goal = _beginning(_paragraph(page, "")) or "The task at the right says what is asked."
    way = next(filter(None, (_beginning(_paragraph(page, heading)) for heading in _BUILDING)), "")
    way = way or "The tools are at the left; the pointer says what a click would do."
    follows = _FORM_ALONE if task.live.tells is Tells.FORM else "The verdict follows every edit."
    judged = (
        f"{follows} Submit ({submit_keys}) stores your answer with its time. "
        f"{rules_keys} opens all rules, gestures and keys."
    )
    return (
        TourStep("What is asked", goal, "task"),
        TourStep("How to build it", way, "view"),
        TourStep("How it is judged", judged, "verdict"),
    )


def _paragraph(page: str, heading: str) -> str:
    """The first paragraph under a heading; of the page itself, if there is no heading."""
    begin = page.find("\n") if not heading else page.find(f"## {heading}\n")
    if begin < 0:
        return ""
    blocks = page[begin:].split("\n\n")[1:] if heading else page[begin:].split("\n\n")
    block = next((block.strip() for block in blocks if block.strip() and not block.lstrip().startswith(_NO_GOAL)), "")
    return " ".join(block.split())


def _beginning(paragraph: str) -> str:
    """Its first sentences, without marks of Markdown."""
    plain = re.sub(r"[*`]{1,2}([^*`]+)[*`]{1,2}", r"\1", re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", paragraph))
    chosen = ""
    for sentence in _SENTENCE.split(plain):
        if chosen and len(chosen) + len(sentence) > MOST_CHARS:
            break
        chosen = f"{chosen} {sentence}".strip()
    return chosen


class Tour(QFrame):
    """A card over the workspace that goes from step to step. It never takes the keyboard by itself; Escape ends it.

    Signals:
        ended(bool): it was left; whether no tour is wanted any more.
    """

    ended = Signal(bool)

    def __init__(self, steps: Sequence[TourStep], place_of: Callable[[str], QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour")
        self.setAccessibleName("Tour of the editor")
        self.setFixedWidth(WIDTH)
        self._steps = steps
        self._place_of = place_of
        self._number = 0
        self.title = QLabel()
        self.text = QLabel()
        self.count = QLabel()
        self.title.setObjectName("sectionTitle")
        self.text.setWordWrap(True)
        self.count.setObjectName("secondary")
        self.next = QPushButton("Next")
        self.skip = QPushButton("Skip")
        self.never = QPushButton("No more tours")
        self.next.setObjectName("primary")
        self.never.setToolTip("Leave this tour, and begin no other by itself. Help has it again.")
        self.next.clicked.connect(self._go_on)
        self.skip.clicked.connect(lambda: self._end(False))
        self.never.clicked.connect(lambda: self._end(True))
        self._lay_out()
        for button in (self.next, self.skip, self.never):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        parent.installEventFilter(self)
        the_application().installEventFilter(self)
        self._show_step()

    @property
    def step(self) -> TourStep:
        """The step that is shown."""
        return self._steps[self._number]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        around = self.parentWidget()
        if watched is around and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        is_here = isinstance(watched, QWidget) and self._is_around(watched)
        if is_here and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self.isVisible():
            return self._escape(event)
        return False

    def _is_around(self, widget: QWidget) -> bool:
        around = self.parentWidget()
        return around is not None and (widget is around or around.isAncestorOf(widget))

    def _escape(self, event: QKeyEvent) -> bool:
        """Ends the tour, before an editor takes the key for a shortcut of its own."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            self._end(False)
            return True
        return False

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        buttons.addWidget(self.count)
        buttons.addStretch(1)
        for button in (self.never, self.skip, self.next):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addLayout(buttons)

    def _show_step(self) -> None:
        self.title.setText(self.step.title)
        self.text.setText(self.step.text)
        self.count.setText(f"{self._number + 1} of {len(self._steps)}")
        is_last = self._number == len(self._steps) - 1
        self.next.setText("Done" if is_last else "Next")
        self.skip.setVisible(not is_last)
        self._place()
        self.show()
        self.raise_()

    def _place(self) -> None:
        """Puts the card beside its subject, and completely inside the workspace."""
        layout = self.layout()
        around = self.parentWidget()
        if layout is None or around is None:
            return
        self.resize(WIDTH, layout.totalHeightForWidth(WIDTH))
        target = self._place_of(self.step.place)
        corner = target.mapTo(around, QPoint(0, 0))
        if self.step.place == "view":
            x = corner.x() + (target.width() - WIDTH) // 2
            y = corner.y() + target.height() - self.height() - 6 * SPACE
        else:
            x = corner.x() - WIDTH - 2 * SPACE
            y = corner.y() + 4 * SPACE
        x = max(2 * SPACE, min(x, around.width() - WIDTH - 2 * SPACE))
        self.move(x, max(2 * SPACE, min(y, around.height() - self.height() - 2 * SPACE)))

    def _go_on(self) -> None:
        if self._number == len(self._steps) - 1:
            self._end(False)
        else:
            self._number += 1
            self._show_step()

    def _end(self, for_good: bool) -> None:
        the_application().removeEventFilter(self)
        self.hide()
        self.ended.emit(for_good)
        self.deleteLater()
