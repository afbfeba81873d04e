"""The route pen: how heights follow, whether it jumps, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Item, Polygon, Polyline
from spatial_workbench.engine.tasks.maze_3d.drawing import trace_on_plan
from spatial_workbench.engine.tasks.maze_3d.editing import MazeSlope, RoutePen
from spatial_workbench.engine.tasks.maze_3d.maze import Cell
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.maze_3d.cells import MazeCells
from spatial_workbench.widgets.editors.maze_3d.draft import MazeDraft
from spatial_workbench.widgets.scene_views.view import SceneView


class MazePen:
    """Draws routes by pointer and by key, and shows in `view` what is drawn."""

    def __init__(
        self,
        draft: MazeDraft,
        cells: MazeCells,
        view: SceneView,
        say: Callable[[str], object],
        changed: Callable[[], object],
    ) -> None:
        self.slope = MazeSlope.AUTO
        self.jumps = Setting(False, changed)
        """Whether the next two cells of the route are a gap and its landing."""
        self._draft = draft
        self._cells = cells
        self._view = view
        self._say = say

    def pen_at(self, cell: Cell) -> RoutePen | None:
        """A pen on a cell; None, with a message, if no route can begin there."""
        if self._draft.maze.heights[cell] < 0:
            self._say("A route begins at A or at a cell that has a height.")
            return None
        return RoutePen(self._draft.maze, cell, self._draft.rules, keeps_rules=self._draft.is_judged)

    def draw_step(self, way: Cell) -> None:
        """Draws by key: from the cursor to its neighbour, or over it while the pen jumps."""
        r, c = self._cells.cursor_cell
        pen = self.pen_at((r, c))
        why = ""
        if pen is None:
            return
        for k in range(1, 3 if self.jumps.value else 2):
            cell = r + k * way[0], c + k * way[1]
            if not why:
                why = pen.enter(cell, self.slope, self.jumps.value) if self._cells.holds(cell) else "the maze ends here"
        if why:
            self._say(f"The route cannot go there: {why}.")
        else:
            self._draft.replace_maze("Draw route", pen.maze, merge="route by keys")
            self._cells.select([pen.cell])

    def clear_ghost(self) -> None:
        """Removes the preview of a gesture."""
        self._view.set_ghost([])

    def refuse(self, cell: Cell, why: str) -> None:
        """Shows beside the pointer why a gesture cannot go on."""
        self._view.set_ghost([_square(cell)], why)

    def show_pen(self, route: Sequence[Cell], gap: Cell | None) -> None:
        """Shows the route being drawn, and a gap that still lacks its landing."""
        items: list[Item] = [Polyline(id="pen", points=trace_on_plan(route), width_px=3.0)] if len(route) > 1 else []
        self._view.set_ghost([*items, *([_square(gap)] if gap else [])])

    def set_slope(self, slope: MazeSlope) -> None:
        """Sets how heights go on."""
        self.slope = slope

    def has_slope(self, slope: MazeSlope) -> bool:
        """Whether heights go on like this."""
        return self.slope is slope


def _square(cell: Cell) -> Polygon:
    r, c = cell
    corners = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
    return Polygon(id="ghost", points=corners, color="accent", opacity=0.35)
