"""Larger steps of building: copies, mirrored copies, and moves to blocks that come later in the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.machines.blocks import Facing, Vector
from engine.machines.edits import Add, Move, Outcome, apply_lines
from engine.machines.level import Level
from engine.machines.poses import PlacedFace, face_of, faces_of, turned
from engine.machines.tree import Block, Entry, Link, Tree
from engine.tasks.machine.editing import Assembly

MIRRORED: dict[Facing, Facing] = {"x+": "x-", "x-": "x+", "y+": "y+", "y-": "y-", "z+": "z+", "z-": "z-"}
"""Where something looks in the mirror x = 0."""
_NEAR_M = 1e-6
FaceOn = Callable[[int, int], int]
"""For a block and a face of it, the face that stands for it on the block's copy."""


@dataclass(frozen=True)
class Built:
    """A machine after a larger step, with the commands that make it; or why it cannot be made.

    `new` are the blocks that the step added, by their ids in the new machine.
    """

    tree: Tree
    lines: tuple[str, ...] = ()
    reason: str = ""
    new: tuple[int, ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether the step can be carried out."""
        return not self.reason


class _Builder:
    """Adds blocks one by one; the first that cannot be added ends it."""

    def __init__(self, tree: Tree, level: Level) -> None:
        self.tree = tree
        self._level = level
        self._lines: list[str] = []
        self._new: list[int] = []
        self._reason = ""

    def add(self, command: Add) -> int | None:
        """The id of a new block; None where it cannot be added."""
        if self._reason:
            return None
        edited = apply_lines(self.tree, [str(command)], self._level.size_limits)
        step = edited.steps[0]
        if step.outcome is Outcome.ERROR:
            self._reason = step.reason
            return None
        self.tree = edited.tree
        self._lines.append(step.text)
        self._new.append(len(self.tree) - 1)
        return self._new[-1]

    def built(self) -> Built:
        """What came of it."""
        return Built(self.tree, tuple(self._lines), self._reason, tuple(self._new))


def added(assembly: Assembly, commands: Sequence[Add], level: Level) -> Built:
    """The machine with some more blocks."""
    builder = _Builder(assembly.tree, level)
    for command in commands:
        builder.add(command)
    return builder.built()


def copied(assembly: Assembly, block: int, target: tuple[int, int], level: Level) -> Built:
    """A copy of a block, and of all that hangs on it alone, on another face."""
    return _copied(assembly, block, target, level, lambda entry, face: face)


def mirrored(assembly: Assembly, block: int, level: Level) -> Built:
    """A copy of a block, and of all that hangs on it alone, on the other side of the plane x = 0."""
    entry = assembly.tree[block]
    if isinstance(entry, Link) or entry.parent < 0:
        return Built(assembly.tree, reason="the starting block and linear blocks are not mirrored by themselves")
    target = mirror_of(assembly, face_of(assembly.tree, assembly.poses, entry.parent, entry.face))
    if target is None:
        return Built(assembly.tree, reason="there is no face at the mirrored place")
    return _copied(
        assembly, block, (target.block, target.face), level, lambda k, face: _mirrored_face(assembly, k, face)
    )


def without(assembly: Assembly, blocks: Sequence[int], level: Level) -> Built:
    """The machine without some blocks and all that hangs on them; the starting block stays."""
    going = sorted({k for block in blocks if block for k in assembly.subtree(block)}, reverse=True)
    edited = apply_lines(assembly.tree, [f"Remove [{k}]" for k in going], level.size_limits)
    return Built(
        edited.tree,
        tuple(step.text for step in edited.steps),
        next((step.reason for step in edited.steps if step.reason), ""),
    )


def mirror_of(assembly: Assembly, face: PlacedFace) -> PlacedFace | None:
    """The face at the mirrored place that looks the mirrored way; None if there is none, or it is the same."""
    wanted = _mirror(face.position)
    for other in faces_of(assembly.tree, assembly.poses):
        is_there = max(abs(a - b) for a, b in zip(other.position, wanted, strict=True)) < _NEAR_M
        if is_there and other.facing == MIRRORED[face.facing]:
            return None if other == face else other
    return None


def moved(assembly: Assembly, command: Move, level: Level) -> Built:
    """The machine after a move; where the new parent comes later in the list, the list is put in another order."""
    tree = assembly.tree
    if command.parent > command.id:
        members = set(assembly.subtree(command.id))
        if command.parent in members:
            return Built(tree, reason="a block cannot hang on what hangs on it")
        order = [*(k for k in range(len(tree)) if k not in members), *sorted(members)]
        names = {old: new for new, old in enumerate(order)}
        tree = tuple(_renamed(tree[old], names) for old in order)
        command = Move(names[command.id], names[command.parent], command.face)
    edited = apply_lines(tree, [str(command)], level.size_limits)
    return Built(
        edited.tree, (edited.steps[0].text,), edited.steps[0].reason, tuple(Assembly(tree).subtree(command.id))
    )


def _copied(assembly: Assembly, block: int, target: tuple[int, int], level: Level, face_on: FaceOn) -> Built:
    builder = _Builder(assembly.tree, level)
    copies: dict[int, int] = {}
    for k in assembly.subtree(block):
        entry = assembly.tree[k]
        command = _copy_of(entry, block, target, copies, face_on)
        new = builder.add(command) if command is not None else None
        if new is not None:
            copies[k] = new
    return builder.built()


def _copy_of(entry: Entry, root: int, target: tuple[int, int], copies: dict[int, int], face_on: FaceOn) -> Add | None:
    """The command that copies an entry; None for links to what is not copied."""
    if isinstance(entry, Block):
        if entry.id == root:
            return Add(entry.type, *target)
        parent = copies.get(entry.parent)
        return None if parent is None else Add(entry.type, parent, face_on(entry.parent, entry.face))
    first, second = copies.get(entry.parent_a), copies.get(entry.parent_b)
    if first is None or second is None:
        return None
    faces = face_on(entry.parent_a, entry.face_a), face_on(entry.parent_b, entry.face_b)
    return Add(entry.type, first, faces[0], (second, faces[1]))


def _mirrored_face(assembly: Assembly, block: int, face: int) -> int:
    """The face of a mirrored block that is where the face would be in the mirror."""
    pose = assembly.poses[block]
    assert pose is not None
    placed = face_of(assembly.tree, assembly.poses, block, face)
    offset = _mirror(tuple(np.subtract(placed.position, pose.position).tolist()))
    faces = turned(assembly.tree[block].type, MIRRORED[pose.facing]).faces
    return min(range(len(faces)), key=lambda k: float(np.abs(np.subtract(faces[k][0], offset)).sum()))


def _mirror(position: Sequence[float]) -> Vector:
    x, y, z = position
    return -x, y, z


def _renamed(entry: Entry, names: dict[int, int]) -> Entry:
    if isinstance(entry, Link):
        return replace(entry, id=names[entry.id], parent_a=names[entry.parent_a], parent_b=names[entry.parent_b])
    return replace(entry, id=names[entry.id], parent=names.get(entry.parent, -1))
