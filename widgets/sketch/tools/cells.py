"""Tools for grids: laying one over a page, and filling its cells."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPen

from spatial_workbench.engine.puzzles.annotation.layers import (
    Area,
    GridOverlay,
    Point,
    PuzzleLayer,
)
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.pointer import Touch
from spatial_workbench.widgets.sketch.shapes import without
from spatial_workbench.widgets.sketch.tools.base import SketchTool, rounded
from spatial_workbench.widgets.sketch.view import PageView


class SketchFillTool(SketchTool):
    """Fills cells of the grid, or empties them."""

    hint = "Click or drag over cells of the grid; a filled cell is emptied."

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._before: PuzzleLayer | None = None
        self._empties = False
        self._seen: set[tuple[int, int]] = set()

    @property
    def is_busy(self) -> bool:
        return self._before is not None

    def press(self, touch: Touch) -> None:
        layer = self.desk.current
        if layer.grid is None:
            self.desk.message.emit(
                "Lay a grid over the page first (G): a corner, the next corner to the right, the one below."
            )
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
            self.desk.put("Empty cells", without(layer, {index}))
        elif not self._empties and index is None:
            self.add("Fill cells", Area(points=_cell(layer.grid, cell), **self.desk.look_fields))

    def release(self, touch: Touch) -> None:
        self._before = None

    def stop(self) -> None:
        self._before = None

    def _index(self, layer: PuzzleLayer, cell: tuple[int, int]) -> int | None:
        """The topmost shape that fills exactly this cell."""
        assert layer.grid is not None
        outline = _cell(layer.grid, cell)
        places = (i for i, shape in enumerate(layer.shapes) if isinstance(shape, Area) and shape.points == outline)
        return max(places, default=None)


class GridTool(SketchTool):
    """Lays a grid over the page by three points."""

    hint = "Click a corner of the grid, the next cell's corner to the right, and the one below."

    def __init__(self, desk: SketchDesk) -> None:
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
            self.desk.message.emit("The three points lie on a line; choose a corner, one to its right and one below.")
            return
        self.desk.put("Lay grid", self.desk.current.model_copy(update={"grid": grid}))


def _cell(grid: GridOverlay, cell: tuple[int, int]) -> tuple[Point, ...]:
    return tuple(rounded(corner) for corner in grid.outline(*cell))
