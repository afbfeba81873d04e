"""The same rules by other methods, on sets of tuples.

Rays are counted one by one; the symmetries are the closure of three exchanges of axes and one mirror, and there is none
if the smallest of the 48 images (its canonical form) is reached once only.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from engine.core.checks import Check, Problem
from engine.core.words import counted
from engine.tasks.voxel_projection.answer import Cell, Voxels, cell_of
from engine.tasks.voxel_projection.grid import AXES, PLANES, Grid

Operation = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""For each axis of the image: which coordinate it takes, and its sign."""

IDENTITY: Operation = ((0, 1), (1, 1), (2, 1))
GENERATORS: tuple[Operation, ...] = (
    ((1, 1), (0, 1), (2, 1)),
    ((0, 1), (2, 1), (1, 1)),
    ((2, 1), (1, 1), (0, 1)),
    ((0, -1), (1, 1), (2, 1)),
)


def judge(grid: Grid, answer: Voxels, names: Sequence[str]) -> list[Check]:
    """The checks of these names, in order; after the first that fails the rest are not reached."""
    cells = [cell_of(voxel, grid.n) for voxel in answer.voxels]
    filled = [cell for cell in cells if cell is not None]
    steps: list[Callable[[], Iterator[Problem]]] = [
        lambda: _if(len(filled) < len(cells), "An entry is not a cell"),
        lambda: _if(any(grid.rule.why(cell) for cell in filled), "A cell is forbidden"),
        lambda: _if(not set(grid.rule.required) <= set(filled), "A required cell is empty"),
        lambda: _if(len(cells) != grid.count, f"{counted(len(cells), 'voxel')}, expected {grid.count}"),
        lambda: _if(max(Counter(cells).values(), default=1) > 1, "A cell is listed twice"),
        *(lambda plane=plane: _rays(grid, filled, plane) for plane in PLANES),
        lambda: _if(multiplicity(filled, grid.n) > 1, "The set is symmetric"),
    ]
    checks: list[Check] = []
    for name, step in zip(names, steps, strict=True):
        failed = any(check.state != "passed" for check in checks)
        checks.append(Check.not_reached(name) if failed else Check.of(name, step()))
    return checks


def multiplicity(cells: Sequence[Cell], n: int) -> int:
    """How many of the 48 images of a set equal the smallest one."""
    images = [sorted(applied(operation, cell, n) for cell in cells) for operation in group()]
    smallest = min(images)
    return sum(image == smallest for image in images)


@cache
def group() -> frozenset[Operation]:
    """All operations that the generators make."""
    elements = {IDENTITY}
    while True:
        more = {_after(first, second) for first in elements for second in GENERATORS} | elements
        if more == elements:
            return frozenset(elements)
        elements = more


def applied(operation: Operation, cell: Cell, n: int) -> Cell:
    """The image of a cell."""
    x, y, z = (cell[k] if sign > 0 else n - 1 - cell[k] for k, sign in operation)
    return x, y, z


def _after(first: Operation, second: Operation) -> Operation:
    """The operation that does the first one, then the second."""
    a, b, c = ((first[k][0], first[k][1] * sign) for k, sign in second)
    return a, b, c


def _rays(grid: Grid, cells: Sequence[Cell], plane: tuple[int, int]) -> Iterator[Problem]:
    """Counts the cells on each ray across a plane."""
    i, j = plane
    counts = Counter((cell[i], cell[j]) for cell in cells)
    empty = sum(counts[u, v] == 0 for u in range(grid.n) for v in range(grid.n))
    if empty or sum(counts.values()) != len(cells):
        yield Problem(f"{empty} rays across the {AXES[i]}{AXES[j]} plane meet no voxel")


def _if(wrong: bool, message: str) -> Iterator[Problem]:
    if wrong:
        yield Problem(message)
