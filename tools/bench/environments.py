"""Measurements of the Gymnasium environments: steps a second with random actions, verdicts included."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tools.bench.main import Measurement

RUNS = 3
_SECONDS = 2.0
_TARGETS = {
    "Cube-v0": "> 1000",
    "HyperSnake-v0": "> 500",
    "MazeDrawing-v0": "> 400",
    "FluidEarthworks-v0": "> 80",
    "LegoBuilding-v0": "> 40",
    "MachineEditing-v0": "> 1",
}
_ARGUMENTS: dict[str, dict[str, Any]] = {
    "LegoBuilding-v0": {"inner_mm": 40, "outer_mm": 70},
    "MachineEditing-v0": {"address": "machine_movement:0"},
}


def measurements() -> Iterator[Measurement]:
    """A line for each environment; none without Gymnasium."""
    from tools.bench.main import Measurement

    if find_spec("gymnasium") is not None:
        for name, target in _TARGETS.items():
            yield Measurement(f"environment: steps a second, {name}", "1/s", target, partial(_steps_a_second, name))


def _steps_a_second(name: str) -> Iterator[float]:
    """Beginning an episode does not count."""
    import gymnasium

    from spatial_workbench.environments import NAMESPACE, register

    register()
    environment = gymnasium.make(f"{NAMESPACE}/{name}", **_ARGUMENTS.get(name, {}))
    rng = np.random.default_rng(1)
    for seed in range(RUNS):
        environment.action_space.seed(seed)
        spent = 0.0
        steps = 0
        while spent < _SECONDS:
            _, info = environment.reset(seed=seed + steps)
            is_over = False
            while not is_over and spent < _SECONDS:
                mask = info.get("action_mask")
                action = environment.action_space.sample() if mask is None else rng.choice(np.flatnonzero(mask))
                start = time.perf_counter()
                *_, ended, cut_off, info = environment.step(action)
                spent = spent + time.perf_counter() - start
                steps = steps + 1
                is_over = ended or cut_off
        yield steps / spent
