"""What makes a ghost easy to see and to judge: its edge over the picture, and words beside the pointer."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from engine.core.scene import Floats
from engine.tasks.lego_hemisphere.assembly import hull_of
from engine.tasks.lego_hemisphere.brick import HEIGHT, Poses
from widgets import overlays
from widgets.view import SceneView

OUTLINED = 40
"""The edges of so many ghosts are drawn; of more their faces are enough."""


def paint_edges(painter: QPainter, view: SceneView, poses: Floats, role: str) -> None:
    """The outlines of bricks at poses (n, 4), also where something is in front of them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(view.theme.color(role), 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for corners in _corners(poses[:OUTLINED]):
        places = view.project(corners)
        if np.isfinite(places).all():
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in hull_of(places).tolist()]))


def paint_words(painter: QPainter, view: SceneView, pointer: QPointF, share: float, where: str) -> None:
    """Says beside the pointer how much of the ghost would be in the shell."""
    title = f"{100 * share:.0f} % inside" if share >= 0.005 else "Not in the shell"
    overlays.paint_note(painter, view.rect(), pointer, (title, where), view.theme)


def _corners(poses: Floats) -> Floats:
    """The corners (n, 8, 3)."""
    there = Poses(poses)
    flat = np.repeat(there.footprints, 2, axis=1)
    z = there.centers[:, 2, None] + np.tile([-HEIGHT / 2, HEIGHT / 2], 4)
    return np.concatenate([flat, z[..., None]], axis=-1)
