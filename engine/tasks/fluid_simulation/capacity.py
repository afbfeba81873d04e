"""The capacity set: every cell that could hold water, regardless of the order of the rain.

Level by level from below, a 4-connected component of free cells holds water if it has no border column and everything
under it is rock or holds water. Of those, only the ones that a drop can reach from above count.
"""

import numpy as np

from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells, border


def capacity_set(rock: Cells) -> Cells:
    """The cells (n, n, 8) that could hold water over this rock."""
    return _holding(rock) & _reachable(rock)


def _holding(rock: Cells) -> Cells:
    """Cells of components that would hold water."""
    from scipy import ndimage

    edge = border(rock.shape[0])
    holding = np.zeros_like(rock)
    for z in range(1, DEPTH):
        free = ~rock[:, :, z]
        labels, count = ndimage.label(free)
        leaks = np.zeros(count + 1, dtype=bool)
        leaks[labels[edge | ~(rock[:, :, z - 1] | holding[:, :, z - 1])]] = True
        holding[:, :, z] = free & ~leaks[labels]
    return holding


def _reachable(rock: Cells) -> Cells:
    """Cells of components that can be entered from above."""
    from scipy import ndimage

    reachable = np.zeros_like(rock)
    reachable[:, :, -1] = ~rock[:, :, -1]
    for z in range(DEPTH - 2, -1, -1):
        free = ~rock[:, :, z]
        labels, count = ndimage.label(free)
        entered = np.zeros(count + 1, dtype=bool)
        entered[labels[free & reachable[:, :, z + 1]]] = True
        reachable[:, :, z] = free & entered[labels]
    return reachable
