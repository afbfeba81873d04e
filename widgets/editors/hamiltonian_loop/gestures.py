"""The gestures on the grid: drawing from cell to cell, clicking links, filling rectangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from engine.core.scene import Polyline
from engine.tasks.hamiltonian_loop.editing import filled, flipped, toggled, way_to
from engine.tasks.hamiltonian_loop.grid import Cell, Link, link
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.hamiltonian_loop import HamiltonianLoopEditor

CORNER_REACH = 0.24
"""How near, in cells, the pointer has to be to the point between four cells to mean that point."""


class GridTool(Tool):
    """A gesture that ends in one step of the history, or in nothing."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: HamiltonianLoopEditor) -> None:
        self.editor = editor
        self.start: Cell | None = None

    def cell_at(self, event: PointerEvent) -> Cell:
        """The cell under the pointer, the nearest one outside of the grid."""
        x, y = (round(float(v)) for v in event.point)
        grid = self.editor.grid
        return min(max(x, 1), grid.width), min(max(y, 1), grid.height)

    def is_on_grid(self, event: PointerEvent) -> bool:
        """Whether the pointer is over the grid."""
        return self.editor.grid.holds(tuple(np.round(event.point).tolist()))

    def begins(self, event: PointerEvent) -> bool:
        """Whether a press begins the gesture: with the left button, on a cell."""
        if event.button != Qt.MouseButton.LeftButton or not self.is_on_grid(event):
            return False
        self.start = self.cell_at(event)
        self.editor.set_cursor(self.start)
        return True

    def leave(self) -> None:
        """Nothing is pointed at any more."""
        if self.start is None:
            self.editor.view.set_ghost([])

    def stop(self) -> None:
        """Leaves everything as it was."""
        self.start = None
        self.editor.drop_preview()


class DrawTool(GridTool):
    """The pencil. It follows the pointer from cell to cell, and back."""

    def press(self, event: PointerEvent) -> bool:
        """Puts the pencil down."""
        return self.begins(event)

    def move(self, event: PointerEvent) -> bool:
        """Draws to the cell under the pointer, as far as that goes."""
        if self.start is None:
            return False
        reason = ""
        for cell in way_to(self.editor.cursor_cell, self.cell_at(event)):
            reason = self.editor.extend(self.editor.cursor_cell, cell)
            if reason:
                break
            self.editor.set_cursor(cell)
        self._say(event, reason)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Keeps what was drawn."""
        if self.start is None:
            return False
        self.start = None
        self.editor.commit("Draw")
        return True

    def _say(self, event: PointerEvent, reason: str) -> None:
        """Shows where the pencil cannot go."""
        ends = np.array([self.editor.cursor_cell, self.cell_at(event)], float)
        blocked = Polyline(id="way", points=ends, width_px=2.0, dashed=True)
        self.editor.view.set_ghost([blocked] if reason else [], reason)


class LinkTool(GridTool):
    """Toggles links between two cells, and swaps parallel links around a point."""

    cursor = Qt.CursorShape.PointingHandCursor

    def press(self, event: PointerEvent) -> bool:
        """Changes what is pointed at."""
        if event.button != Qt.MouseButton.LeftButton or not self.is_on_grid(event):
            return False
        target = self.target(event)
        self.editor.set_cursor(self.cell_at(event))
        if isinstance(target[0], int):
            self.editor.flip(target)
        elif all(cell in self.editor.grid.neighbours for cell in target):
            self.editor.toggle(target)
        self._show(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows what a click would change."""
        self._show(event)
        return False

    def target(self, event: PointerEvent) -> Cell | Link:
        """The point between four cells (as its upper left cell), or the two cells beside the nearest border."""
        x, y = (float(v) for v in event.point)
        left, top = int(np.floor(x)), int(np.floor(y))
        if max(abs(x - left - 0.5), abs(y - top - 0.5)) < CORNER_REACH:
            return left, top
        cell = self.cell_at(event)
        dx, dy = x - cell[0], y - cell[1]
        way = (1 if dx > 0 else -1, 0) if abs(dx) > abs(dy) else (0, 1 if dy > 0 else -1)
        return link(cell, (cell[0] + way[0], cell[1] + way[1]))

    def _show(self, event: PointerEvent) -> None:
        editor, target = self.editor, self.target(event)
        if not self.is_on_grid(event):
            editor.view.set_ghost([])
        elif isinstance(target[0], int):
            _, reason = flipped(editor.grid, editor.links, target)
            x, y = target
            ring = np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], float)
            square = Polyline(id="square", points=ring, width_px=2.0, dashed=True, closed=True)
            editor.view.set_ghost([] if reason else [square])
        elif all(cell in editor.grid.neighbours for cell in target):
            _, reason = toggled(editor.links, target)
            editor.view.set_ghost([Polyline(id="link", points=np.array(target, float), width_px=5.0)], reason)
        else:
            editor.view.set_ghost([])


class FillTool(GridTool):
    """Fills a rectangle to and fro, along its longer side, from the corner where the drag began."""

    def press(self, event: PointerEvent) -> bool:
        """The first corner."""
        return self.begins(event)

    def move(self, event: PointerEvent) -> bool:
        """Shows the run."""
        if self.start is None:
            return False
        ends = self.start, self.cell_at(event)
        _, reason = filled(self.editor.grid, self.editor.links, *ends)
        self.editor.view.set_ghost(self.editor.ghost_of(ends), reason)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Draws the run, if it may be drawn."""
        if self.start is None:
            return False
        first, self.start = self.start, None
        links, reason = filled(self.editor.grid, self.editor.links, first, self.cell_at(event))
        self.editor.view.set_ghost([])
        if reason:
            self.editor.message.emit(reason)
        else:
            self.editor.put("Fill", links)
        return True
