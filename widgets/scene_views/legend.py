"""The meaning of colours and lines, painted at the top left of a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.theme import Theme

LEFT, TOP = 12, 12
LEFT_OF_RULER = 44
"""Where the legend of a canvas with coordinates along its edge begins."""
AXES_WIDTH = 104
"""The width and height of the axes at the top right of a 3D view."""
MIN_HEIGHT = 180
"""Views that are less high show no legend."""
SWATCH = 11
LINE_LENGTH = 22
GAP = 8
ROW = 18


class Key(Enum):
    """How an entry of a legend is drawn."""

    SWATCH = 0
    LINE = 1
    THIN_LINE = 2
    DASHES = 3


@dataclass(frozen=True)
class Entry:
    """A line of a legend."""

    text: str
    roles: tuple[str, ...]
    key: Key = Key.SWATCH


class Legend:
    """An overlay with a row for each entry, left out where there is no room.

    left: where it begins. right: the width and height of what stands at the right; the legend begins below it if there
    is no room beside it. Both in pixels.
    """

    def __init__(self, entries: Callable[[], Sequence[Entry]], left: int = LEFT, right: int = 0) -> None:
        self._entries = entries
        self._left = left
        self._right = right

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        entries = self._entries()
        if not entries:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(overlays.pixel_font(painter, 11))
        size = QFontMetricsF(painter.font())
        keys = max(map(_key_width, entries))
        wide = keys + GAP + max(size.horizontalAdvance(said(entry.text)) for entry in entries)
        room = view.width() - (self._left + wide + 16)
        top = TOP if room >= self._right else self._right
        if room < 0 or view.height() < MIN_HEIGHT + top - TOP:
            return
        self._ground(painter, view.theme, QRectF(self._left, top, wide + 16, ROW * len(entries) + 8))
        for i, entry in enumerate(entries):
            middle = top + 4 + ROW * (i + 0.5)
            _paint_key(painter, view.theme, entry, self._left + 8, middle)
            painter.setPen(view.theme.color("secondary"))
            words = QRectF(self._left + 8 + keys + GAP, middle - ROW / 2, 1000, ROW)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said(entry.text))

    def _ground(self, painter: QPainter, theme: Theme, box: QRectF) -> None:
        ground = QColor(theme.panel)
        ground.setAlphaF(0.86)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, overlays.CORNER, overlays.CORNER)


def _key_width(entry: Entry) -> float:
    return len(entry.roles) * SWATCH if entry.key is Key.SWATCH else LINE_LENGTH


def _paint_key(painter: QPainter, theme: Theme, entry: Entry, x: float, y: float) -> None:
    if entry.key is Key.SWATCH:
        painter.setPen(Qt.PenStyle.NoPen)
        for i, role in enumerate(entry.roles):
            painter.setBrush(theme.color(role))
            painter.drawRect(QRectF(x + i * SWATCH, y - SWATCH / 2, SWATCH, SWATCH))
        return
    pen = QPen(theme.color(entry.roles[0]), 2.0 if entry.key is Key.LINE else 1.2)
    if entry.key is Key.DASHES:
        pen.setDashPattern([4.0, 3.0])
    painter.setPen(pen)
    painter.drawLine(QPointF(x, y), QPointF(x + LINE_LENGTH, y))
