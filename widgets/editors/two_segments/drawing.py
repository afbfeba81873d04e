"""The overlay of the board: names and coordinates of the ends, rings around corners, slivers under a lens."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.two_segments.drawing import COLORS, PATTERNS
from spatial_workbench.engine.tasks.two_segments.editing import END_NAMES
from spatial_workbench.engine.tasks.two_segments.partition import Region
from spatial_workbench.engine.tasks.two_segments.placement import SegmentsPlacement
from spatial_workbench.widgets.editors.two_segments.workpiece import PlacedSegments
from spatial_workbench.widgets.scene_views.canvas2d_items import PATTERNS as BRUSHES
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.scene_views.view import SceneView

AWAY_PX = 16.0
"""Distance of a label from its end."""
RING_PX = 11.0
"""Least radius of the ring around a corner at which an end lies; the true tolerance may be smaller."""
LENS_PX = 46.0
LENS_FILLS = 0.8
"""The greatest share of the lens that a sliver's longer side takes up."""
MAX_ZOOM = 60.0


class BoardMarks:
    """An overlay of the canvas.

    Args:
        judges: Whether corners and slivers are marked.
    """

    def __init__(self, segments: PlacedSegments, judges: bool) -> None:
        self._segments = segments
        self._judges = judges

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        placed = SegmentsPlacement(self._segments.board, self._segments.segments)
        if self._judges:
            self._corners(painter, view, placed)
        self._labels(painter, view)
        if self._judges:
            self._slivers(painter, view, placed)

    def _slivers(self, painter: QPainter, view: SceneView, placed: SegmentsPlacement) -> None:
        least = self._segments.board.tolerance / 2
        for region in placed.regions if placed.is_partition else ():
            if region.share < least:
                self._lens(painter, view, region)

    def _corners(self, painter: QPainter, view: SceneView, placed: SegmentsPlacement) -> None:
        """Paints rings of the tolerance around corners, always visible where an end counts as the corner."""
        board = self._segments.board
        counting = {s for pair in placed.chords for s in pair}
        for k, (x, y) in enumerate(view.project(np.array(board.corners)).tolist()):
            radius = board.tolerance * board.length(k) * self._segments.pixels_per_unit
            taken = k * board.ticks in counting
            if not taken and radius < 2:
                continue
            painter.setPen(QPen(view.theme.color("accent" if taken else "muted"), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius = max(radius, RING_PX) if taken else radius
            painter.drawEllipse(QPointF(x, y), radius, radius)

    def _labels(self, painter: QPainter, view: SceneView) -> None:
        board = self._segments.board
        points = np.array([self._segments.point_of(end) for end in range(4)])
        middle = view.project(np.array(board.corners)).mean(axis=0)
        taken: list[QRectF] = []
        for end, place in enumerate(view.project(points)):
            x, y = points[end]
            box = _beside(place, place - middle, _size(painter, self._words(end, x, y)), view)
            while any(box.intersects(other) for other in taken):
                box.translate(0, box.height())
            taken.append(box)
            self._label(painter, view, box, self._words(end, x, y), end == self._segments.chosen)

    def _words(self, end: int, x: float, y: float) -> tuple[str, str]:
        decimals = self._segments.board.decimals
        return END_NAMES[end], f"({_short(x, decimals)}, {_short(y, decimals)})"

    def _label(self, painter: QPainter, view: SceneView, box: QRectF, words: tuple[str, str], chosen: bool) -> None:
        ground = view.theme.color("panel")
        ground.setAlphaF(0.85)
        painter.setPen(QPen(view.theme.color("accent"), 1) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 4, 4)
        inner = box.adjusted(6, 0, -6, 0)
        painter.setFont(pixel_font(painter, 12, bold=True))
        painter.setPen(view.theme.color("accent" if chosen else "text"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words[0])
        painter.setFont(pixel_font(painter, 12))
        painter.setPen(view.theme.color("secondary"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words[1])

    def _lens(self, painter: QPainter, view: SceneView, region: Region) -> None:
        """Paints a sliver enlarged, in a circle beside it."""
        corners = view.project(np.array(region.points))
        middle = corners.mean(axis=0)
        inward = view.project(np.array([self._segments.board.corners]).mean(axis=1))[0] - middle
        inward = inward / (np.linalg.norm(inward) or 1.0)
        center = middle + inward * (LENS_PX + 28)
        zoom = min(MAX_ZOOM, 2 * LENS_FILLS * LENS_PX / max(1e-6, np.ptp(corners, axis=0).max()))
        shown = [QPointF(*(center + (corner - middle) * max(zoom, 4.0))) for corner in corners]
        circle = QPointF(*center)
        painter.save()
        warning = view.theme.color("failed")
        painter.setPen(QPen(warning, 1.6, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(*middle), circle)
        lens = QPainterPath()
        lens.addEllipse(circle, LENS_PX, LENS_PX)
        painter.fillPath(lens, view.theme.color("panel"))
        painter.setClipPath(lens)
        painter.setPen(QPen(view.theme.color("text"), 1.5))
        painter.setBrush(QBrush(view.theme.color(COLORS[region.shape]), BRUSHES[PATTERNS[region.shape]]))
        painter.drawPolygon(QPolygonF(shown))
        painter.setClipping(False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(warning, 2))
        painter.drawEllipse(circle, LENS_PX, LENS_PX)
        self._sliver_words(painter, view, circle, region)
        painter.restore()

    def _sliver_words(self, painter: QPainter, view: SceneView, circle: QPointF, region: Region) -> None:
        text = said(f"sliver {region.shape}: {100 * region.share:.2g} %")
        painter.setFont(pixel_font(painter, 12, bold=True))
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12
        box = QRectF(circle.x() - width / 2, circle.y() - LENS_PX - 24, width, 20)
        painter.setBrush(view.theme.color("panel"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(view.theme.color("failed"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _short(value: float, decimals: int) -> str:
    """A coordinate with at most this many decimals, without trailing zeros."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


def _size(painter: QPainter, words: tuple[str, str]) -> tuple[float, float]:
    bold, plain = (QFontMetricsF(pixel_font(painter, 12, bold=b)) for b in (True, False))
    return bold.horizontalAdvance(words[0]) + plain.horizontalAdvance(words[1]) + 20, 20.0


def _beside(place: Floats, outward: Floats, size: tuple[float, float], view: SceneView) -> QRectF:
    """A box of this size outside the frame next to a place, inside the view."""
    width, height = size
    outward = outward / (np.linalg.norm(outward) or 1.0)
    center = place + outward * AWAY_PX + np.sign(outward) * np.abs(outward) * (width / 2, height / 2)
    x = min(max(center[0] - width / 2, 44.0), view.width() - width - 4)
    y = min(max(center[1] - height / 2, 4.0), view.height() - height - 24)
    return QRectF(x, y, width, height)
