"""What the editor needs after each edit: pure functions that take milliseconds and no compiled code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Progress
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.fluid_simulation.answer import Earthworks
from spatial_workbench.engine.tasks.fluid_simulation.bodies import Aftermath
from spatial_workbench.engine.tasks.fluid_simulation.capacity import capacity_set
from spatial_workbench.engine.tasks.fluid_simulation.goals import FluidMeter
from spatial_workbench.engine.tasks.fluid_simulation.judging import FluidQuestion, FluidSite
from spatial_workbench.engine.tasks.fluid_simulation.presets import (
    FluidRectangle,
    island,
    mirrored,
    pit,
    roof,
    walled_pool,
)
from spatial_workbench.engine.tasks.fluid_simulation.rain import Rainfall, let_it_rain
from spatial_workbench.engine.tasks.fluid_simulation.stability import Fall, let_fall
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells, FluidBox

__all__ = [
    "PRESETS",
    "PRESET_LEVELS",
    "FluidFeedback",
    "FluidRectangle",
    "clamped",
    "feedback",
    "meters",
    "mirrored",
    "preset",
    "rain",
    "undisturbed",
]

PRESETS: dict[str, Callable[[FluidRectangle, int], list[FluidBox]]] = {
    marked("pit"): pit,
    "walled pool": walled_pool,
    "roof on a pillar": roof,
    marked("island"): island,
}

PRESET_LEVELS = {"pit": 1, "walled pool": 3, "roof on a pillar": 5, "island": 1}
"""The default level of each preset."""


@dataclass(frozen=True, eq=False)
class FluidFeedback:
    """The result of earthworks before it rains.

    Attributes:
        rock: (n, n, 8) after everything that floats has fallen.
        falls: what fell.
        capacity: (n, n, 8) the cells that could hold water.
        meters: the numbers of the goals' tests if all of these were wet.
    """

    rock: Cells
    falls: list[Fall]
    capacity: Cells
    meters: tuple[FluidMeter, ...]


def feedback(question: FluidQuestion, boxes: Sequence[FluidBox]) -> FluidFeedback:
    """What has fallen and what could hold water after these operations, which must lie in the world."""
    rock, falls = let_fall(question.terrain.after(boxes))
    capacity = capacity_set(rock)
    return FluidFeedback(rock, falls, capacity, meters(question, rock, capacity))


def undisturbed(question: FluidQuestion, boxes: Sequence[FluidBox]) -> FluidFeedback:
    """These operations, which must lie in the world, as they are: nothing falls, and nothing holds water."""
    rock = question.terrain.after(boxes)
    return FluidFeedback(rock, [], np.zeros_like(rock), ())


def meters(question: FluidQuestion, rock: Cells, water: Cells) -> tuple[FluidMeter, ...]:
    """The numbers of the goals' tests over this rock and water."""
    after = Aftermath(rock, water)
    return tuple(meter for goal in question.goals for meter in goal.judge(after).meters)


def preset(name: str, area: FluidRectangle, level: int) -> list[FluidBox]:
    """The operations of a preset over a rectangle of columns.

    Args:
        name: one of PRESETS.
        level: lowest level of a pit or island; level of a pool's water or a roof's slab.

    Raises:
        ValueError: no such preset, or the area or the level leaves it no room.
    """
    if name not in PRESETS:
        raise ValueError(f"no preset is called '{name}'; there are {', '.join(PRESETS)}")
    return PRESETS[name](area, level)


def clamped(box: FluidBox, n: int) -> FluidBox:
    """The box with its corners sorted and clamped to a world of n x n columns."""
    size = (n, n, DEPTH)
    pairs = [sorted((a, b)) for a, b in zip(box.low, box.high, strict=True)]
    bounded = [[min(max(v, 0), top - 1) for v in pair] for pair, top in zip(pairs, size, strict=True)]
    (x0, x1), (y0, y1), (z0, z1) = bounded
    return FluidBox((x0, y0, z0), (x1, y1, z1), box.rock)


def rain(parameters: dict[str, Any], answer: Earthworks, progress: Progress) -> Rainfall:
    """The rain on these earthworks. To be run in another process, because it loads the compiler."""
    rock = FluidSite(FluidQuestion.of(parameters), answer).rock
    progress(0, 1, "rain")
    return let_it_rain(rock)
