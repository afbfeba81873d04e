"""Small drawings of blocks for the palette, seen as the machine is seen at first."""

from __future__ import annotations

from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QIconEngine, QPainter, QPen, QPixmap, QPolygonF

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import SPRING, BlockType, block_types
from spatial_workbench.engine.tasks.machine.drawing import block_mesh, coil
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import PaintedIcon

ICON_PX = 28
_SHARPNESS = 3
"""Pixels that are drawn for one of the icon's, so that it is sharp on dense screens."""
_LARGEST_M = 3.2
"""Blocks of this size fill the icon; smaller ones are drawn smaller, so that sizes can be compared."""
_SMALLEST_SHARE = 0.55
_DARKEST = {False: 0.3, True: 0.56}
"""The least lightness of a block's colour on light and (True) on dark panels."""
_LIGHTEST = {False: 0.62, True: 0.8}
_MUTED_OPACITY = 0.4
_LIGHT = np.array([-0.35, -0.5, 0.8])
_AZIMUTH = np.radians(-58.0)
_ELEVATION = np.radians(30.0)


class _BlockIcon(PaintedIcon):
    """Draws a block in colours that stand out from the panels of the current theme."""

    def __init__(self, number: int, is_muted: bool) -> None:
        super().__init__()
        self._number = number
        self._is_muted = is_muted

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        is_faint = self._is_muted or mode == QIcon.Mode.Disabled
        painter.setOpacity(_MUTED_OPACITY if is_faint else 1.0)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(rect, _picture(self._number, appearance().theme.is_dark))

    def clone(self) -> QIconEngine:
        return _BlockIcon(self._number, self._is_muted)


def block_icon(number: int, is_muted: bool = False) -> QIcon:
    """The icon of a block type; it follows the theme by itself. `is_muted`: drawn faintly."""
    return QIcon(_BlockIcon(number, is_muted))


@cache
def _picture(number: int, is_dark: bool) -> QPixmap:
    kind = block_types()[number]
    picture = QPixmap(ICON_PX * _SHARPNESS, ICON_PX * _SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = _visible(QColor(kind.color), is_dark)
    if kind.is_linear:
        _paint_line(painter, kind, color)
    else:
        _paint_block(painter, kind, color)
    painter.end()
    return picture


def _axes() -> Floats:
    """The picture's right, its up, and the direction towards the viewer."""
    ca = np.cos(_AZIMUTH)
    sa = np.sin(_AZIMUTH)
    ce = np.cos(_ELEVATION)
    se = np.sin(_ELEVATION)
    return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])


def _paint_block(painter: QPainter, kind: BlockType, base: QColor) -> None:
    vertices, faces = block_mesh(kind.number)
    seen = vertices @ _axes().T
    flat = _placed(seen[:, :2], float(np.ptp(vertices, axis=0).max()))
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    shades = 0.62 + 0.38 * np.clip(normals @ (_LIGHT / np.linalg.norm(_LIGHT)), 0, 1)
    order = np.argsort(seen[faces].mean(axis=1)[:, 2])
    for face in order[(normals @ _axes()[2])[order] > 0]:
        shade = float(shades[face])
        color = QColor.fromRgbF(base.redF() * shade, base.greenF() * shade, base.blueF() * shade)
        # The pen closes the hairlines between triangles.
        painter.setPen(QPen(color, 1.0))
        painter.setBrush(QBrush(color))
        painter.drawPolygon(QPolygonF([QPointF(*point) for point in flat[faces[face]].tolist()]))


def _visible(color: QColor, is_dark: bool) -> QColor:
    """A colour that stands out from the panel."""
    lightness = min(max(color.lightnessF(), _DARKEST[is_dark]), _LIGHTEST[is_dark])
    return QColor.fromHslF(max(0.0, color.hslHueF()), color.hslSaturationF(), lightness)


def _paint_line(painter: QPainter, kind: BlockType, color: QColor) -> None:
    ends = np.array([(-1.0, 0.0, -0.5), (1.0, 0.0, 0.5)])
    points = coil(*ends) if kind.number == SPRING else ends
    flat = _placed(points @ np.array([[1, 0, 0], [0, 0, 1]], float).T, _LARGEST_M * 0.7)
    pen = QPen(color, (1.5 if kind.number == SPRING else 4.0) * _SHARPNESS)
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
