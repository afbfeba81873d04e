"""The rain: where water settles over a world of rock, drop by drop.

Rules and order of the drops: docs/tasks/fluid_simulation.md. The work is done by compiled kernels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells, Terrain, border


class FluidStage(NamedTuple):
    """Drops of a stage of the rain, and how many of them settled; the others were lost."""

    drops: int
    settled: int

    @property
    def lost(self) -> int:
        """Drops that left the world."""
        return self.drops - self.settled


@dataclass(frozen=True, eq=False)
class Rainfall:
    """The result of the rain.

    Attributes:
        cells: (k, 3) the cells in which drops settled, in order.
        drops: (k,) the number of each of these drops, from 1, among all drops.
        stages: one drop on every column; 500 centre rounds; centre rounds until 500 in a row are lost.
    """

    n: int
    cells: NDArray[np.int64]
    drops: NDArray[np.int64]
    stages: tuple[FluidStage, FluidStage, FluidStage]

    def water(self, after_drops: int | None = None) -> Cells:
        """The cells of water (n, n, 8), at the end or after a number of drops."""
        count = len(self.cells) if after_drops is None else int(np.searchsorted(self.drops, after_drops, "right"))
        water = np.zeros((self.n, self.n, DEPTH), dtype=bool)
        water[tuple(self.cells[:count].T)] = True
        return water

    def steps(self) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """Each settled drop: its number and its cell."""
        yield from zip(self.drops.tolist(), map(tuple, self.cells.tolist()), strict=True)


def let_it_rain(rock: Cells, nearest: bool = False) -> Rainfall:
    """The rain over stable rock.

    Args:
        rock: (n, n, 8).
        nearest: a drop that stays settles in the nearest air cell, not in the farthest.
    """
    from spatial_workbench.engine.tasks.fluid_simulation import kernels

    n = rock.shape[0]
    state = np.ascontiguousarray(rock.reshape(n * n, DEPTH).T.astype(np.uint8))
    room = np.count_nonzero(~rock)
    log = kernels.FluidLog(np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros((3, 2), np.int64))
    kernels.rain(state, border(n).ravel(), n, nearest, *log)
    count = int(log.stages[:, 1].sum())
    z, column = np.divmod(log.cells[:count], n * n)
    cells = np.stack([column // n, column % n, z], axis=1)
    first, second, third = (FluidStage(int(drops), int(settled)) for drops, settled in log.stages)
    return Rainfall(n, cells, log.drops[:count], (first, second, third))


def warm_up() -> None:
    """Loads or compiles all kernels, so that the first verdict does not wait for them."""
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck
    from spatial_workbench.engine.tasks.fluid_simulation.capacity import capacity_set
    from spatial_workbench.engine.tasks.fluid_simulation.stability import let_fall

    rock, _ = let_fall(Terrain(4).rock())
    capacity_set(rock)
    let_it_rain(rock)
    crosscheck.simulate(rock)
    crosscheck.floating(rock)
    crosscheck.settles_more(rock, ~rock)
