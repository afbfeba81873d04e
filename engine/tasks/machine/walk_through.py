"""Building a machine step by step: which block comes next, and where (docs/tasks/machine.md)."""

from __future__ import annotations

from dataclasses import dataclass

from spatial_workbench.engine.machines.building.poses import PlacedFace, faces_of
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import block_at


@dataclass(frozen=True)
class MachineStep:
    """The next block: its place in the order from 1, how many there are, its type, and the face that it goes to.

    `is_taken`: something else stands on the face. `face` is None where the face is no longer there.
    """

    number: int
    count: int
    type: int
    face: PlacedFace | None
    is_taken: bool = False


def next_step(goal: MachineAssembly, present: MachineAssembly) -> MachineStep | None:
    """The first block of `goal` that is not built yet; None once all are. Other blocks do not matter."""
    faces = faces_of(present.tree, present.poses)
    for k, (entry, pose) in enumerate(zip(goal.tree, goal.poses, strict=True)):
        if not k or pose is None or block_at(present, entry.type, pose) is not None:
            continue
        face = next((face for face in faces if (face.position, face.facing) == (pose.position, pose.facing)), None)
        is_taken = face is not None and (face.block, face.face) not in present.vacant
        return MachineStep(k, len(goal.tree) - 1, entry.type, face, is_taken)
    return None
