"""The editor: a chain of pipes is laid, dragged and pushed out.

While a joint is dragged the chain follows, computed in this process; the release is one step of the history. Relax lets
the chain settle, as an animation, until every check passes; that is one step too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.pipe_loop import PipeLoopAnswer
from spatial_workbench.engine.tasks.pipe_loop.drawing import draw_order
from spatial_workbench.engine.tasks.pipe_loop.live import PipeRow, live_rows, measured_rows
from spatial_workbench.engine.tasks.pipe_loop.shape import Point
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Note,
    Number,
    Numbers,
    Section,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import LEVEL, Step, nudges
from spatial_workbench.widgets.editors.pipe_loop.chain import Chain
from spatial_workbench.widgets.editors.pipe_loop.commands import ChainCommands
from spatial_workbench.widgets.editors.pipe_loop.gestures import BumpTool, ChainTool, LayTool, MoveTool, SpikeTool
from spatial_workbench.widgets.editors.pipe_loop.live import LiveChecks
from spatial_workbench.widgets.editors.pipe_loop.marks import ChainMarks
from spatial_workbench.widgets.layouts import row
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

HINT = "Click to lay pipes.  Shift snaps to 15°, Ctrl to the lattice, both to walls and directions."
MOVES = {key: (f"Move joint {key.lower()}", way) for key, (_, way) in LEVEL.items()}
CLOSED = marked("closed")
STEPS = (Step(0.05), Step(0.005, marked("{way}, finely"), ["Shift+"]))
"""How far a key moves a joint, in metres."""
ROOM_BELOW = 0.09
"""Additional room below the square for the hint, as a fraction of its side."""
TICK_MS = 16


class PipeLoopEditor(Editor[PipeLoopAnswer]):
    """Lays pipes in a square."""

    marks_with_answer = True

    def prepare(self) -> None:
        self.rows: list[PipeRow] = []
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)

    def begin(self) -> None:
        self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        self.chain = Chain(self.document, view, self.redraw, self.message.emit, self.aids)
        self.commands = ChainCommands(self.chain)
        view.set_describe(self._describe)
        view.add_overlay(ChainMarks(self.chain))
        view.set_tool(LayTool(self.chain))
        return view

    def central_widget(self) -> QWidget:
        """The canvas, with room for the live checks beside it."""
        whole = QWidget()
        self._row = row(whole, self.view)
        self._row.setStretch(0, 1)
        return whole

    def list_controls(self) -> Iterable[Declared]:
        live = CustomPart("Live checks", self._make_checks, aid=Aid.MEASURING, refresh=self._show_rows)
        yield Bars(live, place=self._row.addWidget)
        chain = self.chain
        side = self.chain.order.side
        way = "The direction of pipes laid with Return"
        long = "The length of each side of a spike"
        yield Section(
            "Tools",
            self._tools(),
            Number("Legs", chain.legs.get, chain.legs.put, (1, 20), long, unit="pipes"),
            Number("Heading", chain.heading_deg.get, chain.heading_deg.put, (-180, 180), way, 15, 1, "°"),
        )
        yield Section("Chain", self._chain_buttons())
        bounds = (0.0, side) if chain.limits.keeps_inside else (-side, 2 * side)
        yield Section(
            "Joint",
            Note("Joint", self._words_of_joint),
            Numbers(
                "Position", ("x", "y"), self._place_of_joint, chain.joints.set_coordinate, bounds, "", 0.05, 3, "m"
            ),
        )
        yield self._keys()

    def _tools(self) -> Tools:
        lays = "Click to lay a pipe towards the pointer. Shift snaps to 15°, Ctrl to the lattice, both to walls"
        moves = "Drag joints and pipes; the chain follows. Ctrl snaps to the lattice, Ctrl+Shift or Alt to walls"
        bumps = "Click a pipe to push out a unit square (2 more pipes); Shift-click to pull it in"
        return Tools(
            self.view,
            ToolButton("Lay", self.view.tool, "L", "place", lays),
            ToolButton("Move", MoveTool(self.chain), "M", "handles", moves),
            ToolButton("Bump", BumpTool(self.chain), "B", "bump", bumps),
            ToolButton("Spike", SpikeTool(self.chain), "S", "spike", "Click a pipe to push out a thin triangle"),
        )

    def _chain_buttons(self) -> Buttons:
        settles = "Let the chain settle until every check passes; press again to stop"
        closes = "Add the two pipes that close the chain"
        begins = "Start again with all pipes in a ring"
        return Buttons(
            Action("Relax", self._toggle_relax, "R", "relax", settles, Aid.SOLVING, says=self._relax_or_stop),
            Action("Close", self.commands.close_chain, "C", "close_loop", closes, Aid.SOLVING),
            Action("Ring", self.commands.start_ring, "Shift+G", "ring", begins, Aid.SOLVING),
            Action(
                "Lock", self.commands.toggle_lock, "K", "lock", "Lock the selected joints, so that they stay in place"
            ),
            Action(
                "Mirror", self.commands.mirror, "Shift+M", "mirror", "Mirror the stretch between the selected joints"
            ),
            Action("Turn", self.commands.turn, "T", "rotate", "Turn the stretch between the selected joints by 180°"),
        )

    def _keys(self) -> Keys:
        chain = self.chain
        return Keys(
            Action("Next joint", partial(chain.joints.step_joint, 1), "]"),
            Action("Previous joint", partial(chain.joints.step_joint, -1), "["),
            Action("Lay or push out", partial(self._enter, False), "Return, Enter"),
            Action("Pull in", partial(self._enter, True), "Shift+Return, Shift+Enter"),
            Action("Take back last pipe", self.commands.take_back, "Backspace"),
            Action("Delete selected joints", self.commands.remove, "Delete", verb=Verb.DELETE),
            *nudges(chain.joints.nudge, STEPS, MOVES),
        )

    def _relax_or_stop(self) -> str:
        return "Stop" if self.chain.is_relaxing else "Relax"

    def _make_checks(self) -> LiveChecks:
        checks = LiveChecks(shows_lamps=self.allows(Aid.JUDGING))
        checks.chosen.connect(self._show_row)
        return checks

    def _show_rows(self, checks: LiveChecks) -> None:
        checks.show_rows(self.rows)

    def make_scene(self) -> Scene:
        shown = self.allows(Aid.MEASURING), self.allows(Aid.JUDGING)
        scene = draw_order(self.chain.order, self.chain.points, self.chain.shape, *shown)
        assert scene.bounds is not None
        (x, y, z), high = scene.bounds
        return replace(scene, bounds=((x, y - ROOM_BELOW * self.chain.order.side, z), high))

    def redraw(self, reset_view: bool = False) -> None:
        """First updates the live checks."""
        if self.allows(Aid.MEASURING):
            rows = live_rows(self.chain.order, self.chain.shape, self.chain.closed)
            self.rows = rows if self.allows(Aid.JUDGING) else measured_rows(rows)
        super().redraw(reset_view)

    def status(self) -> str:
        measures = self._measures_in_words() if self.allows(Aid.MEASURING) else ""
        chosen = f"joint {self.chain.joints.chosen}" if self.chain.joints.chosen is not None else ""
        return " · ".join(filter(None, [measures, chosen]))

    def _measures_in_words(self) -> str:
        used = len(self.chain.points) - (not self.chain.closed) if self.chain.points else 0
        pipes = f"{used} of {self.chain.order.pipes:,} pipes"
        if self.allows(Aid.JUDGING) and self.chain.closed and abs(self.chain.gap_m - 1) <= 0.05:
            return f"{pipes} · {CLOSED}"
        return f"{pipes} · {self.chain.gap_in_words}" if self.chain.points else pipes

    def marked(self) -> Mapping[str, str]:
        """The pipes and joints that fail a live check; walls are marked by the scene itself."""
        wrong = {element for row in self.rows if row.met is False for element in row.elements}
        return {element: "failed" for element in wrong if element.split()[0] in ("pipe", "point")}

    def close_editor(self) -> None:
        self._timer.stop()
        super().close_editor()

    # Internal ----------------------------------------------------------------------------------------------------

    def _toggle_relax(self) -> None:
        self.chain.toggle_relax()
        self._timer.start()
        self.refresh()

    def _tick(self) -> None:
        if self.chain.is_relaxing:
            self.chain.settle()
        else:
            self._timer.stop()

    def _enter(self, other_way: bool) -> None:
        if isinstance(self.view.tool, ChainTool):
            self.view.tool.enter(other_way)

    def _words_of_joint(self) -> str:
        joint = self.chain.joints.chosen
        shape = self.chain.shape
        if joint is None or shape is None:
            return "No joint selected"
        return f"Joint {joint} · {shape.angles_deg[joint]:.1f}°" if self.allows(Aid.MEASURING) else f"Joint {joint}"

    def _place_of_joint(self) -> Point | None:
        return None if self.chain.joints.chosen is None else self.chain.points[self.chain.joints.chosen]

    def _show_row(self, index: int) -> None:
        elements = self.rows[index].elements
        if elements:
            self.show_elements(elements)
        else:
            self.view.frame(animate=False)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, number = pick.id.partition(" ")
        shape = self.chain.shape
        if shape is None or kind not in ("pipe", "point"):
            return pick.id, ""
        i = int(number)
        if kind == "pipe":
            return f"Pipe {i}", f"{shape.lengths[i]:.3f} m"
        x, y = self.chain.points[i]
        return f"Joint {i}", f"({x:.3f}, {y:.3f}) · {shape.angles_deg[i]:.1f}°"
