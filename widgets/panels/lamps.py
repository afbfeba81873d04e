"""A column of lines that each show whether a condition is met: a lamp, a name, and words below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.widgets.icons import IconLabel
from spatial_workbench.widgets.theme import SPACE

WORDS = {True: marked("met"), False: marked("not met"), None: marked("open")}
ICONS = {True: "passed", False: "failed", None: "not_reached"}


class LampColumn(QScrollArea):
    """A title and lines with lamps.

    Signals:
        chosen(int): the person clicked the line of that index, or pressed Return on it.
    """

    chosen = Signal(int)

    def __init__(self, title: str, shows_lamps: bool = True) -> None:
        super().__init__()
        self.lines: list[LampLine] = []
        self._shows_lamps = shows_lamps
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(said(title))
        self.body = QWidget()
        self.body.setObjectName("panel")
        self._column = QVBoxLayout(self.body)
        self._column.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        self._column.setSpacing(2 * SPACE)
        self.title = QLabel(said(title))
        self.title.setObjectName("caption")
        self._column.addWidget(self.title)
        self._column.addStretch(1)
        self.setWidget(self.body)

    def add_line(self) -> LampLine:
        """Adds a line below the others."""
        index = len(self.lines)
        line = LampLine(self._shows_lamps)
        line.clicked.connect(lambda: self.chosen.emit(index))
        self._column.insertWidget(self._column.count() - 1, line)
        self.lines.append(line)
        return line


class LampLine(QWidget):
    """A lamp, a name, and words below it.

    Signals:
        clicked(): by the mouse or the keyboard.
    """

    clicked = Signal()

    def __init__(self, shows_lamp: bool = True) -> None:
        super().__init__()
        self.is_met: bool | None = None
        self.name = QLabel()
        self.words = QLabel()
        self.lamp = IconLabel()
        self.lamp.setVisible(shows_lamp)
        self.words.setObjectName("caption")
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.name)
        column.addWidget(self.words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.lamp, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_line(self, name: str, words: str, is_met: bool | None) -> None:
        """Shows whether a condition is met (None: open), with words below its name."""
        self.is_met = is_met
        self.name.setText(said(name))
        self.words.setText(said(words))
        self.words.setVisible(bool(words))
        self.lamp.show_icon(ICONS[is_met])
        self.lamp.setToolTip(tr(WORDS[is_met]).capitalize())
        self.setAccessibleName(", ".join(filter(None, (said(name), said(words), tr(WORDS[is_met])))))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)
