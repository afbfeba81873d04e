"""The gestures: placing boxes on faces or the ground, and moving the selection."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from spatial_workbench.engine.tasks.pack_prisms.packing import Ints
from spatial_workbench.widgets.editing.gestures import CONTROL, SHIFT, MoveSelection, Place
from spatial_workbench.widgets.scene_views.view import PointerEvent


class PackingWorkpiece(Protocol):
    """What the gestures work on. Corners and steps are (3,), whole numbers."""

    def corner_at(self, event: PointerEvent) -> Ints | None:
        """The lowest corner of the block that a click would place."""

    def lay(self, corner: Ints) -> None:
        """Places the block."""

    def flush_step(self, step: Ints) -> Ints:
        """How far the selection moves, snapped, when it is dragged by a step."""

    def move_boxes(self, step: Ints) -> None:
        """Moves the selected boxes."""

    def show_ghost(self, corner: Ints | None) -> None:
        """Shows the block that a click would place."""

    def show_move(self, step: Ints) -> None:
        """Shows where the selection would go."""


class PackingPlaceTool(Place):
    """A click places the chosen box, or block of boxes, where the ghost is."""

    uses_alt = False

    def __init__(self, workpiece: PackingWorkpiece) -> None:
        self._workpiece = workpiece
        self._corner: Ints | None = None

    def follow(self, event: PointerEvent) -> None:
        self._corner = self._workpiece.corner_at(event)
        self.again()

    def put(self, event: PointerEvent) -> bool:
        if self._corner is not None:
            self._workpiece.lay(self._corner)
        return self._corner is not None

    def again(self) -> None:
        """Updates the ghost after the block has changed."""
        self._workpiece.show_ghost(self._corner)

    def clear(self) -> None:
        self._corner = None
        self.again()


class PackingSelectTool(MoveSelection):
    """Clicks and boxes select; dragging a box moves the selection horizontally, or with Shift vertically."""

    adds_with = CONTROL

    def __init__(self, workpiece: PackingWorkpiece) -> None:
        super().__init__()
        self._workpiece = workpiece
        self._held = self._start = np.zeros(3)

    def element(self, event: PointerEvent) -> str | None:
        return event.pick.id if event.pick is not None and event.pick.id.startswith("box ") else None

    def take(self, event: PointerEvent) -> str | None:
        element = super().take(event)
        if element is None or event.pick is None:
            return None
        self._held = np.array(event.pick.position)
        start = event.on_plane(self._held[2])
        if start is None:
            return None
        self._start = start
        return element

    def show_move(self, event: PointerEvent) -> None:
        self._workpiece.show_move(self._step(event))

    def move_there(self, event: PointerEvent) -> None:
        self._workpiece.move_boxes(self._step(event))

    def clear(self) -> None:
        self._workpiece.show_ghost(None)

    def _step(self, event: PointerEvent) -> Ints:
        if event.has(SHIFT):
            return self._workpiece.flush_step(np.array([0, 0, round(self._height(event))], np.int64))
        point = event.on_plane(self._held[2])
        if point is None:
            return np.zeros(3, np.int64)
        return self._workpiece.flush_step(np.round([*(point - self._start)[:2], 0]).astype(np.int64))

    def _height(self, event: PointerEvent) -> float:
        """The height above the grip at which the line of sight is nearest to the vertical through it."""
        origin, way = event.ray
        flat = way[:2]
        along = float(np.dot(self._held[:2] - origin[:2], flat) / max(np.dot(flat, flat), 1e-9))
        return float(origin[2] + along * way[2] - self._held[2])
