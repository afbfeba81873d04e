"""How many moves the corners alone need: a lower bound for the whole cube, which lets searches prune branches.

The table has an entry of four bits for each of the 88 179 840 states of the corners (44 MB). It is built in a few
seconds and stored in the user's cache. It is complete if the numbers of states at each distance are the known ones.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.cube.coordinates import CORNER_PERMUTATIONS, CORNER_TWISTS, coordinates_of, move_tables
from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.stored import Array, stored_array

Pattern = NDArray[np.uint8]

CORNER_STATES = (1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736)
"""How many states of the corners are 0, 1 ... 11 moves from solved (half-turn metric)."""
UNKNOWN = 15
_CHUNKS = 24


@cache
def _remembered() -> list[Pattern]:
    return []


def corner_pattern(progress: Progress = silent) -> Pattern:
    """The table, two entries to a byte; from the cache, or built and stored there.

    Raises:
        Cancelled: Raised by `progress`; nothing is left behind.
    """
    if not _remembered():
        _remembered().append(stored_array("corners", _is_complete, lambda: build(progress)))
    return _remembered()[0]


def build(progress: Progress = silent, depth: int = len(CORNER_STATES) - 1) -> Pattern:
    """The table up to a distance; states further away are UNKNOWN."""
    from spatial_workbench.engine.cube.kernels import spread

    corners, twists = move_tables()[:2]
    table = np.full(CORNER_PERMUTATIONS * CORNER_TWISTS // 2, 17 * UNKNOWN, np.uint8)
    start = coordinates_of(Cubies())
    place = int(start[0]) * CORNER_TWISTS + int(start[1])
    table[place >> 1] &= ~np.uint8(15 << 4 * (place & 1))
    bounds = np.linspace(0, CORNER_PERMUTATIONS, _CHUNKS + 1).astype(int)
    for distance in range(depth):
        for i in range(_CHUNKS):
            progress(distance * _CHUNKS + i, depth * _CHUNKS, f"Corners {distance + 1} moves away")
            spread(table, corners, twists, distance, bounds[i], bounds[i + 1])
    return table


def counts(table: Pattern) -> list[int]:
    """How many entries there are of each distance, from 0 to 15."""
    pairs = np.bincount(table, minlength=256).reshape(16, 16)
    return [int(n) for n in pairs.sum(axis=0) + pairs.sum(axis=1)]


def _is_complete(table: Array) -> bool:
    if table.dtype != np.uint8 or table.shape != (CORNER_PERMUTATIONS * CORNER_TWISTS // 2,):
        return False
    return tuple(counts(table)[: len(CORNER_STATES)]) == CORNER_STATES
