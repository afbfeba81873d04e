"""Drawings of hamiltonian_loop: sets of links, at most two per cell, and how an answer represents them.

A drawing is made of pieces, open paths and loops. An answer is one list of steps, so the pieces stand one after the
other in it; a loop among several repeats its first cell, and where the next piece begins beside the last cell the walk
goes one cell back, so that reading the list gives the same links again. A single piece stands there as it is.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid, Place, beside

Links = Set[Link]


@dataclass(frozen=True)
class Piece:
    """A path or a loop: its cells in order."""

    cells: tuple[Cell, ...]
    closed: bool


def linked(links: Iterable[Link]) -> dict[Cell, list[Cell]]:
    """The cells that each cell is linked to."""
    table: dict[Cell, list[Cell]] = {}
    for a, b in links:
        table.setdefault(a, []).append(b)
        table.setdefault(b, []).append(a)
    return table


def pieces_of(links: Links, like: Sequence[Cell] = ()) -> list[Piece]:
    """The pieces of a drawing; they begin, run and follow each other as in `like` where that holds their cells."""
    rank: dict[Cell, int] = {}
    for i, cell in enumerate(like):
        rank.setdefault(cell, i)

    def order(cell: Cell) -> tuple[int, int, int]:
        return rank.get(cell, len(like)), cell[1], cell[0]

    table = linked(links)
    starts = sorted(table, key=lambda cell: (len(table[cell]) == 2, order(cell)))
    pieces = []
    seen = set[Cell]()
    for start in starts:
        if start not in seen:
            cells = _walk(table, start, min(table[start], key=order))
            seen.update(cells)
            pieces.append(Piece(tuple(cells), len(table[start]) == 2))
    return sorted(pieces, key=lambda piece: min(map(order, piece.cells)))


def _walk(table: Mapping[Cell, Sequence[Cell]], start: Cell, second: Cell) -> list[Cell]:
    cells = [start, second]
    while True:
        following = [cell for cell in table[cells[-1]] if cell != cells[-2]]
        if not following or following[0] == start:
            return cells
        cells.append(following[0])


def reversed_steps(links: Links, like: Sequence[Cell]) -> list[Cell]:
    """The steps of the same drawing with every piece walked the other way; loops begin at the same cell."""
    ways: list[Cell] = []
    for piece in pieces_of(links, like):
        first, *rest = piece.cells if piece.closed else piece.cells[::-1]
        ways += [first, *(rest[::-1] if piece.closed else rest)]
    return steps_of(links, ways)


def links_of(grid: LoopGrid, steps: Sequence[Place]) -> frozenset[Link]:
    """The links that a list of steps walks along, from the last to the first too; at most two at a cell."""
    links: set[Link] = set()
    count: dict[Place, int] = {}
    for a, b in zip(steps, (*steps[1:], *steps[:1]), strict=True):
        step = grid.link_between(a, b)
        if step is not None and step not in links and max(count.get(a, 0), count.get(b, 0)) < 2:
            links.add(step)
            count[a], count[b] = count.get(a, 0) + 1, count.get(b, 0) + 1
    return frozenset(links)


def steps_of(links: Links, like: Sequence[Cell] = ()) -> list[Cell]:
    """The list of steps of a drawing."""
    pieces = pieces_of(links, like)
    if len(pieces) == 1:
        return list(pieces[0].cells)
    steps: list[Cell] = []
    for piece, following in zip(pieces, (*pieces[1:], *pieces[:1]), strict=True):
        cells = (*piece.cells, piece.cells[0]) if piece.closed else piece.cells
        steps += cells
        if following.cells[0] in beside(cells[-1]):
            steps.append(cells[-2])
    return steps
