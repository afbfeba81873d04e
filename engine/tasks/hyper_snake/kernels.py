"""The compiled loop of the backbite search. Import inside functions only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.geometry.compiled import compiled, entry

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

PATIENCE = 8
"""Moves without growth, per cell of the field, before the path is cut shorter."""


@entry("int64[2]", "bool[1]", "bool[1]", "int64[1]", "int64", "int64", "int64", "int64")
def backbite(
    neighbours: Numbers, closed: Flags, food: Flags, begin: Numbers, goal: int, moves: int, enough: int, seed: int
) -> Numbers:
    """The best path within a number of moves: least food missed, then longest. With a goal, it must end there.

    neighbours: (cells, ways), -1 where there is none. closed: cells that the path must not enter. food: cells that it
    should. begin: the path to start from; its first cell stays. goal: a cell, or -1. It stops when `enough` cells and
    all food are reached; it is empty if the goal never is.
    """
    cells, ways = neighbours.shape
    path = np.empty(cells, np.int64)
    place = np.full(cells, -1, np.int64)
    length = len(begin)
    hungry = np.int64(np.sum(food)) - np.int64(np.sum(food[begin]))
    path[:length] = begin
    place[begin] = np.arange(length)
    best = np.empty(0, np.int64)
    best_worth = np.int64(-cells * cells)
    since = 0
    options = np.empty(ways, np.int64)
    state = np.uint64(seed * 2 + 1)
    for _ in range(moves):
        head = path[length - 1]
        worth = length - cells * hungry
        if (goal < 0 or head == goal) and worth > best_worth:
            best = path[:length].copy()
            best_worth = worth
            if worth >= enough:
                return best
        state = _stirred(state)
        noise = np.int64(state >> np.uint64(33))
        count = _ways_on(neighbours, closed, place, head, options)
        if count:
            chosen = options[noise % count]
            path[length] = chosen
            place[chosen] = length
            length = length + 1
            since = 0
            hungry -= 1 if food[chosen] else 0
            continue
        since += 1
        count = _ways_back(neighbours, place, head, length, options)
        if since > PATIENCE * cells or not count:
            # A reversal never changes the head's colour, so some cells are out of reach until the path gets shorter.
            shorter = length - 1 - noise % (2 + length // 8)
            while length > 1 and length > shorter:
                length -= 1
                place[path[length]] = -1
                hungry += 1 if food[path[length]] else 0
            since = 0
        else:
            _reverse(path, place, place[options[noise % count]] + 1, length - 1)
    return best


@compiled
def _stirred(state: np.uint64) -> np.uint64:
    """The next state of Marsaglia's xorshift generator (13, 7, 17)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    return state


@compiled
def _ways_on(neighbours: Numbers, closed: Flags, place: Numbers, head: int, options: Numbers) -> int:
    """Writes the free neighbours with the fewest onward moves to `options`; how many there are."""
    fewest = neighbours.shape[1] + 1
    count = 0
    for other in neighbours[head]:
        if other < 0 or place[other] >= 0 or closed[other]:
            continue
        onward = 0
        for after in neighbours[other]:
            if after >= 0 and place[after] < 0 and not closed[after]:
                onward += 1
        if onward < fewest:
            fewest = onward
            count = 0
        if onward == fewest:
            options[count] = other
            count += 1
    return count


@compiled
def _ways_back(neighbours: Numbers, place: Numbers, head: int, length: int, options: Numbers) -> int:
    """Writes the neighbours on the path, but for the one before the head, to `options`; how many there are."""
    count = 0
    for other in neighbours[head]:
        if other >= 0 and 0 <= place[other] < length - 2:
            options[count] = other
            count += 1
    return count


@compiled
def _reverse(path: Numbers, place: Numbers, low: int, high: int) -> None:
    """Reverses a part of the path."""
    while low < high:
        path[low], path[high] = path[high], path[low]
        place[path[low]] = low
        place[path[high]] = high
        low, high = low + 1, high - 1
