"""The editor: paths and loops on a grid are drawn cell by cell or link by link.

During a gesture the drawing follows the pointer, computed in this process; the release is one step of the history. The
cursor is the cell on which keys act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Item, Polygon, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hamiltonian_loop import LoopAnswer
from spatial_workbench.engine.tasks.hamiltonian_loop.drawing import draw_grid, draw_pieces
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import (
    pieces_of,
)
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Note,
    Numbers,
    Section,
    Switch,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.hamiltonian_loop.commands import LoopCommands
from spatial_workbench.widgets.editors.hamiltonian_loop.cursor import LoopCursor
from spatial_workbench.widgets.editors.hamiltonian_loop.drawing import GridMarks
from spatial_workbench.widgets.editors.hamiltonian_loop.gestures import DrawTool, FillTool, LinkTool, LoopContext
from spatial_workbench.widgets.editors.hamiltonian_loop.progress_bar import ProgressMeters
from spatial_workbench.widgets.editors.hamiltonian_loop.workpiece import LoopLinks
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Press on a cell and drag to draw; drag back to erase.  Keys: arrows move, Shift with arrows draws."
ROOM_BELOW = 0.09
"""Additional room below the grid for the hint, as a fraction of the grid's height."""


class HamiltonianLoopEditor(Editor[LoopAnswer]):
    """Draws paths and loops on a grid."""

    def prepare(self) -> None:
        self.loop = LoopLinks(self.document, self.allows(Aid.JUDGING), self.redraw)
        self.commands = LoopCommands(self.document, self.loop, self.message.emit)
        self.loop_cursor = LoopCursor(self.loop, self.commands, self.message.emit, self._cursor_moved)

    def begin(self) -> None:
        self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_describe(self.loop.describe)
        view.add_overlay(GridMarks(self.loop, self.loop_cursor))
        self.context = LoopContext(self.loop, self.loop_cursor, self.commands, view)
        view.set_tool(DrawTool(self.context))
        return view

    def list_controls(self) -> Iterable[Declared]:
        meters = partial(ProgressMeters, self.allows(Aid.JUDGING))
        yield Bars(CustomPart("Progress", meters, aid=Aid.MEASURING, refresh=self._show_tally))
        yield Section("Tools", self._tool_buttons())
        shows = self.loop.shows_forced
        forced_tip = "Show the links that every way to finish the drawing contains"
        accept = Action("Accept all", self.commands.accept_forced, "A", "check", "Draw every forced link", Aid.SOLVING)
        show = Switch("Show", shows.get, shows.put, forced_tip, Aid.SOLVING)
        yield Section("Forced links", show, Buttons(accept))
        yield Section(
            "Loop",
            Buttons(
                Action("Reverse", self.commands.reverse, "Shift+R", "rotate", "Reverse the direction of the loop"),
                Action(
                    "Start here",
                    lambda: self.commands.start_at(self.loop_cursor.cell),
                    "S",
                    "first",
                    "Start the loop at the cursor",
                ),
                Action("Clear", self.commands.clear, "Shift+Delete", "delete", "Remove all links"),
            ),
        )
        bounds = (1, max(self.loop.grid.width, self.loop.grid.height))
        yield Section(
            "Cursor",
            Numbers(
                "Cursor", ("x", "y"), lambda: self.loop_cursor.cell, self.loop_cursor.type_coordinate, bounds, columns=2
            ),
            Note("What is at the cursor", lambda: self.loop.words(self.loop_cursor.cell), aid=Aid.MEASURING),
        )
        yield self.loop_cursor.keys()

    def _show_tally(self, meters: ProgressMeters) -> None:
        meters.show_tally(self.loop.tally, self.loop.dead_ends)

    def _tool_buttons(self) -> Tools:
        draws = "Drag from cell to cell; drag back over the last cell to erase it"
        links = "Click a border to link two cells, or the point between four cells to swap parallel links"
        return Tools(
            self.view,
            ToolButton("Draw", self.view.tool, "D", "pencil", draws),
            ToolButton("Link", LinkTool(self.context), "L", "link", links),
            ToolButton("Fill", FillTool(self.context), "R", "serpentine", "Drag a rectangle to fill it row by row"),
        )

    def make_scene(self) -> Scene:
        """The grid with the drawing; steps that jump are red only if the answer may be judged."""
        if self.loop.has_jumps:
            scene = draw_grid(self.loop.grid, self.document.answer.cells)
        else:
            scene = draw_pieces(self.loop.grid, pieces_of(self.loop.links, self.loop.answered))
        if not self.allows(Aid.JUDGING):
            scene = replace(scene, items=tuple(map(_unjudged, scene.items)))
        return self._with_room(scene)

    def _with_room(self, scene: Scene) -> Scene:
        if scene.bounds is None:
            return scene
        low, (x, y, z) = scene.bounds
        return replace(scene, bounds=(low, (x, y + ROOM_BELOW * self.loop.grid.height, z)))

    def redraw(self, reset_view: bool = False) -> None:
        """First updates which links are forced and what cannot be finished."""
        self.loop.update_findings()
        super().redraw(reset_view)

    def _cursor_moved(self) -> None:
        self.refresh()
        self.view.update()

    def status(self) -> str:
        counts = self._counts_in_words() if self.allows(Aid.MEASURING) else ""
        return " · ".join(filter(None, (counts, self.loop.dead_ends_in_words())))

    def _counts_in_words(self) -> str:
        tally = self.loop.tally
        ends = counted(tally.open_ends, "open end") if tally.open_ends else "no open ends"
        return f"{tally.visited} of {tally.needed:,} cells · {ends}"

    def cursor_numbers(self) -> Sequence[int]:
        """The cursor as numbers."""
        return self.loop_cursor.numbers()

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was. Raises ValueError for a place that is not here."""
        self.loop_cursor.put(numbers)

    def marked(self) -> Mapping[str, str]:
        """Nothing: the scene itself shows what is wrong, and cells that are merely missing are not marked."""
        return {}


def _unjudged(item: Item) -> Item:
    """An item of the scene without the colour that marks faults."""
    if isinstance(item, Polygon | Polyline) and item.color == "failed":
        return replace(item, color="accent")
    return item
