"""The context of the gestures: the world and its operations, the current level, the options, and the ghost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF

from spatial_workbench.engine.core.scene import Boxes, Item
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.fluid_simulation import Earthworks, FluidBox
from spatial_workbench.engine.tasks.fluid_simulation.editing import FluidFeedback, FluidRectangle, feedback, undisturbed
from spatial_workbench.engine.tasks.fluid_simulation.judging import FluidQuestion
from spatial_workbench.engine.tasks.fluid_simulation.shaping import with_mirror_images
from spatial_workbench.engine.tasks.fluid_simulation.world import GROUND, Corner
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors.fluid_simulation.operation_list import OperationList
from spatial_workbench.widgets.scene_views.view import Pick, PointerEvent, SceneView

Column = tuple[int, int]
GHOST_SWELL = 0.06
"""How much larger a ghost is than its box, so that it is visible on the faces of a replaced box."""


@dataclass(frozen=True)
class Pending:
    """The result of the current gesture; `reason` says why it is not possible."""

    boxes: Sequence[FluidBox] = ()
    reason: str = ""
    note: str = ""
    where: QPointF | None = None
    view: SceneView | None = None

    def words(self) -> str:
        """Its size, such as "6 × 6 × 2", or the number of boxes."""
        if len(self.boxes) > 1:
            return counted(len(self.boxes), "box", "boxes")
        (low, high, _), *_ = self.boxes
        return " × ".join(str(b - a + 1) for a, b in zip(low, high, strict=True))


class Worksite:
    """A world in which boxes are dug and built.

    say: shows why something cannot be made.
    is_judged: whether unsupported rock falls, and boxes that leave the world are refused.
    """

    def __init__(
        self, document: AnswerDocument[Earthworks], say: Callable[[str], object], is_judged: bool, measures: bool
    ) -> None:
        self.question = FluidQuestion.of(document.instance.parameters)
        self.n = self.question.terrain.n
        self.operation_list = OperationList(document, self.n)
        self.level = GROUND - 1
        self.pending = Pending()
        self.measures = measures
        """Whether sizes are shown."""
        self.box_height = Setting(0.0)
        """Height of a new box in levels; 0: chosen by dragging."""
        self.brush_width = Setting(1.0)
        self.paints_rock = Setting(False)
        self.mirrors = [Setting(False), Setting(False)]
        """Whether everything is also placed mirrored in x, and in y."""
        self._document = document
        self._say = say
        self._is_judged = is_judged
        self._views: tuple[SceneView, ...] = ()
        self._feedback: tuple[int, FluidFeedback] | None = None

    def show_in(self, *views: SceneView) -> None:
        """Sets the views in which pending boxes are shown."""
        self._views = views

    @property
    def feedback(self) -> FluidFeedback:
        """What the current answer results in; computed once per answer, in a few milliseconds."""
        if self._feedback is None or self._feedback[0] != self._document.revision:
            boxes, _ = self._document.answer.within(self.n)
            judge = feedback if self._is_judged else undisturbed
            self._feedback = self._document.revision, judge(self.question, boxes)
        return self._feedback[1]

    def is_column(self, column: Column) -> bool:
        """Whether a column is in the world."""
        return all(0 <= v < self.n for v in column)

    def rectangle(self, start: Column, end: Column) -> FluidRectangle:
        """The rectangle between two columns, clamped to the world."""
        x, y = (min(max(v, 0), self.n - 1) for v in end)
        return FluidRectangle(min(start[0], x), min(start[1], y), max(start[0], x), max(start[1], y))

    def row_at(self, event: PointerEvent) -> tuple[int, float]:
        """The row of the operation under the pointer (-1 for none), and the height at which it was hit."""
        if event.view.scene.flat:
            x, y = (int(np.floor(v)) for v in event.point)
            return self.operation_list.row_of((x, y, self.level)), 0.0
        if event.pick is None or (cell := cell_of(event.pick)) is None:
            return -1, 0.0
        x, y, z = (int(v + round(d)) for v, d in zip(cell, event.pick.normal, strict=True))
        row = self.operation_list.row_of(cell)
        return (row if row >= 0 else self.operation_list.row_of((x, y, z))), event.pick.position[2]

    def handles(self, flat: bool) -> dict[int, tuple[float, float, float]]:
        """The handles of the chosen operation, at the middles of its six faces; only four on the plan."""
        box = self.operation_list.chosen_box
        if box is None:
            return {}
        low = np.array(box.low, float)
        high = np.array(box.high, float) + 1
        places = {}
        for axis in range(2 if flat else 3):
            for upper, face in enumerate((low, high)):
                x, y, z = np.where(np.arange(3) == axis, face, (low + high) / 2).tolist()
                places[2 * axis + upper] = (x, y, z)
        return places

    def show_pending(
        self, boxes: Sequence[FluidBox], reason: str = "", note: str = "", event: PointerEvent | None = None
    ) -> None:
        """Shows what a gesture would make, with its mirror images; `reason` says why it is not possible."""
        images = self._images(boxes)
        where, view = (event.pos, event.view) if event is not None else (None, None)
        self.pending = Pending(images, reason or self._fault(images), note, where, view)
        for shown in self._views:
            shown.set_ghost(ghost_of(images), self.pending.reason)
            shown.update()

    def place_boxes(self, label: str, boxes: Sequence[FluidBox], reason: str = "") -> None:
        """Adds operations with their mirror images, or says why they cannot be made."""
        images = self._images(boxes)
        reason = reason or self._fault(images)
        if reason:
            self._say(f"Nothing was placed: {reason}.")
        else:
            self.operation_list.add_boxes(label, images)

    def _images(self, boxes: Sequence[FluidBox]) -> list[FluidBox]:
        return with_mirror_images(boxes, self.n, *(mirror.value for mirror in self.mirrors))

    def _fault(self, boxes: Sequence[FluidBox]) -> str:
        return next(filter(None, (box.fault(self.n) for box in boxes)), "") if self._is_judged else ""


def cell_of(pick: Pick) -> Corner | None:
    """The voxel that was picked, or None."""
    try:
        x, y, z = (int(v) for v in pick.id.rpartition(" ")[2].split(","))
    except ValueError:
        return None
    return x, y, z


def ghost_of(boxes: Sequence[FluidBox]) -> list[Item]:
    """The ghosts of boxes."""
    if not boxes:
        return []
    low = np.array([box.low for box in boxes], float)
    size = np.array([box.high for box in boxes], float) + 1 - low
    names = [f"ghost {i}" for i in range(len(boxes))]
    return [Boxes(name="ghost", ids=names, centers=low + size / 2, sizes=size + GHOST_SWELL)]
