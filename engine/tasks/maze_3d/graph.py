"""The routes of a maze: walks, jumps, the path from A to B, and where it is not unique."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from spatial_workbench.engine.core.scene import Ints
from spatial_workbench.engine.tasks.maze_3d.maze import Cell, Maze

CLIMB = 1
"""Walking is possible between neighbours whose heights differ by at most this much."""
DROP = 2
"""The cell under a jump must be at least this much lower."""
Neighbours = list[list[int]]


@dataclass(frozen=True)
class Detour:
    """Where a second route leaves the path and where it returns, and the cells in between.

    There is at least one: the path is a shortest one, so no single step leads from one of its cells to a later one.
    """

    leaves: Cell
    returns: Cell
    through: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells of the detour, in order."""
        return (self.leaves, *self.through, self.returns)


@dataclass(frozen=True, eq=False)
class MazeStudy:
    """The routes of a maze.

    walks, jumps: (n, 2) and (m, 2), numbers of the cells that each joins.
    reached: the cells that can be reached from A. path: a shortest path from A to B, empty if there is none.
    loose: which steps of the path (k joins path[k] and path[k + 1]) are no bridges. second: a route without the first
    loose step, empty if there is none.
    """

    walks: Ints
    jumps: Ints
    reached: tuple[Cell, ...]
    path: tuple[Cell, ...]
    loose: tuple[int, ...]
    second: tuple[Cell, ...]

    @property
    def jump_steps(self) -> tuple[int, ...]:
        """The steps of the path that are jumps."""
        return tuple(k for k, (a, b) in enumerate(pairwise(self.path)) if is_jump(a, b))

    @property
    def is_unique(self) -> bool:
        """Whether there is exactly one path."""
        return bool(self.path) and not self.loose

    def limited(self, measures: bool, is_judged: bool) -> MazeStudy:
        """What may be shown: the path if measuring is allowed, and everything if judging is."""
        if is_judged:
            return self
        return replace(self, path=self.path if measures else (), reached=(), loose=(), second=())

    @property
    def detour(self) -> Detour | None:
        """Where the second route differs from the path."""
        if not self.second:
            return None
        k = next(k for k, (a, b) in enumerate(zip(self.path, self.second, strict=False)) if a != b)
        on_path = set(self.path)
        back = next(j for j in range(k, len(self.second)) if self.second[j] in on_path)
        return Detour(self.path[k - 1], self.second[back], self.second[k:back])


def study(maze: Maze) -> MazeStudy:
    """Finds path, bridges and second route: about 3 ms for 30 x 30 cells."""
    walks, jumps = edges_of(maze.heights)
    if maze.start is None:
        return MazeStudy(walks, jumps, (), (), (), ())
    neighbours = neighbours_of(maze.heights.size, walks, jumps)
    a = maze.index(maze.start)
    b = maze.index(maze.end) if maze.end is not None else -1
    before = search(neighbours, a)
    path = trace(before, b)
    loose = loose_steps(neighbours, path)
    second: list[int] = []
    if loose:
        cut = path[loose[0]], path[loose[0] + 1]
        second = trace(search(neighbours, a, cut), b)
    cells = [tuple(map(maze.cell, numbers)) for numbers in (before, path, second)]
    return MazeStudy(walks, jumps, cells[0], cells[1], loose, cells[2])


def edges_of(heights: Ints) -> tuple[Ints, Ints]:
    """The pairs of cell numbers that walks (n, 2) and jumps (m, 2) join."""
    numbers = np.arange(heights.size).reshape(heights.shape)
    walks = []
    jumps = []
    for h, n in ((heights, numbers), (heights.T, numbers.T)):
        first, second = h[:, :-1], h[:, 1:]
        can = (np.abs(first - second) <= CLIMB) & (first >= 0) & (second >= 0)
        walks.append(np.stack([n[:, :-1][can], n[:, 1:][can]], axis=1))
        start = h[:, :-2]
        middle = h[:, 1:-1]
        landing = h[:, 2:]
        can = (start == landing) & (middle >= 0) & (middle + DROP <= start)
        jumps.append(np.stack([n[:, :-2][can], n[:, 2:][can]], axis=1))
    return np.concatenate(walks), np.concatenate(jumps)


def neighbours_of(count: int, *edges: Ints) -> Neighbours:
    """For each of `count` cells, the cells that can be reached in one step."""
    neighbours: Neighbours = [[] for _ in range(count)]
    for a, b in np.concatenate(edges).tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours


def search(neighbours: Neighbours, start: int, without: tuple[int, int] | None = None) -> dict[int, int]:
    """Breadth-first search: the predecessor of each reachable cell. One step may be forbidden."""
    before = {start: -1}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        for neighbour in neighbours[cell]:
            if neighbour not in before and (without is None or {cell, neighbour} != set(without)):
                before[neighbour] = cell
                queue.append(neighbour)
    return before


def trace(before: dict[int, int], end: int) -> list[int]:
    """The path to a cell from the result of a search; empty if the search did not reach it."""
    path = []
    while end in before:
        path.append(end)
        end = before[end]
    return path[::-1]


def loose_steps(neighbours: Neighbours, path: Sequence[int]) -> tuple[int, ...]:
    """The steps of a path that are not bridges, found in one sweep along it.

    A step is loose if leaving the path at or before it can lead back to a point behind it. Cells beside the path are
    visited once: what can be reached from them was counted when they were first reached.
    """
    place = {cell: k for k, cell in enumerate(path)}
    seen: set[int] = set()
    loose = []
    farthest = 0
    for k, start in enumerate(path[:-1]):
        stack = [start]
        while stack:
            current = stack.pop()
            for neighbour in neighbours[current]:
                j = place.get(neighbour)
                if j is None:
                    if neighbour not in seen:
                        seen.add(neighbour)
                        stack.append(neighbour)
                elif current != start or j > k + 1:
                    farthest = max(farthest, j)
        if farthest > k:
            loose.append(k)
    return tuple(loose)


def is_jump(a: Cell, b: Cell) -> bool:
    """Whether a step spans two cells."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 2
