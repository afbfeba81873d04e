"""What the pointer does: lay boxes on faces or the ground, and move what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from engine.core.scene import Floats
from engine.tasks.pack_prisms.packing import Ints
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.pack_prisms import PackPrismsEditor


class PlaceTool(Tool):
    """A click lays the chosen box, or block of boxes, where the ghost is."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: PackPrismsEditor) -> None:
        self._editor = editor
        self._corner: Ints | None = None

    def press(self, event: PointerEvent) -> bool:
        """Lays the block, or says why not."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._follow(event)
        if self._corner is not None:
            self._editor.lay(self._corner)
        return self._corner is not None

    def move(self, event: PointerEvent) -> bool:
        """Shows the ghost."""
        if event.buttons:
            return False
        self._follow(event)
        return True

    def again(self) -> None:
        """Shows the ghost anew after the block changed."""
        self._editor.show_ghost(self._corner)

    def leave(self) -> None:
        """Takes the ghost away."""
        self._corner = None
        self._editor.show_ghost(None)

    def stop(self) -> None:
        """Takes the ghost away."""
        self.leave()

    def _follow(self, event: PointerEvent) -> None:
        self._corner = self._editor.corner_at(event)
        self._editor.show_ghost(self._corner)


class SelectTool(Tool):
    """Clicks and boxes select; a drag on a selected box moves the selection over the ground, with Shift up and down."""

    def __init__(self, editor: PackPrismsEditor) -> None:
        self._editor = editor
        self._start: Floats | None = None
        self._grip = np.zeros(3)
        self._moved = False

    def press(self, event: PointerEvent) -> bool:
        """Takes hold of a box and of the selection that it belongs to."""
        pick = event.pick
        if event.button != Qt.MouseButton.LeftButton or pick is None or not pick.id.startswith("box "):
            return False
        if event.has(Qt.KeyboardModifier.ControlModifier):
            return False
        if pick.id not in self._editor.view.selection:
            self._editor.view.set_selection([pick.id])
        self._grip = np.array(pick.position)
        self._start = event.on_plane(self._grip[2])
        self._moved = False
        return self._start is not None

    def move(self, event: PointerEvent) -> bool:
        """Shows where they would go."""
        if self._start is None:
            return False
        self._moved = True
        self._editor.show_move(self._step(event))
        return True

    def release(self, event: PointerEvent) -> bool:
        """Moves them, as one step."""
        if self._start is None:
            return False
        step, moved = self._step(event), self._moved
        self.stop()
        if moved:
            self._editor.move_boxes(step)
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._start = None
        self._editor.view.set_ghost([])

    def _step(self, event: PointerEvent) -> Ints:
        if event.has(Qt.KeyboardModifier.ShiftModifier):
            return self._editor.flush_step(np.array([0, 0, round(self._height(event))], np.int64))
        point = event.on_plane(self._grip[2])
        if point is None or self._start is None:
            return np.zeros(3, np.int64)
        return self._editor.flush_step(np.round([*(point - self._start)[:2], 0]).astype(np.int64))

    def _height(self, event: PointerEvent) -> float:
        """How far up the vertical through the grip the pointer's line of sight passes nearest to it."""
        origin, way = event.ray
        flat = way[:2]
        along = float(np.dot(self._grip[:2] - origin[:2], flat) / max(np.dot(flat, flat), 1e-9))
        return float(origin[2] + along * way[2] - self._grip[2])
