"""The published verifier of two_segments, with its faults.

It maps the frame to the unit square by the affine map of corners 0, 1 and 3. Corner 2 is ignored, so in a quadrilateral
that is not a parallelogram the right and top side are not where the prompt says. It rounds the vertices of each region,
the crossing included, drops repeats, then takes away one vertex after another at which the cross product of the edges
rounds to zero. Regions left with fewer than three vertices are not counted, so slivers are missed. A coordinate half a
unit off the grid is refused. See docs/tasks/two_segments.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spatial_workbench.engine.core import CheckList, Outcome, Problem
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.tasks.two_segments.board import ROUNDING, SHAPES, Point, SegmentsBoard, spell
from spatial_workbench.engine.tasks.two_segments.partition import regions_of
from spatial_workbench.engine.tasks.two_segments.placement import ENDS, Segments, SegmentsPlacement

UNIT = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

CHECKS = CheckList()


def judge(board: SegmentsBoard, segments: Segments) -> Outcome:
    """The published judgement of two segments on a board."""
    unit = replace(board, corners=UNIT)
    mapped = [[to_unit(board, point) for point in segment] for segment in segments]
    checks = CHECKS.run(board, segments, SegmentsPlacement(unit, mapped))
    return Outcome(float(all_passed(checks)), checks)


def to_unit(board: SegmentsBoard, point: Point) -> Point:
    """The affine map that takes corner 0 to (0, 0), corner 1 to (1, 0) and corner 3 to (0, 1)."""
    (ox, oy), (ax, ay), _, (bx, by) = board.corners
    ax = ax - ox
    ay = ay - oy
    bx = bx - ox
    by = by - oy
    x = point[0] - ox
    y = point[1] - oy
    determinant = ax * by - ay * bx
    return (x * by - y * bx) / determinant, (ax * y - ay * x) / determinant


@CHECKS.step("on the grid")
def _on_grid(board: SegmentsBoard, segments: Segments, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i, segment in enumerate(segments):
        for end, point in enumerate(segment):
            if not all(_on_a_line(board, value) for value in point):
                yield Problem(f"end {ENDS[end]} of segment {i} is off the grid", [f"end {i}{ENDS[end]}"])


def _on_a_line(board: SegmentsBoard, value: float) -> bool:
    """Whether a coordinate is nearer than the tolerance to a value of the grid, if there is one."""
    return board.grid is None or any(abs(value - line) < board.tolerance - ROUNDING for line in board.grid)


@CHECKS.step("ends on the affine boundary")
def _on_boundary(board: SegmentsBoard, segments: Segments, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i, end, (u, v) in placed.ends():
        name = f"end {ENDS[end]} of segment {i}"
        low = -placed.board.tolerance
        high = 1 + placed.board.tolerance
        if not (low <= u <= high and low <= v <= high):
            yield Problem(f"{name} is out of bounds at ({u:.4g}, {v:.4g})", [f"end {i}{ENDS[end]}"])
        elif not placed.board.on_boundary(placed.near(i, end)):
            yield Problem(f"{name} is not on the boundary at ({u:.4g}, {v:.4g})", [f"end {i}{ENDS[end]}"])


@CHECKS.step("segments cross the frame")
def _across(board: SegmentsBoard, segments: Segments, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i in (0, 1):
        if placed.common_side(i):
            yield Problem(f"segment {i} lies on the boundary or has no length", [f"segment {i}"])


@CHECKS.step("the wanted shapes")
def _shapes(board: SegmentsBoard, segments: Segments, placed: SegmentsPlacement) -> Iterator[Problem]:
    counts = _rounded_counts(placed) if placed.is_partition else Counter[str]()
    if any(counts[shape] != count for shape, count in board.target.items()):
        yield Problem(f"{spell(counts)}; wanted {spell(board.target)}")


def _rounded_counts(placed: SegmentsPlacement) -> Counter[str]:
    """The counts that the published verifier sees, without the vertices that its rounding removes."""
    decimals = placed.board.decimals
    sizes = [corners_left(region.points, decimals) for region in regions_of(placed.board, *placed.chords)]
    return Counter(SHAPES.get(size, "other") for size in sizes if size >= 3)


def corners_left(points: Sequence[Point], decimals: int) -> int:
    """How many corners of a polygon are left after rounding."""
    rounded = [(round(x, decimals), round(y, decimals)) for x, y in points]
    corners = [point for k, point in enumerate(rounded) if point != rounded[k - 1]]
    while (straight := _first_straight(corners, decimals)) is not None:
        del corners[straight]
    return len(corners)


def _first_straight(corners: Sequence[Point], decimals: int) -> int | None:
    """The first corner of at least three at which the polygon looks straight."""
    if len(corners) < 3:
        return None
    following = (*corners[1:], corners[0])
    for k, ((bx, by), (cx, cy)) in enumerate(zip(corners, following, strict=True)):
        ax, ay = corners[k - 1]
        if round((bx - ax) * (cy - by) - (by - ay) * (cx - bx), decimals) == 0:
            return k
    return None
