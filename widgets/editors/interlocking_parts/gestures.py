"""The gestures: dragging parts along an axis in the assembly; bars, boxes and holes on the bed.

Each shows what it would make, and ends with one step of the history or with nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import numpy as np
from PySide6.QtCore import Qt

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Floats
from spatial_workbench.engine.tasks.interlocking_parts.editing import (
    SNAP_MM,
    CageBox,
    Hole,
    HoleKind,
    bar_at,
    drawn_bar,
    lines_of,
    snapped,
)
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.gestures import Drag
from spatial_workbench.widgets.editors.interlocking_parts.assembly import FINE_MM, Assembly
from spatial_workbench.widgets.editors.interlocking_parts.bed import BedPane
from spatial_workbench.widgets.editors.interlocking_parts.gizmo import Gizmo
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

SNAP_PX = 8.0
ROD_PLAY_MM = 0.4
KINDS: tuple[HoleKind, ...] = get_args(HoleKind)
HOLES: dict[HoleKind, str] = {"round": "Round", "hexagonal": "Hexagonal", "teardrop": "Teardrop"}
ROD_HOLES: dict[HoleKind, str] = {
    "round": "round hole for the rod",
    "hexagonal": "hexagonal hole for the rod",
    "teardrop": "teardrop hole for the rod",
}
Point = tuple[float, float]


@dataclass(frozen=True)
class CageHeld:
    """A handle being dragged: its kind ("move", "turn"), its axis, and where it was grabbed."""

    kind: str
    axis: int
    origin: Floats
    grasped_mm: float = 0.0

    def along_mm(self, event: PointerEvent) -> float:
        """The position on the axis that is nearest to the line of sight."""
        start, sight = event.ray
        way = np.eye(3)[self.axis]
        between = self.origin - start
        across = way @ sight
        return float((across * (sight @ between) - way @ between) / max(1e-9, 1.0 - across**2))

    def pixels_per_mm(self, view: SceneView) -> float:
        """How long a millimetre of the axis is on the screen."""
        first, second = view.project(np.array([self.origin, self.origin + np.eye(3)[self.axis]]))
        return max(1e-6, float(np.hypot(*(second - first))))


class CagePlaceTool(Drag[CageHeld]):
    """Drags the handles of the selected parts; elsewhere, the view selects."""

    cursor = Qt.CursorShape.ArrowCursor
    uses_alt = True

    def __init__(
        self,
        gizmo: Gizmo,
        assembly: Assembly,
        move: Callable[[Floats], None],
        turn: Callable[[int, float], None],
    ) -> None:
        super().__init__()
        self._gizmo = gizmo
        self._assembly = assembly
        self._move = move
        self._turn = turn
        self._way = np.zeros(3)

    def take(self, event: PointerEvent) -> CageHeld | None:
        handle = self._gizmo.handle_at(event.pos)
        origin = self._assembly.middle
        if not handle or origin is None:
            return None
        self._way = np.zeros(3)
        kind, axis = handle.split()
        held = CageHeld(kind, "xyz".index(axis), origin)
        return CageHeld(kind, held.axis, origin, held.along_mm(event))

    def hover(self, event: PointerEvent) -> None:
        self._gizmo.mark_handle(self._gizmo.handle_at(event.pos))

    def show(self, grip: CageHeld, event: PointerEvent) -> None:
        if grip.kind == "move" and self.was_moved:
            distance = grip.along_mm(event) - grip.grasped_mm
            reach = SNAP_PX / grip.pixels_per_mm(event.view)
            self._way = self._assembly.drag_to(grip.axis, distance, event.has_alt, reach)

    def finish(self, grip: CageHeld, event: PointerEvent) -> None:
        if grip.kind == "turn":
            self._turn(grip.axis, 90.0)
        elif self._way.any():
            self._move(self._way)

    def clear(self) -> None:
        self._assembly.end_drag()
        self._gizmo.mark_handle("")


class BedTool(Drag[Point]):
    """Base of the tools on the bed: finds the place under the pointer, and shows a ghost.

    Args:
        change_shape: Makes a change, with a label for the history.
        shows_sizes: Whether the ghost shows its size.
    """

    uses_alt = True
    label = ""

    def __init__(self, bed: BedPane, change_shape: Callable[[str, CageBox | Hole], None], shows_sizes: bool) -> None:
        super().__init__()
        self._bed = bed
        self._change_shape = change_shape
        self._shows_sizes = shows_sizes

    def change(self, event: PointerEvent, solid: CageSolid, start: Point | None) -> CageBox | Hole | None:
        """The change that the gesture would make now; `start` is where a drag began, None for a click."""
        raise NotImplementedError

    def take(self, event: PointerEvent) -> Point | None:
        return self.place_at(event)

    def hover(self, event: PointerEvent) -> None:
        self._show_ghost(self._meant(event, None))

    def show(self, grip: Point, event: PointerEvent) -> None:
        self._show_ghost(self._meant(event, grip))

    def finish(self, grip: Point, event: PointerEvent) -> None:
        change = self._meant(event, grip)
        if change is not None:
            self._change_shape(self.label, change)

    def clear(self) -> None:
        self._bed.view.set_ghost(())

    def point(self, event: PointerEvent) -> Point | None:
        """The pointer at the height of the bars' tops, in u and v."""
        spot = event.on_plane(self._bed.cage.bar)
        return None if spot is None else (float(spot[0]), float(spot[1]))

    def place_at(self, event: PointerEvent) -> Point | None:
        """The place snapped to the part's lines or to millimetres; with Alt, to tenths."""
        point = self.point(event)
        if point is None or self._bed.solid is None:
            return None
        if event.has_alt:
            return round(point[0], 1), round(point[1], 1)
        us, vs = lines_of(self._bed.solid, self._bed.cage.bar)
        return snapped(point[0], us), snapped(point[1], vs)

    def _meant(self, event: PointerEvent, grip: Point | None) -> CageBox | Hole | None:
        solid = self._bed.solid
        return None if solid is None else self.change(event, solid, grip if self.was_moved else None)

    def _show_ghost(self, change: CageBox | Hole | None) -> None:
        """Shows the ghost of a change; a change that removes material also says so at the pointer."""
        solid = self._bed.solid
        if change is None or solid is None:
            self.clear()
            return
        u0, v0, u1, v1 = self._bounds(change, solid)
        low = solid.bounds[0][2]
        takes = isinstance(change, Hole) or not change.adds
        top = solid.bounds[1][2] if takes else self._bed.cage.bar
        center = np.array([[(u0 + u1) / 2, (v0 + v1) / 2, (low + top) / 2]])
        size = np.array([max(u1 - u0, 0.5), max(v1 - v0, 0.5), top - low + 1.0])
        words = self._words(change)
        ghost = Boxes(name=words, ids=[words], centers=center, sizes=size)
        self._bed.view.set_ghost((ghost,), words if takes else "")

    def _bounds(self, change: CageBox | Hole, solid: CageSolid) -> tuple[float, float, float, float]:
        if isinstance(change, CageBox):
            return change.bounds
        reach = (self._bed.cage.rod + ROD_PLAY_MM) / 2
        u, v = change.place
        low, high = (v - reach, v + reach) if change.kind == "round" else (corner[1] for corner in solid.bounds)
        return u - reach, float(low), u + reach, float(high)

    def _words(self, change: CageBox | Hole) -> str:
        if isinstance(change, Hole):
            return ROD_HOLES[change.kind]
        if not self._shows_sizes:
            return marked("bar") if change.adds else marked("remove")
        u0, v0, u1, v1 = change.bounds
        size = f"{u1 - u0:g} × {v1 - v0:g} mm"
        return f"bar {size}" if change.adds else f"remove {size}"


class BarTool(BedTool):
    """A click removes the piece of bar under the pointer, or puts one across a window; a drag draws a bar."""

    label = "Change bar"

    def change(self, event: PointerEvent, solid: CageSolid, start: Point | None) -> CageBox | None:
        if start is not None:
            place = self.place_at(event)
            return None if place in (None, start) else drawn_bar(self._bed.cage, start, place)
        point = self.point(event)
        return None if point is None else bar_at(self._bed.cage, solid, point)


class CutTool(BedTool):
    """A drag removes all material in a rectangle."""

    label = "Cut"

    def change(self, event: PointerEvent, solid: CageSolid, start: Point | None) -> CageBox | None:
        place = self.place_at(event)
        if start is None or place is None:
            return None
        (u0, u1), (v0, v1) = (sorted(pair) for pair in zip(start, place, strict=True))
        return CageBox((u0, v0, u1, v1), False) if u1 - u0 >= FINE_MM and v1 - v0 >= FINE_MM else None


class HoleTool(BedTool):
    """A click makes a hole for a rod, on the nearest axis."""

    label = "Rod hole"

    def __init__(self, bed: BedPane, change_shape: Callable[[str, CageBox | Hole], None], shows_sizes: bool) -> None:
        super().__init__(bed, change_shape, shows_sizes)
        self.kind = Setting(0)
        """The kind of hole, as an index into `KINDS`."""

    def change(self, event: PointerEvent, solid: CageSolid, start: Point | None) -> Hole | None:
        point = self.point(event)
        if point is None:
            return None
        reach = 0.0 if event.has_alt else 5 * SNAP_MM
        u, v = (self._drawn(value, reach) for value in point)
        return Hole(KINDS[self.kind.value], (u, v))

    def _drawn(self, value: float, reach: float) -> float:
        axis = float(np.copysign(self._bed.cage.axis_offset, value))
        return axis if abs(value - axis) <= reach else round(value, 1)
