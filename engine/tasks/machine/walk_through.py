"""Building a machine step by step: which block comes next, and where (docs/tasks/machine.md)."""

from __future__ import annotations

from dataclasses import dataclass

from spatial_workbench.engine.machines.building.poses import PlacedFace, faces_of
from spatial_workbench.engine.machines.building.tree import Link, ends_of
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import block_at

_Spot = tuple[object, object]
"""Where a face is: its position and its facing."""


@dataclass(frozen=True)
class MachineStep:
    """The next block: its place in the order from 1, how many there are, its type, and the face that it goes to.

    `second`: the other face of a linear block. `is_taken`: something else stands on the face. `face` is None where the
    face, or the second one, is no longer there.
    """

    number: int
    count: int
    type: int
    face: PlacedFace | None
    is_taken: bool = False
    second: PlacedFace | None = None


def next_step(goal: MachineAssembly, present: MachineAssembly) -> MachineStep | None:
    """The first block of `goal` that is not built yet; None once all are. Other blocks do not matter."""
    faces = {_spot_of(face): face for face in reversed(faces_of(present.tree, present.poses))}
    lines = [(entry.type, _spots_of(present, entry)) for entry in present.tree if isinstance(entry, Link)]
    for k, (entry, pose) in enumerate(zip(goal.tree, goal.poses, strict=True)):
        if isinstance(entry, Link):
            spots = _spots_of(goal, entry)
            if (entry.type, spots) in lines:
                lines.remove((entry.type, spots))
                continue
            ends = [faces.get(_spot_of(_face(goal, *end))) for end in ends_of(entry)]
            first, second = ends if None not in ends else (None, None)
            return MachineStep(k, len(goal.tree) - 1, entry.type, first, second=second)
        if not k or pose is None or block_at(present, entry.type, pose) is not None:
            continue
        face = faces.get((pose.position, pose.facing))
        is_taken = face is not None and (face.block, face.face) not in present.vacant
        return MachineStep(k, len(goal.tree) - 1, entry.type, face, is_taken)
    return None


def _spot_of(face: PlacedFace) -> _Spot:
    return face.position, face.facing


def _spots_of(assembly: MachineAssembly, link: Link) -> frozenset[_Spot]:
    """Where the ends of a linear block are, in either order."""
    return frozenset(_spot_of(_face(assembly, *end)) for end in ends_of(link))


def _face(assembly: MachineAssembly, block: int, face: int) -> PlacedFace:
    return next(placed for placed in assembly.faces_of(block) if placed.face == face)
