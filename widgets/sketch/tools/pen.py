"""The pen."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from spatial_workbench.engine.puzzles.annotation.layers import (
    MOST_POINTS,
    Point,
    Stroke,
)
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.painting import pen_of
from spatial_workbench.widgets.sketch.pointer import Touch
from spatial_workbench.widgets.sketch.tools.base import SketchTool, rounded
from spatial_workbench.widgets.sketch.view import PageView

LEAST_STEP_PX = 0.7
"""The pen drops points closer than this on the screen."""


class SketchPenTool(SketchTool):
    """Draws freely; the pressure of a tablet's pen makes the line thicker."""

    hint = "Drag to draw."

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._points: list[Point] = []
        self._pressures: list[float] = []
        self._ink: QImage | None = None

    @property
    def is_busy(self) -> bool:
        return bool(self._points)

    def press(self, touch: Touch) -> None:
        view = self.desk.view
        ratio = view.devicePixelRatioF()
        self._ink = QImage(view.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        self._ink.setDevicePixelRatio(ratio)
        self._ink.fill(Qt.GlobalColor.transparent)
        self._points = [rounded(touch.point)]
        self._pressures = pressure_of(touch)
        self._draw(self._points[0])

    def move(self, touch: Touch) -> None:
        if not self._points or len(self._points) >= MOST_POINTS:
            return
        last = self._points[-1]
        if math.dist(last, touch.point) * touch.scale < LEAST_STEP_PX:
            return
        self._points.append(rounded(touch.point))
        self._pressures += pressure_of(touch)
        self._draw(last)

    def release(self, touch: Touch) -> None:
        if self._points:
            points = tuple(self._points)
            pressures = tuple(self._pressures)
            self.stop()
            fitting = pressures if len(pressures) == len(points) else ()
            self.add("Draw", Stroke(points=points, pressures=fitting, **self.desk.look_fields))

    def stop(self) -> None:
        self._points = []
        self._pressures = []
        self._ink = None
        self.desk.view.update()

    def paint(self, painter: QPainter, view: PageView) -> None:
        if self._ink is not None:
            painter.resetTransform()
            painter.setOpacity(self.desk.look.opacity)
            painter.drawImage(0, 0, self._ink)

    def _draw(self, start: Point) -> None:
        """Adds the newest piece of the line to what is on the screen; the rest of it is there already."""
        assert self._ink is not None
        look = self.desk.look
        end = self._points[-1]
        pressure = self._pressures[-1] if self._pressures else 1.0
        width = look.width_on(self.desk.current.size)
        width *= 0.3 + 0.7 * pressure if self._pressures else 1.0
        painter = QPainter(self._ink)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setTransform(self.desk.view.transform, combine=True)
        painter.setPen(pen_of(look.color, width))
        if start == end:
            painter.drawPoint(QPointF(*end))
        else:
            painter.drawLine(QPointF(*start), QPointF(*end))
        painter.end()
        piece = QRectF(QPointF(*start), QPointF(*end)).normalized().adjusted(-width, -width, width, width)
        self.desk.view.update_area(piece)


def pressure_of(touch: Touch) -> list[float]:
    """How hard the pen presses, from 0 to 1; nothing for what knows no pressure."""
    return [] if touch.pressure is None else [round(min(max(touch.pressure, 0.0), 1.0), 3)]
