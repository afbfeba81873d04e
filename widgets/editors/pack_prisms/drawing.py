"""What the editor draws beside the packing: ghosts, gaps, and boxes pulled apart."""

from __future__ import annotations

from dataclasses import replace

from engine.core.scene import Boxes, Item
from engine.tasks.pack_prisms.drawing import boxes_item
from engine.tasks.pack_prisms.packing import Ints, Order, gaps

GAPS_SHOWN = 400


def draw_ghost(order: Order, low: Ints, high: Ints) -> Item:
    """Boxes that would lie between corners (n, 3)."""
    return replace(boxes_item(order, low, high), name="ghost", colors="accent", opacity=0.5)


def draw_gaps(low: Ints, high: Ints) -> Item:
    """The empty room inside the bounding box, as blocks."""
    first, last = (corners[:GAPS_SHOWN] for corners in gaps(low, high))
    ids = [f"gap {k}" for k in range(len(first))]
    sizes = (last - first).astype(float)
    return Boxes(name="gaps", ids=ids, centers=(first + last) / 2, sizes=sizes, colors="warning", opacity=0.35)


def pulled_apart(item: Item, share: float) -> Item:
    """Boxes so much farther from their middle; anything else as it is."""
    if not share or not isinstance(item, Boxes):
        return item
    middle = item.centers.mean(axis=0)
    return replace(item, centers=middle + (item.centers - middle) * (1 + share))
