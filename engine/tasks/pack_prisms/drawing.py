"""Packings as scenes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Floats, Frame, Ground, Item, Polyline, Scene
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints, PackingOrder

COLORS = ("series 0", "series 1", "series 2", "series 3", "series 4", "series 5", "series 6", "neutral", "rock", "soil")
"""Colours of the sizes, in the order of the classes."""
UNKNOWN = "failed"
JOINING_PERCENT = range(100, -1, -2)
"""How far apart boxes are that come together, in each frame."""
_EDGES = ((0, 1), (1, 3), (3, 2), (2, 0), (4, 5), (5, 7), (7, 6), (6, 4), (0, 4), (1, 5), (2, 6), (3, 7))


def draw_packing(order: PackingOrder, low: Ints, high: Ints) -> Scene:
    """The boxes, coloured by size, in the box around them; a box of a wrong size is red."""
    items: list[Item] = []
    size = max(2.0, order.volume ** (1 / 3))
    items.append(_origin(size / 4))
    extent = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]) * size
    if len(low):
        items.append(boxes_item(order, low, high))
        extent = np.array([low.min(axis=0), high.max(axis=0)], float)
        items += frame_of(extent, "bounding box", "accent")
    span = float((extent[1] - extent[0]).max())
    return Scene(items=tuple(items), ground=_ground(extent, span), bounds=(extent[0].tolist(), extent[1].tolist()))


def draw_joining(order: PackingOrder, low: Ints, high: Ints) -> Scene:
    """The packing with frames in which its boxes come together; without frames if there are fewer than two."""
    whole = draw_packing(order, low, high)
    if len(low) < 2:
        return whole
    frames = [Frame(k, [pulled_apart(item, k / 100) for item in whole.items]) for k in JOINING_PERCENT]
    return replace(whole, items=tuple(frames[0].items), bounds=None, frames=tuple(frames), frame_unit=marked("% apart"))


def pulled_apart(item: Item, share: float) -> Item:
    """Boxes moved away from their middle by a share of their distance; other items as they are."""
    if not share or not isinstance(item, Boxes):
        return item
    middle = item.centers.mean(axis=0)
    return replace(item, centers=middle + (item.centers - middle) * (1 + share))


def boxes_item(order: PackingOrder, low: Ints, high: Ints, colors: Sequence[str] | None = None) -> Boxes:
    """All boxes as one item; box i has the id "box i"."""
    return Boxes(
        name="boxes",
        ids=[f"box {i}" for i in range(len(low))],
        centers=(low + high) / 2,
        sizes=np.maximum(high - low, 0).astype(float),
        colors=list(colors or colors_of(order, low, high)),
    )


def colors_of(order: PackingOrder, low: Ints, high: Ints) -> list[str]:
    """The colour of each box by its size."""
    known = {tuple(sorted(box_class.sides)): COLORS[k % len(COLORS)] for k, box_class in enumerate(order.classes)}
    return [known.get(tuple(sorted(row)), UNKNOWN) for row in (high - low).tolist()]


def frame_of(extent: Floats, name: str, color: str, dashed: bool = False) -> list[Item]:
    """The twelve edges of a box (2, 3)."""
    corners = np.array([[x, y, z] for x in extent[:, 0] for y in extent[:, 1] for z in extent[:, 2]])
    return [
        Polyline(id=f"{name} {k}", points=corners[list(pair)], color=color, width_px=1.5, dashed=dashed, pickable=False)
        for k, pair in enumerate(_EDGES)
    ]


def _origin(length: float) -> Polyline:
    """A corner on the ground that says where the origin is."""
    points = np.array([[length, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, length, 0.0]])
    return Polyline(id="origin", points=points, color="accent", width_px=2.5, pickable=False)


def _ground(extent: Floats, size: float) -> Ground:
    pitch = 10.0 ** np.floor(np.log10(max(size, 1.0)) - 0.3)
    margin = 2 * pitch
    (x0, y0, z0), (x1, y1, _) = extent
    low = [np.floor((v - margin) / pitch) * pitch for v in (x0, y0)]
    high = [np.ceil((v + margin) / pitch) * pitch for v in (x1, y1)]
    return Ground(
        pitch=float(pitch), extent=(float(low[0]), float(low[1]), float(high[0]), float(high[1])), z=float(z0)
    )
