"""The editor of terrain levelling: drill holes in the map, order them, and watch the rock roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QSlider, QSplitter, QVBoxLayout, QWidget

from engine.core import Aid, Progress, Scene, silent
from engine.core.scene import Boxes, Floats, Item
from engine.core.words import counted
from engine.physics.rock import LOOK_EVERY, STEP_S
from engine.tasks.terrain_levelling import MAX_BLASTS, heights_of, score_of
from engine.tasks.terrain_levelling.drawing import (
    NEAR_COLOR,
    change_colors,
    charge_marks,
    draw_terrain,
    height_colors,
    rolling_scene,
    selected_mark,
    target_colors,
)
from engine.tasks.terrain_levelling.flat import largest
from engine.tasks.terrain_levelling.noise import height_map
from engine.tasks.terrain_levelling.simulation import Charge, Run, carry_out, is_stored, refusal, roll, settle
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.terrain_levelling.gestures import BrushTool, Cell, DrillTool
from widgets.editors.terrain_levelling.plan_table import PlanTable
from widgets.legend import Entry, Key, Legend
from widgets.meter import Meter
from widgets.theme import SPACE

HINT = (
    "Press on a cell and drag down to drill a hole of that depth; the rock falls, rolls and fills hollows.\n"
    "Aim at one large region whose neighbours differ by at most 0.2 m."
)
SNAP_M = 0.05
LEAST_DEPTH_M = 0.05
CONTEXT_CELLS = 2
"""So many columns on each side stay in view when a blast is pointed out."""
COLORINGS = ("Height", "Change", "Against the target")
MARKS_SHOWN = 600
AT_ONCE = 6
"""Blasts that are simulated before the map is drawn anew."""
LEGENDS = (
    (Entry("0 to 10 m, bands of 0.2 m", tuple(f"scale {share:.1f}" for share in (0, 0.25, 0.5, 0.75, 1))),),
    (Entry("raised", ("series 0",)), Entry("lowered", ("series 5",)), Entry("as it was", ("neutral",))),
    (Entry("above", ("series 5",)), Entry("below", ("series 0",)), Entry("at the target", ("passed",))),
)


def simulate(
    parameters: Mapping[str, Any], charges: Sequence[Charge], count: int, progress: Progress = silent
) -> tuple[int, Run]:
    """What the first `count` blasts of a plan do on a map, or all where that is known; how many those are.

    Runs in the background.
    """
    heights = height_map(parameters["n"], parameters["seed"], parameters["scale"], parameters["octaves"])
    reach = len(charges) if is_stored(heights, charges) else count
    return reach, carry_out(heights, charges[:reach], progress=progress)


def track(heights: Floats, charge: Charge, progress: Progress = silent) -> Floats:
    """Where the rock of one blast rolls; runs in the background."""
    return roll(heights, charge, progress=progress)


class TerrainEditor(Editor):
    """A map to be blasted. What is shown is the map after the last simulated blast, or after a chosen one."""

    def prepare(self) -> None:
        self.start: Floats = heights_of(self.instance)
        self.depth_m = 1.0
        self.target = float(np.median(self.start))
        self._run = Run(self.start.copy(), ())
        self._simulated: tuple[Charge, ...] = ()
        self._begun: tuple[tuple[Charge, ...], tuple[Charge, ...], int] = ((), (), 0)
        """A simulated plan, the plan of the answer, and how many blasts from the first are alike."""
        self._coloring = 0
        self._shows_before = False
        self._upto: int | None = None
        self._is_simulating = False
        self._given_up: tuple[Charge, ...] | None = None
        """A plan whose simulation failed."""

    def begin(self) -> None:
        self.resimulate()
        if not self.charges:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The terrain, and the plan beside it."""
        self.table = PlanTable()
        self.table.rows_selected.connect(self._rows_selected)
        self.table.plan.depth_edited.connect(self.set_depth_of)
        self._busy = QProgressBar(maximum=0, textVisible=False)
        self._busy.setFixedHeight(3)
        self._busy.hide()
        caption = QLabel("Blasts in their order")
        caption.setObjectName("caption")
        caption.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 0)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for widget in (caption, self._busy, self.table):
            column.addWidget(widget)
        whole = QSplitter(Qt.Orientation.Horizontal)
        whole.addWidget(self.view)
        whole.addWidget(side)
        whole.setStretchFactor(0, 4)
        whole.setStretchFactor(1, 1)
        whole.setHandleWidth(1)
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """Tools, the plan's commands, and what the colours tell."""
        self._drill, self._brush = DrillTool(self), BrushTool(self)
        select = type(self.view.tool)()
        tools.add_section("Tools")
        tools.add_tools(
            [
                self.add_action("Drill", lambda: self.view.set_tool(self._drill), "D", "place", "Drag down"),
                self.add_action("Brush", lambda: self.view.set_tool(self._brush), "B", "brush", "Many cells"),
                self.add_action("Select", lambda: self.view.set_tool(select), "V", "select", "Cells to shave"),
            ]
        )
        self._depth_field = tools.add_number(
            "Depth", self.depth_m, (0.05, 30), self._set_depth, 0.1, 2, "m", "Of a click"
        )
        tools.add_section("Shave")
        self._target_field = tools.add_number(
            "Target", self.target, (-1, 30), self._set_target, 0.1, 2, "m", "Shave cells down to this height"
        )
        shave = self.add_action("Shave cells", self.shave, "S", "layers", "The selected cells, or all above the target")
        tools.add_tools([shave], exclusive=False)
        tools.add_section("Plan")
        rows = [
            self.add_action(
                "Play blast", self.play_selected, "P", "play", "Watch the rock of the selected blast", Aid.JUDGING
            ),
            self.add_action("Earlier", lambda: self.shift(-1), "Ctrl+Up", "up", "Move the selected blasts up the list"),
            self.add_action("Later", lambda: self.shift(1), "Ctrl+Down", "down", "Move them down the list"),
            self.add_action("Remove", self.remove, "Delete, Backspace", "delete", "Take the selected blasts out"),
        ]
        tools.add_tools(rows, exclusive=False, columns=2)
        self.add_action("Next blast", lambda: self.step(1), "]")
        self.add_action("Prior blast", lambda: self.step(-1), "[")
        tools.add_section("Result")
        self._meter = Meter()
        tools.add_widget(self._meter)
        tools.add_section("Show")
        tools.add_choice("Colour", COLORINGS, self._set_coloring, "What the colours of the columns tell")
        tools.add_check("Before the blasts", False, self._show_before, "The map as it was")
        self._scrub = QSlider(Qt.Orientation.Horizontal)
        self._scrub.setAccessibleName("Show the map after so many blasts")
        self._scrub.setToolTip("The map after so many blasts")
        self._scrub.valueChanged.connect(self._scrubbed)
        self._scrub_words = tools.add_note("")
        tools.add_widget(self._scrub)
        self.view.set_tool(self._drill)
        self.view.set_describe(lambda pick: self._describe(pick.id))
        self.view.add_overlay(Legend(self.legend))
        self.view.add_overlay(self._drill.paint)

    def legend(self) -> Sequence[Entry]:
        """What colours and lines mean."""
        return (
            *LEGENDS[self._coloring],
            Entry("largest flat region", ("passed",), Key.LINE),
            Entry("second largest", ("accent",), Key.LINE),
            Entry("step of 0.2 to 0.4 m", (NEAR_COLOR,), Key.LINE),
        )

    def make_scene(self) -> Scene:
        """The map as it is shown, with the blasts that are still to come or selected."""
        heights = self.shown
        return draw_terrain(heights, self._colors(heights), self._marks(heights))

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the map, and simulates what is new."""
        super().redraw(reset_view)
        self._show_plan()
        self.resimulate()

    def status(self) -> str:
        """Blasts, flat region, rock lost."""
        words = [counted(len(self.charges), "blast")]
        if self._is_simulating:
            words.append(f"simulating, {self._done_count} done")
        if self._run.refused and self._is_current:
            words.append(f"blast {len(self._run.blasts)}: {self._run.refused}")
        if self._run.lost > 0.005:
            words.append(f"{self._run.lost:.1f} m³ lost")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """The table and the marks tell already."""
        return {}

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """The columns around the blasts, which alone would fill the view."""
        rows = [int(name.split()[1]) for name in ids if name.startswith("blast ")]
        cells = [self.charges[row] for row in rows if row < len(self.charges)]
        around = range(-CONTEXT_CELLS, CONTEXT_CELLS + 1)
        return [f"cell {cell.x + dx},{cell.y + dy}" for cell in cells for dx in around for dy in around]

    def show_elements(self, ids: Sequence[str]) -> None:
        """Selects blasts in the table."""
        rows = [int(name.split()[1]) for name in ids if name.startswith("blast ")]
        self.table.select_rows([row for row in rows if row < len(self.charges)])
        super().show_elements(ids)

    # The plan ----------------------------------------------------------------------------------------------------

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The blasts of the plan."""
        return self.document.answer.charges

    @property
    def shown(self) -> Floats:
        """The map that is drawn."""
        if self._shows_before:
            return self.start
        return self._run.heights if self._upto is None else self.heights_after(self._upto)

    def heights_after(self, count: int) -> Floats:
        """The map after so many simulated blasts."""
        now = self.start.copy()
        for charge, blast in list(zip(self._simulated, self._run.blasts, strict=False))[:count]:
            now[charge.y, charge.x] -= charge.z
            settle(now, blast)
        return now

    def height_at(self, cell: Cell) -> float:
        """The height of a cell after all simulated blasts."""
        return float(self._run.heights[cell[1], cell[0]])

    def allowed_depth(self, cell: Cell, depth: float) -> float:
        """A depth that a cell can take now, in steps of 5 cm up to its whole height."""
        top = self.height_at(cell)
        return min(max(round(depth / SNAP_M) * SNAP_M, LEAST_DEPTH_M), top)

    def add(self, holes: Sequence[tuple[Cell, float]], label: str) -> None:
        """Adds blasts at the end of the plan, as one step."""
        charges = [Charge(x, y, round(depth, 6)) for (x, y), depth in holes]
        why = next((why for charge in charges if (why := refusal(self._run.heights, charge))), "")
        if len(self.charges) + len(charges) > MAX_BLASTS:
            why = f"a plan has at most {MAX_BLASTS} blasts"
        if why and len(charges) == 1:
            self.message.emit(f"No blast here: {why}.")
            return
        possible = [charge for charge in charges if not refusal(self._run.heights, charge)]
        if possible:
            self._put(label, (*self.charges, *possible))

    def shave(self) -> None:
        """Blasts the selected cells, or all, down to the target."""
        names = [name for name in self.view.selection if name.startswith("cell ")]
        cells = [tuple(map(int, name.removeprefix("cell ").split(","))) for name in names]
        rows, columns = self.start.shape
        if not cells:
            self.use_aid("Shave every cell", Aid.SOLVING)
        cells = cells or [(x, y) for y in range(rows) for x in range(columns)]
        holes = [((x, y), self.height_at((x, y)) - self.target) for x, y in cells]
        holes = [(cell, depth) for cell, depth in holes if depth > LEAST_DEPTH_M]
        if holes:
            self.add(holes, f"Shave {counted(len(holes), 'cell')}")
        else:
            self.message.emit(f"No cell is higher than {self.target:.2f} m.")

    def set_depth_of(self, row: int, depth: float) -> None:
        """Gives a blast another depth."""
        if not 0 < depth <= 30:
            self.message.emit("A depth lies between 0 and 30 m.")
            return
        charge = self.charges[row]._replace(z=depth)
        self._put("Change depth", (*self.charges[:row], charge, *self.charges[row + 1 :]), merge=f"depth {row}")

    def remove(self) -> None:
        """Takes the selected blasts out of the plan; without a selection the last one."""
        rows = set(self.table.rows) or {len(self.charges) - 1}
        if self.charges:
            self._put("Remove blasts", [charge for i, charge in enumerate(self.charges) if i not in rows])

    def shift(self, by: int) -> None:
        """Moves the selected blasts up or down in the order."""
        rows = self.table.rows
        if not rows or not (rows[0] + by >= 0 and rows[-1] + by < len(self.charges)):
            return
        order = list(range(len(self.charges)))
        for row in rows if by < 0 else rows[::-1]:
            order[row], order[row + by] = order[row + by], order[row]
        self._put("Reorder blasts", [self.charges[i] for i in order])
        self.table.select_rows([row + by for row in rows])

    def step(self, by: int) -> None:
        """Selects the next or prior blast, and shows the map after it."""
        if self.charges:
            rows = self.table.rows
            row = min(max((rows[0] if rows else -1) + by, 0), len(self.charges) - 1)
            self.table.select_rows([row])
            self._scrub.setValue(row + 1)

    def change_depth(self, by: float) -> None:
        """Changes the depth of the next blast."""
        self._depth_field.setValue(max(LEAST_DEPTH_M, self.depth_m + by))

    def _put(self, label: str, charges: Sequence[Charge], merge: str = "") -> None:
        self._upto = None
        self.edit(label, self.document.answer.with_charges(charges), merge)

    # Simulation --------------------------------------------------------------------------------------------------

    @property
    def _done_count(self) -> int:
        """How many blasts of the plan, from the first, the shown map has."""
        if self._begun[0] is not self._simulated or self._begun[1] is not self.charges:
            pairs = zip(self._simulated, self.charges, strict=False)
            shorter = min(len(self._simulated), len(self.charges))
            self._begun = (
                self._simulated,
                self.charges,
                next((i for i, (a, b) in enumerate(pairs) if a != b), shorter),
            )
        return min(self._begun[2], len(self._run.blasts))

    @property
    def _is_current(self) -> bool:
        """Whether the plan was simulated to its end, or to where it cannot be carried on."""
        ended = bool(self._run.refused) or self._run.timed_out
        is_begun = self._simulated == self.charges[: len(self._simulated)]
        return self._simulated == self.charges or (ended and is_begun)

    def resimulate(self) -> None:
        """Simulates the plan in the background, a few blasts at a time; the map follows."""
        charges = self.charges
        if self._is_simulating or self._is_current or charges == self._given_up:
            return
        if not charges:
            self._arrived(charges, Run(self.start.copy(), ()))
            return
        # Twice as many each time, since each run begins at the start with what is known.
        count = min(len(charges), max(2 * self._done_count, self._done_count + AT_ONCE))
        self._is_simulating = True
        self._busy.show()
        self.runner.run(
            "Simulating blasts",
            simulate,
            dict(self.instance.parameters),
            charges,
            count,
            done=lambda found: self._arrived(charges[: found[0]], found[1]),
            failed=self._failed,
        )

    def _arrived(self, charges: tuple[Charge, ...], run: Run) -> None:
        self._simulated, self._run, self._given_up = charges, run, None
        self._finish()

    def _failed(self, why: str) -> None:
        self._given_up = self.charges
        self.message.emit(f"The plan could not be simulated: {why.partition(': ')[2] or why}")
        self._finish()

    def _finish(self) -> None:
        self._is_simulating = False
        super().redraw()
        self._show_plan()
        self.resimulate()
        self._busy.setVisible(self._is_simulating)
        self.tell_status()

    def play_selected(self) -> None:
        """Shows how the rock of the selected blast, or of the last one, rolls."""
        rows = self.table.rows
        row = rows[0] if rows else len(self._run.blasts) - 1
        if not 0 <= row < len(self._run.blasts):
            self.message.emit("Add a blast first, and wait until it is simulated.")
            return
        before, after = self.heights_after(row), self.heights_after(row + 1)
        charge = self._simulated[row]
        lowered = before.copy()
        lowered[charge.y, charge.x] -= charge.z
        self.runner.run(
            "Following the rock",
            track,
            before,
            charge,
            done=lambda tracks: self.play(rolling_scene(lowered, after, tracks, LOOK_EVERY * STEP_S)),
            failed=lambda why: self.message.emit(f"The blast cannot be shown: {why}"),
        )

    # What is shown -----------------------------------------------------------------------------------------------

    def show_hole(self, cell: Cell | None, depth: float) -> None:
        """Shows the rock that a blast would take, with its depth."""
        if cell is None:
            self._drill.note = "", ""
            self.view.set_ghost([])
            return
        x, y = cell
        top = self.height_at(cell)
        why = refusal(self._run.heights, Charge(x, y, max(depth, LEAST_DEPTH_M)))
        self._drill.note = f"{depth:.2f} m deep", f"({x}, {y}), {top:.2f} m high"
        self.view.set_ghost([self._hole_box([cell], depth)], why)

    def show_holes(self, cells: Sequence[Cell]) -> None:
        """Shows the rock that the brush would take."""
        self.view.set_ghost([self._hole_box(cells, self.depth_m)] if cells else [])

    def _hole_box(self, cells: Sequence[Cell], depth: float) -> Boxes:
        tops = np.array([self.height_at(cell) for cell in cells])
        depths = np.minimum(depth, np.maximum(tops, LEAST_DEPTH_M))
        places = np.array(cells, float) + 0.5
        centers = np.column_stack([places, tops - depths / 2 + 0.02])
        sizes = np.column_stack([np.full((len(cells), 2), 1.04), depths])
        ids = [f"hole {k}" for k in range(len(cells))]
        return Boxes(name="holes", ids=ids, centers=centers, sizes=sizes, colors="accent", opacity=0.6)

    def _colors(self, heights: Floats) -> list[str]:
        if self._coloring == 1:
            return change_colors(self.start, heights)
        return target_colors(heights, self.target) if self._coloring == 2 else height_colors(heights)

    def _marks(self, heights: Floats) -> list[Item]:
        """Blasts that are not simulated yet, and the selected one."""
        rows = self.table.rows
        done = 0 if self._shows_before else self._done_count
        waiting = self.charges[done:][:MARKS_SHOWN]
        marks = charge_marks(waiting, heights)
        if rows and rows[0] < len(self.charges):
            marks.append(selected_mark(self.charges[rows[0]], heights))
        return marks

    def _show_plan(self) -> None:
        run = self._run
        refused = len(run.blasts) if run.refused and self._is_current else None
        kept = [row for row in self.table.rows if self.table.plan.is_same_cell(row, self.charges)]
        self.table.plan.show_plan(self.charges, run.blasts[: self._done_count], self.start.shape[1], refused)
        self.table.select_rows(kept)
        self._scrub.blockSignals(True)
        self._scrub.setMaximum(len(run.blasts))
        self._scrub.setValue(len(run.blasts) if self._upto is None else self._upto)
        self._scrub.blockSignals(False)
        self._scrub_words.setText(f"After {self._scrub.value()} of {counted(len(run.blasts), 'blast')}")
        before, after = largest(self.start), largest(run.heights)
        score = 0.0 if run.refused else score_of(self.start, before, after)
        self._meter.show_figure(
            f"{before} → {counted(after, 'cell')}", f"largest flat region; score {score:.2f}", score >= 1 or None
        )
        self.tell_status()

    def _rows_selected(self, rows: list[int]) -> None:
        if self._framed is None:
            super().redraw()

    def _describe(self, name: str) -> tuple[str, str]:
        kind, _, rest = name.partition(" ")
        if kind != "cell":
            return name, ""
        x, y = map(int, rest.split(","))
        return f"({x}, {y})", f"{self.shown[y, x]:.2f} m"

    def _scrubbed(self, count: int) -> None:
        self._upto = None if count >= len(self._run.blasts) else count
        self._scrub_words.setText(f"After {count} of {counted(len(self._run.blasts), 'blast')}")
        super().redraw()

    def _set_depth(self, metres: float) -> None:
        self.depth_m = metres

    def _set_target(self, metres: float) -> None:
        self.target = metres
        super().redraw()

    def _set_coloring(self, index: int) -> None:
        self._coloring = index
        super().redraw()

    def _show_before(self, shown: bool) -> None:
        self._shows_before = shown
        super().redraw()
