"""The gestures on the grid: drawing from cell to cell, clicking links, filling rectangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from spatial_workbench.engine.core.scene import Polyline
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import filled, flipped, serpentine, toggled, way_to
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid, link
from spatial_workbench.widgets.editing.gestures import Click, Drag
from spatial_workbench.widgets.editors.hamiltonian_loop.commands import LoopCommands
from spatial_workbench.widgets.editors.hamiltonian_loop.cursor import LoopCursor
from spatial_workbench.widgets.editors.hamiltonian_loop.workpiece import LoopLinks
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

CORNER_REACH = 0.24
"""How near, in cells, the pointer has to be to the point between four cells to hit that point."""
Target = tuple[Cell] | Link
"""What a click changes: the point at the lower right of a cell, or the link of two cells."""


@dataclass(frozen=True)
class LoopContext:
    """The context that the tools share; they show what they would do in `view`."""

    loop: LoopLinks
    cursor: LoopCursor
    commands: LoopCommands
    view: SceneView


def cell_at(grid: LoopGrid, event: PointerEvent) -> Cell:
    """The cell under the pointer; outside the grid, the nearest cell."""
    x, y = (round(float(v)) for v in event.point)
    return min(max(x, 1), grid.width), min(max(y, 1), grid.height)


def is_on_grid(grid: LoopGrid, event: PointerEvent) -> bool:
    """Whether the pointer is over the grid."""
    x, y = (round(float(v)) for v in event.point)
    return grid.holds((x, y))


class GridDrag(Drag[Cell]):
    """A drag that begins on a cell, and ends with one step of the history or with nothing."""

    def __init__(self, context: LoopContext) -> None:
        super().__init__()
        self._context = context

    def take(self, event: PointerEvent) -> Cell | None:
        if not is_on_grid(self._context.loop.grid, event):
            return None
        cell = cell_at(self._context.loop.grid, event)
        self._context.cursor.go_to(cell)
        return cell

    def clear(self) -> None:
        self._context.view.set_ghost([])


class DrawTool(GridDrag):
    """The pencil: follows the pointer from cell to cell, and back, as far as possible."""

    def show(self, grip: Cell, event: PointerEvent) -> None:
        goal = cell_at(self._context.loop.grid, event)
        reason = ""
        for cell in way_to(self._context.cursor.cell, goal):
            reason = self._context.loop.extend(self._context.cursor.cell, cell)
            if reason:
                break
            self._context.cursor.go_to(cell)
        ends = np.array([self._context.cursor.cell, goal], float)
        blocked = Polyline(id="way", points=ends, width_px=2.0, dashed=True)
        self._context.view.set_ghost([blocked] if reason else [], reason)

    def finish(self, grip: Cell, event: PointerEvent) -> None:
        self._context.loop.commit("Draw")

    def stop(self) -> None:
        super().stop()
        self._context.loop.drop_preview()


class LinkTool(Click[Target]):
    """A click adds or removes a link between two cells, or swaps parallel links around a point."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, context: LoopContext) -> None:
        super().__init__()
        self._context = context

    def take(self, event: PointerEvent) -> Target | None:
        return self.target(event) if is_on_grid(self._context.loop.grid, event) else None

    def do(self, hit: Target, event: PointerEvent) -> None:
        self._context.cursor.go_to(cell_at(self._context.loop.grid, event))
        if len(hit) == 1:
            self._context.commands.flip(*hit)
        elif all(cell in self._context.loop.grid.neighbours for cell in hit):
            self._context.commands.toggle(hit)
        self.hover(event)

    def hover(self, event: PointerEvent) -> None:
        """Shows what a click would change."""
        grid = self._context.loop.grid
        links = self._context.loop.links
        target = self.take(event)
        if target is None:
            self.clear()
        elif len(target) == 1:
            _, reason = flipped(grid, links, *target)
            self._context.view.set_ghost([] if reason else [_square_beyond(*target)])
        elif all(cell in grid.neighbours for cell in target):
            _, reason = toggled(links, target)
            self._context.view.set_ghost([Polyline(id="link", points=np.array(target, float), width_px=5.0)], reason)
        else:
            self.clear()

    def clear(self) -> None:
        self._context.view.set_ghost([])

    def target(self, event: PointerEvent) -> Target:
        """The point between four cells (as its upper left cell), or the two cells beside the nearest border."""
        x, y = (float(v) for v in event.point)
        left, top = int(np.floor(x)), int(np.floor(y))
        if max(abs(x - left - 0.5), abs(y - top - 0.5)) < CORNER_REACH:
            return ((left, top),)
        cell = cell_at(self._context.loop.grid, event)
        dx, dy = x - cell[0], y - cell[1]
        way = (1 if dx > 0 else -1, 0) if abs(dx) > abs(dy) else (0, 1 if dy > 0 else -1)
        return link(cell, (cell[0] + way[0], cell[1] + way[1]))


class FillTool(GridDrag):
    """Fills a rectangle row by row, along its longer side, from the corner where the drag began."""

    def show(self, grip: Cell, event: PointerEvent) -> None:
        if not self.was_moved:
            return
        grid = self._context.loop.grid
        last = cell_at(self._context.loop.grid, event)
        _, reason = filled(grid, self._context.loop.links, grip, last)
        cells = serpentine(grip, last)
        run = [Polyline(id="run", points=np.array(cells, float), width_px=5.0)] if len(cells) > 1 else []
        self._context.view.set_ghost(run, reason)

    def finish(self, grip: Cell, event: PointerEvent) -> None:
        self._context.commands.fill_rectangle(grip, cell_at(self._context.loop.grid, event))


def _square_beyond(cell: Cell) -> Polyline:
    """The square of the cells that meet at the lower right of a cell."""
    x, y = cell
    ring = np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], float)
    return Polyline(id="square", points=ring, width_px=2.0, dashed=True, closed=True)
