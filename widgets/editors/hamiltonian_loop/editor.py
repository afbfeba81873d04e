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
from spatial_workbench.engine.tasks.hamiltonian_loop import LoopAnswer, loop_answer
from spatial_workbench.engine.tasks.hamiltonian_loop.drawing import draw_grid, draw_pieces
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import (
    DeadEnds,
    Tally,
    dead_ends_of,
    extended,
    filled,
    flipped,
    forced,
    started_at,
    tally_of,
    toggled,
)
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid, link
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import (
    Links,
    linked,
    links_of,
    pieces_of,
    reversed_steps,
    steps_of,
)
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Note,
    Numbers,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.hamiltonian_loop.drawing import GridMarks
from spatial_workbench.widgets.editors.hamiltonian_loop.gestures import DrawTool, FillTool, LinkTool
from spatial_workbench.widgets.editors.hamiltonian_loop.progress_bar import ProgressMeters
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

HINT = "Press on a cell and drag to draw; drag back to erase.  Keys: arrows move, Shift with arrows draws."
ROOM_BELOW = 0.09
"""Additional room below the grid for the hint, as a fraction of the grid's height."""
ARROWS: dict[str, Cell] = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, -1), "Down": (0, 1)}


class HamiltonianLoopEditor(Editor[LoopAnswer]):
    """Draws paths and loops on a grid."""

    def prepare(self) -> None:
        self.grid = LoopGrid.of(self.instance.parameters)
        self.cursor_cell: Cell = self.grid.free[0]
        self._shows_forced = Setting(False, self.redraw)
        self.forced: frozenset[Link] = frozenset()
        self.dead_ends = DeadEnds((), ())
        self.corner: Cell | None = None
        """The first corner of a rectangle to be filled by key."""
        self._preview: Links | None = None

    def begin(self) -> None:
        self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_describe(self._describe)
        view.add_overlay(GridMarks(self))
        view.set_tool(DrawTool(self))
        return view

    def list_controls(self) -> Iterable[Declared]:
        meters = partial(ProgressMeters, self.allows(Aid.JUDGING))
        yield Bars(CustomPart("Progress", meters, aid=Aid.MEASURING, refresh=self._show_tally))
        yield Section("Tools", self._tool_buttons())
        shows = self._shows_forced
        forced_tip = "Show the links that every way to finish the drawing contains"
        accept = Action("Accept all", self.accept_forced, "A", "check", "Draw every forced link", Aid.SOLVING)
        show = Switch("Show", shows.get, shows.put, forced_tip, Aid.SOLVING)
        yield Section("Forced links", show, Buttons(accept))
        yield Section(
            "Loop",
            Buttons(
                Action("Reverse", self.reverse, "Shift+R", "rotate", "Walk the loop the other way round"),
                Action("Start here", self.start_here, "S", "first", "Start the loop at the cursor"),
                Action("Clear", self.clear, "Shift+Delete", "delete", "Remove all links"),
            ),
        )
        bounds = (1, max(self.grid.width, self.grid.height))
        yield Section(
            "Cursor",
            Numbers("Cursor", ("x", "y"), lambda: self.cursor_cell, self._typed, bounds, columns=2),
            Note("What is at the cursor", lambda: self._words(self.cursor_cell), aid=Aid.MEASURING),
        )
        yield self._keys()

    def _show_tally(self, meters: ProgressMeters) -> None:
        meters.show_tally(self.tally, self.dead_ends)

    def _tool_buttons(self) -> Tools:
        draws = "Drag from cell to cell; drag back over the last cell to erase it"
        links = "Click a border to link two cells, or the point between four cells to swap parallel links"
        return Tools(
            self.view,
            ToolButton("Draw", self.view.tool, "D", "pencil", draws),
            ToolButton("Link", LinkTool(self), "L", "link", links),
            ToolButton("Fill", FillTool(self), "R", "serpentine", "Drag a rectangle to fill it row by row"),
        )

    def _keys(self) -> Keys:
        actions: list[Action] = []
        for key, way in ARROWS.items():
            actions += (
                Action(f"Cursor {key.lower()}", partial(self.step_cursor, way), key),
                Action(f"Draw {key.lower()}", partial(self.draw_from_cursor, way), f"Shift+{key}"),
                Action(f"Link {key.lower()}", partial(self.link_from_cursor, way), f"Ctrl+{key}"),
            )
        return Keys(
            *actions,
            Action("Unlink the cell", self.unlink, "Delete, Backspace"),
            Action("Swap links to the lower right", lambda: self.flip(self.cursor_cell), "X"),
            Action("Fill from here, to here", self.fill_by_key, "Return, Enter"),
        )

    def make_scene(self) -> Scene:
        """The grid with the drawing; steps that jump are red only if the answer may be judged."""
        if self._preview is None and self.steps != self._answered:
            scene = draw_grid(self.grid, self.document.answer.cells)
        else:
            scene = draw_pieces(self.grid, pieces_of(self.links, self._answered))
        if not self.allows(Aid.JUDGING):
            scene = replace(scene, items=tuple(map(_unjudged, scene.items)))
        return self._with_room(scene)

    def _with_room(self, scene: Scene) -> Scene:
        if scene.bounds is None:
            return scene
        low, (x, y, z) = scene.bounds
        return replace(scene, bounds=(low, (x, y + ROOM_BELOW * self.grid.height, z)))

    def redraw(self, reset_view: bool = False) -> None:
        """First finds again which links are forced and what cannot be finished."""
        links = self.links
        self.forced = forced(self.grid, links) if self._shows_forced.value else frozenset()
        if self.allows(Aid.JUDGING):
            self.dead_ends = dead_ends_of(self.grid, links)
        super().redraw(reset_view)

    def status(self) -> str:
        counts = self._counts_in_words() if self.allows(Aid.MEASURING) else ""
        return " · ".join(filter(None, (counts, self.dead_ends_in_words())))

    def _counts_in_words(self) -> str:
        tally = self.tally
        ends = counted(tally.open_ends, "open end") if tally.open_ends else "no open ends"
        return f"{tally.visited} of {counted(tally.needed, 'cell')} · {ends}"

    def marked(self) -> Mapping[str, str]:
        """Nothing: the scene itself shows what is wrong, and cells that are merely missing are not marked."""
        return {}

    # The drawing -------------------------------------------------------------------------------------------------

    @property
    def links(self) -> Links:
        """The shown links: the answer's, or those of the preview."""
        return links_of(self.grid, self.document.answer.cells) if self._preview is None else self._preview

    @property
    def steps(self) -> list[Cell]:
        """The links as steps, in the order of the answer so far."""
        return steps_of(self.links, self._answered)

    @property
    def tally(self) -> Tally:
        """How far the drawing has got."""
        return tally_of(self.grid, self.links)

    def preview(self, links: Links) -> None:
        """Shows other links, without a step of the history."""
        self._preview = links
        self.redraw()

    def drop_preview(self) -> None:
        """Shows the answer again."""
        if self._preview is not None:
            self._preview = None
            self.redraw()

    def commit(self, label: str) -> None:
        """Puts the preview into the answer, as a step of the history."""
        if self._preview is None:
            return
        links = self._preview
        self._preview = None
        self.put(label, links)
        self.redraw()

    def put(self, label: str, links: Links, merge: str = "") -> None:
        """Replaces the links, as a step of the history."""
        if links != links_of(self.grid, self.document.answer.cells):
            self.edit(label, loop_answer(steps_of(links, self._answered)), merge)

    def extend(self, head: Cell, to: Cell) -> str:
        """Previews a pencil stroke to a neighbour; returns why it is not possible, or ""."""
        links, reason = extended(self.grid, self.links, self.steps, head, to)
        if not reason:
            self.preview(links)
        return reason

    def accept_forced(self) -> None:
        """Draws every forced link."""
        forced_links = forced(self.grid, self.links)
        if forced_links:
            self.put("Accept forced links", self.links | forced_links)
        else:
            self.message.emit("No link is forced here.")

    def reverse(self) -> None:
        """Walks every piece the other way."""
        if self.links:
            self.edit("Reverse", loop_answer(reversed_steps(self.links, self._answered)))

    def start_here(self) -> None:
        """Makes the loop start at the cursor."""
        if self.tally.loops == 1 and not self.tally.paths and self.cursor_cell in self._answered:
            self.edit("Start here", loop_answer(started_at(self.steps, self.cursor_cell)))
        else:
            self.message.emit("The cursor has to be on a single closed loop.")

    def clear(self) -> None:
        """Removes all links."""
        self.edit("Clear", loop_answer(()))

    def flip(self, corner: Cell) -> None:
        """Swaps two parallel links around a point."""
        self._put_or_say("Swap links", flipped(self.grid, self.links, corner))

    def toggle(self, pair: Link) -> None:
        """Adds a link, or removes it."""
        self._put_or_say("Unlink" if pair in self.links else "Link", toggled(self.links, pair))

    def fill(self, first: Cell, last: Cell) -> None:
        """Fills the rectangle between two corners row by row."""
        self._put_or_say("Fill", filled(self.grid, self.links, first, last))

    def unlink(self) -> None:
        """Removes the links of the cell at the cursor."""
        self.put("Unlink the cell", frozenset(pair for pair in self.links if self.cursor_cell not in pair))

    # The cursor --------------------------------------------------------------------------------------------------

    def set_cursor(self, cell: Cell) -> None:
        """Puts the cursor on a cell."""
        self.cursor_cell = cell
        self.refresh()
        self.view.update()

    def beyond(self, way: Cell) -> Cell:
        """The cell next to the cursor, or the cursor at the border."""
        x, y = self.cursor_cell[0] + way[0], self.cursor_cell[1] + way[1]
        return (x, y) if self.grid.holds((x, y)) else self.cursor_cell

    def step_cursor(self, way: Cell) -> None:
        """Moves the cursor by a cell."""
        self.set_cursor(self.beyond(way))

    def draw_from_cursor(self, way: Cell) -> None:
        """Draws to the neighbour, or erases the last link, and moves the cursor there."""
        head = self.cursor_cell
        to = self.beyond(way)
        links, reason = extended(self.grid, self.links, self.steps, head, to)
        if reason:
            self.message.emit(reason)
            return
        self.put("Draw", links, merge="draw by key")
        self.set_cursor(to)

    def link_from_cursor(self, way: Cell) -> None:
        """Links the cell to its neighbour, or removes that link."""
        to = self.beyond(way)
        if to in self.grid.neighbours.get(self.cursor_cell, ()):
            self.toggle(link(self.cursor_cell, to))

    def fill_by_key(self) -> None:
        """Makes the cursor the first corner; the second call fills from that corner to the cursor."""
        if self.corner is None:
            self.corner = self.cursor_cell
            self.message.emit("Now put the cursor on the opposite corner and press Enter.")
        else:
            first = self.corner
            self.corner = None
            self.fill(first, self.cursor_cell)
        self.view.update()

    def dead_ends_in_words(self) -> str:
        """What cannot be finished, in words."""
        sentences = []
        if self.dead_ends.starved:
            sentences.append(f"{counted(len(self.dead_ends.starved), 'cell')} cannot have two links")
        if self.dead_ends.cut_off:
            sentences.append(f"{counted(len(self.dead_ends.cut_off), 'part is', 'parts are')} cut off")
        return " · ".join(sentences)

    def show_ghost(self, items: Sequence[Item], reason: str = "") -> None:
        """Shows what a gesture would do, or why it cannot."""
        self.view.set_ghost(items, reason)

    # Internal ----------------------------------------------------------------------------------------------------

    @property
    def _answered(self) -> list[Cell]:
        return [(int(x), int(y)) for x, y in self.document.answer.cells]

    def _put_or_say(self, label: str, result: tuple[Links, str]) -> None:
        links, reason = result
        if reason:
            self.message.emit(reason)
        else:
            self.put(label, links)

    def _typed(self, axis: int, value: float) -> None:
        x, y = self.cursor_cell
        self.set_cursor((min(int(value), self.grid.width), y) if axis == 0 else (x, min(int(value), self.grid.height)))

    def _words(self, cell: Cell) -> str:
        """A description of a cell."""
        if cell in self.grid.blocked:
            return "Blocked"
        uses = [i for i, step in enumerate(self.steps) if step == cell]
        if not uses:
            return "Not visited"
        links = len(linked(self.links)[cell])
        return f"Step {', '.join(map(str, uses))} of {len(self.steps)} · {counted(links, 'link')}"

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, name = pick.id.partition(" ")
        if kind != "cell":
            return pick.id, ""
        x, y = map(int, name.split(","))
        return f"({x}, {y})", self._words((x, y))


def _unjudged(item: Item) -> Item:
    """An item of the scene without the colour that marks faults."""
    if isinstance(item, Polygon | Polyline) and item.color == "failed":
        return replace(item, color="accent")
    return item
