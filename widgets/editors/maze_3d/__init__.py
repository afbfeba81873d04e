"""The editor of the 3D maze: a plan with digits, steps and routes, and the maze in space beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSplitter, QWidget

from engine.core import Aid, Scene
from engine.core.scene import Item, Polygon, Polyline
from engine.tasks.maze_3d import MazeText
from engine.tasks.maze_3d.drawing import draw_maze, draw_plan, trace_on_plan
from engine.tasks.maze_3d.editing import RoutePen, Slope, fill, mend, path_only, with_height, with_marker, with_steps
from engine.tasks.maze_3d.graph import Study, study
from engine.tasks.maze_3d.maze import BLANK, Cell, Maze, Rules, id_of
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.maze_3d.figures import Figures, status_of
from widgets.editors.maze_3d.gestures import TOOLS
from widgets.editors.maze_3d.plan import PlanOverlay
from widgets.view import Pick, SceneView

HINT = (
    "Drag from A with the route pen: heights follow. Hold J to jump.\nR fills the rest so that nothing else leads to B."
)
LATER_MS = 25
ARROWS = {"Right": (0, 1), "Left": (0, -1), "Up": (-1, 0), "Down": (1, 0)}
SLOPES = {
    Slope.AUTO: ("Auto", "X", "Heights that make no shortcut, keep B in reach and are little used"),
    Slope.LEVEL: ("Level", "E", "Heights stay equal"),
    Slope.CLIMB: ("Climb", "U", "Each cell is higher by 1"),
    Slope.DESCEND: ("Descend", "D", "Each cell is lower by 1"),
}


class Maze3DEditor(Editor):
    """A maze, edited on its plan; what a gesture has done so far is a draft until the button goes up."""

    def prepare(self) -> None:
        self.rules = Rules.of(self.instance.parameters)
        self.brush, self.slope, self.jumps = 5, Slope.AUTO, False
        self._shows_reach = True
        self._draft: Maze | None = None
        self._known: tuple[Maze, Study] | None = None
        self._read: tuple[str, Maze] | None = None

    def begin(self) -> None:
        if (self.maze.heights < 0).any():
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """The plan."""
        view = Canvas2D()
        self.plan = PlanOverlay()
        view.add_overlay(self.plan)
        view.set_describe(self._describe)
        return view

    def central_widget(self) -> QWidget:
        """The plan, and the maze in space beside it."""
        from widgets.viewport3d import Viewport3D

        self.space = Viewport3D()
        whole = QSplitter(Qt.Orientation.Horizontal)
        for view, share in ((self.view, 3), (self.space, 2)):
            whole.addWidget(view)
            whole.setStretchFactor(whole.count() - 1, share)
        whole.setHandleWidth(1)
        whole.setChildrenCollapsible(False)
        self.view.selection_changed.connect(self.space.set_selection)
        self.space.selection_changed.connect(self.view.set_selection)
        self.space.set_describe(self._describe)
        self.space.box_select = False
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """Tools, heights, how a route goes on, commands, and what the checks say by now."""
        self._free_digit_keys()
        self._tools = {name: kind(self) for name, kind in TOOLS.items()}
        tools.add_section("Tools")
        tools.add_tools(
            [
                self.add_action("Pen", lambda: self.use("pen"), "P", "pencil", "A drag draws a route; hold J to jump"),
                self.add_action("Paint", lambda: self.use("paint"), "B", "brush", "A drag paints the brush height"),
                self.add_action("Region", lambda: self.use("fill"), "G", "fill", "A click fills a region"),
                self.add_action("Select", lambda: self.use("select"), "V", "select", "Select cells, type heights"),
            ],
            columns=2,
        )
        self._add_heights(tools)
        self._add_route(tools)
        self._add_commands(tools)
        tools.add_section("Path")
        self.figures = Figures(self.rules)
        self.figures.height_clicked.connect(self.select_height)
        tools.add_widget(self.figures)
        self._add_keys()
        self.view.selection_changed.connect(lambda _: self._show_selection())
        self.use("pen")

    def _add_heights(self, tools: ToolPanel) -> None:
        tools.add_section("Height")
        tip = "What the brush paints  (digit keys)"
        self._brush_field = tools.add_number("Brush", self.brush, (BLANK, 9), self._set_brush, tip=tip)
        tip = "The height of the selected cells  (digit keys)"
        self._height_field = tools.add_number("Selected", BLANK, (BLANK, 9), self._set_selected, tip=tip)
        for field in (self._brush_field, self._height_field):
            field.setSpecialValueText("empty")

    def _add_route(self, tools: ToolPanel) -> None:
        tools.add_section("Route pen")
        actions = [
            self.add_action(text, lambda slope=slope: self._set_slope(slope), key, "", tip)
            for slope, (text, key, tip) in SLOPES.items()
        ]
        tools.add_tools(actions, columns=2)
        tip = "The next two cells of the route are a gap and its landing  (hold J)"
        self._jump_box = tools.add_check("Jump", False, self._set_jumps, tip)

    def _add_commands(self, tools: ToolPanel) -> None:
        tools.add_section("Maze")
        tools.add_tools(
            [
                self.add_action(
                    "Fill the rest", self.fill_rest, "R", "grid", "Heights that open no way off the path", Aid.SOLVING
                ),
                self.add_action("Keep path only", self.keep_path, "K", "serpentine", "Empties all other cells"),
                self.add_action(
                    "Mend", self.mend, "M", "check", "Changes one cell so that one path is left", Aid.SOLVING
                ),
            ],
            exclusive=False,
        )
        tools.add_check("Show steps", True, self._show_steps, "Walks as thin lines, jumps as arcs", Aid.JUDGING)
        tools.add_check(
            "Shade what A reaches", True, self._show_reach, "All cells that can be reached from A", Aid.JUDGING
        )

    def _add_keys(self) -> None:
        for key, way in ARROWS.items():
            name = key.lower()
            self.add_action(f"Cursor {name}", lambda way=way: self.move_cursor(way), key)
            self.add_action(f"Extend selection {name}", lambda way=way: self.move_cursor(way, True), f"Shift+{key}")
            self.add_action(f"Draw route {name}", lambda way=way: self.draw_step(way), f"Ctrl+{key}")
        self.add_action("Raise selected", lambda: self.raise_cells(self.selected, 1, "raise"), "+, =")
        self.add_action("Lower selected", lambda: self.raise_cells(self.selected, -1, "raise"), "-")
        self.add_action("Empty selected", lambda: self.set_height(BLANK), "Delete, Backspace")
        self.add_action("Put A here", lambda: self.put_marker("A"), "Shift+A")
        self.add_action("Put B here", lambda: self.put_marker("B"), "Shift+B")
        for height in range(10):
            self.add_action(f"Select height {height}", lambda h=height: self.select_height(h), f"Ctrl+{height}")

    def _free_digit_keys(self) -> None:
        """Digits are heights here, so the standard views move to Alt with the digit."""
        for action in self.space.view_actions.values():
            key = action.shortcut().toString()
            if key.isdecimal():
                action.setShortcut(f"Alt+{key}")

    def use(self, name: str) -> None:
        """Takes a tool in hand."""
        self.view.set_tool(self._tools[name])

    def make_scene(self) -> Scene:
        """The plan."""
        self.plan.show_maze(self.maze, self.found)
        return draw_plan(self.maze, self.found, self._shows_reach)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws plan and figures at once, the maze in space a moment later."""
        super().redraw(reset_view)
        self.figures.show_maze(self.maze, self.found)
        self._show_selection()
        if reset_view:
            self.space.set_scene(draw_maze(self.maze, self.found), reset_view=True)
        else:
            self.later.start()

    def draw_later(self) -> None:
        """The maze in space."""
        self.space.set_scene(draw_maze(self.maze, self.found))

    def status(self) -> str:
        """Path, jumps, coverage, and what is left to fill."""
        return status_of(self.maze, self.found, self.rules)

    def marked(self) -> Mapping[str, str]:
        """Routes and figures tell already; nothing is marked on top of them."""
        return {}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits are heights; J, while it is held, makes the route jump."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.text().isdecimal() and event.text().isascii() and not held:
            self.type_height(int(event.text()))
        elif event.key() == Qt.Key.Key_J and not event.isAutoRepeat():
            self._jump_box.setChecked(True)
        elif event.key() == Qt.Key.Key_Escape:
            self.view.set_selection(())
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The end of a jump."""
        if event.key() == Qt.Key.Key_J and not event.isAutoRepeat():
            self._jump_box.setChecked(False)
        else:
            super().keyReleaseEvent(event)

    # The maze ----------------------------------------------------------------------------------------------------

    @property
    def maze(self) -> Maze:
        """The maze, with what a gesture has done so far."""
        if self._draft is not None:
            return self._draft
        text = self.document.answer.maze
        if self._read is None or self._read[0] != text:
            self._read = text, Maze.read(text, self.rules)
        return self._read[1]

    @property
    def found(self) -> Study:
        """The routes of the maze as it is shown."""
        maze = self.maze
        if self._known is None or self._known[0] is not maze:
            self._known = maze, study(maze)
        return self._known[1]

    def preview(self, maze: Maze) -> None:
        """Shows what a gesture has done so far."""
        self._draft = maze
        self.redraw()

    def commit(self, label: str, merge: str = "") -> None:
        """Makes what the gesture has done a step of the history."""
        draft, self._draft = self._draft, None
        if draft is not None and draft.text != self.maze.text:
            self.edit(label, MazeText.of(draft), merge)
        else:
            self.redraw()

    def drop(self) -> None:
        """Forgets what the gesture has done."""
        self.view.set_ghost([])
        if self._draft is not None:
            self._draft = None
            self.redraw()

    def change(self, label: str, maze: Maze, merge: str = "") -> None:
        """Puts another maze in place."""
        self._draft = maze
        self.commit(label, merge)

    def raise_cells(self, cells: Sequence[Cell], step: int, merge: str) -> None:
        """Changes heights by a step; consecutive ones are one step of the history."""
        self.change("Change height", with_steps(self.maze, cells, step), merge)

    def type_height(self, height: int) -> None:
        """Gives the selected cells a height, and the brush."""
        self._brush_field.setValue(height)
        self.set_height(height)

    def set_height(self, height: int) -> None:
        """Gives the selected cells a height, or none."""
        if self.selected and all(map(self.marker_at, self.selected)):
            self.message.emit("A and B have the heights that the task gives them.")
        label = "Empty cells" if height == BLANK else f"Set height {height}"
        self.change(label, with_height(self.maze, self.selected, height))

    def put_marker(self, marker: str) -> None:
        """Moves A or B to the cursor."""
        if not self.selected:
            self.message.emit(f"Select the cell where {marker} should go.")
            return
        moved = with_marker(self.maze, marker, self.selected[-1], self.rules)
        if moved is None:
            self.message.emit("A and B cannot share a cell.")
        else:
            self.change(f"Move {marker}", moved)

    def draw_step(self, way: Cell) -> None:
        """The route pen by keyboard: from the cursor to the neighbour, or over it while the pen jumps."""
        here = self.cursor_cell
        if self.maze.heights[here] < 0:
            self.message.emit("A route begins at A or at a cell that has a height.")
            return
        pen, why = RoutePen(self.maze, here, self.rules), ""
        for k in range(1, 3 if self.jumps else 2):
            cell = here[0] + k * way[0], here[1] + k * way[1]
            if not why:
                why = pen.enter(cell, self.slope, self.jumps) if self.holds(cell) else "the maze ends here"
        if why:
            self.message.emit(f"The route cannot go there: {why}.")
        else:
            self.change("Draw route", pen.maze, merge="route by keys")
            self.select([pen.cell])

    def fill_rest(self) -> None:
        """Fills the empty cells in the background."""
        if not self.found.path:
            self.message.emit("There is no path from A to B yet. Draw it first, then fill the rest.")
            return
        text = self.maze.text

        def arrived(filled: str | None) -> None:
            if filled is None:
                self.message.emit("The rest cannot be filled so that nothing else leads to B. Empty a few more cells.")
            elif self.maze.text == text:
                self.edit("Fill the rest", MazeText(maze=filled))

        self.runner.run("Filling the rest", fill, self.instance.parameters, text, self.document.revision, done=arrived)

    def keep_path(self) -> None:
        """Empties all cells that are not on the path."""
        if self.found.path:
            self.change("Keep path only", path_only(self.maze))
        else:
            self.message.emit("There is no path from A to B yet.")

    def mend(self) -> None:
        """Looks in the background for a cell to change."""
        if not self.found.detour:
            self.message.emit("There is no second route to mend.")
            return
        text = self.maze.text

        def arrived(mended: tuple[str, Cell] | None) -> None:
            if mended is None:
                self.message.emit("No change of a single cell leaves exactly one path.")
            elif self.maze.text == text:
                self.edit("Mend", MazeText(maze=mended[0]))
                self.select([mended[1]])

        self.runner.run("Looking for a cell to change", mend, self.instance.parameters, text, done=arrived)

    # Cells -------------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> list[Cell]:
        """The selected cells, in the order they were selected."""
        names = [name.removeprefix("cell ").split(",") for name in self.view.selection if name.startswith("cell ")]
        return [cell for r, c in names if self.holds(cell := (int(r), int(c)))]

    @property
    def cursor_cell(self) -> Cell:
        """The cell that keys start from: the one selected last, else A."""
        return self.selected[-1] if self.selected else self.maze.start or (0, 0)

    def select(self, cells: Iterable[Cell]) -> None:
        """Selects cells."""
        self.view.set_selection(map(id_of, cells))

    def select_height(self, height: int) -> None:
        """Selects all cells of a height."""
        self.select(map(tuple, np.argwhere(self.maze.heights == height).tolist()))

    def move_cursor(self, way: Cell, extends: bool = False) -> None:
        """Selects the neighbour of the cursor."""
        (r, c), n = self.cursor_cell, self.rules.size
        cell = min(max(r + way[0], 0), n - 1), min(max(c + way[1], 0), n - 1)
        self.select([*(old for old in self.selected if extends and old != cell), cell])

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is in the maze."""
        return min(cell) >= 0 and max(cell) < self.rules.size

    def cell_at(self, event) -> Cell | None:
        """The cell under the pointer."""
        x, y = np.floor(event.point).astype(int).tolist()
        return (y, x) if self.holds((y, x)) else None

    def nearest_cell(self, event) -> Cell:
        """The cell under the pointer, or the nearest one."""
        x, y = np.clip(np.floor(event.point), 0, self.rules.size - 1).astype(int).tolist()
        return y, x

    def marker_at(self, cell: Cell) -> str:
        """A or B, where one of them is."""
        return {self.maze.start: "A", self.maze.end: "B"}.get(cell, "")

    # What is shown -----------------------------------------------------------------------------------------------

    def refuse(self, cell: Cell | None, why: str) -> None:
        """Shows beside the pointer why a gesture cannot go on."""
        self.view.set_ghost([] if cell is None else [_square(cell)], why)

    def show_pen(self, route: Sequence[Cell], gap: Cell | None) -> None:
        """Shows the route that is being drawn, and the gap that waits for its landing."""
        if self.view.ghost_reason:
            return
        items: list[Item] = [Polyline(id="pen", points=trace_on_plan(route), width_px=3.0)] if len(route) > 1 else []
        self.view.set_ghost([*items, *([_square(gap)] if gap else [])])

    def _describe(self, pick: Pick) -> tuple[str, str]:
        r, c = map(int, pick.id.removeprefix("cell ").split(","))
        height = int(self.maze.heights[r, c])
        words = "empty" if height < 0 else f"height {height}"
        if (r, c) in self.found.path:
            words += f", step {self.found.path.index((r, c))} of the path"
        title = f"Row {r}, column {c}"
        return f"{self.marker_at((r, c))} · {title}".removeprefix(" · "), words

    def _show_selection(self) -> None:
        heights = {int(self.maze.heights[cell]) for cell in self.selected}
        field = self._height_field
        field.setEnabled(bool(self.selected))
        _show_value(field, heights.pop() if len(heights) == 1 else BLANK)

    def _set_brush(self, height: float) -> None:
        self.brush = int(height)

    def _set_selected(self, height: float) -> None:
        self.set_height(int(height))

    def _set_slope(self, slope: Slope) -> None:
        self.slope = slope

    def _set_jumps(self, jumps: bool) -> None:
        self.jumps = jumps

    def _show_steps(self, shows: bool) -> None:
        self.plan.shows_steps = shows
        self.view.update()

    def _show_reach(self, shows: bool) -> None:
        self._shows_reach = shows
        self.redraw()


def _square(cell: Cell) -> Polygon:
    r, c = cell
    corners = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
    return Polygon(id="ghost", points=corners, color="accent", opacity=0.35)


def _show_value(field: QDoubleSpinBox, value: float) -> None:
    field.blockSignals(True)
    field.setValue(value)
    field.blockSignals(False)
