"""Figures about a maze, compared with what the instance asks for."""

from __future__ import annotations

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy
from spatial_workbench.engine.tasks.maze_3d.maze import Maze, Rules, words_of
from spatial_workbench.widgets.editing.controls import Reading


def path_reading(routes: MazeStudy, rules: Rules, is_judged: bool) -> Reading:
    """How many cells the path has, and whether they are enough."""
    cells = len(routes.path)
    figure = f"{counted(cells, 'cell')} · {cells / rules.cells:.0%}"
    return _against(figure, cells, rules.least_visited) if is_judged else Reading(figure)


def jumps_reading(routes: MazeStudy, rules: Rules, is_judged: bool) -> Reading:
    """How many jumps the path has, and whether they are enough."""
    jumps = len(routes.jump_steps)
    figure = counted(jumps, "jump")
    return _against(figure, jumps, rules.jumps) if is_judged else Reading(figure)


def ways_reading(routes: MazeStudy) -> Reading:
    """Whether there is exactly one path."""
    if not routes.path:
        return Reading("No path", _reach(routes), is_met=False)
    if routes.is_unique:
        return Reading("One path", "no way around any step", is_met=True)
    return Reading("Ambiguous", f"{counted(len(routes.loose), 'step')} can be avoided (red)", is_met=False)


def counts_of(maze: Maze, routes: MazeStudy, rules: Rules) -> list[str]:
    """The number of empty cells, and the length of the path, in words."""
    left = int((maze.heights < 0).sum())
    words = [counted(left, "empty cell")] if left else []
    if routes.path:
        share = len(routes.path) / rules.cells
        jumps = counted(len(routes.jump_steps), "jump")
        words.append(f"path of {counted(len(routes.path), 'cell')} ({share:.0%}), {jumps}")
    return words


def faults_of(routes: MazeStudy) -> list[str]:
    """What is wrong with the path, in words: there is none, or a second route leaves it."""
    if not routes.path:
        return [f"no path yet: {_reach(routes)}"]
    return [f"a second route leaves it at {words_of(routes.detour.leaves)}"] if routes.detour else []


def _against(figure: str, count: int, least: int) -> Reading:
    return Reading(figure, f"at least {least}", count >= least)


def _reach(routes: MazeStudy) -> str:
    others = len(routes.reached) - 1
    return f"A reaches {counted(others, 'other cell')}" if others > 0 else "A reaches no other cell"
