"""Filling a grid: a Latin square gives full projections, random cells take its symmetries away."""

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.instance import InstanceError
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.tasks.voxel_projection.grid import Bools, Cells, VoxelGrid, holes, kept_symmetries

TRIES = 200


def solve(grid: VoxelGrid, seed: int = 0, progress: Progress = silent) -> Bools:
    """A filled grid (n, n, n) that meets every rule.

    Raises:
        InstanceError: none was found; says why.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    for attempt in range(TRIES):
        progress(attempt, TRIES, "filling the grid")
        array = latin_square(grid, rng)
        if array is None:
            continue
        array[tuple(np.array(grid.rule.required, dtype=int).reshape(-1, 3).T)] = True
        filled = fill_to_count(grid, array, rng)
        if filled is not None and not kept_symmetries(filled):
            return filled
    raise InstanceError("No Latin square was found that keeps off the forbidden cells with room for the required ones")


def latin_square(grid: VoxelGrid, rng: np.random.Generator) -> Bools | None:
    """Cells (n, n, n), one in each ray along each axis, none of them forbidden; None if no try succeeds.

    The cyclic square z = (r - x - y) mod n for each r is tried first, then squares with rows, columns and symbols in
    random order.
    """
    n = grid.n
    x, y = np.indices((n, n))
    for shift in range(n):
        array = _cells(x, y, (shift - x - y) % n)
        if not (array & grid.forbidden).any():
            return array
    for _ in range(TRIES):
        rows, columns, symbols = (rng.permutation(n) for _ in range(3))
        array = _cells(x, y, symbols[(rows[x] + columns[y]) % n])
        if not (array & grid.forbidden).any():
            return array
    return None


def fill_to_count(grid: VoxelGrid, array: Bools, rng: np.random.Generator) -> Bools | None:
    """The set with random allowed cells added up to the count; None if there are too many, or too few to add."""
    free = np.flatnonzero(~array & ~grid.forbidden)
    missing = grid.count - int(array.sum())
    if not 0 <= missing <= len(free):
        return None
    filled = array.copy()
    filled.flat[rng.choice(free, missing, replace=False)] = True
    return filled


def candidates(grid: VoxelGrid, array: Bools, axis: int, ray: Sequence[int]) -> list[tuple[int, int, int]]:
    """The cells on a ray (the other two coordinates in order) that are free and allowed."""
    cells = []
    for depth in range(grid.n):
        cell = [*ray]
        cell.insert(axis, depth)
        x, y, z = cell
        if not array[x, y, z] and not grid.forbidden[x, y, z]:
            cells.append((x, y, z))
    return cells


def impossible_ray(grid: VoxelGrid) -> tuple[int, tuple[int, int]] | None:
    """A ray (its axis and the other two coordinates) of which every cell is forbidden, if there is one."""
    for axis in range(3):
        for u, v in np.argwhere(holes(~grid.forbidden, axis)).tolist():
            return axis, (u, v)
    return None


def _cells(x: Cells, y: Cells, z: Cells) -> Bools:
    array = np.zeros((len(z),) * 3, bool)
    array[x, y, z] = True
    return array
