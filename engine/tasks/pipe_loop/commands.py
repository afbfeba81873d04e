"""What can be done to a chain of pipes: the commands of editors, agents and other programs. Lengths in metres.

Pipes may leave the square, be too many or have another length than 1 m: that is for the verdict to say.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.tasks.pipe_loop import MAX_POINTS, PipeEnd, PipeLoopAnswer
from spatial_workbench.engine.tasks.pipe_loop.board import PipeLimits, PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.editing import (
    Result,
    bumped,
    closed_with_two,
    mirrored,
    pulled_in,
    ring_of,
    spiked,
    turned,
)
from spatial_workbench.engine.tasks.pipe_loop.relax import dragged, is_closed, relaxed
from spatial_workbench.engine.tasks.pipe_loop.shape import Point

commands = CommandList()

DECIMALS = 6
MOST_LEGS = 100
FARTHEST_M = 1e6
Joint = Annotated[WholeNumber, Field(ge=0, lt=MAX_POINTS)]
Metres = Annotated[Number, Field(ge=-FARTHEST_M, le=FARTHEST_M)]


class PipePoint(CommandArguments):
    """A point."""

    x_m: Metres = Field(description="metres from the left wall")
    y_m: Metres = Field(description="metres from the lower wall")


class PipeHeading(CommandArguments):
    """Where pipes go."""

    heading_deg: Number = Field(description="direction: 0 along +x, 90 along +y")
    pipes: Annotated[WholeNumber, Field(ge=1, le=MAX_POINTS)] = Field(default=1, description="how many in a row")


class MovedJoint(PipePoint):
    """A joint and where it goes."""

    joint: Joint = Field(description="id of the joint")
    follows: bool = Field(default=True, description="whether the others follow, so that pipes keep their length")


class BentChain(CommandArguments):
    """A bend."""

    joint: Joint = Field(description="id of the joint about which the later ones turn")
    turn_deg: Number = Field(description="how far, counter-clockwise")


class ChosenJoints(CommandArguments):
    """Some joints."""

    joints: Numbers = Field(description="ids of joints: their places in the list, from 0")


class BumpedPipe(PipePoint):
    """A pipe, and a point on the side where it bulges."""

    pipe: Joint = Field(description="the pipe, by the joint where it begins")


class SpikedPipe(BumpedPipe):
    """A pipe, the length of its spike, and a point on that side."""

    legs: Annotated[WholeNumber, Field(ge=1, le=MOST_LEGS)] = Field(description="how many pipes each side has")


class OnePipe(CommandArguments):
    """A pipe."""

    pipe: Joint = Field(description="the pipe, by the joint where it begins")


class JointStretch(CommandArguments):
    """A stretch of the loop."""

    first: Joint = Field(description="id of the joint where the stretch begins")
    last: Joint = Field(description="id of the joint where it ends, further along the loop")


@commands.add("Lay pipe", PipePoint)
def pipe(instance: Instance, answer: PipeLoopAnswer, given: PipePoint) -> PipeLoopAnswer:
    """Lays a pipe from the end of the chain to a point; the first point begins the chain."""
    return _extended(answer, [PipeEnd(x=given.x_m, y=given.y_m)])


@commands.add("Lay pipes", PipeHeading)
def lay(instance: Instance, answer: PipeLoopAnswer, given: PipeHeading) -> PipeLoopAnswer:
    """Lays pipes of 1 m from the end of the chain in a direction."""
    points = _some(answer)
    x, y = points[-1]
    angle = math.radians(given.heading_deg)
    places = [(x + k * math.cos(angle), y + k * math.sin(angle)) for k in range(1, given.pipes + 1)]
    return _extended(answer, _ends(places))


@commands.add("Move joint", MovedJoint)
def move(instance: Instance, answer: PipeLoopAnswer, given: MovedJoint) -> PipeLoopAnswer:
    """Moves a joint to a point."""
    points = _some(answer)
    joint = _existing(given.joint, points, "joint")
    if not given.follows:
        points[joint] = (given.x_m, given.y_m)
        return _of(points)
    is_loop = is_closed(points, _order(instance).pipes)
    return _of(dragged(points, {joint: (given.x_m, given.y_m)}, _limits(instance), is_loop))


@commands.add("Bend chain", BentChain)
def bend(instance: Instance, answer: PipeLoopAnswer, given: BentChain) -> PipeLoopAnswer:
    """Turns all joints after a joint about it."""
    points = _some(answer)
    joint = _existing(given.joint, points, "joint")
    x, y = points[joint]
    cos, sin = math.cos(math.radians(given.turn_deg)), math.sin(math.radians(given.turn_deg))
    turn = [(x + cos * (u - x) - sin * (v - y), y + sin * (u - x) + cos * (v - y)) for u, v in points[joint + 1 :]]
    return _of([*points[: joint + 1], *turn])


@commands.add("Delete joints", ChosenJoints)
def delete(instance: Instance, answer: PipeLoopAnswer, given: ChosenJoints) -> PipeLoopAnswer:
    """Deletes joints; the ids of later ones become smaller."""
    gone = set(chosen(given.joints, len(answer.points), "joint", "joints"))
    return PipeLoopAnswer(points=tuple(point for k, point in enumerate(answer.points) if k not in gone))


@commands.add("Bump", BumpedPipe)
def bump(instance: Instance, answer: PipeLoopAnswer, given: BumpedPipe) -> PipeLoopAnswer:
    """Replaces a pipe by the other three sides of a unit square on the side of a point: two pipes more."""
    points = _some(answer)
    place = (given.x_m, given.y_m)
    return _done(bumped(points, _existing(given.pipe, points, "pipe"), place, _limits(instance)))


@commands.add("Pull in", OnePipe)
def pull_in(instance: Instance, answer: PipeLoopAnswer, given: OnePipe) -> PipeLoopAnswer:
    """Replaces a pipe at the top of a bump, and its two neighbours, by one pipe: two pipes fewer."""
    points = _some(answer)
    return _done(pulled_in(points, _existing(given.pipe, points, "pipe")))


@commands.add("Spike", SpikedPipe)
def spike(instance: Instance, answer: PipeLoopAnswer, given: SpikedPipe) -> PipeLoopAnswer:
    """Replaces a pipe by a spike on the side of a point."""
    points = _some(answer)
    place = (given.x_m, given.y_m)
    return _done(spiked(points, _existing(given.pipe, points, "pipe"), given.legs, place, _limits(instance)))


@commands.add("Mirror", JointStretch)
def mirror(instance: Instance, answer: PipeLoopAnswer, given: JointStretch) -> PipeLoopAnswer:
    """Mirrors a stretch at the line through its ends."""
    points = _some(answer)
    return _done(mirrored(points, *_ends_of(given, points), _limits(instance)))


@commands.add("Turn", JointStretch)
def turn(instance: Instance, answer: PipeLoopAnswer, given: JointStretch) -> PipeLoopAnswer:
    """Turns a stretch by 180 degrees about the middle of its ends."""
    points = _some(answer)
    return _done(turned(points, *_ends_of(given, points), _limits(instance)))


@commands.add("Ring", NoArguments, Aid.SOLVING)
def ring(instance: Instance, answer: PipeLoopAnswer, given: NoArguments) -> PipeLoopAnswer:
    """Starts again with all pipes in a ring; where the square is too small, they are too short."""
    order = _order(instance)
    return _of(ring_of(order.pipes, order.side))


@commands.add("Close", NoArguments, Aid.SOLVING)
def close(instance: Instance, answer: PipeLoopAnswer, given: NoArguments) -> PipeLoopAnswer:
    """Closes the chain with two pipes inside the square."""
    order = _order(instance)
    return _done(closed_with_two(answer.places, PipeLimits(order.side, order.pipes)))


@commands.add("Relax", NoArguments, Aid.SOLVING)
def relax(instance: Instance, answer: PipeLoopAnswer, given: NoArguments) -> PipeLoopAnswer:
    """Lets the chain settle towards what is asked for, until every check passes or it takes too long."""
    if len(answer.points) < 2:
        raise AnswerError("There are no pipes yet that could settle")
    return _of(relaxed(_order(instance), answer.places))


@commands.leading
def calls_between(instance: Instance, before: PipeLoopAnswer, after: PipeLoopAnswer) -> Iterator[Sequence[Call]]:
    """Calls that move joints one by one, or delete them and lay pipes from there."""

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        places = [(k, after.places[k]) for k in numbers]
        yield [("move", {"joint": k, "x_m": x, "y_m": y, "follows": False}) for k, (x, y) in places]

    yield from ways_of_list(
        before.points,
        after.points,
        lambda gone: ("delete", {"joints": gone}),
        lambda rest: [("pipe", {"x_m": end.x, "y_m": end.y}) for end in rest],
        change,
    )


def _order(instance: Instance) -> PipeOrder:
    return PipeOrder.of(instance.parameters)


def _limits(instance: Instance) -> PipeLimits:
    """Those of people whose answer is not judged."""
    return PipeLimits(_order(instance).side, MAX_POINTS, keeps_inside=False)


def _some(answer: PipeLoopAnswer) -> list[Point]:
    """The points. Raises AnswerError where there is none."""
    if not answer.points:
        raise AnswerError("There is no joint yet; begin the chain with pipe")
    return answer.places


def _existing(number: int, points: Sequence[Point], noun: str, field: str = "") -> int:
    if not 0 <= number < len(points):
        raise AnswerError(f"There is no {noun} {number}; ids go from 0 to {len(points) - 1}", (field or noun,))
    return number


def _ends_of(given: JointStretch, points: Sequence[Point]) -> tuple[int, int]:
    return _existing(given.first, points, "joint", "first"), _existing(given.last, points, "joint", "last")


def _extended(answer: PipeLoopAnswer, new: Sequence[PipeEnd]) -> PipeLoopAnswer:
    if len(answer.points) + len(new) > MAX_POINTS:
        raise AnswerError(f"That would be more than {MAX_POINTS} points")
    return PipeLoopAnswer(points=(*answer.points, *new))


def _done(result: Result) -> PipeLoopAnswer:
    points, reason = result
    if points is None:
        raise AnswerError(reason)
    return _of(points)


def _of(points: Sequence[Point]) -> PipeLoopAnswer:
    return PipeLoopAnswer(points=tuple(_ends(points)))


def _ends(points: Sequence[Point]) -> list[PipeEnd]:
    """Points to whole micrometres, as the editor keeps them."""
    return [PipeEnd(x=round(x, DECIMALS) + 0.0, y=round(y, DECIMALS) + 0.0) for x, y in points]
