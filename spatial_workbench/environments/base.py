"""What the environments have in common: an instance, an answer that grows with each action, and its verdict."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Answer, Instance, InstanceError, Scene, Verdict, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.errors import meant
from spatial_workbench.engine.core.extras import MissingExtra, how_to_get
from spatial_workbench.engine.core.verdict import OF_ONE_JUDGING

try:
    import gymnasium
    from gymnasium import spaces as spaces
except ImportError as error:
    raise MissingExtra(how_to_get("gym")) from error

PICTURE = (640, 420)
OPTIONS = ("address",)
"""What the options of `reset` may hold."""
MAX_TRIES = 20
"""How many seeds are tried where a generator finds no instance."""

Pixels = NDArray[np.uint8]
Mask = NDArray[np.int8]


class TaskEnvironment(gymnasium.Env[Any, Any]):
    """An instance of a task, solved action by action.

    An action that is not possible changes nothing, earns nothing, and is explained in `info["refused"]`.

    Args:
        task_id: The task.
        address: An instance to use in all episodes. None: `reset(seed=…)` makes one from the seed.
        render_mode: "rgb_array" or None.
        picture_size: Width and height of the rendered picture in pixels.
        theme: "light" or "dark".
        difficulty: Arguments of the task's generator.

    Raises:
        InstanceError: There is no such instance, or an argument is invalid.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        task_id: str,
        address: str | None,
        render_mode: str | None,
        picture_size: tuple[int, int],
        theme: str,
        difficulty: dict[str, Any],
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}; it has to be 'rgb_array' or None")
        self.render_mode = render_mode
        self.task = task_of(task_id)
        if address is not None and difficulty:
            raise ValueError("Give an address or arguments of the generator, not both")
        self._fixed = None if address is None else self._addressed(address)
        self._difficulty = difficulty
        self.arguments = self.task.difficulty_of(difficulty)
        self._picture = picture_size, theme
        self._instance: Instance | None = None
        self._verdict: Verdict | None = None

    @property
    def instance(self) -> Instance:
        """The instance of the episode."""
        if self._instance is None:
            raise gymnasium.error.ResetNeeded("Call reset before the environment is used")
        return self._instance

    @property
    def verdict(self) -> Verdict:
        """The verdict on the answer so far."""
        if self._verdict is None:
            raise gymnasium.error.ResetNeeded("Call reset before the environment is used")
        return self._verdict

    @property
    def fixed_parameters(self) -> dict[str, Any] | None:
        """The parameters of the instance that every episode has; None if each has its own."""
        return None if self._fixed is None else self._fixed.parameters

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode: with the instance of the seed, the next one, or the one of the address.

        Args:
            options: {"address": "hyper_snake:3"} is the instance of this episode alone.

        Raises:
            ValueError: There is no such option, or the spaces of this environment do not fit that instance; says why.
            InstanceError: There is no such instance of the task.
        """
        super().reset(seed=seed)
        self._instance = self._wanted(options or {}) or self._fixed or self._generated(seed)
        self._begin()
        self._judge()
        return self._observation(), self._info("")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carries out an action. Truncation is left to Gymnasium's `max_episode_steps`."""
        before = self.verdict
        refusal = self._act(action)
        if not refusal:
            self._judge()
        ended = self._is_solved() or self._is_stuck()
        return self._observation(), self._reward(before), ended, False, self._info(refusal)

    def render(self) -> Pixels | None:
        """The answer so far, as (height, width, 3); None without a render mode."""
        if self.render_mode is None:
            return None
        from spatial_workbench.app.studio.drawing import drawer

        (width, height), theme = self._picture
        data = drawer().picture(self._scene(), (width, height), theme, "RGB")
        return np.frombuffer(data, np.uint8).reshape(height, width, 3).copy()

    @abstractmethod
    def answer(self) -> Answer:
        """The answer so far."""

    @abstractmethod
    def meaning(self, action: Any) -> str:
        """An action in words."""

    @abstractmethod
    def _begin(self) -> None:
        """Sets up the answer of a new episode."""

    @abstractmethod
    def _act(self, action: Any) -> str:
        """Changes the answer; returns why that is not possible, or an empty text."""

    @abstractmethod
    def _observation(self) -> Any:
        """What the agent sees."""

    def action_mask(self) -> Mask | None:
        """By action, 1 if it is possible; None if all always are."""
        return None

    def _reward(self, before: Verdict) -> float:
        return self.verdict.score - before.score

    def _is_solved(self) -> bool:
        return self.verdict.passed

    def _is_stuck(self) -> bool:
        """Whether no action is possible any more."""
        mask = self.action_mask()
        return mask is not None and not mask.any()

    def _scene(self) -> Scene:
        scene: Scene = self.task.scene(self.instance, self.answer(), self.verdict)
        return scene

    def _judge(self) -> None:
        self._verdict = self.task.verify(self.instance, self.answer())

    def _info(self, refusal: str) -> dict[str, Any]:
        """Without times, so that equal episodes give equal data."""
        verdict = self.verdict.model_dump(mode="json", exclude={"details", *OF_ONE_JUDGING})
        info: dict[str, Any] = {"address": self.instance.address, "verdict": verdict, "refused": refusal}
        mask = self.action_mask()
        return info if mask is None else info | {"action_mask": mask}

    def _why_not(self, instance: Instance) -> str:
        """Why the spaces do not fit an instance of the task; empty if they do."""
        return ""

    def _wanted(self, options: Mapping[str, Any]) -> Instance | None:
        """The instance that the options of `reset` name; None if they name none."""
        for name in options:
            if name not in OPTIONS:
                near = meant(name, OPTIONS) or "."
                raise ValueError(f"“{name}” is no option of reset{near} There are {', '.join(OPTIONS)}.")
        address = options.get("address")
        if address is None:
            return None
        instance = self._addressed(str(address))
        why_not = self._why_not(instance)
        if why_not:
            raise ValueError(f"“{address}” does not fit this environment: {why_not}. Make one with address=…")
        return instance

    def _addressed(self, address: str) -> Instance:
        known, instance = resolve(address)
        if known.id != self.task.id:
            raise InstanceError(f"“{address}” is no instance of {self.task.id}")
        return instance

    def _generated(self, seed: int | None) -> Instance:
        """The instance of a seed, or where there is none that of the next random number that gives one."""
        for _ in range(MAX_TRIES):
            number = int(self.np_random.integers(2**31)) if seed is None else seed
            try:
                return self.task.generate(number, **self._difficulty)
            except InstanceError as error:
                refusal = error
                seed = None
        raise refusal
