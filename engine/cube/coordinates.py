"""A state as six small numbers, each with a table of how the 18 moves change it; searches work on these.

The numbers are: the permutation and the twists of the corners, the flips of the edges, and the places of the edges 0-3,
4-7 and 8-11. Tables are arrays (n, 18); moves are numbered as in `facelets.MOVES`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.cube.cubies import Cubies, moves_as_cubies
from spatial_workbench.engine.cube.facelets import MOVES

MoveTable = NDArray[np.uint16]
Coordinates = NDArray[np.uint16]
Keys = NDArray[np.uint64]
Ints = NDArray[np.intp]

CORNER_PERMUTATIONS, CORNER_TWISTS, EDGE_FLIPS, EDGE_PLACES = 40320, 2187, 2048, 11880
"""How many values each kind of number has."""


def coordinates_of(state: Cubies) -> Coordinates:
    """The six numbers of a state."""
    corners = [state.corners.index(piece) for piece in range(8)]
    edges = [state.edges.index(piece) for piece in range(12)]
    return np.array(
        [
            _placement_numbers(np.array([corners]), 8)[0],
            _number(state.twists[:7], 3),
            _number(state.flips[:11], 2),
            *_placement_numbers(np.array(edges).reshape(3, 4), 12),
        ],
        np.uint16,
    )


@cache
def move_tables() -> tuple[MoveTable, ...]:
    """For each of the six numbers: its value after each move, as arrays (n, 18)."""
    edges = _placement_table(12, 4, "edges")
    return (
        _placement_table(8, 8, "corners"),
        _turn_table(3, 8, "corners", "twists"),
        _turn_table(2, 12, "edges", "flips"),
        *(edges,) * 3,
    )


def keys_of(coordinates: Coordinates) -> Keys:
    """A 64-bit key for each row of (n, 6); the lowest three bits are 0 and have room for a distance."""
    c = coordinates.astype(np.uint64).T
    turned = (c[0] * np.uint64(CORNER_TWISTS) + c[1]) * np.uint64(EDGE_FLIPS) + c[2]
    placed = (c[3] * np.uint64(EDGE_PLACES) + c[4]) * np.uint64(EDGE_PLACES) + c[5]
    keys: Keys = _mixed(_mixed(turned) + placed) & ~np.uint64(7)
    return keys


def _mixed(value: Keys) -> Keys:
    """The final steps of the splitmix64 generator, which spread each bit over all others."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@cache
def _placements(places: int, pieces: int) -> Ints:
    """All ways to put a number of pieces on a number of places: (n, pieces), in ascending order."""
    return np.array(list(permutations(range(places), pieces)), np.intp)


def _placement_numbers(ways: Ints, places: int) -> Ints:
    """The numbers of some ways (n, pieces) among all of them."""
    every = _digits(_placements(places, ways.shape[1]), places)
    numbers: Ints = np.searchsorted(every, _digits(ways, places))
    return numbers


def _digits(ways: Ints, base: int) -> Ints:
    value: Ints = ways @ base ** np.arange(ways.shape[1] - 1, -1, -1)
    return value


def _number(digits: Sequence[int], base: int) -> int:
    value = 0
    for digit in digits:
        value = base * value + digit
    return value


def _placement_table(places: int, pieces: int, kind: str) -> MoveTable:
    ways = _placements(places, pieces)
    goals = [np.argsort(getattr(moves_as_cubies()[move], kind)) for move in MOVES]
    return np.stack([_placement_numbers(goal[ways], places) for goal in goals], axis=1).astype(np.uint16)


def _turn_table(base: int, count: int, kind: str, turns: str) -> MoveTable:
    """The table of twists or flips. Those of all pieces but the last are the digits of the number; the last follows."""
    numbers = np.arange(base ** (count - 1))
    digits = numbers[:, None] // base ** np.arange(count - 2, -1, -1) % base
    digits = np.concatenate([digits, -digits.sum(axis=1, keepdims=True) % base], axis=1)
    columns = []
    for move in MOVES:
        change = moves_as_cubies()[move]
        after = (digits[:, list(getattr(change, kind))] + np.array(getattr(change, turns))) % base
        columns.append(_digits(after[:, :-1], base))
    return np.stack(columns, axis=1).astype(np.uint16)
