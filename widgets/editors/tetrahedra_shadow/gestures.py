"""The gestures, the same in 3D and in the plan: placing a piece, and selecting, dragging and turning pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import centered_at, moved, turned
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import pose_of
from spatial_workbench.widgets.editing.gestures import CONTROL, Carry, Place
from spatial_workbench.widgets.editors.tetrahedra_shadow.commands import TetrahedraCommands
from spatial_workbench.widgets.editors.tetrahedra_shadow.drawing import index_of
from spatial_workbench.widgets.editors.tetrahedra_shadow.handles import Handle, Handles
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Axis, Pieces
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

SNAP_PX = 12.0
"""The distance within which corners snap."""
WHEEL_DEG = 5.0
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
DEGREES_PER_PX = 0.5
FAR = 20.0
"""Nothing is placed farther out."""
FREE = "Free"
"""The name of an orientation that is not a preset."""


class Stage(Protocol):
    """The context of the gestures. Poses are rows (n, 7)."""

    def show_ghost(self, poses: Floats, ignore: tuple[int, ...] = (), words: str = "") -> None:
        """Shows pieces at these poses as ghosts, as if those in `ignore` did not exist."""

    def clear_ghost(self) -> None:
        """Removes the ghost."""

    def place(self, pose: Floats) -> bool:
        """Adds the ghost at a pose (7,) as a piece, unless it may not be placed; returns whether it did."""

    def hide_pieces(self, pieces: Iterable[int]) -> None:
        """Hides pieces that are being dragged, and shows all others."""


class TetrahedraPlaceTool(Place):
    """A ghost follows the pointer; a press places it. Keys move the ghost as well."""

    def __init__(self, stage: Stage, pieces: Pieces) -> None:
        self.pose: Floats | None = None
        """The pose of the ghost; None while it is hidden."""
        self.next_pose: Floats = pose_of("triangle", 0.0, 0.0)
        """The orientation of the next piece."""
        self.orientation = "Triangle up"
        """The name of that orientation."""
        self._stage = stage
        self._pieces = pieces
        self._last: PointerEvent | None = None
        self._place = np.zeros(2)

    def follow(self, event: PointerEvent) -> None:
        self._last = event
        point = ground_point(event)
        if point is None or np.abs(point).max() > FAR:
            self.hide()
        else:
            self._place = point
            self._show_ghost(free=event.has_alt, reach=reach_of(event.view))

    def put(self, event: PointerEvent) -> bool:
        self.place()
        return True

    def clear(self) -> None:
        self._last = None
        self.hide()

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Turns the ghost about z by 5 degrees per notch, unless Control is held: then the view zooms."""
        if event.has(CONTROL) or self.pose is None:
            return False
        self.turn(Z, WHEEL_DEG * steps)
        return True

    def place(self) -> None:
        """Adds the ghost as a piece; the next ghost appears with the next move."""
        if self.pose is not None and self._stage.place(self.pose):
            self.hide()

    def orient(self, pose: Floats, orientation: str) -> None:
        """Gives the next piece the orientation of a pose (7,)."""
        self.next_pose = pose
        self.orientation = orientation
        self.again()

    def turn(self, axis: Axis, angle_deg: float) -> None:
        """Turns the next piece."""
        self.orient(turned(self.next_pose[None], axis, angle_deg)[0], FREE)

    def step(self, x: float, y: float) -> None:
        """Moves the ghost by keys; the first key shows it in the middle."""
        if self.pose is not None:
            self._place = self._place + np.array([x, y])
        self._last = None
        self._show_ghost(free=True, reach=0.0)

    def again(self) -> None:
        """Updates the ghost in its place, after its orientation or the pieces have changed."""
        if self._last is not None and self.pose is not None:
            self.follow(self._last)
        elif self.pose is not None:
            self._show_ghost(free=True, reach=0.0)

    def hide(self) -> None:
        """Hides the ghost until the pointer or a key moves it."""
        if self.pose is not None:
            self.pose = None
            self._stage.clear_ghost()

    def _show_ghost(self, free: bool, reach: float) -> None:
        pose = centered_at(self.next_pose, *self._place.tolist())[None]
        poses, words = (pose, "") if free else self._pieces.snapped(pose, reach)
        poses = self._pieces.risen(poses)
        self.pose = poses[0]
        self._stage.show_ghost(poses, words=words)


@dataclass(frozen=True)
class TetrahedraGrip:
    """Pieces being dragged, by a handle of the selection or by a point of one of them, at height z."""

    pieces: tuple[int, ...]
    start: QPointF
    handle: Handle | None = None
    piece: int = -1
    point: tuple[float, float] = (0.0, 0.0)
    z: float = 0.0
    copies: bool = False

    @property
    def ignored(self) -> tuple[int, ...]:
        """The pieces that are being moved, with which nothing can collide."""
        return () if self.copies else self.pieces

    @property
    def label(self) -> str:
        """The name of the drag in the history."""
        if self.handle is not None and self.handle.turns:
            return "Tilt"
        return "Copy" if self.copies else "Move"


class TetrahedraSelectTool(Carry[TetrahedraGrip]):
    """A press on a piece selects it; a drag moves the selection or, with Shift, a copy; handles turn and move it."""

    def __init__(self, stage: Stage, commands: TetrahedraCommands, pieces: Pieces, handles: Handles) -> None:
        super().__init__()
        self._commands = commands
        self._stage = stage
        self._pieces = pieces
        self._handles = handles
        self._goal: Floats | None = None

    def take(self, event: PointerEvent) -> TetrahedraGrip | None:
        """Grabs a handle or the piece under the pointer; elsewhere, and with Control, the view selects."""
        self._goal = None
        if event.has(CONTROL) and not event.has_alt:
            return None
        handle = self._handles.at(event.view, event.pos)
        if handle is not None:
            return TetrahedraGrip(tuple(self._pieces.selected), event.pos, handle)
        piece = index_of(event.pick.id) if event.pick else None
        if event.pick is None or piece is None or (event.has_alt and piece not in self._pieces.selected):
            return None
        z = event.pick.position[2]
        point = ground_point(event, z)
        return self._grip_of(piece, event, (*point.tolist(), z)) if point is not None else None

    def _grip_of(self, piece: int, event: PointerEvent, place: tuple[float, float, float]) -> TetrahedraGrip:
        copies = self.copies(event)
        selected = self._pieces.selected
        pieces = selected if piece in selected else [piece]
        if not copies:
            self._pieces.select(pieces)
        return TetrahedraGrip(tuple(pieces), event.pos, None, piece, place[:2], place[2], copies)

    def show(self, grip: TetrahedraGrip, event: PointerEvent) -> None:
        goal, words = self._goal_of(grip, event) if self.was_moved else (None, "")
        if goal is not None:
            if self._goal is None:
                self._stage.hide_pieces(grip.ignored)
            self._goal = goal
            self._stage.show_ghost(goal, grip.ignored, words)

    def finish(self, grip: TetrahedraGrip, event: PointerEvent) -> None:
        goal = self._goal
        self._goal = None
        if goal is not None:
            self._pieces.drop_pieces(grip.label, grip.pieces, goal, grip.copies)
        elif grip.handle is None and not self.was_moved:
            self._pieces.select([*self._pieces.selected, grip.piece] if grip.copies else [grip.piece])

    def clear(self) -> None:
        if self._goal is not None:
            self._stage.hide_pieces(())
            self._stage.clear_ghost()

    def stop(self) -> None:
        self.was_dropped = self.grip is not None and self._goal is not None
        super().stop()
        self._goal = None

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Turns the selection about z by 5 degrees per notch if the pointer is on it; elsewhere, the view zooms."""
        piece = index_of(event.pick.id) if event.pick else None
        if event.has(CONTROL) or piece not in self._pieces.selected:
            return False
        self._commands.turn(Z, WHEEL_DEG * steps)
        return True

    def _goal_of(self, grip: TetrahedraGrip, event: PointerEvent) -> tuple[Floats | None, str]:
        """The poses to which the pieces are dragged, and what they have snapped to."""
        before = self._pieces.poses[list(grip.pieces)]
        if grip.handle is not None:
            goal = self._handled(grip, grip.handle, event, before)
            lifts = grip.handle.axis == 2 and not grip.handle.turns
            return goal if lifts else self._pieces.risen(goal, grip.ignored), ""
        point = ground_point(event, grip.z)
        if point is None:
            return None, ""
        goal = moved(before, (*np.clip(point - grip.point, -FAR, FAR), 0.0))
        words = ""
        if not event.has_alt:
            goal, words = self._pieces.snapped(goal, reach_of(event.view), grip.ignored)
        return self._pieces.risen(goal, grip.ignored), words

    def _handled(self, grip: TetrahedraGrip, handle: Handle, event: PointerEvent, before: Floats) -> Floats:
        """The pieces moved by a handle: along its axis, or about it in steps of 5 degrees."""
        axis = (X, Y, Z)[handle.axis]
        if handle.turns:
            step = event.pos - grip.start
            angle = DEGREES_PER_PX * (step.x() - step.y())
            return turned(before, axis, angle if event.has_alt else WHEEL_DEG * round(angle / WHEEL_DEG))
        way = self._handles.way(event.view, handle, grip.start, event.pos)
        return moved(before, [way * part for part in axis])


def ground_point(event: PointerEvent, z: float = 0.0) -> Floats | None:
    """The place of the pointer at height z: (x, y)."""
    if event.view.scene.flat:
        return event.point
    point = event.on_plane(z)
    return None if point is None else point[:2]


def reach_of(view: SceneView) -> float:
    """The distance on the ground within which corners snap."""
    ends = view.project(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])[:, : 2 if view.scene.flat else 3])
    pixels = float(np.nanmax(np.linalg.norm(ends[1:] - ends[0], axis=1)))
    return SNAP_PX / max(pixels, 1.0)
