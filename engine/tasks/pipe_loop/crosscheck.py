"""The cross-check of pipe_loop: the same rules with shapely, exact fractions, turning angles and trees.

Crossings: the pipes are noded, and a node through which k pipes run counts k (k - 1) / 2. By Whitney's theorem the
signed turns add up to 360 degrees times a number that is odd just when the number of crossings is even.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Check, CheckList, Figure, Outcome, Problem
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.pipe_loop import constraints as c
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.shape import Point

SHORTEST, LONGEST = Fraction(19, 20) ** 2, Fraction(21, 20) ** 2
BORDERLINE = 1e-9
TOUCH_M = 1e-9
MOST_TOUCHES = 1000
"""If there are more touches, they are not listed one by one, and the pipes are not noded."""
WAY_BACK_DEG = math.degrees(math.acos(0.99))
STRAIGHT_DEG = 175.0

Ints = NDArray[np.intp]

CHECKS = CheckList()


def judge(order: PipeOrder, points: Sequence[Point]) -> Outcome:
    """The same verdict as the default's, found by other methods."""
    if len(points) < 3:
        return Outcome.failed([Check.of("a ring of three points", [Problem("A ring has at least 3 points")])])
    ring = PipeRing(order, points)
    checks = CHECKS.run(ring, stop_at_first=False)
    for constraint in order.constraints:
        if test := TESTS.get(type(constraint)):
            problems = [] if test(ring, constraint) else [Problem(f"{constraint.name}: not met")]
            checks.append(Check.of(constraint.name, problems))
    figures = [Figure("turning number", ring.turns / 360)]
    if ring.can_be_noded:
        figures.insert(0, Figure("crossings by noding", ring.crossings))
    return Outcome(float(all_passed(checks)), checks, figures, ring.borderline)


class PipeRing:
    """A loop as shapely sees it."""

    def __init__(self, order: PipeOrder, points: Sequence[Point]) -> None:
        self.order = order
        self.points = points
        self.side = order.side

    @cached_property
    def squares(self) -> list[Fraction]:
        """The squared lengths of the pipes, exactly."""
        return [
            sum(((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))
            for p, q in self.pipes
        ]

    @property
    def pipes(self) -> list[tuple[Point, Point]]:
        """The ends of each pipe."""
        return list(zip(self.points, (*self.points[1:], self.points[0]), strict=True))

    @cached_property
    def borderline(self) -> list[str]:
        """Lengths so close to a limit that rounding decides."""
        near = [
            i for i, s in enumerate(self.squares) if min(abs(s - SHORTEST), abs(s - LONGEST)) < Fraction(BORDERLINE)
        ]
        return [f"The lengths of these pipes are within 1e-9 of a limit: {near}"] if near else []

    @cached_property
    def is_simple(self) -> bool:
        """Whether the ring neither crosses nor touches itself."""
        from shapely import LinearRing

        return bool(LinearRing(self.points).is_simple)

    @cached_property
    def nodes(self) -> Counter[Point]:
        """The ends of the pieces into which the pipes cut each other, and how many pieces end there."""
        from shapely import MultiLineString, get_parts, unary_union

        ends: Counter[Point] = Counter()
        for piece in get_parts(unary_union(MultiLineString(self.pipes))):
            # Pipes without length leave an empty piece.
            coordinates = list(piece.coords)
            ends.update([*coordinates[:1], *coordinates[-1:]])
        return ends

    @cached_property
    def crossings(self) -> int:
        """How many pairs of pipes cross, by the degrees of the nodes that are not points of the loop."""
        own = set(self.points)
        through = (degree // 2 for node, degree in self.nodes.items() if node not in own)
        return sum(k * (k - 1) // 2 for k in through)

    @cached_property
    def touches(self) -> Ints:
        """Points that lie on a pipe which does not end there: rows of (point, pipe)."""
        import shapely

        tree = shapely.STRtree(shapely.linestrings(self.pipes))
        pairs = tree.query(shapely.points(self.points), predicate="dwithin", distance=TOUCH_M)
        count = len(self.points)
        apart: Ints = pairs[:, (pairs[0] - pairs[1]) % count > 1].T
        return apart

    @property
    def can_be_noded(self) -> bool:
        """Whether the nodes are found in a moment: not where thousands of pipes lie along each other."""
        return len(self.touches) <= MOST_TOUCHES

    @cached_property
    def signed_turns(self) -> list[float]:
        """The turn at each point in degrees, left positive, by atan2."""
        turns = []
        for (px, py), (x, y), (nx, ny) in zip(
            (self.points[-1], *self.points[:-1]), self.points, (*self.points[1:], self.points[0]), strict=True
        ):
            ux, uy, vx, vy = x - px, y - py, nx - x, ny - y
            turns.append(math.degrees(math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)))
        return turns

    @property
    def turns(self) -> float:
        """The sum of all turns in degrees."""
        return math.fsum(self.signed_turns)

    @cached_property
    def angles(self) -> list[float]:
        """The interior angles in degrees; 0 beside a pipe without length."""
        return [
            0.0 if not (self.squares[i - 1] and self.squares[i]) else 180 - abs(turn)
            for i, turn in enumerate(self.signed_turns)
        ]

    @cached_property
    def cloud(self) -> Any:
        """The points as a shapely MultiPoint."""
        from shapely import MultiPoint

        return MultiPoint(self.points)

    def box(self, margin: float = 0.0) -> Any:
        """The square less a margin."""
        from shapely import box

        return box(margin, margin, self.side - margin, self.side - margin)


@CHECKS.step("number of pipes")
def _count(ring: PipeRing) -> Iterator[Problem]:
    if len(ring.points) != ring.order.pipes:
        yield Problem(f"{counted(len(ring.points), 'point')}, {ring.order.pipes} wanted")


@CHECKS.step("covered by the square")
def _inside(ring: PipeRing) -> Iterator[Problem]:
    if not ring.box().covers(ring.cloud):
        yield Problem("The square does not cover all points")


@CHECKS.step("squared lengths in fractions")
def _lengths(ring: PipeRing) -> Iterator[Problem]:
    for i, square in enumerate(ring.squares):
        if not SHORTEST <= square <= LONGEST:
            yield Problem(f"Pipe {i} has the squared length {float(square):.9g}", [f"pipe {i}"])


@CHECKS.step("no point twice")
def _twice(ring: PipeRing) -> Iterator[Problem]:
    written = Counter((float(f"{x:.6f}"), float(f"{y:.6f}")) for x, y in ring.points)
    for (x, y), times in written.items():
        if times > 1:
            yield Problem(f"({x:g}, {y:g}) is there {times} times")


@CHECKS.step("crossings by noding")
def _crossings(ring: PipeRing) -> Iterator[Problem]:
    expected = ring.order.crossings
    if expected == 0 and not ring.is_simple:
        yield Problem("The ring is not simple")
    elif expected and not ring.can_be_noded:
        yield Problem("Too many points lie on pipes to count the crossings")
    elif expected and ring.crossings != expected:
        yield Problem(f"{ring.crossings} pairs of pipes cross, {expected} wanted")


@CHECKS.step("no touching")
def _touches(ring: PipeRing) -> Iterator[Problem]:
    for point, pipe in ring.touches[:MOST_TOUCHES].tolist():
        yield Problem(f"Point {point} lies on pipe {pipe}", [f"point {point}", f"pipe {pipe}"])
    if not ring.can_be_noded:
        yield Problem(f"{len(ring.touches) - MOST_TOUCHES} more points lie on pipes")


@CHECKS.step("turning number")
def _turning(ring: PipeRing) -> Iterator[Problem]:
    if len(ring.touches) or min(ring.angles) < BORDERLINE:
        return
    number = ring.turns / 360
    if abs(number - round(number)) > 1e-6 or (round(number) + ring.crossings) % 2 == 0:
        yield Problem(f"The turns add up to {number:.6f} times 360°, with {counted(ring.crossings, 'crossing')}")


@CHECKS.step("no way back")
def _backward(ring: PipeRing) -> Iterator[Problem]:
    for i, angle in enumerate(ring.angles):
        if ring.squares[i - 1] and ring.squares[i] and angle < WAY_BACK_DEG:
            yield Problem(f"The angle at point {i} is {angle:.3f}°", [f"point {i}"])


# Constraints ---------------------------------------------------------------------------------------------------------


def _angle_range(ring: PipeRing, constraint: c.AngleRange) -> bool:
    return all(constraint.min_deg <= angle <= constraint.max_deg for angle in ring.angles)


def _centroid_box(ring: PipeRing, constraint: c.CentroidBox) -> bool:
    from shapely import box

    x0, x1, y0, y1 = constraint.bounds(ring.side)
    return bool(box(x0, y0, x1, y1).covers(ring.cloud.centroid))


def _walls(ring: PipeRing, constraint: c.MustTouchBoundary) -> bool:
    from shapely import LineString

    s = ring.side
    corners = [(0, 0), (s, 0), (s, s), (0, s)]
    edges = [LineString([corners[k], corners[(k + 1) % 4]]) for k in range(4)]
    touched = [edge for edge in edges if edge.distance(ring.cloud) <= max(0.001, 0.001 * s)]
    return len(touched) >= constraint.edges_needed


def _turn_count(ring: PipeRing, constraint: c.MinTurns) -> bool:
    return sum(angle < STRAIGHT_DEG for angle in ring.angles) >= constraint.min_turns


def _straight_run(ring: PipeRing, constraint: c.MaxStraightRun) -> bool:
    marks = "".join("s" if angle > STRAIGHT_DEG else "t" for angle in ring.angles)
    if constraint.cyclic and "t" in marks:
        at = marks.index("t")
        marks = marks[at:] + marks[:at]
    return "s" * (constraint.max_run + 1) not in marks


def _quadrants(ring: PipeRing, constraint: c.CoverageQuadrants) -> bool:
    from shapely import box

    half = ring.side / 2
    far = 10 * ring.side
    quarters = (box(-far, -far, half, half), box(half, -far, far, half),
                box(-far, half, half, far), box(half, half, far, far))  # fmt: skip
    return all(quarter.intersects(ring.cloud) for quarter in quarters)


def _margin(ring: PipeRing, constraint: c.AvoidMargin) -> bool:
    return bool(ring.box(constraint.margin_ratio * ring.side).covers(ring.cloud))


def _hull(ring: PipeRing, constraint: c.MinConvexHullArea) -> bool:
    return bool(ring.cloud.convex_hull.area >= constraint.min_area_ratio * ring.side**2 * (1 - 1e-12))


def _start(ring: PipeRing, constraint: c.FixedStart) -> bool:
    from shapely import Point

    return bool(
        Point(ring.points[0]).distance(Point(constraint.x_ratio * ring.side, constraint.y_ratio * ring.side))
        <= constraint.tolerance
    )


def _separation(ring: PipeRing, constraint: c.MinPointSeparation) -> bool:
    from scipy.spatial import cKDTree

    near = cKDTree(ring.points).query_pairs(constraint.min_dist * (1 + 1e-9))
    return all(math.dist(ring.points[i], ring.points[j]) >= constraint.min_dist for i, j in near if abs(i - j) >= 2)


TESTS: dict[type[c.Constraint], Callable[[PipeRing, Any], bool]] = {
    c.AngleRange: _angle_range,
    c.CentroidBox: _centroid_box,
    c.MustTouchBoundary: _walls,
    c.MinTurns: _turn_count,
    c.MaxStraightRun: _straight_run,
    c.CoverageQuadrants: _quadrants,
    c.AvoidMargin: _margin,
    c.MinConvexHullArea: _hull,
    c.FixedStart: _start,
    c.MinPointSeparation: _separation,
}
