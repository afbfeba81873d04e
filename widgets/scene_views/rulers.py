"""Coordinates along the left and the lower edge of a canvas."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.widgets.scene_views.canvas2d_items import Plane
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.theme import Theme

APART_PX = 64
STEPS = np.array([1.0, 2.0, 5.0, 10.0])
TICK_PX = 4


def tick_step(pixels_per_unit: float) -> float:
    """The smallest round distance at which ticks are at least APART_PX apart."""
    least = APART_PX / pixels_per_unit
    power = 10.0 ** np.floor(np.log10(least))
    return float(power * STEPS[np.searchsorted(STEPS * power, least * (1 - 1e-9))])


def step_of(scene: Scene, pixels_per_unit: float) -> float:
    """The distance between a scene's ticks; at least 1 where only whole numbers have a meaning."""
    return max(tick_step(pixels_per_unit), 1.0 if scene.whole else 0.0)


def ticks(low: float, high: float, step: float) -> np.ndarray:
    """The multiples of a step between two values."""
    return np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) * step + 0.0


def paint_rulers(painter: QPainter, plane: Plane, scene: Scene, theme: Theme) -> None:
    """Paints ticks with their values, and the axes' names."""
    width, height = plane.size
    step = step_of(scene, plane.pixels_per_unit)
    first = plane.to_scene(0, 0)
    last = plane.to_scene(width, height)
    painter.setFont(pixel_font(painter, 11))
    painter.setPen(theme.color("secondary"))
    center = Qt.AlignmentFlag.AlignCenter
    unit = f" ({said(scene.unit)})" if scene.unit else ""
    metrics = painter.fontMetrics()
    name_left = width - 8 - metrics.horizontalAdvance(said(scene.axes[0]) + unit)
    for value in ticks(first[0], last[0], step).tolist():
        x = float(plane.to_pixels(np.array([[value, 0.0]]))[0, 0])
        if 40 < x < name_left - 8 - metrics.horizontalAdvance(f"{value:.6g}") / 2:
            painter.drawLine(QPointF(x, height), QPointF(x, height - TICK_PX))
            painter.drawText(QRectF(x - 40, height - 20, 80, 14), center, f"{value:.6g}")
    for value in ticks(min(first[1], last[1]), max(first[1], last[1]), step).tolist():
        y = float(plane.to_pixels(np.array([[0.0, value]]))[0, 1])
        if 30 < y < height - 40:
            painter.drawLine(QPointF(0, y), QPointF(TICK_PX, y))
            side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(8, y - 8, 60, 16), side, f"{value:.6g}")
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(QRectF(width - 108, height - 20, 100, 14), right, said(scene.axes[0]) + unit)
    painter.drawText(QRectF(8, 4, 100, 16), Qt.AlignmentFlag.AlignLeft, said(scene.axes[1]) + unit)
