"""The cubie model: where each piece is and how it is turned; moves are products in the cube's group.

The six turns are defined piece by piece here, without the facelet model's tables, so that the two models can check each
other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.cube.facelets import SOLVED
from spatial_workbench.engine.cube.geometry import CENTRE_OF, CORNER_NAMES, CORNERS, EDGE_NAMES, EDGES
from spatial_workbench.engine.cube.letters import Faces


@dataclass(frozen=True)
class Cubies:
    """A state, or the change that leads to it from the solved cube.

    corners[i] is the piece at corner position i and twists[i] (0 to 2) the place of its U or D sticker there; edges[i]
    and flips[i] (0 or 1) are the same for edges. Positions and pieces are numbered as in CORNER_NAMES and EDGE_NAMES.
    """

    corners: tuple[int, ...] = tuple(range(8))
    twists: tuple[int, ...] = (0,) * 8
    edges: tuple[int, ...] = tuple(range(12))
    flips: tuple[int, ...] = (0,) * 12

    def then(self, other: Cubies) -> Cubies:
        """This change followed by the other one."""
        return Cubies(
            tuple(self.corners[j] for j in other.corners),
            tuple((self.twists[j] + t) % 3 for j, t in zip(other.corners, other.twists, strict=True)),
            tuple(self.edges[j] for j in other.edges),
            tuple((self.flips[j] + f) % 2 for j, f in zip(other.edges, other.flips, strict=True)),
        )

    def inverse(self) -> Cubies:
        """The change that undoes this one."""
        where_corner = [self.corners.index(piece) for piece in range(8)]
        where_edge = [self.edges.index(piece) for piece in range(12)]
        return Cubies(
            tuple(where_corner),
            tuple(-self.twists[i] % 3 for i in where_corner),
            tuple(where_edge),
            tuple(self.flips[i] for i in where_edge),
        )

    def after(self, moves: Iterable[str]) -> Cubies:
        """The state after these moves.

        Raises:
            KeyError: There is no such move.
        """
        state = self
        for move in moves:
            state = state.then(moves_as_cubies()[move])
        return state

    @property
    def is_solved(self) -> bool:
        """Whether every piece is in its place."""
        return self == Cubies()

    def faces(self) -> Faces:
        """The stickers of the state."""
        letters = [SOLVED[CENTRE_OF[i]] for i in range(54)]
        for place, piece, twist in zip(CORNERS, self.corners, self.twists, strict=True):
            for k, letter in enumerate(CORNER_NAMES[piece]):
                letters[place[(k + twist) % 3]] = letter
        for place, piece, flip in zip(EDGES, self.edges, self.flips, strict=True):
            for k, letter in enumerate(EDGE_NAMES[piece]):
                letters[place[(k + flip) % 2]] = letter
        return Faces("".join(letters))

    @classmethod
    def of(cls, state: Faces) -> Cubies:
        """The pieces of a valid state.

        Raises:
            KeyError: A position shows letters that no piece has.
        """
        corners = [_CORNERS_BY_LETTERS["".join(state[i] for i in place)] for place in CORNERS]
        edges = [_EDGES_BY_LETTERS["".join(state[i] for i in place)] for place in EDGES]
        return cls(
            tuple(piece for piece, _ in corners),
            tuple(twist for _, twist in corners),
            tuple(piece for piece, _ in edges),
            tuple(flip for _, flip in edges),
        )


def _turned(name: str, by: int) -> str:
    """The letters that a position shows if the first sticker of its piece is at place `by`."""
    return name[-by:] + name[:-by] if by else name


_CORNERS_BY_LETTERS = {_turned(name, t): (i, t) for i, name in enumerate(CORNER_NAMES) for t in range(3)}
_EDGES_BY_LETTERS = {_turned(name, f): (i, f) for i, name in enumerate(EDGE_NAMES) for f in range(2)}


def corner_showing(letters: str) -> tuple[int, int] | None:
    """The corner piece that shows these three face letters in the order of its position, and its twist."""
    return _CORNERS_BY_LETTERS.get(letters)


def edge_showing(letters: str) -> tuple[int, int] | None:
    """The edge piece that shows these two face letters in the order of its position, and its flip."""
    return _EDGES_BY_LETTERS.get(letters)


def is_odd(permutation: Iterable[int]) -> bool:
    """Whether a permutation is odd."""
    items = list(permutation)
    return sum(items[i] > items[j] for j in range(len(items)) for i in range(j)) % 2 == 1


# Clockwise: each piece goes to the next position of the cycle, the last one to the first.
_QUARTERS = {
    "U": (("URF", "UFL", "ULB", "UBR"), ("UR", "UF", "UL", "UB")),
    "R": (("URF", "UBR", "DRB", "DFR"), ("UR", "BR", "DR", "FR")),
    "F": (("URF", "DFR", "DLF", "UFL"), ("UF", "FR", "DF", "FL")),
    "D": (("DFR", "DRB", "DBL", "DLF"), ("DR", "DB", "DL", "DF")),
    "L": (("UFL", "DLF", "DBL", "ULB"), ("UL", "FL", "DL", "BL")),
    "B": (("UBR", "ULB", "DBL", "DRB"), ("UB", "BL", "DB", "BR")),
}
# U and D twist nothing. The others twist a corner by 1 when it arrives at one of these positions, else by 2.
_TWISTS_BY_ONE = {"R": {"UBR", "DFR"}, "F": {"URF", "DLF"}, "L": {"UFL", "DBL"}, "B": {"ULB", "DRB"}}
_FLIPPING = "FB"


@cache
def moves_as_cubies() -> dict[str, Cubies]:
    """The 18 moves as elements of the group."""
    moves: dict[str, Cubies] = {}
    for face in _QUARTERS:
        once = _quarter(face)
        twice = once.then(once)
        moves |= {face: once, f"{face}2": twice, f"{face}'": twice.then(once)}
    return moves


def _quarter(face: str) -> Cubies:
    corner_cycle, edge_cycle = _QUARTERS[face]
    corners = list(range(8))
    twists = [0] * 8
    edges = list(range(12))
    flips = [0] * 12
    for start, end in zip(corner_cycle, (*corner_cycle[1:], corner_cycle[0]), strict=True):
        place = CORNER_NAMES.index(end)
        corners[place] = CORNER_NAMES.index(start)
        twists[place] = (1 if end in _TWISTS_BY_ONE[face] else 2) if face in _TWISTS_BY_ONE else 0
    for start, end in zip(edge_cycle, (*edge_cycle[1:], edge_cycle[0]), strict=True):
        place = EDGE_NAMES.index(end)
        edges[place] = EDGE_NAMES.index(start)
        flips[place] = int(face in _FLIPPING)
    return Cubies(tuple(corners), tuple(twists), tuple(edges), tuple(flips))
