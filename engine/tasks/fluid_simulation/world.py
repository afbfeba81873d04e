"""Worlds of rock: the starting terrain of an instance, and how earthworks change it.

A world is an array of booleans (n, n, 8), true where there is rock, with the index [x, y, z] and z upwards. A cell is
also named by one number, its flat index (x * n + y) * 8 + z.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

DEPTH = 8
"""Levels of a world."""

GROUND = 3
"""Levels full of rock at the start."""

Cells = NDArray[np.bool_]
"""A set of cells: (n, n, 8)."""

Corner = tuple[int, int, int]


class FluidBox(NamedTuple):
    """An operation: all cells from `low` to `high`, both included, become rock or air."""

    low: Corner
    high: Corner
    rock: bool

    @property
    def slices(self) -> tuple[slice, ...]:
        """The box as an index of an array."""
        return tuple(slice(a, b + 1) for a, b in zip(self.low, self.high, strict=True))

    def fault(self, n: int) -> str:
        """Why the box is impossible in a world of n x n columns; empty if it is possible."""
        for axis, low, high, size in zip("xyz", self.low, self.high, (n, n, DEPTH), strict=True):
            if low > high:
                return f"{axis} runs from {low} to {high}: the minimum is above the maximum"
            if low < 0 or high >= size:
                return f"{axis} runs from {low} to {high}, outside 0..{size - 1}"
        return ""


@dataclass(frozen=True)
class Terrain:
    """The start of a world: n x n columns of three rock levels, and boulders on them (low and high corner)."""

    n: int
    boulders: tuple[tuple[Corner, Corner], ...] = ()

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Terrain":
        """The terrain that an instance's parameters describe; a boulder is six numbers there."""
        boulders = tuple((tuple(b[:3]), tuple(b[3:])) for b in parameters["boulders"])
        return cls(parameters["n"], boulders)

    def rock(self) -> Cells:
        """The rock at the start."""
        rock = np.zeros((self.n, self.n, DEPTH), dtype=bool)
        rock[:, :, :GROUND] = True
        for low, high in self.boulders:
            rock[FluidBox(low, high, True).slices] = True
        return rock

    def after(self, boxes: Iterable[FluidBox]) -> Cells:
        """The rock after these operations, which must lie in the world; nothing has fallen yet."""
        rock = self.rock()
        for box in boxes:
            rock[box.slices] = box.rock
        return rock


def border(n: int) -> NDArray[np.bool_]:
    """The columns (n, n) at which water leaves the world."""
    edge = np.ones((n, n), dtype=bool)
    edge[1:-1, 1:-1] = False
    return edge


def centre_columns(n: int) -> tuple[tuple[int, int], ...]:
    """The four columns of a centre round, in the order of their drops."""
    c = n // 2
    return (c, c), (c + 1, c), (c, c + 1), (c + 1, c + 1)


def to_flat(cells: NDArray[Any], n: int) -> list[int]:
    """Flat indices of cells (k, 3)."""
    x, y, z = np.asarray(cells).reshape(-1, 3).T
    flat: list[int] = ((x * n + y) * DEPTH + z).tolist()
    return flat


def from_flat(indices: Sequence[int], n: int) -> NDArray[np.int64]:
    """The cells (k, 3) of flat indices."""
    flat = np.asarray(indices, dtype=np.int64)
    return np.stack([flat // (DEPTH * n), flat // DEPTH % n, flat % DEPTH], axis=1)
