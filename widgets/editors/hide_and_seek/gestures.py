"""The gestures on the plan: placing a person, filling a block, spraying, moving the selection."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.editing.gestures import RIGHT, Drag, MoveSelection, Place
from spatial_workbench.widgets.editing.selection import numbers_of
from spatial_workbench.widgets.editors.hide_and_seek.aiming import CrowdAim
from spatial_workbench.widgets.editors.hide_and_seek.commands import CrowdCommands
from spatial_workbench.widgets.editors.hide_and_seek.crowd import NOBODY, PlacedCrowd
from spatial_workbench.widgets.editors.hide_and_seek.ghost import CrowdGhost
from spatial_workbench.widgets.scene_views.view import PointerEvent

SNAP_PX = 8.0
MAX_REACH_M = 0.2


class PlaceTool(Place):
    """A click places a person where the ghost stands."""

    def __init__(self, crowd: PlacedCrowd, aim: CrowdAim, commands: CrowdCommands, ghost: CrowdGhost) -> None:
        self._crowd = crowd
        self._aim = aim
        self._commands = commands
        self._ghost = ghost

    def press(self, event: PointerEvent) -> bool:
        if event.button == RIGHT and event.pick:
            self._commands.remove(numbers_of([event.pick.id], "person"))
            return True
        return super().press(event)

    def follow(self, event: PointerEvent) -> None:
        self._ghost.show_people(self._aimed(event)[None])

    def put(self, event: PointerEvent) -> bool:
        self._commands.place_person(self._aimed(event))
        return True

    def clear(self) -> None:
        self._ghost.show_people(NOBODY)

    def _aimed(self, event: PointerEvent) -> Floats:
        return self._aim.aimed(event.point, self._crowd.centers, _reach_m(event), event.has_alt)


class BlockTool(Drag[Floats]):
    """A drag over a rectangle fills it with people."""

    def __init__(self, aim: CrowdAim, commands: CrowdCommands, ghost: CrowdGhost) -> None:
        super().__init__()
        self._aim = aim
        self._commands = commands
        self._ghost = ghost

    def take(self, event: PointerEvent) -> Floats:
        return self._aim.snapped(event.point)

    def show(self, grip: Floats, event: PointerEvent) -> None:
        self._ghost.show_people(self._block(grip, event))

    def finish(self, grip: Floats, event: PointerEvent) -> None:
        self._commands.place_block(self._block(grip, event))

    def clear(self) -> None:
        self._ghost.show_people(NOBODY)

    def _block(self, grip: Floats, event: PointerEvent) -> Floats:
        return self._aim.block(grip, self._aim.snapped(event.point))


class SprayTool(Drag[Floats]):
    """While the button is held, sprays people on safe ground around the pointer, until nobody is missing."""

    def __init__(self, aim: CrowdAim, commands: CrowdCommands, ghost: CrowdGhost) -> None:
        super().__init__()
        self._aim = aim
        self._commands = commands
        self._ghost = ghost

    def take(self, event: PointerEvent) -> Floats:
        return NOBODY

    def show(self, grip: Floats, event: PointerEvent) -> None:
        self.grip = self._aim.sprayed(event.point, grip)
        self._ghost.show_people(self.grip)

    def finish(self, grip: Floats, event: PointerEvent) -> None:
        self._commands.place_block(grip)

    def clear(self) -> None:
        self._ghost.show_people(NOBODY)


class CrowdSelectTool(MoveSelection):
    """Clicks select, drags move the selection, and a drag from an empty place selects everybody in a box."""

    uses_alt = True

    def __init__(self, aim: CrowdAim, commands: CrowdCommands, ghost: CrowdGhost) -> None:
        super().__init__()
        self._aim = aim
        self._commands = commands
        self._ghost = ghost
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
        self._ghost.show_move(self._step(event))

    def move_there(self, event: PointerEvent) -> None:
        self._commands.move_people(self._step(event))

    def clear(self) -> None:
        self._ghost.show_people(NOBODY)

    def _step(self, event: PointerEvent) -> Floats:
        """How far everybody moves, so that the dragged person snaps to its place."""
        return self._aim.aimed_step(self._person, event.point - self._start, _reach_m(event), event.has_alt)


def _reach_m(event: PointerEvent) -> float:
    """The distance, in metres, within which places snap."""
    metre_px = float(np.ptp(event.view.project(np.array([[0.0, 0.0], [1.0, 0.0]]))[:, 0]))
    return min(MAX_REACH_M, SNAP_PX / metre_px)
