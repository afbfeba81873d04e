"""What a gesture would make now, before it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF

from engine.core.scene import Boxes, Item
from engine.core.words import counted
from engine.tasks.fluid_simulation import Box
from widgets.view import SceneView

GHOST_SWELL = 0.06
"""How much larger a ghost is than its box, so that it is seen on the face of what it replaces."""


@dataclass(frozen=True)
class Pending:
    """What a gesture would make now."""

    boxes: list[Box] = field(default_factory=list)
    reason: str = ""
    note: str = ""
    where: QPointF | None = None
    view: SceneView | None = None

    def words(self) -> str:
        """Its size: "6 × 6 × 2", or how many boxes."""
        if len(self.boxes) > 1:
            return counted(len(self.boxes), "box", "boxes")
        (low, high, _), *_ = self.boxes
        return " × ".join(str(b - a + 1) for a, b in zip(low, high, strict=True))


def ghost_of(boxes: Sequence[Box]) -> list[Item]:
    """What the views show of boxes that are to be made."""
    if not boxes:
        return []
    low = np.array([box.low for box in boxes], float)
    size = np.array([box.high for box in boxes], float) + 1 - low
    names = [f"ghost {i}" for i in range(len(boxes))]
    return [Boxes(name="ghost", ids=names, centers=low + size / 2, sizes=size + GHOST_SWELL)]
