"""Falling rock: 6-connected pieces without a cell at z = 0 drop as rigid bodies until they rest on something."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells


class Fall(NamedTuple):
    """A piece of rock that fell: its cells (k, 3) before it did, and how far."""

    cells: NDArray[np.int64]
    distance: int


def let_fall(rock: Cells) -> tuple[Cells, list[Fall]]:
    """The rock after everything that floats has fallen, and what fell, in order.

    Pieces of one scan fall one after another in the order in which a scan over x, y and z meets them; then the rest is
    scanned again, as a landed piece joins what it rests on.
    """
    rock = rock.copy()
    falls: list[Fall] = []
    while True:
        before = len(falls)
        for cells in _floating(rock):
            distance = _drop(rock, cells)
            if distance:
                falls.append(Fall(cells, distance))
        if len(falls) == before:
            return rock, falls


def replay(rock: Cells, falls: list[Fall]) -> Cells:
    """The rock after falls that were computed before."""
    rock = rock.copy()
    for cells, distance in falls:
        x, y, z = cells.T
        rock[x, y, z] = False
        rock[x, y, z - distance] = True
    return rock


def _floating(rock: Cells) -> Iterator[NDArray[np.int64]]:
    """The cells of each piece that touches no ground, in scan order."""
    from scipy import ndimage

    labels, count = ndimage.label(rock)
    floats = np.ones(count + 1, dtype=bool)
    floats[labels[:, :, 0]] = False
    floats[0] = False
    if not floats.any():
        return
    cells = np.argwhere(floats[labels])
    owners = labels[tuple(cells.T)]
    pieces = np.split(
        cells[np.argsort(owners, kind="stable")], np.cumsum(np.bincount(owners)[floats[: owners.max() + 1]])[:-1]
    )
    yield from sorted(pieces, key=lambda piece: tuple(piece[0]))


def _drop(rock: Cells, cells: NDArray[np.int64]) -> int:
    """Drops a piece as far as it goes; returns the distance."""
    x, y, z = cells.T
    rock[x, y, z] = False
    distance = 0
    while distance < DEPTH and z.min() - distance > 0 and not rock[x, y, z - distance - 1].any():
        distance += 1
    rock[x, y, z - distance] = True
    return distance
