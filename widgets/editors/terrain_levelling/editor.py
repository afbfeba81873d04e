"""The editor: a map to be blasted, and the plan of the blasts beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from spatial_workbench.engine.core import Aid, Progress, Scene, silent
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.physics.rocks.rolling import LOOK_EVERY, STEP_S
from spatial_workbench.engine.tasks.terrain_levelling import TerrainPlan, score_of
from spatial_workbench.engine.tasks.terrain_levelling.drawing import (
    draw_terrain,
    rolling_scene,
)
from spatial_workbench.engine.tasks.terrain_levelling.flat import largest
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, roll
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
from spatial_workbench.widgets.editors.terrain_levelling.commands import BlastCommands
from spatial_workbench.widgets.editors.terrain_levelling.cursor import TerrainCursor
from spatial_workbench.widgets.editors.terrain_levelling.gestures import DrillTool, TerrainBrushTool, TerrainContext
from spatial_workbench.widgets.editors.terrain_levelling.ghost import HoleGhost
from spatial_workbench.widgets.editors.terrain_levelling.plan_table import PlanTable
from spatial_workbench.widgets.editors.terrain_levelling.shown_map import CHANGE, HEIGHT, TARGET, ShownMap
from spatial_workbench.widgets.editors.terrain_levelling.workpiece import LEAST_DEPTH_M, MOST_DEPTH_M, BlastPlan
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.legend import AXES_WIDTH, Legend
from spatial_workbench.widgets.scene_views.view import SceneView, Tool
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from spatial_workbench.widgets.theme import SPACE

HINT = (
    "Press on a cell and drag down to drill a hole of that depth; the rock falls, rolls and fills hollows.\n"
    "Aim at one large region whose neighbours differ by at most 0.2 m."
)
MIDDLE_M = 5.0
"""The first target if measuring is not allowed; maps are 0 to 10 m high."""
CONTEXT_CELLS = 2
"""How many columns on each side of a blast are in view when the view goes to it."""


def track(heights: Floats, charge: Charge, progress: Progress = silent) -> Floats:
    """Where the rock of a blast rolls; runs in the background."""
    return roll(heights, charge, progress=progress)


class TerrainEditor(Editor[TerrainPlan]):
    """Plans blasts on a map, and shows the map after the last simulated blast, or after a chosen one.

    If the plan may not be judged, nothing is simulated, and the map is shown as it is before the first blast.
    """

    def prepare(self) -> None:
        self.plan = BlastPlan(
            self.document,
            self.runner,
            self.allows(Aid.JUDGING),
            changed=self._simulation_advanced,
            failed=lambda why: self.message.emit(f"The plan could not be simulated: {why}"),
            editing=lambda: self.map.show_last(),
        )
        self._cells_before = largest(self.plan.start)
        self.click_depth = Setting(1.0, self.refresh)
        middle_m = float(np.median(self.plan.start)) if self.allows(Aid.MEASURING) else MIDDLE_M
        self.target = Setting(middle_m, self.draw_map)

    def begin(self) -> None:
        if not self.plan.charges:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the table of blasts, and the objects that work on the plan."""
        view = Viewport3D()
        measures = self.allows(Aid.MEASURING)
        self.table = PlanTable(shows_rock=self.allows(Aid.JUDGING))
        self.map = ShownMap(self.plan, self.table, self.target, measures, self.draw_map)
        self.commands = BlastCommands(
            self.plan,
            view,
            self.table,
            self.click_depth,
            self.target,
            self.message.emit,
            self.use_aid if self.allows(Aid.SOLVING) else None,
        )
        self.terrain_cursor = TerrainCursor(view, self.map, self.commands, self.refresh)
        self.ghost = HoleGhost(self.plan, view, self.click_depth, measures)
        self._context = TerrainContext(self.plan, self.commands, self.ghost)
        self._drill = DrillTool(self._context)
        self.table.rows_selected.connect(self._rows_selected)
        self.table.plan.depth_edited.connect(self.commands.set_depth_of)
        view.set_tool(self._drill)
        view.set_describe(lambda pick: self.map.describe(pick.id))
        view.add_overlay(Legend(self.map.legend, right=AXES_WIDTH))
        view.add_overlay(self._drill.paint)
        view.add_overlay(self.terrain_cursor.paint)
        return view

    def central_widget(self) -> QWidget:
        """The terrain, with room for the plan beside it."""
        self._busy = QProgressBar(maximum=0, textVisible=False)
        self._busy.setFixedHeight(3)
        self._busy.hide()
        caption = QLabel(tr("Blasts in their order"))
        caption.setObjectName("caption")
        caption.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 0)
        side = QWidget()
        self._beside = column(side, caption, self._busy, spacing=SPACE)
        return split(self.view, side, shares=(4, 1))

    def list_controls(self) -> Iterable[Declared]:
        depths = (LEAST_DEPTH_M, MOST_DEPTH_M)
        heights = (-1.0, 30.0)
        down = "The height to which cells are shaved"
        blasts = CustomPart(tr("Blasts in their order"), lambda: self.table, aid=Aid.VIEWING)
        yield Bars(blasts, place=self._beside.addWidget)
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Drill", self._drill, "D", "place", "Press on a cell and drag down to drill a hole"),
                ToolButton(
                    "Brush", TerrainBrushTool(self._context), "B", "brush", "Drag over cells to blast each of them"
                ),
                ToolButton("Select", Tool(), "V", "select", "Select cells to shave"),
            ),
            Number("Depth", self.click_depth.get, self.click_depth.put, depths, "Depth of a click", 0.1, 2, "m"),
            self.terrain_cursor.field(),
        )
        yield Section(
            "Shave",
            Number("Target", self.target.get, self.target.put, heights, down, 0.1, 2, "m"),
            Buttons(Action("Shave cells", self.commands.shave, "S", "layers", self._shave_tip)),
        )
        yield self._plan_controls()
        yield Keys(
            Action("Next blast", lambda: self.map.step(1), "]", aid=Aid.VIEWING),
            Action("Previous blast", lambda: self.map.step(-1), "[", aid=Aid.VIEWING),
            *self.terrain_cursor.keys(),
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
                Action(
                    "Earlier",
                    lambda: self.commands.shift(-1),
                    "Ctrl+Up",
                    "up",
                    "Move the selected blasts up in the list",
                ),
                Action(
                    "Later",
                    lambda: self.commands.shift(1),
                    "Ctrl+Down",
                    "down",
                    "Move the selected blasts down in the list",
                ),
                Action("Delete", self.commands.remove, "Delete, Backspace", "delete", gone, verb=Verb.DELETE),
                columns=2,
            ),
        )

    def _view_controls(self) -> Iterable[Row]:
        colors = self.map.coloring
        before = self.map.shows_before
        options = (HEIGHT, Option(CHANGE, Aid.JUDGING), TARGET)
        tip = "What the colours of the columns show"
        after = "Show the map after this many blasts"
        yield Choice("Colour", options, colors.get, colors.put, tip, Aid.MEASURING)
        if self.allows(Aid.JUDGING):
            yield Switch(
                "Before the blasts", before.get, before.put, "Show the map before the first blast", Aid.VIEWING
            )
        yield Note("How many blasts are shown", self.map.words_of_moment, aid=Aid.JUDGING)
        yield Slider(
            "Blasts shown",
            lambda: self.map.moment,
            self.map.show_moment,
            (0, 0),
            after,
            aid=Aid.JUDGING,
            greatest=lambda: len(self.plan.simulated.run.blasts),
        )

    @property
    def _shave_tip(self) -> str:
        cells = "the selected cells"
        return (
            f"Blast {cells}, or all, down to the target" if self.allows(Aid.SOLVING) else f"Blast {cells} to the target"
        )

    def make_scene(self) -> Scene:
        """The shown map, with marks on the selected blast and on those that are not simulated yet."""
        heights = self.map.shown
        return draw_terrain(heights, self.map.colors(heights), self.map.marks(heights), self.allows(Aid.JUDGING))

    def redraw(self, reset_view: bool = False) -> None:
        """First continues the simulation of the plan."""
        if self.allows(Aid.JUDGING):
            self.plan.simulated.simulate_new()
        super().redraw(reset_view)
        self._show_plan()

    def draw_map(self) -> None:
        """Draws only the map, for when the plan has not changed."""
        super().redraw()

    def status(self) -> str:
        words = [counted(len(self.plan.charges), "blast")] if self.allows(Aid.MEASURING) else []
        plan = self.plan.simulated
        if plan.is_running:
            words.append(f"simulating, {plan.done_count} done")
        if plan.refused_row is not None:
            words.append(f"blast {plan.refused_row}: {plan.run.refused}")
        if plan.run.lost > 0.005:
            words.append(f"{plan.run.lost:.1f} m³ lost")
        return " · ".join(words)

    def cursor_numbers(self) -> Sequence[int]:
        """The cursor as numbers."""
        return self.terrain_cursor.numbers()

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was. Raises ValueError for a place that is not here."""
        self.terrain_cursor.put(numbers)

    def marked(self) -> Mapping[str, str]:
        """Nothing: the table and the marks already show what is wrong."""
        return {}

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """The columns around the blasts, since a blast alone would fill the view."""
        cells = [self.plan.charges[row] for row in self._rows_of(ids)]
        around = range(-CONTEXT_CELLS, CONTEXT_CELLS + 1)
        return [f"cell {cell.x + dx},{cell.y + dy}" for cell in cells for dx in around for dy in around]

    def show_elements(self, ids: Iterable[str]) -> None:
        """Also selects the blasts in the table."""
        ids = tuple(ids)
        self.table.select_rows(self._rows_of(ids))
        super().show_elements(ids)

    def _rows_of(self, ids: Iterable[str]) -> list[int]:
        rows = [int(name.split()[1]) for name in ids if name.startswith("blast ")]
        return [row for row in rows if row < len(self.plan.charges)]

    def _simulation_advanced(self) -> None:
        self.draw_map()
        self._show_plan()

    def play_selected(self) -> None:
        """Shows how the rock of the selected blast, or of the last one, rolls."""
        rows = self.table.rows
        plan = self.plan.simulated
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

    def _show_plan(self) -> None:
        plan = self.plan.simulated
        unchanged = [row for row in self.table.rows if self.table.plan.is_same_cell(row, self.plan.charges)]
        blasts = plan.run.blasts[: plan.done_count]
        self.table.plan.show_plan(self.plan.charges, blasts, self.plan.start.shape[1], plan.refused_row)
        self.table.select_rows(unchanged)
        self._busy.setVisible(plan.is_running)

    def _read_result(self) -> Reading:
        before = self._cells_before
        after = self.plan.simulated.flat_cells
        score = 0.0 if self.plan.simulated.run.refused else score_of(self.plan.start, before, after)
        words = f"largest flat region; score {score_words(score)}"
        return Reading(f"{before} → {counted(after, 'cell')}", words, score >= 1 or None)

    def _rows_selected(self, rows: list[int]) -> None:
        if not self.animation.is_playing:
            self.draw_map()
