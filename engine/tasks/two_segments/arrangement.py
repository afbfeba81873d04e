"""The cross-check of two_segments: the plane arrangement of frame and segments, built and counted with shapely.

The order of ends and corners along the boundary is not used. The ends are inserted into the ring as vertices before
anything is noded: on a slanted side a computed end is off the line by rounding, noding would miss it, and regions would
come out merged.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Check, CheckList, Figure, Outcome, Problem
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.two_segments.board import ROUNDED, ROUNDING, SHAPES, Point, SegmentsBoard, spell
from spatial_workbench.engine.tasks.two_segments.placement import ENDS, Segments

STRAIGHT = 1e-9
"""Sine of the turn below which a vertex is not a corner; ends are at least 10^-4 of a side apart."""

CHECKS = CheckList()


def judge(board: SegmentsBoard, segments: Segments) -> Outcome:
    """The same verdict as the default's, found by building the arrangement."""
    arrangement = SegmentsArrangement(board, segments)
    checks: list[Check] = CHECKS.run(arrangement)
    figures = [Figure("regions", len(arrangement.faces))] if arrangement.faces else []
    return Outcome(float(all_passed(checks)), checks, figures)


class SegmentsArrangement:
    """The planar graph of a frame and two segments whose ends are snapped to it."""

    def __init__(self, board: SegmentsBoard, segments: Segments) -> None:
        self.board = board
        self.segments = segments
        self.places = [[self._place_of(point) for point in segment] for segment in segments]
        self.faces: list[Any] = []
        self.edges: list[Any] = []

    @property
    def snapped(self) -> list[list[Point]]:
        """The snapped ends of both segments; only if every end has a place."""
        return [[self.board.point(place) for place in pair if place is not None] for pair in self.places]

    def _place_of(self, point: Point) -> float | None:
        """The boundary parameter of an end on the nearest side whose strip of tolerance holds it, or None."""
        spot = _spot(point)
        holding = [side for side in range(4) if self._strip(side).covers(spot)]
        if not holding:
            return None
        side = min(holding, key=lambda k: (round(self._axis(k).distance(spot), ROUNDED), k))
        return side + float(round(self._line(side).project(spot, normalized=True), self.board.decimals))

    def _line(self, side: int) -> Any:
        from shapely import LineString

        return LineString([self.board.point(side), self.board.point(side + 1)])

    def _axis(self, side: int) -> Any:
        """A side, extended by the tolerance at both ends."""
        from shapely.affinity import scale

        factor = 1 + 2 * (self.board.tolerance + ROUNDING)
        return scale(self._line(side), factor, factor)

    def _strip(self, side: int) -> Any:
        """The rectangle of the points that count as lying on a side."""
        reach = self.board.allowed(side) + ROUNDING
        return self._axis(side).buffer(reach, cap_style="flat")

    def build_graph(self) -> None:
        """Nodes ring and segments, and finds faces and edges."""
        from shapely import LineString, polygonize, unary_union

        lines = [LineString(pair) for pair in self._ring_edges()]
        lines += [LineString(segment) for segment in self.snapped]
        noded = unary_union(lines)
        self.edges = list(noded.geoms)
        self.faces = list(polygonize(self.edges).geoms)

    def _ring_edges(self) -> Iterator[tuple[Point, Point]]:
        """The boundary's edges between corners and ends, each named by the very numbers of its ends."""
        ends = {place for pair in self.places for place in pair if place is not None}
        stops = [self.board.point(place) for place in sorted({0.0, 1.0, 2.0, 3.0} | {place % 4 for place in ends})]
        yield from zip(stops, (*stops[1:], stops[0]), strict=True)

    def euler_faces(self) -> int:
        """How many inner faces a connected planar graph with these edges has: edges - vertices + 1."""
        vertices = {end for edge in self.edges for end in (edge.coords[0], edge.coords[-1])}
        return len(self.edges) - len(vertices) + 1

    def counts(self) -> Counter[str]:
        """How many faces of each shape there are."""
        return Counter(SHAPES.get(corner_count(face), "other") for face in self.faces)


def _spot(point: Point) -> Any:
    from shapely import Point as ShapelyPoint

    return ShapelyPoint(point)


def corner_count(face: Any) -> int:
    """The corners of a polygon, without vertices at which it goes straight on."""
    points = np.asarray(face.exterior.coords)[:-1]
    arriving = points - np.roll(points, 1, axis=0)
    leaving = np.roll(points, -1, axis=0) - points
    turn = arriving[:, 0] * leaving[:, 1] - arriving[:, 1] * leaving[:, 0]
    lengths = np.linalg.norm(arriving, axis=1) * np.linalg.norm(leaving, axis=1)
    return int(np.count_nonzero(np.abs(turn) > STRAIGHT * lengths))


@CHECKS.step("on the grid")
def _on_grid(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    board = arrangement.board
    if board.grid is None:
        return
    values = np.array(arrangement.segments, dtype=float)
    off = np.abs(values[..., None] - np.array(board.grid)).min(axis=-1)
    for i, end, axis in np.argwhere(~(off <= board.tolerance + ROUNDING)):
        yield Problem(f"end {ENDS[end]} of segment {i}: {'xy'[axis]} is off the grid", [f"end {i}{ENDS[end]}"])


@CHECKS.step("ends on the boundary")
def _on_boundary(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    for i, segment in enumerate(arrangement.places):
        for end, place in zip(ENDS, segment, strict=True):
            if place is None:
                yield Problem(f"end {end} of segment {i} is in no side's strip of tolerance", [f"end {i}{end}"])


@CHECKS.step("segments pass through the inside")
def _inside(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    from shapely import Polygon

    frame = Polygon(arrangement.board.corners)
    for i, (first, second) in enumerate(arrangement.snapped):
        middle = _spot(((first[0] + second[0]) / 2, (first[1] + second[1]) / 2))
        if first == second or frame.exterior.distance(middle) < STRAIGHT or not frame.contains(middle):
            yield Problem(f"segment {i} does not pass through the inside", [f"segment {i}"])


@CHECKS.step("two different segments")
def _different(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    first, second = map(set, arrangement.snapped)
    if first == second:
        yield Problem("the segments join the same two points", ["segment 0", "segment 1"])


@CHECKS.step("the arrangement closes")
def _closes(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    arrangement.build_graph()
    total = sum(face.area for face in arrangement.faces)
    if abs(total - arrangement.board.area) > STRAIGHT * arrangement.board.area:
        yield Problem(f"the faces' areas add up to {total:g}, the frame has {arrangement.board.area:g}")
    if arrangement.euler_faces() != len(arrangement.faces):
        yield Problem(f"{counted(len(arrangement.faces), 'face')}, by Euler's formula {arrangement.euler_faces()}")


@CHECKS.step("no slivers")
def _slivers(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    board = arrangement.board
    for face in arrangement.faces:
        if face.area < (board.tolerance / 2 - ROUNDING) * board.area:
            yield Problem(f"a face has only {100 * face.area / board.area:.2g} % of the area")


@CHECKS.step("the wanted shapes")
def _shapes(arrangement: SegmentsArrangement) -> Iterator[Problem]:
    counts = arrangement.counts()
    target = arrangement.board.target
    if sum(counts.values()) != sum(target.values()) or any(counts[shape] != n for shape, n in target.items()):
        yield Problem(f"{spell(counts)}; wanted {spell(target)}")
