"""The gestures, the same in space and in the plan: placing a piece, and selecting, dragging and tilting pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from engine.core.scene import Floats
from engine.tasks.tetrahedra_shadow.editing import centered_at, moved, turned
from widgets.editors.tetrahedra_shadow.drawing import index_of
from widgets.editors.tetrahedra_shadow.handles import Handle
from widgets.interactive_view import CLICK_PX
from widgets.view import PointerEvent, SceneView, Tool

if TYPE_CHECKING:
    from widgets.editors.tetrahedra_shadow.editor import TetrahedraEditor

ALT, CONTROL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
LEFT = Qt.MouseButton.LeftButton
SNAP_PX = 12.0
"""How near a corner has to come to what it snaps to."""
WHEEL_DEG = 5.0
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
DEGREES_PER_PX = 0.5
FAR = 20.0
"""Farther out nothing is placed."""


class PlaceTool(Tool):
    """A ghost follows the pointer; a press places it. Keys move the ghost as well."""

    cursor = Qt.CursorShape.CrossCursor
    uses_alt = True

    def __init__(self, editor: TetrahedraEditor) -> None:
        self.editor = editor
        self.pose: Floats | None = None
        """Where the ghost is."""
        self._last: PointerEvent | None = None
        self._place = np.zeros(2)

    def move(self, event: PointerEvent) -> bool:
        """Takes the ghost to the pointer."""
        self._last = event
        point = ground_point(event)
        if point is None or np.abs(point).max() > FAR:
            self.hide()
        else:
            self._place = point
            self._show(free=event.has_alt, reach=reach_of(event.view))
        return False

    def press(self, event: PointerEvent) -> bool:
        """Places the ghost."""
        if event.button != LEFT:
            return False
        self.move(event)
        self.place()
        return True

    def double_click(self, event: PointerEvent) -> bool:
        """The second press of a double click places nothing."""
        return event.button == LEFT

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Turns the ghost about z by 5 degrees a notch; with Control the view zooms."""
        if event.has(CONTROL) or self.pose is None:
            return False
        self.editor.commands.turn_next((0.0, 0.0, 1.0), WHEEL_DEG * steps)
        return True

    def place(self) -> None:
        """Makes the ghost a piece; the next one comes with the next move."""
        if self.pose is not None:
            self.editor.place(self.pose)

    def step(self, x: float, y: float) -> None:
        """Moves the ghost by keys; the first key shows it in the middle."""
        if self.pose is not None:
            self._place = self._place + np.array([x, y])
        self._last = None
        self._show(free=True, reach=0.0)

    def again(self) -> None:
        """Shows the ghost at its place anew: its orientation or the pieces changed."""
        if self._last is not None and self.pose is not None:
            self.move(self._last)
        elif self.pose is not None:
            self._show(free=True, reach=0.0)

    def leave(self) -> None:
        """The ghost goes with the pointer."""
        self._last = None
        self.hide()

    def stop(self) -> None:
        """Drops the ghost."""
        self.leave()

    def hide(self) -> None:
        """Takes the ghost away until the pointer or a key moves it."""
        if self.pose is not None:
            self.pose = None
            self.editor.clear_ghost()

    def _show(self, free: bool, reach: float) -> None:
        pose = centered_at(self.editor.next_pose, *self._place.tolist())[None]
        poses, words = (pose, "") if free else self.editor.snapped(pose, reach)
        poses = self.editor.risen(poses)
        self.pose = poses[0]
        self.editor.show_ghost(poses, words=words)


class SelectTool(Tool):
    """A press on a piece selects it, a drag moves the selection, with Shift a copy of it; handles tilt and lift."""

    uses_alt = True

    def __init__(self, editor: TetrahedraEditor) -> None:
        self.editor = editor
        self.pieces: list[int] = []
        """What is dragged; empty while nothing is."""
        self.copies = False
        self.was_dropped = False
        """Whether Escape ended a drag, and so has had its meaning."""
        self._grabbed: tuple[int, Floats, float] | None = None
        self._handle: Handle | None = None
        self._start = QPointF()
        self._goal: Floats | None = None

    def press(self, event: PointerEvent) -> bool:
        """Takes a handle or the piece under the pointer; elsewhere, and with Control, the view selects."""
        self.was_dropped = False
        if event.button != LEFT or (event.has(CONTROL) and not event.has_alt):
            return False
        self._start = event.pos
        self._handle = self.editor.handles.at(event.view, event.pos)
        if self._handle is not None:
            self.copies = False
            return True
        piece = index_of(event.pick.id) if event.pick else None
        if piece is None or (event.has_alt and piece not in self.editor.selected):
            return False
        z = event.pick.position[2]
        point = ground_point(event, z)
        if point is None:
            return False
        self._grabbed, self.copies = (piece, point, z), event.has(SHIFT) and not event.has(CONTROL)
        if not self.copies and piece not in self.editor.selected:
            self.editor.select([piece])
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows where the pieces would go."""
        if self._grabbed is None and self._handle is None:
            return False
        if not self.pieces and (event.pos - self._start).manhattanLength() >= CLICK_PX:
            self._begin()
        if self.pieces:
            self._show(event)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Puts the pieces down, or was a click."""
        if self._grabbed is None and self._handle is None:
            return False
        grabbed, pieces, goal, copies = self._grabbed, self.pieces, self._goal, self.copies
        label = self._label()
        self._end()
        if pieces and goal is not None:
            self.editor.drop(label, pieces, goal, copies)
        elif grabbed is not None and not pieces:
            self.editor.select([*self.editor.selected, grabbed[0]] if copies else [grabbed[0]])
        return True

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Turns the selection about z by 5 degrees a notch where the pointer is on it; elsewhere the view zooms."""
        piece = index_of(event.pick.id) if event.pick else None
        if event.has(CONTROL) or piece not in self.editor.selected:
            return False
        self.editor.commands.turn_selected((0.0, 0.0, 1.0), WHEEL_DEG * steps)
        return True

    def stop(self) -> None:
        """Leaves the pieces where they were."""
        self.was_dropped |= bool(self.pieces)
        self._end()

    def _label(self) -> str:
        if self._handle is not None and self._handle.turns:
            return "Tilt"
        return "Copy" if self.copies else "Move"

    def _begin(self) -> None:
        selected = self.editor.selected
        self.pieces = selected if self._grabbed is None or self._grabbed[0] in selected else [self._grabbed[0]]
        self.editor.begin_drag(self.pieces, self.copies)

    def _end(self) -> None:
        dragged = bool(self.pieces)
        self.pieces, self._grabbed, self._handle, self._goal = [], None, None, None
        if dragged:
            self.editor.end_drag()

    def _show(self, event: PointerEvent) -> None:
        before = self.editor.poses[self.pieces]
        ignore = () if self.copies else tuple(self.pieces)
        if self._handle is not None:
            goal, words = self._handled(event, before), ""
        else:
            assert self._grabbed is not None
            _, start, z = self._grabbed
            point = ground_point(event, z)
            if point is None:
                return
            goal = moved(before, (*np.clip(point - start, -FAR, FAR), 0.0))
            goal, words = (goal, "") if event.has_alt else self.editor.snapped(goal, reach_of(event.view), ignore)
        if self._handle is None or self._handle.axis != 2 or self._handle.turns:
            goal = self.editor.risen(goal, ignore)
        self._goal = goal
        self.editor.show_ghost(goal, ignore, words)

    def _handled(self, event: PointerEvent, before: Floats) -> Floats:
        """Where a handle takes the pieces: along its axis, or about it in steps of 5 degrees."""
        assert self._handle is not None
        axis = AXES[self._handle.axis]
        if self._handle.turns:
            step = event.pos - self._start
            angle = DEGREES_PER_PX * (step.x() - step.y())
            return turned(before, axis, angle if event.has_alt else WHEEL_DEG * round(angle / WHEEL_DEG))
        return moved(before, np.array(axis) * self.editor.handles.way(event.view, self._handle, self._start, event.pos))


def ground_point(event: PointerEvent, z: float = 0.0) -> Floats | None:
    """Where the pointer is at height z, or over the piece that it is on: (x, y)."""
    if event.view.scene.flat:
        return event.point
    point = event.on_plane(z)
    return None if point is None else point[:2]


def reach_of(view: SceneView) -> float:
    """How far on the ground the reach of snapping is."""
    middle = QPointF(view.width() / 2, view.height() / 2)
    if view.scene.flat:
        return SNAP_PX / view.plane.pixels_per_unit
    ends = view.project(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    pixels = float(np.nanmax(np.linalg.norm(ends[1:] - ends[0], axis=1))) if middle else 1.0
    return SNAP_PX / max(pixels, 1.0)
