"""Compiled loops of the optimal solver. Import inside functions only: numba takes a while to load."""

import numpy as np
from numpy.typing import NDArray

from engine.geometry.compiled import compiled

Ints = NDArray[np.int64]
Table = NDArray[np.uint16]
Tables = tuple[Table, Table, Table, Table]
"""What the moves make of places of corners, twists, flips and places of edges."""
Near = tuple[NDArray[np.uint64], Ints, np.uint64]
"""The keys of the states near the solved cube, where they begin for each value of the highest bits, and how far those
are to be shifted."""


@compiled
def mixed(value: np.uint64) -> np.uint64:
    """As in `coordinates`."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def distance_of(state: Ints, near: Near) -> int:
    """How far a state is from the solved cube, 7 if it is not in the table."""
    keys, starts, shift = near
    corners = ((np.uint64(state[0]) * np.uint64(1680) + np.uint64(state[1])) * np.uint64(2187)
               + np.uint64(state[2])) * np.uint64(2048) + np.uint64(state[3])  # fmt: skip
    edges = (np.uint64(state[4]) * np.uint64(11880) + np.uint64(state[5])) * np.uint64(11880) + np.uint64(state[6])
    key = mixed(mixed(corners) + edges) & ~np.uint64(7)
    bucket = np.int64(key >> shift)
    for i in range(starts[bucket], starts[bucket + 1]):
        if keys[i] & ~np.uint64(7) == key:
            return int(keys[i] & np.uint64(7))
    return 7


@compiled
def move_state(state: Ints, move: int, tables: Tables, after: Ints) -> None:
    """Writes the state after a move."""
    corners, twists, flips, edges = tables
    after[0] = corners[state[0], move]
    after[1] = corners[state[1], move]
    after[2] = twists[state[2], move]
    after[3] = flips[state[3], move]
    after[4] = edges[state[4], move]
    after[5] = edges[state[5], move]
    after[6] = edges[state[6], move]


@compiled
def walk_home(state: Ints, distance: int, solved: Ints, path: Ints, at: int, tables: Tables, near: Near) -> bool:
    """Completes the path from a state of the table; says whether that led to the solved cube, and no other state."""
    here, there = state.copy(), state.copy()
    while distance > 0:
        found = False
        for move in range(18):
            move_state(here, move, tables, there)
            if distance_of(there, near) == distance - 1:
                path[at] = move
                at += 1
                distance -= 1
                here[:] = there
                found = True
                break
        if not found:
            return False
    return bool((here == solved).all())


@compiled
def search(
    start: Ints, solved: Ints, first: int, depth: int, radius: int, tables: Tables, near: Near, path: Ints
) -> bool:
    """Tries all sequences of `depth` moves after move `first` that end `radius` moves from the solved cube.

    A face does not turn twice in a row, and opposite faces turn in one order. Returns whether there is one; `path` then
    holds the whole solution.
    """
    states = np.zeros((depth + 1, 7), np.int64)
    moves = np.zeros(depth + 1, np.int64)
    move_state(start, first, tables, states[0])
    path[0] = first
    moves[0] = first
    if depth == 1:
        return distance_of(states[0], near) == radius and walk_home(
            states[0], radius, solved, path, 1, tables, near)  # fmt: skip
    level = 1
    moves[1] = -1
    while level >= 1:
        moves[level] += 1
        move = moves[level]
        if move == 18:
            level -= 1
            continue
        face, last = move // 3, moves[level - 1] // 3
        if face == last or (face % 3 == last % 3 and face < last):
            continue
        move_state(states[level - 1], move, tables, states[level])
        path[level] = move
        if level < depth - 1:
            level += 1
            moves[level] = -1
        elif distance_of(states[level], near) == radius and walk_home(
            states[level], radius, solved, path, depth, tables, near):  # fmt: skip
            return True
    return False
