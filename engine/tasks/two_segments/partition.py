"""How two chords divide a convex quadrilateral: the rule of the cyclic order.

Which shapes arise depends only on the order of the chords' ends and the frame's corners along the boundary. All
positions are ticks (see `board`). See docs/tasks/two_segments.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.tasks.two_segments.board import SHAPES, Point, SegmentsBoard, polygon_area

Chord = tuple[int, int]

CROSSING = -1
"""Represents the chords' intersection among the vertices of a region."""


@dataclass(frozen=True)
class Region:
    """A region: its vertices, counter-clockwise, and its share of the frame's area."""

    vertices: tuple[int, ...]
    points: tuple[Point, ...]
    share: float

    @property
    def shape(self) -> str:
        """T, Q, P or H."""
        return SHAPES[len(self.vertices)]

    @property
    def centre(self) -> Point:
        """The mean of its corners, where its letter stands (regions are convex)."""
        n = len(self.points)
        return sum(x for x, _ in self.points) / n, sum(y for _, y in self.points) / n


def crosses(first: Chord, second: Chord) -> bool:
    """Whether two chords cross inside: their four ends differ and alternate along the boundary."""
    low, high = sorted(first)
    if {low, high} & set(second):
        return False
    return (low < second[0] < high) != (low < second[1] < high)


def divide(ticks: int, first: Chord, second: Chord) -> list[tuple[int, ...]]:
    """The regions of two different proper chords, each as its vertices (ticks or CROSSING).

    Args:
        ticks: ticks in a side.
    """
    if crosses(first, second):
        ends = sorted((*first, *second))
        return [
            (*_arc(ticks, end, following), CROSSING) for end, following in zip(ends, (*ends[1:], ends[0]), strict=True)
        ]
    p, q = _outer(first, second)
    u, v = _outer(second, first)
    return [_arc(ticks, p, q), _arc(ticks, u, v), _arc(ticks, q, u) + _arc(ticks, v, p)]


def shape_counts(regions: Sequence[Sequence[int]]) -> Counter[str]:
    """How many regions of each shape there are."""
    return Counter(SHAPES[len(region)] for region in regions)


def regions_of(board: SegmentsBoard, first: Chord, second: Chord) -> list[Region]:
    """The regions of two different proper chords on a board, with their places and areas."""
    crossing = _meeting(board, first, second) if crosses(first, second) else (0.0, 0.0)
    regions = []
    for vertices in divide(board.ticks, first, second):
        points = tuple(crossing if v == CROSSING else board.at_tick(v) for v in vertices)
        regions.append(Region(vertices, points, polygon_area(points) / board.area))
    return regions


def counts_of(regions: Sequence[Region]) -> Counter[str]:
    """How many regions of each shape there are."""
    return Counter(region.shape for region in regions)


def surplus(regions: Sequence[Region], target: Mapping[str, int]) -> list[int]:
    """The indices of the regions whose shape occurs more often than the target allows."""
    counts = counts_of(regions)
    return [i for i, region in enumerate(regions) if counts[region.shape] > target[region.shape]]


def crossing_of(regions: Sequence[Region]) -> Point | None:
    """Where the chords cross inside, if they do."""
    for region in regions:
        if CROSSING in region.vertices:
            return region.points[region.vertices.index(CROSSING)]
    return None


def _arc(ticks: int, start: int, end: int) -> tuple[int, ...]:
    """Start, the corners strictly between, and end, counter-clockwise; just start if the two are the same."""
    return (start, *_corners_between(ticks, start, end), end) if start != end else (start,)


def _corners_between(ticks: int, start: int, end: int) -> Iterator[int]:
    perimeter = 4 * ticks
    length = (end - start) % perimeter
    corner = (start // ticks + 1) * ticks
    while corner - start < length:
        yield corner % perimeter
        corner += ticks


def _outer(chord: Chord, other: Chord) -> Chord:
    """The chord's ends, ordered so that the other chord is not between them counter-clockwise."""
    low, high = sorted(chord)
    between = any(low < end < high for end in other)
    return (high, low) if between else (low, high)


def _meeting(board: SegmentsBoard, first: Chord, second: Chord) -> Point:
    """Where two crossing chords meet."""
    (ax, ay), (bx, by) = map(board.at_tick, first)
    (cx, cy), (dx, dy) = map(board.at_tick, second)
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    along = ((cx - ax) * vy - (cy - ay) * vx) / (ux * vy - uy * vx)
    return ax + along * ux, ay + along * uy
