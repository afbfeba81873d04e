"""The gestures: painting on a layer, and clicking on a projection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QPoint, Qt

from spatial_workbench.engine.tasks.voxel_projection.editing import Spot
from spatial_workbench.widgets.editing.gestures import CONTROL, LEFT, Paint, grid_cell
from spatial_workbench.widgets.editors.voxel_projection.drawing import panel_at
from spatial_workbench.widgets.scene_views.view import PointerEvent, Tool


class Layers(Protocol):
    """What the gestures work on."""

    def is_filled(self, spot: Spot) -> bool:
        """Whether the cell at a spot of the layer is filled."""

    def move_cursor_to(self, spot: Spot) -> None:
        """Moves the cursor to a spot of the layer."""

    def preview(self, spots: Iterable[Spot], value: bool) -> None:
        """Shows a stroke before it is applied."""

    def finish_stroke(self, spots: Iterable[Spot], value: bool) -> None:
        """Applies a stroke, as a step of the history."""

    def drop_stroke(self) -> None:
        """Shows the answer again."""

    def step_layer(self, by: int) -> None:
        """Goes to the next layer (1) or the previous one (-1)."""

    def take_ray(self, axis: int, ray: Spot, where: QPoint) -> None:
        """Handles a click on a ray of a projection."""


class VoxelPaintTool(Paint):
    """A press fills or empties a cell, and a drag continues with that; with Control it fills or empties a box."""

    def __init__(self, layers: Layers, n: int) -> None:
        super().__init__()
        self._layers = layers
        self._n = n
        self._value = True

    def cell(self, event: PointerEvent, clamp: bool = False) -> Spot | None:
        return grid_cell(event, self._n, self._n, clamp)

    def begin(self, cell: Spot, event: PointerEvent) -> bool:
        self._value = not self._layers.is_filled(cell)
        self._layers.move_cursor_to(cell)
        return True

    def preview(self, cells: Iterable[Spot]) -> None:
        self._layers.preview(cells, self._value)

    def commit(self, cells: Iterable[Spot]) -> None:
        self._layers.finish_stroke(cells, self._value)

    def stop(self) -> None:
        super().stop()
        self._layers.drop_stroke()

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """With Control, steps through the layers."""
        if event.has(CONTROL) and steps:
            self._layers.step_layer(1 if steps > 0 else -1)
        return event.has(CONTROL)


class RayTool(Tool):
    """A press on a hole of a projection offers the cells on its ray; elsewhere it selects the voxels on the ray."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, layers: Layers, n: int) -> None:
        self._layers = layers
        self._n = n

    def press(self, event: PointerEvent) -> bool:
        panel = panel_at(self._n, *event.point.tolist())
        if event.button != LEFT or panel is None:
            return False
        self._layers.take_ray(*panel, event.view.mapToGlobal(event.pos.toPoint()))
        return True
