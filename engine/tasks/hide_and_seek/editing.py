"""Aids for placing people: snapping, spraying, pushing apart. Places are centres in metres, (2,) or (n, 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek.drawing import safe_ground
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M, CrowdField, overlapping_pairs

HAIR_M = 1e-6
"""How far inside an edge snapped people stand, because contact with the building counts as touching it."""
DARTS = 80
"""How many random places are tried at a time while spraying."""
MAX_ROUNDS = 400
NEIGHBOUR, CORNER, EDGE = "a neighbour", "a corner of the safe ground", "the edge of the safe ground"
"""The kinds of places that snapping knows."""


def safe_ring(field: CrowdField) -> Floats:
    """The border of the ground on which a person's centre is safe, drawn in slightly: corners (n, 2)."""
    from shapely import Polygon, get_coordinates

    return np.asarray(get_coordinates(Polygon(safe_ground(field)).buffer(-HAIR_M, join_style="mitre").exterior)[:-1])


def snapped(point: Floats, others: Floats, ring: Floats, reach: float) -> tuple[Floats, str]:
    """The place within `reach` of a point that touches other people or is on a ring, and what it fits to.

    Places that fit in both directions come first: in line with somebody, or on a corner. "" if nothing is near.
    """
    near = others[np.abs(others - point).max(axis=1) <= PERSON_M + reach] if len(others) else others
    corners = [(place, NEIGHBOUR) for place in _touching_corners(near)] + [(corner, CORNER) for corner in ring]
    edges = [(place, NEIGHBOUR) for place in _touching_sides(near, point)]
    edges += [(_nearest_on(ring, point), EDGE)] if len(ring) else []
    for candidates in (corners, edges):
        free = [(place, words) for place, words in candidates if not _is_taken(place, others)]
        distances = [float(np.hypot(*(place - point))) for place, _ in free]
        if distances and min(distances) <= reach:
            return free[int(np.argmin(distances))]
    return point, ""


def sprayed(
    field: CrowdField,
    centers: Floats,
    middle: Floats,
    radius: float,
    count: int,
    spacing: float,
    rng: np.random.Generator,
) -> Floats:
    """Up to `count` random safe places in a circle, (n, 2), at least `spacing` from each other and from `centers`."""
    darts = middle + rng.uniform(-radius, radius, (DARTS, 2))
    darts = darts[np.hypot(*(darts - middle).T) <= radius].round(3)
    darts = darts[(np.hypot(*darts.T) <= field.radius) & ~field.touches_building(darts)]
    darts = darts[field.margins(darts) > HAIR_M] if len(darts) else darts
    points = list(centers)
    for dart in darts:
        if len(points) - len(centers) >= count:
            break
        if not points or (np.abs(np.array(points) - dart).max(axis=1) >= spacing).all():
            points.append(dart)
    return np.array(points[len(centers) :]).reshape(-1, 2)


def pushed_apart(field: CrowdField, centers: Floats, fixed: Collection[int]) -> Floats | None:
    """The places with overlapping people moved apart, except those in `fixed`; None if there is no room."""
    places = centers.copy()
    free = np.array([i not in fixed for i in range(len(places))])
    for _ in range(MAX_ROUNDS):
        pairs = overlapping_pairs(places)
        if not pairs:
            return places
        for i, j in pairs:
            _part(places, i, j, free)
        places[free] = [_allowed(field, place) for place in places[free]]
    return None


def _part(places: Floats, i: int, j: int, free: np.ndarray) -> None:
    """Moves one or both of two people along the axis on which they overlap less."""
    gap = places[j] - places[i]
    overlap = PERSON_M - np.abs(gap)
    axis = int(np.argmin(overlap))
    if overlap[axis] <= 0 or not (free[i] or free[j]):
        return
    sign = 1.0 if gap[axis] >= 0 else -1.0
    share = 0.5 if free[i] and free[j] else 1.0
    step = sign * share * (overlap[axis] + HAIR_M)
    places[j, axis] += step * free[j]
    places[i, axis] -= step * free[i]


def _allowed(field: CrowdField, place: Floats) -> Floats:
    """The nearest place that is in reach and clear of the building."""
    distance = float(np.hypot(*place))
    if distance > field.radius:
        place = place * (field.radius - HAIR_M) / distance
    if not field.touches_building(place[None])[0]:
        return place
    axis = int(np.argmax(np.abs(place)))
    out = place.copy()
    out[axis] = np.copysign(field.half + PERSON_M / 2 + HAIR_M, place[axis])
    return out


def _touching_corners(near: Floats) -> Iterator[Floats]:
    """Places beside people, in line with them or at their corners."""
    for other in near:
        for x in (-PERSON_M, 0.0, PERSON_M):
            yield from (other + np.array([x, y]) for y in (-PERSON_M, 0.0, PERSON_M) if x or y)


def _touching_sides(near: Floats, point: Floats) -> Iterator[Floats]:
    """Places beside people, at the other coordinate of a point."""
    for x, y in near.tolist():
        yield from (np.array([x + way, point[1]]) for way in (-PERSON_M, PERSON_M))
        yield from (np.array([point[0], y + way]) for way in (-PERSON_M, PERSON_M))


def _nearest_on(ring: Floats, point: Floats) -> Floats:
    """The point of a closed line that is nearest to a point."""
    way = np.roll(ring, -1, axis=0) - ring
    share = np.sum((point - ring) * way, axis=1) / np.maximum(np.sum(way**2, axis=1), 1e-12)
    feet = ring + np.clip(share, 0, 1)[:, None] * way
    return np.asarray(feet[np.argmin(np.hypot(*(feet - point).T))])


def _is_taken(place: Floats, others: Floats) -> bool:
    return bool(len(others) and (np.abs(others - place) < PERSON_M - 1e-9).all(axis=1).any())
