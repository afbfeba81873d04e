"""The gestures: painting on a layer, and clicking on a projection."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt

from spatial_workbench.engine.tasks.voxel_projection.editing import Spot
from spatial_workbench.widgets.editing.gestures import CONTROL, LEFT, Paint, grid_cell
from spatial_workbench.widgets.editors.voxel_projection.drawing import panel_at
from spatial_workbench.widgets.editors.voxel_projection.layer import GridLayer
from spatial_workbench.widgets.editors.voxel_projection.rays import RayChoice
from spatial_workbench.widgets.scene_views.view import PointerEvent, Tool


class VoxelPaintTool(Paint):
    """A press fills or empties a cell, and a drag continues with that; with Control it fills or empties a box."""

    def __init__(self, layer: GridLayer, n: int) -> None:
        super().__init__()
        self._layer = layer
        self._n = n
        self._value = True

    def cell(self, event: PointerEvent, clamp: bool = False) -> Spot | None:
        return grid_cell(event, self._n, self._n, clamp)

    def begin(self, cell: Spot, event: PointerEvent) -> bool:
        self._value = not self._layer.is_filled(cell)
        self._layer.move_cursor_to(cell)
        return True

    def preview(self, cells: Iterable[Spot]) -> None:
        self._layer.preview(cells, self._value)

    def commit(self, cells: Iterable[Spot]) -> None:
        self._layer.finish_stroke(cells, self._value)

    def stop(self) -> None:
        super().stop()
        self._layer.drop_stroke()

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """With Control, steps through the layers."""
        if event.has(CONTROL) and steps:
            self._layer.step_layer(1 if steps > 0 else -1)
        return event.has(CONTROL)


class RayTool(Tool):
    """A press on a hole of a projection offers the cells on its ray; elsewhere it selects the voxels on the ray."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, rays: RayChoice, n: int) -> None:
        self._rays = rays
        self._n = n

    def press(self, event: PointerEvent) -> bool:
        panel = panel_at(self._n, *event.point.tolist())
        if event.button != LEFT or panel is None:
            return False
        self._rays.choose_on_ray(*panel, event.view.mapToGlobal(event.pos.toPoint()))
        return True
