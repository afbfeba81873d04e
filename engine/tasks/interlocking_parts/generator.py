"""New cages with other sizes, gaps and bars; only those that the reference construction solves."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core.contract import Difficulty
from spatial_workbench.engine.core.instance import InstanceError
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage

PRINTER_SIDES = (300.0, 350.0, 400.0, 450.0)
BARS = (8.0, 10.0, 12.0)
RODS = {8.0: (4.0, 5.0), 10.0: (5.0, 6.0), 12.0: (6.0, 8.0)}
"""Threads that leave walls around their hexagonal holes."""
LEAST_LEVELS = 3
"""Levels of a segment: the corner's knuckles need three."""
GAPS = (45.0, 90.0)
MARGIN = 4.0
"""The gap keeps this distance from the ends of its range, so that all measuring methods agree."""
_DRAWS = 200


class CageDifficulty(Difficulty):
    """What a generated cage is like. More segments, a narrower range of gaps and thinner bars are harder."""

    segments: int | None = Field(default=None, ge=1, le=3, description="Panels above each other; drawn if not given")
    bar_mm: float | None = Field(default=None, ge=6, le=16, description="Thickness of the bars; drawn if not given")
    gap_span_mm: float = Field(default=50.0, ge=10, le=60, description="Width of the range that the gap has to be in")
    criterion: int | None = Field(default=None, ge=0, le=8, description="Judge one criterion only; else their mean")


def draw(rng: np.random.Generator, difficulty: CageDifficulty) -> Mapping[str, Any]:
    """The parameters of a new cage that the reference construction solves.

    Raises:
        InstanceError: none was found.
    """
    for _ in range(_DRAWS):
        cage = _draw(rng, difficulty)
        if cage is not None and _is_solved(cage):
            return {"cage": cage.data(), "criterion": difficulty.criterion}
    raise InstanceError(f"No cage was found with {difficulty.segments or 'any number of'} segments and these bars")


def _draw(rng: np.random.Generator, difficulty: CageDifficulty) -> Cage | None:
    side = float(rng.choice(PRINTER_SIDES))
    bar = difficulty.bar_mm or float(rng.choice(BARS))
    rod = float(rng.choice(RODS.get(bar, (float(math.floor(bar * 0.6)),))))
    columns = int(rng.integers(3, 8))
    pitch = float(rng.integers(round(GAPS[0]), round(GAPS[1]) + 1)) + bar
    width = columns * pitch - bar
    segments = difficulty.segments or int(rng.integers(1, 4))
    levels = int(rng.integers(LEAST_LEVELS * segments + 1, 18))
    height = levels * pitch - bar - float(rng.integers(0, 4)) * 5.0
    gap_least = pitch - bar - float(rng.integers(round(MARGIN), round(difficulty.gap_span_mm - MARGIN) + 1))
    if width + 2 * bar > side or height < width / 2:
        return None
    cage = Cage(
        width, height, bar, gap_least, gap_least + difficulty.gap_span_mm, (side, side, 50.0), rod, 2 + 4 * segments
    )
    return cage if _suits(cage, pitch, segments) else None


def _suits(cage: Cage, pitch: float, segments: int) -> bool:
    """Whether the construction would use that pitch, the panels fit the bed, and no fewer segments would do."""
    if cage.gap_least < 15 or cage.pitch is None or abs(cage.pitch - pitch) > 1e-9:
        return False
    outer = cage.levels_at(pitch) * pitch + cage.bar
    side = cage.printer[0]
    runs = list(cage.segments())
    tallest = max((last - first + 1) * pitch for first, last in runs)
    enough = all(last - first >= LEAST_LEVELS for first, last in runs)
    return enough and tallest <= side and math.ceil(outer / side) == segments


def _is_solved(cage: Cage) -> bool:
    """Whether the construction meets every criterion, with the cubes tried at all places instead of random ones."""
    from spatial_workbench.engine.core.checks import all_passed
    from spatial_workbench.engine.tasks.interlocking_parts.layers import passes
    from spatial_workbench.engine.tasks.interlocking_parts.rules import so_far
    from spatial_workbench.engine.tasks.interlocking_parts.solver import construct
    from spatial_workbench.engine.tasks.interlocking_parts.study import study

    result = study(cage, construct(cage))
    solids = {place.solid for _, place in result.placed}
    return (
        all_passed(so_far(result))
        and all(all(passes(solid, cage)) for solid in solids)
        and not any(window.problem(cage) for window in result.census())
    )
