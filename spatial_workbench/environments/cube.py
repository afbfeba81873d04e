"""A scrambled Rubik's cube.

Observation  (54,) numbers 0 to 5: for each sticker the face where its colour belongs, in the order U L F R D B, each
             face row by row as in the net
Actions      12 quarter turns, in the order of `TURNS`
Reward       `reward="score"`: 1 for the turn that solves the cube. "sticker", "face", "heuristic": by how much a turn
             changes the number of stickers in place, of faces of one colour, or of completed steps of the
             layer-by-layer method
End          the cube is solved
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.cube.facelets import SOLVED, apply_move
from spatial_workbench.engine.cube.rewards import reward as measured
from spatial_workbench.engine.cube.strings import faces_of_colours
from spatial_workbench.engine.tasks.cube import CubeAnswer
from spatial_workbench.environments.base import PICTURE, TaskEnvironment, spaces

TURNS = ("F", "F'", "B", "B'", "L", "L'", "R", "R'", "U", "U'", "D", "D'")
_FACES = {letter: number for number, letter in enumerate(SOLVED[::9])}


class Cube(TaskEnvironment):
    """See the module; arguments of the generator are those of the task cube_full_symbolic, such as depth=2."""

    def __init__(
        self,
        address: str | None = None,
        reward: Literal["score", "sticker", "face", "heuristic"] = "score",
        render_mode: str | None = None,
        picture_size: tuple[int, int] = PICTURE,
        theme: str = "light",
        **difficulty: Any,
    ) -> None:
        super().__init__("cube_full_symbolic", address, render_mode, picture_size, theme, difficulty)
        if reward not in ("score", "sticker", "face", "heuristic"):
            raise ValueError(f"reward is {reward!r}; it has to be 'score', 'sticker', 'face' or 'heuristic'")
        self._kind = reward
        self.action_space = spaces.Discrete(len(TURNS))
        self.observation_space = spaces.Box(0, 5, (54,), np.int8)

    def answer(self) -> CubeAnswer:
        return CubeAnswer(moves=tuple(self._moves))

    def meaning(self, action: Any) -> str:
        return TURNS[action]

    def _begin(self) -> None:
        self._moves: list[str] = []
        self._before = self._state = faces_of_colours(self.instance.parameters["state"])

    def _act(self, action: Any) -> str:
        self._before = self._state
        self._state = apply_move(self._state, TURNS[action])
        self._moves.append(TURNS[action])
        return ""

    def _reward(self, before: Verdict) -> float:
        return super()._reward(before) if self._kind == "score" else measured(self._kind, self._before, self._state)

    def _observation(self) -> NDArray[np.int8]:
        return np.array([_FACES[letter] for letter in self._state], np.int8)
