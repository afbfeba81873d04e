"""The gestures, the same in space and in the plan: placing a brick, and selecting and dragging bricks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from engine.core.scene import Floats
from engine.tasks.lego_hemisphere.brick import HALF_FOOTPRINT, HEIGHT, Poses, height_of
from engine.tasks.lego_hemisphere.editing import moved
from widgets.editors.lego_hemisphere.workpiece import index_of, indices_of
from widgets.interactive_view import CLICK_PX
from widgets.view import Pick, PointerEvent, SceneView, Tool

if TYPE_CHECKING:
    from widgets.editors.lego_hemisphere.editor import LegoEditor

ALT, CONTROL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
LEFT = Qt.MouseButton.LeftButton
SLOPE = 0.5
"""A face whose normal rises by more than this is a top."""
FAR_TIMES = 4.0
"""What is pointed at is drawn in to so many outer radii."""


class PlaceTool(Tool):
    """A ghost follows the pointer; a press places it. Keys move the ghost as well."""

    cursor = Qt.CursorShape.CrossCursor
    uses_alt = True

    def __init__(self, editor: LegoEditor) -> None:
        self.editor = editor
        self.pose: tuple[float, float, float, float] | None = None
        """Where the ghost is, or was last."""
        self.angle_deg = 0.0
        self.is_shown = False
        self.pointer: tuple[SceneView, QPointF] | None = None
        """Where the pointer is, while the ghost follows it."""
        self._last: PointerEvent | None = None

    def move(self, event: PointerEvent) -> bool:
        """Takes the ghost to what is pointed at."""
        self._last = event
        self.pointer = event.view, event.pos
        self._follow(event)
        return False

    def press(self, event: PointerEvent) -> bool:
        """Places the ghost."""
        if event.button != LEFT:
            return False
        self.move(event)
        if self.is_shown:
            self.editor.place_ghost()
        return True

    def double_click(self, event: PointerEvent) -> bool:
        """The second press of a double click places nothing."""
        return event.button == LEFT

    def leave(self) -> None:
        """The ghost goes with the pointer."""
        self.pointer = self._last = None
        self.hide()

    def stop(self) -> None:
        """Drops the ghost."""
        self.leave()

    def hide(self) -> None:
        """Takes the ghost away until the pointer or a key moves it."""
        self.is_shown = False
        self.editor.clear_ghost()

    def turn(self, by_deg: float) -> None:
        """Turns the ghost and what will be placed next."""
        self.angle_deg = ((self.pose[3] if self.is_shown and self.pose else self.angle_deg) + by_deg) % 360.0
        self.again()

    def again(self) -> None:
        """Shows the ghost for the same place anew: the layer, its turn or the bricks changed."""
        if self._last is not None:
            self._follow(self._last)
        elif self.pose is not None and self.is_shown:
            self.step(0.0, 0.0, free=False)

    def step(self, x: float, y: float, free: bool) -> None:
        """Moves the ghost by keys; the first key shows it."""
        self.pointer = self._last = None
        layer = self.editor.layer
        point = self._start(layer) if self.pose is None else (self.pose[0] + x, self.pose[1] + y)
        self._show(self.editor.piece.placement.snap(point, layer, self.angle_deg, free))

    def _start(self, layer: int) -> tuple[float, float]:
        """In front, in the middle of the wall."""
        rings = self.editor.piece.shell.outlines(HEIGHT * layer)
        radii = [float(np.abs(ring[:, 1]).max()) for ring in rings] or [0.0]
        return 0.0, -sum(radii) / len(radii)

    def _follow(self, event: PointerEvent) -> None:
        found = aim(self.editor, event, self.angle_deg)
        if found is None:
            self.hide()
            return
        point, layer, beside = found
        snap = self.editor.piece.placement.snap
        self._show(snap(point, layer, self.angle_deg, event.has_alt, beside=beside))

    def _show(self, pose: tuple[float, float, float, float]) -> None:
        self.pose, self.is_shown = pose, True
        self.editor.show_ghost(np.array([pose]))


class SelectTool(Tool):
    """A press on a brick selects it, a drag moves the selection, with Shift a copy of it."""

    uses_alt = True

    def __init__(self, editor: LegoEditor) -> None:
        self.editor = editor
        self.bricks: list[int] = []
        """What is dragged; empty while nothing is."""
        self.copies = False
        self._grabbed: tuple[int, Floats, float] | None = None
        self._start = QPointF()
        self._way = np.zeros(2)
        self._lift = 0
        self._free = False
        self.was_dropped = False
        """Whether Escape ended a drag, and so has had its meaning."""

    def press(self, event: PointerEvent) -> bool:
        """Takes the brick under the pointer; elsewhere, and with Control, the view selects."""
        self.was_dropped = False
        brick = index_of(event.pick.id) if event.pick else None
        if event.button != LEFT or brick is None or (event.has(CONTROL) and not event.has_alt):
            return False
        if event.has_alt and brick not in indices_of(event.view.selection):
            return False
        z = event.pick.position[2]
        point = ground_point(event, z)
        if point is None:
            return False
        self._grabbed, self._start = (brick, point, z), event.pos
        self.copies = event.has(SHIFT) and not event.has(CONTROL)
        if not self.copies and brick not in self.editor.selected:
            self.editor.select([brick])
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows where the bricks would go."""
        if self._grabbed is None:
            return False
        if not self.bricks and (event.pos - self._start).manhattanLength() >= CLICK_PX:
            self._begin()
        _, start, z = self._grabbed
        point = ground_point(event, z)
        if self.bricks and point is not None:
            reach = FAR_TIMES * self.editor.piece.shell.outer_mm
            self._way, self._free = np.clip(point - start, -reach, reach), event.has_alt
            self._show()
        return True

    def release(self, event: PointerEvent) -> bool:
        """Puts the bricks down, or was a click."""
        if self._grabbed is None:
            return False
        brick, bricks, way = self._grabbed[0], self.bricks, self._goal() if self.bricks else None
        copies = self.copies
        self._end()
        if way is not None:
            self.editor.drop_bricks(bricks, way, copies)
        elif copies:
            self.editor.select([*self.editor.selected, brick])
        else:
            self.editor.select([brick])
        return True

    def stop(self) -> None:
        """Leaves the bricks where they were."""
        self.was_dropped |= bool(self.bricks)
        self._end()

    def lift(self, layers: int) -> bool:
        """Takes what is dragged up or down; says whether something is."""
        if self.bricks:
            self._lift += layers
            self._show()
        return bool(self.bricks)

    def _begin(self) -> None:
        assert self._grabbed is not None
        brick = self._grabbed[0]
        self.bricks = self.editor.selected if brick in self.editor.selected else [brick]
        self.editor.begin_drag(self.bricks, self.copies)

    def _end(self) -> None:
        dragged, self.bricks, self._grabbed, self._lift = bool(self.bricks), [], None, 0
        self._way = np.zeros(2)
        if dragged:
            self.editor.end_drag()

    def _show(self) -> None:
        self.editor.show_ghost(self._goal(), () if self.copies else self.bricks, rigid=True)

    def _goal(self) -> Floats:
        """The poses (n, 4) of the dragged bricks, snapped as the one that was grabbed."""
        assert self._grabbed is not None
        piece = self.editor.piece
        x, y, _, angle = piece.poses.poses[self._grabbed[0]].tolist()
        layer = int(piece.poses.layers[self._grabbed[0]]) + self._lift
        ignore = () if self.copies else self.bricks
        point = (x + self._way[0], y + self._way[1])
        snapped = piece.placement.snap(point, layer, angle, self._free, ignore)
        if len(self.bricks) == 1:
            return np.array([snapped])
        step = (snapped[0] - x, snapped[1] - y, height_of(layer) - height_of(layer - self._lift))
        return moved(piece.poses_of(self.bricks), step)


def ground_point(event: PointerEvent, z: float) -> Floats | None:
    """Where the pointer is at height z: (x, y) in mm."""
    if event.view.scene.flat:
        return event.point
    point = event.on_plane(z)
    return None if point is None else point[:2]


def aim(editor: LegoEditor, event: PointerEvent, angle_deg: float) -> tuple[Floats, int, int | None] | None:
    """What the pointer means for a brick to be placed: its centre, its layer, and the brick that it stands beside.

    With stacking on, the top of a brick means the layer above it and a side the place next to it.
    """
    if event.view.scene.flat:
        return event.point, editor.layer, None
    if editor.stacks and not event.has(CONTROL) and event.pick is not None:
        brick = index_of(event.pick.id)
        if brick is not None:
            return _against(editor, event.pick, brick, angle_deg)
    point = ground_point(event, HEIGHT * editor.base_layer)
    reach = FAR_TIMES * editor.piece.shell.outer_mm
    if point is None or np.abs(point).max() > reach:
        return None
    return point, editor.base_layer, None


def _against(editor: LegoEditor, pick: Pick, brick: int, angle_deg: float) -> tuple[Floats, int, int | None]:
    """The place on, under or beside a brick."""
    layer, point = int(editor.piece.poses.layers[brick]), np.array(pick.position[:2])
    up = pick.normal[2]
    if abs(up) > SLOPE:
        return point, layer + (1 if up > 0 else -1), None
    normal = np.array(pick.normal[:2])
    sides = Poses(np.array([[0.0, 0.0, 0.0, angle_deg]])).sides[0]
    return point + normal * (np.abs(sides @ normal) @ HALF_FOOTPRINT), layer, brick
