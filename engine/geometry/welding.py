"""Welding: vertices that are closer together than a distance become one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.mesh_limits import MeshError

MOST_PAIRS = 20_000_000
"""Of vertices that are close together: far more than any mesh of the largest size has."""


def weld(vertices: Floats, triangles: Ints, distance: float) -> tuple[Floats, NDArray[np.int64]]:
    """Merges vertices (n, 3) closer than `distance` into the first of them.

    Triangles (m, 3) that collapse and vertices that no triangle uses are left out. The order is kept.

    Raises:
        MeshError: More than MOST_PAIRS pairs of vertices are that close.
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
    tree = cKDTree(points)
    # Counting is cheap, listing is not: of 500,000 points in one place there would be 125 billion pairs.
    if tree.count_neighbors(tree, distance) > 2 * MOST_PAIRS + len(points):
        raise MeshError(f"More than {MOST_PAIRS:,} pairs of corners are closer together than {distance:g}")
    pairs = tree.query_pairs(distance, output_type="ndarray")
    if not len(pairs):
        return np.arange(len(points))
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
    _, group = connected_components(graph, directed=False)
    _, first = np.unique(group, return_index=True)
    return np.asarray(first[group], dtype=np.int64)
