"""The tools of the sketch pad. Each handles the pointer and puts shapes into the layer of the page in front."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPen

from spatial_workbench.engine.puzzles.layers import (
    COLORS,
    MOST_POINTS,
    Area,
    Arrow,
    Ellipse,
    GridOverlay,
    Layer,
    Point,
    Rectangle,
    Shape,
    Stroke,
    Text,
)
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.painting import box, paint_shape, pen_of
from spatial_workbench.widgets.sketch.shapes import is_hit, moved, outline_box
from spatial_workbench.widgets.sketch.tiles import united
from spatial_workbench.widgets.sketch.view import PageView, Touch

LEAST_STEP_PX = 0.7
"""The pen drops points closer than this on the screen."""
REACH_PX = 6.0
"""How far from a line, on the screen, a click still hits it."""
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True)
class Look:
    """What new shapes look like."""

    color: str = COLORS["red"]
    width: float = 4.0
    opacity: float = 1.0


class Desk(Protocol):
    """What tools work on: the sketch pad."""

    look: Look
    view: PageView
    selection: frozenset[int]
    """Indices of the selected shapes."""

    @property
    def current(self) -> Layer:
        """The layer of the page in front."""

    def put(self, label: str, layer: Layer) -> None:
        """Replaces the layer of the page in front, as a step of the history."""

    def select(self, indices: Iterable[int]) -> None:
        """Selects shapes by their indices."""

    def write_at(self, point: Point) -> None:
        """Opens a field for a text at a point."""

    def rewrite(self, text: Text) -> None:
        """Opens a field with a text of the layer, to be changed."""

    def tell(self, text: str) -> None:
        """Shows a message below the page."""


class SketchTool:
    """A tool that does nothing by itself."""

    cursor = Qt.CursorShape.CrossCursor
    edits = True
    """Whether it is only of use where something can be changed."""
    hint = ""
    """What the status line says while the tool is in hand."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def press(self, touch: Touch) -> None:
        """The left button, or the pen, went down."""

    def move(self, touch: Touch) -> None:
        """It moved while it was down."""

    def release(self, touch: Touch) -> None:
        """It went up."""

    def hover(self, touch: Touch) -> None:
        """The pointer moved with no button down."""

    def double_click(self, touch: Touch) -> None:
        """A second press at the same place."""
        self.press(touch)

    def key(self, event: QKeyEvent) -> bool:
        """A key was pressed; returns whether the tool used it."""
        if event.key() == Qt.Key.Key_Escape and self.is_busy:
            self.stop()
            return True
        return False

    @property
    def is_busy(self) -> bool:
        """Whether something has been begun that Escape cancels."""
        return False

    def stop(self) -> None:
        """Cancels what was begun."""

    def paint(self, painter: QPainter, view: PageView) -> None:
        """Paints what is being drawn, in the page's pixels."""

    def add(self, label: str, *shapes: Shape) -> None:
        """Puts shapes on top of the others."""
        layer = self.desk.current
        self.desk.put(label, layer.model_copy(update={"shapes": (*layer.shapes, *shapes)}))


class Pen(SketchTool):
    """Draws freely; the pressure of a tablet's pen makes the line thicker."""

    hint = "Drag to draw."

    def __init__(self, desk: Desk) -> None:
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
        self._pressures = _pressure_of(touch)
        self._draw(self._points[0])

    def move(self, touch: Touch) -> None:
        if not self._points or len(self._points) >= MOST_POINTS:
            return
        last = self._points[-1]
        if math.dist(last, touch.point) * touch.scale < LEAST_STEP_PX:
            return
        self._points.append(rounded(touch.point))
        self._pressures += _pressure_of(touch)
        self._draw(last)

    def release(self, touch: Touch) -> None:
        if self._points:
            look = self.desk.look
            points = tuple(self._points)
            pressures = tuple(self._pressures)
            self.stop()
            fitting = pressures if len(pressures) == len(points) else ()
            self.add("Draw", Stroke(points=points, pressures=fitting, **fields_of(look)))

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
        width = look.width * (0.3 + 0.7 * pressure) if self._pressures else look.width
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


class Dragged(SketchTool):
    """Draws a shape between where the pointer went down and where it is."""

    label = ""

    def __init__(self, desk: Desk) -> None:
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
            self._show(self._made(self._start, touch))

    def release(self, touch: Touch) -> None:
        start = self._start
        if start is None:
            return
        shape = self._made(start, touch)
        self.stop()
        if math.dist(start, touch.point) * touch.scale >= 2:
            self.add(self.label, shape)

    def stop(self) -> None:
        self._show(None)
        self._start = None

    def paint(self, painter: QPainter, view: PageView) -> None:
        if self._shape is not None:
            paint_shape(painter, self._shape, self.desk.current.size)

    def _made(self, start: Point, touch: Touch) -> Shape:
        end = self.straightened(start, touch.point) if touch.has(_SHIFT) else touch.point
        return self.make(start, rounded(end))

    def _show(self, shape: Shape | None) -> None:
        area = united(box(part) for part in (self._shape, shape) if part is not None)
        self._shape = shape
        self.desk.view.update_area(area)


class LineTool(Dragged):
    """Draws straight lines."""

    label, hint = "Draw line", "Drag from end to end. Shift: horizontal, vertical or diagonal."

    def make(self, start: Point, end: Point) -> Shape:
        return Stroke(points=(start, end), **fields_of(self.desk.look))

    def straightened(self, start: Point, end: Point) -> Point:
        return in_eighths(start, end)


class ArrowTool(LineTool):
    """Draws arrows."""

    label, hint = "Draw arrow", "Drag to the arrow's head. Shift: horizontal, vertical or diagonal."

    def make(self, start: Point, end: Point) -> Shape:
        return Arrow(start=start, end=end, **fields_of(self.desk.look))


class RectangleTool(Dragged):
    """Draws rectangles."""

    label, hint = "Draw rectangle", "Drag from corner to corner. Shift: a square."

    def make(self, start: Point, end: Point) -> Shape:
        return Rectangle(start=start, end=end, **fields_of(self.desk.look))


class EllipseTool(Dragged):
    """Draws ellipses."""

    label, hint = "Draw ellipse", "Drag from corner to corner of the box around it. Shift: a circle."

    def make(self, start: Point, end: Point) -> Shape:
        return Ellipse(start=start, end=end, **fields_of(self.desk.look))


class PolylineTool(SketchTool):
    """Draws lines from click to click."""

    hint = (
        "Click the corners. Double-click or Enter ends the line, a click on its start closes it, Backspace goes back."
    )

    def __init__(self, desk: Desk) -> None:
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
            paint_shape(painter, Stroke(points=points, **fields_of(self.desk.look)), self.desk.current.size)

    def _straight(self, touch: Touch) -> Point:
        return in_eighths(self._points[-1], touch.point) if self._points and touch.has(_SHIFT) else touch.point

    def _finish(self, closed: bool = False) -> None:
        points = tuple(self._points)
        self.stop()
        if len(points) > 1:
            self.add("Draw polyline", Stroke(points=points, closed=closed, **fields_of(self.desk.look)))


class TextTool(SketchTool):
    """Writes a line of text."""

    cursor = Qt.CursorShape.IBeamCursor
    hint = "Click where the text begins, or on a text to change it. Enter ends it, Escape drops it."

    def release(self, touch: Touch) -> None:
        if (text := text_at(self.desk, touch)) is not None:
            self.desk.rewrite(text)
        else:
            self.desk.write_at(rounded(touch.point))

    def double_click(self, touch: Touch) -> None:
        """The first click opened the field already."""


class FillTool(SketchTool):
    """Fills cells of the grid, or empties them."""

    hint = "Click or drag over cells of the grid; a filled cell is emptied."

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._before: Layer | None = None
        self._empties = False
        self._seen: set[tuple[int, int]] = set()

    @property
    def is_busy(self) -> bool:
        return self._before is not None

    def press(self, touch: Touch) -> None:
        layer = self.desk.current
        if layer.grid is None:
            self.desk.tell("Lay a grid over the page first (G): a corner, the next corner to the right, the one below.")
            return
        cell = layer.grid.cell_at(*touch.point)
        self._before = layer
        self._seen = set()
        self._empties = cell is not None and self._index(layer, cell) is not None
        self.move(touch)

    def move(self, touch: Touch) -> None:
        layer = self.desk.current
        if self._before is None or layer.grid is None:
            return
        cell = layer.grid.cell_at(*touch.point)
        if cell is None or cell in self._seen:
            return
        self._seen.add(cell)
        index = self._index(layer, cell)
        if self._empties and index is not None:
            self.desk.put("Empty cells", _without(layer, {index}))
        elif not self._empties and index is None:
            self.add("Fill cells", Area(points=_cell(layer.grid, cell), **fields_of(self.desk.look)))

    def release(self, touch: Touch) -> None:
        self._before = None

    def stop(self) -> None:
        self._before = None

    def _index(self, layer: Layer, cell: tuple[int, int]) -> int | None:
        """The topmost shape that fills exactly this cell."""
        assert layer.grid is not None
        outline = _cell(layer.grid, cell)
        places = (i for i, shape in enumerate(layer.shapes) if isinstance(shape, Area) and shape.points == outline)
        return max(places, default=None)


class GridTool(SketchTool):
    """Lays a grid over the page by three points."""

    hint = "Click a corner of the grid, the next cell's corner to the right, and the one below."

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._points: list[Point] = []

    @property
    def is_busy(self) -> bool:
        return bool(self._points)

    def press(self, touch: Touch) -> None:
        self._points.append(rounded(touch.point))
        self.desk.view.update()
        if len(self._points) == 3:
            grid = GridOverlay(corner=self._points[0], right=self._points[1], below=self._points[2])
            self.stop()
            self._lay(grid)

    def stop(self) -> None:
        self._points = []
        self.desk.view.update()

    def paint(self, painter: QPainter, view: PageView) -> None:
        radius = 5 / view.camera.scale
        pen = QPen(appearance().theme.color("accent"), 2)
        pen.setCosmetic(True)
        painter.setPen(pen)
        for x, y in self._points:
            painter.drawEllipse(QPointF(x, y), radius, radius)

    def _lay(self, grid: GridOverlay) -> None:
        if grid.cell_at(0, 0) is None:
            self.desk.tell("The three points lie on a line; choose a corner, one to its right and one below.")
            return
        self.desk.put("Lay grid", self.desk.current.model_copy(update={"grid": grid}))


class Eraser(SketchTool):
    """Removes the shapes that it touches."""

    hint = "Click or drag over what should go; whole shapes are removed."

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._is_down = False

    def press(self, touch: Touch) -> None:
        self._is_down = True
        self.move(touch)

    def move(self, touch: Touch) -> None:
        layer = self.desk.current
        within = REACH_PX / touch.scale
        if self._is_down and (gone := {i for i, s in enumerate(layer.shapes) if is_hit(s, touch.point, within)}):
            self.desk.put("Erase", _without(layer, gone))

    def release(self, touch: Touch) -> None:
        self._is_down = False


class Pick(SketchTool):
    """Selects shapes, and moves those that are selected."""

    cursor = Qt.CursorShape.ArrowCursor
    edits = False
    hint = "Click to select, Ctrl adds, drag to move. Delete removes, a colour recolours. Double-click changes a text."

    def __init__(self, desk: Desk) -> None:
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
        if touch.has(_CONTROL | _SHIFT):
            self.desk.select(chosen ^ {index})
        elif index not in chosen:
            self.desk.select({index})
        self._from = touch.point

    def move(self, touch: Touch) -> None:
        self._to = touch.point
        if self.is_busy:
            self.desk.view.update()

    def release(self, touch: Touch) -> None:
        start, band = self._from, self._band
        self.stop()
        if band is not None:
            self._select_in(QRectF(QPointF(*band), QPointF(*touch.point)).normalized(), touch)
        elif start is not None and math.dist(start, touch.point) * touch.scale >= 3:
            shift_by(self.desk, (touch.point[0] - start[0], touch.point[1] - start[1]))

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
        adds = touch.has(_CONTROL | _SHIFT)
        self.desk.select(self.desk.selection | inside if adds else inside)


def text_at(desk: Desk, touch: Touch) -> Text | None:
    """The uppermost text at a touch."""
    within = REACH_PX / touch.scale
    texts = (shape for shape in reversed(desk.current.shapes) if isinstance(shape, Text))
    return next((text for text in texts if is_hit(text, touch.point, within)), None)


def shift_by(desk: Desk, by: Point) -> None:
    """Moves the selected shapes."""
    layer, chosen = desk.current, desk.selection
    if not chosen:
        return
    shapes = tuple(moved(s, by) if i in chosen else s for i, s in enumerate(layer.shapes))
    desk.put("Move", layer.model_copy(update={"shapes": shapes}))
    desk.select(chosen)


def remove_selected(desk: Desk) -> None:
    """Deletes the selected shapes."""
    if desk.selection:
        chosen = desk.selection
        desk.select(())
        desk.put("Delete", _without(desk.current, chosen))


def restyle_selected(desk: Desk, **look: object) -> None:
    """Changes the colour, width or opacity of the selected shapes."""
    layer, chosen = desk.current, desk.selection
    if chosen:
        shapes = tuple(s.model_copy(update=look) if i in chosen else s for i, s in enumerate(layer.shapes))
        desk.put("Recolour" if "color" in look else "Restyle", layer.model_copy(update={"shapes": shapes}))
        desk.select(chosen)


def paint_selection(painter: QPainter, desk: Desk) -> None:
    """Marks the selected shapes."""
    shapes = desk.current.shapes
    color = QColor(appearance().theme.color("accent"))
    pen = QPen(color, 1.5, Qt.PenStyle.DashLine)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    margin = 3 / desk.view.camera.scale
    for i in desk.selection:
        painter.drawRect(outline_box(shapes[i]).adjusted(-margin, -margin, margin, margin))


def rounded(point: Sequence[float]) -> Point:
    """A point as it is stored: to a tenth of a pixel, within what a layer can hold."""
    x, y = (min(max(round(value, 1), -100_000.0), 100_000.0) for value in point)
    return x, y


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


def fields_of(look: Look) -> dict[str, Any]:
    return {"color": look.color, "width": look.width, "opacity": look.opacity}


def _pressure_of(touch: Touch) -> list[float]:
    return [] if touch.pressure is None else [round(min(max(touch.pressure, 0.0), 1.0), 3)]


def _cell(grid: GridOverlay, cell: tuple[int, int]) -> tuple[Point, ...]:
    return tuple(rounded(corner) for corner in grid.outline(*cell))


def _without(layer: Layer, indices: Iterable[int]) -> Layer:
    gone = set(indices)
    return layer.model_copy(update={"shapes": tuple(s for i, s in enumerate(layer.shapes) if i not in gone)})
