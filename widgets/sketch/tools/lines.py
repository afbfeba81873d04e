"""Tools for lines, arrows, rectangles, ellipses and polylines."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spatial_workbench.engine.puzzles.annotation.layers import (
    MOST_POINTS,
    Arrow,
    Ellipse,
    Point,
    Rectangle,
    Shape,
    Stroke,
)
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.painting import box, paint_shape
from spatial_workbench.widgets.sketch.pointer import Touch
from spatial_workbench.widgets.sketch.tiles import united
from spatial_workbench.widgets.sketch.tools.base import REACH_PX, SHIFT, SketchTool, rounded
from spatial_workbench.widgets.sketch.view import PageView


class Dragged(SketchTool):
    """Draws a shape between where the pointer went down and where it is."""

    label = ""

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._start: Point | None = None
        self._shape: Shape | None = None

    def make(self, start: Point, end: Point) -> Shape:
        """The shape between two points."""
        raise NotImplementedError

    def straightened(self, start: Point, end: Point) -> Point:
        """The end while Shift is held."""
        return squared(start, end)

    @property
    def is_busy(self) -> bool:
        return self._start is not None

    def press(self, touch: Touch) -> None:
        self._start = rounded(touch.point)

    def move(self, touch: Touch) -> None:
        if self._start is not None:
            self._show_shape(self._made(self._start, touch))

    def release(self, touch: Touch) -> None:
        start = self._start
        if start is None:
            return
        shape = self._made(start, touch)
        self.stop()
        if math.dist(start, touch.point) * touch.scale >= 2:
            self.add(self.label, shape)

    def stop(self) -> None:
        self._show_shape(None)
        self._start = None

    def paint(self, painter: QPainter, view: PageView) -> None:
        if self._shape is not None:
            paint_shape(painter, self._shape, self.desk.current.size)

    def _made(self, start: Point, touch: Touch) -> Shape:
        end = self.straightened(start, touch.point) if touch.has(SHIFT) else touch.point
        return self.make(start, rounded(end))

    def _show_shape(self, shape: Shape | None) -> None:
        area = united(box(part) for part in (self._shape, shape) if part is not None)
        self._shape = shape
        self.desk.view.update_area(area)


class LineTool(Dragged):
    """Draws straight lines."""

    label = "Draw line"
    hint = "Drag from end to end. Shift: horizontal, vertical or diagonal."

    def make(self, start: Point, end: Point) -> Shape:
        return Stroke(points=(start, end), **self.desk.look_fields)

    def straightened(self, start: Point, end: Point) -> Point:
        return in_eighths(start, end)


class ArrowTool(LineTool):
    """Draws arrows."""

    label = "Draw arrow"
    hint = "Drag to the arrow's head. Shift: horizontal, vertical or diagonal."

    def make(self, start: Point, end: Point) -> Shape:
        return Arrow(start=start, end=end, **self.desk.look_fields)


class SketchRectangleTool(Dragged):
    """Draws rectangles."""

    label = "Draw rectangle"
    hint = "Drag from corner to corner. Shift: a square."

    def make(self, start: Point, end: Point) -> Shape:
        return Rectangle(start=start, end=end, **self.desk.look_fields)


class EllipseTool(Dragged):
    """Draws ellipses."""

    label = "Draw ellipse"
    hint = "Drag from corner to corner of the box around it. Shift: a circle."

    def make(self, start: Point, end: Point) -> Shape:
        return Ellipse(start=start, end=end, **self.desk.look_fields)


class PolylineTool(SketchTool):
    """Draws lines from click to click."""

    hint = (
        "Click the corners. Double-click or Enter ends the line, a click on its start closes it, Backspace goes back."
    )

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._points: list[Point] = []
        self._next: Point | None = None

    @property
    def is_busy(self) -> bool:
        return bool(self._points)

    def press(self, touch: Touch) -> None:
        if len(self._points) > 2 and math.dist(self._points[0], touch.point) * touch.scale <= REACH_PX:
            self._finish(closed=True)
        elif len(self._points) < MOST_POINTS:
            self._points.append(rounded(self._straight(touch)))
            self.desk.view.update()

    def move(self, touch: Touch) -> None:
        self.hover(touch)

    def hover(self, touch: Touch) -> None:
        if self._points:
            self._next = self._straight(touch)
            self.desk.view.update()

    def double_click(self, touch: Touch) -> None:
        self._finish()

    def key(self, event: QKeyEvent) -> bool:
        if self._points and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish()
        elif self._points and event.key() == Qt.Key.Key_Backspace:
            self._points.pop()
            self.desk.view.update()
        else:
            return super().key(event)
        return True

    def stop(self) -> None:
        self._points = []
        self._next = None
        self.desk.view.update()

    def paint(self, painter: QPainter, view: PageView) -> None:
        points = (*self._points, *([self._next] if self._next is not None and self._points else []))
        if points:
            paint_shape(painter, Stroke(points=points, **self.desk.look_fields), self.desk.current.size)

    def _straight(self, touch: Touch) -> Point:
        return in_eighths(self._points[-1], touch.point) if self._points and touch.has(SHIFT) else touch.point

    def _finish(self, closed: bool = False) -> None:
        points = tuple(self._points)
        self.stop()
        if len(points) > 1:
            self.add("Draw polyline", Stroke(points=points, closed=closed, **self.desk.look_fields))


def squared(start: Point, end: Point) -> Point:
    """The corner of the square from `start` towards `end`."""
    side = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    return start[0] + math.copysign(side, end[0] - start[0]), start[1] + math.copysign(side, end[1] - start[1])


def in_eighths(start: Point, end: Point) -> Point:
    """The end of a line whose direction is the nearest multiple of 45°."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    angle = round(math.atan2(dy, dx) / (math.pi / 4)) * math.pi / 4
    length = dx * math.cos(angle) + dy * math.sin(angle)
    return start[0] + length * math.cos(angle), start[1] + length * math.sin(angle)
