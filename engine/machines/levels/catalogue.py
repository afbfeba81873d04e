"""All published levels in their order, and which of a level's things stand in a machine's place (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.levels.movement import movement_levels
from spatial_workbench.engine.machines.levels.objects import delivery_levels, pick_levels
from spatial_workbench.engine.machines.levels.scenery import bounds_of
from spatial_workbench.engine.machines.levels.throwing import throw_levels

_TOUCH = 1e-6


@cache
def levels() -> Mapping[str, Level]:
    """All levels by id, in the order of docs/machines.md: M1 to M8, then T, D and P."""
    every = (*movement_levels(), *throw_levels(), *delivery_levels(), *pick_levels())
    return MappingProxyType({level.id: level for level in every})


def level_of(level_id: str) -> Level:
    """A level by its id.

    Raises:
        KeyError: There is none.
    """
    return levels()[level_id]


def in_the_way(level: Level) -> tuple[str, ...]:
    """The names of what stands where a machine of the largest allowed size would be placed; none, if all is well."""
    width, height, length = level.size_limits
    low = np.array((-width / 2, 0, -length / 2))
    high = np.array((width / 2, height, length / 2))
    return tuple(
        name
        for name, lowest, highest in _bounds(level)
        if (np.minimum(high, highest) - np.maximum(low, lowest) > _TOUCH).all()
    )


_bounds_of = lru_cache(maxsize=8192)(bounds_of)


def _bounds(level: Level) -> Iterator[tuple[str, Floats, Floats]]:
    for obstacle in level.obstacles:
        yield obstacle.name, *_bounds_of(obstacle)
    for ball in level.balls:
        yield ball.name, np.array(ball.center) - ball.radius, np.array(ball.center) + ball.radius
