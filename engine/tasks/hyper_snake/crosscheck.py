"""Hyper-snake judged by three other methods, which must agree.

dense index    positions as numbers on an array of the whole grid: each cell at most once, no wall, neighbours differ by
               1 in all; the score in fractions
parity         coordinates' sums alternate, and no path is longer than the two colours allow (a necessary condition)
plain replay   a snake walks through a dictionary of free cells and takes each away; V - L must be left
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

import numpy as np

from spatial_workbench.engine.core import Check, Figure, Outcome, Problem
from spatial_workbench.engine.tasks.hyper_snake.field import Cell, SnakeField, written
from spatial_workbench.engine.tasks.hyper_snake.rules import readable

METHODS = ("dense index", "parity", "plain replay")


def judge(field: SnakeField, given: Sequence[Cell]) -> Outcome:
    """The three verdicts; the first wrong index of each, and where they differ."""
    cells, warnings = readable(field, given)
    scores = (dense(field, cells), parity(field, cells), replay(field, cells))
    checks = [Check.of(name, _problem(cells, index)) for name, index in zip(METHODS, scores, strict=True)]
    checks.append(Check.of("the methods agree", _differences(scores)))
    if any(index is not None for index in scores):
        return Outcome.failed(checks, warnings=warnings)
    missed = [food for food in field.food if food not in set(cells)]
    problems = [Problem(f"The food at {written(food)} was not reached") for food in missed]
    checks.append(Check.of("all food reached", problems))
    return Outcome(float(_score(field, len(cells), len(missed))), checks, [Figure("cells left", _left(field, cells))])


def _problem(cells: Sequence[Cell], index: int | None) -> list[Problem]:
    if index is None:
        return []
    where = written(cells[index]) if index < len(cells) else "its end"
    return [Problem(f"The path is wrong at step {index}, {where}", [f"step {index}"])]


def _differences(scores: Sequence[int | None]) -> list[Problem]:
    by_index, by_parity, by_replay = scores
    if by_index != by_replay:
        first = min(index for index in (by_index, by_replay) if index is not None)
        return [Problem(f"Dense index and plain replay differ, first at step {first}", [f"step {first}"])]
    if by_parity is not None and (by_index is None or by_parity < by_index):
        return [Problem(f"Parity forbids what the others allow, first at step {by_parity}", [f"step {by_parity}"])]
    return []


def _score(field: SnakeField, length: int, missed: int) -> Fraction:
    base = Fraction(length, prod(field.size) - len(set(field.walls)))
    if field.walls:
        base = min(Fraction(1), base / Fraction(49, 50))
    return base / (1 + missed)


def dense(field: SnakeField, cells: Sequence[Cell]) -> int | None:
    """The first wrong index by occupancy of an array of the whole grid; None if there is none."""
    wrong = [i for i, cell in enumerate(cells) if not _is_inside(field, cell)][:1]
    clean = cells[: wrong[0]] if wrong else cells
    if not clean:
        return 0
    table = np.array(clean, np.int64).reshape(len(clean), field.axes)
    strides = np.array([prod(field.size[k + 1 :]) for k in range(field.axes)], np.int64)
    indices = table @ strides
    if clean[0] != field.start:
        wrong.append(0)
    rows = np.stack(np.unravel_index(indices, field.size), axis=1)
    wrong += (np.flatnonzero(np.abs(np.diff(rows, axis=0)).sum(axis=1) != 1) + 1).tolist()[:1]
    occupied = np.zeros(prod(field.size), np.int64)
    for wall in field.walls:
        occupied[int(np.dot(wall, strides))] = 1
    np.add.at(occupied, indices, 1)
    if occupied.max() > 1:
        wrong.append(_first_crowded(field, indices, occupied, strides))
    return min(wrong, default=None)


def _first_crowded(field: SnakeField, indices: np.ndarray, occupied: np.ndarray, strides: np.ndarray) -> int:
    seen = {int(np.dot(wall, strides)) for wall in field.walls}
    for i, index in enumerate(indices.tolist()):
        if occupied[index] > 1 and index in seen:
            return i
        seen.add(index)
    raise AssertionError("a crowded cell is in the list of indices")


def _is_inside(field: SnakeField, cell: Cell) -> bool:
    return len(cell) == len(field.size) and all(c in range(n) for c, n in zip(cell, field.size, strict=True))


def parity(field: SnakeField, cells: Sequence[Cell]) -> int | None:
    """The first index whose colour breaks the alternation, or that exceeds the bound; None if there is none."""
    if not cells:
        return 0
    colour = sum(field.start)
    for i, cell in enumerate(cells):
        if (sum(cell) - colour - i) % 2:
            return i
    bound = _bound(field)
    return bound if len(cells) > bound else None


def _bound(field: SnakeField) -> int:
    """Twice the number of cells of the rarer colour, plus one if the start has the more common colour."""
    surplus = prod(n % 2 for n in field.size) - sum(map(_sign, field.walls))
    free = prod(field.size) - len(field.walls)
    surplus *= _sign(field.start)
    same = (free + surplus) // 2
    other = (free - surplus) // 2
    return 2 * other + 1 if same > other else 2 * same


def _sign(cell: Cell) -> int:
    return -1 if sum(cell) % 2 else 1


def replay(field: SnakeField, cells: Sequence[Cell]) -> int | None:
    """The first index at which a snake cannot move on through the remaining cells."""
    left = _free_cells(field)
    head: Cell | None = None
    for i, cell in enumerate(cells):
        allowed = [field.start] if head is None else _around(head)
        if cell not in allowed or left.pop(cell, None) is None:
            return i
        head = cell
    return None if cells else 0


def _left(field: SnakeField, cells: Sequence[Cell]) -> int:
    left = _free_cells(field)
    for cell in cells:
        left.pop(cell)
    return len(left)


def _free_cells(field: SnakeField) -> dict[Cell, bool]:
    walls = set(field.walls)
    return {cell: True for cell in np.ndindex(*field.size) if cell not in walls}


def _around(cell: Cell) -> list[Cell]:
    return [(*cell[:k], cell[k] + by, *cell[k + 1 :]) for k in range(len(cell)) for by in (1, -1)]
