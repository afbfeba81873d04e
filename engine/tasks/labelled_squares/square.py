"""Squares with class labels at their corners: which sides an interface cuts, and what that implies for the interior.

Corners are numbered round the square: 0 bottom-left, 1 bottom-right, 2 top-right, 3 top-left; side i runs from corner i
to corner i + 1: 0 bottom, 1 right, 2 top, 3 left. A labelling in this order is called `walk`. Assumed throughout:

    S1  along a side the class changes at most once, so a side is cut exactly when its two corners differ
    S2  there are no islands: every region contains a corner
    S3  the interior has as few triple points as possible
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.languages.translation import marked

CORNERS = ("bottom-left", "bottom-right", "top-right", "top-left")
SIDES = ("bottom", "right", "top", "left")

Labels = tuple[int, ...]
Pair = tuple[int, int]


class Behaviour(StrEnum):
    """What the corners of a square imply for its interior."""

    KNOWN = "known behaviour"
    THREE = "three domains meeting"
    AMBIGUOUS = marked("ambiguous")


CASES: tuple[Labels, ...] = (
    (1, 1, 1, 1),
    (1, 1, 1, 2),
    (1, 1, 2, 1),
    (1, 1, 2, 2),
    (1, 1, 2, 3),
    (1, 2, 1, 1),
    (1, 2, 1, 2),
    (1, 2, 1, 3),
    (1, 2, 2, 1),
    (1, 2, 2, 2),
    (1, 2, 2, 3),
    (1, 2, 3, 1),
    (1, 2, 3, 2),
    (1, 2, 3, 3),
    (1, 2, 3, 4),
)
"""All ways to label four corners, up to renaming, in walk order."""


def walk_of(labels: Sequence[int], corner_order: Sequence[int]) -> Labels:
    """Labels in walk order; labels[p] belongs to the corner corner_order[p]."""
    label_of = dict(zip(corner_order, labels, strict=True))
    return tuple(label_of[corner] for corner in range(4))


def read(walk: Sequence[int], corner_order: Sequence[int]) -> Labels:
    """Labels in reading order: the inverse of `walk_of`."""
    return tuple(walk[corner] for corner in corner_order)


def canonical(labels: Sequence[int]) -> Labels:
    """Renamed by first occurrence: the first label becomes 0, the next new one 1, and so on."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


def cut_sides(walk: Sequence[int]) -> list[tuple[int, frozenset[int]]]:
    """The sides that an interface cuts, each with its type: the two labels that meet there."""
    return [(i, frozenset((walk[i], walk[(i + 1) % 4]))) for i in range(4) if walk[i] != walk[(i + 1) % 4]]


def behaviour(walk: Sequence[int]) -> Behaviour:
    """How the interior is determined under S1 to S3."""
    counts = sorted(Counter(kind for _, kind in cut_sides(walk)).values())
    if all(count == 2 for count in counts):
        return Behaviour.KNOWN
    return Behaviour.THREE if counts == [1, 1, 1] else Behaviour.AMBIGUOUS


def joined_sides(walk: Sequence[int]) -> list[Pair]:
    """The pairs of sides that are certain to be joined by an interface, sorted; none unless the behaviour is known."""
    if behaviour(walk) is not Behaviour.KNOWN:
        return []
    by_type: dict[frozenset[int], list[int]] = {}
    for side, kind in cut_sides(walk):
        by_type.setdefault(kind, []).append(side)
    return sorted((sides[0], sides[1]) for sides in by_type.values())


def winding(walk: Sequence[int], a: int, b: int) -> int:
    """Steps from label a to b minus steps from b to a, once round the boundary."""
    steps = list(zip(walk, [*walk[1:], walk[0]], strict=True))
    return steps.count((a, b)) - steps.count((b, a))


def forces_meeting(walk: Sequence[int], classes: int) -> bool:
    """Whether this many classes must meet inside, regardless of the curves, and no others occur.

    Two classes: any labelling that uses both. Three: by Sperner's lemma the signed number of triple points is the
    winding of any two of the labels, so one exists if that is not zero.
    """
    labels = sorted(set(walk))
    if len(labels) != classes:
        return False
    return classes == 2 or any(winding(walk, a, b) != 0 for a in labels for b in labels)


# Another method: all colourings of a triangulated grid -----------------------------------------------------------

GRID = 4
_CORNER_CELLS = (0, GRID - 1, GRID * GRID - 1, GRID * (GRID - 1))
_NO_CORNER = 9


@cache
def _triangles() -> NDArray[np.int64]:
    """The vertices of the triangles of the grid, (18, 3); vertex y * GRID + x."""
    cells = [(y * GRID + x) for y in range(GRID - 1) for x in range(GRID - 1)]
    halves = [((c, c + 1, c + GRID + 1), (c, c + GRID + 1, c + GRID)) for c in cells]
    return np.array([triangle for pair in halves for triangle in pair])


@cache
def _edges() -> NDArray[np.int64]:
    """The edges of the triangulation, (m, 2)."""
    pairs = {tuple(sorted((t[i], t[(i + 1) % 3]))) for t in _triangles().tolist() for i in range(3)}
    return np.array(sorted(pairs))


@cache
def colourings(walk: Labels) -> NDArray[np.int64]:
    """All colourings (n, 16) of the grid with these corners, the corners' labels only, and S1 along the sides."""
    sides = [_side_colourings(walk[i], walk[(i + 1) % 4]) for i in range(4)]
    inner = list(product(sorted(set(walk)), repeat=(GRID - 2) ** 2))
    rows = [_assemble(walk, chosen, middle) for chosen in product(*sides) for middle in inner]
    return np.array(rows)


def _side_colourings(first: int, last: int) -> list[Labels]:
    """The labels that the two vertices between the ends of a side may have."""
    return [(first, first)] if first == last else [(first, first), (first, last), (last, last)]


def _assemble(walk: Labels, sides: Sequence[Labels], middle: Labels) -> Labels:
    bottom, right, top, left = sides
    return (
        *(walk[0], *bottom, walk[1]),
        *(left[1], *middle[:2], right[0]),
        *(left[0], *middle[2:], right[1]),
        *(walk[3], top[1], top[0], walk[2]),
    )


def triple_points(colours: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many triangles of each colouring (n, 16) carry three different labels: (n,)."""
    a, b, c = (colours[:, _triangles()[:, i]] for i in range(3))
    count: NDArray[np.int64] = ((a != b) & (b != c) & (a != c)).sum(axis=1)
    return count


def always_meet(walk: Labels, classes: int) -> bool:
    """`forces_meeting` by trying every colouring."""
    if len(set(walk)) != classes:
        return False
    patterns = colourings(walk)
    if classes == 2:
        return bool((patterns[:, _edges()[:, 0]] != patterns[:, _edges()[:, 1]]).any(axis=1).all())
    return bool((triple_points(patterns) > 0).all())


@cache
def simplest_interiors(walk: Labels) -> tuple[int, tuple[tuple[Labels, frozenset[Pair]], ...]]:
    """The smallest number of triple points under S1 and S2, and the different topologies with that number.

    A topology is: for each corner the lowest corner of its region, and the pairs of regions that touch.
    """
    patterns = colourings(walk)
    regions = _regions(patterns)
    no_islands = (regions != _NO_CORNER).all(axis=1)
    patterns = patterns[no_islands]
    regions = regions[no_islands]
    points = triple_points(patterns)
    fewest = int(points.min())
    best = regions[points == fewest]
    topologies = {(tuple(row[list(_CORNER_CELLS)].tolist()), _touching(row)) for row in np.unique(best, axis=0)}
    return fewest, tuple(sorted(topologies, key=str))


def behaviour_by_colouring(walk: Labels) -> Behaviour:
    """`behaviour` by trying every colouring."""
    points, topologies = simplest_interiors(walk)
    if len(topologies) > 1:
        return Behaviour.AMBIGUOUS
    return Behaviour.THREE if points else Behaviour.KNOWN


def joined_by_colouring(walk: Labels) -> list[Pair]:
    """`joined_sides` from the regions of the only topology: sides that the same two regions share."""
    points, topologies = simplest_interiors(walk)
    if len(topologies) > 1 or points:
        return []
    region = topologies[0][0]
    borders: dict[frozenset[int], list[int]] = {}
    for side, _ in cut_sides(walk):
        borders.setdefault(frozenset((region[side], region[(side + 1) % 4])), []).append(side)
    return sorted((sides[0], sides[1]) for sides in borders.values())


def _regions(colours: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each vertex the lowest corner of its region; _NO_CORNER for islands. (n, 16)."""
    regions = np.full(colours.shape, _NO_CORNER)
    regions[:, list(_CORNER_CELLS)] = np.arange(4)
    a, b = _edges().T
    same = colours[:, a] == colours[:, b]
    for _ in range(colours.shape[1]):
        before = regions.copy()
        for i in range(len(a)):
            lowest = np.minimum(regions[:, a[i]], regions[:, b[i]])
            regions[:, a[i]] = np.where(same[:, i], lowest, regions[:, a[i]])
            regions[:, b[i]] = np.where(same[:, i], lowest, regions[:, b[i]])
        if (regions == before).all():
            break
    return regions


def _touching(regions: NDArray[np.int64]) -> frozenset[Pair]:
    ends = regions[_edges()]
    return frozenset((int(min(a, b)), int(max(a, b))) for a, b in ends if a != b)
