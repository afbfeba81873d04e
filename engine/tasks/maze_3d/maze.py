"""Mazes: the rules of an instance, and heights on a grid as text and as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from spatial_workbench.engine.core.scene import Ints
from spatial_workbench.engine.tasks.maze_3d.finding import find_grid

Cell: TypeAlias = tuple[int, int]
"""Row and column, from 0; row 0 is the first line."""

BLANK = -1
"""Height of a cell that is not filled yet, which cannot be stepped on or jumped over."""
BLANK_CHARACTER = "."
LEVELS = 10
_SHARE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Rules:
    """What an instance asks for. `coverage` and `cap` are shares of all cells."""

    size: int
    start_height: int
    end_height: int
    jumps: int
    coverage: float
    cap: float

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Rules:
        """The rules in an instance's parameters."""
        return cls(**{name: parameters[name] for name in cls.__dataclass_fields__})

    @property
    def cells(self) -> int:
        """How many cells the maze has."""
        return self.size * self.size

    @property
    def most_alike(self) -> int:
        """How many cells may have the same height."""
        return int(self.cap * self.cells + _SHARE_TOLERANCE)

    @property
    def least_visited(self) -> int:
        """How many cells the path has to visit."""
        return int(np.ceil(self.coverage * self.cells - _SHARE_TOLERANCE))


@dataclass(frozen=True, eq=False)
class Maze:
    """Heights (size, size), BLANK where there is none, and the cells of A and B if they exist."""

    heights: Ints
    start: Cell | None
    end: Cell | None

    @classmethod
    def read(cls, text: str, rules: Rules) -> Maze:
        """Reads a text as far as possible; missing characters and those that are not a height leave blank cells."""
        heights = np.full((rules.size, rules.size), BLANK)
        marked: dict[str, Cell] = {}
        grid = find_grid(text, rules.size).text
        for r, line in enumerate(lines_of(grid)[: rules.size]):
            for c, character in enumerate(line[: rules.size]):
                if character in DIGITS:
                    heights[r, c] = int(character)
                elif character in "AB" and character not in marked:
                    marked[character] = (r, c)
                    heights[r, c] = rules.start_height if character == "A" else rules.end_height
        return cls(heights, marked.get("A"), marked.get("B"))

    @property
    def size(self) -> int:
        """Cells along a side."""
        return len(self.heights)

    @property
    def text(self) -> str:
        """The maze as lines; blank cells as dots."""
        rows = [[BLANK_CHARACTER if h < 0 else str(h) for h in row] for row in self.heights.tolist()]
        for character, cell in (("B", self.end), ("A", self.start)):
            if cell is not None:
                rows[cell[0]][cell[1]] = character
        return "\n".join(map("".join, rows))

    @property
    def with_numbers(self) -> str:
        """The maze as lines between the numbers of their rows and columns, from 0."""
        width = len(str(self.size - 1))
        numbers = [str(c).rjust(width) for c in range(self.size)]
        heads = [" " * (width + 1) + "".join(number[k] for number in numbers) for k in range(width)]
        rows = [f"{r:>{width}} {line}" for r, line in enumerate(self.text.split("\n"))]
        return "\n".join([*heads, *rows])

    @property
    def histogram(self) -> Ints:
        """How many cells have each height, (10,)."""
        return np.bincount(self.heights[self.heights >= 0], minlength=LEVELS)

    def index(self, cell: Cell) -> int:
        """The number of a cell, counting row by row."""
        return cell[0] * self.size + cell[1]

    def cell(self, index: int) -> Cell:
        """The cell of a number."""
        return index // self.size, index % self.size


DIGITS = frozenset("0123456789")


def lines_of(text: str) -> list[str]:
    """The lines of a maze without surrounding white space; Windows line endings are accepted."""
    return text.strip().replace("\r\n", "\n").split("\n")


def id_of(cell: Cell) -> str:
    """The id of a cell's element."""
    return f"cell {cell[0]},{cell[1]}"


def words_of(cell: Cell) -> str:
    """A cell in words."""
    return f"row {cell[0]}, column {cell[1]}"
