"""The overlay of the square: locked joints, the open end, and how wide the gap is."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.editors.pipe_loop.chain import Chain
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.scene_views.view import SceneView

LOCK_PX = 8.0
END_PX = 9.0


class ChainMarks:
    """An overlay of the canvas."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._chain.points:
            pixels = view.project(np.array(self._chain.points))
            self._locks(painter, view, pixels)
            if not self._chain.closed:
                self._end(painter, view, pixels)

    def _locks(self, painter: QPainter, view: SceneView, pixels: Floats) -> None:
        painter.setPen(QPen(view.theme.color("warning"), 2.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for joint in self._chain.locked:
            if joint < len(pixels):
                x, y = pixels[joint]
                painter.drawRect(QRectF(x - LOCK_PX, y - LOCK_PX, 2 * LOCK_PX, 2 * LOCK_PX))

    def _end(self, painter: QPainter, view: SceneView, pixels: Floats) -> None:
        painter.setPen(QPen(view.theme.color("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(*pixels[-1]), END_PX, END_PX)
        if len(pixels) > 2 and self._chain.gap_in_words:
            self._gap(painter, view, (pixels[0] + pixels[-1]) / 2)

    def _gap(self, painter: QPainter, view: SceneView, place: Floats) -> None:
        text = said(self._chain.gap_in_words)
        painter.setFont(pixel_font(painter, 11))
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12
        box = QRectF(place[0] - width / 2, place[1] - 9, width, 18)
        ground = view.theme.color("panel")
        ground.setAlphaF(0.88)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(view.theme.color("warning"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
