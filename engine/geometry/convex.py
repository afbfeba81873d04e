"""Convex polyhedra: from points to planes and back, and as solids."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from manifold3d import Manifold
else:
    Manifold = Any

Floats = NDArray[np.float64]


def planes_of(points: Floats) -> tuple[Floats, Floats]:
    """The face planes of the convex hull of points (n, 3): outward unit normals (m, 3) and offsets (m,).

    A point x is in the hull if normals @ x <= offsets. Faces of more than three corners give one plane.
    """
    from scipy.spatial import ConvexHull

    equations = np.unique(np.round(ConvexHull(points).equations, 9), axis=0)
    return equations[:, :3], -equations[:, 3]


def corners_of(normals: Floats, offsets: Floats) -> Floats:
    """The corners (n, 3) of the polyhedron normals @ x <= offsets; the origin must lie inside it (offsets > 0)."""
    from scipy.spatial import HalfspaceIntersection

    halfspaces = np.column_stack([normals, -offsets])
    corners: Floats = HalfspaceIntersection(halfspaces, np.zeros(3)).intersections
    return corners


def grown_by_cube(points: Floats, half_side: float) -> Floats:
    """Points (8 n, 3) whose hull is the hull of `points` (n, 3) grown by an axis-aligned cube of that half side."""
    offsets = half_side * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    grown: Floats = (points[:, None, :] + offsets).reshape(-1, 3)
    return grown


def shrunk_by_cube(points: Floats, half_side: float) -> Floats:
    """Corners (n, 3) of the hull of `points` with every face plane moved inward by the cube's reach along it."""
    normals, offsets = planes_of(points)
    return corners_of(normals, offsets - half_side * np.abs(normals).sum(axis=1))


def hull(points: Floats) -> Manifold:
    """The convex hull of points (n, 3) as a solid."""
    from manifold3d import Manifold as Solid

    return Solid.hull_points(points)
