"""The selection of shapes, and the eraser."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from spatial_workbench.engine.puzzles.annotation.layers import (
    Point,
)
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.painting import paint_shape
from spatial_workbench.widgets.sketch.pointer import Touch
from spatial_workbench.widgets.sketch.shapes import is_hit, outline_box, without
from spatial_workbench.widgets.sketch.tools.base import CONTROL, REACH_PX, SHIFT, SketchTool
from spatial_workbench.widgets.sketch.tools.text import text_at
from spatial_workbench.widgets.sketch.view import PageView


class EraserTool(SketchTool):
    """Removes the shapes that it touches."""

    hint = "Click or drag over what should go; whole shapes are removed."

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._is_down = False

    def press(self, touch: Touch) -> None:
        self._is_down = True
        self.move(touch)

    def move(self, touch: Touch) -> None:
        layer = self.desk.current
        within = REACH_PX / touch.scale
        if self._is_down and (gone := {i for i, s in enumerate(layer.shapes) if is_hit(s, touch.point, within)}):
            self.desk.put("Erase", without(layer, gone))

    def release(self, touch: Touch) -> None:
        self._is_down = False


class SketchPickTool(SketchTool):
    """Selects shapes, and moves those that are selected."""

    cursor = Qt.CursorShape.ArrowCursor
    hint = "Click to select, Ctrl adds, drag to move. Delete removes, a colour recolours. Double-click changes a text."

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._from: Point | None = None
        self._band: Point | None = None
        self._to: Point = (0.0, 0.0)

    @property
    def is_busy(self) -> bool:
        return self._from is not None or self._band is not None

    def press(self, touch: Touch) -> None:
        layer = self.desk.current
        within = REACH_PX / touch.scale
        chosen = self.desk.selection
        index = max((i for i, s in enumerate(layer.shapes) if is_hit(s, touch.point, within)), default=None)
        self._to = touch.point
        if index is None:
            self._band = touch.point
            return
        if touch.has(CONTROL | SHIFT):
            self.desk.select(chosen ^ {index})
        elif index not in chosen:
            self.desk.select({index})
        self._from = touch.point

    def move(self, touch: Touch) -> None:
        self._to = touch.point
        if self.is_busy:
            self.desk.view.update()

    def release(self, touch: Touch) -> None:
        start = self._from
        band = self._band
        self.stop()
        if band is not None:
            self._select_in(QRectF(QPointF(*band), QPointF(*touch.point)).normalized(), touch)
        elif start is not None and math.dist(start, touch.point) * touch.scale >= 3:
            self.desk.move_selected((touch.point[0] - start[0], touch.point[1] - start[1]))

    def stop(self) -> None:
        self._from = self._band = None
        self.desk.view.update()

    def paint(self, painter: QPainter, view: PageView) -> None:
        pen = QPen(appearance().theme.color("accent"), 1, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        if self._band is not None:
            painter.setPen(pen)
            painter.drawRect(QRectF(QPointF(*self._band), QPointF(*self._to)).normalized())
        elif self._from is not None:
            layer = self.desk.current
            painter.translate(self._to[0] - self._from[0], self._to[1] - self._from[1])
            painter.setOpacity(0.6)
            for i in sorted(self.desk.selection):
                paint_shape(painter, layer.shapes[i], layer.size)

    def double_click(self, touch: Touch) -> None:
        if (text := text_at(self.desk, touch)) is not None:
            self.desk.rewrite(text)
        else:
            self.press(touch)

    def _select_in(self, area: QRectF, touch: Touch) -> None:
        inside = {i for i, shape in enumerate(self.desk.current.shapes) if area.contains(outline_box(shape))}
        adds = touch.has(CONTROL | SHIFT)
        self.desk.select(self.desk.selection | inside if adds else inside)
