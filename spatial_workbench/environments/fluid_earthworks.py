"""Earthworks in a world of voxels, on which it rains after each of them.

Observation  "rock" and "water": (n, n, 8), indexed x, y, z, after the rain; "meters": for each number that the goals
             compare its value and its target, unused rows 0; "left": operations left, -1 where there is no limit
Actions      x, y, z of a corner, x, y, z of the opposite one, 1 to fill the box with rock or 0 to dig it out
Reward       the change of the score, which gives partial credit for each goal
End          the score is 1, or no operation is left
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.tasks.fluid_simulation.answer import Earthworks, Operation
from spatial_workbench.engine.tasks.fluid_simulation.editing import clamped, meters
from spatial_workbench.engine.tasks.fluid_simulation.judging import FluidQuestion, FluidSite
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, FluidBox
from spatial_workbench.environments.base import PICTURE, TaskEnvironment, spaces

SIZE = 16
"""Columns along a side, where the arguments say nothing else."""
MAX_METERS = 16


class FluidEarthworks(TaskEnvironment):
    """See the module; arguments of the generator are those of the task fluid_simulation, such as goal="surface"."""

    def __init__(
        self,
        address: str | None = None,
        render_mode: str | None = None,
        picture_size: tuple[int, int] = PICTURE,
        theme: str = "light",
        **difficulty: Any,
    ) -> None:
        given = difficulty if address is not None else {"size": SIZE, **difficulty}
        super().__init__("fluid_simulation", address, render_mode, picture_size, theme, given)
        fixed = self.fixed_parameters
        n: int = self.arguments.size if fixed is None else fixed["n"]
        self._n = n
        self.action_space = spaces.MultiDiscrete([n, n, DEPTH, n, n, DEPTH, 2])
        highest = np.iinfo(np.int32).max
        self.observation_space = spaces.Dict(
            rock=spaces.Box(0, 1, (n, n, DEPTH), np.int8),
            water=spaces.Box(0, 1, (n, n, DEPTH), np.int8),
            meters=spaces.Box(0, highest, (MAX_METERS, 2), np.int32),
            left=spaces.Box(-1, highest, (1,), np.int32),
        )

    def answer(self) -> Earthworks:
        return Earthworks(earthworks=tuple(map(Operation.of, self._boxes)))

    def meaning(self, action: Any) -> str:
        box = self._box(action)
        return f"{'fill' if box.rock else 'dig'} {box.low} to {box.high}"

    def _why_not(self, instance: Instance) -> str:
        n = instance.parameters["n"]
        return "" if n == self._n else f"it has {n} columns along a side, and this one {self._n}"

    def _begin(self) -> None:
        self._boxes: list[FluidBox] = []
        self._question = FluidQuestion.of(self.instance.parameters)

    def _act(self, action: Any) -> str:
        if self._left() == 0:
            return "no operation is left"
        self._boxes.append(self._box(action))
        return ""

    def _box(self, action: Any) -> FluidBox:
        x0, y0, z0, x1, y1, z1, fills = map(int, action)
        return clamped(FluidBox((x0, y0, z0), (x1, y1, z1), bool(fills)), self._n)

    def _left(self) -> int:
        limit = self._question.limit
        return -1 if limit is None else limit - len(self._boxes)

    def _is_stuck(self) -> bool:
        return self._left() == 0

    def _observation(self) -> dict[str, NDArray[Any]]:
        rock = FluidSite(self._question, self.answer()).rock
        water = np.zeros(rock.size, bool)
        water[[cell for body in self.verdict.details["bodies"] for cell in body["cells"]]] = True
        wet = water.reshape(rock.shape)
        table = np.zeros((MAX_METERS, 2), np.int32)
        for row, meter in enumerate(meters(self._question, rock, wet)):
            table[row] = meter.value, meter.target
        left = np.array([self._left()], np.int32)
        return {"rock": rock.astype(np.int8), "water": wet.astype(np.int8), "meters": table, "left": left}
