"""Compiled loops of the container search. Import inside functions only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.geometry.compiled import compiled, entry

Ints = NDArray[np.int64]


@compiled
def first_blocker(low: Ints, high: Ints, n: int, x: int, y: int, z: int, a: int, b: int, c: int) -> int:
    """The first of n boxes that a box a x b x c at (x, y, z) overlaps, or -1."""
    for i in range(n):
        across = x < high[i, 0] and low[i, 0] < x + a and y < high[i, 1] and low[i, 1] < y + b
        if across and z < high[i, 2] and low[i, 2] < z + c:
            return i
    return -1


@compiled
def settled(low: Ints, high: Ints, n: int, place: Ints, size: Ints, axis: int) -> int:
    """The coordinate to which a box slides down along an axis: the top of the first box in its way, or 0."""
    reached = 0
    u, v = (axis + 1) % 3, (axis + 2) % 3
    for i in range(n):
        if (
            high[i, axis] <= place[axis]
            and place[u] < high[i, u]
            and low[i, u] < place[u] + size[u]
            and place[v] < high[i, v]
            and low[i, v] < place[v] + size[v]
        ):
            reached = max(reached, high[i, axis])
    return reached


@entry("int64[2]", "int64", "int64", "int64")
def pack(sizes: Ints, width: int, depth: int, give_up: int) -> tuple[Ints, Ints, int]:
    """Places boxes in their order into a shaft of width x depth: always where the top is lowest, at a corner.

    Args:
        sizes: (n, 3) sides in falling order of volume.
        give_up: A height at which the packing is not worth going on.

    Returns:
        Lowest corners (n, 3), highest corners (n, 3), and the height; -1 where a box did not fit.
    """
    n = len(sizes)
    low, high = np.zeros((n, 3), np.int64), np.zeros((n, 3), np.int64)
    corners = np.zeros((6 * n + 1, 3), np.int64)
    count = 1
    top = 0
    size = np.zeros(3, np.int64)
    best_size = np.zeros(3, np.int64)
    place = np.zeros(3, np.int64)
    best_place = np.zeros(3, np.int64)
    for k in range(n):
        best = 1 << 60
        for turn in range(6):
            first = turn // 2
            second = (first + 1 + turn % 2) % 3
            size[0] = sizes[k, first]
            size[1] = sizes[k, second]
            size[2] = sizes[k, 3 - first - second]
            if size[0] > width or size[1] > depth:
                continue
            for j in range(count):
                x, y, z = corners[j, 0], corners[j, 1], corners[j, 2]
                if x + size[0] > width or y + size[1] > depth:
                    continue
                cost = ((z + size[2]) * 4096 + z) * 4096 * 4096 + x * 4096 + y
                if cost >= best:
                    continue
                if first_blocker(low, high, k, x, y, z, size[0], size[1], size[2]) >= 0:
                    continue
                best = cost
                best_size[:] = size
                best_place[0] = x
                best_place[1] = y
                best_place[2] = z
        if best == 1 << 60:
            return low, high, -1
        place[:] = best_place
        for axis in (2, 1, 0, 2):
            place[axis] = settled(low, high, k, place, best_size, axis)
        low[k] = place
        high[k] = place + best_size
        top = max(top, high[k, 2])
        if top >= give_up:
            return low, high, -1
        for axis in range(3):
            corners[count] = low[k]
            corners[count, axis] = high[k, axis]
            place[:] = corners[count]
            count += 1
            other = (axis + 1) % 3
            place[other] = settled(low, high, k + 1, place, np.ones(3, np.int64), other)
            corners[count] = place
            count += 1
    return low, high, top
