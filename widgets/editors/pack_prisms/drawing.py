"""What the editor draws besides the packing: ghosts, gaps, and the exploded view."""

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


def pulled_apart(item: Item, share: float) -> Item:
    """Boxes moved away from their middle by a share of their distance; other items as they are."""
    if not share or not isinstance(item, Boxes):
        return item
    middle = item.centers.mean(axis=0)
    return replace(item, centers=middle + (item.centers - middle) * (1 + share))
