"""The editor of pipe_loop: a chain of pipes that keeps its lengths, and the checks with their live values.

While a joint is dragged the chain follows in this process (the engine's pure functions), and the release is one step of
the history. Relax lets the chain settle before one's eyes until every check passes; that is one step too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.core import Aid, Answer, Scene
from engine.core.words import counted
from engine.tasks.pipe_loop import loop_answer
from engine.tasks.pipe_loop.board import Order
from engine.tasks.pipe_loop.drawing import draw_order
from engine.tasks.pipe_loop.editing import (
    Result,
    Snap,
    closed_with_two,
    gap_of,
    laid,
    mirrored,
    stretch_of,
    turned,
)
from engine.tasks.pipe_loop.live import Row, live_rows
from engine.tasks.pipe_loop.relax import Relaxer, dragged, is_closed
from engine.tasks.pipe_loop.shape import Point, Shape
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import NumberGrid, ToolPanel
from widgets.editors.pipe_loop.gestures import BumpTool, ChainTool, LayTool, MoveTool, SpikeTool
from widgets.editors.pipe_loop.live import LiveChecks
from widgets.editors.pipe_loop.marks import ChainMarks
from widgets.view import Pick, SceneView

HINT = "Click to lay pipes, or start with a ring and relax it.  Shift: 15°, Ctrl: lattice, both: walls and directions."
ARROWS: dict[str, Point] = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, 1), "Down": (0, -1)}
NUDGE_M, FINE_NUDGE_M = 0.05, 0.005
ROOM_BELOW = 0.09
"""Further room below the square for the hint, as a fraction of its side."""
DECIMALS = 6
CLOSING_PX = 22.0
"""How near the pointer has to be to a place that closes the chain, to be drawn there."""
RELAX_TICKS = 400
RELAX_ROUNDS = 8
TICK_MS = 16


class PipeLoopEditor(Editor):
    """Pipes in a square."""

    def prepare(self) -> None:
        self.order = Order.of(self.instance.parameters)
        self.locked: set[int] = set()
        self.heading_deg = 0.0
        self.legs = 2
        self.rows: list[Row] = []
        self._preview: list[Point] | None = None
        self._places: tuple[Answer, list[Point]] | None = None
        self._shape: tuple[list[Point], Shape] | None = None
        self._relaxer: Relaxer | None = None
        self._ticks_left = 0

    def begin(self) -> None:
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.view.selection_changed.connect(lambda _: self._show_joint())
        self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """A canvas with locks, the end and the gap over the scene."""
        view = Canvas2D()
        view.set_describe(self._describe)
        view.add_overlay(ChainMarks(self))
        return view

    def central_widget(self) -> QWidget:
        """The live checks beside the canvas."""
        self.checks = LiveChecks()
        self.checks.chosen.connect(self._show_row)
        whole = QWidget()
        layout = QHBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.checks)
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """Tools, what can be done with the whole, and the live checks."""
        tools.add_section("Tools")
        tools.add_tools([
            self.add_action("Lay", lambda: self.view.set_tool(LayTool(self)), "L", "place",
                            "Click to lay a pipe from the end to the pointer. Shift: 15°, Ctrl: lattice, both: walls"),
            self.add_action("Move", lambda: self.view.set_tool(MoveTool(self)), "M", "handles",
                            "Drag joints and pipes; the chain follows. Ctrl: lattice, Ctrl+Shift or Alt: walls"),
            self.add_action("Bump", lambda: self.view.set_tool(BumpTool(self)), "B", "bump",
                            "Click a pipe to push out a unit square (2 more pipes); Shift and click pulls it in"),
            self.add_action("Spike", lambda: self.view.set_tool(SpikeTool(self)), "S", "spike",
                            "Click a pipe to push out a thin triangle"),
        ])  # fmt: skip
        self.view.set_tool(LayTool(self))
        tools.add_number("Legs", 2, (1, 20), self._set_legs, unit="pipes", tip="How long a spike is")
        tools.add_number("Heading", 0, (-180, 180), self._set_heading, 15, 1, "°", "Direction of pipes laid by Return")
        tools.add_section("Chain")
        self.relax_action = self.add_action("Relax", self.toggle_relax, "R", "relax",
                                            "Let the chain settle until every check passes; again to stop",
                                            Aid.SOLVING)  # fmt: skip
        tools.add_tools([
            self.relax_action,
            self.add_action("Close", self.close_chain, "C", "close_loop", "Add the two pipes that close the chain",
                            Aid.SOLVING),
            self.add_action("Ring", self.start_ring, "Shift+G", "ring", "Begin anew with all pipes in a ring",
                            Aid.SOLVING),
            self.add_action("Lock", self.toggle_lock, "K", "lock", "Locked joints stay where they are"),
            self.add_action("Mirror", self.mirror, "Shift+M", "mirror", "Mirror the stretch between the chosen joints"),
            self.add_action("Turn", self.turn, "T", "rotate", "Turn the stretch between the chosen joints by 180°"),
        ], exclusive=False)  # fmt: skip
        tools.add_section("Joint")
        self.joint = tools.add_note("")
        self.fields = NumberGrid(["x", "y"], (0, self.order.side), 0.05, 3, "m", columns=1)
        self.fields.edited.connect(self._typed)
        tools.add_widget(self.fields)
        self._add_keys()

    def _add_keys(self) -> None:
        self.add_action("Next joint", lambda: self._step_joint(1), "]")
        self.add_action("Previous joint", lambda: self._step_joint(-1), "[")
        self.add_action("Lay or push out", lambda: self._enter(False), "Return, Enter")
        self.add_action("Pull in", lambda: self._enter(True), "Shift+Return, Shift+Enter")
        self.add_action("Take the last pipe back", self.take_back, "Backspace")
        self.add_action("Remove the chosen joints", self.remove, "Delete")
        for key, way in ARROWS.items():
            self.add_action(f"Move joint {key.lower()}", lambda way=way: self._nudge(way, NUDGE_M), key)
            finely = f"Move joint {key.lower()}, finely"
            self.add_action(finely, lambda way=way: self._nudge(way, FINE_NUDGE_M), f"Shift+{key}")

    def make_scene(self) -> Scene:
        """The square with the chain as it is now."""
        scene = draw_order(self.order, self.points, self.shape)
        (x, y, z), high = scene.bounds
        return replace(scene, bounds=((x, y - ROOM_BELOW * self.order.side, z), high))

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the chain, and says what the checks say."""
        super().redraw(reset_view)
        self.rows = live_rows(self.order, self.shape, self.closed)
        self.checks.show_rows(self.rows)
        self.mark_failed()
        self._show_joint()

    def status(self) -> str:
        """Pipes, gap, crossings, and the chosen joint."""
        if not self.points:
            return f"0 of {counted(self.order.pipes, 'pipe')}"
        used = len(self.points) - (not self.closed)
        gap = "closed" if self.closed and abs(self.gap_m - 1) <= 0.05 else f"gap {self.gap_m:.2f} m"
        chosen = f"joint {self.chosen}" if self.chosen is not None else ""
        return " · ".join(filter(None, [f"{used} of {counted(self.order.pipes, 'pipe')}", gap, chosen]))

    def marked(self) -> Mapping[str, str]:
        """What the live checks find wrong; walls that are not touched are amber already."""
        wrong = {element for row in self.rows if row.met is False for element in row.elements}
        return {element: "failed" for element in wrong if element.split()[0] in ("pipe", "point")}

    def close_editor(self) -> None:
        """Gives everything back."""
        self._timer.stop()
        super().close_editor()

    # The chain ---------------------------------------------------------------------------------------------------

    @property
    def points(self) -> list[Point]:
        """The points that are shown: dragged, or in the answer."""
        if self._preview is not None:
            return self._preview
        if self._places is None or self._places[0] is not self.document.answer:
            self._places = self.document.answer, self.document.answer.places
        return self._places[1]

    @property
    def closed(self) -> bool:
        """Whether the chain is a loop, or has all its points."""
        return is_closed(self.points, self.order.pipes)

    @property
    def gap_m(self) -> float:
        """From the last point to the first."""
        return gap_of(self.points)

    @property
    def shape(self) -> Shape | None:
        """The measures of what is shown; kept for as long as it stays the same."""
        points = self.points
        if not points:
            return None
        if self._shape is None or self._shape[0] != points:
            self._shape = points, Shape.of(points, self.order.side)
        return self._shape[1]

    def ends_of(self, pipe: int) -> tuple[int, int]:
        """The two joints of a pipe."""
        return pipe, (pipe + 1) % len(self.points)

    def preview(self, points: Sequence[Point]) -> None:
        """Shows other points, without a step of the history."""
        self._preview = list(points)
        self.redraw()

    def drop_preview(self) -> None:
        """Shows the answer again."""
        self._stop_timer()
        self.view.set_ghost([])
        if self._preview is not None:
            self._preview = None
            self.redraw()

    def commit(self, label: str) -> None:
        """Makes what is previewed a step of the history."""
        points, self._preview = self.points, None
        self.put(label, points)
        self.redraw()

    def put(self, label: str, points: Sequence[Point], merge: str = "") -> None:
        """Puts other points in place, as a step of the history; in the square, to a micrometre."""
        side = self.order.side
        tidy = [tuple(min(max(round(v, DECIMALS) + 0.0, 0.0), side) for v in point) for point in points]
        self.edit(label, loop_answer(tidy), merge)

    def put_or_tell(self, label: str, result: Result) -> None:
        """Puts points in place, or says why not."""
        points, reason = result
        if points is None:
            self.message.emit(reason)
        else:
            self.put(label, points)

    def if_enough(self, result: Result) -> Result:
        """The result, unless it takes more pipes than there are."""
        points, reason = result
        if points is not None and len(points) > self.order.pipes:
            over = len(points) - self.order.pipes
            return None, f"That takes {over} more than the {counted(self.order.pipes, 'pipe')}."
        return points, reason

    def drag(self, moved: dict[int, Point], snap: Snap) -> None:
        """Previews joints at other places; the end of an open chain turns about the joint before it."""
        points = self.points
        last = len(points) - 1
        if not self.closed and len(points) > 1 and list(moved) == [last] and last not in self.locked:
            turned_end, _ = laid(points[:-1], moved[last], self.order.side, self.order.pipes, snap)
            self.preview(turned_end or points)
            return
        self.preview(dragged(points, moved, self.order.side, self.closed, self.locked))

    def closing_point(self, near: Point) -> Point | None:
        """The place beside the pointer that closes the chain with two pipes, if there is one."""
        points, _ = closed_with_two(self.points, self.order.side, self.order.pipes, near)
        if points is None or len(points) < 3:
            return None
        reach = CLOSING_PX / self.view.plane.pixels_per_unit
        return points[-1] if math.dist(points[-1], near) <= reach else None

    # What can be done with the whole -----------------------------------------------------------------------------

    def close_chain(self) -> None:
        """Adds the two pipes that close the chain."""
        if self.closed:
            self.message.emit("The chain is closed.")
        else:
            self.put_or_tell("Close", closed_with_two(self.points, self.order.side, self.order.pipes))

    def start_ring(self) -> None:
        """Begins anew with all pipes in a ring; if that is larger than the square, its pipes are too short at first."""
        count, side = self.order.pipes, self.order.side
        radius = min(0.5 / math.sin(math.pi / count), 0.48 * side)
        angles = 2 * math.pi * np.arange(count) / count - math.pi / 2
        ring = side / 2 + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self.locked.clear()
        self.put("Ring", ring.tolist())

    def take_back(self) -> None:
        """Takes the last point away."""
        self.put("Take the last pipe back", self.points[:-1])

    def remove(self) -> None:
        """Takes the chosen joints away."""
        gone = set(self.chosen_joints)
        if gone:
            self.locked.clear()
            self.put("Remove joints", [point for i, point in enumerate(self.points) if i not in gone])

    def toggle_lock(self) -> None:
        """Locks the chosen joints, or unlocks them if all are locked."""
        chosen = set(self.chosen_joints)
        if not chosen:
            self.message.emit("Choose joints first: click one, or drag a box around several in the Move tool.")
        self.locked = self.locked - chosen if chosen <= self.locked else self.locked | chosen
        self.view.update()

    def mirror(self) -> None:
        """Mirrors the stretch between the chosen joints."""
        if stretch := self._stretch():
            self.put_or_tell("Mirror", mirrored(self.points, *stretch, self.order.side))

    def turn(self) -> None:
        """Turns the stretch between the chosen joints."""
        if stretch := self._stretch():
            self.put_or_tell("Turn", turned(self.points, *stretch, self.order.side))

    # Relaxing ----------------------------------------------------------------------------------------------------

    @property
    def is_relaxing(self) -> bool:
        """Whether the chain is settling."""
        return self._relaxer is not None

    def toggle_relax(self) -> None:
        """Starts to settle, or stops and keeps what there is."""
        if self.is_relaxing:
            self._finish_relaxing("Relaxing was stopped.")
        elif len(self.points) < 2:
            self.message.emit("Lay some pipes first, or start with a ring.")
        else:
            self._relaxer = Relaxer(self.order, self.points, self.locked, self.closed)
            self._ticks_left = RELAX_TICKS
            self.relax_action.setText("Stop")
            self._timer.start()

    def _tick(self) -> None:
        assert self._relaxer is not None
        self._relaxer.run(RELAX_ROUNDS)
        self._ticks_left -= 1
        self.preview(self._relaxer.points)
        if self.closed and len(self.points) == self.order.pipes and all(row.met for row in self.rows):
            self._finish_relaxing("Every check passes.")
        elif not self.closed and self._relaxer.length_error_m < 0.001:
            self._finish_relaxing("All pipes are 1 m long.")
        elif self._ticks_left <= 0:
            self._finish_relaxing("It has not settled yet; relax again to go on.")

    def _finish_relaxing(self, words: str) -> None:
        self._stop_timer()
        self.commit("Relax")
        self.message.emit(words)

    def _stop_timer(self) -> None:
        self._relaxer = None
        self.relax_action.setText("Relax")
        self._timer.stop()

    # Joints ------------------------------------------------------------------------------------------------------

    @property
    def chosen_joints(self) -> list[int]:
        """The chosen joints, in the order in which they were chosen."""
        count = len(self.points)
        chosen = [int(name.removeprefix("point ")) for name in self.view.selection if name.startswith("point ")]
        return [joint for joint in chosen if joint < count]

    @property
    def chosen(self) -> int | None:
        """The joint that keys and fields move: the last one chosen."""
        return next(reversed(self.chosen_joints), None)

    def choose(self, joint: int, add: bool = False) -> None:
        """Chooses a joint; with `add` it joins the others, or leaves them."""
        name = f"point {joint}"
        others = [other for other in self.view.selection if other.startswith("point ")] if add else []
        self.view.set_selection([o for o in others if o != name] if name in others else [*others, name])

    # Own ---------------------------------------------------------------------------------------------------------

    def _stretch(self) -> tuple[int, int] | None:
        stretch = stretch_of(self.chosen_joints, len(self.points))
        if stretch is None:
            self.message.emit("Choose the two ends of a stretch first (Shift and click in the Move tool).")
        return stretch

    def _set_legs(self, value: float) -> None:
        self.legs = int(value)

    def _set_heading(self, value: float) -> None:
        self.heading_deg = value

    def _enter(self, other_way: bool) -> None:
        if isinstance(self.view.tool, ChainTool):
            self.view.tool.enter(other_way)

    def _step_joint(self, by: int) -> None:
        if self.points:
            first = 0 if by > 0 else len(self.points) - 1
            self.choose(first if self.chosen is None else (self.chosen + by) % len(self.points))

    def _nudge(self, way: Point, step: float) -> None:
        if self.chosen is None:
            self._step_joint(1)
            return
        x, y = self.points[self.chosen]
        self._put_joint((x + way[0] * step, y + way[1] * step), f"nudge {self.chosen}")

    def _typed(self, axis: int, value: float) -> None:
        if self.chosen is not None:
            x, y = self.points[self.chosen]
            self._put_joint((value, y) if axis == 0 else (x, value), f"type {self.chosen}")

    def _put_joint(self, place: Point, merge: str) -> None:
        moved = dragged(self.points, {self.chosen: place}, self.order.side, self.closed, self.locked)
        self.put("Move joint", moved, merge)

    def _show_joint(self) -> None:
        if self.chosen is None:
            self.joint.setText("None chosen")
            self.fields.set_values(None)
        else:
            angle = self.shape.angles_deg[self.chosen]
            self.joint.setText(f"Joint {self.chosen} · {angle:.1f}°")
            self.fields.set_values(self.points[self.chosen])
        self.tell_status()

    def _show_row(self, index: int) -> None:
        elements = self.rows[index].elements
        if elements:
            self.show_elements(elements)
        else:
            self.view.frame(animate=False)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, number = pick.id.partition(" ")
        shape = self.shape
        if shape is None or kind not in ("pipe", "point"):
            return pick.id, ""
        i = int(number)
        if kind == "pipe":
            return f"Pipe {i}", f"{shape.lengths[i]:.3f} m"
        x, y = self.points[i]
        return f"Joint {i}", f"({x:.3f}, {y:.3f}) · {shape.angles_deg[i]:.1f}°"
