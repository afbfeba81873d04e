"""The reference solution for new maps: shave everything above the mean of the largest flat region, pass after pass."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.terrain_levelling.flat import labels, largest
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, carry_out

MOST_PASSES = 20
LOWER_EACH_PASS_M = 0.05
LEAST_TARGET_M = 1.0
_LEAST_DEPTH_M = 1e-6


def shave(heights: Floats, enough: int, progress: Progress = silent) -> list[Charge]:
    """The plan of the best pass; stops when a flat region has `enough` cells."""
    plan: list[Charge] = []
    best: tuple[int, list[Charge]] = largest(heights), []
    now = heights.copy()
    for number in range(1, MOST_PASSES + 1):
        target = float(now[labels(now) == 0].mean()) - number * LOWER_EACH_PASS_M
        if target < LEAST_TARGET_M:
            break
        added = _one_pass(now, target)
        words = f"pass {number}: down to {target:.2f} m; largest flat region {best[0]} cells"
        now, carried = _carry_out_some(now, added, _saying(progress, words))
        plan += carried
        size = largest(now)
        if size > best[0]:
            best = size, list(plan)
        if size >= enough:
            break
    return best[1]


def _saying(progress: Progress, words: str) -> Progress:
    return lambda done, total, text="": progress(done, total, words)


def _one_pass(heights: Floats, target: float) -> list[Charge]:
    return [
        Charge(int(x), int(y), float(heights[y, x] - target)) for y, x in np.argwhere(heights > target + _LEAST_DEPTH_M)
    ]


def _carry_out_some(heights: Floats, charges: list[Charge], progress: Progress) -> tuple[Floats, list[Charge]]:
    """Carries out a pass; blasts that have become too deep are limited to the height of the cell."""
    run = carry_out(heights, charges, progress=progress)
    if not run.refused:
        return run.heights, charges
    done = len(run.blasts)
    rest = [Charge(c.x, c.y, min(c.z, float(run.heights[c.y, c.x]))) for c in charges[done:]]
    now, carried = _carry_out_some(run.heights, [c for c in rest if c.z > 0], progress)
    return now, charges[:done] + carried
