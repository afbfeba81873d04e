"""Small step graphs of the rewards' measures along the moves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.cube.facelets import apply_move
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.cube.rewards import face_measure, heuristic_measure, sticker_measure
from spatial_workbench.widgets.appearance import appearance

MEASURES = (
    ("stickers in place", sticker_measure, 54, "series 0"),
    ("whole faces", face_measure, 6, "series 1"),
    ("layer-by-layer step", heuristic_measure, 7, "series 2"),
)
ROW = 62


class RewardGraphs(QWidget):
    """A graph for each measure, with its last value."""

    def __init__(self) -> None:
        super().__init__()
        self._values: list[list[int]] = [[] for _ in MEASURES]
        self._measured: tuple[Colours, Sequence[str]] | None = None
        self.setMinimumHeight(ROW * len(MEASURES))
        self.setAccessibleName(tr("Measures along the moves"))

    def sizeHint(self) -> QSize:
        return QSize(220, ROW * len(MEASURES))

    def show_moves(self, start: Colours, moves: Sequence[str]) -> None:
        """Shows the measures along the moves; computes them only if something has changed."""
        if (start, moves) == self._measured:
            return
        self._measured = start, moves
        states = [start]
        for move in moves:
            states.append(apply_move(states[-1], move))
        self._values = [[measure(state) for state in states] for _, measure, _, _ in MEASURES]
        lines = [(name, f"{v[-1]} of {most}") for (name, _, most, _), v in zip(MEASURES, self._values, strict=True)]
        self.setToolTip("\n".join(f"{said(name)}: {said(figure)}" for name, figure in lines))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = appearance().theme
        for k, (name, _, most, role) in enumerate(MEASURES):
            values = self._values[k]
            box = QRectF(12, k * ROW + 20, self.width() - 24, ROW - 28)
            painter.setPen(theme.color("secondary"))
            last = f"{values[-1]} / {most}" if values else ""
            painter.drawText(QRectF(12, k * ROW, box.width(), 18), Qt.AlignmentFlag.AlignLeft, said(name))
            painter.drawText(QRectF(12, k * ROW, box.width(), 18), Qt.AlignmentFlag.AlignRight, last)
            painter.setPen(QPen(theme.color("line"), 1.0))
            painter.drawLine(box.bottomLeft(), box.bottomRight())
            _paint_steps(painter, box, values, most, theme.color(role))


def _paint_steps(painter: QPainter, box: QRectF, values: Sequence[int], most: int, color: QColor) -> None:
    if not values:
        return
    width = box.width() / max(1, len(values) - 1)
    heights = [box.bottom() - box.height() * value / most for value in values]
    points = [QPointF(box.left(), heights[0])]
    for i, height in enumerate(heights[1:], 1):
        x = box.left() + i * width
        points += [QPointF(x, points[-1].y()), QPointF(x, height)]
    painter.setPen(QPen(color, 2.0))
    painter.drawPolyline(QPolygonF(points))
