"""The gestures on the chain: laying pipes, dragging joints and pipes, pushing out bumps and spikes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt

from spatial_workbench.engine.core.scene import Floats, Points, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.pipe_loop.editing import (
    Result,
    Snap,
    bumped,
    closed_with_two,
    first_point,
    laid,
    pulled_in,
    spiked,
)
from spatial_workbench.engine.tasks.pipe_loop.shape import Point
from spatial_workbench.widgets.editing.gestures import CONTROL, SHIFT, Drag, Place, distance_px, segment_distance_px
from spatial_workbench.widgets.editors.pipe_loop.chain import Chain
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView, Tool

JOINT_PX = 11.0
"""How near to a joint a press has to be to grab it."""
PIPE_PX = 9.0
WALL_PX = 12.0
CLOSING_PX = 22.0
"""How near to a place that closes the chain the pointer has to be to snap there."""


class ChainTool(Tool):
    """Base of the gestures on a chain; when one is cancelled, the answer is shown again."""

    uses_alt = True

    def __init__(self, chain: Chain) -> None:
        super().__init__()
        self._chain = chain

    def enter(self, other_way: bool) -> None:
        """Called when Return is pressed, with `other_way` if Shift is held."""

    def joint_at(self, event: PointerEvent) -> int | None:
        """The joint under the pointer."""
        points = self._chain.points
        return _nearest(distance_px(event.view, event, np.array(points)), JOINT_PX) if points else None

    def pipe_at(self, event: PointerEvent) -> int | None:
        """The pipe under the pointer."""
        points = np.array(self._chain.points, float).reshape(-1, 2)
        pipes = np.stack([points, np.roll(points, -1, axis=0)], axis=1)
        if not self._chain.closed:
            pipes = pipes[:-1]
        return _nearest(segment_distance_px(event.view, event, pipes), PIPE_PX) if len(pipes) else None

    def stop(self) -> None:
        super().stop()
        self._chain.drop_preview()


class PutTool(ChainTool, Place):
    """Base of the gestures with a ghost that follows the pointer."""

    marks_hovered = True

    def clear(self) -> None:
        self._chain.show_ghost([])


class LayTool(PutTool):
    """Lays a pipe of 1 m from the end of the chain towards the pointer."""

    def put(self, event: PointerEvent) -> bool:
        points, reason = self._next(event)
        if points is None:
            self._chain.message(reason)
        else:
            self._chain.replace_points("Lay pipe" if len(points) > 1 else "Begin", points)
            self._chain.joints.choose(len(points) - 1)
        self.follow(event)
        return True

    def follow(self, event: PointerEvent) -> None:
        points, reason = self._next(event)
        if points is None:
            self._refuse(event, reason)
        elif len(points) == 1:
            self._chain.show_ghost([Points(name="first", ids=["first"], positions=np.array(points), size_px=10)])
        else:
            self._chain.show_ghost([_line(points[-2:])])

    def enter(self, other_way: bool) -> None:
        """Lays a pipe in the direction of the heading."""
        chain = self._chain
        limits = self._chain.limits
        if not chain.points:
            chain.replace_points("Begin", [first_point((limits.side / 2, limits.side / 2), limits, "lattice")])
            return
        x, y = chain.points[-1]
        angle = math.radians(chain.heading_deg.value)
        toward = (x + math.cos(angle), y + math.sin(angle))
        chain.replace_or_explain("Lay pipe", laid(chain.points, toward, limits, "free"))

    def _next(self, event: PointerEvent) -> Result:
        chain = self._chain
        place = _point(event)
        snap = _snap(event)
        if not chain.points:
            return [first_point(place, chain.limits, snap)], ""
        if not chain.goes_on:
            return None, f"The chain is closed with {counted(len(chain.points), 'pipe')}."
        if snap == "free" and chain.offers_closing and (closed := self._closed_near(event)):
            return closed, ""
        return laid(chain.points, place, chain.limits, snap)

    def _closed_near(self, event: PointerEvent) -> list[Point] | None:
        """The chain closed with two pipes, if the pointer is near the joint between them."""
        place = _point(event)
        points, _ = closed_with_two(self._chain.points, self._chain.limits, place)
        if points is None or len(points) < 3:
            return None
        return points if math.dist(points[-1], place) <= _metres(event.view, CLOSING_PX) else None

    def _refuse(self, event: PointerEvent, reason: str) -> None:
        place = _point(event)
        limits = self._chain.limits
        if self._chain.goes_on and limits.contain(place):
            self._chain.show_ghost([_line([self._chain.points[-1], place])], reason)
        else:
            self._chain.show_ghost([])


@dataclass(frozen=True)
class PipeHeld:
    """Joints that are being dragged, and their offsets from the pointer, (n, 2)."""

    joints: tuple[int, ...]
    offsets: Floats


class MoveTool(ChainTool, Drag[PipeHeld]):
    """Drags joints, while the chain follows with its lengths, and pipes without turning; elsewhere, a box selects."""

    cursor = Qt.CursorShape.ArrowCursor

    def take(self, event: PointerEvent) -> PipeHeld | None:
        joint = self.joint_at(event)
        pipe = self.pipe_at(event)
        if joint is not None:
            self._chain.joints.choose(joint, add=(event.has(SHIFT) or event.has(CONTROL)) and not event.has_alt)
            return PipeHeld((joint,), np.zeros((1, 2)))
        if pipe is None:
            return None
        self._chain.joints.choose_pipe(pipe)
        ends = _ends(self._chain, pipe)
        return PipeHeld(ends, np.array([self._chain.points[end] for end in ends]) - event.point)

    def show(self, grip: PipeHeld, event: PointerEvent) -> None:
        if not self.was_moved:
            return
        if len(grip.joints) == 1:
            self._chain.drag({grip.joints[0]: self._target(event)}, _snap(event))
        else:
            places = [(x, y) for x, y in (grip.offsets + event.point).tolist()]
            self._chain.drag(dict(zip(grip.joints, places, strict=True)), "free")

    def finish(self, grip: PipeHeld, event: PointerEvent) -> None:
        if self.was_moved:
            self._chain.commit("Drag joint" if len(grip.joints) == 1 else "Drag pipe")

    def hover(self, event: PointerEvent) -> None:
        is_near = self.joint_at(event) is not None or self.pipe_at(event) is not None
        event.view.setCursor(Qt.CursorShape.PointingHandCursor if is_near else self.cursor)

    def _target(self, event: PointerEvent) -> Point:
        """Where the joint is dragged: on the lattice with Control, on a nearby wall with Alt."""
        x, y = _point(event)
        side = self._chain.limits.side
        if event.has_alt:
            reach = _metres(event.view, WALL_PX)
            x, y = (0.0 if v < reach else side if v > side - reach else v for v in (x, y))
        elif event.has(CONTROL):
            return min(max(round(x), 0), math.floor(side)), min(max(round(y), 0), math.floor(side))
        return x, y


class BumpTool(PutTool):
    """A click pushes a unit square out of a pipe on the pointer's side; with Shift, it pulls one in."""

    cursor = Qt.CursorShape.PointingHandCursor
    label = "Bump"

    def put(self, event: PointerEvent) -> bool:
        pipe = self.pipe_at(event)
        if pipe is None:
            return False
        self._apply_bump(pipe, _point(event), event.has(SHIFT))
        self.follow(event)
        return True

    def follow(self, event: PointerEvent) -> None:
        pipe = self.pipe_at(event)
        if pipe is None or event.has(SHIFT):
            self._chain.show_ghost([])
            return
        points, reason = self.changed_chain(pipe, _point(event))
        if points is None:
            self._chain.show_ghost([_line([self._chain.points[end] for end in _ends(self._chain, pipe)])], reason)
        else:
            new = len(points) - len(self._chain.points)
            self._chain.show_ghost([_line([*points, points[0]][pipe : pipe + new + 2])])

    def enter(self, other_way: bool) -> None:
        """Changes the pipe after the selected joint: pushes out to its left or, with Shift, pulls in."""
        joint = self._chain.joints.chosen
        if joint is None or len(self._chain.points) < 2:
            self._chain.message("Select a joint first ([ and ]): the pipe after it is changed.")
            return
        a, b = (self._chain.points[end] for end in _ends(self._chain, joint))
        left = ((a[0] + b[0]) / 2 + a[1] - b[1], (a[1] + b[1]) / 2 + b[0] - a[0])
        self._apply_bump(joint, left, other_way)

    def changed_chain(self, pipe: int, toward: Point) -> Result:
        """The chain with the bump, or the reason why not."""
        return bumped(self._chain.points, pipe, toward, self._chain.limits)

    def _apply_bump(self, pipe: int, toward: Point, pull: bool) -> None:
        if pull:
            self._chain.replace_or_explain("Pull in", pulled_in(self._chain.points, pipe))
        else:
            self._chain.replace_or_explain(self.label, self.changed_chain(pipe, toward))


class SpikeTool(BumpTool):
    """A click pushes a thin triangle out of a pipe on the pointer's side."""

    label = "Spike"

    def changed_chain(self, pipe: int, toward: Point) -> Result:
        chain = self._chain
        return spiked(chain.points, pipe, int(chain.legs.value), toward, chain.limits)


def _ends(chain: Chain, pipe: int) -> tuple[int, int]:
    """The two joints of a pipe."""
    return pipe, (pipe + 1) % len(chain.points)


def _metres(view: SceneView, pixels: float) -> float:
    """The length of some pixels in the scene."""
    (x0, _), (x1, _) = view.project(np.array([(0.0, 0.0), (1.0, 0.0)]))
    return float(pixels / (x1 - x0))


def _nearest(distances: Floats, reach_px: float) -> int | None:
    nearest = int(distances.argmin())
    return nearest if distances[nearest] <= reach_px else None


def _snap(event: PointerEvent) -> Snap:
    """Shift snaps to steps of 15 degrees, Control to the lattice, Alt to walls and directions in use."""
    if event.has_alt:
        return "directions"
    return "lattice" if event.has(CONTROL) else "angle" if event.has(SHIFT) else "free"


def _point(event: PointerEvent) -> Point:
    x, y = event.point.tolist()
    return x, y


def _line(points: Sequence[Point]) -> Polyline:
    return Polyline(id="ghost", points=np.array(points, float), width_px=5.0)
