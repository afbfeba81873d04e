"""Automatic joints: a free end that meets a face of another block is glued to it (docs/machines.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from spatial_workbench.engine.machines.building.blocks import Facing, block_types, constants
from spatial_workbench.engine.machines.building.grid import Grid
from spatial_workbench.engine.machines.building.poses import PlacedFace, Pose, face_of, faces_of
from spatial_workbench.engine.machines.building.tree import Entry, MachineBlock, Tree, ends_of

FREE_ENDS = frozenset((15, 1, 41, 63, 35, 16, 5, 19, 44, 76, 28, 13, 22))
"""Types whose face 0 joins what it meets."""
_ROUNDING = 1e-9
_CELL_M = 0.5
OPPOSITE: dict[Facing, Facing] = {"x+": "x-", "x-": "x+", "y+": "y-", "y-": "y+", "z+": "z-", "z-": "z+"}


@dataclass(frozen=True)
class Join:
    """Two faces that became one: the free end's block, and the block and face that it met."""

    block: int
    other: int
    face: int

    @property
    def faces(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Both faces, which are taken now."""
        return (self.block, 0), (self.other, self.face)


def joins_of(tree: Sequence[Entry], poses: Sequence[Pose | None]) -> list[Join]:
    """All automatic joins, in the order of the blocks whose ends make them."""
    taken = {end for entry in tree if isinstance(entry, MachineBlock) for end in ends_of(entry)}
    faces = Grid[PlacedFace](_CELL_M)
    for face in faces_of(tree, poses):
        faces.add(face.position, face)
    joins = []
    for k, entry in enumerate(tree):
        if entry.type in FREE_ENDS and (k, 0) not in taken:
            partner = _partner(face_of(tree, poses, k, 0), faces, taken)
            if partner is not None:
                joins.append(Join(k, partner.block, partner.face))
                taken.update(joins[-1].faces)
    return joins


def locked_by(tree: Tree, join: Join) -> list[int]:
    """The blocks whose joints a join locks: those that move on the way through the tree between its two blocks."""
    ways = [_way_up(tree, block) for block in (join.block, join.other)]
    between = set(ways[0]) ^ set(ways[1])
    return sorted(k for k in between if block_types()[tree[k].type].joint.moves)


def _way_up(tree: Tree, block: int) -> list[int]:
    """A block and its ancestors, without the starting block."""
    way = []
    while block > 0:
        way.append(block)
        entry = tree[block]
        assert isinstance(entry, MachineBlock)
        block = entry.parent
    return way


def _partner(end: PlacedFace, faces: Grid[PlacedFace], taken: set[tuple[int, int]]) -> PlacedFace | None:
    """The vacant face of another block that an end meets, the one of the lowest id first."""
    tolerance = constants()["limits"]["face_coincidence_tolerance"] + _ROUNDING
    meets = [
        face
        for face in faces.near(end.position)
        if face.block != end.block
        and face.facing == OPPOSITE[end.facing]
        and (face.block, face.face) not in taken
        and math.dist(face.position, end.position) <= tolerance
    ]
    return min(meets, key=lambda face: (face.block, face.face), default=None)
