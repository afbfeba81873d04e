"""The gestures: dragging parts along an axis in the assembly; bars, boxes and holes on the bed.

Each shows what it would make, and ends in one step of the history or in nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from engine.core.scene import Boxes, Floats
from engine.tasks.interlocking_parts.editing import SNAP_MM, Box, Hole, HoleKind, bar_at, drawn_bar, lines_of, snapped
from engine.tasks.interlocking_parts.solid import Solid
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.interlocking_parts.editor import InterlockingEditor

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier
CLICK_PX = 4.0
FINE_MM, STEP_MM = 0.1, 1.0
SNAP_PX = 8.0


class PlaceTool(Tool):
    """The handles of the selected parts; what is beside them the view uses to select."""

    uses_alt = True

    def __init__(self, editor: InterlockingEditor) -> None:
        self.editor = editor
        self.handle = ""
        self._grasped = 0.0
        self._line: tuple[Floats, Floats] = (np.zeros(3), np.zeros(3))

    def press(self, event: PointerEvent) -> bool:
        """Takes a handle."""
        handle = self.editor.gizmo.handle_at(event.pos) if event.button == LEFT else ""
        if not handle:
            return False
        kind, axis = handle.split()
        if kind == "turn":
            self.editor.commands.turn("xyz".index(axis), 90.0)
            return True
        grip = self.editor.grip
        assert grip is not None
        self._line = grip, np.eye(3)["xyz".index(axis)]
        self._grasped = self._along(event)
        self.handle = handle
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows the parts where they would be."""
        if not self.handle:
            self.editor.warm(self.editor.gizmo.handle_at(event.pos))
            return False
        axis = int(self._line[1].argmax())
        per_px = 1.0 / max(1e-6, self._pixels_per_mm())
        self.editor.drag_to(axis, self._along(event) - self._grasped, event.has_alt, SNAP_PX * per_px)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Puts the parts down."""
        was, self.handle = self.handle, ""
        if was:
            self.editor.drop()
        return bool(was)

    def stop(self) -> None:
        """Leaves the parts where they were."""
        if self.handle:
            self.handle = ""
            self.editor.end_drag()

    def leave(self) -> None:
        """No handle is under a pointer that is elsewhere."""
        self.editor.warm("")

    def _along(self, event: PointerEvent) -> float:
        """Where on the axis the pointer is: the point of it that is nearest to the line of sight, in mm."""
        start, way = self._line
        origin, sight = event.ray
        across = way @ sight
        between = start - origin
        return float((across * (sight @ between) - way @ between) / max(1e-9, 1.0 - across**2))

    def _pixels_per_mm(self) -> float:
        start, way = self._line
        here, there = self.editor.view.project(np.array([start, start + way]))
        return float(np.hypot(*(there - here)))


class BedTool(Tool):
    """What the tools on the bed have in common: the place under the pointer, and a ghost."""

    cursor = Qt.CursorShape.CrossCursor
    uses_alt = True
    label = ""

    def __init__(self, editor: InterlockingEditor) -> None:
        self.editor = editor
        self._pressed: QPointF | None = None
        self._start: tuple[float, float] | None = None

    @property
    def solid(self) -> Solid | None:
        """The part on the bed."""
        return self.editor.bed.solid

    def press(self, event: PointerEvent) -> bool:
        """Begins."""
        if event.button != LEFT or self.solid is None:
            return False
        self._pressed, self._start = event.pos, self.place(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows what a release, or a click, would do."""
        if self.solid is None:
            return False
        change = self.change(event)
        self.show(change)
        return self._pressed is not None

    def release(self, event: PointerEvent) -> bool:
        """Does it."""
        if self._pressed is None:
            return False
        change = self.change(event)
        self._pressed = self._start = None
        self.editor.bed.view.set_ghost(())
        if change is not None:
            self.editor.commands.change_shape(self.label, change)
        return True

    def leave(self) -> None:
        """Nothing is shown under a pointer that is elsewhere."""
        self.editor.bed.view.set_ghost(())

    def stop(self) -> None:
        """Drops what was begun."""
        self._pressed = self._start = None
        self.leave()

    def change(self, event: PointerEvent) -> Box | Hole | None:
        """What the gesture means so far."""
        raise NotImplementedError

    def point(self, event: PointerEvent) -> tuple[float, float] | None:
        """The pointer on the top of a bar, in u and v."""
        found = event.on_plane(self.editor.cage.bar)
        return None if found is None else (float(found[0]), float(found[1]))

    def place(self, event: PointerEvent) -> tuple[float, float] | None:
        """The pointer on the part's lines or a millimetre grid; with Alt on tenths."""
        point = self.point(event)
        if point is None or self.solid is None:
            return None
        if event.has_alt:
            return round(point[0], 1), round(point[1], 1)
        us, vs = lines_of(self.solid, self.editor.cage.bar)
        return snapped(point[0], us), snapped(point[1], vs)

    def dragged(self, event: PointerEvent) -> bool:
        """Whether the pointer left the place where it was pressed."""
        return self._pressed is not None and (event.pos - self._pressed).manhattanLength() > CLICK_PX

    def show(self, change: Box | Hole | None) -> None:
        """A ghost of a change."""
        view = self.editor.bed.view
        if change is None or self.solid is None:
            view.set_ghost(())
            return
        low, high = self.solid.bounds[0][2], self.solid.bounds[1][2]
        if isinstance(change, Hole):
            reach = (self.editor.cage.rod + 0.4) / 2
            half_v = reach if change.kind == "round" else float(self.solid.bounds[1][1] - self.solid.bounds[0][1]) / 2
            middle_v = change.place[1] if change.kind == "round" else float(self.solid.bounds[0][1]) + half_v
            bounds = (change.place[0] - reach, middle_v - half_v, change.place[0] + reach, middle_v + half_v)
        else:
            bounds = change.bounds
        top = self.editor.cage.bar if isinstance(change, Box) and change.adds else high
        u0, v0, u1, v1 = bounds
        center = np.array([[(u0 + u1) / 2, (v0 + v1) / 2, (low + top) / 2]])
        size = np.array([max(u1 - u0, 0.5), max(v1 - v0, 0.5), top - low + 1.0])
        takes = isinstance(change, Hole) or not change.adds
        words = self.words(change)
        view.set_ghost((Boxes(name=words, ids=[words], centers=center, sizes=size),), words if takes else "")

    def words(self, change: Box | Hole) -> str:
        """What a change does, in a few words."""
        if isinstance(change, Hole):
            return f"{change.kind} hole for the rod"
        u0, v0, u1, v1 = change.bounds
        return f"{'bar' if change.adds else 'remove'} {u1 - u0:g} × {v1 - v0:g} mm"


class BarTool(BedTool):
    """A click takes the piece of bar under the pointer away, or puts one across a window; a drag draws a bar."""

    label = "Change bar"

    def change(self, event: PointerEvent) -> Box | Hole | None:
        if self.dragged(event):
            place = self.place(event)
            if self._start is None or place is None or place == self._start:
                return None
            return drawn_bar(self.editor.cage, self._start, place)
        point = self.point(event)
        return None if point is None or self.solid is None else bar_at(self.editor.cage, self.solid, point)


class CutTool(BedTool):
    """A drag takes all material in a rectangle away."""

    label = "Cut"

    def change(self, event: PointerEvent) -> Box | Hole | None:
        place = self.place(event)
        if not self.dragged(event) or self._start is None or place is None:
            return None
        (u0, v0), (u1, v1) = self._start, place
        if abs(u1 - u0) < FINE_MM or abs(v1 - v0) < FINE_MM:
            return None
        return Box((min(u0, u1), min(v0, v1), max(u0, u1), max(v0, v1)), False)


class HoleTool(BedTool):
    """A click makes a hole for a rod, on the nearest axis."""

    label = "Rod hole"
    kind: HoleKind = "round"

    def change(self, event: PointerEvent) -> Box | Hole | None:
        point = self.point(event)
        if point is None:
            return None
        offset = self.editor.cage.axis_offset
        reach = 0.0 if event.has_alt else 5 * SNAP_MM
        u, v = (self._drawn(value, offset, reach) for value in point)
        return Hole(self.kind, (u, v))

    def _drawn(self, value: float, offset: float, reach: float) -> float:
        axis = offset if value > 0 else -offset
        return axis if abs(value - axis) <= reach else round(value, 1)
