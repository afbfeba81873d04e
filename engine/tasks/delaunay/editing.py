"""What the editor of delaunay does with triangles: pure functions that give new lists."""

from collections.abc import Collection, Sequence

from spatial_workbench.engine.tasks.delaunay.geometry import (
    Edge,
    Points,
    Triangle,
    counter_clockwise,
    edge_owners,
    illegal_edges,
    in_circle,
    is_convex_quadrilateral,
    orient,
    overlapping,
    third,
)

MAX_FLIPS = 20_000


def obstacle(points: Points, triangles: Sequence[Triangle], new: Triangle) -> str:
    """Why this is not a triangle that could be added, regardless of the rules; empty if it is."""
    a, b, c = (points[i] for i in new)
    if len(set(new)) < 3 or orient(a, b, c) == 0:
        return "These three points make no triangle"
    if tuple(sorted(new)) in {tuple(sorted(triangle)) for triangle in triangles}:
        return "This triangle is there already"
    return ""


def objection(points: Points, triangles: Sequence[Triangle], new: Triangle) -> str:
    """Why a triangle cannot be added or is against the rules; empty if it may be added."""
    if reason := obstacle(points, triangles, new):
        return reason
    met = [k for i, k in overlapping(points, [new, *triangles]) if i == 0]
    return f"It overlaps triangle {met[0] - 1}" if met else ""


def holds_a_point(points: Points, triangle: Triangle) -> bool:
    """Whether another point lies in the triangle or on its border."""
    a, b, c = (points[i] for i in triangle)
    sign = 1 if orient(a, b, c) > 0 else -1
    return any(
        i not in triangle and all(sign * orient(u, v, p) >= 0 for u, v in ((a, b), (b, c), (c, a)))
        for i, p in enumerate(points)
    )


def closed_by(points: Points, edge: Edge, edges: Collection[Edge]) -> list[Triangle]:
    """The triangles without points inside that a new edge completes."""
    i, j = edge
    closed = []
    for k in range(len(points)):
        if k not in edge and _edge(i, k) in edges and _edge(j, k) in edges:
            triangle = _triangle(i, j, k)
            if orient(*(points[corner] for corner in triangle)) != 0 and not holds_a_point(points, triangle):
                closed.append(triangle)
    return closed


def nearest_triangle(points: Points, place: tuple[float, float]) -> Triangle | None:
    """Of the triangles around a place with corners among its eight nearest points, the one with the nearest corners."""
    order = sorted(range(len(points)), key=lambda i: (points[i][0] - place[0]) ** 2 + (points[i][1] - place[1]) ** 2)
    near = order[:8]
    for c in range(2, len(near)):
        for b in range(1, c):
            for a in range(b):
                triangle = _triangle(near[a], near[b], near[c])
                if is_inside(points, triangle, place) and not holds_a_point(points, triangle):
                    return triangle
    return None


def is_inside(points: Points, triangle: Triangle, place: tuple[float, float]) -> bool:
    """Whether a place lies in a triangle."""
    a, b, c = (points[i] for i in triangle)
    sides = [(v[0] - u[0]) * (place[1] - u[1]) - (v[1] - u[1]) * (place[0] - u[0]) for u, v in ((a, b), (b, c), (c, a))]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def points_inside(points: Points, triangle: Triangle) -> list[int]:
    """The points strictly inside a triangle's circumcircle."""
    a, b, c = (points[i] for i in counter_clockwise(points, triangle))
    return [i for i, p in enumerate(points) if i not in triangle and in_circle(a, b, c, p) > 0]


def flipped(points: Points, triangles: Sequence[Triangle], edge: Edge) -> tuple[Triangle, ...] | None:
    """The triangles with an inner edge flipped to the other diagonal; None if it cannot be flipped."""
    owners = edge_owners(triangles).get(edge, [])
    if len(owners) != 2:
        return None
    first, second = (third(triangles[k], edge) for k in owners)
    if not is_convex_quadrilateral(points, edge, first, second):
        return None
    new = list(triangles)
    new[owners[0]] = _triangle(edge[0], first, second)
    new[owners[1]] = _triangle(edge[1], first, second)
    return tuple(new)


def legalised(points: Points, triangles: Sequence[Triangle]) -> tuple[Triangle, ...]:
    """The triangles after flipping edges until every one passes the local test."""
    current = tuple(triangles)
    for _ in range(MAX_FLIPS):
        step = _next_flip(points, current)
        if step is None:
            break
        current = step
    return current


def _next_flip(points: Points, triangles: Sequence[Triangle]) -> tuple[Triangle, ...] | None:
    for edge, _, _ in illegal_edges(points, triangles):
        new = flipped(points, triangles, edge)
        if new is not None:
            return new
    return None


def _edge(i: int, j: int) -> Edge:
    return (i, j) if i < j else (j, i)


def _triangle(a: int, b: int, c: int) -> Triangle:
    low, middle, high = sorted((a, b, c))
    return low, middle, high
