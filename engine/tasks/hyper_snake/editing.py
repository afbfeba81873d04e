"""What the editor of hyper_snake needs: fast, pure functions on paths of cell numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.hyper_snake.field import NOWHERE, Cell, Flags, Numbers, SnakeField, written
from spatial_workbench.engine.tasks.hyper_snake.solver import improve


@dataclass(frozen=True, eq=False)
class Walk:
    """The legal beginning of a path, and where it goes wrong."""

    field: SnakeField
    path: tuple[int, ...]
    fault: int | None
    """The first index that breaks a rule; None if none does."""

    @classmethod
    def of(cls, field: SnakeField, cells: Sequence[Cell]) -> Walk:
        """The legal beginning of a given path."""
        numbers = np.array([field.lookup.get(cell, NOWHERE) for cell in cells], np.int64)
        if not len(numbers) or numbers[0] != field.first:
            return cls(field, (), 0 if len(numbers) else None)
        wrong = (numbers == NOWHERE) | field.is_wall[numbers]
        wrong[1:] |= ~(field.neighbours[numbers[:-1]] == numbers[1:, None]).any(axis=1)
        again = np.ones(len(numbers), bool)
        again[np.unique(numbers, return_index=True)[1]] = False
        faults = np.flatnonzero(wrong | again)
        end = int(faults[0]) if len(faults) else len(numbers)
        return cls(field, tuple(numbers[:end].tolist()), end if len(faults) else None)

    @property
    def head(self) -> int | None:
        """The last cell; None where there is no path that begins at the start."""
        return self.path[-1] if self.path else None

    @cached_property
    def place(self) -> dict[int, int]:
        """The index in the path by number."""
        return {number: i for i, number in enumerate(self.path)}

    @cached_property
    def unvisited(self) -> Flags:
        """By number, whether a cell is free and not on the path."""
        flags = ~self.field.is_wall
        flags[list(self.path)] = False
        return flags

    # Moves -------------------------------------------------------------------------------------------------------

    @cached_property
    def moves(self) -> dict[int, int]:
        """The legal next cells by way."""
        if self.head is None or self.fault is not None:
            return {}
        ways = enumerate(self.field.neighbours[self.head].tolist())
        return {way: number for way, number in ways if number != NOWHERE and number not in self.place}

    def refusal(self, way: int) -> str:
        """Why the head cannot take a way; empty if it can."""
        if way in self.moves:
            return ""
        if self.fault is not None:
            return f"step {self.fault} breaks a rule: cut the path before it"
        if self.head is None:
            return "the path does not begin at the start"
        axis = way // 2
        sign = -1 if way % 2 else 1
        cell = list(self.field.cell(self.head))
        cell[axis] += sign
        if not self.field.holds(cell):
            return f"axis {axis} runs from 0 to {self.field.size[axis] - 1}"
        number = self.field.number(cell)
        if self.field.is_wall[number]:
            return f"{written(cell)} is a wall"
        return f"{written(cell)} is on the path already, at step {self.place[number]}"

    def with_path(self, path: Sequence[int]) -> Walk:
        """Another legal path on the same field."""
        return replace(self, path=tuple(path), fault=None)

    def after(self, way: int) -> Walk:
        """One step on; the way has to be legal."""
        return self.with_path((*self.path, self.moves[way]))

    def run(self, way: int, limit: int | None = None) -> Walk:
        """The walk extended straight on until something is in the way, or for a number of steps."""
        path = list(self.path)
        number = self.moves.get(way, NOWHERE)
        count = 0
        while number != NOWHERE and self.unvisited[number] and (limit is None or count < limit):
            path.append(number)
            number = int(self.field.neighbours[number, way])
            count = count + 1
        return self.with_path(path) if count else self

    def toward(self, number: int) -> tuple[Walk, str]:
        """The walk extended straight to a cell in line with the head, and the reason if it ends early."""
        if self.head is None or self.fault is not None:
            return self, self.refusal(0)
        position = self.field.cell(self.head)
        target = self.field.cell(number)
        axes = [k for k, (a, b) in enumerate(zip(position, target, strict=True)) if a != b]
        if not axes:
            return self, ""
        if len(axes) > 1:
            return self, f"{written(target)} differs from the head on axes {written(axes)[1:-1]}: go along one axis"
        by = target[axes[0]] - position[axes[0]]
        way = 2 * axes[0] + (by < 0)
        walk = self.run(way, abs(by))
        return walk, "" if walk.head == number else walk.refusal(way)

    def swept(self, axes: Sequence[int]) -> Walk:
        """Back and forth along the first axis, with a step along the next one at each end, and so on, until stuck."""
        ways = {axis: self._longer_way(axis) for axis in axes}
        path = list(self.path)
        seen = set(self.path)
        while path and self.fault is None:
            for level, axis in enumerate(axes):
                number = int(self.field.neighbours[path[-1], ways[axis]])
                if number != NOWHERE and number not in seen:
                    path.append(number)
                    seen.add(number)
                    for lower in axes[:level]:
                        ways[lower] ^= 1
                    break
            else:
                break
        return self.with_path(path) if len(path) > len(self.path) else self

    def _longer_way(self, axis: int) -> int:
        return max((2 * axis, 2 * axis + 1), key=lambda way: len(self.run(way).path))

    def bitten(self, number: int) -> Walk | None:
        """The path with the part after a neighbour of the head reversed; None if that cell is not a neighbour."""
        at = self.place.get(number)
        if at is None or self.head is None or at >= len(self.path) - 2 or number not in self.field.beside(self.head):
            return None
        return self.with_path((*self.path[: at + 1], *reversed(self.path[at + 1 :])))

    def bites(self) -> list[int]:
        """The cells that the head can bite: its neighbours on the path, except the one before it."""
        if self.head is None or self.fault is not None:
            return []
        return [n for n in self.field.beside(self.head) if self.place.get(n, len(self.path)) < len(self.path) - 2]

    def cut(self, length: int) -> Walk:
        """The first cells of the path, at least one."""
        return self.with_path(self.path[: max(1, length)])


@dataclass(frozen=True, eq=False)
class FreeWalk(Walk):
    """A path that may cross walls and itself; nothing but the field's edge stops it."""

    @classmethod
    def of(cls, field: SnakeField, cells: Sequence[Cell]) -> FreeWalk:
        """The given path up to the first cell outside the field, or the start alone."""
        inside = takewhile(field.holds, cells)
        return cls(field, tuple(map(field.number, inside)) or (field.first,), None)

    @cached_property
    def moves(self) -> dict[int, int]:
        """The cells of the field beside the head by way."""
        ways = ((way, self._beside(self.path[-1], way)) for way in range(2 * self.field.axes))
        return {way: number for way, number in ways if number != NOWHERE}

    def run(self, way: int, limit: int | None = None) -> Walk:
        """The walk extended straight on to the edge, or for a number of steps."""
        path = list(self.path)
        count = 0
        while (limit is None or count < limit) and (number := self._beside(path[-1], way)) != NOWHERE:
            path.append(number)
            count += 1
        return self.with_path(path) if count else self

    def _beside(self, number: int, way: int) -> int:
        cell = list(self.field.cell(number))
        cell[way // 2] += -1 if way % 2 else 1
        return self.field.number(cell) if self.field.holds(cell) else NOWHERE


@dataclass(frozen=True)
class Prospects:
    """The score of a path and how good it can still get, computed immediately."""

    length: int
    score: float
    best_length: int
    """An upper bound of the path's length, from the colours of the cells that the head can still reach."""
    best_score: float
    food: tuple[tuple[int, bool, int], ...]
    """For each food cell: its number, whether it was reached, and how many free neighbours it has left."""
    lost_food: int
    """Food that the head can no longer reach."""
    pockets: tuple[int, ...]
    """Cells that the head can no longer reach."""
    dead_ends: tuple[int, ...]
    """Unvisited cells with at most one way in; at most one of them can be on the path, as its last cell."""


def prospects_of(walk: Walk) -> Prospects:
    """The prospects of a path."""
    field = walk.field
    free = walk.unvisited
    reached = _reachable(walk)
    open_sides = _open_sides(walk)
    further = _further(field, reached, walk.head)
    food = tuple((n, n in walk.place, int(open_sides[n])) for n in field.food_numbers)
    missing = sum(not eaten for _, eaten, _ in food)
    lost = sum(not eaten and not reached[n] for n, eaten, _ in food)
    legal = walk.fault is None and walk.head is not None
    length = len(walk.path)
    return Prospects(
        length,
        field.score(length, missing) if legal else 0.0,
        length + further,
        field.score(length + further, lost),
        food,
        lost,
        tuple(np.flatnonzero(free & ~reached).tolist()),
        tuple(np.flatnonzero(free & (open_sides <= 1)).tolist()),
    )


def _reachable(walk: Walk) -> Flags:
    """By number, whether the head can still reach an unvisited cell."""
    field = walk.field
    reached = np.zeros(walk.field.cell_count, bool)
    if walk.head is None:
        return reached
    pending = [walk.head]
    free = walk.unvisited.tolist()
    table = field.beside_table
    while pending:
        for other in table[pending.pop()]:
            if free[other]:
                free[other] = False
                pending.append(other)
    reached[:] = walk.unvisited & ~np.array(free)
    return reached


def _open_sides(walk: Walk) -> Numbers:
    """By number, how many neighbours are free or the head."""
    is_open = np.append(walk.unvisited, False)
    if walk.head is not None:
        is_open[walk.head] = True
    counts: Numbers = is_open[walk.field.neighbours].sum(axis=1)
    return counts


def _further(field: SnakeField, reached: Flags, head: int | None) -> int:
    """How many more cells a path can get, judged by the colours."""
    if head is None:
        return 0
    odd = field.table.sum(axis=1) % 2 != field.table[head].sum() % 2
    other = int((reached & odd).sum())
    same = int((reached & ~odd).sum())
    return min(2 * other, 2 * same + 1)


# For the runner ------------------------------------------------------------------------------------------------------


def extend(field: SnakeField, path: Sequence[int], progress: Progress = silent) -> list[int]:
    """A longer path found by backbiting, which may reverse parts of this one; the same path if none was found."""
    return improve(field, path, progress=progress)
