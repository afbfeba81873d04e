"""The world after the rain: bodies of water and their properties."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells


@dataclass(frozen=True, eq=False)
class FluidBody:
    """A 6-connected body of water: its cells (k, 3), and how many of them can be seen from above."""

    n: int
    cells: NDArray[np.int64]
    visible: int

    @property
    def size(self) -> int:
        """Its volume in cells."""
        return len(self.cells)

    @property
    def hidden(self) -> bool:
        """Whether rock is somewhere above each of its cells."""
        return self.visible == 0

    @cached_property
    def columns(self) -> NDArray[np.bool_]:
        """The columns (n, n) that it has water in."""
        mask = np.zeros((self.n, self.n), dtype=bool)
        mask[self.cells[:, 0], self.cells[:, 1]] = True
        return mask

    @cached_property
    def surface(self) -> int:
        """How many columns it has water in."""
        return int(np.count_nonzero(self.columns))

    @cached_property
    def levels(self) -> dict[int, int]:
        """How many of its cells are on each of its levels, from below."""
        counts = np.bincount(self.cells[:, 2], minlength=DEPTH)
        return {z: int(count) for z, count in enumerate(counts) if count}

    @property
    def main_level(self) -> int:
        """The level with most of its cells; the lowest of several."""
        return max(self.levels, key=lambda z: self.levels[z])

    def holds_block(self, m: int) -> bool:
        """Whether its columns contain a block of m x m."""
        return self.surface >= m * m and has_block(self.columns, m)


@dataclass(frozen=True, eq=False)
class Aftermath:
    """Rock and water (n, n, 8) after the rain, with the bodies of water, largest first."""

    rock: Cells
    water: Cells

    @property
    def n(self) -> int:
        """Columns along a side."""
        return int(self.rock.shape[0])

    @property
    def total(self) -> int:
        """All water, in cells."""
        return int(np.count_nonzero(self.water))

    @cached_property
    def visible(self) -> Cells:
        """The water with no rock anywhere above it."""
        rock_above = np.zeros_like(self.rock)
        rock_above[:, :, :-1] = np.logical_or.accumulate(self.rock[:, :, :0:-1], axis=2)[:, :, ::-1]
        return self.water & ~rock_above

    @cached_property
    def bodies(self) -> list[FluidBody]:
        """The bodies of water, largest first; bodies of equal size in the order of a scan over x, y, z."""
        return sorted(self._bodies(), key=lambda body: -body.size)

    @cached_property
    def deepest_run(self) -> int:
        """The longest vertical run of water in a column."""
        run = np.zeros(self.water.shape[:2], dtype=int)
        longest = 0
        for z in range(DEPTH):
            run = (run + 1) * self.water[:, :, z]
            longest = max(longest, int(run.max()))
        return longest

    def at_level(self, z: int) -> int:
        """How many cells of water a level has."""
        return int(np.count_nonzero(self.water[:, :, z]))

    def _bodies(self) -> Iterator[FluidBody]:
        from scipy import ndimage

        labels, count = ndimage.label(self.water)
        if not count:
            return
        cells = np.argwhere(self.water)
        owners = labels[self.water]
        seen = np.bincount(owners, weights=self.visible[self.water], minlength=count + 1)
        order = np.argsort(owners, kind="stable")
        ends = np.cumsum(np.bincount(owners)[1:])[:-1]
        for number, part in enumerate(np.split(cells[order], ends), start=1):
            yield FluidBody(self.n, part, int(seen[number]))


def has_block(mask: NDArray[np.bool_], m: int) -> bool:
    """Whether m x m cells of a plane mask are all set."""
    if min(mask.shape) < m:
        return False
    sums = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), dtype=int)
    sums[1:, 1:] = mask.cumsum(axis=0).cumsum(axis=1)
    blocks = sums[m:, m:] - sums[:-m, m:] - sums[m:, :-m] + sums[:-m, :-m]
    return bool((blocks == m * m).any())


def overflow_path(rock: Cells, body: FluidBody) -> list[tuple[int, int, int]]:
    """The shortest way from a body to the border on the level above it, along which more water would run off.

    Returns cells, the first above the body; empty if that level has no way out or the body reaches the top.
    """
    level = int(body.cells[:, 2].max()) + 1
    if level >= DEPTH:
        return []
    free = ~rock[:, :, level]
    top = body.cells[body.cells[:, 2] == level - 1]
    came_from: dict[tuple[int, int], tuple[int, int] | None] = {(x, y): None for x, y, _ in top.tolist() if free[x, y]}
    queue = list(came_from)
    last = body.n - 1
    for x, y in queue:
        if x in (0, last) or y in (0, last):
            return _way_back(came_from, (x, y), level)
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if free[near] and near not in came_from:
                came_from[near] = (x, y)
                queue.append(near)
    return []


def _way_back(
    came_from: dict[tuple[int, int], tuple[int, int] | None], end: tuple[int, int], level: int
) -> list[tuple[int, int, int]]:
    path: list[tuple[int, int, int]] = []
    cell: tuple[int, int] | None = end
    while cell is not None:
        path.append((*cell, level))
        cell = came_from[cell]
    return path[::-1]
