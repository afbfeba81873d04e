"""A state as seven small numbers, each with a table of what the 18 moves make of it: what searches work on.

The numbers: where corners 0-3 and 4-7 are, how corners are twisted, how edges are flipped, where edges 0-3, 4-7 and
8-11 are. Tables are arrays (n, 18); moves are numbered as in `facelets.MOVES`.
"""

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.cube.cubies import Cubies, moves_as_cubies
from engine.cube.facelets import MOVES

Table = NDArray[np.uint16]
Coordinates = NDArray[np.uint16]
Keys = NDArray[np.uint64]


def coordinates_of(state: Cubies) -> Coordinates:
    """The seven numbers of a state."""
    corners = [state.corners.index(piece) for piece in range(8)]
    edges = [state.edges.index(piece) for piece in range(12)]
    return np.array(
        [
            _placement_number(corners[:4], 8),
            _placement_number(corners[4:], 8),
            _number(state.twists[:7], 3),
            _number(state.flips[:11], 2),
            *(_placement_number(edges[i : i + 4], 12) for i in (0, 4, 8)),
        ],
        np.uint16,
    )


@cache
def move_tables() -> tuple[Table, ...]:
    """For each of the seven numbers what it becomes: arrays (n, 18)."""
    corners, edges = _placement_table(8, "corners"), _placement_table(12, "edges")
    return corners, corners, _turn_table(3, "corners", "twists"), _turn_table(2, "edges", "flips"), edges, edges, edges


def keys_of(coordinates: Coordinates) -> Keys:
    """A 64-bit key for each row of (n, 7); the lowest three bits are left 0 for a distance."""
    c = coordinates.astype(np.uint64).T
    corners = ((c[0] * np.uint64(1680) + c[1]) * np.uint64(2187) + c[2]) * np.uint64(2048) + c[3]
    edges = (c[4] * np.uint64(11880) + c[5]) * np.uint64(11880) + c[6]
    keys: Keys = _mixed(_mixed(corners) + edges) & ~np.uint64(7)
    return keys


def _mixed(value: Keys) -> Keys:
    """The finishing steps of the splitmix64 generator, which spread every bit over all of them."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@cache
def _placements(places: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All ways to put four pieces on so many places (n, 4), and their numbers by the places read as digits."""
    ways = np.array(list(permutations(range(places), 4)), np.intp)
    numbers = np.zeros(places**4, np.intp)
    numbers[_digits(ways, places)] = np.arange(len(ways))
    return ways, numbers


def _digits(ways: NDArray[np.intp], base: int) -> NDArray[np.intp]:
    value: NDArray[np.intp] = ways @ base ** np.arange(ways.shape[1] - 1, -1, -1)
    return value


def _placement_number(where: list[int], places: int) -> int:
    return int(_placements(places)[1][_number(where, places)])


def _number(digits: list[int] | tuple[int, ...], base: int) -> int:
    value = 0
    for digit in digits:
        value = base * value + digit
    return value


def _placement_table(places: int, kind: str) -> Table:
    ways, numbers = _placements(places)
    columns = []
    for move in MOVES:
        sources = np.array(getattr(moves_as_cubies()[move], kind))
        columns.append(numbers[_digits(np.argsort(sources)[ways], places)])
    return np.stack(columns, axis=1).astype(np.uint16)


def _turn_table(base: int, kind: str, turns: str) -> Table:
    """Twists or flips: those of the last piece follow from the others, whose digits are the number."""
    count = 8 if kind == "corners" else 12
    numbers = np.arange(base ** (count - 1))
    digits = numbers[:, None] // base ** np.arange(count - 2, -1, -1) % base
    digits = np.concatenate([digits, -digits.sum(axis=1, keepdims=True) % base], axis=1)
    columns = []
    for move in MOVES:
        change = moves_as_cubies()[move]
        after = (digits[:, list(getattr(change, kind))] + np.array(getattr(change, turns))) % base
        columns.append(_digits(after[:, :-1], base))
    return np.stack(columns, axis=1).astype(np.uint16)
