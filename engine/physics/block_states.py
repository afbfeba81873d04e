"""The positions and velocities of the blocks of a machine, read from the bodies of the engine (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType, quaternions
from spatial_workbench.engine.machines.building.poses import Pose
from spatial_workbench.engine.physics.bodies import BodyState, MachineBody
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import swapped, swapped_rotation, turn


def read_state(engine: Engine, bodies: Iterable[MachineBody], boulders: Mapping[int, int], count: int) -> BodyState:
    """How the blocks of a machine move now: those of its bodies, and its boulders.

    Args:
        boulders: The bodies of the boulders, by block.
        count: How many blocks the machine has. The rows of braces and springs are NaN.
    """
    state = _empty_state(count)
    for body in bodies:
        base = body.plan.base
        _fill_row(state, base, engine.getBasePositionAndOrientation(body.number), engine.getBaseVelocity(body.number))
        if body.joints:
            links = engine.getLinkStates(body.number, range(len(body.joints)), 1, 1)
            rows = [link.block for link in body.plan.links]
            state.centers[rows] = [link[0] for link in links]
            state.rotations[rows] = [link[1] for link in links]
            state.velocities[rows] = [link[6] for link in links]
            state.spins[rows] = [link[7] for link in links]
    for block, number in boulders.items():
        _fill_row(state, block, engine.getBasePositionAndOrientation(number), engine.getBaseVelocity(number))
    return state


def state_at_start(poses: Sequence[Pose | None], kinds: Sequence[BlockType], lift: Floats) -> BodyState:
    """The blocks at rest where they were built; `lift` is where the level puts the machine."""
    state = _empty_state(len(kinds))
    for k, (pose, kind) in enumerate(zip(poses, kinds, strict=True)):
        if pose is not None:
            rotation = swapped_rotation(quaternions()[pose.facing])
            center = np.add(swapped(np.add(pose.position, lift).tolist()), turn(rotation, swapped(kind.center)))
            _fill_row(state, k, (center, rotation), ((0, 0, 0), (0, 0, 0)))
    return state


def _empty_state(count: int) -> BodyState:
    return BodyState(*(np.full((count, columns), np.nan) for columns in (3, 4, 3, 3)))


def _fill_row(state: BodyState, row: int, pose: Sequence[Any], motion: Sequence[Any]) -> None:
    state.centers[row], state.rotations[row] = pose
    state.velocities[row], state.spins[row] = motion
