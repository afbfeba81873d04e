"""What gestures do to a drawing, and what can be said of an unfinished one: pure functions, well under 5 ms."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid, beside, is_dark, link, regions
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Links, linked, pieces_of


def toggled(links: Links, edge: Link) -> tuple[frozenset[Link], str]:
    """The drawing with a link added or removed, or unchanged with the reason."""
    if edge in links:
        return frozenset(links - {edge}), ""
    table = linked(links)
    for cell in edge:
        if len(table.get(cell, ())) == 2:
            return frozenset(links), f"Cell {cell} has two links already."
    return frozenset(links | {edge}), ""


def flipped(grid: LoopGrid, links: Links, corner: Cell) -> tuple[frozenset[Link], str]:
    """The drawing with two parallel links around a point replaced by the other two, or unchanged with the reason.

    corner: the top left of the four cells that meet at the point.
    """
    x, y = corner
    a = (x, y)
    b = (x + 1, y)
    c = (x, y + 1)
    d = (x + 1, y + 1)
    across, down = {link(a, b), link(c, d)}, {link(a, c), link(b, d)}
    if not all(cell in grid.neighbours for cell in (a, b, c, d)):
        return frozenset(links), "One of the four cells is blocked."
    if links & (across | down) == across:
        return frozenset(links - across | down), ""
    if links & (across | down) == down:
        return frozenset(links - down | across), ""
    return frozenset(links), "Two parallel links are needed around the point."


def extended(grid: LoopGrid, links: Links, steps: Sequence[Cell], head: Cell, to: Cell) -> tuple[frozenset[Link], str]:
    """The drawing after the pencil moved to an adjacent cell, or unchanged with the reason.

    Going back over the end of a path removes that link. A head in the middle of a piece is cut loose from what
    follows it in `steps`.
    """
    if to not in grid.neighbours.get(head, ()):
        return frozenset(links), f"Cell {to} is blocked." if to in grid.blocked else "Only to a cell beside it."
    extension = link(head, to)
    table = linked(links)
    if extension in links:
        return frozenset(links - {extension}) if len(table[head]) == 1 else frozenset(links), ""
    if len(table.get(to, ())) == 2:
        return frozenset(links), f"Cell {to} has two links already."
    rest = set(links)
    if len(table.get(head, ())) == 2:
        rest.discard(link(head, _following(steps, head, table[head])))
    return frozenset(rest | {extension}), ""


def _following(steps: Sequence[Cell], head: Cell, choice: Sequence[Cell]) -> Cell:
    """Of the two cells linked to the head, the one that follows it in `steps`, or the seam for the first step."""
    place = steps.index(head) if head in steps else 0
    expected = steps[-1] if place == 0 else steps[(place + 1) % len(steps)]
    return expected if expected in choice else choice[-1]


def way_to(head: Cell, to: Cell) -> Iterator[Cell]:
    """The cells between two positions of the pencil that a fast pointer skipped, and the last position."""
    x, y = head
    while (x, y) != to:
        dx, dy = to[0] - x, to[1] - y
        if abs(dx) >= abs(dy):
            x += 1 if dx > 0 else -1
        else:
            y += 1 if dy > 0 else -1
        yield x, y


def filled(grid: LoopGrid, links: Links, first: Cell, last: Cell) -> tuple[frozenset[Link], str]:
    """The drawing with a rectangle filled back and forth, or unchanged with the reason.

    The run begins at `first` and goes along the longer side.
    """
    cells = serpentine(first, last)
    table = linked(links)
    for cell in cells:
        if cell not in grid.neighbours:
            return frozenset(links), f"Cell {cell} is blocked."
        if cell in table:
            return frozenset(links), f"Cell {cell} is visited already."
    return frozenset(links | {link(a, b) for a, b in pairwise(cells)}), ""


def serpentine(first: Cell, last: Cell) -> list[Cell]:
    """The cells of a rectangle back and forth along its longer side, starting at a corner."""
    columns, rows = _between(first[0], last[0]), _between(first[1], last[1])
    if len(columns) >= len(rows):
        return [(x, y) for i, y in enumerate(rows) for x in (columns[::-1] if i % 2 else columns)]
    return [(x, y) for i, x in enumerate(columns) for y in (rows[::-1] if i % 2 else rows)]


def _between(first: int, last: int) -> list[int]:
    return list(range(first, last + 1)) if first <= last else list(range(first, last - 1, -1))


# What can be seen ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """The progress of a drawing."""

    visited: int
    needed: int
    open_ends: int
    loops: int
    paths: int
    balance: int
    """The number of unvisited dark cells minus that of unvisited light ones."""

    @property
    def is_done(self) -> bool:
        """Whether it is one loop through every free cell."""
        return (self.visited, self.loops, self.paths) == (self.needed, 1, 0)


def tally_of(grid: LoopGrid, links: Links) -> Tally:
    """The progress of a drawing, counted."""
    pieces = pieces_of(links)
    visited = {cell for piece in pieces for cell in piece.cells}
    loops = sum(piece.closed for piece in pieces)
    balance = sum(1 if is_dark(cell) else -1 for cell in grid.free if cell not in visited)
    paths = len(pieces) - loops
    return Tally(len(visited), len(grid.free), 2 * paths, loops, paths, balance)


@dataclass(frozen=True)
class DeadEnds:
    """Where a drawing cannot be finished as it stands."""

    starved: tuple[Cell, ...]
    """Cells that can no longer have two links."""
    cut_off: tuple[frozenset[Cell], ...]
    """Unvisited regions that the open ends cannot pass through."""


def dead_ends_of(grid: LoopGrid, links: Links) -> DeadEnds:
    """Where a drawing cannot be finished as it stands."""
    table = linked(links)
    usable = _usable(grid, links, table)
    starved = tuple(cell for cell in grid.free if len(table.get(cell, ())) + len(usable[cell]) < 2)
    if not links:
        return DeadEnds(starved, ())
    unvisited = [cell for cell in grid.free if cell not in table]
    ends = {cell for cell, others in table.items() if len(others) == 1}
    stuck = [frozenset(part) for part in regions(unvisited) if _ends_beside(part, ends) < 2]
    return DeadEnds(starved, tuple(stuck))


def _ends_beside(part: Iterable[Cell], ends: set[Cell]) -> int:
    return len({other for cell in part for other in beside(cell)} & ends)


def _usable(grid: LoopGrid, links: Links, table: dict[Cell, list[Cell]]) -> dict[Cell, set[Cell]]:
    """For each cell, the cells it could still be linked to."""
    full = {cell for cell, others in table.items() if len(others) == 2}
    return {
        cell: set() if cell in full else {o for o in others if o not in full and link(cell, o) not in links}
        for cell, others in grid.neighbours.items()
    }


def forced(grid: LoopGrid, links: Links) -> frozenset[Link]:
    """The links that every completion of the drawing contains, as far as they lead to no contradiction.

    A cell that can be linked to exactly as many cells as it still needs is linked to all of them; the two ends of a
    path are not linked unless that finishes the loop.
    """
    state = _Deduction(grid, links)
    state.deduce_links()
    return frozenset(state.links - links)


class _Deduction:
    def __init__(self, grid: LoopGrid, links: Links) -> None:
        self.grid = grid
        self.links = set(links)
        self.table = linked(links)
        self.usable = _usable(grid, links, self.table)
        self.other_end = {cell: cell for cell in grid.free}
        for piece in pieces_of(links):
            first, last = piece.cells[0], piece.cells[-1]
            self.other_end[first] = last
            self.other_end[last] = first
        self.queue = deque(grid.free)

    def deduce_links(self) -> None:
        for piece in pieces_of(self.links):
            if not piece.closed:
                self._forbid_closing(piece.cells[0])
        while self.queue:
            cell = self.queue.popleft()
            needed = 2 - len(self.table.get(cell, ()))
            if needed and len(self.usable[cell]) == needed:
                for other in sorted(self.usable[cell]):
                    if other in self.usable[cell]:
                        self._add_link(cell, other)

    def _add_link(self, cell: Cell, other: Cell) -> None:
        self.links.add(link(cell, other))
        self._drop_link(cell, other)
        first, last = self.other_end[cell], self.other_end[other]
        self.other_end[first] = last
        self.other_end[last] = first
        for a, b in ((cell, other), (other, cell)):
            self.table.setdefault(a, []).append(b)
            if len(self.table[a]) == 2:
                for beyond in list(self.usable[a]):
                    self._drop_link(a, beyond)
        self._forbid_closing(first)

    def _forbid_closing(self, end: Cell) -> None:
        """Keeps the ends of a path apart unless joining them finishes the loop."""
        if len(self.links) < len(self.grid.free) - 1:
            other = self.other_end[end]
            if other in self.usable[end] and link(end, other) not in self.links:
                self._drop_link(end, other)

    def _drop_link(self, cell: Cell, other: Cell) -> None:
        self.usable[cell].discard(other)
        self.usable[other].discard(cell)
        self.queue += (cell, other)


def started_at(steps: Sequence[Cell], cell: Cell) -> list[Cell]:
    """The same loop, begun at another of its cells."""
    place = steps.index(cell)
    return [*steps[place:], *steps[:place]]
