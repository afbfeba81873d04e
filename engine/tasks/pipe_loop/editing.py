"""What gestures do to a chain of pipes: pure functions, well under 5 ms. Lengths in metres.

A function that may refuse returns the new points and "", or None and the reason.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.pipe_loop.board import PipeLimits
from spatial_workbench.engine.tasks.pipe_loop.shape import Point

Snap = Literal["free", "angle", "lattice", "directions"]
Result = tuple[list[Point] | None, str]

ANGLE_STEP_DEG = 15.0
DIRECTION_REACH_DEG = 12.0
"""How close a new pipe must be to an existing direction, or one that ends on a wall, to snap to it."""
SAME = 1e-9


# Laying pipes --------------------------------------------------------------------------------------------------------


def first_point(place: Point, limits: PipeLimits, snap: Snap) -> Point:
    """The first point of a chain: the place clamped to the limits, and optionally snapped to the lattice."""
    x, y = (round(v) if snap == "lattice" else v for v in place)
    return limits.clamped((x, y))


def laid(points: Sequence[Point], toward: Point, limits: PipeLimits, snap: Snap) -> Result:
    """The chain with another pipe from its end towards a place."""
    if len(points) >= limits.pipes:
        return None, f"All {limits.pipes} pipes are used."
    end = points[-1]
    if math.dist(end, toward) < SAME:
        return None, "Point to where the pipe should go."
    angle = snapped_angle(points, math.atan2(toward[1] - end[1], toward[0] - end[0]), limits.side, snap)
    place = (_tidy(end[0] + math.cos(angle)), _tidy(end[1] + math.sin(angle)))
    if not limits.contain(place):
        return None, "The pipe would leave the square."
    return [*points, place], ""


def snapped_angle(points: Sequence[Point], angle: float, side: float, snap: Snap) -> float:
    """The direction of a new pipe, in radians."""
    if snap == "angle":
        step = math.radians(ANGLE_STEP_DEG)
        return round(angle / step) * step
    if snap == "lattice":
        return round(angle / (math.pi / 2)) * math.pi / 2
    if snap == "directions":
        near = min(_attractive(points, side), key=lambda other: abs(_turn(angle, other)), default=angle)
        return near if abs(_turn(angle, near)) <= math.radians(DIRECTION_REACH_DEG) else angle
    return angle


def _attractive(points: Sequence[Point], side: float) -> list[float]:
    """The directions of the existing pipes, both ways and across, and those that end on a wall."""
    angles = []
    for a, b in pairwise(points):
        along = math.atan2(b[1] - a[1], b[0] - a[0])
        angles += [along + k * math.pi / 2 for k in range(4)]
    x, y = points[-1]
    for gap, towards in ((side - x, 0.0), (x, math.pi), (side - y, math.pi / 2), (y, -math.pi / 2)):
        if 0 <= gap <= 1:
            angles += [towards + math.acos(gap), towards - math.acos(gap)]
    return angles


def _turn(a: float, b: float) -> float:
    return math.remainder(b - a, 2 * math.pi)


# Closing -------------------------------------------------------------------------------------------------------------


def gap_of(points: Sequence[Point]) -> float:
    """From the last point to the first."""
    return math.dist(points[-1], points[0]) if points else 0.0


def closed_with_two(points: Sequence[Point], limits: PipeLimits, near: Point | None = None) -> Result:
    """The chain closed with two more pipes inside the square, on the side nearer to a place or else outwards."""
    gap = gap_of(points)
    if len(points) < 2:
        return None, "Lay some pipes first."
    if len(points) + 1 > limits.pipes:
        return None, f"Only {limits.pipes - len(points)} points are left, and closing needs one."
    if gap > 2:
        return None, f"The gap is {gap:.2f} m; two pipes reach 2 m."
    if gap < SAME:
        return None, "The ends lie on each other."
    ways = [place for place in _peaks(points[-1], points[0], 1.0) if limits.contain(place)]
    if not ways:
        return None, "Both ways to close it leave the square."
    centre = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    chosen = min(ways, key=lambda p: math.dist(p, near)) if near else max(ways, key=lambda p: math.dist(p, centre))
    return [*points, chosen], ""


def _peaks(a: Point, b: Point, leg: float) -> list[Point]:
    """The two points at a distance from both ends."""
    base = math.dist(a, b)
    height = math.sqrt(max(0.0, leg**2 - base**2 / 4))
    mx, my = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    ux, uy = ((b[0] - a[0]) / base, (b[1] - a[1]) / base)
    return [(_tidy(mx - s * uy * height), _tidy(my + s * ux * height)) for s in (1, -1)]


def ring_of(count: int, side: float) -> list[Point]:
    """A ring of pipes in the middle of the square; if that is too small, the pipes are shorter than 1 m."""
    radius = min(0.5 / math.sin(math.pi / count), 0.48 * side)
    angles = [2 * math.pi * k / count - math.pi / 2 for k in range(count)]
    return [(side / 2 + radius * math.cos(angle), side / 2 + radius * math.sin(angle)) for angle in angles]


# Bumps and spikes ----------------------------------------------------------------------------------------------------


def bumped(points: Sequence[Point], pipe: int, toward: Point, limits: PipeLimits) -> Result:
    """The loop with a pipe replaced by the other three sides of the unit square on the side of a place (+2 pipes)."""
    a = points[pipe]
    b = points[(pipe + 1) % len(points)]
    nx, ny = _normal(a, b, toward)
    return _inserted(points, pipe, [(_tidy(a[0] + nx), _tidy(a[1] + ny)), (_tidy(b[0] + nx), _tidy(b[1] + ny))], limits)


def pulled_in(points: Sequence[Point], pipe: int) -> Result:
    """The loop with a bump removed: the pipe and its neighbours are replaced by one pipe (-2 pipes)."""
    count = len(points)
    before = points[pipe - 1]
    after = points[(pipe + 2) % count]
    if count < 6:
        return None, "Too few pipes are left."
    if abs(math.dist(before, after) - 1) > 0.05:
        return None, "This pipe is not the top of a bump: its neighbours' ends are not 1 m apart."
    gone = {pipe, (pipe + 1) % count}
    return [point for i, point in enumerate(points) if i not in gone], ""


def spiked(points: Sequence[Point], pipe: int, legs: int, toward: Point, limits: PipeLimits) -> Result:
    """The loop with a pipe replaced by a spike of two legs of `legs` pipes (+2 legs - 1 pipes)."""
    a = points[pipe]
    b = points[(pipe + 1) % len(points)]
    apex = min(_peaks(a, b, legs), key=lambda peak: math.dist(peak, toward))
    up = [_between(a, apex, k / legs) for k in range(1, legs)]
    down = [_between(apex, b, k / legs) for k in range(1, legs)]
    return _inserted(points, pipe, [*up, apex, *down], limits)


def _inserted(points: Sequence[Point], pipe: int, new: list[Point], limits: PipeLimits) -> Result:
    if not all(limits.contain(place) for place in new):
        return None, "That would leave the square."
    if (over := len(points) + len(new) - limits.pipes) > 0:
        return None, f"That takes {over} more than the {counted(limits.pipes, 'pipe')}."
    return [*points[: pipe + 1], *new, *points[pipe + 1 :]], ""


def _normal(a: Point, b: Point, toward: Point) -> Point:
    length = math.dist(a, b) or 1.0
    nx, ny = (a[1] - b[1]) / length, (b[0] - a[0]) / length
    sign = 1 if nx * (toward[0] - a[0]) + ny * (toward[1] - a[1]) >= 0 else -1
    return sign * nx, sign * ny


def _between(a: Point, b: Point, share: float) -> Point:
    return _tidy(a[0] + share * (b[0] - a[0])), _tidy(a[1] + share * (b[1] - a[1]))


# Stretches -----------------------------------------------------------------------------------------------------------


def stretch_of(indices: Sequence[int], count: int) -> tuple[int, int] | None:
    """The shortest run of points, as first and last, that contains the chosen ones; None for fewer than two."""
    chosen = sorted(set(indices))
    if len(chosen) < 2:
        return None
    gaps = [(after - before, before, after) for before, after in pairwise(chosen)]
    gaps.append((chosen[0] + count - chosen[-1], chosen[-1], chosen[0]))
    _, last, first = max(gaps)
    return first, last


def mirrored(points: Sequence[Point], first: int, last: int, limits: PipeLimits) -> Result:
    """The loop with a stretch mirrored at the line through its ends; all lengths are kept."""
    (ax, ay), (bx, by) = points[first], points[last]
    square = (bx - ax) ** 2 + (by - ay) ** 2
    if square < SAME:
        return None, "The ends of the stretch lie on each other."

    def mirror(point: Point) -> Point:
        along = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / square
        return _tidy(2 * (ax + along * (bx - ax)) - point[0]), _tidy(2 * (ay + along * (by - ay)) - point[1])

    return _replaced(points, first, last, [mirror(points[i]) for i in _inner(first, last, len(points))], limits)


def turned(points: Sequence[Point], first: int, last: int, limits: PipeLimits) -> Result:
    """The loop with a stretch turned by 180 degrees about the middle of its ends; all lengths are kept."""
    (ax, ay), (bx, by) = points[first], points[last]
    inner = [(_tidy(ax + bx - points[i][0]), _tidy(ay + by - points[i][1])) for i in _inner(first, last, len(points))]
    return _replaced(points, first, last, inner[::-1], limits)


def _inner(first: int, last: int, count: int) -> list[int]:
    return [(first + k) % count for k in range(1, (last - first) % count)]


def _replaced(points: Sequence[Point], first: int, last: int, inner: Sequence[Point], limits: PipeLimits) -> Result:
    if not inner:
        return None, "Select a stretch of at least three points."
    if not all(limits.contain(place) for place in inner):
        return None, "That would leave the square."
    changed = list(points)
    for i, place in zip(_inner(first, last, len(points)), inner, strict=True):
        changed[i] = place
    return changed, ""


def _tidy(value: float) -> float:
    """Points rounded to a billionth, so that a lattice stays exact."""
    return round(value, 9) + 0.0
