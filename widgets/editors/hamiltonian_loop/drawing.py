"""The overlay of the grid: forced links, cells that cannot be finished, parts that are cut off, the cursor."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell
from spatial_workbench.widgets.editors.hamiltonian_loop.cursor import LoopCursor
from spatial_workbench.widgets.editors.hamiltonian_loop.workpiece import LoopLinks
from spatial_workbench.widgets.scene_views.view import SceneView


class GridMarks:
    """An overlay of the canvas."""

    def __init__(self, loop: LoopLinks, cursor: LoopCursor) -> None:
        self._loop = loop
        self._at = cursor

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._forced(painter, view)
        self._cut_off(painter, view)
        self._starved(painter, view)
        self._cursor(painter, view)

    def _forced(self, painter: QPainter, view: SceneView) -> None:
        color = view.theme.color("accent")
        color.setAlphaF(0.55)
        painter.setPen(QPen(color, 1.6, Qt.PenStyle.DotLine, Qt.PenCapStyle.RoundCap))
        for pair in self._loop.forced:
            (ax, ay), (bx, by) = view.project(np.array(pair, float)).tolist()
            painter.drawLine(QPointF(ax, ay), QPointF(bx, by))

    def _cut_off(self, painter: QPainter, view: SceneView) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(view.theme.color("failed"), Qt.BrushStyle.BDiagPattern))
        for part in self._loop.dead_ends.cut_off:
            for cell in part:
                painter.drawRect(_box(view, cell, 0.5))

    def _starved(self, painter: QPainter, view: SceneView) -> None:
        painter.setPen(QPen(view.theme.color("warning"), 2.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for cell in self._loop.dead_ends.starved:
            painter.drawRoundedRect(_box(view, cell, 0.36), 4, 4)

    def _cursor(self, painter: QPainter, view: SceneView) -> None:
        color = view.theme.color("accent")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 2.0))
        painter.drawRect(_box(view, self._at.cell, 0.47))
        if self._at.corner is not None:
            painter.setPen(QPen(color, 2.0, Qt.PenStyle.DashLine))
            painter.drawRect(_box(view, self._at.corner, 0.47))


def _box(view: SceneView, cell: Cell, half: float) -> QRectF:
    """The square around a cell's centre, in pixels."""
    x, y = cell
    low, high = view.project(np.array([(x - half, y - half), (x + half, y + half)])).tolist()
    return QRectF(QPointF(*low), QPointF(*high)).normalized()
