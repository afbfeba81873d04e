"""The gestures: painting on a layer, and clicking on a projection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from engine.tasks.voxel_projection.editing import Spot, line, rectangle
from widgets.editors.voxel_projection.drawing import panel_at
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.voxel_projection.editor import VoxelEditor

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


class PaintTool(Tool):
    """A press fills or empties a cell, a drag goes on with that; with Control it is a box. One step a stroke."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: VoxelEditor) -> None:
        self.editor = editor
        self._start: Spot | None = None
        self._last: Spot = (0, 0)
        self._spots: set[Spot] = set()
        self._boxed = False
        self._value = True

    def press(self, event: PointerEvent) -> bool:
        """Begins a stroke."""
        spot = self._spot(event)
        if event.button != LEFT or spot is None:
            return False
        self._start = self._last = spot
        self._boxed, self._spots = event.has(CONTROL), {spot}
        self._value = not self.editor.is_filled(spot)
        self.editor.move_cursor_to(spot)
        self.editor.preview(self._spots, self._value)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Goes on with it."""
        spot = self._spot(event, clamp=True)
        if self._start is None or spot is None or spot == self._last:
            return self._start is not None
        self._spots = set(rectangle(self._start, spot)) if self._boxed else self._spots | set(line(self._last, spot))
        self._last = spot
        self.editor.preview(self._spots, self._value)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Makes the stroke a step."""
        if self._start is None:
            return False
        spots, self._start = self._spots, None
        self.editor.finish_stroke(spots, self._value)
        return True

    def double_click(self, event: PointerEvent) -> bool:
        """The second press of a double click is a press."""
        return self.press(event)

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """With Control, goes through the layers."""
        if event.has(CONTROL) and steps:
            self.editor.step_layer(1 if steps > 0 else -1)
        return event.has(CONTROL)

    def stop(self) -> None:
        """Drops the stroke."""
        if self._start is not None:
            self._start = None
            self.editor.drop_stroke()

    def _spot(self, event: PointerEvent, clamp: bool = False) -> Spot | None:
        n = self.editor.grid.n
        u, v = (int(value // 1) for value in event.point)
        if clamp:
            return min(max(u, 0), n - 1), min(max(v, 0), n - 1)
        return (u, v) if 0 <= u < n and 0 <= v < n else None


class RayTool(Tool):
    """A click on a hole of a projection offers the cells on its ray; elsewhere it selects the voxels on the ray."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, editor: VoxelEditor) -> None:
        self.editor = editor

    def press(self, event: PointerEvent) -> bool:
        """Takes the ray under the pointer."""
        found = panel_at(self.editor.grid.n, *event.point.tolist())
        if event.button != LEFT or found is None:
            return False
        self.editor.take_ray(*found, event.view.mapToGlobal(event.pos.toPoint()))
        return True
