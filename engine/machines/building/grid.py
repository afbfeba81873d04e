"""Points in cells, to find those near a place without looking at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import floor
from typing import Generic, TypeVar

from spatial_workbench.engine.machines.building.blocks import Vector

T = TypeVar("T")


class Grid(Generic[T]):
    """Things at points; those within half a cell's side of a place are found in time that depends on these alone."""

    def __init__(self, side: float) -> None:
        self._side = side
        self._cells: defaultdict[tuple[int, int, int], list[T]] = defaultdict(list)

    def add(self, position: Vector, thing: T) -> None:
        """Puts a thing at a point."""
        x, y, z = (floor(value / self._side) for value in position)
        self._cells[x, y, z].append(thing)

    def near(self, position: Vector) -> Iterator[T]:
        """All things within half a cell's side of a place, and some that are farther, in the order of the cells."""
        lows = [floor(value / self._side - 0.5) for value in position]
        for x, y, z in product(*((low, low + 1) for low in lows)):
            yield from self._cells.get((x, y, z), ())
