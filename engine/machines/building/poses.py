"""Where the blocks of a machine are, and which boxes they fill. All facings are along the axes, so boxes are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import (
    BlockType,
    Facing,
    MachineShape,
    Vector,
    block_types,
    rotations,
    turned_directions,
)
from spatial_workbench.engine.machines.building.settings import type_with
from spatial_workbench.engine.machines.building.tree import Entry, Link


@dataclass(frozen=True)
class Pose:
    """A block's building point, and where its Front looks."""

    position: Vector
    facing: Facing


@dataclass(frozen=True)
class PlacedFace:
    """A face in the machine's frame."""

    block: int
    face: int
    position: Vector
    facing: Facing


@dataclass(frozen=True)
class Turned:
    """A block type as it lies with a facing: offsets from the building point, faces with where they look."""

    box: tuple[Vector, Vector]
    """The centre of its box, and half its sides."""

    faces: tuple[tuple[Vector, Facing], ...]
    lowest: float
    """How high its lowest point is: that of what collides, which is a little smaller than the box."""


@cache
def turned(kind: int, facing: Facing) -> Turned:
    """A block type with a facing."""
    block = block_types()[kind]
    faces = tuple((_turn(facing, face.position), turned_directions()[facing][face.direction]) for face in block.faces)
    x, y, z = _turn(facing, block.size)
    lowest = min((_lowest(facing, shape) for shape in block.shapes), default=0.0)
    return Turned((_turn(facing, block.center), (abs(x) / 2, abs(y) / 2, abs(z) / 2)), faces, lowest)


def _lowest(facing: Facing, shape: MachineShape) -> float:
    half = [shape.radius] * 3
    if shape.kind == "box":
        half = [side / 2 for side in shape.size]
    elif shape.kind == "cylinder":
        half["xyz".index(shape.axis)] = shape.length / 2
    across = rotations()[facing][1]
    return _turn(facing, shape.center)[1] - sum(abs(a) * b for a, b in zip(across, half, strict=True))


def poses_of(tree: Sequence[Entry]) -> list[Pose | None]:
    """The pose of every block; None for linear ones, which have none of their own."""
    poses: list[Pose | None] = []
    for entry in tree:
        if isinstance(entry, Link):
            poses.append(None)
        elif entry.parent < 0:
            poses.append(Pose((0.0, 0.0, 0.0), "z+"))
        else:
            poses.append(_on_face(tree, poses, entry.parent, entry.face))
    return poses


def face_of(tree: Sequence[Entry], poses: Sequence[Pose | None], block: int, face: int) -> PlacedFace:
    """A face of a block that is placed."""
    pose = _on_face(tree, poses, block, face)
    return PlacedFace(block, face, pose.position, pose.facing)


def faces_of(tree: Sequence[Entry], poses: Sequence[Pose | None]) -> list[PlacedFace]:
    """All faces of all blocks, used ones too, by block and face."""
    return [
        PlacedFace(k, face, plus(pose.position, offset), facing)
        for k, (entry, pose) in enumerate(zip(tree, poses, strict=True))
        if pose is not None
        for face, (offset, facing) in enumerate(turned(entry.type, pose.facing).faces)
    ]


def link_ends(tree: Sequence[Entry], poses: Sequence[Pose | None], link: Link) -> tuple[Vector, Vector]:
    """Where a linear block begins and ends."""
    first = face_of(tree, poses, link.parent_a, link.face_a)
    second = face_of(tree, poses, link.parent_b, link.face_b)
    return first.position, second.position


def boxes_of(tree: Sequence[Entry], poses: Sequence[Pose | None]) -> tuple[Floats, Floats]:
    """Lowest and highest corners (n, 3) of all blocks; NaN for linear ones, which fill nothing."""
    nothing = (np.nan,) * 3
    rows = [
        (nothing, nothing, nothing) if pose is None else (pose.position, *turned(entry.type, pose.facing).box)
        for entry, pose in zip(tree, poses, strict=True)
    ]
    positions, centers, halves = np.moveaxis(np.array(rows, float).reshape(-1, 3, 3), 1, 0)
    return positions + centers - halves, positions + centers + halves


def lowest_of(tree: Sequence[Entry], poses: Sequence[Pose | None]) -> float:
    """How high the lowest point of all blocks is, m."""
    return min(
        pose.position[1] + turned(entry.type, pose.facing).lowest
        for entry, pose in zip(tree, poses, strict=True)
        if pose is not None
    )


def centers_of(tree: Sequence[Entry], poses: Sequence[Pose | None]) -> Floats:
    """The centres (n, 3) of all blocks; NaN for linear ones."""
    low, high = boxes_of(tree, poses)
    return np.asarray((low + high) / 2)


def kind_of(entry: Entry) -> BlockType:
    """The type of an entry, as its own parameters make it."""
    settings = entry.settings
    if settings is None or not settings.parameters:
        return block_types()[entry.type]
    return type_with(entry.type, settings.parameters)


def _on_face(tree: Sequence[Entry], poses: Sequence[Pose | None], block: int, face: int) -> Pose:
    pose = poses[block]
    assert pose is not None
    offset, facing = turned(tree[block].type, pose.facing).faces[face]
    return Pose(plus(pose.position, offset), facing)


def plus(a: Vector, b: Vector) -> Vector:
    """The sum of two vectors, without the cost of arrays for three numbers."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _turn(facing: Facing, vector: Vector) -> Vector:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) + 0.0 for row in rotations()[facing])
    return x, y, z
