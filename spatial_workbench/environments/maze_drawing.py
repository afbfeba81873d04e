"""A maze, drawn by giving heights to the cells of a grid.

Observation  "heights": (size, size), -1 where there is none yet; "rules": heights of A (first cell) and B (last cell),
             the jumps that are needed, the cells that the path has to visit, and how many cells may have one height
Actions      (row * size + column) * 10 + height; A and B keep theirs
Reward       the change of the score: 1 as soon as all rules are met, nothing before
End          the score is 1
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.editing import with_height
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, LEVELS, Cell, Maze, Rules, words_of
from spatial_workbench.environments.base import PICTURE, Mask, TaskEnvironment, spaces


class MazeDrawing(TaskEnvironment):
    """See the module; arguments of the generator are those of the task maze_3d, such as size=6."""

    def __init__(
        self,
        address: str | None = None,
        render_mode: str | None = None,
        picture_size: tuple[int, int] = PICTURE,
        theme: str = "light",
        **difficulty: Any,
    ) -> None:
        super().__init__("maze_3d", address, render_mode, picture_size, theme, difficulty)
        fixed = self.fixed_parameters
        self._size: int = self.arguments.size if fixed is None else fixed["size"]
        self.action_space = spaces.Discrete(self._size**2 * LEVELS)
        self.observation_space = spaces.Dict(
            heights=spaces.Box(BLANK, LEVELS - 1, (self._size, self._size), np.int8),
            rules=spaces.Box(0, self._size**2, (5,), np.int32),
        )

    def answer(self) -> MazeText:
        return MazeText.of(self._maze)

    def meaning(self, action: Any) -> str:
        cell, height = self._target(action)
        return f"height {height} in {words_of(cell)}"

    def action_mask(self) -> Mask:
        mask = np.ones((self._size**2, LEVELS), np.int8)
        mask[[0, -1]] = 0
        return mask.ravel()

    def _why_not(self, instance: Instance) -> str:
        size = instance.parameters["size"]
        return "" if size == self._size else f"it has {size} cells along a side, and this one {self._size}"

    def _begin(self) -> None:
        self._rules = Rules.of(self.instance.parameters)
        empty: Any = self.task.empty(self.instance)
        self._maze = Maze.read(empty.maze, self._rules)

    def _act(self, action: Any) -> str:
        cell, height = self._target(action)
        if cell in (self._maze.start, self._maze.end):
            return f"{words_of(cell)} keeps its height"
        self._maze = with_height(self._maze, [cell], height)
        return ""

    def _target(self, action: Any) -> tuple[Cell, int]:
        place, height = divmod(int(action), LEVELS)
        return (place // self._size, place % self._size), height

    def _observation(self) -> dict[str, NDArray[Any]]:
        rules = self._rules
        needed = (rules.start_height, rules.end_height, rules.jumps, rules.least_visited, rules.most_alike)
        return {"heights": self._maze.heights.astype(np.int8), "rules": np.array(needed, np.int32)}
