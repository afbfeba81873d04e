"""Simulations as jobs of an executor, whose process the physics engine runs in (docs/machines.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import read_tree
from spatial_workbench.engine.machines.levels.level import Level, read_level
from spatial_workbench.engine.machines.results.scoring import Score, score_of


def measured(tree: Sequence[Mapping[str, Any]], level: str) -> dict[str, Any]:
    """What a machine is worth in a level, as `as_data` writes it; `level` is JSON text of `write_level`.

    Raises:
        ValueError: The tree is no machine.
    """
    from spatial_workbench.engine.physics.machine_run import simulate

    place = _level(level)
    machine = read_tree(list(tree)).tree
    if machine is None:
        raise ValueError("the machine is no construction tree")
    if spatial_faults(machine, place.size_limits):
        return as_data(score_of(place, machine, None, is_valid=False), is_valid=False)
    return as_data(score_of(place, machine, simulate(machine, place)), is_valid=True)


def as_data(score: Score, is_valid: bool) -> dict[str, Any]:
    """A score as plain data."""
    return {
        "valid": is_valid,
        "score": score.reward,
        "rank": score.rank,
        "shown": list(score.shown),
        "success": score.success,
        "notes": list(score.notes),
    }


@lru_cache(maxsize=8)
def _level(text: str) -> Level:
    return read_level(json.loads(text))
