"""The editor: a map to be blasted, and the plan of the blasts beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from spatial_workbench.engine.core import Aid, Progress, Scene, silent
from spatial_workbench.engine.core.scene import Boxes, Floats, Item
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.physics.rock import LOOK_EVERY, STEP_S
from spatial_workbench.engine.tasks.terrain_levelling import MAX_BLASTS, MAX_READ, TerrainPlan, heights_of, score_of
from spatial_workbench.engine.tasks.terrain_levelling.drawing import (
    NEAR_COLOR,
    change_colors,
    charge_marks,
    draw_terrain,
    height_colors,
    rolling_scene,
    selected_mark,
    target_colors,
)
from spatial_workbench.engine.tasks.terrain_levelling.flat import largest
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, refusal, roll
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    Choice,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Note,
    Number,
    Option,
    Reading,
    Row,
    Section,
    Setting,
    Slider,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.gestures import Cell
from spatial_workbench.widgets.editors.terrain_levelling.gestures import DrillTool, TerrainBrushTool
from spatial_workbench.widgets.editors.terrain_levelling.plan_table import PlanTable
from spatial_workbench.widgets.editors.terrain_levelling.simulated_plan import SimulatedPlan
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.legend import Entry, Key, Legend
from spatial_workbench.widgets.scene_views.view import SceneView, Tool
from spatial_workbench.widgets.theme import SPACE

HINT = (
    "Press on a cell and drag down to drill a hole of that depth; the rock falls, rolls and fills hollows.\n"
    "Aim at one large region whose neighbours differ by at most 0.2 m."
)
SNAP_M = 0.05
LEAST_DEPTH_M, MOST_DEPTH_M = 0.05, 30.0
MIDDLE_M = 5.0
"""The first target if measuring is not allowed; maps are 0 to 10 m high."""
CONTEXT_CELLS = 2
"""How many columns on each side of a blast are in view when the view goes to it."""
HEIGHT, CHANGE, TARGET = COLORINGS = ("Height", "Change", "Against the target")
MARKS_SHOWN = 600
LEGENDS = {
    HEIGHT: (Entry("0 to 10 m, bands of 0.2 m", tuple(f"scale {share:.1f}" for share in (0, 0.25, 0.5, 0.75, 1))),),
    CHANGE: (Entry("raised", ("series 0",)), Entry("lowered", ("series 5",)), Entry("unchanged", ("neutral",))),
    TARGET: (Entry("above", ("series 5",)), Entry("below", ("series 0",)), Entry("at the target", ("passed",))),
}
REGION_LEGEND = (
    Entry("largest flat region", ("passed",), Key.LINE),
    Entry("second largest", ("accent",), Key.LINE),
    Entry("step of 0.2 to 0.4 m", (NEAR_COLOR,), Key.LINE),
)


def track(heights: Floats, charge: Charge, progress: Progress = silent) -> Floats:
    """Where the rock of a blast rolls; runs in the background."""
    return roll(heights, charge, progress=progress)


class TerrainEditor(Editor[TerrainPlan]):
    """Plans blasts on a map, and shows the map after the last simulated blast, or after a chosen one.

    If the plan may not be judged, nothing is simulated, and the map is shown as it is before the first blast.
    """

    def prepare(self) -> None:
        self.start: Floats = heights_of(self.instance)
        self._cells_before = largest(self.start)
        self.click_depth = Setting(1.0, self.refresh)
        middle_m = float(np.median(self.start)) if self.allows(Aid.MEASURING) else MIDDLE_M
        self.target = Setting(middle_m, self.draw_map)
        self._coloring = Setting(0, self.draw_map)
        self._shows_before = Setting(False, self.draw_map)
        self._upto: int | None = None
        self._drill = DrillTool(self)
        self.simulated = SimulatedPlan(
            self.start,
            self.instance.parameters,
            self.runner,
            plan=lambda: self.charges,
            changed=self._simulation_advanced,
            failed=lambda why: self.message.emit(f"The plan could not be simulated: {why}"),
        )

    def begin(self) -> None:
        if not self.charges:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = super().make_view()
        view.set_tool(self._drill)
        view.set_describe(lambda pick: self._describe(pick.id))
        view.add_overlay(Legend(self.legend))
        view.add_overlay(self._drill.paint)
        return view

    def central_widget(self) -> QWidget:
        """The terrain, with room for the plan beside it."""
        self._busy = QProgressBar(maximum=0, textVisible=False)
        self._busy.setFixedHeight(3)
        self._busy.hide()
        caption = QLabel("Blasts in their order")
        caption.setObjectName("caption")
        caption.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 0)
        side = QWidget()
        self._beside = column(side, caption, self._busy, spacing=SPACE)
        return split(self.view, side, shares=(4, 1))

    def _make_table(self) -> PlanTable:
        self.table = PlanTable(shows_rock=self.allows(Aid.JUDGING))
        self.table.rows_selected.connect(self._rows_selected)
        self.table.plan.depth_edited.connect(self.set_depth_of)
        return self.table

    def list_controls(self) -> Iterable[Declared]:
        depths = (LEAST_DEPTH_M, MOST_DEPTH_M)
        heights = (-1.0, 30.0)
        down = "The height to which cells are shaved"
        blasts = CustomPart("Blasts in their order", self._make_table, aid=Aid.VIEWING)
        yield Bars(blasts, place=self._beside.addWidget)
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Drill", self._drill, "D", "place", "Press on a cell and drag down to drill a hole"),
                ToolButton("Brush", TerrainBrushTool(self), "B", "brush", "Drag over cells to blast each of them"),
                ToolButton("Select", Tool(), "V", "select", "Select cells to shave"),
            ),
            Number("Depth", self.click_depth.get, self.click_depth.put, depths, "Depth of a click", 0.1, 2, "m"),
        )
        yield Section(
            "Shave",
            Number("Target", self.target.get, self.target.put, heights, down, 0.1, 2, "m"),
            Buttons(Action("Shave cells", self.shave, "S", "layers", self._shave_tip)),
        )
        yield self._plan_controls()
        yield Keys(
            Action("Next blast", lambda: self.step(1), "]", aid=Aid.VIEWING),
            Action("Previous blast", lambda: self.step(-1), "[", aid=Aid.VIEWING),
        )
        yield Section("Result", Gauge("Largest flat region", self._read_result))
        yield Section("View", *self._view_controls())

    def _plan_controls(self) -> Section:
        play = "Watch how the rock of the selected blast rolls"
        gone = "Delete the selected blasts"
        return Section(
            "Plan",
            Buttons(
                Action("Play blast", self.play_selected, "P", "play", play, Aid.JUDGING),
                Action("Earlier", lambda: self.shift(-1), "Ctrl+Up", "up", "Move the selected blasts up in the list"),
                Action(
                    "Later", lambda: self.shift(1), "Ctrl+Down", "down", "Move the selected blasts down in the list"
                ),
                Action("Delete", self.remove, "Delete, Backspace", "delete", gone, verb=Verb.DELETE),
                columns=2,
            ),
        )

    def _view_controls(self) -> Iterable[Row]:
        colors = self._coloring
        before = self._shows_before
        options = (HEIGHT, Option(CHANGE, Aid.JUDGING), TARGET)
        tip = "What the colours of the columns show"
        after = "Show the map after this many blasts"
        yield Choice("Colour", options, colors.get, colors.put, tip, Aid.MEASURING)
        if self.allows(Aid.JUDGING):
            yield Switch(
                "Before the blasts", before.get, before.put, "Show the map before the first blast", Aid.VIEWING
            )
        yield Note("How many blasts are shown", self._words_of_moment, aid=Aid.JUDGING)
        yield Slider(
            "Blasts shown",
            lambda: self._moment,
            self._show_moment,
            (0, 0),
            after,
            aid=Aid.JUDGING,
            greatest=lambda: len(self.simulated.run.blasts),
        )

    @property
    def _shave_tip(self) -> str:
        cells = "the selected cells"
        return (
            f"Blast {cells}, or all, down to the target" if self.allows(Aid.SOLVING) else f"Blast {cells} to the target"
        )

    def legend(self) -> Sequence[Entry]:
        """The legend: what colours and lines mean."""
        colors = LEGENDS[COLORINGS[self._coloring.value]] if self.allows(Aid.MEASURING) else ()
        return (*colors, *(REGION_LEGEND if self.allows(Aid.JUDGING) else ()))

    def make_scene(self) -> Scene:
        """The shown map, with marks on the selected blast and on those that are not simulated yet."""
        heights = self.shown
        return draw_terrain(heights, self._colors(heights), self._marks(heights), self.allows(Aid.JUDGING))

    def redraw(self, reset_view: bool = False) -> None:
        """First continues the simulation of the plan."""
        if self.allows(Aid.JUDGING):
            self.simulated.update()
        super().redraw(reset_view)
        self._show_plan()

    def draw_map(self) -> None:
        """Draws only the map, for when the plan has not changed."""
        super().redraw()

    def status(self) -> str:
        words = [counted(len(self.charges), "blast")] if self.allows(Aid.MEASURING) else []
        plan = self.simulated
        if plan.is_running:
            words.append(f"simulating, {plan.done_count} done")
        if plan.refused_row is not None:
            words.append(f"blast {plan.refused_row}: {plan.run.refused}")
        if plan.run.lost > 0.005:
            words.append(f"{plan.run.lost:.1f} m³ lost")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Nothing: the table and the marks already show what is wrong."""
        return {}

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """The columns around the blasts, since a blast alone would fill the view."""
        cells = [self.charges[row] for row in self._rows_of(ids)]
        around = range(-CONTEXT_CELLS, CONTEXT_CELLS + 1)
        return [f"cell {cell.x + dx},{cell.y + dy}" for cell in cells for dx in around for dy in around]

    def show_elements(self, ids: Iterable[str]) -> None:
        """Also selects the blasts in the table."""
        ids = tuple(ids)
        self.table.select_rows(self._rows_of(ids))
        super().show_elements(ids)

    def _rows_of(self, ids: Iterable[str]) -> list[int]:
        rows = [int(name.split()[1]) for name in ids if name.startswith("blast ")]
        return [row for row in rows if row < len(self.charges)]

    # The plan ----------------------------------------------------------------------------------------------------

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The blasts of the plan."""
        return self.document.answer.charges

    @property
    def depth_m(self) -> float:
        """The depth of a click."""
        return self.click_depth.value

    def height_at(self, cell: Cell) -> float:
        """The height of a cell after all simulated blasts."""
        return float(self.simulated.run.heights[cell[1], cell[0]])

    def allowed_depth(self, cell: Cell, depth: float) -> float:
        """The allowed depth nearest to a depth: in steps of 5 cm, up to the height of the cell."""
        most = self.height_at(cell) if self.allows(Aid.JUDGING) else MOST_DEPTH_M
        return min(max(round(depth / SNAP_M) * SNAP_M, LEAST_DEPTH_M), most)

    def add(self, holes: Sequence[tuple[Cell, float]], label: str) -> None:
        """Adds blasts at the end of the plan, as one step."""
        charges = [Charge(x, y, round(depth, 6)) for (x, y), depth in holes]
        most = MAX_BLASTS if self.allows(Aid.JUDGING) else MAX_READ
        if len(self.charges) + len(charges) > most:
            self.message.emit(f"A plan has at most {counted(most, 'blast')}.")
            return
        reasons = [self._objection(charge) for charge in charges]
        if len(charges) == 1 and reasons[0]:
            self.message.emit(f"No blast here: {reasons[0]}.")
        elif possible := [charge for charge, why in zip(charges, reasons, strict=True) if not why]:
            self._edit_charges(label, (*self.charges, *possible))

    def shave(self) -> None:
        """Blasts the selected cells, or all, down to the target."""
        cells = self._cells_to_shave()
        if not cells:
            self.message.emit("Select the cells first.")
            return
        holes = [(cell, self.height_at(cell) - self.target.value) for cell in cells]
        holes = [(cell, depth) for cell, depth in holes if depth > LEAST_DEPTH_M]
        if holes:
            self.add(holes, f"Shave {counted(len(holes), 'cell')}")
        else:
            self.message.emit(f"No cell is higher than {self.target.value:.2f} m.")

    def _cells_to_shave(self) -> list[Cell]:
        """The selected cells; without a selection, every cell if solving aids are allowed."""
        names = [name.removeprefix("cell ") for name in self.view.selection if name.startswith("cell ")]
        if names or not self.allows(Aid.SOLVING):
            return [(int(x), int(y)) for x, y in (name.split(",") for name in names)]
        self.use_aid("Shave every cell", Aid.SOLVING)
        rows, columns = self.start.shape
        return [(x, y) for y in range(rows) for x in range(columns)]

    def set_depth_of(self, row: int, depth: float) -> None:
        """Changes the depth of a blast."""
        if not math.isfinite(depth) or (self.allows(Aid.JUDGING) and not 0 < depth <= MOST_DEPTH_M):
            self.message.emit("Depths are between 0 and 30 m.")
            return
        charge = self.charges[row]._replace(z=depth)
        self._edit_charges(
            "Change depth", (*self.charges[:row], charge, *self.charges[row + 1 :]), merge=f"depth {row}"
        )

    def remove(self) -> None:
        """Deletes the selected blasts; without a selection, the last one."""
        rows = set(self.table.rows) or {len(self.charges) - 1}
        if self.charges:
            self._edit_charges("Delete blasts", [charge for i, charge in enumerate(self.charges) if i not in rows])

    def shift(self, by: int) -> None:
        """Moves the selected blasts up or down in the order."""
        rows = self.table.rows
        if not rows or not (rows[0] + by >= 0 and rows[-1] + by < len(self.charges)):
            return
        order = list(range(len(self.charges)))
        for row in rows if by < 0 else rows[::-1]:
            order[row], order[row + by] = order[row + by], order[row]
        self._edit_charges("Reorder blasts", [self.charges[i] for i in order])
        self.table.select_rows([row + by for row in rows])

    def step(self, by: int) -> None:
        """Selects the next or previous blast, and shows the map after it."""
        if self.charges:
            rows = self.table.rows
            row = min(max((rows[0] if rows else -1) + by, 0), len(self.charges) - 1)
            self.table.select_rows([row])
            self._show_moment(row + 1)

    def change_depth(self, by: float) -> None:
        """Changes the depth of the next blast."""
        self.click_depth.put(min(max(LEAST_DEPTH_M, self.depth_m + by), MOST_DEPTH_M))

    def _objection(self, charge: Charge) -> str:
        """Why a rule forbids a blast now; "" if none does, or if the plan may not be judged."""
        return refusal(self.simulated.run.heights, charge) if self.allows(Aid.JUDGING) else ""

    def _edit_charges(self, label: str, charges: Sequence[Charge], merge: str = "") -> None:
        self._upto = None
        self.edit(label, self.document.answer.with_charges(charges), merge)

    # Simulation --------------------------------------------------------------------------------------------------

    def _simulation_advanced(self) -> None:
        self.draw_map()
        self._show_plan()

    def play_selected(self) -> None:
        """Shows how the rock of the selected blast, or of the last one, rolls."""
        rows = self.table.rows
        plan = self.simulated
        row = rows[0] if rows else len(plan.run.blasts) - 1
        if not 0 <= row < len(plan.run.blasts):
            self.message.emit("Add a blast first, and wait until it has been simulated.")
            return
        before = plan.heights_after(row)
        after = plan.heights_after(row + 1)
        charge = plan.charges[row]
        lowered = before.copy()
        lowered[charge.y, charge.x] -= charge.z
        self.runner.run(
            "Following the rock",
            track,
            before,
            charge,
            done=lambda tracks: self.animation.play(rolling_scene(lowered, after, tracks, LOOK_EVERY * STEP_S)),
            failed=lambda why: self.message.emit(f"The blast cannot be shown: {why}"),
        )

    # What is shown -----------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Floats:
        """The map that is drawn."""
        if self._shows_before.value:
            return self.start
        return self.simulated.run.heights if self._upto is None else self.simulated.heights_after(self._upto)

    def show_hole(self, cell: Cell | None, depth: float) -> None:
        """Shows the rock that a blast would remove, with its depth."""
        if cell is None:
            self._drill.note = "", ""
            self.view.set_ghost([])
            return
        x, y = cell
        if self.allows(Aid.MEASURING):
            self._drill.note = f"{depth:.2f} m deep", f"({x}, {y}), {self.height_at(cell):.2f} m high"
        self.view.set_ghost([self._hole_box([cell], depth)], self._objection(Charge(x, y, max(depth, LEAST_DEPTH_M))))

    def show_holes(self, cells: Sequence[Cell]) -> None:
        """Shows the rock that the brush would remove."""
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
        if not self.allows(Aid.MEASURING):
            return ["neutral"] * heights.size
        coloring = COLORINGS[self._coloring.value]
        if coloring == CHANGE:
            return change_colors(self.start, heights)
        return target_colors(heights, self.target.value) if coloring == TARGET else height_colors(heights)

    def _marks(self, heights: Floats) -> list[Item]:
        """Marks on blasts that are not simulated yet, and on the selected one."""
        rows = self.table.rows
        done = 0 if self._shows_before.value else self.simulated.done_count
        waiting = self.charges[done:][:MARKS_SHOWN]
        marks = charge_marks(waiting, heights)
        if rows and rows[0] < len(self.charges):
            marks.append(selected_mark(self.charges[rows[0]], heights))
        return marks

    def _show_plan(self) -> None:
        plan = self.simulated
        unchanged = [row for row in self.table.rows if self.table.plan.is_same_cell(row, self.charges)]
        blasts = plan.run.blasts[: plan.done_count]
        self.table.plan.show_plan(self.charges, blasts, self.start.shape[1], plan.refused_row)
        self.table.select_rows(unchanged)
        self._busy.setVisible(plan.is_running)

    def _read_result(self) -> Reading:
        before = self._cells_before
        after = self.simulated.flat_cells
        score = 0.0 if self.simulated.run.refused else score_of(self.start, before, after)
        words = f"largest flat region; score {score_words(score)}"
        return Reading(f"{before} → {counted(after, 'cell')}", words, score >= 1 or None)

    def _rows_selected(self, rows: list[int]) -> None:
        if not self.animation.is_playing:
            self.draw_map()

    def _describe(self, name: str) -> tuple[str, str]:
        kind, _, rest = name.partition(" ")
        if kind != "cell":
            return name, ""
        x, y = map(int, rest.split(","))
        return f"({x}, {y})", f"{self.shown[y, x]:.2f} m"

    @property
    def _moment(self) -> int:
        """The number of blasts after which the map is shown."""
        return len(self.simulated.run.blasts) if self._upto is None else self._upto

    def _words_of_moment(self) -> str:
        return f"After {self._moment} of {counted(len(self.simulated.run.blasts), 'blast')}"

    def _show_moment(self, count: int) -> None:
        """Shows the map after a number of blasts."""
        self._upto = None if count >= len(self.simulated.run.blasts) else count
        self.draw_map()
