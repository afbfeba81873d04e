"""A dome of 2 x 4 bricks, built brick by brick on a lattice of studs.

Observation  "bricks" and "shell": (side, side, layers), indexed x, y and layer, in cells of 8 x 8 x 9.6 mm: where there
             are bricks, and whose centres are in the shell that is to be filled
Actions      ((turn * layers + layer) * places + x) * places + y: a brick whose centre is x and y steps of 8 mm from the
             lowest one, its long side along x (turn 0) or y (turn 1); an action is possible if the brick touches the
             shell, overlaps no other, and stands on the ground or clicks with another
Reward       `reward="score"`: the change of the score, which is 0 until a third of the shell is filled, and
             while a part would fall over. "raw": the change of the raw score, which every brick changes
End          the score is 1, or no brick fits

The task itself allows any place and any turn; the lattice is this environment's.
"""

from __future__ import annotations

from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Instance, Verdict
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, BrickShell, Structure, shell_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, LENGTH, STUD_PITCH, WIDTH, Poses, height_of
from spatial_workbench.engine.tasks.lego_hemisphere.task import INNER_CHOICES_MM, THICKNESS_CHOICES_MM
from spatial_workbench.environments.base import PICTURE, Mask, TaskEnvironment, spaces

Flags = NDArray[np.bool_]
_LONG = int(LENGTH / STUD_PITCH)
_SHORT = int(WIDTH / STUD_PITCH)
_MARGIN = 2
"""Cells between the centre of the outermost brick and its end."""
RAW_OF_NOTHING = -0.5
"""I/R - D / 2R where nothing is built."""


class LegoBuilding(TaskEnvironment):
    """See the module; arguments of the generator are those of the task lego_hemisphere: inner_mm, outer_mm, target."""

    def __init__(
        self,
        address: str | None = None,
        reward: Literal["score", "raw"] = "score",
        render_mode: str | None = None,
        picture_size: tuple[int, int] = PICTURE,
        theme: str = "light",
        **difficulty: Any,
    ) -> None:
        super().__init__("lego_hemisphere", address, render_mode, picture_size, theme, difficulty)
        if reward not in ("score", "raw"):
            raise ValueError(f"reward is {reward!r}; it has to be 'score' or 'raw'")
        self._kind = reward
        radius_mm = self._made_for_mm = self._largest_radius_mm()
        self._reach = int((radius_mm + LENGTH / 2) // STUD_PITCH)
        self._layers = ceil(radius_mm / HEIGHT)
        places = 2 * self._reach + 1
        cells = 2 * (self._reach + _MARGIN)
        self._choices = (2, self._layers, places, places)
        self._cells = (cells, cells, self._layers)
        self.action_space = spaces.Discrete(int(np.prod(self._choices)))
        solid = spaces.Box(0, 1, self._cells, np.int8)
        self.observation_space = spaces.Dict(bricks=solid, shell=solid)

    def answer(self) -> Structure:
        return Structure.model_construct(bricks=tuple(self._bricks))

    def meaning(self, action: Any) -> str:
        brick = self._brick(action)
        return f"a brick at {brick.Centroid}, turned by {brick.RotationDegrees:g}°"

    def action_mask(self) -> Mask:
        """See the module."""
        free = [_covered(self._filled, turn) == 0 for turn in (0, 1)]
        held = [_held(np.logical_not(empty)) for empty in free]
        possible = np.stack([a & b for a, b in zip(free, held, strict=True)]).transpose(0, 3, 1, 2)
        return (possible & self._touches).ravel().astype(np.int8)

    def _reward(self, before: Verdict) -> float:
        return super()._reward(before) if self._kind == "score" else _raw(self.verdict) - _raw(before)

    def _largest_radius_mm(self) -> float:
        fixed = self.fixed_parameters
        given = self.arguments
        if fixed is not None:
            return float(fixed["outer_mm"])
        inner = max(INNER_CHOICES_MM) if given.inner_mm is None else given.inner_mm
        return float(inner + max(THICKNESS_CHOICES_MM) if given.outer_mm is None else given.outer_mm)

    def _why_not(self, instance: Instance) -> str:
        outer_mm = instance.parameters["outer_mm"]
        is_room = outer_mm <= self._made_for_mm
        return "" if is_room else f"its radius is {outer_mm:g} mm, and this one has room for {self._made_for_mm:g} mm"

    def _begin(self) -> None:
        self._bricks: list[Brick] = []
        self._filled: Flags = np.zeros(self._cells, bool)
        shell = shell_of(self.instance)
        self._begun = shell
        self._touches = self._touching(shell)
        self._shell = shell.contains(self._cell_centres()).astype(np.int8)

    def _act(self, action: Any) -> str:
        if not self.action_mask()[action]:
            return f"there is no room for {self.meaning(action)}, or nothing to click with"
        turn, layer, i, j = np.unravel_index(int(action), self._choices)
        along, across = (_LONG, _SHORT) if turn == 0 else (_SHORT, _LONG)
        x, y = i + _MARGIN - along // 2, j + _MARGIN - across // 2
        self._filled[x : x + along, y : y + across, layer] = True
        self._bricks.append(self._brick(action))
        return ""

    def _brick(self, action: Any) -> Brick:
        turn, layer, i, j = (int(part) for part in np.unravel_index(int(action), self._choices))
        x, y = (STUD_PITCH * (place - self._reach) for place in (i, j))
        return Brick.at(x, y, height_of(layer), 90.0 * turn)

    def _observation(self) -> dict[str, NDArray[np.int8]]:
        return {"bricks": self._filled.astype(np.int8), "shell": self._shell.copy()}

    def _touching(self, shell: BrickShell) -> Flags:
        """By place of a brick, whether any of it can be in the shell."""
        turn, layer, i, j = np.indices(self._choices).reshape(4, -1)
        xy = STUD_PITCH * (np.stack([i, j]) - self._reach)
        poses = Poses(np.stack([*xy, HEIGHT * (layer + 0.5), 90.0 * turn], axis=1))
        touches = (poses.farthest_distance >= shell.inner_mm) & (poses.nearest_distance <= shell.outer_mm)
        return np.asarray(touches).reshape(self._choices)

    def _cell_centres(self) -> NDArray[np.float64]:
        half = self._reach + _MARGIN
        centres = STUD_PITCH * (np.arange(2 * half) - half + 0.5)
        heights = HEIGHT * (np.arange(self._layers) + 0.5)
        return np.stack(np.meshgrid(centres, centres, heights, indexing="ij"), axis=-1)


def _raw(verdict: Verdict) -> float:
    return next((float(figure.value) for figure in verdict.figures if figure.name == "raw"), RAW_OF_NOTHING)


def _covered(filled: Flags, turn: int) -> NDArray[np.int64]:
    """By place of a brick, how many of its cells are filled: (places, places, layers)."""
    counts = filled.astype(np.int64)
    for axis, length in ((0, _SHORT if turn else _LONG), (1, _LONG if turn else _SHORT)):
        first = _MARGIN - length // 2
        count = counts.shape[axis] - 2 * _MARGIN + 1
        counts = sum(np.take(counts, range(first + k, first + k + count), axis) for k in range(length))  # type: ignore[assignment]
    return counts


def _held(covers: Flags) -> Flags:
    """By place, whether a brick there stands on the ground, or lies on or under another."""
    held = np.zeros_like(covers)
    held[:, :, 0] = True
    held[:, :, 1:] |= covers[:, :, :-1]
    held[:, :, :-1] |= covers[:, :, 1:]
    return held
