"""Gestures shared by editors: dragging, clicking, painting over cells, placing and moving.

An editor supplies the element under the pointer and the effect of the gesture. When a press counts as a click, what
Escape cancels and when the ghost disappears is decided here, in the same way for all editors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import numpy as np
from PySide6.QtCore import Qt

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView, Tool

GripT = TypeVar("GripT")
Cell = tuple[int, int]

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Drag(Tool, Generic[GripT]):
    """A press grabs something, the drag previews the change, and the release applies it as one step.

    Escape or another tool cancels it. A press that grabs nothing is left to the view.
    """

    cursor = Qt.CursorShape.CrossCursor
    buttons: tuple[Qt.MouseButton, ...] = (LEFT,)

    def __init__(self) -> None:
        self.grip: GripT | None = None
        """The held thing."""
        self.was_moved = False
        """Whether the pointer has left the place of the press."""

    # For subclasses ----------------------------------------------------------------------------------------------

    def take(self, event: PointerEvent) -> GripT | None:
        """The target of a press; None if the press is not meant for this gesture."""
        raise NotImplementedError

    def show(self, grip: GripT, event: PointerEvent) -> None:
        """Previews the change."""

    def finish(self, grip: GripT, event: PointerEvent) -> None:
        """Applies the change."""

    def hover(self, event: PointerEvent) -> None:
        """The pointer moves while nothing is held."""

    def clear(self) -> None:
        """Removes the preview."""

    # Tool --------------------------------------------------------------------------------------------------------

    def press(self, event: PointerEvent) -> bool:
        if event.button not in self.buttons:
            return False
        self.was_moved = False
        self.grip = self.take(event)
        if self.grip is not None:
            self.show(self.grip, event)
        return self.grip is not None

    def move(self, event: PointerEvent) -> bool:
        if self.grip is None:
            if not event.buttons:
                self.hover(event)
            return False
        self.was_moved = True
        self.show(self.grip, event)
        return True

    def release(self, event: PointerEvent) -> bool:
        grip = self.grip
        self.grip = None
        if grip is None:
            return False
        self.clear()
        self.finish(grip, event)
        return True

    def leave(self) -> None:
        if self.grip is None:
            self.clear()

    def stop(self) -> None:
        self.grip = None
        self.clear()


class Click(Drag[GripT]):
    """A press and a release on the same element."""

    cursor = Qt.CursorShape.ArrowCursor

    def do(self, hit: GripT, event: PointerEvent) -> None:
        """Applies a click on the element."""
        raise NotImplementedError

    def finish(self, grip: GripT, event: PointerEvent) -> None:
        if self.take(event) == grip:
            self.do(grip, event)


class Paint(Drag[Cell]):
    """Paints over cells of a grid, in strokes without gaps; with Control, over all cells of a rectangle.

    A stroke is one step, and does the same to all its cells; what it does is decided at the first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[Cell, None] = {}
        """The cells of the stroke, in the order in which they were reached."""
        self._last: Cell = (0, 0)

    def cell(self, event: PointerEvent, clamp: bool = False) -> Cell | None:
        """The cell under the pointer; with `clamp` the nearest one, if the pointer is outside."""
        raise NotImplementedError

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """Whether a stroke can begin at a cell; decides what the stroke does."""
        return True

    def preview(self, cells: Iterable[Cell]) -> None:
        """Shows the stroke so far."""
        raise NotImplementedError

    def commit(self, cells: Iterable[Cell]) -> None:
        """Applies the stroke as one step."""
        raise NotImplementedError

    def take(self, event: PointerEvent) -> Cell | None:
        cell = self.cell(event)
        if cell is None or not self.begin(cell, event):
            return None
        self._last = cell
        self.cells = {cell: None}
        return cell

    def show(self, grip: Cell, event: PointerEvent) -> None:
        cell = self.cell(event, clamp=True)
        if cell is None or (self.was_moved and cell == self._last):
            return
        if event.has(CONTROL):
            self.cells = dict.fromkeys(rectangle(grip, cell))
        else:
            self.cells |= dict.fromkeys(line(self._last, cell))
        self._last = cell
        self.preview(self.cells)

    def finish(self, grip: Cell, event: PointerEvent) -> None:
        cells = self.cells
        self.cells = {}
        self.commit(cells)

    def double_click(self, event: PointerEvent) -> bool:
        return self.press(event)


class Place(Tool):
    """A ghost follows the pointer, and a press places it."""

    cursor = Qt.CursorShape.CrossCursor
    uses_alt = True
    marks_hovered = False
    """Whether the view also marks and names the element under the pointer."""

    def follow(self, event: PointerEvent) -> None:
        """Shows the ghost for the place under the pointer."""
        raise NotImplementedError

    def put(self, event: PointerEvent) -> bool:
        """Places it, or says why not; False if the press is not meant for this gesture."""
        raise NotImplementedError

    def clear(self) -> None:
        """Removes the ghost."""

    def press(self, event: PointerEvent) -> bool:
        if event.button != LEFT:
            return False
        self.follow(event)
        return self.put(event)

    def move(self, event: PointerEvent) -> bool:
        if event.buttons:
            return False
        self.follow(event)
        return not self.marks_hovered

    def double_click(self, event: PointerEvent) -> bool:
        return event.button == LEFT

    def leave(self) -> None:
        self.clear()

    def stop(self) -> None:
        self.clear()


class MoveSelection(Drag[str]):
    """A press on an element selects it, unless it is selected already, and a drag moves the whole selection.

    A press with Control or Shift adds to the selection, as everywhere, unless the gesture uses the key itself.
    """

    cursor = Qt.CursorShape.ArrowCursor
    adds_with = CONTROL | SHIFT

    def element(self, event: PointerEvent) -> str | None:
        """The element under the pointer, if it is one that can be moved."""
        raise NotImplementedError

    def show_move(self, event: PointerEvent) -> None:
        """Previews the elements at their new place."""
        raise NotImplementedError

    def move_there(self, event: PointerEvent) -> None:
        """Moves them, or says why not."""
        raise NotImplementedError

    def take(self, event: PointerEvent) -> str | None:
        element = self.element(event)
        if element is None or (event.modifiers & self.adds_with and not event.has_alt):
            return None
        if element not in event.view.selection:
            event.view.set_selection([element])
        return element

    def show(self, grip: str, event: PointerEvent) -> None:
        if self.was_moved:
            self.show_move(event)

    def finish(self, grip: str, event: PointerEvent) -> None:
        if self.was_moved:
            self.move_there(event)


class Carry(Drag[GripT]):
    """A press on a thing selects it; a drag moves the selection or, with Shift, a copy of it."""

    cursor = Qt.CursorShape.ArrowCursor
    uses_alt = True

    def __init__(self) -> None:
        super().__init__()
        self.was_dropped = False
        """Whether Escape ended a drag, and so must not do anything else."""

    @staticmethod
    def copies(event: PointerEvent) -> bool:
        """Whether a copy is dragged."""
        return event.has(SHIFT) and not event.has(CONTROL)


def line(first: Cell, second: Cell) -> list[Cell]:
    """The cells from one to another, without gaps, both ends included."""
    steps = max(abs(second[0] - first[0]), abs(second[1] - first[1]), 1)
    shares = np.arange(steps + 1) / steps
    spots = np.rint(np.outer(1 - shares, first) + np.outer(shares, second)).astype(int)
    return [(int(x), int(y)) for x, y in spots]


def rectangle(first: Cell, second: Cell) -> list[Cell]:
    """All cells of the rectangle with two cells at opposite corners."""
    (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(first, second, strict=True))
    return [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]


def grid_cell(event: PointerEvent, width: int, height: int, clamp: bool = False) -> Cell | None:
    """The cell under the pointer in a grid of unit cells at the origin; with `clamp` the nearest cell."""
    x, y = (int(value // 1) for value in event.point)
    if clamp:
        return min(max(x, 0), width - 1), min(max(y, 0), height - 1)
    return (x, y) if 0 <= x < width and 0 <= y < height else None


def distance_px(view: SceneView, event: PointerEvent, points: Floats) -> Floats:
    """How far points (n, 2 or 3) of the scene are from the pointer on the screen: (n,), in pixels."""
    return np.asarray(np.linalg.norm(view.project(points) - (event.pos.x(), event.pos.y()), axis=1))


def segment_distance_px(view: SceneView, event: PointerEvent, segments: Floats) -> Floats:
    """How far segments (n, 2, 2 or 3) of the scene are from the pointer on the screen: (n,), in pixels."""
    pointer = np.array([event.pos.x(), event.pos.y()])
    start, end = np.moveaxis(view.project(segments.reshape(-1, segments.shape[-1])).reshape(-1, 2, 2), 1, 0)
    along = end - start
    lengths = np.maximum((along * along).sum(axis=1), 1e-9)
    shares = np.clip(((pointer - start) * along).sum(axis=1) / lengths, 0, 1)
    return np.asarray(np.linalg.norm(start + shares[:, None] * along - pointer, axis=1))
