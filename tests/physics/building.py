"""Small machines for tests."""

from __future__ import annotations

from typing import Any

from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.physics.machine_run import simulate
from tools.machine_builder import MachineBuilder

OPEN = Level("open", "movement", "Open ground", "", frozenset())
FALLING = Level("falling", "movement", "No ground", "", frozenset(), has_plane=False)


def column() -> tuple[MachineBuilder, int]:
    """A cross of logs on the ground with an upright log, whose top face is free; and the upright's id."""
    builder = MachineBuilder()
    for direction in ("z+", "z-", "x-", "x+"):
        builder.add(63, 0, direction)
    return builder, builder.add(63, 0, "y+")


def run(builder: MachineBuilder, level: Level = OPEN, rate: int = 240) -> Any:
    """The trace of a machine."""
    return simulate(builder.tree, level, rate)
