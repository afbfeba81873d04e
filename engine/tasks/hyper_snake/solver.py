"""Long paths by backbiting: extend the head; when it is stuck, reverse the part after a neighbour and continue.

A reversal keeps the set of cells that the path has, so nothing that was reached is lost. A cell with a single free
neighbour can only be the last one: the search leaves such cells out and, for food, ends beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.hyper_snake.field import NOWHERE, SnakeField

ROUNDS = 8
MOVES = 400_000
"""Moves per round, which take from a fraction of a second to two seconds."""


def find_path(
    field: SnakeField, enough: int | None = None, seed: int = 0, rounds: int = ROUNDS, progress: Progress = silent
) -> list[int]:
    """The best path found, as numbers of cells; it stops at `enough` cells (default: `needed`) with all food."""
    enough = field.needed if enough is None else enough
    best: list[int] = [field.first]
    for round_ in range(rounds):
        progress(round_, rounds, "looking for a long path")
        candidate = _round(field, enough, seed * rounds + round_ + 1)
        if _worth(field, candidate) > _worth(field, best):
            best = candidate
        if len(best) >= enough and not missed(field, best):
            break
    return best


def improve(field: SnakeField, path: Sequence[int], progress: Progress = silent) -> list[int]:
    """A better path that begins with the same cell, by backbiting from this one; the same path if none was found."""
    best = list(path)
    for round_ in range(ROUNDS):
        progress(round_, ROUNDS, "looking for a longer path")
        candidate = _round(field, field.bound, round_ + 1, best)
        if _worth(field, candidate) > _worth(field, best):
            best = candidate
    return best


def missed(field: SnakeField, path: list[int]) -> int:
    """How many food cells a path leaves out."""
    return len(set(field.food_numbers).difference(path))


def _worth(field: SnakeField, path: list[int]) -> tuple[float, int]:
    return field.score(len(path), missed(field, path)), len(path)


def dead_ends(field: SnakeField) -> list[int]:
    """Free cells other than the start with one free neighbour."""
    count = (field.neighbours != NOWHERE).sum(axis=1)
    return [number for number in np.flatnonzero(count == 1).tolist() if number != field.first]


def _round(field: SnakeField, enough: int, seed: int, begin: Sequence[int] = ()) -> list[int]:
    from spatial_workbench.engine.tasks.hyper_snake.kernels import backbite

    ends = dead_ends(field)
    closed = np.zeros(field.cell_count, bool)
    closed[ends] = True
    last = [number for number in ends if field.is_food[number]]
    goal = field.beside(last[0])[0] if last else NOWHERE
    missing = enough - len(last[:1])
    first = np.array([number for number in begin if not closed[number]] or [field.first])
    hungry = field.is_food & ~closed
    path = backbite(field.neighbours, closed, hungry, first, goal, MOVES, missing, seed).tolist()
    if last and path:
        return [*path, last[0]]
    return path or [field.first]
