"""Where pipes that are not neighbours meet: crossings, touches, and what the published test counts.

A pair of pipes crosses if the ends of each are strictly on opposite sides of the other; the signs are exact. It touches
if it does not cross and the pipes come within 1e-9 m of each other: an end on a pipe, or pipes along each other.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

TOUCH_M = 1e-9
SHARED_M = 1e-9
"""The published test skips pairs with ends this close in both coordinates."""

ROUNDING = (3 + 16 * np.finfo(float).eps) * np.finfo(float).eps
"""Bound of the rounding error of an orientation, relative to the sum of its two products (Shewchuk)."""


@dataclass(frozen=True)
class Contact:
    """Two pipes that meet, the lower one first, and where."""

    first: int
    second: int
    point: tuple[float, float]

    @property
    def id(self) -> str:
        """The element's id in a scene: "contact 3-17"."""
        return f"contact {self.first}-{self.second}"


MOST_LISTED = 1000
"""How many contacts of a kind are listed; all are counted. In heaps of equal points, every pipe touches every other."""


@dataclass(frozen=True)
class Contacts:
    """The pairs of pipes that meet: the first MOST_LISTED of each kind, and how many there are."""

    crossings: tuple[Contact, ...]
    touches: tuple[Contact, ...]
    crossing_count: int
    touch_count: int
    published_count: int
    """How many crossings the published test counts."""


def contacts_of(points: Floats) -> Contacts:
    """The pairs of non-neighbouring pipes that meet; pipe i of a loop (n, 2) joins points i and i + 1."""
    starts = points
    ends = np.roll(points, -1, axis=0)
    first, second = _candidates(starts, ends)
    kinds, kind_of = _different(starts, ends, first, second)
    pair = first[kinds], second[kinds]
    a, b, c, d = starts[pair[0]], ends[pair[0]], starts[pair[1]], ends[pair[1]]
    signs = _signs(points, *pair)
    crosses = (signs[:, 0] * signs[:, 1] < 0) & (signs[:, 2] * signs[:, 3] < 0)
    touches = ~crosses & (_distances(a, b, c, d) <= TOUCH_M)
    crossing = np.flatnonzero(crosses[kind_of])
    touching = np.flatnonzero(touches[kind_of])
    return Contacts(
        crossings=_listed(starts, ends, first, second, crossing, _meetings),
        touches=_listed(starts, ends, first, second, touching, _nearest_ends),
        crossing_count=len(crossing),
        touch_count=len(touching),
        published_count=int(_published(a, b, c, d)[kind_of].sum()),
    )


def _different(starts: Floats, ends: Floats, first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """The rows of pairs that lie in different places, and for each pair which of these rows is like it."""
    _, places = np.unique(np.column_stack([starts, ends]) + 0.0, axis=0, return_inverse=True)
    places = places.ravel()
    count = int(places.max()) + 1 if len(places) else 0
    if count == len(starts):
        rows = np.arange(len(first))
        return rows, rows
    _, kinds, kind_of = np.unique(places[first] * count + places[second], return_index=True, return_inverse=True)
    return kinds, kind_of


def _candidates(starts: Floats, ends: Floats) -> tuple[Ints, Ints]:
    """Pairs i + 2 <= j, without (0, n - 1), whose boxes meet."""
    count = len(starts)
    low, high = np.minimum(starts, ends) - TOUCH_M, np.maximum(starts, ends) + TOUCH_M
    near = np.ones((count, count), bool)
    for axis in (0, 1):
        near &= (low[:, None, axis] <= high[None, :, axis]) & (low[None, :, axis] <= high[:, None, axis])
    near = np.triu(near, 2)
    near[0, count - 1] = False
    first, second = np.nonzero(near)
    return first, second


# Orientations --------------------------------------------------------------------------------------------------------


def _signs(points: Floats, first: Ints, second: Ints) -> NDArray[np.int8]:
    """On which side of the second pipe the first one's ends are, and the other way round: (n, 4), exact."""
    after = (np.arange(len(points)) + 1) % len(points)
    triples = [
        np.stack(triple, axis=1)
        for triple in (
            (second, after[second], first),
            (second, after[second], after[first]),
            (first, after[first], second),
            (first, after[first], after[second]),
        )
    ]
    return np.stack([_orientations(points, triple) for triple in triples], axis=1)


def _orientations(points: Floats, triples: Ints) -> NDArray[np.int8]:
    """1 where the third point is to the left of the line from the first to the second, -1 right, 0 on it."""
    a, b, c = (points[triples[:, k]] for k in range(3))
    with np.errstate(all="ignore"):
        left = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1])
        right = (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        signs = np.sign(left - right)
        unsure = ~(np.abs(left - right) > ROUNDING * (np.abs(left) + np.abs(right)))
        # Equal coordinates have an exact difference: a product with it is 0, and no rounding is in doubt.
        no_left = (b[:, 0] == a[:, 0]) | (c[:, 1] == a[:, 1])
        no_right = (b[:, 1] == a[:, 1]) | (c[:, 0] == a[:, 0])
        unsure &= ~(no_left & no_right)
    if unsure.any():
        whole = _as_integers(points)
        signs[unsure] = [_exact(*(whole[k] for k in triple)) for triple in triples[unsure].tolist()]
    return signs.astype(np.int8)


def _as_integers(points: Floats) -> list[tuple[int, int]]:
    """The points times a power of two that makes all coordinates whole."""
    ratios = [(x.as_integer_ratio(), y.as_integer_ratio()) for x, y in points.tolist()]
    scale = max(max(x[1], y[1]) for x, y in ratios)
    return [(x[0] * (scale // x[1]), y[0] * (scale // y[1])) for x, y in ratios]


def _exact(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def _published(a: Floats, b: Floats, c: Floats, d: Floats) -> NDArray[np.bool_]:
    """The published test: "strictly left" gives different answers for the two ends of each pipe.

    So an end on another pipe counts from one side only, and pipes along each other never do.
    """
    shared = np.zeros(len(a), bool)
    for p in (a, b):
        for q in (c, d):
            shared |= (np.abs(p - q) < SHARED_M).all(axis=1)
    crossing: NDArray[np.bool_] = (_left(a, c, d) != _left(b, c, d)) & (_left(a, b, c) != _left(a, b, d))
    return crossing & ~shared


def _left(a: Floats, b: Floats, c: Floats) -> NDArray[np.bool_]:
    left: NDArray[np.bool_] = (c[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0]) > (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return left


# Distances -----------------------------------------------------------------------------------------------------------


def _distances(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The distances of segments ab and cd that do not cross."""
    ways = (_to_segment(a, c, d), _to_segment(b, c, d), _to_segment(c, a, b), _to_segment(d, a, b))
    nearest: Floats = np.min(ways, axis=0)
    return nearest


def _to_segment(p: Floats, a: Floats, b: Floats) -> Floats:
    along = b - a
    square = (along**2).sum(axis=1)
    share = np.clip(((p - a) * along).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    distance: Floats = np.hypot(*(p - a - share[:, None] * along).T)
    return distance


def _nearest_ends(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """For each pair, the end that is nearest to the other pipe."""
    ways = np.stack([_to_segment(a, c, d), _to_segment(b, c, d), _to_segment(c, a, b), _to_segment(d, a, b)])
    ends = np.stack([a, b, c, d])
    chosen: Floats = ends[ways.argmin(axis=0), np.arange(len(a))]
    return chosen


def _meetings(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Where the lines ab and cd meet."""
    u, v, w = b - a, d - c, c - a
    determinant = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    share = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / np.where(determinant != 0, determinant, 1.0)
    meeting: Floats = a + share[:, None] * u
    return meeting


def _listed(
    starts: Floats, ends: Floats, first: Ints, second: Ints, rows: Ints, place: Callable[..., Floats]
) -> tuple[Contact, ...]:
    """The first contacts in some rows of the pairs; `place` finds where the pipes of pairs meet."""
    one = first[rows[:MOST_LISTED]]
    other = second[rows[:MOST_LISTED]]
    places = place(starts[one], ends[one], starts[other], ends[other])
    return tuple(
        Contact(i, j, (x, y)) for i, j, (x, y) in zip(one.tolist(), other.tolist(), places.tolist(), strict=True)
    )
