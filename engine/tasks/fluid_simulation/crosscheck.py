"""The cross-check's simulation: the rules of falling rock and rain, implemented literally.

Nothing is shared with the default's simulation: pieces of rock are found by flood fill and fall a level at a time,
every drop searches anew, and the rain stops after 500 lost rounds, counted one by one.
"""

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.fluid_simulation.world import Cells, centre_columns

ROUNDS = 500
ROUNDS_PER_CALL = 50
"""How many rounds are simulated between two checks for cancellation."""


def simulate(rock: Cells, progress: Progress = silent) -> tuple[Cells, Cells]:
    """Rock and water (n, n, 8) after earthworks that left this rock.

    Raises:
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck_kernels as plain_kernels

    world = np.array(rock, np.uint8, order="C")
    n = len(world)
    plain_kernels.let_fall(world)
    everywhere = np.array([(x, y) for x in range(n) for y in range(n)])
    for row in range(n):
        progress(row, n, "rain everywhere")
        plain_kernels.rain_on(world, everywhere[row * n : (row + 1) * n])
    centre = np.array(centre_columns(n))
    _rounds(world, centre, ROUNDS, progress)
    lost = 0
    while lost < ROUNDS:
        lost = _lost_in_a_row(world, centre, lost, progress)
    return world == plain_kernels.ROCK, world == plain_kernels.WATER


def _rounds(world: NDArray[np.uint8], centre: NDArray[np.int64], rounds: int, progress: Progress) -> None:
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck_kernels as plain_kernels

    for done in range(0, rounds, ROUNDS_PER_CALL):
        progress(done, rounds, "rain at the centre")
        plain_kernels.rain_on(world, np.tile(centre, (ROUNDS_PER_CALL, 1)))


def _lost_in_a_row(world: NDArray[np.uint8], centre: NDArray[np.int64], lost: int, progress: Progress) -> int:
    """Simulates further rounds; returns how many rounds in a row are lost at the end, given `lost` before."""
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck_kernels as plain_kernels

    progress(lost, ROUNDS, "rain at the centre until all is lost")
    for _ in range(min(ROUNDS_PER_CALL, ROUNDS - lost)):
        lost = 0 if plain_kernels.rain_on(world, centre) else lost + 1
    return lost


def floating(rock: Cells) -> int:
    """How many pieces of rock do not touch z = 0."""
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck_kernels as plain_kernels

    return int(plain_kernels.floating(np.array(rock, np.uint8, order="C")))


def settles_more(rock: Cells, water: Cells) -> int:
    """How many drops of one further centre round would settle."""
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck_kernels as plain_kernels

    filled = np.where(water, plain_kernels.WATER, plain_kernels.AIR)
    world = np.array(np.where(rock, plain_kernels.ROCK, filled), np.uint8, order="C")
    return int(plain_kernels.rain_on(world, np.array(centre_columns(len(rock)))))
