"""What can be done to a cube: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.views import ViewTurn
from spatial_workbench.engine.cube.notation import NotationError, parse_moves, quarter_turns
from spatial_workbench.engine.cube.views import DIRECTIONS, View, transform
from spatial_workbench.engine.tasks.cube.answer import MAX_MOVES, CubeAnswer

MOST_AT_ONCE = 20_000
"""The longest text of moves, in characters."""

commands = CommandList()


class SingmasterMoves(CommandArguments):
    """Turns of faces."""

    moves: Annotated[str, Field(max_length=MOST_AT_ONCE)] = Field(
        description="in Singmaster's notation, such as R U' F2; a half turn is made as two quarter turns"
    )


class CubeViewDirection(CommandArguments):
    """A direction."""

    direction: Literal[DIRECTIONS] = Field(description="where the camera goes")  # type: ignore[valid-type]


@commands.add("Moves", SingmasterMoves)
def move(instance: Instance, answer: CubeAnswer, given: SingmasterMoves) -> CubeAnswer:
    """Turns faces of the cube, one after the other."""
    try:
        made = quarter_turns(parse_moves(given.moves))
    except NotationError as error:
        raise AnswerError(str(error), ("moves",)) from None
    if len(answer.moves) + len(made) > MAX_MOVES:
        raise AnswerError(f"That would be more than {MAX_MOVES} moves")
    return answer.model_copy(update={"moves": (*answer.moves, *made)})


@commands.leading
def calls_between(instance: Instance, before: CubeAnswer, after: CubeAnswer) -> Iterator[Sequence[Call]]:
    """A call that goes on with the moves; moves are taken back by undo only."""
    made = len(before.moves)
    if after.moves[:made] == before.moves:
        yield [("move", {"moves": " ".join(after.moves[made:])})]


def _turned(view: View, given: CubeViewDirection) -> tuple[View, str]:
    after, message = transform(view, given.direction)
    return after, "Done. The camera has moved." if after != view else f"{message[0].upper()}{message[1:]}."


TURN_OF_VIEW = ViewTurn(
    "apply_view_transformation", "Moves the camera around the cube, which stays as it is.", CubeViewDirection, _turned
)
