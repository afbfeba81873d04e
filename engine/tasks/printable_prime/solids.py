"""The stack as boxes in space: for drawing, for the balance, and to check the stacking rules by geometry.

Lengths in mm, z up from the build plate. A digit's bars overhang their corners by half a bar, so half a square
millimetre may stay uncovered where bars meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.printable_prime.digits import (
    CENTERS,
    DigitPlaced,
    Orientation,
    layer_tenths,
    segments,
)

UNCOVERED_MM2 = 0.6
HANGING_MM = 0.5
BAR_MM, THICKNESS_MM = 10.0, 1.0


@cache
def bars(placed: DigitPlaced) -> Floats:
    """The bars of a digit by itself, (n, 2, 3): lowest and highest corners; it stands on z = 0."""
    upright = DigitPlaced(placed.digit, Orientation.FLAT if not placed.orientation.is_flat else placed.orientation)
    boxes = np.array([_flat_bar(letter) for letter in sorted(segments(upright))])
    x, y, z = np.moveaxis(boxes, -1, 0)
    if placed.orientation is Orientation.HEAD:
        boxes = _sorted_corners(np.stack([x, z - THICKNESS_MM / 2, -y], axis=-1))
    elif placed.orientation is Orientation.SIDE:
        boxes = _sorted_corners(np.stack([z - THICKNESS_MM / 2, y, -x], axis=-1))
    boxes[..., 2] -= boxes[:, 0, 2].min()
    return boxes


def _flat_bar(letter: str) -> list[list[float]]:
    x, y = CENTERS[letter]
    half = (BAR_MM / 2, THICKNESS_MM / 2) if letter in "AGD" else (THICKNESS_MM / 2, BAR_MM / 2)
    return [[x - half[0], y - half[1], 0.0], [x + half[0], y + half[1], THICKNESS_MM]]


def _sorted_corners(ends: Floats) -> Floats:
    return np.stack([ends.min(axis=1), ends.max(axis=1)], axis=1)


def stack_solids(stack: Sequence[DigitPlaced], gap_mm: float = 0.0) -> list[Floats]:
    """The bars of every digit where they are printed, standing digits shifted to the bar that carries them.

    `gap_mm` pulls the layers apart, for looking at them.
    """
    solids: list[Floats] = []
    z = 0.0
    shift = np.zeros(2)
    for k, placed in enumerate(stack):
        own = bars(placed)
        shift = np.zeros(2) if k == 0 or placed.orientation.is_flat else shift + _shift(bars(stack[k - 1]), own)[0]
        solids.append(own + np.array([*shift, z]))
        z += layer_tenths(placed) / 10 + gap_mm
    return solids


def uncovered_mm2(lower: DigitPlaced, upper: DigitPlaced) -> float:
    """Area of the upper digit's lowest layer that rests on nothing, at the best place for a standing one."""
    below, above = bars(lower), bars(upper)
    if upper.orientation.is_flat:
        carried_at_side = lower.orientation is Orientation.SIDE
        offset = [_long_side(upper), 0.0] if carried_at_side else [0.0, 0.0]
        return _uncovered(below + np.array([*offset, 0.0]), above)
    return _shift(below, above)[1]


def hanging_mm(placed: DigitPlaced) -> float:
    """The longest piece of a bar that hangs free when the digit is printed by itself."""
    own = bars(placed)
    longest = 0.0
    for low, high in own:
        sides = (high - low)[:2]
        if low[2] < 1e-9 or sides.max() <= THICKNESS_MM:
            continue
        along = int(np.argmax(sides))
        below = [b for b in own if abs(b[1, 2] - low[2]) <= THICKNESS_MM and b[1, 2] < high[2]]
        carried = [(b[0, along], b[1, along]) for b in below]
        longest = max(longest, _free_length(low[along], high[along], carried))
    return longest


def balance_mm(stack: Sequence[DigitPlaced]) -> float:
    """How far the centre of gravity lies inside the outline of the lowest digit; negative outside."""
    from shapely import MultiPoint, Point

    solids = stack_solids(stack)
    boxes = np.concatenate(solids)
    volumes = np.prod(boxes[:, 1] - boxes[:, 0], axis=1)
    center = Point(np.average(boxes.mean(axis=1)[:, :2], axis=0, weights=volumes))
    first = solids[0][solids[0][:, 0, 2] < 1e-9]
    hull = MultiPoint([(x, y) for low, high in first for x in (low[0], high[0]) for y in (low[1], high[1])]).convex_hull
    distance = float(hull.exterior.distance(center))
    return distance if hull.contains(center) else -distance


def _long_side(upper: DigitPlaced) -> float:
    """The x of the long side on which a flat digit may rest alone."""
    return 5.0 if "B" in segments(upper) else -5.0


def _free_length(low: float, high: float, carried: list[tuple[float, float]]) -> float:
    free = 0.0
    reached = low
    for start, end in sorted(carried):
        free = max(free, start - reached)
        reached = max(reached, end)
    return max(free, high - reached)


def _shift(below: Floats, above: Floats) -> tuple[Floats, float]:
    """Where a standing digit finds the most to stand on: the shift (2,), and the area that stays uncovered."""
    tops = _top(below)
    centers = tops.mean(axis=1)[:, :2]
    places = [*centers, *((a + b) / 2 for i, a in enumerate(centers) for b in centers[i + 1 :])]
    base = _base(above)
    own = (base[:, 0].min(axis=0)[:2] + base[:, 1].max(axis=0)[:2]) / 2
    options = [(_uncovered(below, above + np.append(place - own, 0.0)), k) for k, place in enumerate(places)]
    area, best = min(options)
    return places[best] - own, area


def _uncovered(below: Floats, above: Floats) -> float:
    from shapely import box, union_all

    def plan(boxes: Floats) -> Any:
        return union_all(box(*boxes[:, 0, :2].T, *boxes[:, 1, :2].T))

    return float(plan(_base(above)).difference(plan(_top(below))).area)


def _base(boxes: Floats) -> Floats:
    return np.asarray(boxes[boxes[:, 0, 2] < boxes[:, 0, 2].min() + 0.1])


def _top(boxes: Floats) -> Floats:
    return np.asarray(boxes[boxes[:, 1, 2] > boxes[:, 1, 2].max() - 0.1])
