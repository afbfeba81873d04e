"""The optimal solver's compiled loops. Import this inside functions only, since numba takes a while to load."""

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.geometry.compiled import Kind, compiled, entry

Ints = NDArray[np.int64]
MoveTable = NDArray[np.uint16]
Pattern = NDArray[np.uint8]
MoveTables = tuple[MoveTable, MoveTable, MoveTable, MoveTable]
"""Move tables: of the permutations and twists of corners, the flips of edges and the places of edges."""
Near = tuple[NDArray[np.uint64], Ints, np.uint64]
"""The table of states near the solved cube: keys, starts and shift, as in `Layers`."""

_TABLES: Kind = ("uint16[2]", "uint16[2]", "uint16[2]", "uint16[2]")
_NEAR: Kind = ("uint64[1]", "int64[1]", "uint64")


@compiled
def mixed(value: np.uint64) -> np.uint64:
    """The same as `coordinates._mixed`."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@entry("int64[1]", _NEAR)
def distance_of(state: Ints, near: Near) -> int:
    """The distance of a state from the solved cube; 7 if it is not in the table."""
    keys, starts, shift = near
    turned = (np.uint64(state[0]) * np.uint64(2187) + np.uint64(state[1])) * np.uint64(2048) + np.uint64(state[2])
    placed = (np.uint64(state[3]) * np.uint64(11880) + np.uint64(state[4])) * np.uint64(11880) + np.uint64(state[5])
    key = mixed(mixed(turned) + placed) & ~np.uint64(7)
    bucket = np.int64(key >> shift)
    for i in range(starts[bucket], starts[bucket + 1]):
        if keys[i] & ~np.uint64(7) == key:
            return int(keys[i] & np.uint64(7))
    return 7


@compiled
def bound_of(state: Ints, pattern: Pattern) -> int:
    """How many moves the corners of a state need at least; 0 if there is no table."""
    if len(pattern) == 0:
        return 0
    place = state[0] * 2187 + state[1]
    return int(pattern[place >> 1] >> (4 * (place & 1))) & 15


@compiled
def move_state(state: Ints, move: int, tables: MoveTables, after: Ints) -> None:
    """Writes the state after a move."""
    corners, twists, flips, edges = tables
    after[0] = corners[state[0], move]
    after[1] = twists[state[1], move]
    after[2] = flips[state[2], move]
    after[3] = edges[state[3], move]
    after[4] = edges[state[4], move]
    after[5] = edges[state[5], move]


@entry("int64[1]", "int64", "int64[1]", "int64[1]", "int64", _TABLES, _NEAR)
def walk_home(state: Ints, distance: int, solved: Ints, path: Ints, at: int, tables: MoveTables, near: Near) -> bool:
    """Completes the path from a state in the table; returns whether it leads to the solved cube itself."""
    current = state.copy()
    candidate = state.copy()
    while distance > 0:
        is_nearer = False
        for move in range(18):
            move_state(current, move, tables, candidate)
            if distance_of(candidate, near) == distance - 1:
                path[at] = move
                at += 1
                distance -= 1
                current[:] = candidate
                is_nearer = True
                break
        if not is_nearer:
            return False
    return bool((current == solved).all())


@entry("int64[1]", "int64[1]", "int64", "int64", "int64", _TABLES, _NEAR, "uint8[1]", "int64[1]")
def search(
    start: Ints,
    solved: Ints,
    first: int,
    depth: int,
    radius: int,
    tables: MoveTables,
    near: Near,
    pattern: Pattern,
    path: Ints,
) -> bool:
    """Tries all sequences of `depth` moves that begin with `first` and end `radius` moves from the solved cube.

    A face does not turn twice in a row, and opposite faces turn in a fixed order. Branches whose corners need more
    moves than remain are pruned. Returns whether there is such a sequence; `path` then holds the whole solution.
    """
    states = np.zeros((depth + 1, 6), np.int64)
    moves = np.full(depth + 1, -1, np.int64)
    states[0] = start
    moves[0] = first - 1
    level = 0
    while level >= 0:
        moves[level] += 1
        move = moves[level]
        if move == 18 or (level == 0 and move > first):
            level -= 1
            continue
        if level > 0:
            face = move // 3
            last = moves[level - 1] // 3
            if face == last or (face % 3 == last % 3 and face < last):
                continue
        state = states[level + 1]
        move_state(states[level], move, tables, state)
        if bound_of(state, pattern) > depth + radius - level - 1:
            continue
        path[level] = move
        if level < depth - 1:
            level += 1
            moves[level] = -1
        elif distance_of(state, near) == radius and walk_home(state, radius, solved, path, depth, tables, near):
            return True
    return False


@entry("uint8[1]", "uint16[2]", "uint16[2]", "int64", "int64", "int64")
def spread(pattern: Pattern, corners: MoveTable, twists: MoveTable, distance: int, begin: int, end: int) -> None:
    """Sets unknown entries one move from an entry at `distance` to `distance + 1`, for some permutations."""
    for permutation in range(begin, end):
        for twist in range(2187):
            place = permutation * 2187 + twist
            if (pattern[place >> 1] >> (4 * (place & 1))) & 15 != distance:
                continue
            for move in range(18):
                goal = np.int64(corners[permutation, move]) * 2187 + twists[twist, move]
                shift = 4 * (goal & 1)
                if (pattern[goal >> 1] >> shift) & 15 == 15:
                    pattern[goal >> 1] ^= np.uint8((15 ^ (distance + 1)) << shift)
