"""The gestures on the board: sliding a handle, moving a rod parallel to itself, drawing a new segment."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spatial_workbench.engine.tasks.two_segments.board import Point
from spatial_workbench.engine.tasks.two_segments.editing import END_NAMES, moved_parallel
from spatial_workbench.widgets.editing.gestures import Drag, GripT, distance_px, segment_distance_px
from spatial_workbench.widgets.editors.two_segments.typing import PlaceTyping
from spatial_workbench.widgets.editors.two_segments.workpiece import PlacedSegments
from spatial_workbench.widgets.scene_views.view import PointerEvent

HANDLE_PX = 13.0
"""How near to a handle a press has to be to grab it."""
ROD_PX = 7.0
BOUNDARY_PX = 24.0
"""How near to the boundary a new segment has to begin."""


class BoardTool(Drag[GripT]):
    """A gesture that ends with one step of the history or with nothing."""

    uses_alt = True

    def __init__(self, segments: PlacedSegments) -> None:
        super().__init__()
        self._segments = segments

    def stop(self) -> None:
        super().stop()
        self._segments.drop_preview()


@dataclass(frozen=True)
class Rod:
    """A segment being dragged: where it was pressed, and the parameters of its ends then."""

    number: int
    start: Point
    chord: tuple[float, float]


class SegmentsMoveTool(BoardTool[int | Rod]):
    """Drags handles, which are grabbed by their numbers, and rods."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, segments: PlacedSegments, typing: PlaceTyping) -> None:
        super().__init__(segments)
        self._typing = typing

    def take(self, event: PointerEvent) -> int | Rod | None:
        end = self.end_at(event)
        if end is not None:
            self._segments.choose(end)
            return end
        rod = self.rod_at(event)
        if rod is None:
            return None
        event.view.set_selection([f"segment {rod}"])
        return Rod(rod, _point(event), self._chord_of(rod))

    def takes_key(self, event: QKeyEvent) -> bool:
        """Accepts digits and the point, which set the place of the chosen handle on its side."""
        return self._typing.takes(event)

    def key(self, event: QKeyEvent) -> None:
        self._typing.key(event)

    def show(self, grip: int | Rod, event: PointerEvent) -> None:
        if not self.was_moved:
            return
        if isinstance(grip, Rod):
            self._move_rod(grip, event)
        else:
            other = self._chord_of(1 - grip // 2)
            self._segments.preview({grip: self._segments.snap(_point(event), list(other), event.has_alt)})

    def finish(self, grip: int | Rod, event: PointerEvent) -> None:
        moved = f"segment {grip.number}" if isinstance(grip, Rod) else f"end {END_NAMES[grip]}"
        self._segments.commit(f"Move {moved}")

    def hover(self, event: PointerEvent) -> None:
        on_something = self.end_at(event) is not None or self.rod_at(event) is not None
        event.view.setCursor(Qt.CursorShape.PointingHandCursor if on_something else self.cursor)

    def end_at(self, event: PointerEvent) -> int | None:
        """The handle under the pointer; of several, the chosen handle or else the nearest."""
        points = np.array([self._segments.point_of(end) for end in range(4)])
        distances = distance_px(event.view, event, points)
        chosen = self._segments.chosen
        if chosen is not None and distances[chosen] <= distances.min() + 1:
            nearest = chosen
        else:
            nearest = int(distances.argmin())
        return nearest if distances[nearest] <= HANDLE_PX else None

    def rod_at(self, event: PointerEvent) -> int | None:
        """The segment under the pointer."""
        distances = segment_distance_px(event.view, event, np.array(self._segments.segments))
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= ROD_PX else None

    def _move_rod(self, rod: Rod, event: PointerEvent) -> None:
        x, y = _point(event)
        moved = self._parallel(rod, (x - rod.start[0], y - rod.start[1]))
        if moved is None:
            return
        first, second = (self._snapped(rod, s, event) for s in moved)
        if self._segments.board.grid is None and (first, second) != moved:
            first, second = self._through(rod, first) or moved
        if first != second:
            self._segments.preview({2 * rod.number: first, 2 * rod.number + 1: second})

    def _snapped(self, rod: Rod, s: float, event: PointerEvent) -> float:
        other = list(self._chord_of(1 - rod.number))
        return self._segments.snap(self._segments.board.point(s), other, event.has_alt)

    def _through(self, rod: Rod, s: float) -> tuple[float, float] | None:
        """The parallel whose first end is at `s`."""
        ax, ay = self._segments.board.point(rod.chord[0])
        bx, by = self._segments.board.point(s)
        return self._parallel(rod, (bx - ax, by - ay))

    def _parallel(self, rod: Rod, shift: Point) -> tuple[float, float] | None:
        return moved_parallel(self._segments.board, rod.chord, shift)

    def _chord_of(self, segment: int) -> tuple[float, float]:
        return self._segments.place_of(2 * segment), self._segments.place_of(2 * segment + 1)


class SegmentsDrawTool(BoardTool[float]):
    """Draws a segment from boundary to boundary, which replaces the one that was drawn earlier.

    What a press grabs is the boundary parameter where the segment begins.
    """

    def __init__(self, segments: PlacedSegments) -> None:
        super().__init__(segments)
        self._segment = 0

    def take(self, event: PointerEvent) -> float | None:
        return self._snapped(event) if self._is_near_boundary(event) else None

    def show(self, grip: float, event: PointerEvent) -> None:
        """Shows the segment up to the boundary's point nearest to the pointer."""
        end = self._snapped(event)
        if end != grip:
            self._segments.preview({2 * self._segment: grip, 2 * self._segment + 1: end})

    def finish(self, grip: float, event: PointerEvent) -> None:
        """Keeps the segment; the next one will replace the other segment."""
        label = f"Draw segment {self._segment}"
        if self._segments.is_previewing:
            self._segment = 1 - self._segment
        self._segments.commit(label)

    def _snapped(self, event: PointerEvent) -> float:
        return self._segments.snap(_point(event), [], event.has_alt)

    def _is_near_boundary(self, event: PointerEvent) -> bool:
        board = self._segments.board
        foot = board.point(board.nearest_s(_point(event)))
        return math.dist(foot, _point(event)) * self._segments.pixels_per_unit <= BOUNDARY_PX


def _point(event: PointerEvent) -> Point:
    x, y = event.point.tolist()
    return x, y
