"""The editor: the world in 3D, the level from above beside it, the goals above, and the rain.

Earthworks are boxes, so every gesture makes boxes, with their mirror images, as one step of the history. Where water
could stay is known at once; where the rain really leaves it comes with the verdict, and can be played drop by drop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.fluid_simulation import Earthworks, FluidBox
from spatial_workbench.engine.tasks.fluid_simulation.drawing import draw_earthworks, draw_rain
from spatial_workbench.engine.tasks.fluid_simulation.editing import PRESET_LEVELS, PRESETS, meters, rain
from spatial_workbench.engine.tasks.fluid_simulation.goals import FluidMeter
from spatial_workbench.engine.tasks.fluid_simulation.rain import Rainfall
from spatial_workbench.engine.tasks.fluid_simulation.shaping import useful_level
from spatial_workbench.engine.tasks.fluid_simulation.views import draw_level, dry_of, water_of
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells, Corner, from_flat
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    Choice,
    CustomPart,
    Declared,
    Keys,
    Number,
    Numbers,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.runner import Job
from spatial_workbench.widgets.editors.fluid_simulation.display import FluidDisplay
from spatial_workbench.widgets.editors.fluid_simulation.gestures import AreaTool, BrushTool, PresetTool, SelectTool
from spatial_workbench.widgets.editors.fluid_simulation.goals import GoalBar
from spatial_workbench.widgets.editors.fluid_simulation.level import LevelStrip
from spatial_workbench.widgets.editors.fluid_simulation.marks import WorldMarks
from spatial_workbench.widgets.editors.fluid_simulation.operations import MATERIALS, OperationsPanel
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Worksite, cell_of
from spatial_workbench.widgets.layouts import row, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool

HINT = (
    "Drag a rectangle on the ground, then move up or down to set its height.  Page Up and Page Down change the level."
)
RAIN_FRAMES = 200
PRESET_KEYS = {"pit": "P", "walled pool": "W", "roof on a pillar": "T", "island": "I"}
PRESET_TIPS = {
    "pit": "a hole in the ground, from the level up",
    "walled pool": "a block of rock with a pool in its top",
    "roof on a pillar": "a slab one column wider on all sides, held up at a corner",
    "island": "rock inside a pit, as high as the ground",
}
NUDGES: dict[str, tuple[str, Corner]] = {
    "Right": ("right", (1, 0, 0)),
    "Left": ("left", (-1, 0, 0)),
    "Up": ("back", (0, 1, 0)),
    "Down": ("forward", (0, -1, 0)),
    "Shift+Up": ("up a level", (0, 0, 1)),
    "Shift+Down": ("down a level", (0, 0, -1)),
}
STRIP = ("Level up", "Level down", "Cut above the level", "See-through rock", "Level from above")
NAMES = {
    "dry": "Could hold water but stays dry",
    "capacity": "Could hold water",
    "fallen": "Rock that fell",
    "deep water": "Water",
    "ground": "Ground",
}


class FluidEditor(Editor[Earthworks]):
    """Places boxes of rock and air in a world that it rains on. Water and falling rock are shown only if the answer may
    be judged."""

    def prepare(self) -> None:
        judged = self.allows(Aid.JUDGING)
        measures = self.allows(Aid.MEASURING)
        self.site = Worksite(self.document, self.message.emit, judged, measures)
        self.operation_list = self.site.operation_list
        self.operation_list.setParent(self)
        self.display = FluidDisplay()
        self.cuts = Setting(False, self._look)
        self._world: tuple[tuple[int, int], Scene] | None = None
        self._rainfall: Rainfall | None = None
        self._job: Job | None = None

    def begin(self) -> None:
        self.operation_list.changed.connect(self._operations_changed)
        self.document.answer_changed.connect(self._forget_rain)
        self.timeline.frame_changed.connect(lambda _: self._show_water())
        self.strip.add_buttons(*(self.panel.actions[text] for text in STRIP))
        if self.allows(Aid.JUDGING):
            self.goals.add_button(self.panel.actions["Play the rain"])
        self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the view of the level from above."""
        view = super().make_view()
        self.plan = Canvas2D()
        self.plan.setAccessibleName("The level from above")
        self.plan.rulers = True
        digs = AreaTool(self.site, rock=False)
        for pane in (view, self.plan):
            pane.box_select = False
            pane.set_describe(self._describe)
            pane.add_overlay(WorldMarks(self.site))
            pane.set_tool(digs)
        self.site.show_in(view, self.plan)
        return view

    def central_widget(self) -> QWidget:
        """The world in 3D, and the level from above; the strip of levels is added at their left."""
        self.split = split(self.view, self.plan, shares=(62, 38))
        self.split.setCollapsible(0, False)
        self.split.setSizes([620, 380])
        self.split.setHandleWidth(5)
        whole = QWidget()
        self._row = row(whole, self.split)
        self._row.setStretch(0, 1)
        return whole

    def list_controls(self) -> Iterable[Declared]:
        strip = CustomPart("Level", self._make_strip, aid=Aid.VIEWING, refresh=self._show_level)
        yield Bars(strip, place=partial(self._row.insertWidget, 0))
        yield Bars(CustomPart("Goals", self._make_goals, aid=Aid.JUDGING, refresh=self._show_goals))
        yield Section("Tools", self._tools())
        yield Section("Presets", Tools(self.view, *map(self._preset, PRESETS), columns=2, take=self._use))
        yield self._options()
        yield self._operation_controls()
        yield self._keys()

    def _tools(self) -> Tools:
        digs = "A box of air: drag a rectangle, then move down to set its depth"
        builds = "A box of rock: drag a rectangle, then move up to set its height"
        selects = "Click an operation; drag it to move it, drag a handle to resize it"
        paints = "Paint voxels of rock or air at the level"
        return Tools(
            self.view,
            ToolButton("Dig a box", self.view.tool, "D", "air", digs),
            ToolButton("Build a box", AreaTool(self.site, rock=True), "R", "rock", builds),
            ToolButton("Brush", BrushTool(self.site), "B", "brush", paints),
            ToolButton("Select", SelectTool(self.site), "V", "select", selects),
            take=self._use,
        )

    def _preset(self, name: str) -> ToolButton:
        text = name.removesuffix(" on a pillar").capitalize()
        tip = f"{name.capitalize()}: {PRESET_TIPS[name]}."
        return ToolButton(text, PresetTool(self.site, name), PRESET_KEYS[name], tip=f"{tip} Drag a rectangle.")

    def _options(self) -> Section:
        site = self.site
        height = site.box_height
        width = site.brush_width
        paints = site.paints_rock
        high = "How many levels a new box has: up for rock, down for air"
        images = "Also place everything mirrored in {}"
        return Section(
            "Options",
            Number("Height", height.get, height.put, (0, DEPTH), high, least="by dragging"),
            Choice("Brush paints", ("air", "rock"), paints.get, lambda rock: paints.put(bool(rock))),
            Number("Brush width", width.get, width.put, (1, 9)),
            *(
                Switch(f"Mirror in {axis}", mirror.get, mirror.put, images.format(axis))
                for axis, mirror in zip("xy", site.mirrors, strict=True)
            ),
        )

    def _operation_controls(self) -> Section:
        listed = self.operation_list

        def is_chosen() -> bool:
            return self.operation_list.chosen >= 0

        wide = (0, self.site.n - 1)
        high = (0, DEPTH - 1)
        return Section(
            "Operations",
            CustomPart("Operations", self._make_operations, refresh=self._show_operations),
            Buttons(
                Action("Earlier", partial(listed.shift, -1), "Ctrl+Up", "up", "Move up in the list", enabled=is_chosen),
                Action(
                    "Later", partial(listed.shift, 1), "Ctrl+Down", "down", "Move down in the list", enabled=is_chosen
                ),
                Action(
                    "Duplicate operation", listed.duplicate, "Ctrl+D", "copy", enabled=is_chosen, verb=Verb.DUPLICATE
                ),
                Action(
                    "Delete operation",
                    listed.delete,
                    "Delete, Backspace",
                    "delete",
                    enabled=is_chosen,
                    verb=Verb.DELETE,
                ),
                columns=4,
                has_words=False,
            ),
            Numbers(
                "Extent",
                ("x", "to", "y", "to", "z", "to"),
                listed.extent,
                listed.put_bound,
                wide,
                columns=2,
                field_px=68,
                bounds_each=(wide, wide, wide, wide, high, high),
            ),
            Choice(
                "Material", MATERIALS, listed.material, listed.put_material, "What fills the box", enabled=is_chosen
            ),
        )

    def add_box(self) -> None:
        """Adds a box of air in the middle of the level, and chooses it, so that its numbers can be typed."""
        middle = self.site.n // 2
        level = self.site.level
        self.operation_list.place(
            "Add operation", [FluidBox((middle - 1, middle - 1, level), (middle, middle, level), False)]
        )

    def _keys(self) -> Keys:
        beside = "Show the level from above, beside the world"
        above = "Show rock above the level as a ghost"
        plan = partial(self.plan.isVisibleTo, self)
        drop = "Watch the water rise, drop by drop"
        nudge = self.operation_list.nudge
        return Keys(
            Action("Add operation", self.add_box, "Return"),
            Action("Level up", partial(self.step_level, 1), "PgUp", "layer_up", aid=Aid.VIEWING),
            Action("Level down", partial(self.step_level, -1), "PgDown", "layer_down", aid=Aid.VIEWING),
            Action("Cut above the level", self._toggle_cut, "C", "section", above, Aid.VIEWING, checked=self.cuts.get),
            Action("See-through rock", self._toggle_glass, "X", "eye", "See the water under roofs", Aid.VIEWING,
                   checked=lambda: self.display.glass),
            Action("Level from above", self._toggle_plan, "L", "grid", beside, Aid.VIEWING, checked=plan),
            Action("Play the rain", self.play_rain, "G", "rain", drop, Aid.JUDGING),
            *(Action(f"Move operation {way}", partial(nudge, by), key) for key, (way, by) in NUDGES.items()),
        )  # fmt: skip

    def _make_strip(self) -> LevelStrip:
        self.strip = LevelStrip()
        self.strip.level_changed.connect(self.set_level)
        return self.strip

    def _make_goals(self) -> GoalBar:
        self.goals = GoalBar(self.task.caption(self.instance))
        return self.goals

    def _make_operations(self) -> OperationsPanel:
        self.operations = OperationsPanel()
        self.operations.chosen.connect(self.operation_list.choose)
        self.operations.switched.connect(self.operation_list.switch)
        self.operations.reordered.connect(self.operation_list.reorder)
        return self.operations

    def make_scene(self) -> Scene:
        return self.display.displayed(self._world_scene())

    def make_frame(self, scene: Scene, index: int) -> Scene:
        return self.display.displayed(scene.at(index))

    def redraw(self, reset_view: bool = False) -> None:
        """The level from above is drawn a moment later than the world."""
        super().redraw(reset_view)
        if reset_view:
            self._draw_plan(reset_view=True)
        self.later.start()

    def draw_later(self) -> None:
        if self.plan.isVisibleTo(self):
            self._draw_plan()

    def show_elements(self, ids: Iterable[str]) -> None:
        """Frames the elements together with the centre of the rain, since a voxel alone does not say where it is."""
        ids = tuple(ids)
        super().show_elements(ids)
        whole = (name for element in ids for name in self._extent_of(element))
        self.view.frame((*whole, "rain"), animate=not appearance().reduce_motion)

    def status(self) -> str:
        words = [self._count_in_words(), f"level {self.site.level}"] if self.allows(Aid.MEASURING) else []
        if self.allows(Aid.JUDGING):
            feedback = self.site.feedback
            words.append(f"{counted(int(np.count_nonzero(feedback.capacity)), 'voxel')} could hold water")
            words.append(f"{len(feedback.falls)} falling" if feedback.falls else "")
        return " · ".join(filter(None, words))

    def _count_in_words(self) -> str:
        count = len(self.document.answer.earthworks)
        limit = self.site.question.limit
        return counted(count, "operation") if limit is None else f"{count} of at most {limit} operations"

    def close_editor(self) -> None:
        self._forget_rain()
        super().close_editor()

    # Tools and display options -----------------------------------------------------------------------------------

    def _use(self, tool: Tool) -> None:
        """Activates a tool, and moves to a level on which it can do something."""
        for view in (self.view, self.plan):
            view.set_tool(tool)
        if isinstance(tool, PresetTool):
            self.set_level(PRESET_LEVELS[tool.name])
        elif isinstance(tool, AreaTool):
            self.set_level(useful_level(self.site.feedback.rock, self.site.level, tool.rock))

    def set_level(self, level: int) -> None:
        """Makes another level the current one."""
        self.site.level = min(DEPTH - 1, max(0, level))
        self._look()

    def step_level(self, by: int) -> None:
        """Moves to a level above or below."""
        self.set_level(self.site.level + by)

    def _look(self) -> None:
        self.display.cut_above = self.site.level if self.cuts.value else None
        self.animation.show_again()
        self.redraw()
        self.view.update()

    def _toggle_cut(self) -> None:
        self.cuts.put(not self.cuts.value)

    def _toggle_glass(self) -> None:
        self.display.glass = not self.display.glass
        self._look()

    def _toggle_plan(self) -> None:
        self.plan.setVisible(not self.plan.isVisibleTo(self))
        self.later.start()

    # The world ---------------------------------------------------------------------------------------------------

    def _world_scene(self) -> Scene:
        key = (self.document.revision, id(self.verdict))
        if self._world is None or self._world[0] != key:
            self._world = key, self._draw_world()
        return self._world[1]

    def _draw_world(self) -> Scene:
        if self.allows(Aid.JUDGING):
            return self.task.scene(self.instance, self.document.answer, self.verdict)
        return draw_earthworks(self.site.question, self.site.feedback.rock)

    def _water(self) -> tuple[Cells, Cells, str]:
        """The shown water, the cells that could hold water but stay dry, and words for the moment of both."""
        nothing = np.zeros_like(self.site.feedback.capacity)
        playing = self.animation.scene
        if playing is not None and self._rainfall is not None:
            drops = int(playing.frames[self.timeline.index].time)
            return self._rainfall.water(drops), nothing, f"after {drops} drops"
        details = self.verdict.details if self.verdict is not None and self.allows(Aid.JUDGING) else {}
        if "bodies" in details:
            return water_of(details, self.site.n), dry_of(details, self.site.n), "after the rain"
        return self.site.feedback.capacity, nothing, "if all that can fills"

    def _numbers(self, water: Cells) -> Sequence[FluidMeter]:
        feedback = self.site.feedback
        return feedback.meters if water is feedback.capacity else meters(self.site.question, feedback.rock, water)

    def _extent_of(self, element: str) -> list[str]:
        """What has to be in view to see an element: for a body of water, its outermost voxels too."""
        kind, _, number = element.partition(" ")
        verdict = self.document.verdict
        if kind != "body" or verdict is None or "bodies" not in verdict.details:
            return [element]
        cells = from_flat(verdict.details["bodies"][int(number)]["cells"], self.site.n)
        outermost = cells[np.concatenate([cells.argmin(axis=0), cells.argmax(axis=0)])]
        return [element, *(f"water {x},{y},{z}" for x, y, z in outermost.tolist())]

    def _show_water(self) -> None:
        """Updates the goals and the level from above for a moment of the rain."""
        self.refresh()
        if not self.later.isActive():
            self.later.start()

    def _show_goals(self, goals: GoalBar) -> None:
        water, _, moment = self._water()
        goals.show_numbers(self._numbers(water), moment)

    def _draw_plan(self, reset_view: bool = False) -> None:
        water, dry, _ = self._water()
        ground = self.site.question.terrain.rock()
        rock = self.site.feedback.rock
        self.plan.set_scene(draw_level(ground, rock, water, dry, self.site.level), reset_view=reset_view)

    def _show_level(self, strip: LevelStrip) -> None:
        strip.show_level(self.site.level)

    def _show_operations(self, operations: OperationsPanel) -> None:
        faults = self.operation_list.faults if self.allows(Aid.JUDGING) else {}
        operations.show_rows(self.operation_list.rows, self.operation_list.chosen, faults)

    def _operations_changed(self) -> None:
        self.refresh()
        self.view.update()
        self.plan.update()

    # Rain --------------------------------------------------------------------------------------------------------

    def play_rain(self) -> None:
        """Computes the rain in another process, and plays it then."""
        self._forget_rain()
        self._job = self.runner.run(
            "Computing the rain", rain, dict(self.instance.parameters), self.document.answer, done=self._rain_arrived
        )

    def _rain_arrived(self, rainfall: Rainfall) -> None:
        self._job = None
        scene = draw_rain(self.site.question, self.document.answer, RAIN_FRAMES, rainfall)
        if scene.frames:
            self._rainfall = rainfall
            self.animation.play(scene)
        else:
            self.message.emit("No water stays: every drop leaves the world.")

    def _forget_rain(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.animation.stop()
        self._rainfall = None

    def _describe(self, pick: Pick) -> tuple[str, str]:
        cell = cell_of(pick)
        if self.site.pending.where is not None:
            return "", ""
        if cell is None:
            return pick.id, ""
        index = self.operation_list.row_of(cell)
        number = sum(other.is_on for other in self.operation_list.rows[:index])
        suffix = f" · operation {number}" if index >= 0 else ""
        return NAMES.get(pick.item, pick.item.capitalize()), f"({', '.join(map(str, cell))}){suffix}"
