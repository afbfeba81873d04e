"""Comments on a puzzle and on its steps, with their replies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.review.form_parts import plain_label
from spatial_workbench.engine.puzzles.annotation.review import Commented
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_INDENT_PX = 24
_DEEPEST = 3
_HIGHEST_PX = 120


class CommentsPane(QWidget):
    """The comments as they were made, replies below what they answer, and a field for another one.

    Signals:
        commented(str, int, str): a text, the step that it is about (0: the puzzle), and the id of what it answers.
    """

    commented = Signal(str, int, str)

    def __init__(self) -> None:
        super().__init__()
        self._answered = ""
        self.place = ChoiceBox()
        self.place.setAccessibleName("What the comment is about")
        self.text = QLineEdit()
        self.text.setAccessibleName("Comment")
        self.text.setMaxLength(10_000)
        self.text.setPlaceholderText("Comment")
        self.text.returnPressed.connect(self.send)
        self.text.textChanged.connect(lambda _: self._show_answered())
        self.go = QPushButton("Comment")
        self.go.clicked.connect(self.send)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.shown: list[QWidget] = []
        self._lay_out()

    def show_comments(self, comments: Sequence[Commented], steps: int) -> None:
        """Shows comments; what is being typed stays."""
        place = max(0, self.place.currentIndex())
        self.place.clear()
        self.place.addItems(["Puzzle", *(f"Step {k}" for k in range(1, steps + 1))])
        self.place.setCurrentIndex(min(place, steps))
        body = QWidget()
        body.setObjectName("panel")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        self.shown = [self._row(comment, depth) for comment, depth in threaded(comments)]
        for row in self.shown:
            column.addWidget(row)
        column.addStretch(1)
        self.area.setWidget(body)
        self.area.setFixedHeight(min(_HIGHEST_PX, body.sizeHint().height()))
        self.area.setVisible(bool(comments))

    def answer(self, comment: Commented) -> None:
        """Goes to the field for a reply to a comment."""
        self._answered = comment.id
        self.place.setCurrentIndex(comment.step if comment.step < self.place.count() else 0)
        self.text.setPlaceholderText(f"Reply to {comment.person}")
        self._show_answered()
        self.text.setFocus()

    def send(self) -> None:
        """Sends what was typed."""
        text = self.text.text().strip()
        if not text:
            return
        self.commented.emit(text, self.place.currentIndex(), self._answered)
        self._answered = ""
        self.text.clear()
        self.text.setPlaceholderText("Comment")
        self._show_answered()

    def _show_answered(self) -> None:
        self.go.setText("Reply" if self._answered else "Comment")
        self.go.setEnabled(bool(self.text.text().strip()))

    def _row(self, comment: Commented, depth: int) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(_INDENT_PX * min(depth, _DEEPEST), 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        place = f", step {comment.step}" if comment.step and not depth else ""
        layout.addWidget(plain_label(f"{comment.person}{place}: {comment.text}"), 1)
        reply = QToolButton()
        reply.setText("Reply")
        reply.setAccessibleName(f"Reply to {comment.person}")
        reply.clicked.connect(lambda: self.answer(comment))
        layout.addWidget(reply)
        return row

    def _lay_out(self) -> None:
        title = QLabel("Comments")
        title.setObjectName("caption")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.place)
        row.addWidget(self.text, 1)
        row.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(title)
        column.addWidget(self.area)
        column.addLayout(row)
        self._show_answered()


def threaded(comments: Sequence[Commented]) -> Iterator[tuple[Commented, int]]:
    """Comments with their depth, replies below what they answer; a reply to nothing that is known stands alone."""
    known = {comment.id for comment in comments}
    below: dict[str, list[Commented]] = {}
    for comment in comments:
        below.setdefault(comment.reply_to if comment.reply_to in known else "", []).append(comment)
    seen: set[str] = set()
    waiting = [(comment, 0) for comment in reversed(below.get("", []))]
    while waiting:
        comment, depth = waiting.pop()
        seen.add(comment.id)
        yield comment, depth
        waiting += [(reply, depth + 1) for reply in reversed(below.get(comment.id, []))]
    # A forged log may hold replies in a circle.
    yield from ((comment, 0) for comment in comments if comment.id not in seen)
