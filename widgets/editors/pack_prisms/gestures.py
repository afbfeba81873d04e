"""The gestures: placing boxes on faces or the ground, and moving the selection."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from spatial_workbench.engine.tasks.pack_prisms.editing import flush
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints
from spatial_workbench.widgets.editing.gestures import CONTROL, SHIFT, MoveSelection, Place
from spatial_workbench.widgets.editors.pack_prisms.boxes import PackedBoxes
from spatial_workbench.widgets.editors.pack_prisms.commands import PackingCommands
from spatial_workbench.widgets.editors.pack_prisms.drawing import draw_ghost
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView


class PackingStage(Protocol):
    """Where boxes are placed. Corners are (3,), whole numbers."""

    def corner_at(self, event: PointerEvent) -> Ints | None:
        """The lowest corner of the block that a click would place."""

    def place_block(self, corner: Ints) -> None:
        """Places the block."""

    def show_ghost(self, corner: Ints | None) -> None:
        """Shows the block that a click would place."""


class PackingPlaceTool(Place):
    """A click places the chosen box, or block of boxes, where the ghost is."""

    uses_alt = False

    def __init__(self, stage: PackingStage) -> None:
        self._stage = stage
        self._corner: Ints | None = None

    def follow(self, event: PointerEvent) -> None:
        self._corner = self._stage.corner_at(event)
        self.again()

    def put(self, event: PointerEvent) -> bool:
        if self._corner is not None:
            self._stage.place_block(self._corner)
        return self._corner is not None

    def again(self) -> None:
        """Updates the ghost after the block has changed."""
        self._stage.show_ghost(self._corner)

    def clear(self) -> None:
        self._corner = None
        self.again()


class PackingSelectTool(MoveSelection):
    """Clicks and boxes select; dragging a box moves the selection horizontally, or with Shift vertically."""

    adds_with = CONTROL

    def __init__(self, boxes: PackedBoxes, commands: PackingCommands, view: SceneView) -> None:
        super().__init__()
        self._boxes = boxes
        self._commands = commands
        self._view = view
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
        step = self._step(event)
        low, high = (corners[self._boxes.selected] + step for corners in self._boxes.corners)
        self._view.set_ghost([draw_ghost(self._boxes.order, low, high)])

    def move_there(self, event: PointerEvent) -> None:
        self._commands.move_boxes(self._step(event))

    def clear(self) -> None:
        self._view.set_ghost([])

    def _step(self, event: PointerEvent) -> Ints:
        if event.has(SHIFT):
            return self._flush_step(np.array([0, 0, round(self._height(event))], np.int64))
        point = event.on_plane(self._held[2])
        if point is None:
            return np.zeros(3, np.int64)
        return self._flush_step(np.round([*(point - self._start)[:2], 0]).astype(np.int64))

    def _flush_step(self, step: Ints) -> Ints:
        """How far the selection moves when it is dragged by a step, snapped to nearby walls and faces."""
        low, high = self._boxes.corners
        rest = np.setdiff1d(np.arange(len(low)), self._boxes.selected)
        first = np.asarray(low[self._boxes.selected].min(axis=0), np.int64)
        size = high[self._boxes.selected].max(axis=0) - first
        axes = np.flatnonzero(step).tolist()
        return np.asarray(flush(first + step, size, axes, self._boxes.target, low[rest], high[rest]) - first)

    def _height(self, event: PointerEvent) -> float:
        """The height above the grip at which the line of sight is nearest to the vertical through it."""
        origin, way = event.ray
        flat = way[:2]
        along = float(np.dot(self._held[:2] - origin[:2], flat) / max(np.dot(flat, flat), 1e-9))
        return float(origin[2] + along * way[2] - self._held[2])
