"""Makes mazes: a route, heights along it, and other cells that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spatial_workbench.engine.core import InstanceError, Progress, silent
from spatial_workbench.engine.core.scene import Ints
from spatial_workbench.engine.tasks.maze_3d.graph import CLIMB, DROP, study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, LEVELS, Cell, Maze, Rules

TRIES = 4000
FILL_TRIES = 60
SMALL = 7
"""Up to this size the route is a random walk, above it a serpentine."""
SHORTEST_ROUTE = 0.35
"""The least share of the cells that a serpentine goes through."""
JUMP_CHANCE = 0.25
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def make_maze(rules: Rules, rng: np.random.Generator, progress: Progress = silent) -> Maze:
    """A maze that passes every check.

    Raises:
        InstanceError: none was found; the message names the settings that make it hard.
    """
    for attempt in range(TRIES):
        progress(attempt, TRIES, "drawing mazes")
        maze = _drawn(rules, rng)
        if maze is not None and passes(maze, rules):
            return maze
    raise InstanceError(
        f"No maze of {rules.size} x {rules.size} cells with {rules.jumps} jumps and at most "
        f"{rules.cap:.0%} of a height was found; ask for fewer jumps, less coverage or a higher limit"
    )


def passes(maze: Maze, rules: Rules) -> bool:
    """Whether a maze is full, breaks no limit and has one path."""
    if (maze.heights < 0).any() or maze.histogram.max() > rules.most_alike:
        return False
    routes = study(maze)
    long_enough = len(routes.path) >= rules.least_visited
    return routes.is_unique and long_enough and len(routes.jump_steps) >= rules.jumps


def fill_rest(maze: Maze, rng: np.random.Generator, progress: Progress = silent) -> Maze | None:
    """The maze with its blank cells filled so that nothing leads off its path; None if no such heights were found.

    At first nothing new may be reached from A; where that leaves a cell no height, only the path is kept clear.
    """
    routes = study(maze)
    for attempt in range(FILL_TRIES):
        progress(attempt, FILL_TRIES, "filling cells")
        fixed = routes.reached if attempt < FILL_TRIES // 2 else routes.path
        heights = _filled(maze.heights, fixed, rng)
        if heights is None:
            continue
        filled = Maze(heights, maze.start, maze.end)
        if not routes.is_unique or study(filled).is_unique:
            return filled
    return None


# The route -----------------------------------------------------------------------------------------------------------


def _drawn(rules: Rules, rng: np.random.Generator) -> Maze | None:
    route = _random_walk(rules, rng) if rules.size <= SMALL else _serpentine(rules, rng)
    walked = _heights_along(route, rules, rng)
    if walked is None:
        return None
    heights = np.full((rules.size, rules.size), BLANK)
    for cell, height, _ in walked:
        heights[cell] = height
    filled = _filled(heights, [cell for cell, _, on_path in walked if on_path], rng)
    return None if filled is None else Maze(filled, route[0], route[-1])


def _random_walk(rules: Rules, rng: np.random.Generator) -> list[Cell]:
    """A random walk from a random cell until it is stuck."""
    size = rules.size
    position = (int(rng.integers(size)), int(rng.integers(size)))
    route = [position]
    while free := [cell for cell in _around(position, size) if cell not in route]:
        position = free[int(rng.integers(len(free)))]
        route.append(position)
    return route


def _serpentine(rules: Rules, rng: np.random.Generator) -> list[Cell]:
    """A route along the even rows, joined at alternating ends, cut off somewhere, and rotated or mirrored."""
    size = rules.size
    route: list[Cell] = []
    for r in range(0, size, 2):
        row = [(r, c) for c in range(size)]
        route += row if r % 4 == 0 else row[::-1]
        if r + 2 < size:
            route.append((r + 1, route[-1][1]))
    least = max(int(np.ceil(SHORTEST_ROUTE * size * size)), rules.least_visited)
    route = route[: int(rng.integers(min(least, len(route)), len(route) + 1))]
    return _turned(route, size, rng)


def _turned(route: Sequence[Cell], size: int, rng: np.random.Generator) -> list[Cell]:
    transposed, down, across, backwards = rng.random(4) < 0.5
    turned = []
    for r, c in reversed(route) if backwards else route:
        r, c = (c, r) if transposed else (r, c)
        turned.append((size - 1 - r if down else r, size - 1 - c if across else c))
    return turned


def _heights_along(
    route: Sequence[Cell], rules: Rules, rng: np.random.Generator
) -> list[tuple[Cell, int, bool]] | None:
    """Cell, height, and whether the path steps on it; None if the walk ends at another height than B's."""
    height = rules.start_height
    k = 0
    jumps = 0
    walked = [(route[0], height, True)]
    while k < len(route) - 1:
        in_line = k + 2 < len(route) and _are_in_line(route[k : k + 3])
        if in_line and height >= DROP and rng.random() < JUMP_CHANCE:
            walked.append((route[k + 1], int(rng.integers(height - DROP + 1)), False))
            k = k + 2
            jumps = jumps + 1
        else:
            left = len(route) - 2 - k
            steps = [d for d in (-1, 0, 1) if 0 <= height + d < LEVELS and abs(height + d - rules.end_height) <= left]
            if not steps:
                return None
            height += steps[int(rng.integers(len(steps)))]
            k += 1
        walked.append((route[k], height, True))
    return walked if height == rules.end_height and jumps >= rules.jumps else None


def _are_in_line(cells: Sequence[Cell]) -> bool:
    (r, c), _, (r2, c2) = cells
    return r == r2 or c == c2


# The rest ------------------------------------------------------------------------------------------------------------


def _filled(heights: Ints, fixed: Sequence[Cell], rng: np.random.Generator) -> Ints | None:
    """Fills blank cells in random order, each with the least used height that joins nothing to the fixed cells."""
    heights = heights.copy()
    is_kept = np.zeros(heights.shape, bool)
    is_kept[tuple(np.array(fixed, int).reshape(-1, 2).T)] = True
    count = np.bincount(heights[heights >= 0], minlength=LEVELS)
    grid = heights.tolist()
    on_path = is_kept.tolist()
    blanks = np.argwhere(heights < 0)
    ranks = rng.random(LEVELS)
    for r, c in rng.permutation(blanks).tolist():
        options = allowed_heights(grid, on_path, (r, c))
        if not options:
            return None
        best = min(options, key=lambda h: (count[h], ranks[h]))
        grid[r][c] = best
        count[best] += 1
    return np.array(grid)


def allowed_heights(grid: Sequence[Sequence[int]], is_fixed: Sequence[Sequence[bool]], cell: Cell) -> list[int]:
    """The heights of a cell that make no walk and no jump from, to or between fixed cells."""
    allowed = set(range(LEVELS))
    size = len(grid)
    for r, c in _around(cell, size):
        if is_fixed[r][c]:
            allowed -= set(range(grid[r][c] - CLIMB, grid[r][c] + CLIMB + 1))
    for low, high in _jumps_onto(grid, is_fixed, cell):
        if low + DROP <= high:
            allowed.discard(high)
    for height in _jumps_over(grid, is_fixed, cell):
        allowed -= set(range(height - DROP + 1))
    return sorted(allowed)


def _jumps_onto(
    grid: Sequence[Sequence[int]], is_fixed: Sequence[Sequence[bool]], cell: Cell
) -> Iterator[tuple[int, int]]:
    """For each fixed cell two away: the height in between, and its height."""
    r, c = cell
    for dr, dc in WAYS:
        far = r + 2 * dr, c + 2 * dc
        if _is_inside(far, len(grid)) and is_fixed[far[0]][far[1]] and grid[r + dr][c + dc] >= 0:
            yield grid[r + dr][c + dc], grid[far[0]][far[1]]


def _jumps_over(grid: Sequence[Sequence[int]], is_fixed: Sequence[Sequence[bool]], cell: Cell) -> Iterator[int]:
    """The heights of equally high cells on opposite sides, if one of them is fixed."""
    r, c = cell
    for dr, dc in ((0, 1), (1, 0)):
        first, second = (r - dr, c - dc), (r + dr, c + dc)
        if _is_inside(first, len(grid)) and _is_inside(second, len(grid)):
            height = grid[first[0]][first[1]]
            is_kept = is_fixed[first[0]][first[1]] or is_fixed[second[0]][second[1]]
            if is_kept and height == grid[second[0]][second[1]]:
                yield height


def _around(cell: Cell, size: int) -> list[Cell]:
    r, c = cell
    return [(r + dr, c + dc) for dr, dc in WAYS if _is_inside((r + dr, c + dc), size)]


def _is_inside(cell: Cell, size: int) -> bool:
    return 0 <= cell[0] < size and 0 <= cell[1] < size
