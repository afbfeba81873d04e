"""Which tetrahedra share volume: the separating axis test on many pairs at once (docs/tasks/tetrahedra_shadow.md).

Two convex solids share no volume if their extents along some axis do not overlap. For two tetrahedra the 4 + 4 face
normals and the 6 x 6 cross products of edges are enough.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import EDGES, FACES

Ints = NDArray[np.int64]

CONTACT = 1e-6
"""Solids that reach no deeper into each other than this only touch."""
PARALLEL = 1e-10
"""Edges whose cross product has a squared length below this are parallel, and give no axis."""
AT_ONCE = 4096
"""Pairs that are tested in one go."""
ROWS_AT_ONCE = 256
"""Solids whose boxes are compared with all others in one go."""


@dataclass(frozen=True, eq=False)
class Collisions:
    """Pairs of solids (n, 2) that share volume, and how deep they reach into each other: (n,)."""

    pairs: Ints
    depths: Floats


def collisions(vertices: Floats, contact: float = CONTACT, progress: Progress = silent) -> Collisions:
    """The pairs (i < j) of tetrahedra (n, 4, 3) whose overlap exceeds `contact` along every axis."""
    candidates = _near(vertices, contact)
    depths = _depths(vertices, candidates, progress)
    collide = depths > contact
    return Collisions(candidates[collide], depths[collide])


def collisions_with(moved: Floats, others: Floats, contact: float = CONTACT) -> Collisions:
    """The pairs (index in `moved`, index in `others`) that share volume: (m, 4, 3) against (n, 4, 3)."""
    candidates = _candidates(moved, others, contact)
    both = np.concatenate([moved, others])
    depths = _depths(both, candidates + np.array([0, len(moved)]))
    collide = depths > contact
    return Collisions(candidates[collide], depths[collide])


def _near(vertices: Floats, contact: float) -> Ints:
    """The pairs (i < j) whose bounding boxes overlap; the solids are swept along z."""
    low, high = vertices.min(axis=1), vertices.max(axis=1)
    order = np.argsort(low[:, 2], kind="stable")
    ends = np.searchsorted(low[order, 2], high[order, 2] - contact)
    counts = np.maximum(ends - np.arange(len(order)) - 1, 0)
    first = np.repeat(np.arange(len(order)), counts)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    pairs = np.sort(np.column_stack([order[first], order[second]]), axis=1)
    i, j = pairs.T
    meet = (np.minimum(high[i], high[j]) - np.maximum(low[i], low[j]) > contact).all(axis=1)
    near: Ints = pairs[meet]
    ordered: Ints = near[np.lexsort((near[:, 1], near[:, 0]))]
    return ordered


def _candidates(first: Floats, second: Floats, contact: float) -> Ints:
    """The pairs (index in `first`, index in `second`) whose bounding boxes overlap."""
    low, high = second.min(axis=1), second.max(axis=1)
    parts = [np.zeros((0, 2), np.int64)]
    for start in range(0, len(first), ROWS_AT_ONCE):
        rows = first[start : start + ROWS_AT_ONCE]
        reach = np.minimum(rows.max(axis=1)[:, None], high) - np.maximum(rows.min(axis=1)[:, None], low)
        parts.append(np.argwhere((reach > contact).all(axis=2)) + np.array([start, 0]))
    return np.concatenate(parts)


def _depths(vertices: Floats, pairs: Ints, progress: Progress = silent) -> Floats:
    """The smallest overlap of each pair over all axes; negative where there is a gap."""
    parts = [np.zeros(0)]
    for start in range(0, len(pairs), AT_ONCE):
        progress(start, len(pairs), "looking for intersections")
        i, j = pairs[start : start + AT_ONCE].T
        parts.append(_smallest_overlap(vertices[i], vertices[j]))
    return np.concatenate(parts)


def _smallest_overlap(first: Floats, second: Floats) -> Floats:
    """Of pairs of tetrahedra (n, 4, 3), the smallest overlap along the 44 axes: (n,)."""
    axes = np.concatenate([_normals(first), _normals(second), _edge_axes(first, second)], axis=1)
    lengths = np.sqrt((axes**2).sum(axis=2))
    usable = lengths**2 >= PARALLEL
    axes = axes / np.where(usable, lengths, 1.0)[..., None]
    a, b = axes @ first.transpose(0, 2, 1), axes @ second.transpose(0, 2, 1)
    overlap = np.minimum(a.max(axis=2), b.max(axis=2)) - np.maximum(a.min(axis=2), b.min(axis=2))
    smallest: Floats = np.where(usable, overlap, np.inf).min(axis=1)
    return smallest


def _normals(vertices: Floats) -> Floats:
    first, second, third = (vertices[:, FACES[:, k]] for k in range(3))
    return np.cross(second - first, third - first)


def _edge_axes(first: Floats, second: Floats) -> Floats:
    a, b = (v[:, EDGES[:, 1]] - v[:, EDGES[:, 0]] for v in (first, second))
    return np.cross(a[:, :, None], b[:, None, :]).reshape(len(first), 36, 3)
