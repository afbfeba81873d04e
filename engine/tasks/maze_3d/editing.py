"""Edits of mazes: pure functions that return a new maze."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.maze_3d.generator import WAYS, allowed_heights, fill_rest
from spatial_workbench.engine.tasks.maze_3d.graph import CLIMB, DROP, is_jump, study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, LEVELS, Cell, Maze, Rules


def with_height(maze: Maze, cells: Iterable[Cell], height: int) -> Maze:
    """The maze with one height (or BLANK) in some cells; A and B keep theirs."""
    heights = maze.heights.copy()
    for cell in cells:
        if cell not in (maze.start, maze.end):
            heights[cell] = height
    return replace(maze, heights=heights)


def with_steps(maze: Maze, cells: Iterable[Cell], step: int) -> Maze:
    """The maze with some cells raised or lowered; blank cells begin at 0."""
    heights = maze.heights.copy()
    for cell in cells:
        if cell not in (maze.start, maze.end):
            heights[cell] = min(max(heights[cell] + step, 0), LEVELS - 1)
    return replace(maze, heights=heights)


def with_marker(maze: Maze, marker: str, cell: Cell, rules: Rules) -> Maze | None:
    """The maze with A or B in another cell; the old cell keeps its height. None if the other marker is there."""
    if cell == (maze.end if marker == "A" else maze.start):
        return None
    heights = maze.heights.copy()
    heights[cell] = rules.start_height if marker == "A" else rules.end_height
    return Maze(heights, cell if marker == "A" else maze.start, cell if marker == "B" else maze.end)


def region(maze: Maze, cell: Cell) -> set[Cell]:
    """The connected cells of the same height around a cell, without A and B."""
    height = maze.heights[cell]
    cells = {cell}
    stack = [cell]
    while stack:
        r, c = stack.pop()
        for neighbour in ((r + dr, c + dc) for dr, dc in WAYS):
            inside = min(neighbour) >= 0 and max(neighbour) < maze.size
            if inside and neighbour not in cells and maze.heights[neighbour] == height:
                cells.add(neighbour)
                stack.append(neighbour)
    return cells - {maze.start, maze.end}


def path_only(maze: Maze) -> Maze:
    """The maze without the cells that are neither on its path nor jumped over."""
    routes = study(maze)
    over = [middle(routes.path[k], routes.path[k + 1]) for k in routes.jump_steps]
    on_path = {*routes.path, *over}
    cells = np.ndindex(maze.heights.shape)
    return with_height(maze, (cell for cell in cells if cell not in on_path), BLANK)


def middle(a: Cell, b: Cell) -> Cell:
    """The cell between two that are two apart."""
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


def line(a: Cell, b: Cell) -> Iterator[Cell]:
    """The cells from a (excluded) to b that a fast pointer skipped, each adjacent to the one before."""
    r, c = a
    while (r, c) != b:
        if abs(b[0] - r) > abs(b[1] - c):
            r += 1 if b[0] > r else -1
        else:
            c += 1 if b[1] > c else -1
        yield r, c


# The route pen -------------------------------------------------------------------------------------------------------


class MazeSlope(StrEnum):
    """How heights follow the pen."""

    AUTO = "auto"
    LEVEL = "level"
    CLIMB = "climb"
    DESCEND = "descend"


_STEP = {MazeSlope.LEVEL: 0, MazeSlope.CLIMB: 1, MazeSlope.DESCEND: -1}


@dataclass(frozen=True)
class _Stroke:
    cell: Cell
    maze: Maze


class RoutePen:
    """A route drawn cell by cell; its cells get heights that allow walking or jumping.

    Without `keeps_rules` it goes wherever it is led.
    """

    def __init__(self, maze: Maze, start: Cell, rules: Rules, keeps_rules: bool = True) -> None:
        self._rules = rules
        self._keeps_rules = keeps_rules
        self._strokes = [_Stroke(start, maze)]
        self.gap: Cell | None = None
        """The cell of a jump whose landing is still to come."""

    @property
    def maze(self) -> Maze:
        """The maze so far."""
        return self._strokes[-1].maze

    @property
    def cell(self) -> Cell:
        """Where the pen stands."""
        return self._strokes[-1].cell

    @property
    def route(self) -> tuple[Cell, ...]:
        """The cells that it stepped on."""
        return tuple(stroke.cell for stroke in self._strokes)

    def enter(self, cell: Cell, slope: MazeSlope = MazeSlope.AUTO, jumps: bool = False) -> str:
        """Moves to an adjacent cell, or back to the one before; returns the reason if it cannot."""
        if cell in (self.cell, self.gap):
            if cell == self.cell:
                self.gap = None
            return ""
        if self._went_back(cell):
            return ""
        if self._keeps_rules and (why := self._objection(cell, jumps)):
            return why
        if self.gap is not None:
            self._land(cell, self.gap)
        elif jumps:
            self.gap = cell
        else:
            self._walk(cell, slope)
        return ""

    def _went_back(self, cell: Cell) -> bool:
        """Undoes the last step if the pointer goes back over it; a jump's landing is left through its gap."""
        if len(self._strokes) < 2 or self.gap is not None:
            return False
        before = self._strokes[-2].cell
        if cell != (middle(before, self.cell) if is_jump(before, self.cell) else before):
            return False
        self._strokes.pop()
        return True

    def _land(self, cell: Cell, gap: Cell) -> None:
        height = self._height
        maze = self.maze
        if not 0 <= maze.heights[gap] <= height - DROP:
            low = int(np.argmin(maze.histogram[: max(height - DROP, 0) + 1]))
            maze = with_height(maze, [gap], low)
        self._strokes.append(_Stroke(cell, with_height(maze, [cell], height)))
        self.gap = None

    def _walk(self, cell: Cell, slope: MazeSlope) -> None:
        height = self._automatic(cell) if slope is MazeSlope.AUTO else self._height + _STEP[slope]
        height = min(max(height, 0), LEVELS - 1)
        self._strokes.append(_Stroke(cell, with_height(self.maze, [cell], height)))

    def _objection(self, cell: Cell, jumps: bool) -> str:
        """Why the rules forbid the route to enter a cell; "" if they do not."""
        if cell in self.route:
            return "the route was here already"
        if self.gap is not None:
            return self._objection_to_landing(cell, self.gap)
        return self._objection_to_gap(cell) if jumps else self._objection_to_step(cell)

    def _objection_to_step(self, cell: Cell) -> str:
        height = int(self.maze.heights[cell])
        if self._is_marker(cell) and abs(height - self._height) > CLIMB:
            return f"height {height} cannot be reached from {self._height}"
        return ""

    def _objection_to_gap(self, cell: Cell) -> str:
        if self._height < DROP:
            return f"a jump starts at height {DROP} or more"
        if self._is_marker(cell) and self.maze.heights[cell] > self._height - DROP:
            return "A and B keep their heights: too high to jump over"
        return ""

    def _objection_to_landing(self, cell: Cell, gap: Cell) -> str:
        if middle(self.cell, cell) != gap or not is_jump(self.cell, cell):
            return "a jump goes straight on"
        if self._is_marker(cell) and self.maze.heights[cell] != self._height:
            return f"a jump to here starts at height {self.maze.heights[cell]}"
        return ""

    def _is_marker(self, cell: Cell) -> bool:
        return cell in (self.maze.start, self.maze.end)

    @property
    def _height(self) -> int:
        return int(self.maze.heights[self.cell])

    def _automatic(self, cell: Cell) -> int:
        """Of the walkable heights that make no shortcut to the route and keep B in reach, the least used."""
        near = [h for h in range(self._height - CLIMB, self._height + CLIMB + 1) if 0 <= h < LEVELS]
        on_route = np.zeros(self.maze.heights.shape, bool)
        on_route[tuple(np.array(self.route[:-1], int).reshape(-1, 2).T)] = True
        safe = set(allowed_heights(self.maze.heights.tolist(), on_route.tolist(), cell))
        count = self.maze.histogram

        def cost(height: int) -> tuple[bool, int, int]:
            return height not in safe, self._short_of_end(cell, height), int(count[height])

        return min(near, key=cost)

    def _short_of_end(self, cell: Cell, height: int) -> int:
        """By how much B is too high or too low to be reached in the steps of a straight way."""
        if self.maze.end is None:
            return 0
        steps = abs(cell[0] - self.maze.end[0]) + abs(cell[1] - self.maze.end[1])
        return max(0, abs(height - self._rules.end_height) - steps)


# What takes longer ---------------------------------------------------------------------------------------------------


def fill(parameters: Mapping[str, Any], text: str, seed: int, progress: Progress = silent) -> str | None:
    """The text of a maze with its blank cells filled so that nothing leads off the path; None if that fails."""
    maze = Maze.read(text, Rules.of(parameters))
    filled = fill_rest(maze, np.random.Generator(np.random.PCG64(seed)), progress)
    return None if filled is None else filled.text


def mend(parameters: Mapping[str, Any], text: str, progress: Progress = silent) -> tuple[str, Cell] | None:
    """The text of a maze with one cell changed so that its path is unique, and that cell; None if no change does it.

    Of all such changes, it makes the one that leaves the longest path.
    """
    maze = Maze.read(text, Rules.of(parameters))
    best: tuple[int, Maze, Cell] | None = None
    candidates = suspects(maze)
    for k, cell in enumerate(candidates):
        progress(k, len(candidates), "trying cells")
        for height in range(LEVELS):
            changed = with_height(maze, [cell], height)
            routes = study(changed)
            if routes.is_unique and (best is None or len(routes.path) > best[0]):
                best = len(routes.path), changed, cell
    return None if best is None else (best[1].text, best[2])


def suspects(maze: Maze) -> list[Cell]:
    """The cells that the two routes around the first cycle step on or jump over."""
    routes = study(maze)
    detour = routes.detour
    if detour is None:
        return []
    first, last = routes.path.index(detour.leaves), routes.path.index(detour.returns)
    cells: set[Cell] = set()
    for route in (routes.path[first : last + 1], detour.cells):
        cells |= {middle(a, b) for a, b in pairwise(route)} | set(route[1:-1])
    return sorted(cells - {maze.start, maze.end})
