"""Commands of buttons and keys on the selected boxes: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.tasks.pack_prisms.editing import drop, mirrored, shifted_to_origin, turned
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints
from spatial_workbench.widgets.editing.nudging import Way
from spatial_workbench.widgets.editors.pack_prisms.boxes import PackedBoxes


class PackingCommands:
    """The commands; `say` shows why one is not done."""

    def __init__(self, boxes: PackedBoxes, say: Callable[[str], object]) -> None:
        self._boxes = boxes
        self._say = say

    def paste(self, label: str, new_low: Ints, new_high: Ints) -> None:
        """Adds boxes where they are or, if there are others, beside them along x."""
        low, high = self._boxes.corners
        if not len(new_low):
            return
        if why := self._boxes.refusal_of_copies(new_low, new_high):
            self._say(why)
            return
        step = np.array([high[:, 0].max() - new_low[:, 0].min() if len(low) else 0, 0, 0], np.int64)
        self._boxes.replace_packing(label, np.vstack([low, new_low + step]), np.vstack([high, new_high + step]))
        self._boxes.selection.select(range(len(low), len(low) + len(new_low)))

    def nudge(self, way: Way, length: float) -> None:
        """Moves the selection by a key."""
        self.move_boxes(np.array(way) * int(length), merges=True)

    def move_boxes(self, step: Ints, merges: bool = False) -> None:
        """Moves the selected boxes."""
        if self._boxes.selected and step.any():
            low, high = (corners.copy() for corners in self._boxes.corners)
            low[self._boxes.selected] += step
            high[self._boxes.selected] += step
            self._replace_selected("Move boxes", low, high, f"move {self._boxes.selected}" if merges else "")

    def drop_boxes(self, axis: int) -> None:
        """Moves the selection towards the low end of an axis until it meets something."""
        if self._boxes.selected:
            low, high = self._boxes.corners
            fall = drop(low, high, self._boxes.selected, axis)
            self.move_boxes(-fall * np.eye(3, dtype=np.int64)[axis])

    def turn_boxes(self, axis: int) -> None:
        """Turns the selection about an axis."""
        self._transform("Turn boxes" if axis == 2 else "Tip boxes", lambda low, high: turned(low, high, axis))

    def mirror(self, axis: int) -> None:
        """Mirrors the selection in place."""
        self._transform("Mirror boxes", lambda low, high: mirrored(low, high, axis))

    def _transform(self, label: str, change: Callable[[Ints, Ints], tuple[Ints, Ints]]) -> None:
        if self._boxes.selected:
            low, high = (corners.copy() for corners in self._boxes.corners)
            low[self._boxes.selected], high[self._boxes.selected] = change(
                low[self._boxes.selected], high[self._boxes.selected]
            )
            self._replace_selected(label, low, high)

    def duplicate(self) -> None:
        """Copies the selection beside itself, if the tray has enough boxes."""
        chosen = self._boxes.selected
        if not chosen:
            return
        low, high = self._boxes.corners
        if why := self._boxes.refusal_of_copies(low[chosen], high[chosen]):
            self._say(why)
            return
        step = np.array([high[chosen, 0].max() - low[chosen, 0].min(), 0, 0])
        new_low, new_high = low[chosen] + step, high[chosen] + step
        if self._boxes.overlaps(new_low, new_high, low, high):
            self._say("A copy would overlap. Make room along x first.")
            return
        count = len(low)
        self._boxes.replace_packing("Copy boxes", np.vstack([low, new_low]), np.vstack([high, new_high]))
        self._boxes.selection.select(range(count, count + len(chosen)))

    def remove(self) -> None:
        """Puts the selection back into the tray."""
        chosen = self._boxes.selected
        if chosen:
            low, high = self._boxes.corners
            self._boxes.selection.select(())
            self._boxes.replace_packing("Delete boxes", np.delete(low, chosen, axis=0), np.delete(high, chosen, axis=0))

    def to_origin(self) -> None:
        """Moves everything so that the lowest corner is the origin."""
        low, high = shifted_to_origin(*self._boxes.corners)
        self._boxes.replace_packing("Move to the origin", low, high)

    def _replace_selected(self, label: str, low: Ints, high: Ints, merge: str = "") -> None:
        """Applies a change of the selection, unless it would overlap other boxes."""
        chosen = self._boxes.selected
        rest = np.setdiff1d(np.arange(len(low)), chosen)
        if self._boxes.overlaps(low[chosen], high[chosen], low[rest], high[rest]):
            self._say("That would overlap. Switch on Allow overlaps to do it anyway.")
            return
        self._boxes.replace_packing(label, low, high, merge)
