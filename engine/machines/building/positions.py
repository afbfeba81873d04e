"""Machines as global positions: one entry a block with its building point and rotation (docs/machines.md)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from spatial_workbench.engine.machines.building.blocks import ROOT, Facing, Vector, block_types, quaternions
from spatial_workbench.engine.machines.building.grid import Grid
from spatial_workbench.engine.machines.building.poses import (
    PlacedFace,
    Pose,
    face_of,
    kind_of,
    link_ends,
    plus,
    poses_of,
)
from spatial_workbench.engine.machines.building.settings import (
    KEPT_KEY,
    PARAMETERS_KEY,
    BlockSettings,
    read_settings,
    write_settings,
)
from spatial_workbench.engine.machines.building.tree import (
    MAX_BLOCKS,
    Entry,
    Fault,
    Link,
    MachineBlock,
    MachineReading,
    Tree,
    ignored_keys,
)

REACH_M = 0.1
"""A block hangs on a face whose centre is this near to its building point."""
MAX_ANGLE_DEG = 5.0
"""The most by which its rotation may differ from the face's."""

Quaternion = tuple[float, float, float, float]


@dataclass(frozen=True)
class Placed:
    """A block as it was listed: building point, rotation x, y, z, w, and the other end of a linear one."""

    place: int
    type: int
    position: Vector
    rotation: Quaternion
    end: Vector | None = None
    settings: BlockSettings | None = None


def write_positions(tree: Tree) -> list[dict[str, Any]]:
    """The machine as global positions; the other end of a linear block is relative to its first."""
    poses = poses_of(tree)
    rows = []
    for entry, pose in zip(tree, poses, strict=True):
        row: dict[str, Any] = {"type": entry.type}
        if isinstance(entry, Link):
            first, second = link_ends(tree, poses, entry)
            row |= {"Position": list(first), "Rotation": [0, 0, 0, 1], "end-position": list(_minus(second, first))}
        elif pose is not None:
            row |= {"Position": list(pose.position), "Rotation": list(quaternions()[pose.facing])}
        rows.append(row | write_settings(entry.settings))
    return rows


def read_positions(data: Any) -> MachineReading:
    """The construction tree of a machine given as global positions, by `assembled`; ids may come in another order."""
    if not isinstance(data, list) or not data or not all(isinstance(row, dict) for row in data):
        return MachineReading(None, (Fault("NOT_A_LIST", None, "A list of blocks is expected"),))
    if len(data) > MAX_BLOCKS:
        return MachineReading(
            None, (Fault("NOT_A_LIST", None, f"{len(data):,} blocks; at most {MAX_BLOCKS:,} are read"),)
        )
    rows = [(place, row) for place, row in enumerate(data) if "GP" not in row]
    listed = [_read_placed(place, row) for place, row in rows]
    faults = tuple(block for block in listed if isinstance(block, Fault))
    blocks = [block for block in listed if isinstance(block, Placed)]
    roots = [block for block in blocks if block.type == ROOT]
    if not faults and len(roots) != 1:
        code = "SECOND_ROOT" if roots else "BAD_ROOT"
        faults = (Fault(code, None, f"There are {len(roots)} starting blocks; there has to be one"),)
    if faults:
        return MachineReading(None, faults)
    warnings = [
        fault
        for block in blocks
        for fault in ignored_keys(block.place, data[block.place], {*_keys_of(block.type), PARAMETERS_KEY, KEPT_KEY})
    ]
    warnings += [
        Fault("BAD_PARAMETER", block.place, f"Block {block.place}: {sentence}; ignored")
        for block in blocks
        for sentence in read_settings(block.type, data[block.place])[1]
    ]
    return replace(assembled(blocks, roots[0])[0], warnings=tuple(warnings))


def assembled(blocks: Sequence[Placed], root: Placed) -> tuple[MachineReading, tuple[int, ...]]:
    """The machine whose blocks stand at given places, and for each of its ids the place in the list.

    Each block hangs on the nearest vacant face that agrees with its place and rotation, among equals on the block of
    the lowest id. A block that hangs on none is a fault.
    """
    assembly = _Assembly(blocks, root)
    return assembly.reading(), tuple(assembly.listed)


class _Assembly:
    """Puts blocks on each other, beginning with the starting block.

    Attributes:
        listed: The place in the list of every block that is attached, by id.
    """

    def __init__(self, blocks: Sequence[Placed], root: Placed) -> None:
        seen = [_seen_from(root, block) for block in blocks if block is not root]
        self._tree: list[Entry] = [MachineBlock(ROOT, 0, -1, -1, root.settings)]
        self.listed = [root.place]
        self._poses: list[Pose | None] = [Pose((0.0, 0.0, 0.0), "z+")]
        self._waiting = {block.place: block for block in seen if block.end is None}
        self._links = [block for block in seen if block.end is not None]
        self._faces = Grid[PlacedFace](2 * REACH_M)
        self._places = Grid[int](2 * REACH_M)
        for block in self._waiting.values():
            self._places.add(block.position, block.place)
        self._taken: set[tuple[int, int]] = set()
        self._reached: list[int] = []
        """Places in the list of blocks that a face is near to, the first in front."""
        self._add_faces(0)

    def reading(self) -> MachineReading:
        """The tree, or what could not be attached."""
        while self._reached:
            block = self._waiting.get(heapq.heappop(self._reached))
            face = None if block is None else _nearest(block.position, self._faces, partial(self._carries, block))
            if block is not None and face is not None:
                self._attach(block, face)
        faults = [_unattached(block) for block in self._waiting.values()]
        for block in self._links:
            fault = self._stretch(block)
            faults += [fault] if fault is not None else []
        return MachineReading(None, tuple(faults)) if faults else MachineReading(tuple(self._tree))

    def _carries(self, block: Placed, face: PlacedFace) -> bool:
        return (face.block, face.face) not in self._taken and _agrees(block.rotation, face.facing)

    def _attach(self, block: Placed, face: PlacedFace) -> None:
        del self._waiting[block.place]
        self._taken.add((face.block, face.face))
        self._tree.append(MachineBlock(block.type, len(self._tree), face.block, face.face, block.settings))
        self.listed.append(block.place)
        self._poses.append(Pose(face.position, face.facing))
        self._add_faces(len(self._tree) - 1)

    def _add_faces(self, number: int) -> None:
        for k in range(len(kind_of(self._tree[number]).faces)):
            face = face_of(self._tree, self._poses, number, k)
            self._faces.add(face.position, face)
            for place in self._places.near(face.position):
                heapq.heappush(self._reached, place)

    def _stretch(self, block: Placed) -> Fault | None:
        assert block.end is not None
        first, second = (_nearest(end, self._faces) for end in (block.position, block.end))
        if first is None or second is None:
            return _unattached(block)
        ends = first.block, first.face, second.block, second.face
        self._tree.append(Link(block.type, len(self._tree), *ends, block.settings))
        self.listed.append(block.place)
        self._poses.append(None)
        return None


def _read_placed(place: int, row: Mapping[str, Any]) -> Placed | Fault:
    kind = row.get("type")
    if isinstance(kind, str) and kind.strip().isascii() and kind.strip().isdigit() and len(kind) < 10:
        kind = int(kind)
    if not isinstance(kind, int) or isinstance(kind, bool) or kind not in block_types():
        return Fault("UNKNOWN_TYPE", place, f"There is no block of type {str(kind)[:20]}")
    wanted = _keys_of(kind)
    if not set(row) >= wanted:
        return Fault("BAD_KEYS", place, f"The keys have to be {', '.join(sorted(wanted))}")
    position = _numbers(row["Position"], 3)
    rotation = _numbers(row["Rotation"], 4)
    end = _numbers(row["end-position"], 3) if "end-position" in wanted else (0.0, 0.0, 0.0)
    if position is None or rotation is None or end is None or not 0.5 < math.hypot(*rotation) < 2.0:
        return Fault("BAD_NUMBER", place, "A position is three numbers, a rotation a quaternion x, y, z, w")
    x, y, z, w = (value / math.hypot(*rotation) for value in rotation)
    point = _vector(position)
    other = _vector(end)
    is_linear = block_types()[kind].is_linear
    second = plus(point, rotated((x, y, z, w), other)) if is_linear else None
    return Placed(place, kind, point, (x, y, z, w), second, read_settings(kind, row)[0])


def _keys_of(kind: int) -> set[str]:
    return {"type", "Position", "Rotation"} | ({"end-position"} if block_types()[kind].is_linear else set())


def _numbers(value: Any, count: int) -> list[float] | None:
    if not isinstance(value, list | tuple) or len(value) != count:
        return None
    if not all(isinstance(part, int | float) and not isinstance(part, bool) for part in value):
        return None
    try:
        numbers = [float(part) for part in value]
    except OverflowError:
        return None
    return numbers if all(math.isfinite(part) and abs(part) < 1e6 for part in numbers) else None


def _seen_from(root: Placed, block: Placed) -> Placed:
    """The block in the frame of the starting block."""
    back = _conjugate(root.rotation)
    end = None if block.end is None else rotated(back, _minus(block.end, root.position))
    position = rotated(back, _minus(block.position, root.position))
    return replace(block, position=position, rotation=product(back, block.rotation), end=end)


def _nearest(
    position: Vector, faces: Grid[PlacedFace], suits: Callable[[PlacedFace], bool] = lambda face: True
) -> PlacedFace | None:
    """The nearest face in reach that suits, among equals that of the lowest block."""
    near = [
        (distance, face.block, face.face, face)
        for face in faces.near(position)
        if (distance := round(math.dist(position, face.position), 6)) <= REACH_M and suits(face)
    ]
    return min(near, key=lambda entry: entry[:3])[3] if near else None


def facing_of(root: Quaternion, rotation: Quaternion) -> Facing | None:
    """The facing that a rotation is near to, seen from the starting block; None if it is near to none."""
    seen = product(_conjugate(root), rotation)
    return next((facing for facing in quaternions() if _agrees(seen, facing)), None)


def _agrees(rotation: Quaternion, facing: Facing) -> bool:
    """Whether a rotation is that of a facing, within MAX_ANGLE_DEG."""
    cosine = abs(sum(a * b for a, b in zip(rotation, quaternions()[facing], strict=True)))
    return 2 * math.degrees(math.acos(min(1.0, cosine))) <= MAX_ANGLE_DEG


def _unattached(block: Placed) -> Fault:
    name = block_types()[block.type].name
    return Fault("BAD_PARENT", block.place, f"{name} hangs on no face: none within {REACH_M:g} m looks its way")


def rotated(rotation: Quaternion, vector: Vector) -> Vector:
    """A vector turned by a rotation."""
    *turned, _ = product(product(rotation, (*vector, 0.0)), _conjugate(rotation))
    return _vector(turned)


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation `b`, then `a`."""
    x1, y1, z1, w1 = a
    x2, y2, z2, w2 = b
    return (
        w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
        w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
        w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
        w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
    )


def _conjugate(rotation: Quaternion) -> Quaternion:
    x, y, z, w = rotation
    return -x, -y, -z, w


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _vector(values: Sequence[float]) -> Vector:
    x, y, z = values
    return x, y, z
