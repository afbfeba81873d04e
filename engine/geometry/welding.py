"""Welding: vertices that are closer together than a distance become one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.scene import Floats, Ints


def weld(vertices: Floats, triangles: Ints, distance: float) -> tuple[Floats, NDArray[np.int64]]:
    """Merges vertices (n, 3) closer than `distance` into the first of them.

    Triangles (m, 3) that collapse and vertices that no triangle uses are left out. The order is kept.
    """
    points, owners = _distinct(vertices)
    corners = _merged(points, distance)[owners][triangles]
    whole = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    return compacted(points, corners[whole])


def compacted(vertices: Floats, triangles: Ints) -> tuple[Floats, NDArray[np.int64]]:
    """The same triangles without vertices that none of them uses."""
    used, inverse = np.unique(triangles, return_inverse=True)
    return vertices[used], inverse.reshape(-1, 3).astype(np.int64)


def _distinct(points: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The points without exact duplicates, in their order, and the index of each input point among them."""
    rows = np.ascontiguousarray(points + 0.0).view(np.dtype((np.void, 24))).ravel()
    _, first, owners = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return points[first[order]], rank[owners]


def _merged(points: Floats, distance: float) -> NDArray[np.int64]:
    """For each point, the lowest index among the points it is merged with."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    # Rounding to a grid would separate neighbours on either side of a cell border, so a tree is used.
    pairs = cKDTree(points).query_pairs(distance, output_type="ndarray")
    if not len(pairs):
        return np.arange(len(points))
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
    _, group = connected_components(graph, directed=False)
    _, first = np.unique(group, return_index=True)
    return np.asarray(first[group], dtype=np.int64)
