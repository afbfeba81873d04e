"""Two segments as they lie on a board: sides, ticks, regions. Each is computed when a check first asks for it."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from spatial_workbench.engine.tasks.two_segments.board import SIDES, Near, Point, SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.partition import Chord, Region, regions_of

ENDS = "AB"
"""Names of a segment's first and second end."""

Segments = Sequence[Sequence[Point]]


class SegmentsPlacement:
    """Two segments, given by the coordinates of their ends, on a board."""

    def __init__(self, board: SegmentsBoard, segments: Segments) -> None:
        self.board = board
        self.segments = segments

    def ends(self) -> Iterator[tuple[int, int, Point]]:
        """Segment, end (0 or 1) and coordinates of all four ends."""
        for i, segment in enumerate(self.segments):
            for end, point in enumerate(segment):
                yield i, end, point

    def near(self, segment: int, end: int) -> Near:
        """The side that an end belongs to."""
        return self._nears[segment][end]

    @cached_property
    def chords(self) -> tuple[Chord, Chord]:
        """The ends' ticks; only meaningful if every end is on the boundary."""
        first, second = ((self.board.snap(a), self.board.snap(b)) for a, b in self._nears)
        return first, second

    def common_side(self, segment: int) -> str:
        """The name of the side that a segment runs along; empty if none."""
        first, second = self.chords[segment]
        common = self.board.sides_of(first) & self.board.sides_of(second)
        return SIDES[min(common)] if common else ""

    @cached_property
    def is_partition(self) -> bool:
        """Whether the segments are two different proper chords, so that there are regions."""
        on_boundary = all(self.board.on_boundary(near) for pair in self._nears for near in pair)
        if not on_boundary or any(self.common_side(i) for i in (0, 1)):
            return False
        return set(self.chords[0]) != set(self.chords[1])

    @cached_property
    def regions(self) -> list[Region]:
        """The regions; only if `is_partition`."""
        return regions_of(self.board, *self.chords)

    @cached_property
    def _nears(self) -> list[list[Near]]:
        return [[self.board.nearest(point) for point in segment] for segment in self.segments]
