"""The answer of the cube's tasks: quarter turns."""

from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core.answer import ReasonedAnswer, at_most

MAX_MOVES = 100_000


class CubeAnswer(ReasonedAnswer):
    """The moves in the order in which they are made."""

    moves: Annotated[tuple[str, ...], at_most(MAX_MOVES, "moves")] = Field(
        description="Quarter turns in order, each one of F, F', B, B', L, L', R, R', U, U', D, D'"
    )
