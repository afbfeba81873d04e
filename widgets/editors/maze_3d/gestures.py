"""The gestures on the plan: selecting, painting, filling regions, drawing routes, moving A and B."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import Qt

from spatial_workbench.engine.tasks.maze_3d.editing import MazeSlope, RoutePen, line, region, with_height, with_marker
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Cell, Maze, Rules
from spatial_workbench.widgets.editing.gestures import CONTROL, LEFT, RIGHT, SHIFT, Drag
from spatial_workbench.widgets.scene_views.view import PointerEvent


class MazeDraft(Protocol):
    """The maze that a gesture changes; a step of the history once the button is released."""

    rules: Rules
    slope: MazeSlope

    @property
    def maze(self) -> Maze:
        """The maze, with what the gesture has done so far."""

    @property
    def brush(self) -> int:
        """The height of the brush."""

    @property
    def jumps(self) -> bool:
        """Whether the route pen jumps."""

    def pen_at(self, cell: Cell) -> RoutePen | None:
        """A pen on a cell; None, with a message, if no route can begin there."""

    def cell_at(self, event: PointerEvent) -> Cell | None:
        """The cell under the pointer."""

    def nearest_cell(self, event: PointerEvent) -> Cell:
        """The cell under the pointer, or the nearest one."""

    def marker_at(self, cell: Cell) -> str:
        """A or B, where one of them is."""

    def preview(self, maze: Maze) -> None:
        """Shows what the gesture has done so far."""

    def commit(self, label: str) -> None:
        """Puts what the gesture has done into the answer, as a step of the history."""

    def drop(self) -> None:
        """Discards what the gesture has done."""

    def raise_cells(self, cells: Sequence[Cell], step: int, merge: str) -> None:
        """Changes heights by a step."""

    def select(self, cells: Iterable[Cell]) -> None:
        """Selects cells."""

    def refuse(self, cell: Cell, why: str) -> None:
        """Shows beside the pointer why the gesture cannot go on."""

    def show_pen(self, route: Sequence[Cell], gap: Cell | None) -> None:
        """Shows the route being drawn, and a gap that still lacks its landing."""

    def clear_ghost(self) -> None:
        """Removes the preview of a gesture."""


class CellTool(Drag[Cell]):
    """Base of the tools: the wheel changes heights, and a drag from A or B moves that marker.

    Subclasses do the rest in `begin`, `go` and `keep`.
    """

    cursor = Qt.CursorShape.ArrowCursor
    buttons: tuple[Qt.MouseButton, ...] = (LEFT, RIGHT)
    moves_markers = True

    def __init__(self, draft: MazeDraft) -> None:
        super().__init__()
        self.draft = draft
        self._marker = ""
        self._before = draft.maze
        self._last: Cell = (0, 0)
        self._turned = 0.0

    # For subclasses ----------------------------------------------------------------------------------------------

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """Called when a button is pressed on a cell; returns whether the gesture begins."""
        return False

    def go(self, cell: Cell) -> None:
        """Called for every cell that the pointer reaches."""

    def keep(self) -> None:
        """Called when the button is released."""

    # Drag --------------------------------------------------------------------------------------------------------

    def take(self, event: PointerEvent) -> Cell | None:
        cell = self.draft.cell_at(event)
        if cell is None:
            return None
        self._marker = self.draft.marker_at(cell) if self.moves_markers and event.button == LEFT else ""
        if not self._marker and not self.begin(cell, event):
            return None
        self._before = self.draft.maze
        self._last = cell
        return cell

    def show(self, grip: Cell, event: PointerEvent) -> None:
        cell = self.draft.nearest_cell(event)
        if cell == self._last:
            return
        if self._marker:
            self._drag_marker(cell)
        else:
            for step in line(self._last, cell):
                self.go(step)
        self._last = cell

    def finish(self, grip: Cell, event: PointerEvent) -> None:
        if self._marker:
            self.draft.commit(f"Move {self._marker}")
            self.draft.select([self._last])
        else:
            self.keep()

    def clear(self) -> None:
        self.draft.clear_ghost()

    def stop(self) -> None:
        super().stop()
        self.draft.drop()

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Changes the height under the pointer, unless Control is held: then the view zooms."""
        cell = self.draft.cell_at(event)
        if cell is None or event.has(CONTROL):
            return False
        self._turned += steps
        whole = int(self._turned)
        self._turned -= whole
        if whole:
            self.draft.raise_cells([cell], whole, merge=f"wheel {cell}")
        return True

    def _drag_marker(self, cell: Cell) -> None:
        moved = with_marker(self._before, self._marker, cell, self.draft.rules)
        if moved is None:
            self.draft.refuse(cell, "A and B cannot share a cell")
        else:
            self.draft.clear_ghost()
            self.draft.preview(moved)


class MazeSelectTool(CellTool):
    """Clicks and boxes select, as in every view; only A and B can be dragged."""

    buttons = (LEFT,)

    def take(self, event: PointerEvent) -> Cell | None:
        return None if event.has(CONTROL) or event.has(SHIFT) else super().take(event)


class MazePaintTool(CellTool):
    """A drag sets the brush's height; with the right button, it empties cells."""

    cursor = Qt.CursorShape.CrossCursor

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        self._height = BLANK if event.button == RIGHT else self.draft.brush
        self.go(cell)
        return True

    def go(self, cell: Cell) -> None:
        self.draft.preview(with_height(self.draft.maze, [cell], self._height))

    def keep(self) -> None:
        self.draft.commit("Empty cells" if self._height == BLANK else f"Paint height {self._height}")


class MazeFillTool(CellTool):
    """A click sets the brush's height in the connected cells of equal height."""

    cursor = Qt.CursorShape.PointingHandCursor

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        height = BLANK if event.button == RIGHT else self.draft.brush
        self.draft.preview(with_height(self.draft.maze, region(self.draft.maze, cell), height))
        return True

    def keep(self) -> None:
        self.draft.commit("Fill region")


class PenTool(CellTool):
    """A drag draws a route, and heights follow it; with J held it jumps. Dragging back erases the last cells."""

    cursor = Qt.CursorShape.CrossCursor
    buttons = (LEFT,)
    moves_markers = False

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        pen = self.draft.pen_at(cell)
        if pen is not None:
            self._pen = pen
        return pen is not None

    def go(self, cell: Cell) -> None:
        why = self._pen.enter(cell, self.draft.slope, self.draft.jumps)
        self.draft.preview(self._pen.maze)
        if why:
            self.draft.refuse(cell, why)
        else:
            self.draft.show_pen(self._pen.route, self._pen.gap)

    def keep(self) -> None:
        self.draft.commit("Draw route")
        self.draft.select([self._pen.cell])


TOOLS: dict[str, type[CellTool]] = {
    "select": MazeSelectTool,
    "paint": MazePaintTool,
    "pen": PenTool,
    "fill": MazeFillTool,
}
