"""The exact distance of a state in the half-turn metric, with a shortest solution as its proof.

The search meets in the middle: it tries all sequences from the state and looks for a state that a table lists as six
moves from the solved cube. Branches whose corners alone need too many moves are pruned. Up to eight moves, a small
table is enough, which is built in a moment. A hit is followed to the solved cube itself, and no state is missing from
the table, so the answer is neither too short nor too long.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.cube.coordinates import coordinates_of, move_tables
from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.facelets import MOVES
from spatial_workbench.engine.cube.layers import LARGE, SMALL, CubeLayers, layers
from spatial_workbench.engine.cube.letters import Faces
from spatial_workbench.engine.cube.patterns import Pattern, corner_pattern
from spatial_workbench.engine.geometry.compiled import require_compiled

Ints = NDArray[np.int64]

REACH = 13
"""The greatest exact depth, found in a second or two. Each further move would take about twelve times as long."""
GODS_NUMBER = 20
"""No state needs more moves (Rokicki, Kociemba, Davidson, Dethridge 2010)."""


@dataclass(frozen=True)
class Bounds:
    """What is known about a state's distance.

    Attributes:
        lower, upper: Bounds in half-turn moves.
        solution: A solution of `upper` moves, if one is known.
        how: A sentence about the proof.
    """

    lower: int
    upper: int
    solution: tuple[str, ...] | None
    how: str

    @property
    def is_exact(self) -> bool:
        """Whether the distance is known exactly."""
        return self.lower == self.upper

    def __str__(self) -> str:
        return str(self.lower) if self.is_exact else f"{self.lower} to {self.upper}"


def shortest_solution(state: Faces, limit: int = REACH, progress: Progress = silent) -> tuple[str, ...] | None:
    """A shortest solution of a valid state; None if there is none of up to `limit` moves.

    Raises:
        Cancelled: Raised by `progress`.
        MissingExtra: A search of more than eight moves would take hours here, where loops are not compiled.
        ValueError: The limit is greater than REACH.
    """
    if limit > REACH:
        raise ValueError(f"Exact depths are worked out up to {REACH}, not {limit}")
    start = coordinates_of(Cubies.of(state)).astype(np.int64)
    near = _search(start, layers(SMALL), np.zeros(0, np.uint8), min(limit, 2 * SMALL), progress)
    if near is not None or limit <= 2 * SMALL:
        return near
    require_compiled()
    return _search(start, layers(LARGE, progress), corner_pattern(progress), limit, progress)


def _search(start: Ints, table: CubeLayers, pattern: Pattern, limit: int, progress: Progress) -> tuple[str, ...] | None:
    from spatial_workbench.engine.cube.kernels import distance_of, search, walk_home

    corners, twists, flips, edges = move_tables()[:4]
    tables = corners, twists, flips, edges
    near = table.keys, table.starts, np.uint64(table.shift)
    solved = coordinates_of(Cubies()).astype(np.int64)
    path = np.zeros(limit + table.radius, np.int64)
    distance = int(distance_of(start, near))
    if distance <= min(limit, table.radius) and walk_home(start, distance, solved, path, 0, tables, near):
        return _named(path, distance)
    for depth in range(1, limit - table.radius + 1):
        for first in range(18):
            progress(first, 18, f"Searching {depth + table.radius} moves deep")
            if search(start, solved, first, depth, table.radius, tables, near, pattern, path):
                return _named(path, depth + table.radius)
    return None


def _named(path: Ints, length: int) -> tuple[str, ...]:
    return tuple(MOVES[number] for number in path[:length])
