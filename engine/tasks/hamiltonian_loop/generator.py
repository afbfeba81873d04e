"""New grids for hamiltonian_loop, each with a loop that is known.

Planted: the outline of a random spanning tree of 2 x 2 blocks is a loop. Then, repeatedly, four cells in a row
of the loop that form a unit square are cut short, and the two in the middle are blocked. Otherwise obstacles of the
wanted shape are drawn until the quick tests pass and the solver finds a loop.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.contract import Difficulty
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid, is_dark, link, no_loop_reason
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import pieces_of
from spatial_workbench.engine.tasks.hamiltonian_loop.solver import find_loop, loop_links

MAX_DRAWS = 1000
MAX_SOLVED = 20
"""How many grids that pass the quick tests are given to the solver."""

SHAPES: dict[str, tuple[tuple[int, int], ...]] = {
    "single": ((1, 1),),
    "domino": ((1, 2), (2, 1)),
    "block": ((2, 2),),
    "bar": ((1, 3), (3, 1), (1, 4), (4, 1)),
}
SHAPES["mixed"] = tuple(shape for shapes in SHAPES.values() for shape in shapes)


class GridDifficulty(Difficulty):
    """What a new grid is like. Difficulty grows with the area, the number of obstacles, and narrow places."""

    width: int = Field(12, ge=2, le=40, description="Columns")
    height: int = Field(12, ge=2, le=40, description="Rows")
    blocked: int = Field(6, ge=0, le=800, description="How many cells are blocked")
    pattern: Literal["planted", "single", "domino", "block", "bar", "mixed"] = Field(
        "planted", description="Shape of the obstacles; planted: pairs of cells cut out of a known loop"
    )


def draw(rng: np.random.Generator, difficulty: GridDifficulty) -> dict[str, Any]:
    """The parameters of a new grid, with a loop.

    Raises:
        InstanceError: no grid of that kind has a loop, or none was found.
    """
    if difficulty.blocked > difficulty.width * difficulty.height - 4:
        raise InstanceError(
            f"blocked: at least 4 of the {difficulty.width * difficulty.height} cells have to stay free"
        )
    if (difficulty.width * difficulty.height - difficulty.blocked) % 2:
        raise InstanceError("blocked: a loop needs an even number of free cells")
    grid, loop = _planted(rng, difficulty) if difficulty.pattern == "planted" else _drawn(rng, difficulty)
    return grid.parameters() | {"loop": [list(cell) for cell in loop]}


def _planted(rng: np.random.Generator, difficulty: GridDifficulty) -> tuple[LoopGrid, list[Cell]]:
    if difficulty.width % 2 or difficulty.height % 2:
        raise InstanceError("pattern: planted needs an even width and height")
    loop = _tree_outline(rng, difficulty.width // 2, difficulty.height // 2)
    blocked: set[Cell] = set()
    while len(blocked) < difficulty.blocked:
        bends = [i for i in range(len(loop)) if _is_square(loop, i)]
        if not bends or len(loop) <= 4:
            raise InstanceError(f"blocked: no more than {len(blocked)} cells could be cut out of the loop")
        at = int(rng.choice(bends))
        pair = {loop[(at + 1) % len(loop)], loop[(at + 2) % len(loop)]}
        loop = [cell for cell in loop if cell not in pair]
        blocked |= pair
    return LoopGrid(difficulty.width, difficulty.height, frozenset(blocked)), loop


def _is_square(loop: Sequence[Cell], i: int) -> bool:
    """Whether four cells of a loop from the i-th on form a unit square."""
    ax, ay = loop[i]
    dx, dy = loop[(i + 3) % len(loop)]
    return abs(ax - dx) + abs(ay - dy) == 1


def _tree_outline(rng: np.random.Generator, columns: int, rows: int) -> list[Cell]:
    """The outline of a random spanning tree of columns x rows blocks, each 2 x 2 cells."""
    nodes = [(i, j) for i in range(columns) for j in range(rows)]
    edges = [(a, b) for a in nodes for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in set(nodes)]
    root = {node: node for node in nodes}

    def find(node: Cell) -> Cell:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    links: set[Link] = set()
    for i, j in nodes:
        x, y = 2 * i + 1, 2 * j + 1
        links |= loop_links([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
    for index in rng.permutation(len(edges)):
        a, b = edges[index]
        if find(a) != find(b):
            root[find(a)] = find(b)
            _join(links, a, b)
    return list(pieces_of(links)[0].cells)


def _join(links: set[Link], a: Cell, b: Cell) -> None:
    """Joins the outlines of two neighbouring blocks."""
    x, y = 2 * b[0] + 1, 2 * b[1] + 1
    if a[0] < b[0]:
        left = ((x - 1, y), (x - 1, y + 1))
        right = ((x, y), (x, y + 1))
    else:
        left = ((x, y - 1), (x + 1, y - 1))
        right = ((x, y), (x + 1, y))
    links -= {link(*left), link(*right)}
    links |= {link(left[0], right[0]), link(left[1], right[1])}


def _drawn(rng: np.random.Generator, difficulty: GridDifficulty) -> tuple[LoopGrid, list[Cell]]:
    reason = ""
    solved = 0
    for _ in range(MAX_DRAWS):
        blocked = _obstacles(rng, difficulty)
        grid = LoopGrid(difficulty.width, difficulty.height, blocked)
        if len(blocked) < difficulty.blocked:
            reason = (
                reason or f"blocked: {difficulty.blocked} cells cannot be made of {difficulty.pattern} obstacles here"
            )
            continue
        reason = no_loop_reason(grid)
        if reason:
            continue
        loop = find_loop(grid, int(rng.integers(1 << 31)))
        if loop is not None:
            return grid, loop
        solved += 1
        if solved == MAX_SOLVED:
            break
    raise InstanceError(f"no grid with a loop was found: {reason or 'the solver found no loop'}")


def _obstacles(rng: np.random.Generator, difficulty: GridDifficulty) -> frozenset[Cell]:
    """Separate obstacles with balanced colours: as many cells as requested, or fewer."""
    blocked: set[Cell] = set()
    for _ in range(60 + 20 * difficulty.blocked):
        left = difficulty.blocked - len(blocked)
        shapes = [
            (w, h)
            for w, h in SHAPES[difficulty.pattern]
            if w * h <= left and w <= difficulty.width and h <= difficulty.height
        ]
        if not shapes:
            break
        w, h = shapes[int(rng.integers(len(shapes)))]
        x, y = int(rng.integers(1, difficulty.width - w + 2)), int(rng.integers(1, difficulty.height - h + 2))
        cells = {(x + i, y + j) for i in range(w) for j in range(h)}
        if not cells & blocked and not _unbalances(difficulty, blocked, cells):
            blocked |= cells
    return frozenset(blocked)


def _unbalances(difficulty: GridDifficulty, blocked: set[Cell], cells: set[Cell]) -> bool:
    """Whether these cells unbalance the colours of the blocked ones beyond what the remaining ones can correct."""
    surplus = sum(1 if is_dark(cell) else -1 for cell in blocked | cells)
    # A grid with an odd number of cells has one more light cell, the colour of (1, 1).
    goal = -(difficulty.width * difficulty.height % 2)
    return abs(surplus - goal) > difficulty.blocked - len(blocked | cells)
