"""The gestures on the plan: placing a person, filling a block, spraying, moving the selection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.editing.gestures import RIGHT, Drag, MoveSelection, Place
from spatial_workbench.widgets.scene_views.view import PointerEvent

SNAP_PX = 8.0
MAX_REACH_M = 0.2
NOBODY = np.zeros((0, 2))


class CrowdGround(Protocol):
    """What the gestures work on. Places are (2,) or (n, 2), in metres."""

    @property
    def centers(self) -> Floats:
        """Where people stand."""

    def snapped(self, point: Floats) -> Floats:
        """The point of the grid nearest to a point."""

    def aimed(self, point: Floats, others: Floats, reach: float, free: bool) -> Floats:
        """The place to snap to: beside something within reach, or else on the grid."""

    def aimed_step(self, person: int, step: Floats, reach: float, free: bool) -> Floats:
        """How far the selected people move when one of them is dragged by a step."""

    def block(self, first: Floats, last: Floats) -> Floats:
        """The places in a rectangle."""

    def sprayed(self, middle: Floats, strewn: Floats) -> Floats:
        """The people sprayed so far, and more around a point."""

    def place(self, place: Floats) -> None:
        """Places a person."""

    def place_block(self, block: Floats) -> None:
        """Places several people, as one step."""

    def move_people(self, step: Floats) -> None:
        """Moves the selected people."""

    def remove(self, ids: Iterable[str]) -> None:
        """Deletes people."""

    def show_ghost(self, places: Floats) -> None:
        """Shows people at these places as ghosts."""

    def show_move(self, step: Floats) -> None:
        """Shows where the selected people would go."""


class PlaceTool(Place):
    """A click places a person where the ghost stands."""

    def __init__(self, ground: CrowdGround) -> None:
        self._ground = ground

    def press(self, event: PointerEvent) -> bool:
        if event.button == RIGHT and event.pick:
            self._ground.remove([event.pick.id])
            return True
        return super().press(event)

    def follow(self, event: PointerEvent) -> None:
        self._ground.show_ghost(self._aimed(event)[None])

    def put(self, event: PointerEvent) -> bool:
        self._ground.place(self._aimed(event))
        return True

    def clear(self) -> None:
        self._ground.show_ghost(NOBODY)

    def _aimed(self, event: PointerEvent) -> Floats:
        return self._ground.aimed(event.point, self._ground.centers, _reach_m(event), event.has_alt)


class BlockTool(Drag[Floats]):
    """A drag over a rectangle fills it with people."""

    def __init__(self, ground: CrowdGround) -> None:
        super().__init__()
        self._ground = ground

    def take(self, event: PointerEvent) -> Floats:
        return self._ground.snapped(event.point)

    def show(self, grip: Floats, event: PointerEvent) -> None:
        self._ground.show_ghost(self._block(grip, event))

    def finish(self, grip: Floats, event: PointerEvent) -> None:
        self._ground.place_block(self._block(grip, event))

    def clear(self) -> None:
        self._ground.show_ghost(NOBODY)

    def _block(self, grip: Floats, event: PointerEvent) -> Floats:
        return self._ground.block(grip, self._ground.snapped(event.point))


class SprayTool(Drag[Floats]):
    """While the button is held, sprays people on safe ground around the pointer, until nobody is missing."""

    def __init__(self, ground: CrowdGround) -> None:
        super().__init__()
        self._ground = ground

    def take(self, event: PointerEvent) -> Floats:
        return NOBODY

    def show(self, grip: Floats, event: PointerEvent) -> None:
        self.grip = self._ground.sprayed(event.point, grip)
        self._ground.show_ghost(self.grip)

    def finish(self, grip: Floats, event: PointerEvent) -> None:
        self._ground.place_block(grip)

    def clear(self) -> None:
        self._ground.show_ghost(NOBODY)


class CrowdSelectTool(MoveSelection):
    """Clicks select, drags move the selection, and a drag from an empty place selects everybody in a box."""

    uses_alt = True

    def __init__(self, ground: CrowdGround) -> None:
        super().__init__()
        self._ground = ground
        self._person = 0
        self._start = np.zeros(2)

    def take(self, event: PointerEvent) -> str | None:
        element = super().take(event)
        if element is not None:
            self._person = int(element.split()[1])
            self._start = event.point.copy()
        return element

    def element(self, event: PointerEvent) -> str | None:
        return event.pick.id if event.pick is not None and event.pick.id.startswith("person ") else None

    def show_move(self, event: PointerEvent) -> None:
        self._ground.show_move(self._step(event))

    def move_there(self, event: PointerEvent) -> None:
        self._ground.move_people(self._step(event))

    def clear(self) -> None:
        self._ground.show_ghost(NOBODY)

    def _step(self, event: PointerEvent) -> Floats:
        """How far everybody moves, so that the dragged person snaps to its place."""
        return self._ground.aimed_step(self._person, event.point - self._start, _reach_m(event), event.has_alt)


def _reach_m(event: PointerEvent) -> float:
    """The distance, in metres, within which places snap."""
    metre_px = float(np.ptp(event.view.project(np.array([[0.0, 0.0], [1.0, 0.0]]))[:, 0]))
    return min(MAX_REACH_M, SNAP_PX / metre_px)
