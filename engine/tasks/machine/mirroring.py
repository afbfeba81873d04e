"""Building on both sides: faces, blocks and commands in the mirror x = 0, which goes through the starting block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spatial_workbench.engine.machines.building.blocks import Facing, Vector, block_types
from spatial_workbench.engine.machines.building.edits import Add, Move
from spatial_workbench.engine.machines.building.poses import PlacedFace, Pose, face_of, faces_of, kind_of
from spatial_workbench.engine.machines.building.settings import PARAMETERS, BlockSettings, ParameterValue
from spatial_workbench.engine.machines.building.tree import Entry, Link, MachineBlock, ends_of, with_parameter
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.tasks.machine.building import Builder, Built, added, moved, without
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly

MIRRORED: dict[Facing, Facing] = {"x+": "x-", "x-": "x+", "y+": "y+", "y-": "y-", "z+": "z+", "z-": "z-"}
"""Where something looks in the mirror x = 0."""
ROTATING = 22
REVERSED = "reversed"
_ALONG_X = ("x+", "x-")
_NEAR_M = 1e-6


def mirror_of(assembly: MachineAssembly, face: PlacedFace) -> PlacedFace | None:
    """The face at the mirrored place that looks the mirrored way: the same one in the middle; None if there is none."""
    wanted = _mirror(face.position)
    for other in faces_of(assembly.tree, assembly.poses):
        if _is_at(other.position, wanted) and other.facing == MIRRORED[face.facing]:
            return other
    return None


def twin_of(assembly: MachineAssembly, block: int) -> int | None:
    """The block of the same type that is its mirror image: itself in the middle; None if there is none."""
    entry = assembly.tree[block]
    pose = assembly.poses[block]
    if isinstance(entry, Link):
        return _twin_of_link(assembly, entry)
    assert pose is not None
    wanted = Pose(_mirror(pose.position), MIRRORED[pose.facing])
    return block_at(assembly, entry.type, wanted)


def words_of_turning(assembly: MachineAssembly, block: int, level: Level) -> str:
    """How the mirror image of a rotating block turns; "" for other blocks, and where motors can be reversed.

    Motors turn about the Front that a block is placed with, so a mirrored one never moves as its mirror image does.
    """
    pose = assembly.poses[block]
    if assembly.tree[block].type != ROTATING or pose is None or REVERSED in level.parameters:
        return ""
    if pose.facing in ("x+", "x-"):
        return "The mirrored rotating block turns the opposite way in space"
    return "The mirrored rotating block turns the same way in space, unlike a mirror image"


def turns_otherwise(kind: int, facing: Facing) -> bool:
    """Whether the motor of a mirrored block has to be reversed so that it moves as the mirror image of a motor does.

    A mirror keeps what turns about x and reverses the rest. Wheels that face x- turn the other way by themselves.
    """
    joint = block_types()[kind].joint
    motor = joint.motor if joint is not None and kind in PARAMETERS[REVERSED].types else None
    return motor is not None and (facing not in _ALONG_X or motor.flip_when_facing is None)


def image_settings(entry: Entry, facing: Facing | None, level: Level) -> BlockSettings | None:
    """The parameters of a block's mirror image: the same, with the motor reversed where it has to be and that counts.

    facing: Where the block looks; None: it is a linear one.
    """
    values = entry.settings.values() if entry.settings is not None else {}
    if facing is not None and REVERSED in level.parameters and turns_otherwise(entry.type, facing):
        values = {**values, REVERSED: not values.get(REVERSED, False)}
    return BlockSettings.of(values)


def with_parameter_on_both_sides(
    assembly: MachineAssembly, block: int, name: str, value: ParameterValue
) -> Entry | None:
    """The mirror image of a block, with the same value of a parameter or a motor mirrored; None if there is none."""
    twin = twin_of(assembly, block)
    pose = assembly.poses[block]
    if twin is None or twin == block:
        return None
    if name == REVERSED and pose is not None and turns_otherwise(assembly.tree[block].type, pose.facing):
        value = not value
    return with_parameter(assembly.tree[twin], name, value)


def added_on_both_sides(assembly: MachineAssembly, command: Add, level: Level) -> Built:
    """The machine with a block and its mirror image; a notice says why there is only the one."""
    builder = Builder(assembly.tree, level)
    builder.add(command)
    if not builder.built().is_made:
        return builder.built()
    image, reason = _image_of(assembly, command)
    if image is not None:
        first = builder.tree[-1]
        facing = MachineAssembly(builder.tree).poses[-1]
        both = Builder(assembly.tree, level)
        both.add(command)
        both.add(image, image_settings(first, None if facing is None else facing.facing, level))
        if both.built().is_made:
            return both.built()
        reason = both.built().reason
    if reason:
        builder.notices.append(f"Only on this side: {reason}")
    return builder.built()


def moved_on_both_sides(assembly: MachineAssembly, command: Move, level: Level) -> Built:
    """The machine after a move of a block and of its mirror image; a notice says why only the one was moved."""
    first = moved(assembly, command, level)
    if not first.is_made:
        return first
    twin = twin_of(assembly, command.id)
    target = mirror_of(assembly, _face(assembly, command.parent, command.face))
    if twin == command.id:
        return first
    reason = "nothing is its mirror image" if twin is None else "there is no face at the mirrored place"
    if twin is not None and target is not None:
        between = MachineAssembly(first.tree)
        place = mirror_of(between, _face_at(between, assembly, command))
        mover = block_at(between, assembly.tree[twin].type, assembly.poses[twin])
        second = moved(between, Move(mover, place.block, place.face), level) if mover and place else None
        if second is not None and second.is_made:
            return Built(
                second.tree, first.lines + second.lines, new=_at_faces(MachineAssembly(second.tree), between, place)
            )
        reason = second.reason if second is not None else reason
    return Built(first.tree, first.lines, new=first.new, notices=(f"Only on this side: {reason}",))


def without_both_sides(assembly: MachineAssembly, blocks: Sequence[int], level: Level) -> Built:
    """The machine without some blocks, their mirror images, and all that hangs on them."""
    twins = {twin for block in blocks if (twin := twin_of(assembly, block))}
    return without(assembly, sorted({*blocks, *twins}), level)


def mirrored(assembly: MachineAssembly, blocks: Iterable[int], level: Level) -> Built:
    """Copies of blocks, and of all that hangs on them, on the other side of the plane x = 0, as one step.

    What is its own mirror image, or stands on the other side already, is kept; what cannot be mirrored is left out with
    a notice.
    """
    members = sorted({k for block in blocks if block for k in assembly.subtree(block)})
    builder = Builder(assembly.tree, level)
    for k in members:
        if twin_of(MachineAssembly(builder.tree), k) is not None:
            continue
        image, reason = _image_of_block(MachineAssembly(builder.tree), k)
        if image is not None:
            trial = added(MachineAssembly(builder.tree), [image], level)
            reason = trial.reason
            if trial.is_made:
                pose = assembly.poses[k]
                builder.add(image, image_settings(assembly.tree[k], None if pose is None else pose.facing, level))
        if reason:
            name = kind_of(assembly.tree[k]).name
            builder.notices.append(f"Block {k}, {name}, is not mirrored: {reason}")
    built = builder.built()
    if built.new or built.notices:
        turning = [words for k in members if (words := words_of_turning(assembly, k, level))]
        notices = [*built.notices, *(turning[:1] if built.new else ())]
        return Built(built.tree, built.lines, "" if built.new else "; ".join(notices), built.new, tuple(notices))
    return Built(assembly.tree, reason="the other side has all of it already")


def _image_of_block(assembly: MachineAssembly, block: int) -> tuple[Add | None, str]:
    (first, *rest) = ends_of(assembly.tree[block])
    return _image_of(assembly, Add(assembly.tree[block].type, *first, rest[0] if rest else None))


def _image_of(assembly: MachineAssembly, command: Add) -> tuple[Add | None, str]:
    """The command that makes the mirror image of what a command makes; why there is none, "" in the middle."""
    faces = [_face(assembly, command.parent, command.face)]
    faces += [_face(assembly, *command.second)] if command.second is not None else []
    images = [mirror_of(assembly, face) for face in faces]
    if None in images:
        return None, "there is no face at the mirrored place"
    ends = [(image.block, image.face) for image in images if image is not None]
    own = {(face.block, face.face) for face in faces}
    if set(ends) == own:
        return None, ""
    return Add(command.type, *ends[0], ends[1] if len(ends) > 1 else None), ""


def _twin_of_link(assembly: MachineAssembly, link: Link) -> int | None:
    images = [mirror_of(assembly, _face(assembly, *end)) for end in ends_of(link)]
    wanted = {(image.block, image.face) for image in images if image is not None}
    others = (entry for entry in assembly.tree if isinstance(entry, Link) and entry.type == link.type)
    return next((entry.id for entry in others if None not in images and set(ends_of(entry)) == wanted), None)


def block_at(assembly: MachineAssembly, kind: int, wanted: Pose | None) -> int | None:
    """The block of a type with a pose."""
    if wanted is None:
        return None
    alike = (entry.id for entry in assembly.tree if isinstance(entry, MachineBlock) and entry.type == kind)
    return next((k for k in alike if (pose := assembly.poses[k]) is not None and _is_pose(pose, wanted)), None)


def _face(assembly: MachineAssembly, block: int, face: int) -> PlacedFace:
    return face_of(assembly.tree, assembly.poses, block, face)


def _face_at(after: MachineAssembly, before: MachineAssembly, command: Move) -> PlacedFace:
    """The face that a block was moved to, in the machine after the move, whose ids may differ."""
    wanted = _face(before, command.parent, command.face)
    faces = faces_of(after.tree, after.poses)
    return next(face for face in faces if face.facing == wanted.facing and _is_at(face.position, wanted.position))


def _at_faces(after: MachineAssembly, before: MachineAssembly, place: PlacedFace | None) -> tuple[int, ...]:
    """What hangs on a face and on its mirror image, in a machine whose ids may differ from those before."""
    assert place is not None
    image = mirror_of(before, place)
    roots = [
        entry.id
        for entry, pose in zip(after.tree, after.poses, strict=True)
        for face in (place, image)
        if face is not None and pose == Pose(face.position, face.facing) and entry.id
    ]
    return tuple(sorted({k for root in roots for k in after.subtree(root)}))


def _is_pose(pose: Pose, wanted: Pose) -> bool:
    return pose.facing == wanted.facing and _is_at(pose.position, wanted.position)


def _is_at(position: Vector, wanted: Vector) -> bool:
    return all(abs(a - b) < _NEAR_M for a, b in zip(position, wanted, strict=True))


def _mirror(position: Vector) -> Vector:
    x, y, z = position
    return -x, y, z
