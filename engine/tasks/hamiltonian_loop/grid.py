"""The board of hamiltonian_loop: a grid with blocked cells, and links between cells that share a side.

Cells are (x, y), counted from 1, with y = 1 at the top. A link is a pair of neighbouring free cells, the smaller first.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Cell = tuple[int, int]
Place = tuple[float, float]
Link = tuple[Cell, Cell]


@dataclass(frozen=True)
class LoopGrid:
    """A grid of width x height cells, some of which are blocked."""

    width: int
    height: int
    blocked: frozenset[Cell]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "LoopGrid":
        """The grid of an instance's parameters."""
        blocked = frozenset((x, y) for x, y in parameters["blocked"])
        return cls(parameters["width"], parameters["height"], blocked)

    @classmethod
    def drawn(cls, rows: list[str]) -> "LoopGrid":
        """The grid of a map: its rows from the top, X for blocked."""
        blocked = {(x, y) for y, row in enumerate(rows, 1) for x, mark in enumerate(row, 1) if mark == "X"}
        return cls(len(rows[0]), len(rows), frozenset(blocked))

    def parameters(self) -> dict[str, Any]:
        """The parameters from which `of` makes the same grid."""
        return {"width": self.width, "height": self.height, "blocked": [list(cell) for cell in sorted(self.blocked)]}

    def rows(self) -> list[str]:
        """The grid as a map, X for blocked."""
        across = range(1, self.width + 1)
        return ["".join("X" if (x, y) in self.blocked else "." for x in across) for y in range(1, self.height + 1)]

    @cached_property
    def free(self) -> tuple[Cell, ...]:
        """The cells that are not blocked, row by row."""
        cells = ((x, y) for y in range(1, self.height + 1) for x in range(1, self.width + 1))
        return tuple(cell for cell in cells if cell not in self.blocked)

    @cached_property
    def neighbours(self) -> dict[Cell, tuple[Cell, ...]]:
        """The free cells beside each free cell."""
        free = set(self.free)
        return {cell: tuple(other for other in beside(cell) if other in free) for cell in self.free}

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All possible links."""
        return tuple((cell, other) for cell in sorted(self.free) for other in self.neighbours[cell] if cell < other)

    def holds(self, cell: Place) -> bool:
        """Whether a place is inside the grid."""
        return 1 <= cell[0] <= self.width and 1 <= cell[1] <= self.height

    def link_between(self, first: Place, second: Place) -> Link | None:
        """The link between two places, if they are free cells that share a side."""
        a, b = (int(first[0]), int(first[1])), (int(second[0]), int(second[1]))
        if (a, b) == (first, second) and b in self.neighbours.get(a, ()):
            return link(a, b)
        return None

    def squares(self) -> Iterator[tuple[Cell, Cell, Cell, Cell]]:
        """The free unit squares: top left, top right, bottom left, bottom right."""
        for x, y in self.free:
            square = (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)
            if all(cell in self.neighbours for cell in square):
                yield square


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells that share a side with a cell."""
    x, y = cell
    return (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)


def link(first: Cell, second: Cell) -> Link:
    """The link between two cells."""
    return (first, second) if first < second else (second, first)


def is_dark(cell: Cell) -> bool:
    """The chequerboard colour of a cell; every step changes it."""
    return sum(cell) % 2 == 1


def regions(cells: Iterable[Cell]) -> list[set[Cell]]:
    """The connected parts of a set of cells, in the order of the cells."""
    left = dict.fromkeys(cells)
    connected = []
    while left:
        start = next(iter(left))
        del left[start]
        region = {start}
        queue = deque([start])
        while queue:
            for other in beside(queue.popleft()):
                if other in left:
                    del left[other]
                    region.add(other)
                    queue.append(other)
        connected.append(region)
    return connected


def no_loop_reason(grid: LoopGrid) -> str:
    """Why quick tests rule out a loop on a grid; empty if they do not."""
    dark = sum(map(is_dark, grid.free))
    lonely = next((cell for cell in grid.free if len(grid.neighbours[cell]) < 2), None)
    if len(grid.free) < 4:
        return f"a loop needs 4 free cells, and there are {len(grid.free)}"
    if 2 * dark != len(grid.free):
        return f"the chequerboard colours of the free cells differ in number ({dark} and {len(grid.free) - dark})"
    if lonely is not None:
        return f"cell {lonely} has fewer than two free neighbours"
    return "" if len(regions(grid.free)) == 1 else "the free cells do not hang together"
