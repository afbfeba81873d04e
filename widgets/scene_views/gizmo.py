"""The axes in a view's corner: they show how the scene is turned, and a press on one looks along it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.theme import Theme

RADIUS = 30.0
KNOB = 9.0
MARGIN = 16.0
ENDS = (
    (0, 1, "right"),
    (0, -1, "left"),
    (1, 1, "back"),
    (1, -1, "front"),
    (2, 1, "top"),
    (2, -1, "bottom"),
)
"""Axis, direction, and the standard view from there."""

AXIS_COLORS = {False: ("#C8453B", "#3E8E4A", "#2F6FDE"), True: ("#F07A70", "#62C07A", "#6EA0FF")}


def axis_colors(scene: Scene, theme: Theme) -> tuple[QColor, ...]:
    """The colours of a scene's three axes."""
    if scene.axis_colors is not None:
        return tuple(theme.color(role) for role in scene.axis_colors)
    return tuple(map(QColor, AXIS_COLORS[theme.is_dark]))


class AxesGizmo:
    """Painted with QPainter at the top right of a view."""

    def _center(self, area: QRect) -> QPointF:
        reach = RADIUS + KNOB + MARGIN
        return QPointF(area.right() - reach, area.top() + reach)

    def _ends(self, area: QRect, camera: Camera) -> list[tuple[float, QPointF, int, int, str]]:
        """Depth (far first), place, axis, direction and view of each end."""
        center = self._center(area)
        axes = camera.axes
        ends = []
        for axis, sign, view in ENDS:
            right, up, towards = axes[:, axis] * sign
            ends.append((float(towards), center + QPointF(right, -up) * RADIUS, axis, sign, view))
        return sorted(ends, key=lambda end: end[0])

    def view_at(self, pos: QPointF, area: QRect, camera: Camera) -> str:
        """The standard view of the end at a position; "" if there is none."""
        for _, place, _, _, view in reversed(self._ends(area, camera)):
            offset = pos - place
            if np.hypot(offset.x(), offset.y()) <= KNOB + 2:
                return view
        return ""

    def paint(self, painter: QPainter, area: QRect, camera: Camera, scene: Scene, theme: Theme) -> None:
        """Paints the axes of a scene with their names; nothing if they have none, or the view is too small."""
        names = [said(name) for name in scene.axes]
        if min(area.width(), area.height()) < 4 * RADIUS or not any(names):
            return
        colors = axis_colors(scene, theme)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        center = self._center(area)
        ends = [
            (place, names[axis] if sign > 0 else "", _faded(colors[axis], depth))
            for depth, place, axis, sign, _ in self._ends(area, camera)
        ]
        # Lines first, so that none crosses a name.
        for place, name, color in ends:
            if name:
                painter.setPen(QPen(color, 2))
                painter.drawLine(center, place)
        for place, name, color in ends:
            self._knob(painter, place, name, color, theme)
        painter.restore()

    def _knob(self, painter: QPainter, place: QPointF, name: str, color: QColor, theme: Theme) -> None:
        if not name:
            painter.setPen(QPen(color, 1.4))
            painter.setBrush(theme.color("viewport_top"))
            painter.drawEllipse(place, KNOB - 3, KNOB - 3)
            return
        painter.setFont(pixel_font(painter, 11, bold=True))
        width = max(2 * KNOB, painter.fontMetrics().horizontalAdvance(name) + 8.0)
        box = QRectF(place.x() - width / 2, place.y() - KNOB, width, 2 * KNOB)
        painter.setPen(Qt.PenStyle.NoPen)
        # A name stands out from solid colour only.
        painter.setBrush(QColor(color.rgb()))
        painter.drawRoundedRect(box, KNOB, KNOB)
        painter.setPen(QColor("#FFFFFF") if not theme.is_dark else QColor("#10131A"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)


def _faded(color: QColor, depth: float) -> QColor:
    """A colour that is paler the farther away its end is; depth from -1 (far) to 1."""
    faded = QColor(color)
    faded.setAlphaF(0.62 + 0.38 * (depth + 1) / 2)
    return faded
