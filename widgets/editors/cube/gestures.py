"""The gesture that turns a layer by dragging one of its stickers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, Qt

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.cube.geometry import LABELS, PLACES, STICKER_NORMALS, Vector, cross, face_of, negative
from spatial_workbench.engine.tasks.cube.drawing import CUBELET_SIZE, TO_SCENE
from spatial_workbench.widgets.editing.gestures import Drag
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

DECIDED_PX = 10.0
"""The direction of a drag is decided after this distance."""
ENOUGH = 0.3
"""Share of a quarter turn from which a release turns the layer; before that, the layer turns back."""
_AXES: tuple[Vector, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


class Turnable(Protocol):
    """A cube whose layers can be turned by hand."""

    def show_turning(self, move: str, share: float) -> None:
        """Shows a layer that has turned by a share of the move."""

    def show_at_rest(self) -> None:
        """Shows the cube as it is."""

    def turn(self, move: str, was_seen: bool = False) -> None:
        """Turns a layer for good."""


@dataclass
class Held:
    """A sticker that is being dragged.

    start: Where it was pressed.
    move: The turn that the drag makes; "" until that is decided.
    along_px: The step to the next sticker in the direction of the drag, on the screen.
    """

    sticker: int
    start: QPointF
    move: str = ""
    along_px: Floats = field(default_factory=lambda: np.zeros(2))

    def offset(self, event: PointerEvent) -> Floats:
        """How far the pointer has moved, in pixels."""
        way = event.pos - self.start
        return np.array([way.x(), way.y()])

    def share(self, event: PointerEvent) -> float:
        """How much of the quarter turn has been made; the width of one and a half stickers makes a whole one."""
        length = max(float(np.hypot(*self.along_px)), 1.0)
        along = float(self.offset(event) @ self.along_px) / length
        return min(max(along / (1.5 * length), 0.0), 1.0)


def turn_of_drag(sticker: int, way: Vector) -> str | None:
    """The quarter turn that moves a sticker in a direction in its face; None if only a middle layer does."""
    axis = cross(STICKER_NORMALS[sticker], way)
    layer = int(np.dot(PLACES[sticker], axis))
    if layer == 0:
        return None
    return f"{face_of(axis)}'" if layer > 0 else str(face_of(negative(axis)))


def ways_of(sticker: int) -> list[Vector]:
    """The four directions from a sticker within its face."""
    normal = STICKER_NORMALS[sticker]
    along = [axis for axis in _AXES if np.dot(axis, normal) == 0]
    return [*along, *(negative(axis) for axis in along)]


def way_of_drag(view: SceneView, sticker: int, offset: Floats) -> tuple[Vector, Floats]:
    """The direction from a sticker that is closest to a drag, and its step on the screen: (2,), in pixels."""
    ways = ways_of(sticker)
    center = np.array(PLACES[sticker]) + np.array(STICKER_NORMALS[sticker]) * CUBELET_SIZE / 2
    points = np.array([center, *(center + np.array(way) for way in ways)]) @ TO_SCENE.T
    places = view.project(points.astype(float))
    directions = places[1:] - places[0]
    best = int(np.argmax(directions @ offset / np.maximum(np.linalg.norm(directions, axis=1), 1e-9)))
    return ways[best], directions[best]


class LayerTool(Drag[Held]):
    """Drag a sticker: its layer follows the pointer and snaps to a quarter turn, or back."""

    cursor = Qt.CursorShape.OpenHandCursor

    def __init__(self, cube: Turnable, say: Callable[[str], object]) -> None:
        super().__init__()
        self._cube = cube
        self._say = say
        self._is_turning = False

    def take(self, event: PointerEvent) -> Held | None:
        name = event.pick.id.removeprefix("sticker ") if event.pick else ""
        return Held(LABELS.index(name), event.pos) if name in LABELS else None

    def show(self, grip: Held, event: PointerEvent) -> None:
        if not grip.move and np.hypot(*grip.offset(event)) >= DECIDED_PX:
            self._decide(grip, event)
        if grip.move:
            self._is_turning = True
            self._cube.show_turning(grip.move, grip.share(event))

    def finish(self, grip: Held, event: PointerEvent) -> None:
        if grip.move and grip.share(event) >= ENOUGH:
            self._cube.turn(grip.move, was_seen=True)

    def clear(self) -> None:
        if self._is_turning:
            self._is_turning = False
            self._cube.show_at_rest()

    def _decide(self, grip: Held, event: PointerEvent) -> None:
        """Decides which layer turns; middle layers cannot."""
        way, grip.along_px = way_of_drag(event.view, grip.sticker, grip.offset(event))
        grip.move = turn_of_drag(grip.sticker, way) or ""
        if not grip.move:
            self._say("A middle layer cannot be turned: turn the two layers beside it.")
            self.grip = None
