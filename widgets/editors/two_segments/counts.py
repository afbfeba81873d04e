"""The bar above the board: how many regions of each shape there are, and how many are wanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.tasks.two_segments.board import WORDS, counted_shape
from spatial_workbench.engine.tasks.two_segments.drawing import COLORS, PATTERNS
from spatial_workbench.engine.tasks.two_segments.editing import SegmentsTally
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.panels.meter import Meter, gap
from spatial_workbench.widgets.scene_views.canvas2d_items import PATTERNS as BRUSHES
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.theme import SPACE

CORNERS = {"T": 3, "Q": 4, "P": 5, "H": 6}
PLURALS = {
    "T": marked("triangles"),
    "Q": marked("quadrilaterals"),
    "P": marked("pentagons"),
    "H": marked("hexagons"),
}


class CountBar(QWidget):
    """A strip with an entry for each shape: its colour and letter, "2/1", and how far it is from the target."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Shapes: how many there are, and how many are wanted"))
        self.entries = {letter: Meter(_Swatch(letter)) for letter in WORDS}
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        layout.setSpacing(6 * SPACE)
        for entry in self.entries.values():
            layout.addWidget(entry)
        layout.addWidget(self.note, 1)

    def show_counts(self, tallies: Sequence[SegmentsTally], objection: str) -> None:
        """Shows the counts; `objection` says why they do not count."""
        shown = {tally.letter: tally for tally in tallies}
        for letter, entry in self.entries.items():
            entry.setVisible(letter in shown)
            if letter in shown:
                _show_count(entry, shown[letter])
        met = not objection and all(tally.actual == tally.target for tally in tallies)
        self.note.setText(said(objection or ("These are the wanted shapes." if met else "")))
        self.note.setToolTip(self.note.text())
        words = "; ".join(map(in_words, tallies)) + (f". {objection}" if objection else "")
        self.setAccessibleDescription(said(words))


class _Swatch(QWidget):
    """A regular polygon in the colour and pattern of its shape, with the letter on it."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self._letter = letter
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(32, 32)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = appearance().theme
        color = theme.color(COLORS[self._letter])
        shape = _polygon(CORNERS[self._letter], QPointF(16, 17 if self._letter == "T" else 16), 15.0)
        faint = QColor(color)
        faint.setAlphaF(0.25)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faint)
        painter.drawPolygon(shape)
        painter.setBrush(QBrush(faint, BRUSHES[PATTERNS[self._letter]]))
        painter.setPen(QPen(color, 1.4))
        painter.drawPolygon(shape)
        painter.setPen(theme.color("text"))
        painter.setFont(pixel_font(painter, 12, bold=True))
        low = 4 if self._letter == "T" else 0
        painter.drawText(self.rect().adjusted(0, low, 0, low), Qt.AlignmentFlag.AlignCenter, self._letter)


def _show_count(entry: Meter, tally: SegmentsTally) -> None:
    letter, count, target = tally
    words = f"{PLURALS[letter]}: {gap(count, target)}"
    entry.show_figure(f"{letter} {count}/{target}", words, count == target, in_words(tally))


def in_words(tally: SegmentsTally) -> str:
    """A count as a sentence: "2 triangles, 1 wanted: 1 too many"."""
    shapes = counted_shape(tally.letter, tally.actual)
    return f"{shapes}, {tally.target} wanted: {gap(tally.actual, tally.target)}"


def _polygon(corners: int, center: QPointF, radius: float) -> QPolygonF:
    turn = np.pi / 4 if corners == 4 else -np.pi / 2
    angles = turn + 2 * np.pi * np.arange(corners) / corners
    return QPolygonF([QPointF(center.x() + radius * np.cos(a), center.y() + radius * np.sin(a)) for a in angles])
