"""Simulations as jobs of an executor, whose process the physics engine runs in (docs/machines.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from spatial_workbench.engine.machines.building.tree import read_tree
from spatial_workbench.engine.machines.levels.level import Level, read_level
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.physics.machine_judging import judge_machine


def measured(tree: Sequence[Mapping[str, Any]], level: str) -> dict[str, Any]:
    """What a machine is worth in a level, as `as_data` writes it; `level` is JSON text of `write_level`.

    Raises:
        ValueError: The tree is not a machine.
    """
    from spatial_workbench.engine.physics.machine_run import simulate

    place = _level(level)
    reading = read_tree(list(tree))
    if reading.tree is None:
        raise ValueError("the machine is not a construction tree")
    judged = judge_machine(reading, place, simulate=simulate)
    return as_data(judged.score, judged.is_valid)


def as_data(score: Score, is_valid: bool) -> dict[str, Any]:
    """A score as JSON data, which results of searches store."""
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
