"""What can be done to the joined sides of squares: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Pair, chosen
from spatial_workbench.engine.tasks.enumerate_edges import MAX_PAIRS, Edges, board_of
from spatial_workbench.engine.tasks.labelled_squares.square import SIDES

commands = CommandList()

SideIndex = Annotated[WholeNumber, Field(ge=0, lt=len(SIDES))]


class JoinedSides(CommandArguments):
    """The joined sides of a square."""

    square: WholeNumber = Field(description="number of a square, from 0")
    pairs: Annotated[tuple[Pair, ...], at_most(MAX_PAIRS, "pairs")] = Field(
        description="the joined sides, each pair [i, j] of indices 0 to 3; empty: nothing is certain"
    )


class TwoSides(CommandArguments):
    """Two sides of a square."""

    square: WholeNumber = Field(description="number of a square, from 0")
    first: SideIndex = Field(description="index of a side, 0 to 3")
    second: SideIndex = Field(description="index of another side")


@commands.add("Set joined sides", JoinedSides, name="set")
def set_pairs(instance: Instance, answer: Edges, given: JoinedSides) -> Edges:
    """Says which sides of a square are joined, in place of what was said of it."""
    pairs = {_pair(first, second, ("pairs", place)) for place, (first, second) in enumerate(given.pairs)}
    return _with(instance, answer, given.square, pairs)


@commands.add("Join sides", TwoSides)
def join(instance: Instance, answer: Edges, given: TwoSides) -> Edges:
    """Joins two sides of a square."""
    pair = _pair(given.first, given.second, ("second",))
    return _with(instance, answer, given.square, _of_square(instance, answer, given.square) | {pair})


@commands.add("Separate sides", TwoSides)
def separate(instance: Instance, answer: Edges, given: TwoSides) -> Edges:
    """Separates two sides of a square."""
    pair = _pair(given.first, given.second, ("second",))
    return _with(instance, answer, given.square, _of_square(instance, answer, given.square) - {pair})


@commands.leading
def calls_between(instance: Instance, before: Edges, after: Edges) -> Iterator[Sequence[Call]]:
    """Calls that say which sides of each square are joined."""
    old, new = _lists(instance, before), _lists(instance, after)
    yield [
        ("set", {"square": square, "pairs": [list(pair) for pair in pairs]})
        for square, (was, pairs) in enumerate(zip(old, new, strict=True))
        if was != pairs
    ]


def _pair(first: int, second: int, place: tuple[str | int, ...]) -> tuple[int, int]:
    if not (0 <= first < len(SIDES) and 0 <= second < len(SIDES)) or first == second:
        raise AnswerError(f"[{first}, {second}] are not two of the sides 0 to {len(SIDES) - 1}", place)
    return min(first, second), max(first, second)


def _lists(instance: Instance, answer: Edges) -> list[tuple[tuple[int, ...], ...]]:
    count = len(board_of(instance).squares.walks)
    return [*answer.edges[:count], *[()] * (count - len(answer.edges))]


def _of_square(instance: Instance, answer: Edges, square: int) -> set[tuple[int, int]]:
    lists = _lists(instance, answer)
    chosen((square,), len(lists), "square", "square")
    return {(pair[0], pair[1]) for pair in lists[square]}


def _with(instance: Instance, answer: Edges, square: int, pairs: set[tuple[int, int]]) -> Edges:
    lists = _lists(instance, answer)
    chosen((square,), len(lists), "square", "square")
    lists[square] = tuple(sorted(pairs))
    return Edges(edges=tuple(lists))
