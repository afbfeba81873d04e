"""The rock that a blast would remove."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.gestures import Cell
from spatial_workbench.widgets.editors.terrain_levelling.workpiece import LEAST_DEPTH_M, BlastPlan
from spatial_workbench.widgets.scene_views.view import SceneView


class HoleGhost:
    """Shows holes in a view; `note` are the two lines beside the pointer: the depth, and the cell."""

    def __init__(self, plan: BlastPlan, view: SceneView, click_depth: Setting[float], measures: bool) -> None:
        self.note = "", ""
        self._plan = plan
        self._view = view
        self._click_depth = click_depth
        self._measures = measures

    def show_hole(self, cell: Cell | None, depth: float) -> None:
        """Shows the rock that a blast would remove, with its depth."""
        if cell is None:
            self.note = "", ""
            self._view.set_ghost([])
            return
        x, y = cell
        if self._measures:
            self.note = f"{depth:.2f} m deep", f"({x}, {y}), {self._plan.height_at(cell):.2f} m high"
        self._view.set_ghost(
            [self._hole_box([cell], depth)], self._plan.objection(Charge(x, y, max(depth, LEAST_DEPTH_M)))
        )

    def show_holes(self, cells: Sequence[Cell]) -> None:
        """Shows the rock that the brush would remove."""
        self._view.set_ghost([self._hole_box(cells, self._click_depth.value)] if cells else [])

    def _hole_box(self, cells: Sequence[Cell], depth: float) -> Boxes:
        tops = np.array([self._plan.height_at(cell) for cell in cells])
        depths = np.minimum(depth, np.maximum(tops, LEAST_DEPTH_M))
        places = np.array(cells, float) + 0.5
        centers = np.column_stack([places, tops - depths / 2 + 0.02])
        sizes = np.column_stack([np.full((len(cells), 2), 1.04), depths])
        ids = [f"hole {k}" for k in range(len(cells))]
        return Boxes(name="holes", ids=ids, centers=centers, sizes=sizes, colors="accent", opacity=0.6)
