"""How many cells have each height, compared with the limit; a click selects the cells of a height."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.maze_3d.drawing import HEIGHT_COLORS
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.scene_views.overlays import pixel_font

_FOOT = 16
_HEAD = 14
_ROOM = 1.35
"""The end of the axis, as a multiple of the limit."""


class Histogram(QWidget):
    """Ten bars, and the line of the limit if there is one.

    Signals:
        height_clicked(int): a bar was clicked.
    """

    height_clicked = Signal(int)

    def __init__(self, limit: int | None) -> None:
        super().__init__()
        self._limit = limit
        self._counts: Sequence[int] = [0] * len(HEIGHT_COLORS)
        self.setFixedHeight(104)
        self.setAccessibleName(tr("Cells of each height"))

    def sizeHint(self) -> QSize:
        return QSize(180, 104)

    def show_counts(self, counts: Sequence[int]) -> None:
        """Shows how many cells have each height, (10,)."""
        self._counts = list(counts)
        self.setAccessibleDescription(", ".join(map(self._words, range(len(counts)))))
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._words(self._height_at(event.pos().x())), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.height_clicked.emit(self._height_at(event.position().x()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(pixel_font(painter, 11))
        for height in range(len(self._counts)):
            self._paint_bar(painter, height)
        if self._limit is not None:
            level = self._level(self._limit)
            painter.setPen(QPen(appearance().theme.color("failed"), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(0, level), QPointF(self.width(), level))

    def _paint_bar(self, painter: QPainter, height: int) -> None:
        theme = appearance().theme
        count = self._counts[height]
        over = self._limit is not None and count > self._limit
        width = self.width() / len(self._counts)
        top = self._level(count)
        bar = QRectF(height * width + 2, top, width - 4, self.height() - _FOOT - top)
        painter.setPen(QPen(theme.color("failed" if over else "secondary"), 1.6 if over else 0.6))
        painter.setBrush(QColor(HEIGHT_COLORS[height]))
        if count:
            painter.drawRect(bar)
        painter.setPen(theme.color("failed" if over else "secondary"))
        foot = QRectF(height * width, self.height() - _FOOT, width, _FOOT)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, str(height))
        if over:
            painter.drawText(
                QRectF(bar.x() - 6, top - _HEAD, bar.width() + 12, _HEAD), Qt.AlignmentFlag.AlignCenter, str(count)
            )

    def _level(self, count: int) -> float:
        full = max(1, *self._counts) if self._limit is None else _ROOM * max(1, self._limit)
        share = min(1.0, count / full)
        return self.height() - _FOOT - share * (self.height() - _FOOT - _HEAD)

    def _height_at(self, x: float) -> int:
        return min(max(int(x * len(self._counts) / max(1, self.width())), 0), len(self._counts) - 1)

    def _words(self, height: int) -> str:
        count = self._counts[height]
        words = f"Height {height}: {counted(count, 'cell')}"
        return said(words if self._limit is None else f"{words} of at most {self._limit}")
