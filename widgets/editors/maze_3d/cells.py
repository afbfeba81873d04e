"""The cells of the plan: under the pointer, at the cursor, and selected."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Cell, id_of
from spatial_workbench.widgets.editors.maze_3d.draft import MazeDraft
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView


class MazeCells:
    """Cells by row and column; they are selected in `view`."""

    def __init__(self, draft: MazeDraft, view: SceneView) -> None:
        self._draft = draft
        self._view = view

    @property
    def selected(self) -> list[Cell]:
        """The selected cells, in the order they were selected."""
        names = [name.removeprefix("cell ").split(",") for name in self._view.selection if name.startswith("cell ")]
        return [cell for r, c in names if self.holds(cell := (int(r), int(c)))]

    @property
    def cursor_cell(self) -> Cell:
        """The cell at which keys act: the last selected cell, or else A."""
        return self.selected[-1] if self.selected else self._draft.maze.start or (0, 0)

    def select(self, cells: Iterable[Cell]) -> None:
        """Selects cells."""
        self._view.set_selection(map(id_of, cells))

    def select_height(self, height: int) -> None:
        """Selects all cells of a height."""
        self.select((r, c) for r, c in np.argwhere(self._draft.maze.heights == height).tolist())

    def move_cursor(self, way: Cell, extends: bool = False) -> None:
        """Selects the neighbour of the cursor."""
        r, c = self.cursor_cell
        n = self._draft.rules.size
        cell = min(max(r + way[0], 0), n - 1), min(max(c + way[1], 0), n - 1)
        self.select([*(old for old in self.selected if extends and old != cell), cell])

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is in the maze."""
        return min(cell) >= 0 and max(cell) < self._draft.rules.size

    def cell_at(self, event: PointerEvent) -> Cell | None:
        """The cell under the pointer."""
        x, y = np.floor(event.point).astype(int).tolist()
        return (y, x) if self.holds((y, x)) else None

    def nearest_cell(self, event: PointerEvent) -> Cell:
        """The cell under the pointer, or the nearest one."""
        x, y = np.clip(np.floor(event.point), 0, self._draft.rules.size - 1).astype(int).tolist()
        return y, x

    def marker_at(self, cell: Cell) -> str:
        """A or B, where one of them is."""
        return {self._draft.maze.start: "A", self._draft.maze.end: "B"}.get(cell, "")

    def common_height(self) -> int:
        """The height of the selected cells if they have the same, otherwise `BLANK`."""
        heights = {int(self._draft.maze.heights[cell]) for cell in self.selected}
        return heights.pop() if len(heights) == 1 else BLANK
