"""The cross-check of hamiltonian_loop: the set of edges, and the area that they enclose.

Neither follows the steps in order. Edges: each joins cells at distance 1, every free cell is an end of exactly
two, no edge ends elsewhere, and union-find gives one component. Area: by Pick's rule a simple polygon of N unit steps
has I = A - N / 2 + 1 lattice points inside; in a loop through all free cells those are the blocked cells within it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spatial_workbench.engine.core import CheckList, Figure, Outcome, Problem
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, LoopGrid, Place

CHECKS = CheckList()


def judge(grid: LoopGrid, steps: Sequence[Place]) -> Outcome:
    """The same verdict as the default's, found from edges and area."""
    edges = EdgeSet(grid, steps)
    checks = CHECKS.run(edges, stop_at_first=False)
    figures = [Figure("components", edges.components), Figure("enclosed area", edges.area, "cells")] if steps else []
    return Outcome(float(all_passed(checks)), checks, figures)


@dataclass(frozen=True)
class EdgeSet:
    """The undirected edges of a closed walk."""

    grid: LoopGrid
    steps: Sequence[Place]

    @cached_property
    def edges(self) -> list[tuple[Place, Place]]:
        """One edge per step, the closing one first."""
        return [(self.steps[i - 1], step) for i, step in enumerate(self.steps)]

    @cached_property
    def ends(self) -> Counter[Place]:
        """How many edges end at each place."""
        return Counter(end for edge in self.edges for end in edge)

    @cached_property
    def components(self) -> int:
        """The number of connected components of the free cells, by union-find."""
        parent = {cell: cell for cell in self.grid.free}

        def root(cell: Cell) -> Cell:
            while parent[cell] != cell:
                parent[cell] = parent[parent[cell]]
                cell = parent[cell]
            return cell

        for edge in filter(None, (self.grid.link_between(a, b) for a, b in self.edges)):
            parent[root(edge[0])] = root(edge[1])
        return sum(parent[cell] == cell for cell in parent)

    @cached_property
    def area(self) -> float:
        """The area of the polygon through the steps, by the shoelace formula."""
        return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in self.edges)) / 2

    @cached_property
    def enclosed(self) -> int:
        """How many blocked cells are inside the polygon, by casting a ray to the right of each."""
        return sum(self._is_inside(cell) for cell in self.grid.blocked)

    def _is_inside(self, cell: Cell) -> bool:
        # The ray runs slightly below the centres so that it meets no corner of the polygon.
        height = cell[1] + 0.25
        crossings = 0
        for (ax, ay), (bx, by) in self.edges:
            if (ay > height) != (by > height):
                crossings += ax + (height - ay) / (by - ay) * (bx - ax) > cell[0]
        return crossings % 2 == 1


@CHECKS.step("edges of length 1")
def _unit_edges(edges: EdgeSet) -> Iterator[Problem]:
    for i, ((ax, ay), (bx, by)) in enumerate(edges.edges):
        if (ax - bx) ** 2 + (ay - by) ** 2 != 1:
            yield Problem(f"The edge from ({ax:g}, {ay:g}) to ({bx:g}, {by:g}) has not length 1", [f"step {i}"])


@CHECKS.step("two edges at every free cell")
def _degrees(edges: EdgeSet) -> Iterator[Problem]:
    for x, y in edges.grid.free:
        if (count := edges.ends[x, y]) != 2:
            yield Problem(f"{counted(count, 'edge ends', 'edges end')} at cell ({x}, {y})", [f"cell {x},{y}"])


@CHECKS.step("no edge elsewhere")
def _elsewhere(edges: EdgeSet) -> Iterator[Problem]:
    free = set(edges.grid.free)
    for x, y in edges.ends:
        if (x, y) not in free:
            yield Problem(f"An edge ends at ({x:g}, {y:g}), which is not a free cell", [f"cell {x:g},{y:g}"])


@CHECKS.step("one component")
def _one_component(edges: EdgeSet) -> Iterator[Problem]:
    if edges.components != 1:
        yield Problem(f"The free cells fall into {counted(edges.components, 'part')}")


@CHECKS.step("area by Pick's rule")
def _area(edges: EdgeSet) -> Iterator[Problem]:
    inside = edges.area - len(edges.steps) / 2 + 1
    if inside != edges.enclosed:
        yield Problem(f"Pick's rule gives {inside:g} points inside, and {edges.enclosed} blocked cells are there")
