"""A part layer by layer, as a printer sees it, and its outline: the cross-check's view of criteria 1 and 2."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.printing import BED_MM, BOX_HEIGHT, DOWNWARD, SPAN_MM, SPAN_MM2
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid

LAYER_MM = 0.125
MAX_LAYERS = 800
_SLOPE = float(np.sqrt(1 - DOWNWARD**2) / -DOWNWARD)
"""Downward surfaces that rise less than this, in mm per mm, need support."""
_DUST_MM = 0.02


@dataclass(frozen=True)
class CageLayers:
    """Area on the bed in mm², whether every overhang is small, and how far inside the bed's hull the centre is."""

    contact_mm2: float
    prints: bool
    margin: float


@remember_solids(maxsize=64)
def layers(solid: CageSolid) -> CageLayers:
    """A part cut into layers."""
    low, high = (float(bound[2]) for bound in solid.bounds)
    count = max(2, min(MAX_LAYERS, int(np.ceil((high - low) / LAYER_MM))))
    height = (high - low) / count
    cuts = [section(solid.manifold.slice(low + (k + 0.5) * height)) for k in range(count)]
    growth = height / _SLOPE
    prints = all(_small(upper.difference(_grown(lower, growth))) for lower, upper in pairwise(cuts))
    return CageLayers(cuts[0].area if abs(low) <= BED_MM else 0.0, prints, _margin(cuts))


@remember_solids(maxsize=64)
def free_area(solid: CageSolid, side: float, reach: float) -> float:
    """The area, in mm² within +-reach, of the places where a cube of that side can be without meeting the part."""
    import manifold3d
    from shapely import affinity, box, unary_union

    low, high = solid.bounds
    slab = manifold3d.Manifold.cube((*(high - low + 2)[:2].tolist(), BOX_HEIGHT)).translate(
        (*(low - 1)[:2].tolist(), -BOX_HEIGHT / 2)
    )
    outline = section((solid.manifold ^ slab).project())
    middle = (low + high) / 2
    outline = affinity.translate(outline, -middle[0], -middle[1])
    return float(box(-reach, -reach, reach, reach).difference(unary_union([outline, *_swept(outline, side)])).area)


def section(cut: Any) -> Any:
    """A manifold3d section as a shapely shape."""
    from shapely import Polygon

    shape = Polygon()
    for contour in cut.to_polygons():
        shape = shape.symmetric_difference(Polygon(contour).buffer(0))
    return shape


def _swept(outline: Any, side: float) -> list[Any]:
    """The area that a square sweeps along each edge of the outline."""
    from shapely import MultiPoint

    half = side / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    hulls = []
    for polygon in getattr(outline, "geoms", [outline]):
        for ring in (polygon.exterior, *polygon.interiors):
            for first, second in pairwise(np.asarray(ring.coords)):
                hulls.append(MultiPoint(np.concatenate([square + first, square + second])).convex_hull)
    return hulls


def _grown(shape: Any, by: float) -> Any:
    return shape.buffer(by, join_style="mitre")


def _small(overhang: Any) -> bool:
    """Whether every overhang is small enough to print without support."""
    cleaned = overhang.buffer(-_DUST_MM).buffer(_DUST_MM)
    for piece in getattr(cleaned, "geoms", [cleaned]):
        if not piece.is_empty:
            x0, y0, x1, y1 = piece.bounds
            if max(x1 - x0, y1 - y0) > SPAN_MM or piece.area > SPAN_MM2:
                return False
    return True


def _margin(cuts: Sequence[Any]) -> float:
    """How far inside the hull of the lowest layer the middle of all layers is; negative outside."""
    from shapely import Point

    rows = np.array([[cut.area, cut.area * cut.centroid.x, cut.area * cut.centroid.y] for cut in cuts if cut.area])
    hull = cuts[0].convex_hull
    if hull.geom_type != "Polygon" or not len(rows):
        return -float("inf")
    weight, x, y = rows.sum(axis=0)
    center = Point(x / weight, y / weight)
    distance = float(hull.exterior.distance(center))
    return distance if hull.contains(center) else -distance


def passes(solid: CageSolid, cage: Cage) -> tuple[bool, bool]:
    """Whether the small cube fits through somewhere, and the large one nowhere."""
    return free_area(solid, cage.small_cube, cage.small_reach) > 1.0, (
        free_area(solid, cage.large_cube, cage.large_reach) < 1e-3
    )
