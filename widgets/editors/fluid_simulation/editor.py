"""The editor: the world in 3D, the level from above beside it, the goals above, and the rain.

Earthworks are boxes, so every gesture makes boxes, with their mirror images, as one step of the history. Where water
could stay is known at once; where the rain really leaves it comes with the verdict, and can be played drop by drop.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.fluid_simulation import Earthworks
from spatial_workbench.engine.tasks.fluid_simulation.drawing import draw_earthworks
from spatial_workbench.engine.tasks.fluid_simulation.editing import PRESET_LEVELS
from spatial_workbench.engine.tasks.fluid_simulation.shaping import useful_level
from spatial_workbench.engine.tasks.fluid_simulation.views import draw_level
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import (
    Bars,
    CustomPart,
    Declared,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.fluid_simulation.controls import (
    key_actions,
    operation_section,
    option_section,
    preset_section,
    tool_section,
)
from spatial_workbench.widgets.editors.fluid_simulation.gestures import AreaTool, PresetTool
from spatial_workbench.widgets.editors.fluid_simulation.goals import GoalBar
from spatial_workbench.widgets.editors.fluid_simulation.level import LevelStrip
from spatial_workbench.widgets.editors.fluid_simulation.look import FluidLook
from spatial_workbench.widgets.editors.fluid_simulation.marks import WorldMarks, describe
from spatial_workbench.widgets.editors.fluid_simulation.operations import OperationsPanel
from spatial_workbench.widgets.editors.fluid_simulation.water import FluidWater
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Worksite
from spatial_workbench.widgets.layouts import row, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView, Tool

HINT = (
    "Drag a rectangle on the ground, then move up or down to set its height.  Page Up and Page Down change the level."
)
STRIP = ("Level up", "Level down", "Cut above the level", "See-through rock", "Level from above")


class FluidEditor(Editor[Earthworks]):
    """Places boxes of rock and air in a world that it rains on. Water and falling rock are shown only if the answer may
    be judged."""

    def prepare(self) -> None:
        judged = self.allows(Aid.JUDGING)
        measures = self.allows(Aid.MEASURING)
        self.site = Worksite(self.document, self.message.emit, judged, measures)
        self.operation_list = self.site.operation_list
        self.operation_list.setParent(self)
        self._world: tuple[tuple[int, int], Scene] | None = None
        self.water = FluidWater(self, self.site)

    def begin(self) -> None:
        self.operation_list.changed.connect(self._operations_changed)
        self.document.answer_changed.connect(self.water.forget)
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
        self.plan.setAccessibleName(tr("The level from above"))
        self.plan.rulers = True
        self.look = FluidLook(self, self.site, self.plan)
        digs = AreaTool(self.site, rock=False)
        for pane in (view, self.plan):
            pane.box_select = False
            pane.set_describe(partial(describe, self.site))
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
        yield tool_section(self.view, self.site, self._use)
        yield preset_section(self.view, self.site, self._use)
        yield option_section(self.site)
        yield operation_section(self.site, self._make_operations, self._show_operations)
        yield key_actions(self.site, self.look, self.water)

    def _make_strip(self) -> LevelStrip:
        self.strip = LevelStrip()
        self.strip.level_changed.connect(self.look.set_level)
        return self.strip

    def _make_goals(self) -> GoalBar:
        self.goals = GoalBar(self.task.caption(self.instance))
        return self.goals

    def _make_operations(self) -> OperationsPanel:
        self.operations = OperationsPanel()
        self.operations.chosen.connect(self.operation_list.choose_row)
        self.operations.switched.connect(self.operation_list.switch)
        self.operations.reordered.connect(self.operation_list.reorder)
        return self.operations

    def make_scene(self) -> Scene:
        return self.look.display.displayed(self._world_scene())

    def make_frame(self, scene: Scene, index: int) -> Scene:
        return self.look.display.displayed(scene.at(index))

    def redraw(self, reset_view: bool = False) -> None:
        """The level from above is drawn a moment later than the world."""
        super().redraw(reset_view)
        if reset_view:
            self._draw_plan(reset_view=True)
        self.later.start()

    def draw_later(self) -> None:
        if self.look.has_plan:
            self._draw_plan()

    def show_elements(self, ids: Iterable[str]) -> None:
        """Frames the elements together with the centre of the rain, since a voxel alone does not say where it is."""
        ids = tuple(ids)
        super().show_elements(ids)
        whole = (name for element in ids for name in self.water.extent_of(element))
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
        self.water.forget()
        super().close_editor()

    # Tools and display options -----------------------------------------------------------------------------------

    def _use(self, tool: Tool) -> None:
        """Activates a tool, and moves to a level on which it can do something."""
        for view in (self.view, self.plan):
            view.set_tool(tool)
        if isinstance(tool, PresetTool):
            self.look.set_level(PRESET_LEVELS[tool.name])
        elif isinstance(tool, AreaTool):
            self.look.set_level(useful_level(self.site.feedback.rock, self.site.level, tool.rock))

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

    def _show_water(self) -> None:
        """Updates the goals and the level from above for a moment of the rain."""
        self.refresh()
        if not self.later.isActive():
            self.later.start()

    def _show_goals(self, goals: GoalBar) -> None:
        water, _, moment = self.water.water()
        goals.show_numbers(self.water.meters(water), moment)

    def _draw_plan(self, reset_view: bool = False) -> None:
        water, dry, _ = self.water.water()
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
