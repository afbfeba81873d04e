"""Measurements of the Gymnasium environments: steps a second with random actions, verdicts included."""

from __future__ import annotations

import os
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
_VECTOR_STEPS = 160
_TARGETS = {
    "Cube-v0": "> 1000",
    "HyperSnake-v0": "> 500",
    "MazeDrawing-v0": "> 400",
    "FluidEarthworks-v0": "> 80",
    "LegoBuilding-v0": "> 40",
    "MachineEditing-v0": "> 4",
    "MachineEditing-v1": "> 60",
}
_ARGUMENTS: dict[str, dict[str, Any]] = {
    "LegoBuilding-v0": {"inner_mm": 40, "outer_mm": 70},
    "MachineEditing-v0": {"address": "machine_movement:0"},
    "MachineEditing-v1": {"address": "machine_movement:0"},
}


def measurements() -> Iterator[Measurement]:
    """A line for each environment; none without Gymnasium."""
    from tools.bench.main import Measurement

    if find_spec("gymnasium") is not None:
        for name, target in _TARGETS.items():
            yield Measurement(f"environment: steps a second, {name}", "1/s", target, partial(_steps_a_second, name))
        yield Measurement("environment: MachineEditing-v1, a process for each core / one", "x", "> 1.6", _speed_up)


def _speed_up() -> Iterator[float]:
    """How many times as many steps are made in as many processes as there are cores as in one; two at least."""
    count = max(2, os.cpu_count() or 1)
    for seed in range(RUNS):
        yield _vector_steps_a_second(count, seed) / _vector_steps_a_second(1, seed)


def _vector_steps_a_second(count: int, seed: int) -> float:
    """Steps of all environments together, in processes of their own."""
    import gymnasium

    from spatial_workbench.environments import NAMESPACE

    vector = gymnasium.make_vec(
        f"spatial_workbench.environments:{NAMESPACE}/MachineEditing-v1",
        num_envs=count,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
        **_ARGUMENTS["MachineEditing-v1"],
    )
    rng = np.random.default_rng(seed)
    try:
        _, infos = vector.reset(seed=seed)
        for warming in (True, False):
            start = time.perf_counter()
            for _ in range(_VECTOR_STEPS // 4 if warming else _VECTOR_STEPS):
                actions = [rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
                *_, infos = vector.step(np.array(actions))
        return count * _VECTOR_STEPS / (time.perf_counter() - start)
    finally:
        vector.close()


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
