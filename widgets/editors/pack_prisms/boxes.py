"""The boxes that are placed: their corners, those left in the tray, and the container to aim at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.tasks.pack_prisms import MAX_BOXES, Packing
from spatial_workbench.engine.tasks.pack_prisms.editing import collides
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints, PackingOrder, bounding_box, gaps, size_key
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import Pick, SceneView


class PackedBoxes:
    """The packing of a document, and which of its boxes are selected in a view.

    changed: called when overlaps are allowed or refused.
    is_judged: whether what breaks a rule of the task is refused.
    """

    def __init__(
        self, document: AnswerDocument[Packing], view: SceneView, changed: Callable[[], object], is_judged: bool
    ) -> None:
        self.order = PackingOrder.of(document.instance.parameters)
        self.selection = NumberedSelection(view, "box", lambda: len(document.answer.boxes))
        self.is_judged = is_judged
        self.target = np.zeros(3, np.int64)
        """The sides of the container to aim at; zeros for none."""
        self.allows_overlaps = Setting(False, changed)
        self._document = document
        self._read: Packing | None = None

    @property
    def selected(self) -> list[int]:
        """The selected boxes, in the answer's order."""
        return self.selection.numbers

    @property
    def corners(self) -> tuple[Ints, Ints]:
        """Lowest and highest corners, (n, 3) each."""
        if self._read is not self._document.answer:
            self._read = self._document.answer
            self._corners = self._read.corners
        return self._corners

    @property
    def left(self) -> list[int]:
        """How many boxes of each class are still in the tray."""
        given = Counter(self.order.class_of(key) for key in size_key(*self.corners))
        return [box_class.count - given[k] for k, box_class in enumerate(self.order.classes)]

    def overlaps(self, low: Ints, high: Ints, others_low: Ints, others_high: Ints) -> bool:
        """Whether boxes are refused because they would overlap others."""
        refuses = self.is_judged and not self.allows_overlaps.value
        return refuses and collides(low, high, others_low, others_high)

    def refusal_of_copies(self, low: Ints, high: Ints) -> str:
        """Why boxes may not be added; "" if they may."""
        if len(low) + len(self._document.answer.boxes) > MAX_BOXES:
            return f"An answer may have at most {MAX_BOXES} boxes."
        taken = Counter(self.order.class_of(key) for key in size_key(low, high))
        lacks = any(self.left[k] < count for k, count in taken.items() if k is not None)
        return "The tray has not enough boxes left for a copy." if lacks and self.is_judged else ""

    def extent_to_fill(self) -> tuple[Ints, Ints] | None:
        """The container or, without one, the box around the packing; None while there is neither."""
        low, high = self.corners
        if self.target.any():
            return np.zeros(3, np.int64), np.where(self.target > 0, self.target, self.order.volume)
        if not len(low):
            return None
        first, last, _ = bounding_box(low, high)
        return np.array(first, np.int64), np.array(last, np.int64)

    def replace_packing(self, label: str, low: Ints, high: Ints, merge: str = "") -> None:
        """Replaces the packing, as one step of the history."""
        self._document.edit(label, Packing.of(low, high), merge)

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a box or a gap."""
        name, _, number = pick.id.partition(" ")
        low, high = self.corners
        if name == "box" and int(number) < len(low):
            sides = "×".join(map(str, high[int(number)] - low[int(number)]))
            return f"Box {number}", f"{sides} at {', '.join(map(str, low[int(number)]))}"
        if name == "gap":
            first, last = gaps(low, high)
            room = last[int(number)] - first[int(number)]
            return "×".join(map(str, room)), ""
        return pick.id, ""
