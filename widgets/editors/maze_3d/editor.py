"""The editor: a plan with digits, steps and routes, and the maze in 3D beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.drawing import draw_maze, draw_plan
from spatial_workbench.widgets.editing.controls import (
    Declared,
    Section,
    Setting,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editors.maze_3d.cells import MazeCells
from spatial_workbench.widgets.editors.maze_3d.commands import MazeCommands
from spatial_workbench.widgets.editors.maze_3d.controls import (
    height_section,
    key_actions,
    maze_section,
    path_section,
    route_section,
)
from spatial_workbench.widgets.editors.maze_3d.draft import MazeDraft
from spatial_workbench.widgets.editors.maze_3d.figures import (
    counts_of,
    faults_of,
)
from spatial_workbench.widgets.editors.maze_3d.gestures import TOOLS, MazeContext
from spatial_workbench.widgets.editors.maze_3d.histogram import Histogram
from spatial_workbench.widgets.editors.maze_3d.pen import MazePen
from spatial_workbench.widgets.editors.maze_3d.plan import PlanOverlay
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

HINT = "Drag from A with the route pen: heights follow. Hold J to jump."


class Maze3DEditor(Editor[MazeText]):
    """Edits a maze on its plan; what a gesture has done so far is a draft until the button is released."""

    links_selection = True

    def prepare(self) -> None:
        self._shows_steps = Setting(self.allows(Aid.JUDGING), self._show_steps)
        self._shows_reach = Setting(True, self.redraw)
        self.draft = MazeDraft(self.document, self.redraw, self.allows(Aid.JUDGING), self.allows(Aid.MEASURING))

    def begin(self) -> None:
        if (self.draft.maze.heights < 0).any():
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        self.cells = MazeCells(self.draft, view)
        self.pen = MazePen(self.draft, self.cells, view, self.message.emit, self.refresh)
        self.commands = MazeCommands(
            self.document, self.draft, self.cells, self.runner, self.message.emit, self.refresh
        )
        context = MazeContext(self.draft, self.cells, self.pen, self.commands)
        self._tools = {name: kind(context) for name, kind in TOOLS.items()}
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
        yield height_section(self.commands, self.cells)
        yield route_section(self.pen)
        yield maze_section(self.commands, self._shows_steps, self._shows_reach)
        self.histogram = Histogram(self.draft.rules.most_alike if self.allows(Aid.JUDGING) else None)
        self.histogram.height_clicked.connect(self.cells.select_height)
        yield path_section(self.draft, self.histogram)
        yield from key_actions(self.commands, self.cells, self.pen)

    def make_scene(self) -> Scene:
        routes = self.draft.shown_routes
        self.plan.show_maze(self.draft.maze, routes)
        return draw_plan(self.draft.maze, routes, self._shows_reach.value)

    def redraw(self, reset_view: bool = False) -> None:
        """The maze in 3D is drawn a moment later than the plan."""
        super().redraw(reset_view)
        if reset_view:
            self.space.set_scene(draw_maze(self.draft.maze, self.draft.shown_routes), reset_view=True)
        else:
            self.later.start()

    def draw_later(self) -> None:
        self.space.set_scene(draw_maze(self.draft.maze, self.draft.shown_routes))

    def status(self) -> str:
        counts = counts_of(self.draft.maze, self.draft.routes, self.draft.rules) if self.allows(Aid.MEASURING) else []
        return " · ".join([*counts, *(faults_of(self.draft.routes) if self.allows(Aid.JUDGING) else [])])

    def marked(self) -> Mapping[str, str]:
        """Nothing: routes and figures already show what is wrong."""
        return {}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits set heights; J makes the route jump while it is held."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.text().isdecimal() and event.text().isascii() and not held:
            self.commands.type_height(int(event.text()))
        elif event.key() == Qt.Key.Key_J and not event.isAutoRepeat():
            self.pen.jumps.put(True)
        elif event.key() == Qt.Key.Key_Escape:
            self.view.set_selection(())
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Ends jumping when J is released."""
        if event.key() == Qt.Key.Key_J and not event.isAutoRepeat():
            self.pen.jumps.put(False)
        else:
            super().keyReleaseEvent(event)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        r, c = map(int, pick.id.removeprefix("cell ").split(","))
        height = int(self.draft.maze.heights[r, c])
        words = "empty" if height < 0 else f"height {height}"
        if (r, c) in self.draft.routes.path:
            words += f", step {self.draft.routes.path.index((r, c))} of the path"
        title = f"Row {r}, column {c}"
        return f"{self.cells.marker_at((r, c))} · {title}".removeprefix(" · "), words

    def _show_steps(self) -> None:
        self.plan.shows_steps = self._shows_steps.value
        self.view.update()
