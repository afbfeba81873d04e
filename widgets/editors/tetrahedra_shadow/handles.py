"""Handles on the selection in the 3D view: the arrow along each axis moves, the ring on the arrow turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.scene_views.gizmo import AXIS_COLORS
from spatial_workbench.widgets.scene_views.view import SceneView

LENGTH = 1.0
"""The length of an arrow; its ring is in the middle."""
HIT_PX, KNOB_PX = 9.0, 5.5


@dataclass(frozen=True)
class Handle:
    """The axis (0 to 2), and whether the handle turns about it or moves along it."""

    axis: int
    turns: bool


class Handles:
    """The handles, painted over the 3D view; `center` returns the middle of the selection (3,), or None."""

    def __init__(self, center: Callable[[], Floats | None]) -> None:
        self._center = center
        self._held = np.zeros(3)

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints three arrows with rings; an overlay of the view."""
        center = self._center()
        if center is None or view.scene.flat:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        start = _point(view, center)
        for handle, place in self._places(view, center):
            color = QColor(AXIS_COLORS[view.theme.is_dark][handle.axis])
            painter.setPen(QPen(color, 2.0))
            if handle.turns:
                painter.setBrush(view.theme.color("viewport_top"))
                painter.drawEllipse(place, KNOB_PX, KNOB_PX)
                continue
            painter.drawLine(start, place)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(place, KNOB_PX, KNOB_PX)

    def at(self, view: SceneView, pos: QPointF) -> Handle | None:
        """The handle under the pointer."""
        center = self._center()
        if center is None or view.scene.flat:
            return None
        near = [
            (float(np.hypot(pos.x() - place.x(), pos.y() - place.y())), handle)
            for handle, place in self._places(view, center)
        ]
        distance, handle = min(near, key=lambda pair: pair[0])
        self._held = center
        return handle if distance <= HIT_PX else None

    def way(self, view: SceneView, handle: Handle, start: QPointF, pos: QPointF) -> float:
        """How far along its axis a drag has moved a handle."""
        begun, now = (_along(view, self._held, handle.axis, place) for place in (start, pos))
        return 0.0 if begun is None or now is None else now - begun

    def _places(self, view: SceneView, center: Floats) -> list[tuple[Handle, QPointF]]:
        """The handles with their places, arrows first, so that rings lie over them."""
        ends = [
            (Handle(axis, turns), center + np.eye(3)[axis] * LENGTH * (0.5 if turns else 1.0))
            for turns in (False, True)
            for axis in range(3)
        ]
        return [(handle, _point(view, end)) for handle, end in ends]


def _point(view: SceneView, point: Floats) -> QPointF:
    x, y = view.project(point[None])[0].tolist()
    return QPointF(x, y)


def _along(view: SceneView, center: Floats, axis: int, pos: QPointF) -> float | None:
    """The position on the axis through the centre that is nearest to the line of sight."""
    origin, sight = view.ray(pos)
    way = np.eye(3)[axis]
    across = np.cross(way, sight)
    if float(across @ across) < 1e-6:
        return None
    return float(np.cross(origin - center, sight) @ across / (across @ across))
