"""What the pointer does on the plan: select, paint, fill regions, draw routes, move A and B."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from engine.tasks.maze_3d.editing import RoutePen, line, region, with_height, with_marker
from engine.tasks.maze_3d.maze import BLANK, Cell, Maze
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.maze_3d import Maze3DEditor

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


class CellTool(Tool):
    """Base: the wheel changes heights, a drag from A or B moves it; `begin`, `go` and `finish` do the rest."""

    moves_markers = True

    def __init__(self, editor: Maze3DEditor) -> None:
        self.editor = editor
        self._marker = ""
        self._before: Maze | None = None
        self._last: Cell | None = None
        self._turned = 0.0

    # For subclasses ----------------------------------------------------------------------------------------------

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """A button went down on a cell."""
        return False

    def go(self, cell: Cell) -> None:
        """The pointer is on another cell."""

    def finish(self) -> None:
        """The button went up."""

    # Events ------------------------------------------------------------------------------------------------------

    def press(self, event: PointerEvent) -> bool:
        """Takes hold of A or B, or begins what the tool does."""
        cell = self.editor.cell_at(event)
        if cell is None or event.button not in (LEFT, RIGHT):
            return False
        marker = self.editor.marker_at(cell) if self.moves_markers and event.button == LEFT else ""
        if not marker and not self.begin(cell, event):
            return False
        self._marker, self._before, self._last = marker, self.editor.maze, cell
        return True

    def move(self, event: PointerEvent) -> bool:
        """Goes on, cell by cell."""
        if self._last is None:
            return False
        cell = self.editor.nearest_cell(event)
        if cell != self._last:
            for step in [cell] if self._marker else line(self._last, cell):
                self._drag_marker(step) if self._marker else self.go(step)
            self._last = cell
        return True

    def release(self, event: PointerEvent) -> bool:
        """Ends the gesture: one step of the history."""
        if self._last is None:
            return False
        marker, cell = self._marker, self._last
        self._marker, self._last = "", None
        self.editor.view.set_ghost([])
        if marker:
            self.editor.commit(f"Move {marker}")
            self.editor.select([cell])
        else:
            self.finish()
        return True

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Changes the height under the pointer; with Control the view zooms."""
        cell = self.editor.cell_at(event)
        if cell is None or event.has(Qt.KeyboardModifier.ControlModifier):
            return False
        self._turned += steps
        whole = int(self._turned)
        self._turned -= whole
        if whole:
            self.editor.raise_cells([cell], whole, merge=f"wheel {cell}")
        return True

    def stop(self) -> None:
        """Drops what was begun."""
        self._marker, self._last = "", None
        self.editor.drop()

    def _drag_marker(self, cell: Cell) -> None:
        assert self._before is not None
        moved = with_marker(self._before, self._marker, cell, self.editor.rules)
        if moved is None:
            self.editor.refuse(cell, "A and B cannot share a cell")
        else:
            self.editor.refuse(None, "")
            self.editor.preview(moved)


class SelectTool(CellTool):
    """Clicks and boxes select, as in every view."""

    def press(self, event: PointerEvent) -> bool:
        """Takes hold of A or B; everything else is the view's."""
        cell = self.editor.cell_at(event)
        extends = event.has(Qt.KeyboardModifier.ControlModifier) or event.has(Qt.KeyboardModifier.ShiftModifier)
        if cell is None or extends or not self.editor.marker_at(cell) or event.button != LEFT:
            return False
        return super().press(event)


class PaintTool(CellTool):
    """A drag gives the brush's height; with the right button it empties cells."""

    cursor = Qt.CursorShape.CrossCursor

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """Paints the first cell."""
        self._height = BLANK if event.button == RIGHT else self.editor.brush
        self.go(cell)
        return True

    def go(self, cell: Cell) -> None:
        """Paints a cell."""
        self.editor.preview(with_height(self.editor.maze, [cell], self._height))

    def finish(self) -> None:
        """Keeps what was painted."""
        self.editor.commit("Empty cells" if self._height == BLANK else f"Paint height {self._height}")


class FillTool(CellTool):
    """A click gives all cells of a height that hang together the brush's height."""

    cursor = Qt.CursorShape.PointingHandCursor

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """Fills the region."""
        height = BLANK if event.button == RIGHT else self.editor.brush
        self.editor.preview(with_height(self.editor.maze, region(self.editor.maze, cell), height))
        return True

    def finish(self) -> None:
        """Keeps it."""
        self.editor.commit("Fill region")


class PenTool(CellTool):
    """A drag draws a route; heights follow it, and with J held it jumps. Going back takes the last cells back."""

    cursor = Qt.CursorShape.CrossCursor
    moves_markers = False

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """Begins at a cell that has a height."""
        if event.button != LEFT:
            return False
        if self.editor.maze.heights[cell] < 0:
            self.editor.message.emit("A route begins at A or at a cell that has a height.")
            return False
        self._pen = RoutePen(self.editor.maze, cell, self.editor.rules)
        return True

    def go(self, cell: Cell) -> None:
        """Draws on, or says why it cannot."""
        why = self._pen.enter(cell, self.editor.slope, self.editor.jumps)
        self.editor.refuse(cell if why else None, why)
        self.editor.preview(self._pen.maze)
        self.editor.show_pen(self._pen.route, self._pen.gap)

    def finish(self) -> None:
        """Keeps the route."""
        self.editor.commit("Draw route")
        self.editor.select([self._pen.cell])


TOOLS = {"select": SelectTool, "paint": PaintTool, "pen": PenTool, "fill": FillTool}
