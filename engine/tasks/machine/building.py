"""Larger steps of building: copies, arrays, and moves to blocks that come later in the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spatial_workbench.engine.machines.building.edits import Add, EditOutcome, Move, apply_lines
from spatial_workbench.engine.machines.building.poses import PlacedFace, face_of, faces_of
from spatial_workbench.engine.machines.building.settings import BlockSettings
from spatial_workbench.engine.machines.building.tree import Entry, Link, MachineBlock, Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly

_NEAR_M = 1e-6
_MOST_TRIED = 60
"""Faces on which a copy is tried."""


@dataclass(frozen=True)
class Built:
    """A machine after a larger step, with the commands that make it; or why it cannot be made.

    `new` are the blocks that the step added, by their ids in the new machine; `notices` say what was left out, and why.
    """

    tree: Tree
    lines: tuple[str, ...] = ()
    reason: str = ""
    new: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether the step can be carried out."""
        return not self.reason


class Builder:
    """Adds blocks one by one, up to the first that cannot be added.

    Attributes:
        tree: The machine so far.
        notices: What is left out, and why.
    """

    def __init__(self, tree: Tree, level: Level) -> None:
        self.tree = tree
        self.notices: list[str] = []
        self._level = level
        self._lines: list[str] = []
        self._new: list[int] = []
        self._reason = ""

    def add(self, command: Add, settings: BlockSettings | None = None) -> int | None:
        """The id of a new block with these parameters; None where it cannot be added."""
        if self._reason:
            return None
        edited = apply_lines(self.tree, [str(command)], self._level.size_limits)
        step = edited.steps[0]
        if step.outcome is EditOutcome.ERROR:
            self._reason = step.reason
            return None
        self.tree = (*edited.tree[:-1], replace(edited.tree[-1], settings=settings))
        self._lines.append(step.text)
        self._new.append(len(self.tree) - 1)
        return self._new[-1]

    def continue_from(self, built: Built) -> None:
        """Goes on from what was built of the machine so far."""
        self.tree = built.tree
        self._lines += built.lines
        self._new += built.new

    def built(self) -> Built:
        """What came of it."""
        return Built(self.tree, tuple(self._lines), self._reason, tuple(self._new), tuple(self.notices))


def added(assembly: MachineAssembly, commands: Sequence[Add], level: Level) -> Built:
    """The machine with some more blocks."""
    builder = Builder(assembly.tree, level)
    for command in commands:
        builder.add(command)
    return builder.built()


def copied(assembly: MachineAssembly, block: int, target: tuple[int, int], level: Level) -> Built:
    """A copy of a block, and of all that hangs on it alone, on another face."""
    builder = Builder(assembly.tree, level)
    add_copy(builder, assembly, block, target)
    return builder.built()


def pasted(
    assembly: MachineAssembly, source: MachineAssembly, blocks: Sequence[int], targets: Sequence[int], level: Level
) -> Built:
    """Copies of another machine's blocks, with all that hangs on them, on the first vacant faces where each fits.

    blocks: those that are copied; what hangs on another of them is copied with it. targets: the blocks to hang them on.
    """
    chosen = [block for block in blocks if 0 < block < len(source.tree)]
    within = {k for block in chosen for k in source.subtree(block) if k != block}
    builder = Builder(assembly.tree, level)
    alone = [block for block in sorted(set(chosen) - within) if isinstance(source.tree[block], MachineBlock)]
    if not alone:
        return Built(assembly.tree, reason="a block between two others is copied together with what holds both")
    for block in alone:
        faces = [face for face in sorted(assembly.vacant) if face[0] in targets]
        for face in faces[:_MOST_TRIED]:
            attempt = Builder(builder.tree, level)
            add_copy(attempt, source, block, face)
            built = attempt.built()
            if built.is_made and built.new:
                builder.continue_from(built)
                break
        else:
            return Built(assembly.tree, reason="there is no face where they fit; select another block")
    return builder.built()


def without(assembly: MachineAssembly, blocks: Sequence[int], level: Level) -> Built:
    """The machine without some blocks and all that hangs on them; the starting block stays."""
    going = sorted({k for block in blocks if block for k in assembly.subtree(block)}, reverse=True)
    edited = apply_lines(assembly.tree, [f"Remove [{k}]" for k in going], level.size_limits)
    return Built(
        edited.tree,
        tuple(step.text for step in edited.steps),
        next((step.reason for step in edited.steps if step.reason), ""),
    )


def moved(assembly: MachineAssembly, command: Move, level: Level) -> Built:
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
        edited.tree, (edited.steps[0].text,), edited.steps[0].reason, tuple(MachineAssembly(tree).subtree(command.id))
    )


def arrayed(assembly: MachineAssembly, block: int, level: Level) -> Built:
    """Copies of a block, and of all that hangs on it, on every other face of the row along the beam that it stands on.

    Faces that are used, and those that a copy does not fit on, are left out with a notice.
    """
    entry = assembly.tree[block]
    if isinstance(entry, Link) or entry.parent < 0:
        return Built(assembly.tree, reason="the starting block and linear blocks do not stand on a beam")
    builder = Builder(assembly.tree, level)
    for face in _row_of(assembly, entry):
        copy = copied(MachineAssembly(builder.tree), block, (face.block, face.face), level)
        if copy.is_made:
            builder.continue_from(copy)
        else:
            builder.notices.append(f"Face {face.face} of block {face.block} is left out: {copy.reason}")
    built = builder.built()
    if built.new:
        return built
    return replace(built, reason="; ".join(built.notices) or "there is no other face in a row with its own")


def _row_of(assembly: MachineAssembly, entry: MachineBlock) -> list[PlacedFace]:
    """The faces that look the same way, one metre apart, along the beam that a block stands on; its own left out."""
    parent = assembly.poses[entry.parent]
    assert parent is not None
    own = face_of(assembly.tree, assembly.poses, entry.parent, entry.face)
    axis = parent.facing[0]
    if own.facing[0] == axis:
        return []
    along = "xyz".index(axis)
    others = ["xyz".index(name) for name in "xyz" if name != axis]
    alike = [
        face
        for face in faces_of(assembly.tree, assembly.poses)
        if face.facing == own.facing and all(abs(face.position[k] - own.position[k]) < _NEAR_M for k in others)
    ]
    hanging = assembly.subtree(entry.id)
    places = {round(face.position[along] - own.position[along], 3): face for face in alike if face.block not in hanging}
    return [*_steps(places, -1), *_steps(places, 1)]


def _steps(places: Mapping[float, PlacedFace], way: int) -> Iterator[PlacedFace]:
    """The faces one, two, three ... metres away, up to the first gap."""
    distance = way
    while distance in places:
        yield places[distance]
        distance += way


def add_copy(builder: Builder, assembly: MachineAssembly, block: int, target: tuple[int, int]) -> None:
    """Adds a copy of a block, and of all that hangs on it alone, to what is being built."""
    copies: dict[int, int] = {}
    for k in assembly.subtree(block):
        command = _copy_of(assembly.tree[k], block, target, copies)
        new = builder.add(command, settings_of_copy(assembly.tree[k])) if command is not None else None
        if new is not None:
            copies[k] = new


def settings_of_copy(entry: Entry) -> BlockSettings | None:
    """The parameters of a copy; what a file of the game said of the block stays with the block."""
    return None if entry.settings is None else BlockSettings.of(entry.settings.values())


def _copy_of(entry: Entry, root: int, target: tuple[int, int], copies: dict[int, int]) -> Add | None:
    """The command that copies an entry; None for links to what is not copied."""
    if isinstance(entry, MachineBlock):
        if entry.id == root:
            return Add(entry.type, *target)
        parent = copies.get(entry.parent)
        return None if parent is None else Add(entry.type, parent, entry.face)
    first, second = copies.get(entry.parent_a), copies.get(entry.parent_b)
    if first is None or second is None:
        return None
    return Add(entry.type, first, entry.face_a, (second, entry.face_b))


def _renamed(entry: Entry, names: dict[int, int]) -> Entry:
    if isinstance(entry, Link):
        return replace(entry, id=names[entry.id], parent_a=names[entry.parent_a], parent_b=names[entry.parent_b])
    return replace(entry, id=names[entry.id], parent=names.get(entry.parent, -1))
