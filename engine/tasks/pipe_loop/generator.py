"""New orders for pipe_loop: pipes, a square and constraints that one of the constructions can meet."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.contract import Difficulty
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import MaxCrossings
from spatial_workbench.engine.tasks.pipe_loop.construction import construct

Preset = Literal[
    "any", "none", "edge_runner", "curvy_and_short_runs", "balanced_quadrants", "stay_off_walls", "dense_center",
    "one_forced_cross", "two_forced_crosses", "center_start", "hull_spreader", "wall_kisser", "no_cross_tight_angles",
]  # fmt: skip

MAX_DRAWS = 6


class LoopDifficulty(Difficulty):
    """What a new order is like. Difficulty grows with the pipes, with their density, and with demands on the angles."""

    pipes: int = Field(0, ge=0, le=600, description="How many pipes: 3 or an even number; 0: drawn")
    side: int = Field(0, ge=0, le=50, description="Side of the square in metres; 0: drawn")
    preset: Preset = Field("any", description="A set of constraints")
    constraints: str = Field(
        "", description='Constraints of your own as JSON, such as [{"type": "min_turns", "min_turns": 8}]'
    )


def draw(rng: np.random.Generator, difficulty: LoopDifficulty) -> dict[str, Any]:
    """The parameters of a new order, with a loop that meets it.

    Raises:
        InstanceError: no construction meets the order, or the constraints cannot be read.
    """
    if difficulty.pipes in (1, 2) or (difficulty.pipes % 2 and difficulty.pipes != 3):
        raise InstanceError("pipes: 3 or an even number of at least 4")
    for _ in range(MAX_DRAWS):
        parameters = _drawn(rng, difficulty)
        order = _order(parameters)
        loop = construct(order, int(rng.integers(1 << 31)))
        if loop is not None:
            return parameters | {"loop": [list(point) for point in loop]}
        if difficulty.pipes and difficulty.side and (difficulty.preset != "any" or difficulty.constraints):
            break
    raise InstanceError(
        f"no construction lays {parameters['pipes']} pipes in a square of {parameters['side']} m with these constraints"
    )


@cache
def presets() -> dict[str, Any]:
    """The named sets of constraints."""
    data: dict[str, Any] = json.loads(resource("tasks", "pipe_loop.json").read_text("utf-8"))
    return data["presets"]  # type: ignore[no-any-return]


def _drawn(rng: np.random.Generator, difficulty: LoopDifficulty) -> dict[str, Any]:
    names = [name for name in presets() if name != "no_cross_tight_angles"]
    drawn_preset = str(rng.choice(names))
    drawn_side = int(rng.integers(5, 11))
    side = difficulty.side or drawn_side
    limit = (side + 1) ** 2 // 2 * 2
    density = float(rng.uniform(0.5, 0.85))
    pipes = difficulty.pipes or max(4, min(limit, 2 * round(density * (side + 1) ** 2 / 2)))
    if difficulty.constraints:
        constraints = _own(difficulty.constraints)
    else:
        name = drawn_preset if difficulty.preset == "any" else difficulty.preset
        constraints = [dict(constraint) for constraint in presets()[name]]
    for constraint in constraints:
        if constraint.get("type") == "max_straight_run":
            constraint["cyclic"] = True
    return {"pipes": pipes, "side": side, "constraints": constraints}


def _own(text: str) -> list[dict[str, Any]]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InstanceError(f"constraints: this is not JSON: {error}") from None
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise InstanceError("constraints: a list of objects is expected")
    return data


def _order(parameters: Mapping[str, Any]) -> PipeOrder:
    try:
        order = PipeOrder.of(parameters)
    except ValueError as error:
        raise InstanceError(f"constraints: {error}") from None
    limit = order.constraint_of(MaxCrossings)
    if limit is not None and limit.max != 0:
        raise InstanceError("constraints: max_crossings is 0 for every loop; exact_crossings asks for more")
    return order
