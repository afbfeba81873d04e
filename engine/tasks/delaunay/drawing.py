"""Drawings of triangulations."""

from collections.abc import Collection, Sequence

import numpy as np

from spatial_workbench.engine.core.abilities import FIRST_ONLY, SECOND_ONLY
from spatial_workbench.engine.core.scene import Floats, Item, Label, Pattern, Points, Polygon, Polyline, Scene
from spatial_workbench.engine.core.verdict import Verdict
from spatial_workbench.engine.tasks.delaunay import geometry
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Triangle

CIRCLES_SHOWN = 3
"""Circumcircles of failing edges that are drawn; more would hide the points."""


def draw(points: geometry.Points, triangles: Sequence[Triangle], verdict: Verdict | None = None) -> Scene:
    """Points with their numbers, the hull, the triangles, and the non-empty circles that the verdict names."""
    xy = np.array(points, dtype=float) / 1000
    failed = set(verdict.failed_elements) if verdict else set()
    items: list[Item] = [_hull(points, xy)]
    items += [
        Polygon(id=f"triangle {k}", points=xy[list(t)], color="series 4", opacity=0.28, outline="series 4")
        for k, t in enumerate(triangles)
        if all(0 <= corner < len(points) for corner in t)
    ]
    items += _failing(points, xy, triangles, failed)
    items.append(
        Points(
            name="points",
            ids=[f"point {i}" for i in range(len(points))],
            positions=xy,
            colors=["failed" if f"point {i}" in failed else "text" for i in range(len(points))],
            size_px=7,
        )
    )
    items += [_number(xy, i) for i in range(len(points))]
    return Scene(items=items, flat=True, axes=("x", "y", ""), bounds=_bounds(xy))


def draw_keys(points: geometry.Points, first: Collection[Triangle], second: Collection[Triangle]) -> Scene:
    """Two triangulations of the same points where they differ, with the circles of the second that hold a point."""
    xy = np.array(points, dtype=float) / 1000
    ours, theirs = (sorted(set(a) - set(b)) for a, b in ((first, second), (second, first)))
    items: list[Item] = [_hull(points, xy)]
    items += [_only(xy, triangle, FIRST_ONLY, "solid") for triangle in ours]
    items += [_only(xy, triangle, SECOND_ONLY, "hatch") for triangle in theirs]
    for triangle in theirs:
        items += draw_circle(points, triangle, f"circle of {triangle_name(triangle)}", SECOND_ONLY)
    names = [f"point {i}" for i in range(len(points))]
    items.append(Points(name="points", ids=names, positions=xy, colors="text", size_px=7))
    items += [_number(xy, i) for i in range(len(points))]
    shown = sorted({corner for triangle in (*ours, *theirs) for corner in triangle})
    return Scene(items=items, flat=True, axes=("x", "y", ""), bounds=_bounds(xy[shown], margin=0.35))


def triangle_name(triangle: Sequence[int]) -> str:
    """The name of a triangle by its corners: "1-15-18"."""
    return "-".join(map(str, triangle))


def _only(xy: Floats, triangle: Triangle, color: str, pattern: Pattern) -> Polygon:
    """A triangle that only one of two triangulations has."""
    name = f"triangle {triangle_name(triangle)}"
    return Polygon(id=name, points=xy[list(triangle)], color=color, opacity=0.3, outline=color, pattern=pattern)


def draw_gaps(points: geometry.Points, triangles: Sequence[Triangle]) -> list[Item]:
    """The uncovered part of the hull, hatched; nothing until there is a triangle."""
    import shapely

    xy = np.array(points, dtype=float) / 1000
    faces = [shapely.Polygon(xy[list(t)]) for t in triangles if geometry.orient(*(points[i] for i in t)) != 0]
    if not faces:
        return []
    rest = shapely.Polygon(xy[list(geometry.hull(points))]).difference(shapely.union_all(faces))
    pieces = shapely.constrained_delaunay_triangles(rest).geoms
    rings = [np.asarray(piece.exterior.coords)[:-1] for piece in pieces if piece.area > 0]
    return [
        Polygon(id=f"gap {k}", points=ring, color="secondary", outline=None, pattern="hatch", pickable=False)
        for k, ring in enumerate(rings)
    ]


def draw_edge(xy: Floats, edge: Edge, color: str = "failed", width_px: float = 4) -> Polyline:
    """An edge between two points."""
    return Polyline(id=f"edge {edge[0]}-{edge[1]}", points=xy[list(edge)], color=color, width_px=width_px)


def draw_circle(points: geometry.Points, triangle: Triangle, name: str, color: str = "warning") -> list[Item]:
    """The circumcircle of a triangle; nothing if its corners are collinear."""
    a, b, c = (points[i] for i in triangle)
    if geometry.orient(a, b, c) == 0:
        return []
    x, y, radius = geometry.circumcircle(a, b, c)
    angle = np.linspace(0, 2 * np.pi, 97)
    ring = np.column_stack([x + radius * np.cos(angle), y + radius * np.sin(angle)]) / 1000
    return [Polyline(id=name, points=ring, color=color, width_px=1.5, dashed=True, pickable=False)]


def _failing(points: geometry.Points, xy: Floats, triangles: Sequence[Triangle], failed: Collection[str]) -> list[Item]:
    items: list[Item] = []
    names = [name for name in failed if name.startswith("edge ")]
    shown = 0
    valid = [t for t in triangles if len(set(t)) == 3 and all(0 <= corner < len(points) for corner in t)]
    for name in sorted(names):
        i, j = (int(part) for part in name.split()[1].split("-"))
        items.append(draw_edge(xy, (i, j)))
        owners = [triangle for triangle in valid if i in triangle and j in triangle]
        for triangle in owners if len(owners) == 2 else ():
            if shown < CIRCLES_SHOWN:
                items += draw_circle(points, triangle, f"circle {shown}")
                shown += 1
    return items


def _hull(points: geometry.Points, xy: Floats) -> Polyline:
    return Polyline(
        id="hull", points=xy[list(geometry.hull(points))], color="line", closed=True, dashed=True, pickable=False
    )


def _number(xy: Floats, i: int) -> Label:
    """The point's number, on the side away from its nearest neighbour."""
    away = xy[i] - xy
    distance = np.hypot(*away.T)
    distance[i] = np.inf
    nearest = int(np.argmin(distance))
    direction = away[nearest] / max(float(distance[nearest]), 1e-9)
    shift = 0.018 * float(np.ptp(xy))
    x, y = xy[i] + shift * direction
    return Label(id=f"number {i}", position=(float(x), float(y)), text=str(i), size_px=10)


def _bounds(xy: Floats, margin: float = 0.06) -> tuple[tuple[float, float], tuple[float, float]]:
    low, high = xy.min(axis=0), xy.max(axis=0)
    around = margin * float((high - low).max())
    return (float(low[0] - around), float(low[1] - around)), (float(high[0] + around), float(high[1] + around))
