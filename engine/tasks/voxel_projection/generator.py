"""New grids: a size, a count, and perhaps a rule about cells. Every one comes with a solution as proof."""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core.contract import Difficulty, vary_field
from spatial_workbench.engine.core.instance import InstanceError
from spatial_workbench.engine.tasks.voxel_projection.grid import VoxelGrid, VoxelRule
from spatial_workbench.engine.tasks.voxel_projection.solver import impossible_ray, solve

SLACKS = (0.1, 0.25, 0.5, 1.0)
RULES = ("digit", "sum", "boxes", "required")
SMALLEST, LARGEST = 5, 24
VARIED_SLACK = (0.02, 1.5)
"""Bounds of the slack of grids that vary."""
_MAX_DRAWS = 40


class VoxelGridDifficulty(Difficulty):
    """What a generated grid is like. It grows with the size, with little slack, and with a rule."""

    n: int | None = Field(default=None, ge=SMALLEST, le=LARGEST, description="Cells along an edge; drawn if not given")
    slack: float | None = Field(
        default=None, ge=0.02, le=4.0, description="Voxels beyond N x N, as a share of N x N; drawn if not given"
    )
    rule: Literal["any", "none", "digit", "sum", "boxes", "required"] = Field(
        default="any", description="A further rule about cells; any: one in three grids has one"
    )
    vary: bool = vary_field("all shares of voxels between 0.02 and 1.5")


def draw(rng: np.random.Generator, difficulty: VoxelGridDifficulty) -> dict[str, Any]:
    """The parameters of a new grid.

    Raises:
        InstanceError: no grid of this kind can be solved.
    """
    reason = ""
    for _ in range(_MAX_DRAWS):
        n = difficulty.n or int(rng.integers(SMALLEST, LARGEST + 1))
        slack = difficulty.slack or _drawn_slack(rng, difficulty.vary)
        kind = (
            difficulty.rule if difficulty.rule != "any" else str(rng.choice(RULES)) if rng.random() < 1 / 3 else "none"
        )
        rule = _rule(rng, kind, n)
        count = max(n * n + 2, round(n * n * (1 + slack)))
        seed = int(rng.integers(1 << 30))
        reason = _refusal(VoxelGrid(n, count, VoxelRule.of(rule)), seed)
        if not reason:
            return {"n": n, "count": count, "rule": rule, "seed": seed}
    raise InstanceError(f"No such grid was found: {reason}")


def _drawn_slack(rng: np.random.Generator, vary: bool) -> float:
    return round(float(rng.uniform(*VARIED_SLACK)), 3) if vary else float(rng.choice(SLACKS))


def _refusal(grid: VoxelGrid, seed: int) -> str:
    """Why a grid is not accepted as an instance; empty if it is."""
    if impossible_ray(grid) is not None:
        return "all cells of a ray are forbidden"
    try:
        solve(grid, seed)
    except InstanceError as error:
        return str(error)
    return ""


def _rule(rng: np.random.Generator, kind: str, n: int) -> dict[str, Any]:
    if kind == "digit":
        return {"digit": int(rng.integers(3, 10))}
    if kind == "sum":
        modulus = n
        return {
            "modulus": modulus,
            "residues": sorted(rng.choice(modulus, max(1, modulus // 4), replace=False).tolist()),
        }
    if kind == "boxes":
        size = max(1, n // 6)
        corners = rng.integers(0, n - size, (int(rng.integers(1, 3)), 3))
        return {"boxes": [[*corner, *(v + size - 1 for v in corner)] for corner in corners.tolist()]}
    if kind == "required":
        cells = {tuple(cell) for cell in rng.integers(0, n, (max(2, n // 4), 3)).tolist()}
        return {"required": sorted(map(list, cells))}
    return {}
