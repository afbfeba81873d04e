"""What can be done to rectangles: the commands of editors, agents and other programs.

A cell is [column, row] from 0 at the top left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, Pair, chosen, inside
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.tasks.shikaku import MAX_RECTANGLES, Rectangles, as_rectangles
from spatial_workbench.engine.tasks.shikaku.board import Rectangle, ShikakuBoard

commands = CommandList()


class RectangleCorners(CommandArguments):
    """Two opposite corners."""

    corner: Pair = Field(description="a corner cell: column, row")
    opposite: Pair = Field(description="the opposite corner cell, included")


class ReplacedRectangle(RectangleCorners):
    """A rectangle that gets other corners."""

    rectangle: WholeNumber = Field(description="id of a rectangle")


class ChosenRectangles(CommandArguments):
    """Some rectangles."""

    rectangles: Numbers = Field(description="ids of rectangles")


class ClueCandidate(CommandArguments):
    """A clue."""

    cell: Pair = Field(description="cell of a clue: column, row")
    step: Annotated[WholeNumber, Field(ge=-MAX_RECTANGLES, le=MAX_RECTANGLES)] = Field(
        default=1, description="how many candidates further"
    )


@commands.add("Draw rectangle", RectangleCorners)
def rectangle(instance: Instance, answer: Rectangles, given: RectangleCorners) -> Rectangles:
    """Draws a rectangle between two corner cells, both included."""
    return _with(answer, _spanned(instance, given))


@commands.add("Resize rectangle", ReplacedRectangle)
def resize(instance: Instance, answer: Rectangles, given: ReplacedRectangle) -> Rectangles:
    """Gives a rectangle other corners."""
    chosen((given.rectangle,), len(answer.rectangles), "rectangle", "rectangle")
    return _replaced(answer, given.rectangle, _spanned(instance, given))


@commands.add("Delete rectangles", ChosenRectangles)
def delete(instance: Instance, answer: Rectangles, given: ChosenRectangles) -> Rectangles:
    """Deletes rectangles; the ids of later ones become smaller."""
    gone = set(chosen(given.rectangles, len(answer.rectangles), "rectangle", "rectangles"))
    return Rectangles(rectangles=tuple(r for k, r in enumerate(answer.rectangles) if k not in gone))


@commands.add("Next candidate", ClueCandidate, Aid.SOLVING)
def candidate(instance: Instance, answer: Rectangles, given: ClueCandidate) -> Rectangles:
    """Gives a clue its next possible rectangle, or its first one if it has none."""
    board = ShikakuBoard.of(instance.parameters)
    x, y = given.cell
    if (x, y) not in board.clues:
        raise AnswerError(f"Cell {list(given.cell)} holds no clue", ("cell",))
    options = board.candidates((x, y))
    if not options:
        raise AnswerError("This clue has no candidates", ("cell",))
    drawn = as_rectangles(answer)
    place = next((k for k, one in enumerate(drawn) if one in options), None)
    if place is None:
        return _with(answer, options[0])
    return _replaced(answer, place, options[(options.index(drawn[place]) + given.step) % len(options)])


@commands.leading
def calls_between(instance: Instance, before: Rectangles, after: Rectangles) -> Iterator[Sequence[Call]]:
    """Calls that resize rectangles, or delete and draw them."""

    def corners(one: Rectangle) -> dict[str, list[int]]:
        return {"corner": list(one[:2]), "opposite": list(one[2:])}

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        yield [("resize", {"rectangle": k, **corners(new[k])}) for k in numbers]

    old, new = as_rectangles(before), as_rectangles(after)
    yield from ways_of_list(
        old,
        new,
        lambda gone: ("delete", {"rectangles": gone}),
        lambda rest: [("rectangle", corners(one)) for one in rest],
        change,
    )


def _spanned(instance: Instance, given: RectangleCorners) -> Rectangle:
    board = ShikakuBoard.of(instance.parameters)
    size = (board.width, board.height)
    inside([given.corner], size, "corner")
    inside([given.opposite], size, "opposite")
    (x0, y0), (x1, y1) = given.corner, given.opposite
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _with(answer: Rectangles, one: Rectangle) -> Rectangles:
    """With a rectangle more, unless it is there already."""
    drawn: Sequence[Rectangle] = as_rectangles(answer)
    if one not in drawn and len(drawn) >= MAX_RECTANGLES:
        raise AnswerError(f"That would be more than {MAX_RECTANGLES} rectangles")
    return answer if one in drawn else Rectangles(rectangles=(*drawn, one))


def _replaced(answer: Rectangles, place: int, one: Rectangle) -> Rectangles:
    drawn = as_rectangles(answer)
    return Rectangles(rectangles=(*drawn[:place], one, *drawn[place + 1 :]))
