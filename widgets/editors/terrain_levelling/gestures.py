"""What the pointer does on the terrain: drill a hole to a depth, brush blasts over cells, select cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from engine.core.words import counted
from widgets import overlays
from widgets.view import PointerEvent, SceneView, Tool

if TYPE_CHECKING:
    from widgets.editors.terrain_levelling import TerrainEditor

Cell = tuple[int, int]


def cell_of(event: PointerEvent) -> Cell | None:
    """The cell under the pointer: column, row."""
    pick = event.pick
    if pick is None or not pick.id.startswith("cell "):
        return None
    x, y = pick.id.removeprefix("cell ").split(",")
    return int(x), int(y)


class DrillTool(Tool):
    """A press on a cell and a drag downwards set a blast and its depth; a click takes the depth of the panel."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: TerrainEditor) -> None:
        self._editor = editor
        self._cell: Cell | None = None
        self._start_y = 0.0
        self._depth = 0.0
        self._dragged = False
        self.note = "", ""
        """What is said at the pointer: the depth, and the cell."""
        self._pointer: QPointF | None = None

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Says the depth at the pointer, unless a reason against it stands there; an overlay of the view."""
        refused = getattr(view, "ghost_reason", "")
        if self.note[0] and self._pointer is not None and view.tool is self and not refused:
            overlays.paint_note(painter, view.rect(), self._pointer, self.note, view.theme)

    def press(self, event: PointerEvent) -> bool:
        """Takes a cell."""
        self._pointer = event.pos
        cell = cell_of(event)
        if event.button != Qt.MouseButton.LeftButton or cell is None:
            return False
        self._cell, self._start_y, self._dragged = cell, event.pos.y(), False
        self._depth = self._editor.allowed_depth(cell, self._editor.depth_m)
        self._editor.show_hole(cell, self._depth)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Deepens the hole as the pointer goes down."""
        self._pointer = event.pos
        if self._cell is None:
            cell = cell_of(event)
            if not event.buttons:
                self._editor.show_hole(cell, self._editor.allowed_depth(cell, self._editor.depth_m) if cell else 0.0)
            return False
        self._dragged = self._dragged or abs(event.pos.y() - self._start_y) > 3
        if self._dragged:
            self._depth = self._editor.allowed_depth(self._cell, self._depth_at(event))
        self._editor.show_hole(self._cell, self._depth)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Adds the blast, as one step."""
        if self._cell is None:
            return False
        cell, depth = self._cell, self._depth
        self.stop()
        self._editor.add([(cell, depth)], "Add blast")
        return True

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """With Shift, changes the depth of the next blast by a decimetre a notch."""
        if not event.has(Qt.KeyboardModifier.ShiftModifier):
            return False
        self._editor.change_depth(0.1 * np.sign(steps))
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._cell = None
        self._editor.show_hole(None, 0.0)

    def leave(self) -> None:
        """Takes the ghost away."""
        if self._cell is None:
            self._editor.show_hole(None, 0.0)

    def _depth_at(self, event: PointerEvent) -> float:
        """How far below the top of the column the pointer is, measured on the column's axis."""
        assert self._cell is not None
        x, y = self._cell
        top = self._editor.height_at(self._cell)
        view = event.view
        upper, lower = view.project(np.array([[x + 0.5, y + 0.5, top], [x + 0.5, y + 0.5, top - 1.0]]))
        pixels_a_metre = max(float(np.hypot(*(lower - upper))), 2.0)
        return (event.pos.y() - self._start_y) / pixels_a_metre


class BrushTool(Tool):
    """A drag over cells adds a blast of the panel's depth to each, as one step."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: TerrainEditor) -> None:
        self._editor = editor
        self._cells: list[Cell] = []

    def press(self, event: PointerEvent) -> bool:
        """Begins with a cell."""
        cell = cell_of(event)
        if event.button != Qt.MouseButton.LeftButton or cell is None:
            return False
        self._cells = [cell]
        self._editor.show_holes(self._cells)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Takes in the cells that the pointer goes over."""
        cell = cell_of(event)
        if not self._cells:
            return False
        if cell is not None and cell not in self._cells:
            self._cells.append(cell)
            self._editor.show_holes(self._cells)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Adds the blasts."""
        cells = self._cells
        if not cells:
            return False
        self.stop()
        depth = self._editor.depth_m
        self._editor.add(
            [(cell, self._editor.allowed_depth(cell, depth)) for cell in cells], f"Add {counted(len(cells), 'blast')}"
        )
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._cells = []
        self._editor.show_holes([])
