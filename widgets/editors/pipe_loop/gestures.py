"""The gestures on the chain: laying pipes, dragging joints and pipes, pushing out bumps and spikes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from engine.core.scene import Points, Polyline
from engine.core.words import counted
from engine.tasks.pipe_loop.editing import Result, Snap, bumped, first_point, laid, pulled_in, spiked
from engine.tasks.pipe_loop.shape import Point
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.pipe_loop import PipeLoopEditor

JOINT_PX = 11.0
"""How near a press has to be to take a joint."""
PIPE_PX = 9.0
WALL_PX = 12.0

SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


class ChainTool(Tool):
    """A gesture that ends in one step of the history, or in nothing."""

    uses_alt = True

    def __init__(self, editor: PipeLoopEditor) -> None:
        self.editor = editor

    def enter(self, other_way: bool) -> None:
        """Return, or Shift and Return, was pressed."""

    def joint_at(self, event: PointerEvent) -> int | None:
        """The joint under the pointer."""
        points = self.editor.points
        if not points:
            return None
        distances = np.linalg.norm(event.view.project(np.array(points)) - (event.pos.x(), event.pos.y()), axis=1)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= JOINT_PX else None

    def pipe_at(self, event: PointerEvent) -> int | None:
        """The pipe under the pointer."""
        pixels = event.view.project(np.array(self.editor.points or [(0.0, 0.0)]))
        start, end = (pixels, np.roll(pixels, -1, axis=0)) if self.editor.closed else (pixels[:-1], pixels[1:])
        if not len(start):
            return None
        along, to = end - start, np.array([event.pos.x(), event.pos.y()]) - start
        share = np.clip((along * to).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-9), 0, 1)
        distances = np.linalg.norm(to - share[:, None] * along, axis=1)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= PIPE_PX else None

    def leave(self) -> None:
        """Nothing is pointed at any more."""
        self.editor.view.set_ghost([])

    def stop(self) -> None:
        """Leaves everything as it was."""
        self.editor.drop_preview()


class LayTool(ChainTool):
    """Lays a pipe of 1 m from the end of the chain towards the pointer."""

    cursor = Qt.CursorShape.CrossCursor

    def press(self, event: PointerEvent) -> bool:
        """Lays the pipe that is shown."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        points, reason = self._next(event)
        if points is None:
            self.editor.message.emit(reason)
        else:
            self.editor.put("Lay pipe" if len(points) > 1 else "Begin", points)
            self.editor.choose(len(points) - 1)
        self.move(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows the pipe that a click lays."""
        points, reason = self._next(event)
        if points is None:
            self._refuse(event, reason)
        elif len(points) == 1:
            self.editor.view.set_ghost([Points(name="first", ids=["first"], positions=np.array(points), size_px=10)])
        else:
            self.editor.view.set_ghost([_line(points[-2:])])
        return False

    def enter(self, other_way: bool) -> None:
        """Lays a pipe at the heading."""
        editor = self.editor
        if not editor.points:
            editor.put(
                "Begin", [first_point((editor.order.side / 2, editor.order.side / 2), editor.order.side, "lattice")]
            )
            return
        (x, y), angle = editor.points[-1], math.radians(editor.heading_deg)
        toward = (x + math.cos(angle), y + math.sin(angle))
        editor.put_or_tell("Lay pipe", laid(editor.points, toward, editor.order.side, editor.order.pipes, "free"))

    def _next(self, event: PointerEvent) -> Result:
        editor, place = self.editor, _point(event)
        if not editor.points:
            return [first_point(place, editor.order.side, _snap(event))], ""
        if editor.closed:
            return None, f"The chain is closed with {counted(len(editor.points), 'pipe')}."
        closing = editor.closing_point(place)
        if closing is not None and not event.modifiers & (SHIFT | CTRL | ALT):
            return [*editor.points, closing], ""
        return laid(editor.points, place, editor.order.side, editor.order.pipes, _snap(event))

    def _refuse(self, event: PointerEvent, reason: str) -> None:
        end = self.editor.points[-1]
        inside = all(0 <= v <= self.editor.order.side for v in _point(event))
        shown = not self.editor.closed and inside
        self.editor.view.set_ghost([_line([end, _point(event)])] if shown else [], reason if shown else "")


class MoveTool(ChainTool):
    """Drags joints, with the chain following at its lengths, and pipes parallel."""

    def __init__(self, editor: PipeLoopEditor) -> None:
        super().__init__(editor)
        self._joint: int | None = None
        self._pipe: int | None = None
        self._grip = np.zeros((2, 2))
        self._moved = False

    def press(self, event: PointerEvent) -> bool:
        """Takes the joint under the pointer, or else the pipe; elsewhere the view selects in a box."""
        self._joint = self._pipe = None
        self._moved = False
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._joint = self.joint_at(event)
        if self._joint is not None:
            self.editor.choose(self._joint, add=(event.has(SHIFT) or event.has(CTRL)) and not event.has_alt)
            return True
        self._pipe = self.pipe_at(event)
        if self._pipe is None:
            return False
        self.editor.view.set_selection([f"pipe {self._pipe}"])
        ends = np.array([self.editor.points[k] for k in self.editor.ends_of(self._pipe)])
        self._grip = ends - event.point
        return True

    def move(self, event: PointerEvent) -> bool:
        """Drags what was taken."""
        if self._joint is not None:
            self._moved = True
            self.editor.drag({self._joint: self._target(event)}, _snap(event))
        elif self._pipe is not None:
            self._moved = True
            places = (self._grip + event.point).tolist()
            ends = self.editor.ends_of(self._pipe)
            self.editor.drag({end: (x, y) for end, (x, y) in zip(ends, places, strict=True)}, "free")
        else:
            near = self.joint_at(event) is not None or self.pipe_at(event) is not None
            event.view.setCursor(Qt.CursorShape.PointingHandCursor if near else self.cursor)
            return False
        return True

    def release(self, event: PointerEvent) -> bool:
        """Keeps what was dragged."""
        label = "Drag joint" if self._joint is not None else "Drag pipe"
        taken, self._joint, self._pipe = self._moved, None, None
        self._moved = False
        if taken:
            self.editor.commit(label)
        return taken

    def stop(self) -> None:
        """Leaves everything as it was."""
        self._joint = self._pipe = None
        self._moved = False
        super().stop()

    def _target(self, event: PointerEvent) -> Point:
        """Where the pointer wants the joint: on the lattice with Ctrl, on a near wall with Alt."""
        x, y = _point(event)
        side = self.editor.order.side
        if event.has_alt:
            reach = WALL_PX / event.view.plane.pixels_per_unit
            x, y = (0.0 if v < reach else side if v > side - reach else v for v in (x, y))
        elif event.has(CTRL):
            return min(max(round(x), 0), math.floor(side)), min(max(round(y), 0), math.floor(side))
        return float(x), float(y)


class BumpTool(ChainTool):
    """Pushes a unit square out of a pipe on the pointer's side; with Shift pulls one in."""

    cursor = Qt.CursorShape.PointingHandCursor
    label = "Bump"

    def press(self, event: PointerEvent) -> bool:
        """Changes the pipe under the pointer."""
        if event.button != Qt.MouseButton.LeftButton or (pipe := self.pipe_at(event)) is None:
            return False
        self._change(pipe, _point(event), event.has(SHIFT))
        self.move(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows what a click would make."""
        pipe = self.pipe_at(event)
        if pipe is None or event.has(SHIFT):
            self.editor.view.set_ghost([])
            return False
        points, reason = self.made(pipe, _point(event))
        if points is None:
            ends = [self.editor.points[k] for k in self.editor.ends_of(pipe)]
            self.editor.view.set_ghost([_line(ends)], reason)
        else:
            new = points[pipe : pipe + len(points) - len(self.editor.points) + 2]
            self.editor.view.set_ghost([_line([*new, points[(pipe + len(new)) % len(points)]][: len(new)])])
        return False

    def enter(self, other_way: bool) -> None:
        """Changes the pipe after the chosen joint: outwards to its left, with Shift pulled in."""
        joint = self.editor.chosen
        if joint is None or len(self.editor.points) < 2:
            self.editor.message.emit("Choose a joint first (Tab); the pipe after it is changed.")
            return
        a, b = (self.editor.points[k] for k in self.editor.ends_of(joint))
        left = ((a[0] + b[0]) / 2 + a[1] - b[1], (a[1] + b[1]) / 2 + b[0] - a[0])
        self._change(joint, left, other_way)

    def made(self, pipe: int, toward: Point) -> Result:
        """The chain with the bump, or the reason why not."""
        return self.editor.if_enough(bumped(self.editor.points, pipe, toward, self.editor.order.side))

    def _change(self, pipe: int, toward: Point, pull: bool) -> None:
        if pull:
            self.editor.put_or_tell("Pull in", pulled_in(self.editor.points, pipe))
        else:
            self.editor.put_or_tell(self.label, self.made(pipe, toward))


class SpikeTool(BumpTool):
    """Pushes a thin triangle of two legs out of a pipe on the pointer's side."""

    label = "Spike"

    def made(self, pipe: int, toward: Point) -> Result:
        """The chain with the spike, or the reason why not."""
        editor = self.editor
        return editor.if_enough(spiked(editor.points, pipe, editor.legs, toward, editor.order.side))


def _snap(event: PointerEvent) -> Snap:
    """Shift: steps of 15 degrees. Ctrl: the lattice. Alt: walls and the directions there are."""
    if event.has_alt:
        return "directions"
    return "lattice" if event.has(CTRL) else "angle" if event.has(SHIFT) else "free"


def _point(event: PointerEvent) -> Point:
    x, y = event.point.tolist()
    return x, y


def _line(points: list[Point]) -> Polyline:
    return Polyline(id="ghost", points=np.array(points, float), width_px=5.0)
