"""The list of checks with their live values; a click on a row shows what it means."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from engine.tasks.pipe_loop.live import Row
from widgets.icons import IconLabel
from widgets.theme import SPACE

WORDS = {True: "met", False: "not met", None: "open"}
ICONS = {True: "passed", False: "failed", None: "not_reached"}


WIDTH = 196


class LiveChecks(QScrollArea):
    """A column with one line a check.

    Signals:
        chosen(int): a person clicked the row of that index, or pressed Return on it.
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[_Line] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(WIDTH)
        self.setAccessibleName("Live checks")
        body = QWidget()
        body.setObjectName("panel")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        self._column.setSpacing(2 * SPACE)
        title = QLabel("Live")
        title.setObjectName("caption")
        self._column.addWidget(title)
        self._column.addStretch(1)
        self.setWidget(body)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Shows these rows."""
        while len(self.lines) < len(rows):
            line = _Line(len(self.lines))
            line.clicked.connect(self.chosen)
            self._column.insertWidget(self._column.count() - 1, line)
            self.lines.append(line)
        for index, line in enumerate(self.lines):
            line.setVisible(index < len(rows))
            if index < len(rows):
                line.show_row(rows[index])


class _Line(QWidget):
    """An icon, the check's name, and its value below."""

    clicked = Signal(int)

    def __init__(self, index: int) -> None:
        super().__init__()
        self._index = index
        self._row: Row | None = None
        self.name, self.value, self.icon = QLabel(), QLabel(), IconLabel()
        self.value.setObjectName("caption")
        self.value.setWordWrap(True)
        self.value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.name)
        words.addWidget(self.value)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip("Click to see what is meant")

    def show_row(self, row: Row) -> None:
        """Shows a row; nothing happens if it is the same."""
        if row == self._row:
            return
        self._row = row
        self.name.setText(row.name.capitalize())
        self.value.setText(row.value)
        self.setAccessibleName(f"{row.name}: {row.value}, {WORDS[row.met]}")
        self.icon.show_icon(ICONS[row.met])
        self.icon.setToolTip(WORDS[row.met].capitalize())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit(self._index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self._index)
        else:
            super().keyPressEvent(event)
