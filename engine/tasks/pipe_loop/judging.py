"""The verifiers of pipe_loop: the basic checks in order, then a row for each constraint. All failures are reported."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from spatial_workbench.engine.core import Check, CheckList, Figure, Outcome, Problem
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.words import beside, counted
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import ExactCrossings, MaxCrossings
from spatial_workbench.engine.tasks.pipe_loop.shape import PipeShape, Point

LENGTH_TOLERANCE_M = 0.05
BACKWARD = -0.99
"""Cosine of the turn below which a pipe runs back along the one before: an interior angle under 8.11 degrees."""
DECIMALS = 6
"""The number of decimals to which points are rounded before they are compared."""
BORDERLINE_M = 1e-9

SHORTEST, LONGEST = Fraction(19, 20), Fraction(21, 20)

ENOUGH = "at least three points"

BASIC = CheckList()
PUBLISHED = CheckList()


def judge(order: PipeOrder, points: Sequence[Point]) -> Outcome:
    """The judgement by the rules."""
    return _judged(BASIC, order, points)


def judge_published(order: PipeOrder, points: Sequence[Point]) -> Outcome:
    """The judgement by the published test of crossings, which knows no touches."""
    return _judged(PUBLISHED, order, points)


def _judged(basic: CheckList, order: PipeOrder, points: Sequence[Point]) -> Outcome:
    rest = [constraint for constraint in order.constraints if not isinstance(constraint, MaxCrossings | ExactCrossings)]
    if len(points) < 3:
        few = Check.of(ENOUGH, [Problem(f"A loop has at least 3 points, not {len(points)}")])
        names = (*basic.names, *(constraint.name for constraint in rest))
        return Outcome.failed([few, *map(Check.not_reached, names)])
    shape = PipeShape.of(points, order.side)
    with np.errstate(all="ignore"):
        checks = [Check.of(ENOUGH, ()), *basic.run(order, shape, stop_at_first=False)]
        checks += [constraint.check(shape) for constraint in rest]
        return Outcome(float(all_passed(checks)), checks, figures_of(shape), _warnings(order, shape))


def figures_of(shape: PipeShape) -> list[Figure]:
    """What is measured on every loop."""
    return [
        Figure("pipes", len(shape.points)),
        Figure("worst length error", float(np.abs(shape.lengths - 1).max()), "m"),
        Figure("closing pipe", float(shape.lengths[-1]), "m"),
        Figure("crossings", shape.contacts.crossing_count),
        Figure("touches", shape.contacts.touch_count),
        Figure("crossings by the published test", shape.contacts.published_count),
        Figure("smallest angle", float(shape.angles_deg.min()), "°"),
        Figure("largest angle", float(shape.angles_deg.max()), "°"),
        Figure("hull area", shape.hull_area, "m²"),
    ]


def _warnings(order: PipeOrder, shape: PipeShape) -> list[str]:
    ours = shape.contacts.crossing_count
    published = shape.contacts.published_count
    if ours == published:
        return []
    return [f"The published test counts {counted(published, 'crossing')}, where there are {ours}"]


def is_unit(start: Point, end: Point, length: float) -> bool:
    """Whether a pipe is 1 m long within the tolerance; near the limits in exact fractions of the given numbers."""
    if abs(abs(length - 1) - LENGTH_TOLERANCE_M) > BORDERLINE_M:
        return abs(length - 1) <= LENGTH_TOLERANCE_M
    square = sum((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(start, end, strict=True))
    return bool(SHORTEST**2 <= square <= LONGEST**2)


# Basic checks --------------------------------------------------------------------------------------------------------


@BASIC.step("number of pipes")
@PUBLISHED.step("number of pipes")
def _count(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    count = len(shape.points)
    if count != order.pipes:
        again = ""
        if count == order.pipes + 1 and (shape.points[0] == shape.points[-1]).all():
            again = "; the first point is repeated at the end, leave it out"
        yield Problem(f"{counted(order.pipes, 'point is', 'points are')} wanted, one for each pipe, not {count}{again}")


@BASIC.step("inside the square")
@PUBLISHED.step("inside the square")
def _inside(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    inside = ((shape.points >= 0) & (shape.points <= shape.side)).all(axis=1)
    for i in np.flatnonzero(~inside).tolist():
        x, y = shape.points[i].tolist()
        yield Problem(f"Point {i}, ({x:.12g}, {y:.12g}), is outside the square of {shape.side:g} m", [f"point {i}"])


@BASIC.step("pipe lengths")
def _lengths(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    ends = shape.points.tolist()
    for i, length in enumerate(shape.lengths[:-1].tolist()):
        if not is_unit(ends[i], ends[i + 1], length):
            yield _wrong_length(f"Pipe {i}", i, length)


@BASIC.step("closing pipe")
def _closed(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    last, first = shape.points[[-1, 0]].tolist()
    if not is_unit(last, first, float(shape.lengths[-1])):
        yield _wrong_length("The closing pipe", len(shape.points) - 1, float(shape.lengths[-1]))


@PUBLISHED.step("pipe lengths")
def _published_lengths(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    for i, length in enumerate(shape.lengths[:-1].tolist()):
        if not abs(length - 1) <= LENGTH_TOLERANCE_M:
            yield _wrong_length(f"Pipe {i}", i, length)


@PUBLISHED.step("closing pipe")
def _published_closed(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    if not abs(shape.lengths[-1] - 1) <= LENGTH_TOLERANCE_M:
        yield _wrong_length("The closing pipe", len(shape.points) - 1, float(shape.lengths[-1]))


def _wrong_length(name: str, index: int, length: float) -> Problem:
    limit = SHORTEST if length < 1 else LONGEST
    shown = beside(length, float(limit), 3)
    return Problem(f"{name} is {shown} m long, not 1 m within {LENGTH_TOLERANCE_M:g} m", [f"pipe {index}"])


@BASIC.step("no point twice")
@PUBLISHED.step("no point twice")
def _twice(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    first: dict[Point, int] = {}
    for i, (x, y) in enumerate(shape.points.tolist()):
        place = round(x, DECIMALS), round(y, DECIMALS)
        if place in first:
            yield Problem(f"Point {i} is the same as point {first[place]}", [f"point {first[place]}", f"point {i}"])
        first.setdefault(place, i)


@BASIC.step("crossings")
def _crossings(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    crossings = shape.contacts.crossings
    count = shape.contacts.crossing_count
    if count == order.crossings:
        return
    if not crossings:
        yield Problem(f"No pipes cross, {counted(order.crossings, 'crossing is', 'crossings are')} wanted")
    for k, contact in enumerate(crossings):
        pipes = f"Pipes {contact.first} and {contact.second} cross"
        tally = f"; {counted(count, 'crossing')}, {order.crossings} wanted" if k == 0 else ""
        yield Problem(pipes + tally, [contact.id, f"pipe {contact.first}", f"pipe {contact.second}"])
    if count > len(crossings):
        yield Problem(f"{counted(count - len(crossings), 'more pair crosses', 'more pairs cross')}")


@BASIC.step("no touching")
def _touches(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    for contact in shape.contacts.touches:
        yield Problem(
            f"Pipes {contact.first} and {contact.second} touch",
            [contact.id, f"pipe {contact.first}", f"pipe {contact.second}"],
        )
    more = shape.contacts.touch_count - len(shape.contacts.touches)
    if more:
        yield Problem(f"{counted(more, 'more pair touches', 'more pairs touch')}")


@PUBLISHED.step("crossings")
def _published_crossings(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    if shape.contacts.published_count != order.crossings:
        yield Problem(f"{counted(shape.contacts.published_count, 'crossing')}, {order.crossings} wanted")


@BASIC.step("no way back")
@PUBLISHED.step("no way back")
def _backward(order: PipeOrder, shape: PipeShape) -> Iterator[Problem]:
    for i in np.flatnonzero(shape.turns_cos < BACKWARD).tolist():
        angle = shape.angles_deg[i]
        yield Problem(f"The pipes at point {i} run back along each other (angle {angle:.2f}°)", [f"point {i}"])
