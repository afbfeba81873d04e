"""The positions and velocities of the blocks of a machine (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType, quaternions
from spatial_workbench.engine.machines.building.poses import Pose
from spatial_workbench.engine.physics.bodies import BodyState
from spatial_workbench.engine.physics.frames import swapped, swapped_rotation, turn


def state_at_start(poses: Sequence[Pose | None], kinds: Sequence[BlockType], lift: Floats) -> BodyState:
    """The blocks at rest where they were built; `lift` is where the level puts the machine."""
    state = empty_state(len(kinds))
    for k, (pose, kind) in enumerate(zip(poses, kinds, strict=True)):
        if pose is not None:
            rotation = swapped_rotation(quaternions()[pose.facing])
            center = np.add(swapped(np.add(pose.position, lift).tolist()), turn(rotation, swapped(kind.center)))
            fill_row(state, k, (center, rotation), ((0, 0, 0), (0, 0, 0)))
    return state


def empty_state(count: int) -> BodyState:
    """A state of so many blocks, of which nothing is known."""
    return BodyState(*(np.full((count, columns), np.nan) for columns in (3, 4, 3, 3)))


def fill_row(state: BodyState, row: int, pose: Sequence[Any], motion: Sequence[Any]) -> None:
    """Sets how a block is and moves: its centre and rotation, its velocity and spin."""
    state.centers[row], state.rotations[row] = pose
    state.velocities[row], state.spins[row] = motion
