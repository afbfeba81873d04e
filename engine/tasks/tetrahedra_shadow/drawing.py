"""The drawing: the pieces in space, and covered, missing and excess areas on the ground. Edges have length 1."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ground, Item, Mesh, Pattern, Polygon, Polyline, Scene
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import SPACING
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import TetrahedraFit
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import FACES
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

if TYPE_CHECKING:
    from shapely import Geometry
else:
    Geometry = Any

COVERED, MISSING, FORGIVEN, EXCESS = "series 2", "series 0", "warning", "failed"
"""Colour roles of areas on the ground, which no piece has."""
PIECE_COLORS = ("neutral", "rock")
"""The colour roles of pieces, which alternate from level to level."""
BELOW = -0.02
"""The coloured areas lie slightly below the pieces that stand on the ground."""
LEAST_DRAWN = 1e-5
"""The area of the smallest patch that is drawn."""
MARGIN = 0.5


def draw(target: TetrahedraTarget, vertices: Floats, fit: TetrahedraFit | None, colors: Sequence[str]) -> Scene:
    """Pieces with corners (n, 4, 3) above a target; `fit` is how their shadows fill it, None without pieces."""
    pieces = [piece_item(i, corners, color) for i, (corners, color) in enumerate(zip(vertices, colors, strict=True))]
    return scene_of(target, [*below(ground_items(target, fit)), *pieces], vertices)


def scene_of(target: TetrahedraTarget, items: Sequence[Item], vertices: Floats, flat: bool = False) -> Scene:
    """Items around a target, seen in space or, `flat`, from above."""
    x0, y0, x1, y1 = (v + s * MARGIN for v, s in zip(target.bounds, (-1, -1, 1, 1), strict=True))
    top = max(1.0, float(vertices[..., 2].max())) if len(vertices) else 1.0
    extent = tuple(float(s * np.ceil(s * v + 0.5)) for v, s in zip(target.bounds, (-1, -1, 1, 1), strict=True))
    return Scene(
        items=tuple(items),
        unit="edges",
        flat=flat,
        ground=Ground(0.5, (extent[0], extent[1], extent[2], extent[3]), 2 * BELOW if not flat else 0.0),
        bounds=((x0, y0, 0.0), (x1, y1, 0.0 if flat else top)),
    )


def piece_item(number: int, corners: Floats, color: str, opacity: float = 1.0) -> Mesh:
    """A piece with corners (4, 3)."""
    name = f"tetrahedron {number}"
    return Mesh(id=name, vertices=corners, faces=FACES, color=color, opacity=opacity, edges=True)


def colors_by_level(vertices: Floats) -> list[str]:
    """A colour role for each piece (n, 4, 3), so that stacked pieces can be told apart."""
    if not len(vertices):
        return []
    levels = np.floor(vertices[..., 2].min(axis=1) / SPACING + 0.01).astype(int)
    return [PIECE_COLORS[level % len(PIECE_COLORS)] for level in levels.tolist()]


def ground_items(target: TetrahedraTarget, fit: TetrahedraFit | None) -> list[Polygon | Polyline]:
    """The target's outline, and its parts as far as shadows fall on them; in the plane z = 0."""
    items: list[Polygon | Polyline] = []
    if fit is None:
        items += _patches("missing", target.shape, MISSING, 0.5)
    else:
        items += _patches("covered", fit.covered, COVERED, 0.45)
        items += _patches("missing", fit.missing, MISSING, 0.6)
        items += _patches("forgiven", fit.forgiven, FORGIVEN, 0.9, "hatch")
        items += _patches("excess", fit.excess, EXCESS, 0.8)
    names = ["target", *(f"hole {k}" for k in range(len(target.holes)))]
    return items + [_outline(name, np.array(ring)) for name, ring in zip(names, target.rings, strict=True)]


def below(items: Sequence[Polygon | Polyline]) -> list[Item]:
    """Points on the ground, slightly below the pieces."""
    return [replace(item, points=item.points + np.array([0.0, 0.0, BELOW])) for item in items]


def _outline(name: str, ring: Floats) -> Polyline:
    points = np.column_stack([ring, np.full(len(ring), 0.005)])
    return Polyline(id=f"{name} outline", points=points, color="text", width_px=2.0, closed=True, pickable=False)


def _patches(name: str, shape: Geometry, color: str, opacity: float, pattern: Pattern = "solid") -> Iterator[Polygon]:
    for k, ring in enumerate(without_holes(shape)):
        points = np.column_stack([ring, np.zeros(len(ring))])
        yield Polygon(
            id=f"{name} {k}", points=points, color=color, opacity=opacity, outline=None, pattern=pattern, pickable=False
        )


def without_holes(shape: Geometry) -> Iterator[Floats]:
    """The rings (n, 2) of polygons without holes that make up a shape; those with holes are cut through them."""
    import shapely

    parts = [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon"]
    for part in parts:
        if part.area < LEAST_DRAWN:
            continue
        if not part.interiors:
            yield np.asarray(part.exterior.coords)[:-1, :2]
            continue
        x = part.interiors[0].centroid.x
        x0, y0, x1, y1 = part.bounds
        for half in (shapely.box(x0 - 1, y0 - 1, x, y1 + 1), shapely.box(x, y0 - 1, x1 + 1, y1 + 1)):
            yield from without_holes(part.intersection(half))
