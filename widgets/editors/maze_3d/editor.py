"""The editor: a plan with digits, steps and routes, and the maze in 3D beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QSplitter, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Item, Polygon, Polyline
from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.drawing import draw_maze, draw_plan, trace_on_plan
from spatial_workbench.engine.tasks.maze_3d.editing import (
    MazeSlope,
    RoutePen,
    fill,
    mend,
    path_only,
    with_height,
    with_marker,
    with_steps,
)
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy, study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Cell, Maze, Rules, id_of
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Number,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editors.maze_3d.figures import (
    counts_of,
    faults_of,
    jumps_reading,
    path_reading,
    ways_reading,
)
from spatial_workbench.widgets.editors.maze_3d.gestures import TOOLS
from spatial_workbench.widgets.editors.maze_3d.histogram import Histogram
from spatial_workbench.widgets.editors.maze_3d.plan import PlanOverlay
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, PointerEvent, SceneView
from spatial_workbench.widgets.theme import SPACE

HINT = "Drag from A with the route pen: heights follow. Hold J to jump."
ARROWS = {"Right": (0, 1), "Left": (0, -1), "Up": (-1, 0), "Down": (1, 0)}
SLOPES = {
    MazeSlope.AUTO: ("Auto", "X", "Choose rare heights that make no shortcut and keep B in reach"),
    MazeSlope.LEVEL: ("Level", "E", "Heights stay equal"),
    MazeSlope.CLIMB: ("Climb", "U", "Each cell is higher by 1"),
    MazeSlope.DESCEND: ("Descend", "D", "Each cell is lower by 1"),
}


class Maze3DEditor(Editor[MazeText]):
    """Edits a maze on its plan; what a gesture has done so far is a draft until the button is released."""

    links_selection = True

    def prepare(self) -> None:
        self.rules = Rules.of(self.instance.parameters)
        self.slope = MazeSlope.AUTO
        self._brush = Setting(5, self.refresh)
        self._jumps = Setting(False, self.refresh)
        self._shows_steps = Setting(self.allows(Aid.JUDGING), self._show_steps)
        self._shows_reach = Setting(True, self.redraw)
        self._draft: Maze | None = None
        self._known: tuple[Maze, MazeStudy] | None = None
        self._read: tuple[str, Maze] | None = None
        self._tools = {name: kind(self) for name, kind in TOOLS.items()}

    def begin(self) -> None:
        if (self.maze.heights < 0).any():
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        self.plan = PlanOverlay(self._shows_steps.value)
        view.add_overlay(self.plan)
        view.set_describe(self._describe)
        view.set_tool(self._tools["pen"])
        return view

    def central_widget(self) -> QWidget:
        """The plan, and the maze in 3D beside it."""
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        self.space = Viewport3D()
        self.space.set_describe(self._describe)
        self.space.box_select = False
        free_digit_keys(self.space)
        whole = QSplitter(Qt.Orientation.Horizontal)
        for view, share in ((self.view, 3), (self.space, 2)):
            whole.addWidget(view)
            whole.setStretchFactor(whole.count() - 1, share)
        whole.setHandleWidth(1)
        whole.setChildrenCollapsible(False)
        return whole

    def list_controls(self) -> Iterable[Declared]:
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Pen", self._tools["pen"], "P", "pencil", "Drag to draw a route; hold J to jump"),
                ToolButton("Paint", self._tools["paint"], "B", "brush", "Drag to paint the height of the brush"),
                ToolButton("Region", self._tools["fill"], "G", "fill", "Click to fill a region of equal heights"),
                ToolButton("Select", self._tools["select"], "V", "select", "Select cells, then type heights"),
                columns=2,
            ),
        )
        yield self._height_controls()
        yield self._route_controls()
        yield self._maze_controls()
        yield self._path_controls()
        yield from self._key_controls()

    def _height_controls(self) -> Section:
        brush = "The height of the brush  (digit keys)"
        selected = "The height of the selected cells  (digit keys)"
        bounds = (float(BLANK), 9.0)
        return Section(
            "Height",
            Number("Brush", self._brush.get, lambda h: self._brush.put(int(h)), bounds, brush, least="empty"),
            Number(
                "Selected",
                self._common_height,
                lambda h: self.set_height(int(h)),
                bounds,
                selected,
                least="empty",
                enabled=lambda: bool(self.selected),
            ),
        )

    def _route_controls(self) -> Section:
        slopes = [
            Action(text, partial(self._set_slope, slope), key, "", tip, checked=partial(self._has_slope, slope))
            for slope, (text, key, tip) in SLOPES.items()
        ]
        jump = "The next two cells of the route are a gap and its landing  (hold J)"
        return Section(
            "Route pen",
            Buttons(*slopes, columns=2, exclusive=True),
            Switch("Jump", self._jumps.get, self._jumps.put, jump),
        )

    def _maze_controls(self) -> Section:
        rest = "Fill with heights that open no way off the path"
        repaired = "Change a cell so that only one path remains"
        steps = self._shows_steps
        reach = self._shows_reach
        walks = "Show walks as thin lines, jumps as arcs"
        reached = "Shade all cells that can be reached from A"
        return Section(
            "Maze",
            Buttons(
                Action("Fill the rest", self.fill_rest, "R", "grid", rest, Aid.SOLVING),
                Action("Keep path only", self.keep_path, "K", "serpentine", "Empty all other cells"),
                Action("Repair", self.mend, "M", "check", repaired, Aid.SOLVING),
            ),
            Switch("Show steps", steps.get, steps.put, walks, Aid.JUDGING),
            Switch("Shade what A reaches", reach.get, reach.put, reached, Aid.JUDGING),
        )

    def _path_controls(self) -> Section:
        is_judged = self.allows(Aid.JUDGING)
        return Section(
            "Path",
            Gauge("Cells of the path", lambda: path_reading(self.routes, self.rules, is_judged), aid=Aid.MEASURING),
            Gauge("Jumps of the path", lambda: jumps_reading(self.routes, self.rules, is_judged), aid=Aid.MEASURING),
            Gauge("Ways from A to B", lambda: ways_reading(self.routes)),
            CustomPart(
                "Cells of each height",
                self._make_histogram,
                aid=Aid.MEASURING,
                refresh=lambda _: self.histogram.show_counts(self.maze.histogram.tolist()),
            ),
        )

    def _key_controls(self) -> Iterable[Keys]:
        for key, way in ARROWS.items():
            name = key.lower()
            yield Keys(
                Action(f"Cursor {name}", partial(self.move_cursor, way), key, aid=Aid.VIEWING),
                Action(f"Extend selection {name}", partial(self.move_cursor, way, True), f"Shift+{key}"),
                Action(f"Draw route {name}", partial(self.draw_step, way), f"Ctrl+{key}"),
            )
        yield Keys(
            Action("Raise selected", lambda: self.raise_cells(self.selected, 1, "raise"), "+, ="),
            Action("Lower selected", lambda: self.raise_cells(self.selected, -1, "raise"), "-"),
            Action("Empty selected", lambda: self.set_height(BLANK), "Delete, Backspace", verb=Verb.DELETE),
            Action("Put A here", lambda: self.put_marker("A"), "Shift+A"),
            Action("Put B here", lambda: self.put_marker("B"), "Shift+B"),
            *(Action(f"Select height {h}", partial(self.select_height, h), f"Ctrl+{h}") for h in range(10)),
        )

    def _make_histogram(self) -> QWidget:
        limit = self.rules.most_alike if self.allows(Aid.JUDGING) else None
        self.histogram = Histogram(limit)
        self.histogram.height_clicked.connect(self.select_height)
        words = "Cells of each height"
        caption = QLabel(words if limit is None else f"{words}, at most {limit}")
        caption.setObjectName("caption")
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 2 * SPACE, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(caption)
        column.addWidget(self.histogram)
        return whole

    def make_scene(self) -> Scene:
        routes = self._shown_routes
        self.plan.show_maze(self.maze, routes)
        return draw_plan(self.maze, routes, self._shows_reach.value)

    def redraw(self, reset_view: bool = False) -> None:
        """The maze in 3D is drawn a moment later than the plan."""
        super().redraw(reset_view)
        if reset_view:
            self.space.set_scene(draw_maze(self.maze, self._shown_routes), reset_view=True)
        else:
            self.later.start()

    def draw_later(self) -> None:
        self.space.set_scene(draw_maze(self.maze, self._shown_routes))

    def status(self) -> str:
        counts = counts_of(self.maze, self.routes, self.rules) if self.allows(Aid.MEASURING) else []
        return " · ".join([*counts, *(faults_of(self.routes) if self.allows(Aid.JUDGING) else [])])

    def marked(self) -> Mapping[str, str]:
        """Nothing: routes and figures already show what is wrong."""
        return {}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits set heights; J makes the route jump while it is held."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.text().isdecimal() and event.text().isascii() and not held:
            self.type_height(int(event.text()))
        elif event.key() == Qt.Key.Key_J and not event.isAutoRepeat():
            self._jumps.put(True)
        elif event.key() == Qt.Key.Key_Escape:
            self.view.set_selection(())
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Ends jumping when J is released."""
        if event.key() == Qt.Key.Key_J and not event.isAutoRepeat():
            self._jumps.put(False)
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
    def brush(self) -> int:
        """The height of the brush."""
        return self._brush.value

    @property
    def jumps(self) -> bool:
        """Whether the route pen jumps."""
        return self._jumps.value

    @property
    def routes(self) -> MazeStudy:
        """The routes of the maze as it is shown."""
        maze = self.maze
        if self._known is None or self._known[0] is not maze:
            self._known = maze, study(maze)
        return self._known[1]

    @property
    def _shown_routes(self) -> MazeStudy:
        """The routes that may be shown: the path if measuring is allowed, and its faults if judging is."""
        if self.allows(Aid.JUDGING):
            return self.routes
        path = self.routes.path if self.allows(Aid.MEASURING) else ()
        return replace(self.routes, path=path, reached=(), loose=(), second=())

    def preview(self, maze: Maze) -> None:
        """Shows what a gesture has done so far."""
        self._draft = maze
        self.redraw()

    def commit(self, label: str, merge: str = "") -> None:
        """Puts what the gesture has done into the answer, as a step of the history."""
        draft = self._draft
        self._draft = None
        if draft is not None and draft.text != self.maze.text:
            self.edit(label, MazeText.of(draft), merge)
        else:
            self.redraw()

    def drop(self) -> None:
        """Discards what the gesture has done."""
        self.clear_ghost()
        if self._draft is not None:
            self._draft = None
            self.redraw()

    def change(self, label: str, maze: Maze, merge: str = "") -> None:
        """Replaces the maze."""
        self._draft = maze
        self.commit(label, merge)

    def raise_cells(self, cells: Sequence[Cell], step: int, merge: str) -> None:
        """Changes heights by a step; consecutive changes are one step of the history."""
        self.change("Change height", with_steps(self.maze, cells, step), merge)

    def type_height(self, height: int) -> None:
        """Sets the height of the brush and of the selected cells."""
        self._brush.put(height)
        self.set_height(height)

    def set_height(self, height: int) -> None:
        """Sets the height of the selected cells, or empties them."""
        if self.selected and all(map(self.marker_at, self.selected)):
            self.message.emit("The heights of A and B are given by the task.")
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

    def pen_at(self, cell: Cell) -> RoutePen | None:
        """A pen on a cell; None, with a message, if no route can begin there."""
        if self.maze.heights[cell] < 0:
            self.message.emit("A route begins at A or at a cell that has a height.")
            return None
        return RoutePen(self.maze, cell, self.rules, keeps_rules=self.allows(Aid.JUDGING))

    def draw_step(self, way: Cell) -> None:
        """Draws by key: from the cursor to its neighbour, or over it while the pen jumps."""
        r, c = self.cursor_cell
        pen = self.pen_at((r, c))
        why = ""
        if pen is None:
            return
        for k in range(1, 3 if self.jumps else 2):
            cell = r + k * way[0], c + k * way[1]
            if not why:
                why = pen.enter(cell, self.slope, self.jumps) if self.holds(cell) else "the maze ends here"
        if why:
            self.message.emit(f"The route cannot go there: {why}.")
        else:
            self.change("Draw route", pen.maze, merge="route by keys")
            self.select([pen.cell])

    def fill_rest(self) -> None:
        """Fills the empty cells in the background."""
        if not self.routes.path:
            self.message.emit("There is no path from A to B yet. Draw it first, then fill the rest.")
            return
        text = self.maze.text

        def arrived(filled: str | None) -> None:
            if filled is None:
                self.message.emit("The rest cannot be filled without a second path to B. Empty a few more cells.")
            elif self.maze.text == text:
                self.edit("Fill the rest", MazeText(maze=filled))

        self.runner.run("Filling the rest", fill, self.instance.parameters, text, self.document.revision, done=arrived)

    def keep_path(self) -> None:
        """Empties all cells that are not on the path."""
        if self.routes.path:
            self.change("Keep path only", path_only(self.maze))
        else:
            self.message.emit("There is no path from A to B yet.")

    def mend(self) -> None:
        """Looks in the background for a cell to change so that only one path remains."""
        if not self.routes.detour:
            self.message.emit("There is nothing to repair: no second route leads to B.")
            return
        text = self.maze.text

        def arrived(repaired: tuple[str, Cell] | None) -> None:
            if repaired is None:
                self.message.emit("No change of a single cell leaves exactly one path.")
            elif self.maze.text == text:
                self.edit("Repair", MazeText(maze=repaired[0]))
                self.select([repaired[1]])

        self.runner.run("Looking for a cell to change", mend, self.instance.parameters, text, done=arrived)

    # Cells -------------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> list[Cell]:
        """The selected cells, in the order they were selected."""
        names = [name.removeprefix("cell ").split(",") for name in self.view.selection if name.startswith("cell ")]
        return [cell for r, c in names if self.holds(cell := (int(r), int(c)))]

    @property
    def cursor_cell(self) -> Cell:
        """The cell at which keys act: the last selected cell, or else A."""
        return self.selected[-1] if self.selected else self.maze.start or (0, 0)

    def select(self, cells: Iterable[Cell]) -> None:
        """Selects cells."""
        self.view.set_selection(map(id_of, cells))

    def select_height(self, height: int) -> None:
        """Selects all cells of a height."""
        self.select((r, c) for r, c in np.argwhere(self.maze.heights == height).tolist())

    def move_cursor(self, way: Cell, extends: bool = False) -> None:
        """Selects the neighbour of the cursor."""
        r, c = self.cursor_cell
        n = self.rules.size
        cell = min(max(r + way[0], 0), n - 1), min(max(c + way[1], 0), n - 1)
        self.select([*(old for old in self.selected if extends and old != cell), cell])

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is in the maze."""
        return min(cell) >= 0 and max(cell) < self.rules.size

    def cell_at(self, event: PointerEvent) -> Cell | None:
        """The cell under the pointer."""
        x, y = np.floor(event.point).astype(int).tolist()
        return (y, x) if self.holds((y, x)) else None

    def nearest_cell(self, event: PointerEvent) -> Cell:
        """The cell under the pointer, or the nearest one."""
        x, y = np.clip(np.floor(event.point), 0, self.rules.size - 1).astype(int).tolist()
        return y, x

    def marker_at(self, cell: Cell) -> str:
        """A or B, where one of them is."""
        return {self.maze.start: "A", self.maze.end: "B"}.get(cell, "")

    # What is shown -----------------------------------------------------------------------------------------------

    def clear_ghost(self) -> None:
        """Removes the preview of a gesture."""
        self.view.set_ghost([])

    def refuse(self, cell: Cell, why: str) -> None:
        """Shows beside the pointer why a gesture cannot go on."""
        self.view.set_ghost([_square(cell)], why)

    def show_pen(self, route: Sequence[Cell], gap: Cell | None) -> None:
        """Shows the route being drawn, and a gap that still lacks its landing."""
        items: list[Item] = [Polyline(id="pen", points=trace_on_plan(route), width_px=3.0)] if len(route) > 1 else []
        self.view.set_ghost([*items, *([_square(gap)] if gap else [])])

    def _describe(self, pick: Pick) -> tuple[str, str]:
        r, c = map(int, pick.id.removeprefix("cell ").split(","))
        height = int(self.maze.heights[r, c])
        words = "empty" if height < 0 else f"height {height}"
        if (r, c) in self.routes.path:
            words += f", step {self.routes.path.index((r, c))} of the path"
        title = f"Row {r}, column {c}"
        return f"{self.marker_at((r, c))} · {title}".removeprefix(" · "), words

    def _common_height(self) -> int:
        """The height of the selected cells if they have the same, otherwise `BLANK`."""
        heights = {int(self.maze.heights[cell]) for cell in self.selected}
        return heights.pop() if len(heights) == 1 else BLANK

    def _set_slope(self, slope: MazeSlope) -> None:
        self.slope = slope

    def _has_slope(self, slope: MazeSlope) -> bool:
        return self.slope is slope

    def _show_steps(self) -> None:
        self.plan.shows_steps = self._shows_steps.value
        self.view.update()


def _square(cell: Cell) -> Polygon:
    r, c = cell
    corners = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
    return Polygon(id="ghost", points=corners, color="accent", opacity=0.35)
