"""Flat regions: 4-connected cells where every step between neighbours is at most 0.2 m."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats

STEP_M = 0.2
ROUNDING = 1e-9
"""Allowance for rounding: 2.2 - 2.0 exceeds 0.2 in floating point."""


def labels(heights: Floats, limit: float = STEP_M + ROUNDING) -> NDArray[np.int64]:
    """The region of each cell, numbered from the largest; regions of equal size are in row order."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = heights.size
    index = np.arange(n).reshape(heights.shape)
    right = np.abs(np.diff(heights, axis=1)) <= limit
    down = np.abs(np.diff(heights, axis=0)) <= limit
    first = np.concatenate([index[:, :-1][right], index[:-1][down]])
    second = np.concatenate([index[:, 1:][right], index[1:][down]])
    _, components = connected_components(
        coo_array((np.ones(len(first)), (first, second)), shape=(n, n)), directed=False
    )
    _, start, inverse, size = np.unique(components, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(size), int)
    rank[np.lexsort((start, -size))] = np.arange(len(size))
    return np.asarray(rank[inverse.reshape(-1)].reshape(heights.shape))


def largest(heights: Floats) -> int:
    """Number of cells of the largest flat region."""
    return int((labels(heights) == 0).sum())


def largest_by_union(heights: Floats) -> int:
    """The same as `largest` by another method: union-find over the edges in the order of their steps."""
    columns = heights.shape[1]
    parent = list(range(heights.size))
    size = [1] * heights.size

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    index = np.arange(heights.size).reshape(heights.shape)
    pairs = [(np.diff(heights, axis=1), index[:, :-1], 1), (np.diff(heights, axis=0), index[:-1], columns)]
    edges = [
        (step, cell, by) for steps, cells, by in pairs for step, cell in zip(abs(steps).flat, cells.flat, strict=True)
    ]
    for step, cell, offset in sorted(edges):
        if step > STEP_M + ROUNDING:
            break
        a = root(int(cell))
        b = root(int(cell) + offset)
        if a != b:
            parent[a] = b
            size[b] += size[a]
    return max(size)
