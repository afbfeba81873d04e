"""The gestures, the same in the 3D view and in the plan: placing a brick, and selecting and dragging bricks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QPainter

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.lego_hemisphere.answer import bricks_at
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HALF_FOOTPRINT, HEIGHT, Poses, height_of
from spatial_workbench.engine.tasks.lego_hemisphere.editing import moved, with_images
from spatial_workbench.widgets.editing.gestures import CONTROL, Carry, Place
from spatial_workbench.widgets.editors.lego_hemisphere.commands import BrickCommands
from spatial_workbench.widgets.editors.lego_hemisphere.ghost import Ghost
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece, index_of
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import Pick, PointerEvent, SceneView

SLOPE = 0.5
"""A face counts as a top or a bottom if the z of its normal is larger than this, up or down."""
FAR_TIMES = 4.0
"""Points farther away than this many outer radii are ignored, or moved nearer."""
LEAST_SHARE = 0.005
"""A brick with a smaller share inside the shell is called outside."""


class BrickPlaceTool(Place):
    """A ghost follows the pointer; a press places it. Keys move the ghost as well.

    go_to_layer: called with the layer of each placed brick.
    shows_share: whether a note beside the pointer says how much of the brick would be inside the shell.
    """

    marks_hovered = True

    def __init__(
        self, piece: BrickWorkpiece, ghost: Ghost, go_to_layer: Callable[[int], None], shows_share: bool
    ) -> None:
        self._piece = piece
        self._ghost = ghost
        self._go_to_layer = go_to_layer
        self._shows_share = shows_share
        self.stacks = True
        """Whether pointing at a brick builds on it."""
        self.mirrors = [False, False]
        """Whether each brick is placed on both sides of x = 0 and of y = 0."""
        self.pose: tuple[float, float, float, float] | None = None
        """The present or last pose of the ghost."""
        self.angle_deg = 0.0
        self.is_shown = False
        self.share = 0.0
        """The share of the ghost inside the shell."""
        self._last: PointerEvent | None = None

    def follow(self, event: PointerEvent) -> None:
        self._last = event
        aim = self._aim(event)
        if aim is None:
            self.hide()
        else:
            point, layer, beside = aim
            self._show_ghost(self._piece.placement.snap(point, layer, self.angle_deg, event.has_alt, beside=beside))

    def put(self, event: PointerEvent) -> bool:
        if self.is_shown:
            self.place()
        return True

    def place(self) -> None:
        """Adds the ghost's bricks to the answer, or says why not."""
        poses = self._ghost.poses
        if not len(poses):
            return
        if self._ghost.problem and not self._piece.allows_illegal:
            self._piece.say(f"Not placed: {self._ghost.problem}")
            return
        self.hide()
        self._piece.select([])
        label = "Place brick" if len(poses) == 1 else f"Place {len(poses)} bricks"
        self._piece.add_bricks(label, bricks_at(poses), select=False)
        self._go_to_layer(int(Poses(poses).layers[0]))

    def clear(self) -> None:
        self._last = None
        self.hide()

    def hide(self) -> None:
        """Hides the ghost until the pointer or a key moves it."""
        self.is_shown = False
        self._ghost.clear()

    def set_mirror(self, axis: int, on: bool) -> None:
        """Sets whether each brick is placed on both sides along an axis."""
        self.mirrors[axis] = on
        self.again()

    def turn(self, by_deg: float) -> None:
        """Turns the ghost, and the bricks placed after it."""
        self.angle_deg = ((self.pose[3] if self.is_shown and self.pose else self.angle_deg) + by_deg) % 360.0
        self.again()

    def again(self) -> None:
        """Updates the ghost in its place, after its angle, the layer or the bricks have changed."""
        if self._last is not None:
            self.follow(self._last)
        elif self.pose is not None and self.is_shown:
            self.step(0.0, 0.0, free=False)

    def step(self, x: float, y: float, free: bool) -> None:
        """Moves the ghost by keys; the first key shows it."""
        self._last = None
        layer = self._piece.layer
        point = self._start(layer) if self.pose is None else (self.pose[0] + x, self.pose[1] + y)
        self._show_ghost(self._piece.placement.snap(point, layer, self.angle_deg, free))

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints the edges of the ghost in the 3D view, and the note beside the pointer; an overlay of both views."""
        if view.tool is not self or not self.is_shown or not len(self._ghost.poses):
            return
        if not view.scene.flat:
            self._ghost.paint_edges(painter, view)
        if self._shows_share and self._last is not None and self._last.view is view and not self._ghost.problem:
            title = f"{100 * self.share:.0f} % inside" if self.share >= LEAST_SHARE else "Not in the shell"
            words = title, f"layer {Poses(self._ghost.poses).layers[0]}"
            overlays.paint_note(painter, view.rect(), self._last.pos, words, view.theme)

    def _start(self, layer: int) -> tuple[float, float]:
        """Where the ghost first appears by key: in front, in the middle of the wall."""
        rings = self._piece.shell.outlines(HEIGHT * layer)
        radii = [float(np.abs(ring[:, 1]).max()) for ring in rings] or [0.0]
        return 0.0, -sum(radii) / len(radii)

    def _show_ghost(self, pose: tuple[float, float, float, float]) -> None:
        self.pose = pose
        self.is_shown = True
        poses = with_images(np.array([pose]), *self.mirrors)
        if self._shows_share:
            self.share = self._piece.share_at(poses)
        self._ghost.show_bricks(poses)

    def _aim(self, event: PointerEvent) -> tuple[Floats, int, int | None] | None:
        """Where the pointer puts a brick: its centre, its layer, and the brick that it stands beside.

        With stacking on, pointing at the top of a brick builds above it, and pointing at a side builds beside it.
        """
        if event.view.scene.flat:
            return event.point, self._piece.layer, None
        brick = index_of(event.pick.id) if event.pick is not None else None
        if self.stacks and not event.has(CONTROL) and event.pick is not None and brick is not None:
            return self._against(event.pick, brick)
        point = ground_point(event, HEIGHT * self._piece.base_layer)
        if point is None or np.abs(point).max() > FAR_TIMES * self._piece.shell.outer_mm:
            return None
        return point, self._piece.base_layer, None

    def _against(self, pick: Pick, brick: int) -> tuple[Floats, int, int | None]:
        """The place on, under or beside a brick."""
        layer = int(self._piece.poses.layers[brick])
        point = np.array(pick.position[:2])
        up = pick.normal[2]
        if abs(up) > SLOPE:
            return point, layer + (1 if up > 0 else -1), None
        normal = np.array(pick.normal[:2])
        sides = Poses(np.array([[0.0, 0.0, 0.0, self.angle_deg]])).sides[0]
        return point + normal * (np.abs(sides @ normal) @ HALF_FOOTPRINT), layer, brick


@dataclass(frozen=True)
class BrickGrip:
    """The brick that was grabbed, where (x, y; z in mm), and whether copies are dragged."""

    brick: int
    start: Floats
    z: float
    copies: bool


class BrickSelectTool(Carry[BrickGrip]):
    """A press on a brick selects it; a drag moves the selection or, with Shift, a copy of it.

    hide: called with the dragged bricks, which are hidden.
    """

    def __init__(
        self, piece: BrickWorkpiece, ghost: Ghost, commands: BrickCommands, hide: Callable[[Sequence[int]], None]
    ) -> None:
        super().__init__()
        self._piece = piece
        self._ghost = ghost
        self._commands = commands
        self._hide = hide
        self._is_dragging = False
        self._bricks: list[int] = []
        self._way = np.zeros(2)
        self._lift = 0
        self._is_free = False

    def take(self, event: PointerEvent) -> BrickGrip | None:
        self.was_dropped = False
        brick = index_of(event.pick.id) if event.pick else None
        if event.pick is None or brick is None or (event.has(CONTROL) and not event.has_alt):
            return None
        if event.has_alt and brick not in self._piece.selected:
            return None
        z = event.pick.position[2]
        point = ground_point(event, z)
        if point is None:
            return None
        grip = BrickGrip(brick, point, z, copies=self.copies(event))
        if not grip.copies and brick not in self._piece.selected:
            self._piece.select([brick])
        return grip

    def show(self, grip: BrickGrip, event: PointerEvent) -> None:
        if not self.was_moved:
            return
        if not self._is_dragging:
            self._begin(grip)
        point = ground_point(event, grip.z)
        if point is not None:
            reach = FAR_TIMES * self._piece.shell.outer_mm
            self._way = np.clip(point - grip.start, -reach, reach)
            self._is_free = event.has_alt
            self._show_ghost(grip)

    def finish(self, grip: BrickGrip, event: PointerEvent) -> None:
        if self.was_moved:
            self._commands.drop_bricks(self._bricks, self._goal(grip), grip.copies)
        else:
            self._piece.select([*self._piece.selected, grip.brick] if grip.copies else [grip.brick])

    def clear(self) -> None:
        if self._is_dragging:
            self._is_dragging = False
            self._hide([])
            self._ghost.clear()

    def stop(self) -> None:
        self.was_dropped |= self._is_dragging
        super().stop()

    def lift(self, layers: int) -> bool:
        """Moves what is being dragged up or down; returns whether there is anything."""
        if self._is_dragging and self.grip is not None:
            self._lift += layers
            self._show_ghost(self.grip)
        return self._is_dragging

    def _begin(self, grip: BrickGrip) -> None:
        self._is_dragging = True
        self._way = np.zeros(2)
        self._lift = 0
        self._bricks = self._piece.selected if grip.brick in self._piece.selected else [grip.brick]
        self._hide([] if grip.copies else self._bricks)

    def _show_ghost(self, grip: BrickGrip) -> None:
        self._ghost.show_bricks(self._goal(grip), () if grip.copies else self._bricks, rigid=True)

    def _goal(self, grip: BrickGrip) -> Floats:
        """The poses (n, 4) of the dragged bricks; the brick that was grabbed decides how they snap."""
        piece = self._piece
        x, y, _, angle = piece.poses.poses[grip.brick].tolist()
        layer = int(piece.poses.layers[grip.brick]) + self._lift
        point = (x + self._way[0], y + self._way[1])
        snapped = piece.placement.snap(point, layer, angle, self._is_free, () if grip.copies else self._bricks)
        if len(self._bricks) == 1:
            return np.array([snapped])
        step = (snapped[0] - x, snapped[1] - y, height_of(layer) - height_of(layer - self._lift))
        return moved(piece.poses_of(self._bricks), step)


def ground_point(event: PointerEvent, z: float) -> Floats | None:
    """Where the pointer is at height z: (x, y) in mm."""
    if event.view.scene.flat:
        return event.point
    point = event.on_plane(z)
    return None if point is None else point[:2]
