"""The handles on selected parts: three arrows to drag, and three knobs that turn by 90 degrees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.scene_views.gizmo import AXIS_COLORS
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

ARROW_PX = 74.0
KNOB_AT = 0.55
KNOB_PX = 8.0
HIT_PX = 9.0
LEAST_PX = 14.0
"""Axes whose arrows would be shorter, being seen nearly end-on, have no handles."""


class Gizmo:
    """The handles in a view; `center` returns the point where they meet, or None while there are none."""

    def __init__(self, view: Viewport3D, center: Callable[[], Floats | None]) -> None:
        self.hot = ""
        """The handle under the pointer."""
        self._view = view
        self._center = center
        view.add_overlay(self.paint)

    def mark_handle(self, handle: str) -> None:
        """Marks the handle under the pointer; "" marks none."""
        if handle != self.hot:
            self.hot = handle
            self._view.setCursor(Qt.CursorShape.SizeAllCursor if handle else Qt.CursorShape.ArrowCursor)
            self._view.update()

    def handle_at(self, pos: QPointF) -> str:
        """The handle under the pointer: "move x", "turn z" ...; "" if there is none."""
        best = HIT_PX
        name = ""
        for axis, (start, end) in self.handles().items():
            knob = start + KNOB_AT * (start - end)
            if np.hypot(*(knob - (pos.x(), pos.y()))) <= KNOB_PX + 2:
                return f"turn {axis}"
            distance = _distance(np.array([pos.x(), pos.y()]), start + 0.15 * (end - start), end)
            if distance < best:
                best = distance
                name = f"move {axis}"
        return name

    def place_of(self, handle: str) -> QPointF:
        """A point at which a handle can be grabbed."""
        kind, axis = handle.split()
        start, end = self.handles()[axis]
        spot = start + 0.7 * (end - start) if kind == "move" else start + KNOB_AT * (start - end)
        return QPointF(*spot.tolist())

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints the handles."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = AXIS_COLORS[view.theme.is_dark]
        for axis, (start, end) in self.handles().items():
            color = QColor(colors["xyz".index(axis)])
            self._arrow(painter, start, end, axis, color, view)
            self._knob(painter, start + KNOB_AT * (start - end), axis, color, view)

    def handles(self) -> dict[str, tuple[Floats, Floats]]:
        """The start and the end, in pixels, of the arrow of each axis that has handles."""
        center = self._center()
        view = self._view
        if center is None:
            return {}
        origin = view.project(center)[0]
        arrows = {}
        for axis, way in zip("xyz", np.eye(3), strict=True):
            step = view.project(center + way)[0] - origin
            length = float(np.hypot(*step))
            seen = length / max(1e-9, self._pixels_per_mm(center, origin))
            if np.isfinite(length) and seen * ARROW_PX >= LEAST_PX:
                arrows[axis] = (origin, origin + step / length * ARROW_PX * min(1.0, seen))
        return arrows

    def _pixels_per_mm(self, center: Floats, origin: Floats) -> float:
        ways = self._view.camera.axes[:2]
        return max(float(np.hypot(*(self._view.project(center + way)[0] - origin))) for way in ways)

    def _arrow(self, painter: QPainter, start: Floats, end: Floats, axis: str, color: QColor, view: SceneView) -> None:
        hot = self.hot == f"move {axis}"
        way = (end - start) / np.hypot(*(end - start))
        across = np.array([-way[1], way[0]])
        for width, ink in ((6.0, view.theme.color("viewport_top")), (4.0 if hot else 2.6, color)):
            painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(*start.tolist()), QPointF(*end.tolist()))
        tip = 15.0 if hot else 12.0
        corners = [end + 3 * way, end - tip * way + 6 * across, end - tip * way - 6 * across]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([QPointF(*corner.tolist()) for corner in corners]))
        painter.setPen(color)
        painter.setFont(pixel_font(painter, 11, bold=True))
        word = end + 14 * way
        painter.drawText(QRectF(word[0] - 10, word[1] - 10, 20, 20), Qt.AlignmentFlag.AlignCenter, axis)

    def _knob(self, painter: QPainter, place: Floats, axis: str, color: QColor, view: SceneView) -> None:
        hot = self.hot == f"turn {axis}"
        spot = QPointF(*place.tolist())
        painter.setPen(QPen(color, 2.0))
        painter.setBrush(color if hot else view.theme.color("viewport_top"))
        painter.drawEllipse(spot, KNOB_PX, KNOB_PX)
        painter.setPen(QPen(view.theme.color("viewport_top") if hot else color, 1.6))
        arc = QRectF(spot.x() - 4, spot.y() - 4, 8, 8)
        painter.drawArc(arc, 30 * 16, 270 * 16)


def _distance(point: Floats, start: Floats, end: Floats) -> float:
    """The distance from a point to a segment, in pixels."""
    way = end - start
    share = np.clip((point - start) @ way / max(1e-9, float(way @ way)), 0.0, 1.0)
    return float(np.hypot(*(point - start - share * way)))
