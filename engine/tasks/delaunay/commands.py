"""What can be done to a triangulation: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.tasks.delaunay import MAX_TRIANGLES, Triangles, as_triangles, points_of
from spatial_workbench.engine.tasks.delaunay.editing import flipped, legalised, obstacle
from spatial_workbench.engine.tasks.delaunay.geometry import Points

commands = CommandList()


class ThreePoints(CommandArguments):
    """The corners of a triangle."""

    points: Annotated[tuple[WholeNumber, ...], Field(strict=False, min_length=3, max_length=3)] = Field(
        description="numbers of three points"
    )


class TwoPoints(CommandArguments):
    """The ends of an edge."""

    points: Annotated[tuple[WholeNumber, ...], Field(strict=False, min_length=2, max_length=2)] = Field(
        description="numbers of the two ends of the edge"
    )


class ChosenTriangles(CommandArguments):
    """Some triangles."""

    triangles: Numbers = Field(description="ids of triangles: their places in the list, from 0")


@commands.add("Add triangle", ThreePoints)
def triangle(instance: Instance, answer: Triangles, given: ThreePoints) -> Triangles:
    """Adds the triangle of three points."""
    points = points_of(instance)
    a, b, c = sorted(_existing(points, given.points))
    if reason := obstacle(points, as_triangles(answer), (a, b, c)):
        raise AnswerError(reason, ("points",))
    if len(answer.triangles) >= MAX_TRIANGLES:
        raise AnswerError(f"That would be more than {MAX_TRIANGLES} triangles")
    return Triangles(triangles=(*answer.triangles, (a, b, c)))


@commands.add("Flip edge", TwoPoints)
def flip(instance: Instance, answer: Triangles, given: TwoPoints) -> Triangles:
    """Replaces the edge between two triangles by the other diagonal of their quadrilateral."""
    points = points_of(instance)
    low, high = sorted(_existing(points, given.points))
    new = flipped(points, _usable(points, answer), (low, high))
    if new is None:
        raise AnswerError(f"The edge {low}-{high} is not between two triangles that make a convex quadrilateral")
    return Triangles(triangles=new)


@commands.add("Delete triangles", ChosenTriangles)
def delete(instance: Instance, answer: Triangles, given: ChosenTriangles) -> Triangles:
    """Deletes triangles; the ids of later ones become smaller."""
    gone = set(chosen(given.triangles, len(answer.triangles), "triangle", "triangles"))
    return Triangles(triangles=tuple(corners for k, corners in enumerate(answer.triangles) if k not in gone))


@commands.add("Flip all failing edges", NoArguments, Aid.SOLVING)
def flip_all(instance: Instance, answer: Triangles, given: NoArguments) -> Triangles:
    """Flips edges until no circumcircle of two neighbours holds a point of the other."""
    points = points_of(instance)
    return Triangles(triangles=legalised(points, _usable(points, answer)))


@commands.leading
def calls_between(instance: Instance, before: Triangles, after: Triangles) -> Iterator[Sequence[Call]]:
    """Calls that flip an edge, or delete and add triangles."""
    old, new = as_triangles(before), as_triangles(after)
    gone = [set(corners) for corners in old if corners not in new]
    if len(old) == len(new) and len(gone) == 2 and len(gone[0] & gone[1]) == 2:
        yield [("flip", {"points": sorted(gone[0] & gone[1])})]
    yield from ways_of_list(
        old,
        new,
        lambda numbers: ("delete", {"triangles": numbers}),
        lambda rest: [("triangle", {"points": list(corners)}) for corners in rest],
    )


def _existing(points: Points, numbers: Sequence[int]) -> Sequence[int]:
    """The numbers, all of which are points'."""
    for place, number in enumerate(numbers):
        if not 0 <= number < len(points):
            raise AnswerError(f"There is no point {number}; points go from 0 to {len(points) - 1}", ("points", place))
    return numbers


def _usable(points: Points, answer: Triangles) -> tuple[tuple[int, int, int], ...]:
    """The triangles, all of which have three corners that exist.

    Raises:
        AnswerError: One has not.
    """
    triangles = as_triangles(answer)
    for k, corners in enumerate(triangles):
        if len(set(corners)) < 3 or not all(0 <= i < len(points) for i in corners):
            raise AnswerError(f"Triangle {k} does not have three different points that exist; delete it first")
    return triangles
