"""What pieces have in common: volume in space, and shadow on the ground."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats

LEAST_AREA = 1e-6
"""A piece that adds less area than this to the shadow is redundant."""
_CLEAR = 1e-3
"""A point this far outside all other shadows proves that a piece is not redundant."""


def common_volume(first: Floats, second: Floats) -> float:
    """The volume that two tetrahedra (4, 3) share."""
    return float(_common(first, second).volume())


def common_shadow(first: Floats, second: Floats) -> Floats:
    """The outline (n, 2) of the shadow of the intersection of two tetrahedra (4, 3); empty if they share nothing."""
    import shapely

    corners = _common(first, second).to_mesh().vert_properties[:, :2]
    hull = shapely.convex_hull(shapely.multipoints(corners))
    return np.asarray(hull.exterior.coords)[:-1] if hull.geom_type == "Polygon" else np.zeros((0, 2))


def _common(first: Floats, second: Floats) -> Any:
    from manifold3d import Manifold

    return Manifold.hull_points(first) ^ Manifold.hull_points(second)


def adding_nothing(shadows: Any) -> list[int]:
    """The shadows (an array of shapely polygons) of which the others cover all but 1e-6 of area."""
    import shapely

    doubtful = _without_a_point_of_their_own(shadows)
    certain = np.delete(shadows, doubtful)
    return list(_covered(shadows, doubtful, shapely.union_all(certain)))


def _covered(shadows: Any, which: Any, rest: Any) -> Iterator[int]:
    """Those of some shadows that lie in the union of `rest` and the other shadows.

    Each half is examined with the other half added to `rest`, so each shadow is united only about log n times.
    """
    import shapely

    if len(which) <= 1:
        yield from (int(i) for i in which if shadows[i].difference(rest).area < LEAST_AREA)
        return
    half = len(which) // 2
    for own, others in ((which[:half], which[half:]), (which[half:], which[:half])):
        yield from _covered(shadows, own, shapely.union_all([rest, *shadows[others]]))


def _without_a_point_of_their_own(shadows: Any) -> Any:
    """The indices of shadows of which no sampled point is clear of all others."""
    import shapely

    points, owner = _samples(shadows)
    tree = shapely.STRtree(shadows)
    near, other = tree.query(shapely.points(points), predicate="dwithin", distance=_CLEAR)
    is_shared = np.zeros(len(points), bool)
    is_shared[near[other != owner[near]]] = True
    has_own = np.zeros(len(shadows), bool)
    has_own[owner[~is_shared]] = True
    return np.flatnonzero(~has_own)


def _samples(shadows: Any, rings: int = 4) -> tuple[Floats, Any]:
    """Points in each shadow, drawn in from its corners and the middles of its sides: (m, 2), and whose they are."""
    import shapely

    corners, owner = shapely.get_coordinates(shadows, return_index=True)
    inner = owner[1:] == owner[:-1]
    middles = (corners[1:] + corners[:-1])[inner] / 2
    middle_owner = owner[:-1][inner]
    edge, edge_owner = np.concatenate([corners, middles]), np.concatenate([owner, middle_owner])
    centers = shapely.get_coordinates(shapely.centroid(shadows))[edge_owner]
    shares = np.linspace(0.25, 0.97, rings)
    points = np.concatenate([centers + share * (edge - centers) for share in shares])
    return points, np.tile(edge_owner, rings)
