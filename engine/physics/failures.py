"""Simulations that could not be run: what is told of them, and the trace that stands for them (docs/machines.md)."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.machines.building.poses import kind_of, poses_of
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.flight import boulder_names
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.block_states import state_at_start
from spatial_workbench.engine.physics.frames import matrices, swapped, swapped_all, swapped_rotations


def words_of_error(error: Exception) -> str:
    """What the engine raised, as the fault of a trace."""
    return f"the physics engine gave up on the machine ({str(error) or type(error).__name__})"


def failed_trace(tree: Tree, level: Level, rate: int, fault: str) -> Trace:
    """The trace of a machine that was never simulated: one frame, where it would have started."""
    poses = poses_of(tree)
    kinds = [kind_of(entry) for entry in tree]
    state = state_at_start(poses, kinds, placed_poses(tree, poses))
    offsets = np.array([swapped(kind.center) for kind in kinds])
    points = state.centers - (matrices(state.rotations) @ offsets[:, :, None])[..., 0]
    nothing = np.full((1, len(tree)), np.nan)
    names = (*boulder_names(tree), *(ball.name for ball in level.balls))
    return Trace(
        positions=swapped_all(points)[None],
        rotations=swapped_rotations(state.rotations)[None],
        velocities=np.full((1, len(tree), 3), np.nan),
        attached=np.ones((1, len(tree)), bool),
        lengths=nothing,
        torques=nothing,
        ball_names=names,
        balls=np.full((1, len(names), 7), np.nan),
        paths=np.zeros((0, len(names), 3)),
        touches=np.zeros((0, len(names)), bool),
        breaks=(),
        bonds=(),
        rate=rate,
        fault=fault,
        engine="",
    )
