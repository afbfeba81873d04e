"""A snake in a grid of 2 to 10 axes.

Observation  an array of the grid's shape: 0 free, 1 wall, 2 food, 3 path, 4 head
Actions      2k: a step up axis k; 2k + 1: a step down
Reward       the change of the score: the share of the free cells that the path visits, divided by 1 + the food left
End          the score is 1, or there is no way on
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.tasks.hyper_snake import SnakePath, answer_of
from spatial_workbench.engine.tasks.hyper_snake.editing import Walk
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, way_name
from spatial_workbench.environments.base import PICTURE, Mask, TaskEnvironment, spaces

FREE, WALL, FOOD, PATH, HEAD = range(5)


class HyperSnakeEnvironment(TaskEnvironment):
    """See the module; arguments of the generator are those of the task hyper_snake, such as size="4,4"."""

    def __init__(
        self,
        address: str | None = None,
        render_mode: str | None = None,
        picture_size: tuple[int, int] = PICTURE,
        theme: str = "light",
        **difficulty: Any,
    ) -> None:
        super().__init__("hyper_snake", address, render_mode, picture_size, theme, difficulty)
        fixed = self.fixed_parameters
        size = tuple(map(int, self.arguments.size.split(",")) if fixed is None else fixed["size"])
        self.action_space = spaces.Discrete(2 * len(size))
        self.observation_space = spaces.Box(FREE, HEAD, size, np.int8)

    def answer(self) -> SnakePath:
        return answer_of(self._walk.field, self._walk.path)

    def meaning(self, action: Any) -> str:
        return way_name(int(action))

    def action_mask(self) -> Mask:
        mask = np.zeros(2 * self._walk.field.axes, np.int8)
        mask[list(self._walk.moves)] = 1
        return mask

    def _why_not(self, instance: Instance) -> str:
        size = tuple(instance.parameters["size"])
        made_for = self.observation_space.shape
        return "" if size == made_for else f"its grid is {_times(size)}, and this one is {_times(made_for)}"

    def _begin(self) -> None:
        field = SnakeField.of(self.instance.parameters)
        self._walk = Walk(field, (field.first,), None)

    def _act(self, action: Any) -> str:
        refusal = self._walk.refusal(int(action))
        if not refusal:
            self._walk = self._walk.after(int(action))
        return refusal

    def _observation(self) -> NDArray[np.int8]:
        field = self._walk.field
        cells = np.where(field.is_wall, WALL, np.where(field.is_food, FOOD, FREE)).astype(np.int8)
        cells[list(self._walk.path)] = PATH
        cells[self._walk.path[-1]] = HEAD
        return cells.reshape(field.size)


def _times(size: Sequence[int] | None) -> str:
    return " x ".join(map(str, size or ()))
