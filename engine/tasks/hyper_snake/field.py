"""The field of hyper_snake: cells of an N-dimensional grid, walls, food, and where the snake starts.

A cell is a tuple of coordinates from 0, and also a number: its place in the grid written row by row (the last axis runs
fastest). A way is a number too: 2k is one step up axis k, 2k + 1 one step down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, ...]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

WALL_RELIEF = Fraction(49, 50)
"""With walls, this share of the free cells scores 1 (SCBench B.8)."""
NOWHERE = -1
"""Marks a missing neighbour in tables."""


@dataclass(frozen=True)
class SnakeField:
    """A grid of `size`; walls and food in the order of the task."""

    size: Cell
    start: Cell
    walls: tuple[Cell, ...]
    food: tuple[Cell, ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> SnakeField:
        """The field of an instance. Equal parameters give the same object, with its tables."""
        walls, food = (tuple(tuple(cell) for cell in parameters[name]) for name in ("walls", "food"))
        return _field(tuple(parameters["size"]), tuple(parameters["start"]), walls, food)

    def parameters(self) -> dict[str, Any]:
        """The parameters of an instance with this field."""
        walls, food = ([list(cell) for cell in cells] for cells in (self.walls, self.food))
        return {"size": list(self.size), "start": list(self.start), "walls": walls, "food": food}

    # Numbers -----------------------------------------------------------------------------------------------------

    @property
    def axes(self) -> int:
        """How many axes there are."""
        return len(self.size)

    @property
    def cell_count(self) -> int:
        """All cells, walls too."""
        return prod(self.size)

    @property
    def free_count(self) -> int:
        """V: cells that are no walls."""
        return self.cell_count - len(self.walls)

    @cached_property
    def bound(self) -> int:
        """The longest possible path, since its cells alternate in colour (the parity of the coordinates' sum)."""
        odd = np.add.reduce(np.indices(self.size)).ravel()[~self.is_wall] % 2 != sum(self.start) % 2
        same = int((~odd).sum())
        other = int(odd.sum())
        return min(2 * other + 1, 2 * same)

    @property
    def needed(self) -> int:
        """The length that scores 1 if all food is reached."""
        return ceil(self.free_count * WALL_RELIEF) if self.walls else self.free_count

    def score(self, length: int, missed: int) -> float:
        """The score of a legal path, from its length and the number of food cells it missed (SCBench B.8)."""
        base = length / self.free_count
        if self.walls:
            base = min(1.0, base / float(WALL_RELIEF))
        return base / (1 + missed)

    # Cells -------------------------------------------------------------------------------------------------------

    def holds(self, cell: Sequence[int]) -> bool:
        """Whether a cell is inside the grid."""
        return len(cell) == self.axes and all(0 <= c < n for c, n in zip(cell, self.size, strict=True))

    def number(self, cell: Sequence[int]) -> int:
        """The number of a cell inside the grid."""
        number = 0
        for c, n in zip(cell, self.size, strict=True):
            number = number * n + c
        return number

    def cell(self, number: int) -> Cell:
        """The cell of a number."""
        return self.cells[number]

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell by its number."""
        return tuple(tuple(row) for row in self.table.tolist())

    @cached_property
    def table(self) -> Numbers:
        """The coordinates of every cell by its number, (cells, axes)."""
        return np.indices(self.size).reshape(self.axes, -1).T.astype(np.int64)

    @cached_property
    def is_wall(self) -> Flags:
        """By number, whether a cell is a wall."""
        return self._flags(self.walls)

    @cached_property
    def is_food(self) -> Flags:
        """By number, whether a cell is food."""
        return self._flags(self.food)

    @cached_property
    def first(self) -> int:
        """The number of the start."""
        return self.number(self.start)

    @cached_property
    def food_numbers(self) -> tuple[int, ...]:
        """The numbers of the food cells."""
        return tuple(map(self.number, self.food))

    @cached_property
    def neighbours(self) -> Numbers:
        """By number and way, the number of the free cell there, or NOWHERE; (cells, 2 * axes). Walls have none."""
        neighbours = np.full((self.cell_count, 2 * self.axes), NOWHERE, np.int64)
        numbers = np.arange(self.cell_count)
        for axis in range(self.axes):
            stride = prod(self.size[axis + 1 :])
            for way, sign in ((2 * axis, 1), (2 * axis + 1, -1)):
                place = self.table[:, axis] + sign
                inside = (place >= 0) & (place < self.size[axis])
                neighbours[inside, way] = numbers[inside] + sign * stride
        neighbours[(neighbours >= 0) & self.is_wall[neighbours]] = NOWHERE
        neighbours[self.is_wall] = NOWHERE
        return neighbours

    def beside(self, number: int) -> list[int]:
        """The free cells around a cell."""
        return [other for other in self.neighbours[number].tolist() if other != NOWHERE]

    @cached_property
    def beside_table(self) -> tuple[list[int], ...]:
        """By number, the free cells around a cell."""
        return tuple(map(self.beside, range(self.cell_count)))

    @cached_property
    def lookup(self) -> dict[Cell, int]:
        """The number of every cell."""
        return {cell: number for number, cell in enumerate(self.cells)}

    def way_between(self, first: Sequence[int], second: Sequence[int]) -> int | None:
        """The way from a cell to an adjacent one; None if they are not adjacent."""
        changed = [(k, b - a) for k, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
        if len(changed) != 1 or abs(changed[0][1]) != 1:
            return None
        return 2 * changed[0][0] + (changed[0][1] < 0)

    def _flags(self, cells: Iterable[Cell]) -> Flags:
        flags = np.zeros(self.cell_count, bool)
        flags[[self.number(cell) for cell in cells]] = True
        return flags


@lru_cache(maxsize=64)
def _field(size: Cell, start: Cell, walls: tuple[Cell, ...], food: tuple[Cell, ...]) -> SnakeField:
    return SnakeField(size, start, walls, food)


def written(cell: Sequence[int]) -> str:
    """A cell in words: (0, 1, 2)."""
    return f"({', '.join(map(str, cell))})"


def way_name(way: int) -> str:
    """A way in words: "+ axis 2"."""
    return f"{'−' if way % 2 else '+'} axis {way // 2}"


def letters_of(field: SnakeField, numbers: Sequence[int]) -> str:
    """A path as letters, one a step: a, b, c ... up axis 0, 1, 2 ..., A, B, C ... down it."""
    table = {int(other): way for way, other in enumerate(field.neighbours[numbers[0]])} if numbers else {}
    letters = []
    for number in numbers[1:]:
        way = table[number]
        letters.append(chr(ord("A" if way % 2 else "a") + way // 2))
        table = {int(other): way for way, other in enumerate(field.neighbours[number])}
    return "".join(letters)


def numbers_of(field: SnakeField, letters: str) -> list[int]:
    """The path from the start that letters spell; the counterpart of `letters_of`."""
    numbers = [field.first]
    for letter in letters:
        way = 2 * (ord(letter.lower()) - ord("a")) + letter.isupper()
        numbers.append(int(field.neighbours[numbers[-1], way]))
    return numbers
