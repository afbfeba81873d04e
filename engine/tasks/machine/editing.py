"""What the editor asks about a machine: the same edit commands as everywhere, and the figures of its panel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.joining import Join, joins_of, locked_by
from spatial_workbench.engine.machines.building.poses import (
    PlacedFace,
    Pose,
    boxes_of,
    centers_of,
    face_of,
    faces_of,
    kind_of,
    poses_of,
)
from spatial_workbench.engine.machines.building.spatial import extent_of, placed_poses
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree, ends_of, read_tree
from spatial_workbench.engine.machines.levels.level import read_level
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.machine_results import simulated

GROUND_M = 0.05
"""A block whose lowest point is this near to the machine's stands on the ground."""


@dataclass(frozen=True)
class Balance:
    """Whether a machine stands by itself: what it stands on, corners (n, 2), and where its weight acts; x and z.

    `height` is the y of the centre of mass.
    """

    support: Floats
    center: Floats
    height: float
    is_stable: bool


@dataclass(frozen=True)
class MachineAssembly:
    """A machine with all that follows from its tree."""

    tree: Tree

    @cached_property
    def poses(self) -> list[Pose | None]:
        """The pose of every block."""
        return poses_of(self.tree)

    @cached_property
    def lift(self) -> Floats:
        """The move (3,) that sets the machine down where its level begins."""
        return placed_poses(self.tree, self.poses)

    @cached_property
    def joins(self) -> list[Join]:
        """The automatic joins."""
        return joins_of(self.tree, self.poses)

    @cached_property
    def extent(self) -> Floats:
        """The size (3,), m."""
        return extent_of(*boxes_of(self.tree, self.poses))

    @cached_property
    def mass(self) -> float:
        """The mass, kg; linear blocks weigh nothing."""
        return sum(kind_of(entry).mass for entry in self.tree if isinstance(entry, MachineBlock))

    @cached_property
    def vacant(self) -> dict[tuple[int, int], PlacedFace]:
        """The faces that carry nothing, by block and face."""
        taken = {end for entry in self.tree if isinstance(entry, MachineBlock) for end in ends_of(entry)}
        faces = faces_of(self.tree, self.poses)
        return {(face.block, face.face): face for face in faces if (face.block, face.face) not in taken}

    @cached_property
    def balance(self) -> Balance:
        """Whether the centre of mass is over what touches the ground."""
        low, high = boxes_of(self.tree, self.poses)
        solid = [k for k, entry in enumerate(self.tree) if isinstance(entry, MachineBlock)]
        masses = np.array([kind_of(self.tree[k]).mass for k in solid])
        center = (masses[:, None] * centers_of(self.tree, self.poses)[solid]).sum(axis=0) / masses.sum()
        standing = [k for k in solid if low[k, 1] <= np.nanmin(low[:, 1]) + GROUND_M]
        corners = np.array([(x, z) for k in standing for x in (low[k, 0], high[k, 0]) for z in (low[k, 2], high[k, 2])])
        return Balance(corners, center[[0, 2]], float(center[1]), _is_over(corners, center[[0, 2]]))

    def faces_of(self, block: int) -> list[PlacedFace]:
        """All faces of a block, used ones too."""
        return [face_of(self.tree, self.poses, block, face.id) for face in kind_of(self.tree[block]).faces]

    def locked_by(self, join: Join) -> list[int]:
        """The blocks whose joints a join locks."""
        return locked_by(self.tree, join)

    def subtree(self, block: int) -> list[int]:
        """A block and all that hangs on it, by id."""
        members = {block}
        for entry in self.tree[block + 1 :]:
            if any(parent in members for parent, _ in ends_of(entry)):
                members.add(entry.id)
        return sorted(members)


def _is_over(corners: Floats, point: Floats) -> bool:
    """Whether a point is over the hull of corners (n, 2)."""
    from shapely import MultiPoint, Point

    return bool(MultiPoint(corners).convex_hull.covers(Point(point)))


def simulate(level_data: dict[str, Any], rows: list[dict[str, int]], progress: Progress = silent) -> Trace:
    """Simulates a machine that is given as plain data, so that another process can do it."""
    tree = read_tree(rows).tree
    assert tree is not None
    return simulated(tree, read_level(level_data), progress=progress)
