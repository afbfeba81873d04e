"""Packings by search: a random shaft, boxes from large to small at its corners, the best of many tries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Progress, silent

Ints = NDArray[np.int64]


def expanded(classes: Sequence[tuple[int, Sequence[int]]]) -> Ints:
    """The sides of every box, (n, 3), largest volume first; classes are (count, sides)."""
    rows = [list(sides) for count, sides in classes for _ in range(count)]
    return np.array(sorted(rows, key=lambda sides: -int(np.prod(sides))), np.int64).reshape(-1, 3)


def search(
    classes: Sequence[tuple[int, Sequence[int]]],
    rng: np.random.Generator,
    tries: int,
    progress: Progress = silent,
    best: tuple[Ints, Ints] | None = None,
) -> tuple[Ints, Ints]:
    """The packing with the smallest box around it that is found in a number of tries.

    Returns:
        Lowest and highest corners, (n, 3) each.
    """
    from spatial_workbench.engine.tasks.pack_prisms.kernels import pack

    sizes = expanded(classes)
    total = int(np.prod(sizes, axis=1).sum())
    sides = np.unique(sizes)
    low, high = best or stack(sizes)
    volume = enclosing_volume(low, high)
    for trial in range(tries):
        progress(trial, tries, f"packing; best so far {total / volume:.3f}")
        width, depth = _shaft(rng, sides, total)
        order = _shuffled(rng, sizes)
        give_up = -(-volume // (width * depth))
        new_low, new_high, height = pack(order, width, depth, give_up)
        if height > 0 and enclosing_volume(new_low, new_high) < volume:
            low, high = new_low, new_high
            volume = enclosing_volume(low, high)
    return low, high


def stack(sizes: Ints) -> tuple[Ints, Ints]:
    """All boxes in one pile: always possible, rarely good."""
    ordered = np.sort(sizes, axis=1)
    tops = np.cumsum(ordered[:, 0])
    low = np.stack([np.zeros_like(tops), np.zeros_like(tops), tops - ordered[:, 0]], axis=1)
    return low, low + ordered[:, [2, 1, 0]]


def enclosing_volume(low: Ints, high: Ints) -> int:
    """Volume of the box around a packing."""
    return int(np.prod([int(side) for side in high.max(axis=0) - low.min(axis=0)]))


def _shaft(rng: np.random.Generator, sides: Ints, total: int) -> tuple[int, int]:
    """A cross-section whose sides are sums of box sides, between a long stick and a flat slab."""
    middle = total ** (1 / 3)
    floor = int(sides[-1])

    def side() -> int:
        goal = middle * np.exp(rng.normal(0, 0.35))
        length = 0
        while length < goal:
            length += int(rng.choice(sides))
        return max(length, int(np.median(sides)))

    width, depth = side(), side()
    return (width, depth) if max(width, depth) >= floor or rng.random() < 0.5 else (width, floor)


def _shuffled(rng: np.random.Generator, sizes: Ints) -> Ints:
    """Large boxes first, with some disorder."""
    volume = np.prod(sizes, axis=1).astype(float)
    keys = volume * np.exp(rng.normal(0, rng.choice([0.0, 0.1, 0.3, 0.6]), len(sizes)))
    return sizes[np.argsort(-keys, kind="stable")]
