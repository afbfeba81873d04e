"""The gestures on the board: sliding a handle, moving a rod parallel, drawing a segment anew."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from engine.tasks.two_segments.board import Point
from engine.tasks.two_segments.editing import END_NAMES, moved_parallel
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.two_segments import TwoSegmentsEditor

HANDLE_PX = 13.0
"""How near a press has to be to take a handle."""
ROD_PX = 7.0
BOUNDARY_PX = 24.0
"""How near the boundary a new segment has to begin."""

ALT = Qt.KeyboardModifier.AltModifier


class BoardTool(Tool):
    """A gesture that ends in one step of the history, or in nothing."""

    uses_alt = True

    def __init__(self, editor: TwoSegmentsEditor) -> None:
        self.editor = editor
        self.label = ""
        """What the gesture will have done; empty while there is none."""

    def release(self, event: PointerEvent) -> bool:
        """Keeps what was dragged."""
        if not self.label:
            return False
        label, self.label = self.label, ""
        self.editor.commit(label)
        return True

    def stop(self) -> None:
        """Leaves everything as it was."""
        if self.label:
            self.label = ""
            self.editor.drop_preview()


class MoveTool(BoardTool):
    """Drags handles and rods."""

    def __init__(self, editor: TwoSegmentsEditor) -> None:
        super().__init__(editor)
        self._end: int | None = None
        self._rod: int | None = None
        self._start: Point = (0.0, 0.0)
        self._chord = (0.0, 0.0)

    def press(self, event: PointerEvent) -> bool:
        """Takes the handle under the pointer, or else the rod."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._end, self._rod = self.end_at(event), None
        if self._end is None:
            self._rod = self.rod_at(event)
        if self._end is not None:
            self.label = f"Move end {END_NAMES[self._end]}"
            self.editor.choose(self._end)
        elif self._rod is not None:
            self.label = f"Move segment {self._rod}"
            self._start = _point(event)
            self._chord = self._chord_of(self._rod)
            self.editor.view.set_selection([f"segment {self._rod}"])
        return bool(self.label)

    def takes_key(self, event: QKeyEvent) -> bool:
        """Digits and the point are the place of the chosen handle on its side."""
        return self.editor.typing.takes(event)

    def key(self, event: QKeyEvent) -> None:
        """Goes on typing, or puts the handle there."""
        self.editor.typing.key(event)

    def move(self, event: PointerEvent) -> bool:
        """Slides what was taken, or shows what could be."""
        if not self.label:
            self._point_out(event)
            return False
        if self._end is not None:
            other = self._chord_of(1 - self._end // 2)
            self.editor.preview({self._end: self.editor.snap(_point(event), list(other), event.has_alt)})
        elif self._rod is not None:
            self._move_rod(event)
        return True

    def end_at(self, event: PointerEvent) -> int | None:
        """The handle under the pointer; of several, the chosen one, else the nearest."""
        points = np.array([self.editor.point_of(end) for end in range(4)])
        distances = np.linalg.norm(event.view.project(points) - (event.pos.x(), event.pos.y()), axis=1)
        chosen = self.editor.chosen
        if chosen is not None and distances[chosen] <= distances.min() + 1:
            nearest = chosen
        else:
            nearest = int(distances.argmin())
        return nearest if distances[nearest] <= HANDLE_PX else None

    def rod_at(self, event: PointerEvent) -> int | None:
        """The segment under the pointer."""
        pointer = np.array([event.pos.x(), event.pos.y()])
        ends = event.view.project(np.array(self.editor.segments).reshape(4, 2)).reshape(2, 2, 2)
        distances = [_distance(pointer, a, b) for a, b in ends]
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= ROD_PX else None

    def _move_rod(self, event: PointerEvent) -> None:
        x, y = _point(event)
        shift = (x - self._start[0], y - self._start[1])
        moved = moved_parallel(self.editor.board, self._chord, shift)
        if moved is None:
            return
        ends = (2 * self._rod, 2 * self._rod + 1)
        first, second = (self._snapped(s, event) for s in moved)
        if self.editor.board.grid is None and (first, second) != moved:
            first, second = self._through(first) or moved
        if first != second:
            self.editor.preview(dict(zip(ends, (first, second), strict=True)))

    def _snapped(self, s: float, event: PointerEvent) -> float:
        other = list(self._chord_of(1 - self._rod))
        return self.editor.snap(self.editor.board.point(s), other, event.has_alt)

    def _through(self, s: float) -> tuple[float, float] | None:
        """The parallel whose first end is at `s`."""
        (ax, ay), (bx, by) = self.editor.board.point(self._chord[0]), self.editor.board.point(s)
        return moved_parallel(self.editor.board, self._chord, (bx - ax, by - ay))

    def _chord_of(self, segment: int) -> tuple[float, float]:
        return self.editor.place_of(2 * segment), self.editor.place_of(2 * segment + 1)

    def _point_out(self, event: PointerEvent) -> None:
        on_something = self.end_at(event) is not None or self.rod_at(event) is not None
        event.view.setCursor(Qt.CursorShape.PointingHandCursor if on_something else self.cursor)


class DrawTool(BoardTool):
    """Draws a segment from boundary to boundary, in place of the one that was drawn earlier."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: TwoSegmentsEditor) -> None:
        super().__init__(editor)
        self._segment = 0
        self._start = 0.0

    def press(self, event: PointerEvent) -> bool:
        """Begins at the boundary."""
        if event.button != Qt.MouseButton.LeftButton or not self._near_boundary(event):
            return False
        self._start = self.editor.snap(_point(event), [], event.has_alt)
        self.label = f"Draw segment {self._segment}"
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows the segment up to the boundary's point nearest to the pointer."""
        if not self.label:
            return False
        end = self.editor.snap(_point(event), [], event.has_alt)
        if end != self._start:
            self.editor.preview({2 * self._segment: self._start, 2 * self._segment + 1: end})
        return True

    def release(self, event: PointerEvent) -> bool:
        """Keeps the segment; the next one replaces the other."""
        if self.editor.is_previewing:
            self._segment = 1 - self._segment
        return super().release(event)

    def _near_boundary(self, event: PointerEvent) -> bool:
        foot = self.editor.board.point(self.editor.board.nearest_s(_point(event)))
        return math.dist(foot, _point(event)) * event.view.plane.pixels_per_unit <= BOUNDARY_PX


def _point(event: PointerEvent) -> Point:
    x, y = event.point.tolist()
    return x, y


def _distance(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """From a point to a stretch, in pixels."""
    along = np.clip(np.dot(point - a, b - a) / (np.dot(b - a, b - a) or 1.0), 0, 1)
    return float(np.linalg.norm(a + along * (b - a) - point))
