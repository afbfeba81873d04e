"""Small drawings of blocks for the palette, seen as the machine is seen at first."""

from __future__ import annotations

from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import SPRING, BlockType, block_types
from spatial_workbench.engine.tasks.machine.drawing import block_mesh, coil

ICON_PX = 32
_SHARPNESS = 3
"""Pixels that are drawn for one of the icon's, so that it is sharp on dense screens."""
_LARGEST_M = 3.2
"""Blocks of this size fill the icon; smaller ones are drawn smaller, so that sizes can be compared."""
_SMALLEST_SHARE = 0.55
_DARKEST = 0.36
_LIGHT = np.array([-0.35, -0.5, 0.8])
_AZIMUTH = np.radians(-58.0)
_ELEVATION = np.radians(30.0)


@cache
def block_icon(number: int) -> QIcon:
    """The icon of a block type."""
    kind = block_types()[number]
    picture = QPixmap(ICON_PX * _SHARPNESS, ICON_PX * _SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if kind.is_linear:
        _paint_line(painter, kind)
    else:
        _paint_block(painter, kind)
    painter.end()
    return QIcon(picture)


def _axes() -> Floats:
    """The picture's right, its up, and the direction towards the viewer."""
    ca = np.cos(_AZIMUTH)
    sa = np.sin(_AZIMUTH)
    ce = np.cos(_ELEVATION)
    se = np.sin(_ELEVATION)
    return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])


def _paint_block(painter: QPainter, kind: BlockType) -> None:
    vertices, faces = block_mesh(kind.number)
    seen = vertices @ _axes().T
    flat = _placed(seen[:, :2], float(np.ptp(vertices, axis=0).max()))
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    shades = 0.62 + 0.38 * np.clip(normals @ (_LIGHT / np.linalg.norm(_LIGHT)), 0, 1)
    order = np.argsort(seen[faces].mean(axis=1)[:, 2])
    base = _visible(QColor(kind.color))
    for face in order[(normals @ _axes()[2])[order] > 0]:
        shade = float(shades[face])
        color = QColor.fromRgbF(base.redF() * shade, base.greenF() * shade, base.blueF() * shade)
        # The pen closes the hairlines between triangles.
        painter.setPen(QPen(color, 1.0))
        painter.setBrush(QBrush(color))
        painter.drawPolygon(QPolygonF([QPointF(*point) for point in flat[faces[face]].tolist()]))


def _visible(color: QColor) -> QColor:
    """A colour that stands out from dark and light panels."""
    return QColor.fromHslF(color.hslHueF(), color.hslSaturationF(), max(color.lightnessF(), _DARKEST))


def _paint_line(painter: QPainter, kind: BlockType) -> None:
    ends = np.array([(-1.0, 0.0, -0.5), (1.0, 0.0, 0.5)])
    points = coil(*ends) if kind.number == SPRING else ends
    flat = _placed(points @ np.array([[1, 0, 0], [0, 0, 1]], float).T, _LARGEST_M * 0.7)
    pen = QPen(_visible(QColor(kind.color)), (1.5 if kind.number == SPRING else 4.0) * _SHARPNESS)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF([QPointF(*point) for point in flat.tolist()]))


def _placed(points: Floats, size_m: float) -> Floats:
    """Points (n, 2) of a drawing with y up, as pixels in the middle of the icon."""
    pixels = ICON_PX * _SHARPNESS
    share = max(_SMALLEST_SHARE, min(1.0, size_m / _LARGEST_M)) * 0.94
    low, high = points.min(axis=0), points.max(axis=0)
    scale = pixels * share / max(float((high - low).max()), 1e-9)
    return np.asarray((points - (low + high) / 2) * (scale, -scale) + pixels / 2)
