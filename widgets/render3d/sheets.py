"""Polygons in space that are drawn together: hundreds of faces cost little more than one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats, Polygon
from spatial_workbench.engine.geometry.polyhedron.faces import convex_quads
from spatial_workbench.widgets.render3d.shapes import plane_normals, triangles_of

Ints = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Sheets:
    """Polygons of one opacity, with the attributes of an item of many elements: name, ids, colours."""

    members: tuple[Polygon, ...]
    opacity: float
    name: str = "sheets"

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of each polygon."""
        return tuple(polygon.id for polygon in self.members)

    @property
    def colors(self) -> list[str]:
        """The colour role of each polygon."""
        return [polygon.color for polygon in self.members]

    @cached_property
    def points(self) -> Floats:
        """All corners, (n, 3)."""
        return np.concatenate([np.asarray(polygon.points, float) for polygon in self.members])


@dataclass(frozen=True, eq=False)
class RenderSheet:
    """One polygon, ready to be drawn: corners (n, 3), triangles (m, 3), unit normal."""

    points: Floats
    triangles: Ints
    normal: Floats


_cache: WeakKeyDictionary[Polygon, RenderSheet] = WeakKeyDictionary()


def sheets_of(polygons: Iterable[Polygon]) -> list[RenderSheet]:
    """The polygons as triangles; computed once for each, since items never change."""
    polygons = list(polygons)
    fresh = [polygon for polygon in polygons if polygon not in _cache]
    rings = [np.asarray(polygon.points, float) for polygon in fresh]
    normals = plane_normals(rings)
    halved = _halved(rings, normals)
    for i, (polygon, points, normal) in enumerate(zip(fresh, rings, normals, strict=True)):
        triangles = halved[i] if i in halved else triangles_of(points, normal)
        _cache[polygon] = RenderSheet(points, triangles, normal)
    return [_cache[polygon] for polygon in polygons]


def _halved(rings: list[Floats], normals: Floats) -> dict[int, Ints]:
    """The triangles of the rings that are convex quadrilaterals, by the ring's index."""
    if not rings:
        return {}
    starts = np.cumsum([0, *map(len, rings)]).tolist()
    loops = [range(first, last) for first, last in pairwise(starts)]
    halves = convex_quads(np.concatenate(rings), loops, normals)
    return {i: triangles - starts[i] for i, triangles in halves.items()}
