"""Exact plane geometry of points with whole-number coordinates: orientation, circumcircles, hulls, triangulations.

Coordinates are thousandths up to a few thousand, so every determinant fits into 64 bits and nothing is rounded.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Point = tuple[int, int]
Points = tuple[Point, ...]
Triangle = tuple[int, int, int]
Edge = tuple[int, int]


def orient(a: Any, b: Any, c: Any) -> Any:
    """Twice the signed area of a triangle; positive if it runs counter-clockwise. Points, or arrays (2, n) of them."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_circle(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Positive if d lies inside the circumcircle of the counter-clockwise triangle a, b, c; 0 if on it.

    Points, or arrays (2, n) of them.
    """
    ax, ay, bx, by, cx, cy = a[0] - d[0], a[1] - d[1], b[0] - d[0], b[1] - d[1], c[0] - d[0], c[1] - d[1]
    return (
        (ax * ax + ay * ay) * (bx * cy - cx * by)
        - (bx * bx + by * by) * (ax * cy - cx * ay)
        + (cx * cx + cy * cy) * (ax * by - bx * ay)
    )


def counter_clockwise(points: Points, triangle: Triangle) -> Triangle:
    """The triangle's corners, counter-clockwise."""
    a, b, c = triangle
    return (a, b, c) if orient(points[a], points[b], points[c]) > 0 else (a, c, b)


def edges_of(triangle: Triangle) -> tuple[Edge, Edge, Edge]:
    """The edges with ascending ends; edge i is opposite to corner i."""
    a, b, c = sorted(triangle)
    return (b, c), (a, c), (a, b)


def edge_owners(triangles: Sequence[Triangle]) -> dict[Edge, list[int]]:
    """For each edge the numbers of the triangles that have it."""
    owners: dict[Edge, list[int]] = {}
    for k, triangle in enumerate(triangles):
        for edge in edges_of(triangle):
            owners.setdefault(edge, []).append(k)
    return owners


def third(triangle: Triangle, edge: Edge) -> int:
    """The corner that is not on the edge."""
    return next(corner for corner in triangle if corner not in edge)


@lru_cache(maxsize=64)
def hull(points: Points) -> tuple[int, ...]:
    """All points on the boundary of the convex hull, counter-clockwise, also those in the middle of a side."""
    order = sorted(range(len(points)), key=lambda i: points[i])
    lower = _chain(points, order)
    upper = _chain(points, order[::-1])
    return tuple(dict.fromkeys(lower[:-1] + upper[:-1]))


def _chain(points: Points, order: Sequence[int]) -> list[int]:
    chain: list[int] = []
    for i in order:
        while len(chain) >= 2 and orient(points[chain[-2]], points[chain[-1]], points[i]) < 0:
            chain.pop()
        chain.append(i)
    return chain


def doubled_hull_area(points: Points) -> int:
    """Twice the area of the convex hull."""
    boundary = [points[i] for i in hull(points)]
    return sum(orient(boundary[0], a, b) for a, b in pairwise(boundary[1:]))


@lru_cache(maxsize=64)
def delaunay(points: Points) -> tuple[Triangle, ...]:
    """The Delaunay triangulation, each triangle ascending, sorted; for points without empty concyclic fours.

    Grows from edge to edge: on each free side it takes the point whose circle through the edge is empty.
    """
    first = min(range(len(points)), key=lambda i: points[i])
    nearest = min((i for i in range(len(points)) if i != first), key=lambda i: _squared(points[first], points[i]))
    xy = np.array(points, dtype=np.int64)
    waiting = [(first, nearest), (nearest, first)]
    done = set()
    triangles = set()
    while waiting:
        a, b = waiting.pop()
        if (a, b) in done:
            continue
        done.add((a, b))
        c = _opposite(xy, a, b)
        if c is not None:
            triangles.add(_sorted(a, b, c))
            done |= {(b, c), (c, a)}
            waiting += [(c, b), (a, c)]
    return tuple(sorted(triangles))


def _opposite(xy: Ints, a: int, b: int) -> int | None:
    """The point left of a-b whose circle through them contains no other point on that side."""
    left = np.flatnonzero(orient(xy[a], xy[b], xy.T) > 0)
    if not len(left):
        return None
    candidates = xy[left].T
    best = 0
    # Each step moves to a point inside the circle; always taking the deepest one soon ends at the empty circle.
    while (depth := in_circle(xy[a], xy[b], candidates[:, best], candidates)).max() > 0:
        best = int(depth.argmax())
    return int(left[best])


def overlapping(points: Points, triangles: Sequence[Triangle]) -> list[tuple[int, int]]:
    """The pairs of triangles whose interiors meet; no triangle may be flat."""
    if len(triangles) < 2:
        return []
    xy = np.array(points, dtype=np.int64)
    corners = xy[np.array([counter_clockwise(points, triangle) for triangle in triangles])]
    apart = np.concatenate([_beyond_a_side(part, corners) for part in np.array_split(corners, 1 + len(corners) // 100)])
    return [(int(a), int(b)) for a, b in np.argwhere(~(apart | apart.T)) if a < b]


def _beyond_a_side(these: Ints, others: Ints) -> Bools:
    """For each pair of triangles, (n, m): whether the second lies wholly beyond a side of the first."""
    beyond = np.zeros((len(these), len(others)), dtype=bool)
    for i in range(3):
        start = these[:, i]
        along = these[:, (i + 1) % 3] - these[:, i]
        to = others[None] - start[:, None, None]
        side = along[:, None, None, 0] * to[..., 1] - along[:, None, None, 1] * to[..., 0]
        beyond |= (side <= 0).all(axis=2)
    return beyond


def illegal_edges(points: Points, triangles: Sequence[Triangle]) -> list[tuple[Edge, int, int]]:
    """Inner edges that fail the local test: the edge, the point inside, and the triangle whose circle holds it."""
    failed = []
    for edge, owners in edge_owners(triangles).items():
        if len(owners) == 2:
            first, second = (triangles[k] for k in owners)
            a, b, c = counter_clockwise(points, first)
            other = third(second, edge)
            if in_circle(points[a], points[b], points[c], points[other]) > 0:
                failed.append((edge, other, owners[0]))
    return failed


def is_convex_quadrilateral(points: Points, edge: Edge, first: int, second: int) -> bool:
    """Whether the edge between two points crosses the given edge, so that the edge can be flipped."""
    a, b = points[edge[0]], points[edge[1]]
    p, q = points[first], points[second]
    crosses = (orient(p, q, a) > 0) != (orient(p, q, b) > 0) and orient(p, q, a) != 0 != orient(p, q, b)
    return bool(crosses and (orient(a, b, p) > 0) != (orient(a, b, q) > 0))


def circumcircle(a: Point, b: Point, c: Point) -> tuple[float, float, float]:
    """Centre and radius, for drawing."""
    d = 2.0 * orient(a, b, c)
    bx, by, cx, cy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
    ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d
    uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d
    return a[0] + ux, a[1] + uy, float(np.hypot(ux, uy))


def _squared(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _sorted(a: int, b: int, c: int) -> Triangle:
    low, middle, high = sorted((a, b, c))
    return low, middle, high
