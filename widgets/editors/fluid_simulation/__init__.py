"""The editor of fluid_simulation: a world of voxels in space, the level that is worked on from above, and the rain.

Earthworks are boxes, so every gesture ends in boxes: one step of the history, with its mirror images. What could hold
water is known at once; what the rain really leaves comes with the verdict, and can be played drop by drop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from engine.core import Scene
from engine.core.words import counted
from engine.tasks.fluid_simulation import Box
from engine.tasks.fluid_simulation.drawing import draw_rain
from engine.tasks.fluid_simulation.editing import (
    PRESET_LEVELS,
    Feedback,
    Rectangle,
    feedback,
    meters,
    rain,
)
from engine.tasks.fluid_simulation.goals import Meter
from engine.tasks.fluid_simulation.judging import Question
from engine.tasks.fluid_simulation.rain import Rainfall
from engine.tasks.fluid_simulation.shaping import useful_level, with_mirror_images
from engine.tasks.fluid_simulation.views import draw_level, dry_of, water_of
from engine.tasks.fluid_simulation.world import DEPTH, GROUND, Cells, Corner, from_flat
from widgets.appearance import appearance
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editing.runner import Job
from widgets.editors.fluid_simulation.controls import fill_panel, level_actions, rain_action
from widgets.editors.fluid_simulation.gestures import AreaTool, PresetTool, WorldTool
from widgets.editors.fluid_simulation.goals import GoalBar
from widgets.editors.fluid_simulation.level import LevelStrip
from widgets.editors.fluid_simulation.looks import Looks
from widgets.editors.fluid_simulation.marks import WorldMarks
from widgets.editors.fluid_simulation.pending import Pending, ghost_of
from widgets.editors.fluid_simulation.works import Works
from widgets.view import Pick, PointerEvent

HINT = "Drag a rectangle on the ground, then move up or down for its height.  Page Up and Page Down change the level."
RAIN_FRAMES = 200


class FluidEditor(Editor):
    """Boxes of rock and air in a world that it rains on."""

    def prepare(self) -> None:
        self.question = Question.of(self.instance.parameters)
        self.n = self.question.terrain.n
        self.works = Works(self.document, self.n)
        self.looks = Looks()
        self.level = GROUND - 1
        self.box_height = 0
        """Height of a new box in levels; 0: by dragging."""
        self.brush_width = 1
        self.paints_rock = False
        self.mirror_x = self.mirror_y = False
        self.pending = Pending()
        self.current_tool: WorldTool | None = None
        self._cuts = False
        self._feedback: tuple[int, Feedback] | None = None
        self._world: tuple[tuple[int, int], Scene] | None = None
        self._rainfall: Rainfall | None = None
        self._job: Job | None = None

    def begin(self) -> None:
        self.works.changed.connect(self._works_changed)
        self.document.answer_changed.connect(self._forget_rain)
        self.timeline.frame_changed.connect(lambda _: self._show_numbers())
        self.view.show_hint(HINT)
        self._works_changed()

    # The frame of the editor -------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The goals above; the levels, the world in space, and the level from above."""
        self.plan = Canvas2D()
        self.plan.setAccessibleName("The level from above")
        self.plan.rulers = True
        self.plan.set_describe(self._describe)
        for view in (self.view, self.plan):
            view.box_select = False
            view.add_overlay(WorldMarks(self))
        self.view.set_describe(self._describe)
        self.goals = GoalBar(self.task.caption(self.instance), rain_action(self))
        self.strip = LevelStrip(*level_actions(self))
        self.strip.level_changed.connect(self.set_level)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.view)
        self.split.addWidget(self.plan)
        self.split.setCollapsible(0, False)
        self.split.setSizes([620, 380])
        self.split.setHandleWidth(5)
        return _framed(self.goals, self.strip, self.split)

    def build_tools(self, tools: ToolPanel) -> None:
        """Tools, presets, options and the list of operations."""
        self.works.setParent(self)
        self.operations = fill_panel(tools, self, self.works)
        self.use(AreaTool(self, rock=False))

    def make_scene(self) -> Scene:
        """The world as it is looked at."""
        return self.looks.dressed(self._world_scene())

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the rain, looked at in the same way."""
        return self.looks.dressed(scene.at(index))

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the world, the level from above, and the numbers."""
        super().redraw(reset_view)
        self._show_numbers(reset_view)

    def show_elements(self, ids: Iterable[str]) -> None:
        """Marks elements, and shows them with the centre of the rain: a voxel alone says nothing of where it is."""
        ids = tuple(ids)
        super().show_elements(ids)
        whole = (name for element in ids for name in self._extent_of(element))
        self.view.frame((*whole, "rain"), animate=not appearance().reduce_motion)

    def status(self) -> str:
        """Operations, level, what could hold water, what fell."""
        count = sum(row.is_on for row in self.works.rows)
        limit = f" of at most {self.question.limit}" if self.question.limit is not None else ""
        found = self.feedback
        falls = f"{len(found.falls)} falling" if found.falls else ""
        could = f"{counted(int(np.count_nonzero(found.capacity)), 'voxel')} could hold water"
        noun = "operation" if count == 1 and not limit else "operations"
        return " · ".join(filter(None, [f"{count}{limit} {noun}", f"level {self.level}", could, falls]))

    def close_editor(self) -> None:
        """Gives everything back."""
        self._forget_rain()
        super().close_editor()

    # What gestures ask -------------------------------------------------------------------------------------------

    @property
    def chosen_box(self) -> Box | None:
        """The box of the chosen operation."""
        return self.works.chosen_box

    def choose(self, row: int) -> None:
        """Chooses an operation by its row."""
        self.works.choose(row)

    def change_chosen(self, label: str, box: Box) -> None:
        """Gives the chosen operation another box."""
        self.works.change(self.works.chosen, label, box)

    def is_column(self, column: tuple[int, int]) -> bool:
        """Whether a column is in the world."""
        return all(0 <= v < self.n for v in column)

    def rectangle(self, start: tuple[int, int], end: tuple[int, int]) -> Rectangle:
        """The rectangle of two columns, inside the world."""
        x, y = (min(max(v, 0), self.n - 1) for v in end)
        return Rectangle(min(start[0], x), min(start[1], y), max(start[0], x), max(start[1], y))

    def row_at(self, event: PointerEvent) -> tuple[int, float]:
        """The row of the operation under the pointer (-1 for none), and the height of the place that was hit."""
        if event.view.scene.flat:
            x, y = (int(np.floor(v)) for v in event.point)
            return self.works.row_of((x, y, self.level)), 0.0
        if event.pick is None or (cell := cell_of(event.pick)) is None:
            return -1, 0.0
        beside = tuple(int(v + round(d)) for v, d in zip(cell, event.pick.normal, strict=True))
        row = self.works.row_of(cell)
        return (row if row >= 0 else self.works.row_of(beside)), event.pick.position[2]

    def handles(self, flat: bool) -> dict[int, tuple[float, float, float]]:
        """The handles of the chosen operation, two for each axis, at the middles of its faces; on the plan four."""
        box = self.chosen_box
        if box is None:
            return {}
        low, high = np.array(box.low, float), np.array(box.high, float) + 1
        places = {}
        for axis in range(2 if flat else 3):
            for upper, face in enumerate((low, high)):
                place = (low + high) / 2
                place[axis] = face[axis]
                places[2 * axis + upper] = tuple(place.tolist())
        return places

    def show_pending(
        self, boxes: Sequence[Box], reason: str = "", note: str = "", event: PointerEvent | None = None
    ) -> None:
        """Shows what a gesture would make, with its mirror images; with a reason it may not be made."""
        images = self._images(boxes)
        where, view = (event.pos, event.view) if event is not None else (None, None)
        self.pending = Pending(images, reason or self._fault(images), note, where, view)
        for shown in (self.view, self.plan):
            shown.set_ghost(ghost_of(images), self.pending.reason)
            shown.update()

    def place(self, label: str, boxes: Sequence[Box], reason: str = "") -> None:
        """Adds operations with their mirror images, if they can be made."""
        images = self._images(boxes)
        reason = reason or self._fault(images)
        if reason:
            self.message.emit(f"Nothing was placed: {reason}.")
        else:
            self.works.place(label, images)

    def _images(self, boxes: Sequence[Box]) -> list[Box]:
        return with_mirror_images(boxes, self.n, self.mirror_x, self.mirror_y)

    def _fault(self, boxes: Sequence[Box]) -> str:
        return next(filter(None, (box.fault(self.n) for box in boxes)), "")

    # Tools and looks ---------------------------------------------------------------------------------------------

    def use(self, tool: WorldTool) -> None:
        """Takes a tool, and goes to a level where it can do something."""
        self.current_tool = tool
        for view in (self.view, self.plan):
            view.set_tool(tool)
        if isinstance(tool, PresetTool):
            self.set_level(PRESET_LEVELS[tool.name])
        elif isinstance(tool, AreaTool):
            self.set_level(useful_level(self.feedback.rock, self.level, tool.rock))

    def set_level(self, level: int) -> None:
        """Works on another level."""
        self.level = min(DEPTH - 1, max(0, level))
        self.strip.show_level(self.level)
        self._look()

    def _look(self) -> None:
        self.looks.cut_above = self.level if self._cuts else None
        if self._framed is not None:
            self.view.set_scene(self.make_frame(self._framed, self.timeline.index))
        self.redraw()
        self.view.update()

    def set_cut(self, on: bool) -> None:
        """Cuts off what is above the level, or not."""
        self._cuts = on
        self._look()

    def set_glass(self, on: bool) -> None:
        """Makes the rock transparent, or not."""
        self.looks.glass = on
        self._look()

    def show_plan(self, on: bool) -> None:
        """Shows the level from above beside the world, or not."""
        self.plan.setVisible(on)
        self._show_numbers()

    # The world ---------------------------------------------------------------------------------------------------

    @property
    def feedback(self) -> Feedback:
        """Stability and capacity of the present answer; worked out once an answer, in a few milliseconds."""
        if self._feedback is None or self._feedback[0] != self.document.revision:
            boxes, _ = self.document.answer.within(self.n)
            self._feedback = self.document.revision, feedback(self.question, boxes)
        return self._feedback[1]

    def _world_scene(self) -> Scene:
        verdict = self.document.verdict if self.document.is_verdict_current else None
        key = (self.document.revision, id(verdict))
        if self._world is None or self._world[0] != key:
            self._world = key, self.task.scene(self.instance, self.document.answer, verdict)
        return self._world[1]

    def _water(self) -> tuple[Cells, Cells, str]:
        """The water that is shown, what stays dry though it could hold water, and the moment of both."""
        nothing = np.zeros_like(self.feedback.capacity)
        verdict = self.document.verdict
        if self._framed is not None and self._rainfall is not None:
            drops = int(self._framed.frames[self.timeline.index].time)
            return self._rainfall.water(drops), nothing, f"after {drops} drops"
        if self.document.is_verdict_current and verdict is not None and "bodies" in verdict.details:
            return water_of(verdict.details, self.n), dry_of(verdict.details, self.n), "after the rain"
        return self.feedback.capacity, nothing, "if all that can fills"

    def _numbers(self, water: Cells) -> Sequence[Meter]:
        return (
            self.feedback.meters
            if water is self.feedback.capacity
            else meters(self.question, self.feedback.rock, water)
        )

    def _extent_of(self, element: str) -> list[str]:
        """What has to be in view to see an element: of a body of water, its outermost voxels too."""
        kind, _, number = element.partition(" ")
        verdict = self.document.verdict
        if kind != "body" or verdict is None or "bodies" not in verdict.details:
            return [element]
        cells = from_flat(verdict.details["bodies"][int(number)]["cells"], self.n)
        outermost = cells[np.concatenate([cells.argmin(axis=0), cells.argmax(axis=0)])]
        return [element, *(f"water {x},{y},{z}" for x, y, z in outermost.tolist())]

    def _show_numbers(self, reset_view: bool = False) -> None:
        water, dry, moment = self._water()
        self.goals.show_numbers(self._numbers(water), moment)
        if self.plan.isVisibleTo(self) or reset_view:
            self.plan.set_scene(
                draw_level(self.question.terrain.rock(), self.feedback.rock, water, dry, self.level),
                reset_view=reset_view,
            )

    def _works_changed(self) -> None:
        self.operations.show_rows(self.works.rows, self.works.chosen, self.works.faults)
        self.view.update()
        self.plan.update()
        self.tell_status()

    # Own ---------------------------------------------------------------------------------------------------------

    def play_rain(self) -> None:
        """Lets it rain in another process, and plays it when it is known."""
        self._forget_rain()
        self._job = self.runner.run(
            "Letting it rain", rain, dict(self.instance.parameters), self.document.answer, done=self._rain_arrived
        )

    def _rain_arrived(self, rainfall: Rainfall) -> None:
        self._job = None
        scene = draw_rain(self.question, self.document.answer, RAIN_FRAMES, rainfall)
        if scene.frames:
            self._rainfall = rainfall
            self.play(scene)
        else:
            self.message.emit("No water stays: every drop leaves the world.")

    def _forget_rain(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.stop_playing()
        self._rainfall = None

    def _describe(self, pick: Pick) -> tuple[str, str]:
        cell = cell_of(pick)
        if self.pending.where is not None:
            return "", ""
        if cell is None:
            return pick.id, ""
        row = self.works.row_of(cell)
        number = sum(other.is_on for other in self.works.rows[:row])
        made = f" · operation {number}" if row >= 0 else ""
        return _NAMES.get(pick.item, pick.item.capitalize()), f"({', '.join(map(str, cell))}){made}"


_NAMES = {
    "dry": "Could hold water but stays dry", "capacity": "Could hold water", "fallen": "Rock that fell",
    "deep water": "Water", "ground": "Ground",
}  # fmt: skip


def cell_of(pick: Pick) -> Corner | None:
    """The voxel that was picked, or None."""
    try:
        x, y, z = (int(v) for v in pick.id.rpartition(" ")[2].split(","))
    except ValueError:
        return None
    return x, y, z


def _framed(goals: QWidget, strip: QWidget, views: QWidget) -> QWidget:
    whole, row = QWidget(), QHBoxLayout()
    row.setSpacing(0)
    row.addWidget(strip)
    row.addWidget(views, 1)
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(goals)
    column.addLayout(row, 1)
    return whole
