"""A packing in numbers: the required boxes, and measurements of placed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Triple = tuple[int, int, int]


@dataclass(frozen=True)
class BoxClass:
    """A number of boxes of one size."""

    count: int
    sides: Triple

    def __str__(self) -> str:
        return "×".join(map(str, self.sides))


@dataclass(frozen=True)
class PackingOrder:
    """The boxes to be packed.

    Attributes:
        classes: The sizes and their counts.
        perfect: Whether a packing without gaps is known to exist.
        best: The best known efficiency; 0: it is not told.
    """

    classes: tuple[BoxClass, ...]
    perfect: bool
    best: float

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> PackingOrder:
        """The order of an instance."""
        classes = tuple(BoxClass(count, tuple(sides)) for count, sides in parameters["classes"])
        return cls(classes, parameters["perfect"], parameters.get("best", 0.0))

    @cached_property
    def needed(self) -> Counter[Triple]:
        """How many boxes of each size, sides in rising order."""
        needed: Counter[Triple] = Counter()
        for box_class in self.classes:
            needed[_sorted(box_class.sides)] += box_class.count
        return needed

    @property
    def boxes(self) -> int:
        """How many boxes there are."""
        return sum(box_class.count for box_class in self.classes)

    @property
    def volume(self) -> int:
        """Their total volume."""
        return sum(box_class.count * prod(box_class.sides) for box_class in self.classes)

    def score(self, efficiency: float) -> float:
        """The score of an efficiency: the efficiency itself if perfection is possible; else 0.95 is full marks."""
        return efficiency if self.perfect else min(1.0, efficiency / 0.95)

    def class_of(self, sides: Sequence[int]) -> int | None:
        """The class that a box of these sides, in any order, belongs to."""
        return self._numbers.get(_sorted(sides))

    @cached_property
    def _numbers(self) -> dict[Triple, int]:
        """The classes' numbers by their sides; the first one's if two are alike."""
        return {_sorted(kind.sides): k for k, kind in reversed(list(enumerate(self.classes)))}

    def perfect_containers(self) -> list[Triple]:
        """Boxes that a packing without gaps could fill, by three necessary tests.

        The volume is the product; the sides are at least as long as the boxes demand; and each side is a sum of box
        sides. Passing them proves nothing.
        """
        sides = np.array([sorted(box_class.sides) for box_class in self.classes])
        least = sides.max(axis=0)
        sums = _sums(sorted({int(side) for side in sides.ravel()}), self.volume // int(least[0] * least[1]))
        return [
            triple
            for triple in factor_triples(self.volume)
            if all(a >= b for a, b in zip(triple, least, strict=True)) and all(side in sums for side in triple)
        ]


def factor_triples(volume: int) -> list[Triple]:
    """All x <= y <= z, each above 1, with the product `volume`."""
    divisors = [d for d in range(2, int(volume**0.5) + 1) if volume % d == 0]
    divisors = sorted({*divisors, *(volume // d for d in divisors)})
    pairs = combinations_with_replacement(divisors, 2)
    return [(x, y, volume // (x * y)) for x, y in pairs if volume % (x * y) == 0 and volume // (x * y) >= y]


def _sums(parts: Sequence[int], limit: int) -> set[int]:
    """All sums of parts, repetition allowed, up to the limit."""
    possible = np.zeros(limit + 1, bool)
    possible[0] = True
    for part in parts:
        for start in range(part, limit + 1):
            possible[start] |= possible[start - part]
    return set(np.flatnonzero(possible).tolist())


def _sorted(sides: Sequence[int]) -> Triple:
    a, b, c = sorted(int(side) for side in sides)
    return a, b, c


def size_key(low: Ints, high: Ints) -> list[Triple]:
    """Sides of placed boxes (n, 3), in rising order."""
    return [(a, b, c) for a, b, c in np.sort(high - low, axis=1).tolist()]


def overlapping_pairs(low: Ints, high: Ints) -> Ints:
    """Pairs of boxes that share volume, (k, 2), first index smaller."""
    n = len(low)
    apart = np.zeros((n, n), bool)
    for axis in range(3):
        apart |= high[:, None, axis] <= low[None, :, axis]
    together = ~(apart | apart.T)
    return np.argwhere(np.triu(together, 1))


def bounding_box(low: Ints, high: Ints) -> tuple[Triple, Triple, int]:
    """Lowest and highest corner of all boxes, and the volume between."""
    first = tuple(int(v) for v in low.min(axis=0))
    last = tuple(int(v) for v in high.max(axis=0))
    return first, last, prod(b - a for a, b in zip(first, last, strict=True))  # type: ignore[return-value]


def occupancy(low: Ints, high: Ints) -> tuple[NDArray[np.uint8], tuple[Ints, Ints, Ints]]:
    """How many boxes cover each cell of the grid that all their faces make, and the grid's lines."""
    lines = tuple(np.unique(np.concatenate([low[:, axis], high[:, axis]])) for axis in range(3))
    count = np.zeros([len(line) - 1 for line in lines], np.uint8)
    first = np.stack([np.searchsorted(lines[axis], low[:, axis]) for axis in range(3)], axis=1)
    last = np.stack([np.searchsorted(lines[axis], high[:, axis]) for axis in range(3)], axis=1)
    for (x0, y0, z0), (x1, y1, z1) in zip(first, last, strict=True):
        count[x0:x1, y0:y1, z0:z1] += 1
    return count, lines  # type: ignore[return-value]


def gaps(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """The empty space inside the bounding box as boxes, cut along the grid of faces and merged along z, y, x."""
    count, lines = occupancy(low, high)
    free = count == 0
    boxes: list[tuple[Triple, Triple]] = []
    for x in range(free.shape[0]):
        for y in range(free.shape[1]):
            z = 0
            while z < free.shape[2]:
                if not free[x, y, z]:
                    z += 1
                    continue
                boxes.append(_grow(free, x, y, z))
                free[tuple(slice(a, b) for a, b in zip(*boxes[-1], strict=True))] = False
    ends = np.array(boxes, int).reshape(-1, 2, 3)
    corners = [np.stack([lines[axis][ends[:, end, axis]] for axis in range(3)], axis=1) for end in (0, 1)]
    return corners[0], corners[1]


def _grow(free: NDArray[np.bool_], x: int, y: int, z: int) -> tuple[Triple, Triple]:
    """The largest free block from a cell, grown along z, then y, then x."""
    x1, y1, z1 = x + 1, y + 1, z + 1
    while z1 < free.shape[2] and free[x, y, z1]:
        z1 += 1
    while y1 < free.shape[1] and free[x, y1, z:z1].all():
        y1 += 1
    while x1 < free.shape[0] and free[x1, y:y1, z:z1].all():
        x1 += 1
    return (x, y, z), (x1, y1, z1)
