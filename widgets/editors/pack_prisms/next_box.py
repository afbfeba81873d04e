"""The box that is placed next: its class, its orientation, how many copies, and where it may go."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.tasks.pack_prisms import MAX_BOXES
from spatial_workbench.engine.tasks.pack_prisms.editing import flush, laid_on, lattice, orientations
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints
from spatial_workbench.widgets.editing.controls import TypedNumbers
from spatial_workbench.widgets.editors.pack_prisms.boxes import PackedBoxes
from spatial_workbench.widgets.editors.pack_prisms.drawing import draw_ghost
from spatial_workbench.widgets.editors.pack_prisms.gestures import PackingPlaceTool
from spatial_workbench.widgets.editors.pack_prisms.tray import Tray
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView


class NextBox:
    """The box, or block of boxes, that a click places.

    say: shows why nothing was placed.
    changed: called when another class was chosen.
    """

    def __init__(
        self, boxes: PackedBoxes, view: SceneView, say: Callable[[str], object], changed: Callable[[], object]
    ) -> None:
        self.tray = Tray(boxes.order)
        self.copies = TypedNumbers((1, 1, 1), self._show_again)
        """How many boxes a block has along x, y and z."""
        self.tool = PackingPlaceTool(self)
        self._boxes = boxes
        self._view = view
        self._say = say
        self._changed = changed
        self._way = 0
        self.tray.chosen.connect(lambda _: self.begin_class())

    def begin_class(self) -> None:
        """Begins with the first orientation of the chosen class."""
        self._way = 0
        self._changed()

    def turn(self, by: int) -> None:
        """Chooses the next orientation (1) or the previous one (-1)."""
        self._way += by
        self._show_again()

    def _show_again(self) -> None:
        self.tool.again()

    @property
    def room(self) -> int:
        """How many more boxes of the chosen class may be placed: those left or, without judging, up to the limit."""
        if self._boxes.is_judged:
            return max(0, self._boxes.left[self.tray.current])
        return MAX_BOXES - len(self._boxes.corners[0])

    @property
    def box_size(self) -> tuple[int, int, int]:
        """The sides of the next box in its orientation."""
        ways = orientations(self._boxes.order.classes[self.tray.current].sides)
        return ways[self._way % len(ways)]

    def corner_at(self, event: PointerEvent) -> Ints | None:
        """The lowest corner of the block that a click would place."""
        block = np.array(self.box_size, np.int64) * np.array([round(count) for count in self.copies.values], np.int64)
        pick = event.pick
        if pick is not None and pick.id.startswith("box "):
            i = int(pick.id.split()[1])
            low, high = self._boxes.corners
            corner = laid_on(np.array(pick.position), np.array(pick.normal), block, low[i], high[i])
            loose = (corner != low[i]) & (corner != high[i] - block) & (np.abs(pick.normal) < 0.5)
            return flush(corner, block, np.flatnonzero(loose).tolist(), self._boxes.target, low, high)
        point = event.on_plane(0.0)
        if point is None:
            return None
        corner = np.round(np.array(point) - block / 2).astype(np.int64)
        return flush(corner * np.array([1, 1, 0]), block, (0, 1), self._boxes.target, *self._boxes.corners)

    def place_block(self, corner: Ints) -> None:
        """Places the block, or says why not."""
        why = self._refusal(corner)
        if why:
            self._say(f"Nothing was placed: {why}.")
            return
        new_low, new_high = self._block(corner)
        low, high = self._boxes.corners
        words = f"Place {len(new_low)} boxes" if len(new_low) > 1 else "Place box"
        self._boxes.replace_packing(words, np.vstack([low, new_low]), np.vstack([high, new_high]))

    def place_beside(self) -> None:
        """Places the next box where there is room for sure, beyond the others along x, and selects it."""
        low, high = self._boxes.corners
        self.place_block(np.array([high[:, 0].max() if len(high) else 0, 0, 0], np.int64))
        added = range(len(low), len(self._boxes.corners[0]))
        if added:
            self._boxes.selection.select(added)

    def _block(self, corner: Ints) -> tuple[Ints, Ints]:
        return lattice(corner, self.box_size, [round(count) for count in self.copies.values], self.room)

    def _refusal(self, corner: Ints) -> str:
        if not self.room:
            return self._full()
        return "it would overlap" if self._boxes.overlaps(*self._block(corner), *self._boxes.corners) else ""

    def _full(self) -> str:
        if self._boxes.is_judged:
            return f"all boxes of {self._boxes.order.classes[self.tray.current]} are placed"
        return f"an answer may have at most {MAX_BOXES} boxes"

    def show_ghost(self, corner: Ints | None) -> None:
        """Shows the block that a click would place."""
        if corner is None:
            self._view.set_ghost([])
            return
        low, high = self._block(corner)
        if not len(low):
            low, high = lattice(corner, self.box_size, (1, 1, 1), 1)
        self._view.set_ghost([draw_ghost(self._boxes.order, low, high)], self._refusal(corner))

    def step_class(self, by: int) -> None:
        """Chooses the next class (1) or the previous one (-1)."""
        self.tray.choose(self.tray.current + by)
        self.begin_class()

    def place_in(self, k: int, way: tuple[int, int, int], corner: Ints) -> None:
        """Places a box of a class, at the lowest corner of a space."""
        self.tray.choose(k)
        self._way = orientations(self._boxes.order.classes[k].sides).index(way)
        low, high = self._boxes.corners
        self._boxes.replace_packing("Place box", np.vstack([low, corner]), np.vstack([high, corner + np.array(way)]))
