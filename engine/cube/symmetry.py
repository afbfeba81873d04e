"""The 48 symmetries of the cube, on states and on moves, and the inverse of a state: none changes the distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_move
from spatial_workbench.engine.cube.geometry import SYMMETRIES, TURNS, carried
from spatial_workbench.engine.cube.letters import Faces
from spatial_workbench.engine.cube.notation import inverse


@dataclass(frozen=True)
class Relation:
    """How a state is derived from another: optionally by inversion, then by one of the symmetries (0: the identity)."""

    symmetry: int
    inverted: bool

    def state(self, state: Faces) -> Faces:
        """The image of a state."""
        return image(inverse_state(state) if self.inverted else state, self.symmetry)

    def solution(self, solution: Sequence[str]) -> tuple[str, ...]:
        """The solution of the image, given a solution of the state."""
        return image_of_moves(inverse(solution) if self.inverted else solution, self.symmetry)

    def __str__(self) -> str:
        parts = ["its inverse"] * self.inverted + [f"symmetry {self.symmetry}"] * (self.symmetry > 0)
        return ", ".join(parts) or "itself"


RELATIONS = tuple(Relation(symmetry, inverted) for inverted in (False, True) for symmetry in range(48))
"""All 96 relations, the identity first."""


def inverse_state(state: Faces) -> Faces:
    """The state that the inverse of a scramble leads to."""
    return Cubies.of(state).inverse().faces()


def image(state: Faces, symmetry: int) -> Faces:
    """The state seen after the whole cube was moved, with the colours renamed so that the centres stay."""
    goal = _goals()[symmetry]
    names = {SOLVED[i]: SOLVED[goal[i]] for i in range(4, 54, 9)}
    letters = [""] * 54
    for i, letter in enumerate(state):
        letters[goal[i]] = names[letter]
    return Faces("".join(letters))


def image_of_moves(moves: Sequence[str], symmetry: int) -> tuple[str, ...]:
    """The moves that correspond to these on the image of a state."""
    table = _move_images()[symmetry]
    return tuple(table[move] for move in moves)


@cache
def _goals() -> tuple[tuple[int, ...], ...]:
    return tuple(carried(matrix) for matrix in SYMMETRIES)


@cache
def _move_images() -> tuple[dict[str, str], ...]:
    move_to = {apply_move(SOLVED, move): move for move in MOVES}
    return tuple(
        {move: move_to[image(apply_move(SOLVED, move), number)] for move in TURNS} for number in range(len(SYMMETRIES))
    )
