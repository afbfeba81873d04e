"""The gestures on the plan: selecting, painting, filling regions, drawing routes, moving A and B."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

from spatial_workbench.engine.tasks.maze_3d.editing import line, region, with_height, with_marker
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Cell
from spatial_workbench.widgets.editing.gestures import CONTROL, LEFT, RIGHT, SHIFT, Drag
from spatial_workbench.widgets.editors.maze_3d.cells import MazeCells
from spatial_workbench.widgets.editors.maze_3d.commands import MazeCommands
from spatial_workbench.widgets.editors.maze_3d.draft import MazeDraft
from spatial_workbench.widgets.editors.maze_3d.pen import MazePen
from spatial_workbench.widgets.scene_views.view import PointerEvent


@dataclass(frozen=True)
class MazeContext:
    """The context that the tools share."""

    draft: MazeDraft
    cells: MazeCells
    pen: MazePen
    commands: MazeCommands


class CellTool(Drag[Cell]):
    """Base of the tools: the wheel changes heights, and a drag from A or B moves that marker.

    Subclasses do the rest in `begin`, `go` and `keep`.
    """

    cursor = Qt.CursorShape.ArrowCursor
    buttons: tuple[Qt.MouseButton, ...] = (LEFT, RIGHT)
    moves_markers = True

    def __init__(self, context: MazeContext) -> None:
        super().__init__()
        self.draft = context.draft
        self.cells = context.cells
        self.pen = context.pen
        self.commands = context.commands
        self._marker = ""
        self._before = context.draft.maze
        self._last: Cell = (0, 0)
        self._turned = 0.0

    # For subclasses ----------------------------------------------------------------------------------------------

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        """Called when a button is pressed on a cell; returns whether the gesture begins."""
        return False

    def reach_cell(self, cell: Cell) -> None:
        """Called for every cell that the pointer reaches."""

    def keep_change(self) -> None:
        """Called when the button is released."""

    # Drag --------------------------------------------------------------------------------------------------------

    def take(self, event: PointerEvent) -> Cell | None:
        cell = self.cells.cell_at(event)
        if cell is None:
            return None
        self._marker = self.cells.marker_at(cell) if self.moves_markers and event.button == LEFT else ""
        if not self._marker and not self.begin(cell, event):
            return None
        self._before = self.draft.maze
        self._last = cell
        return cell

    def show(self, grip: Cell, event: PointerEvent) -> None:
        cell = self.cells.nearest_cell(event)
        if cell == self._last:
            return
        if self._marker:
            self._drag_marker(cell)
        else:
            for step in line(self._last, cell):
                self.reach_cell(step)
        self._last = cell

    def finish(self, grip: Cell, event: PointerEvent) -> None:
        if self._marker:
            self.draft.commit(f"Move {self._marker}")
            self.cells.select([self._last])
        else:
            self.keep_change()

    def clear(self) -> None:
        self.pen.clear_ghost()

    def stop(self) -> None:
        super().stop()
        self.draft.drop()

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Changes the height under the pointer, unless Control is held: then the view zooms."""
        cell = self.cells.cell_at(event)
        if cell is None or event.has(CONTROL):
            return False
        self._turned += steps
        whole = int(self._turned)
        self._turned -= whole
        if whole:
            self.commands.raise_cells([cell], whole, merge=f"wheel {cell}")
        return True

    def _drag_marker(self, cell: Cell) -> None:
        moved = with_marker(self._before, self._marker, cell, self.draft.rules)
        if moved is None:
            self.pen.refuse(cell, "A and B cannot share a cell")
        else:
            self.pen.clear_ghost()
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
        self._height = BLANK if event.button == RIGHT else self.commands.brush.value
        self.reach_cell(cell)
        return True

    def reach_cell(self, cell: Cell) -> None:
        self.draft.preview(with_height(self.draft.maze, [cell], self._height))

    def keep_change(self) -> None:
        self.draft.commit("Empty cells" if self._height == BLANK else f"Paint height {self._height}")


class MazeFillTool(CellTool):
    """A click sets the brush's height in the connected cells of equal height."""

    cursor = Qt.CursorShape.PointingHandCursor

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        height = BLANK if event.button == RIGHT else self.commands.brush.value
        self.draft.preview(with_height(self.draft.maze, region(self.draft.maze, cell), height))
        return True

    def keep_change(self) -> None:
        self.draft.commit("Fill region")


class PenTool(CellTool):
    """A drag draws a route, and heights follow it; with J held it jumps. Dragging back erases the last cells."""

    cursor = Qt.CursorShape.CrossCursor
    buttons = (LEFT,)
    moves_markers = False

    def begin(self, cell: Cell, event: PointerEvent) -> bool:
        pen = self.pen.pen_at(cell)
        if pen is not None:
            self._pen = pen
        return pen is not None

    def reach_cell(self, cell: Cell) -> None:
        why = self._pen.enter(cell, self.pen.slope, self.pen.jumps.value)
        self.draft.preview(self._pen.maze)
        if why:
            self.pen.refuse(cell, why)
        else:
            self.pen.show_pen(self._pen.route, self._pen.gap)

    def keep_change(self) -> None:
        self.draft.commit("Draw route")
        self.cells.select([self._pen.cell])


TOOLS: dict[str, type[CellTool]] = {
    "select": MazeSelectTool,
    "paint": MazePaintTool,
    "pen": PenTool,
    "fill": MazeFillTool,
}
