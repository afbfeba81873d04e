"""What the editor draws besides the packing: ghosts and gaps."""

from __future__ import annotations

from dataclasses import replace

from spatial_workbench.engine.core.scene import Boxes, Item
from spatial_workbench.engine.tasks.pack_prisms.drawing import boxes_item
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints, PackingOrder, gaps

GAPS_SHOWN = 400


def draw_ghost(order: PackingOrder, low: Ints, high: Ints) -> Item:
    """The ghosts of boxes with lowest and highest corners (n, 3)."""
    return replace(boxes_item(order, low, high), name="ghost", colors="accent", opacity=0.5)


def draw_gaps(low: Ints, high: Ints) -> Item:
    """The empty space inside the bounding box, as blocks."""
    first, last = (corners[:GAPS_SHOWN] for corners in gaps(low, high))
    ids = [f"gap {k}" for k in range(len(first))]
    sizes = (last - first).astype(float)
    return Boxes(name="gaps", ids=ids, centers=(first + last) / 2, sizes=sizes, colors="warning", opacity=0.35)
