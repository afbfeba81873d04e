"""Loops through all free cells: two links at every cell by an integer program, then the loops are joined.

Two loops that run past each other on a unit square become one when their two parallel links are replaced by the other
two sides. Loops that cannot be joined are forbidden by a cut (at least two links leave each loop), and the program is
solved again. Source: docs/tasks/hamiltonian_loop.md.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid, link, no_loop_reason
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Piece, pieces_of

MAX_ROUNDS = 40
ROUND_LIMIT_S = 20.0


def find_loop(grid: LoopGrid, seed: int = 0, progress: Progress = silent) -> list[Cell] | None:
    """A loop through every free cell, each cell once; None if there is none, or none was found in MAX_ROUNDS."""
    if no_loop_reason(grid):
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    cuts: list[list[int]] = []
    for round_ in range(MAX_ROUNDS):
        progress(round_, MAX_ROUNDS, "looking for a loop")
        chosen = _two_links_each(grid, rng, cuts)
        if chosen is None:
            return None
        pieces = pieces_of(join_loops(grid, chosen))
        if len(pieces) == 1:
            return list(pieces[0].cells)
        cuts += [_leaving(grid, piece) for piece in pieces]
    return None


def join_loops(grid: LoopGrid, links: Iterable[Link]) -> set[Link]:
    """Joins loops on unit squares as long as possible."""
    joined = set(links)
    owner = {cell: i for i, piece in enumerate(pieces_of(joined)) for cell in piece.cells}
    changed = True
    while changed:
        changed = False
        for a, b, c, d in grid.squares():
            for old, new in (((a, b), (c, d)), ((a, c), (b, d))), (((a, c), (b, d)), ((a, b), (c, d))):
                if owner[old[0][0]] != owner[old[1][0]] and joined.issuperset(old):
                    joined = joined.difference(old) | set(new)
                    gone = owner[old[1][0]]
                    remaining = owner[old[0][0]]
                    owner = {cell: remaining if i == gone else i for cell, i in owner.items()}
                    changed = True
    return joined


def sweep(width: int, height: int) -> list[Cell]:
    """The loop of an empty grid of even height: column 1 leads back, the others are swept row by row."""
    cells = [(1, 1)]
    for y in range(1, height + 1):
        row = [(x, y) for x in range(2, width + 1)]
        cells += row if y % 2 else row[::-1]
    return cells + [(1, y) for y in range(height, 1, -1)]


def _two_links_each(grid: LoopGrid, rng: np.random.Generator, cuts: Sequence[Sequence[int]]) -> list[Link] | None:
    """Links of least random cost such that every cell has two and every cut is respected."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    at_cells = _incidence(grid)
    constraints: list[Any] = [LinearConstraint(at_cells, 2, 2)]
    if cuts:
        rows = np.zeros((len(cuts), len(grid.links)))
        for row, cut in zip(rows, cuts, strict=True):
            row[cut] = 1
        constraints.append(LinearConstraint(rows, 2, np.inf))
    solution = milp(
        rng.random(len(grid.links)),
        integrality=np.ones(len(grid.links)),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options={"time_limit": ROUND_LIMIT_S},
    )
    if solution.x is None:
        return None
    return [edge for edge, value in zip(grid.links, solution.x, strict=True) if value > 0.5]


def _incidence(grid: LoopGrid) -> Any:
    """Cells by links: 1 where the link ends at the cell."""
    from scipy.sparse import csr_array

    row_of = {cell: i for i, cell in enumerate(grid.free)}
    rows = [row_of[cell] for edge in grid.links for cell in edge]
    columns = np.repeat(np.arange(len(grid.links)), 2)
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(grid.free), len(grid.links)))


def _leaving(grid: LoopGrid, piece: Piece) -> list[int]:
    """The indices of the links with one end in a piece."""
    inside = set(piece.cells)
    return [i for i, (a, b) in enumerate(grid.links) if (a in inside) != (b in inside)]


def loop_links(cells: Sequence[Cell]) -> set[Link]:
    """The links of a closed walk."""
    return {link(a, b) for a, b in zip(cells, (*cells[1:], cells[0]), strict=True)}
