"""Shadows on the ground, and how well they fill the target (docs/tasks/tetrahedra_shadow.md, score)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

if TYPE_CHECKING:
    from shapely import Geometry
else:
    Geometry = Any

FORGIVEN = 0.05
"""Missing and excess area within this distance, along x and y, of covered area is forgiven (SCBench B.4)."""
_FLAT = 1e-13
"""Parallelograms smaller than this are left out of a sweep."""


@dataclass(frozen=True)
class TetrahedraFit:
    """How a shadow fills a target, as shapely geometries.

    covered: what is common. missing: the target without the shadow. forgiven: of the shadow outside of the target, what
    lies near what is covered. excess: the rest of it. mismatch: of shadow and target together, what is not near what
    is covered; half of it is taken off.
    """

    target: TetrahedraTarget
    covered: Geometry
    missing: Geometry
    forgiven: Geometry
    excess: Geometry
    mismatch: Geometry

    @property
    def coverage(self) -> float:
        """The share of the target that is covered."""
        return float(self.covered.area) / self.target.area

    @property
    def mismatch_share(self) -> float:
        """The mismatch as a share of the target's area."""
        return float(self.mismatch.area) / self.target.area

    def raw(self, factor: float = 1.0) -> float:
        """The raw score; `factor` is what penalties leave of the coverage."""
        return factor * self.coverage - 0.5 * self.mismatch_share


def shadows_of(vertices: Floats) -> Any:
    """The shadows of tetrahedra (n, 4, 3): an array of n convex polygons (shapely)."""
    import shapely

    return shapely.convex_hull(shapely.multipoints(np.ascontiguousarray(vertices[:, :, :2])))


def outlines_of(shadows: Any) -> list[Floats]:
    """The corners (m, 2) of each of n shadows."""
    import shapely

    points, owner = shapely.get_coordinates(shadows, return_index=True)
    starts = np.searchsorted(owner, np.arange(len(shadows) + 1)).tolist()
    return [points[first : last - 1] for first, last in pairwise(starts)]


def union_of(shadows: Any) -> Geometry:
    """The union of shadows."""
    import shapely

    return shapely.union_all(shadows)


def fit_of(target: TetrahedraTarget, shadow: Geometry) -> TetrahedraFit:
    """How a shadow fills a target."""
    covered = polygons_in(shadow.intersection(target.shape))
    return fit_near(target, shadow, covered, grown(covered))


def fit_near(target: TetrahedraTarget, shadow: Geometry, covered: Geometry, near: Geometry) -> TetrahedraFit:
    """The same as `fit_of`, given the covered area and the area near it."""
    missing = target.shape.difference(shadow)
    outside = shadow.difference(target.shape)
    excess = outside.difference(near)
    mismatch = excess.union(missing.difference(near))
    return TetrahedraFit(target, covered, missing, outside.intersection(near), excess, mismatch)


def grown(shape: Geometry, half_side: float = FORGIVEN) -> Geometry:
    """A shape dilated by an axis-aligned square of that half side, exactly."""
    return swept(shape, (-half_side, -half_side), (2 * half_side, 2 * half_side))


def swept(shape: Geometry, start: Sequence[float], sides: Sequence[float]) -> Geometry:
    """A shape dilated by the rectangle [start, start + sides]: moved to start, then swept along x and along y."""
    import shapely

    moved = shapely.transform(shape, lambda points: points + np.asarray(start, float))
    return _sweep(_sweep(moved, (sides[0], 0.0)), (0.0, sides[1]))


def polygons_in(shape: Geometry) -> Geometry:
    """A shape without the stray lines and points that operations leave."""
    import shapely

    if shape.geom_type != "GeometryCollection":
        return shape if shape.geom_type in ("Polygon", "MultiPolygon") else shapely.Polygon()
    return shapely.union_all([part for part in shape.geoms if part.geom_type in ("Polygon", "MultiPolygon")])


def _sweep(shape: Geometry, way: tuple[float, float]) -> Geometry:
    """The union of a shape, of its copy moved by `way`, and of what each of its edges passes over."""
    import shapely

    if shape.is_empty:
        return shape
    copy = shapely.transform(shape, lambda points: points + np.asarray(way))
    return shapely.union_all([shape, copy, *_passed_over(shape, way)])


def _passed_over(shape: Geometry, way: tuple[float, float]) -> Any:
    """A parallelogram for each edge of a shape that does not run along `way`."""
    import shapely

    rings = shapely.get_rings(shape)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    same = ring[1:] == ring[:-1]
    start, end = points[:-1][same], points[1:][same]
    step = end - start
    wide = np.abs(step[:, 0] * way[1] - step[:, 1] * way[0]) > _FLAT
    start, end = start[wide], end[wide]
    corners = np.stack([start, end, end + way, start + way], axis=1)
    return shapely.polygons(corners) if len(corners) else []
