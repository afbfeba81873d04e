"""Edit commands: lines such as "Add [15] to [3] in [0]", carried out one after the other (docs/machines.md).

Ids are those of the machine before the batch, from its first line to its last; afterwards they are made consecutive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from spatial_workbench.engine.machines.building.blocks import ROOT, Vector, block_types
from spatial_workbench.engine.machines.building.poses import Pose, boxes_of, kind_of, poses_of
from spatial_workbench.engine.machines.building.spatial import extent_of, overlaps_with
from spatial_workbench.engine.machines.building.tree import MAX_DIGITS, Entry, Link, MachineBlock, Tree, ends_of
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS


class EditError(ValueError):
    """A command that cannot be read or carried out; says why."""


@dataclass(frozen=True)
class Add:
    """Adds a block on a face; with a second face, a linear one."""

    type: int
    parent: int
    face: int
    second: tuple[int, int] | None = None

    def __str__(self) -> str:
        if self.second is None:
            return f"Add [{self.type}] to [{self.parent}] in [{self.face}]"
        parent, face = self.second
        return f"Add [{self.type}] to [{self.parent}] in [{self.face}] to [{parent}] in [{face}]"


@dataclass(frozen=True)
class Remove:
    """Removes a block without children."""

    id: int

    def __str__(self) -> str:
        return f"Remove [{self.id}]"


@dataclass(frozen=True)
class Move:
    """Moves a block to another face, with all that hangs on it."""

    id: int
    parent: int
    face: int

    def __str__(self) -> str:
        return f"Move [{self.id}] to [{self.parent}] in [{self.face}]"


Command = Add | Remove | Move


class EditOutcome(StrEnum):
    """What became of a step."""

    SUCCESS = "Success"
    ERROR = "Error"
    UNVERIFIED = "Unverified"


@dataclass(frozen=True)
class EditStep:
    """A line of a batch, what became of it, and why."""

    text: str
    outcome: EditOutcome
    reason: str = ""


@dataclass(frozen=True)
class Edited:
    """A machine after a batch: up to its first error. `renamed` maps the ids before to those after."""

    tree: Tree
    steps: tuple[EditStep, ...]
    renamed: dict[int, int]

    @property
    def is_complete(self) -> bool:
        """Whether every step was carried out."""
        return all(step.outcome is EditOutcome.SUCCESS for step in self.steps)

    @property
    def success_rate(self) -> float:
        """Successful steps by all steps."""
        done = sum(step.outcome is EditOutcome.SUCCESS for step in self.steps)
        return done / len(self.steps) if self.steps else 1.0


_FORMS = {("add", 3), ("add", 5), ("remove", 1), ("move", 3)}


def read_command(line: str) -> Command:
    """The command of a line: its numbers are those in brackets, or all where there are no brackets.

    Raises:
        EditError: The line is not a command.
    """
    word = line.strip().partition(" ")[0].lower()
    digits = rf"-?\d{{1,{MAX_DIGITS}}}"
    in_brackets = re.findall(rf"\[\s*({digits})\s*\]", line, re.ASCII)
    numbers = [int(text) for text in in_brackets or re.findall(rf"(?<!\d){digits}(?!\d)", line, re.ASCII)]
    if (word, len(numbers)) not in _FORMS:
        raise EditError("This is no command: expected Add [type] to [parent] in [face], Remove [id] or Move [id] to …")
    if word == "remove":
        return Remove(*numbers)
    if word == "move":
        return Move(*numbers)
    kind, parent, face, *second = numbers
    return Add(kind, parent, face, (second[0], second[1]) if second else None)


def apply_lines(tree: Tree, lines: Iterable[str], size_limits: Vector = SIZE_LIMITS) -> Edited:
    """Carries out lines of commands in order, up to the first that cannot be."""
    batch = _Batch(tree, size_limits)
    steps = []
    has_failed = False
    for line in lines:
        if has_failed:
            steps.append(EditStep(line, EditOutcome.UNVERIFIED))
            continue
        try:
            batch.carry_out(read_command(line))
        except EditError as error:
            has_failed = True
            steps.append(EditStep(line, EditOutcome.ERROR, str(error)))
        else:
            steps.append(EditStep(line, EditOutcome.SUCCESS))
    return Edited(batch.compacted(), tuple(steps), batch.renamed())


class _Batch:
    """A machine while it is edited. Entries keep their ids; new ones follow."""

    def __init__(self, tree: Tree, size_limits: Vector) -> None:
        self._size_limits = np.array(size_limits)
        self._count = len(tree)
        self._entries: list[Entry | None] = list(tree)
        self._parents: set[int] = set()
        """Blocks that something was put on in this batch."""

    def carry_out(self, command: Command) -> None:
        """Carries out one command. Raises EditError and changes nothing where it cannot be."""
        before = list(self._entries)
        try:
            changed = self._changed_by(command)
            if changed:
                self._check(before, changed)
        except EditError:
            self._entries = before
            raise
        self._parents |= {parent for parent, _ in _targets(command)}

    def compacted(self) -> Tree:
        """The machine with consecutive ids."""
        return _compacted(self._entries)

    def renamed(self) -> dict[int, int]:
        """The ids after the batch by those before; removed blocks have none."""
        alive = [k for k, entry in enumerate(self._entries) if entry is not None]
        return {old: new for new, old in enumerate(alive)}

    def _changed_by(self, command: Command) -> list[int]:
        """Makes the change; returns the blocks whose place is new."""
        if isinstance(command, Remove):
            self._remove(command.id)
            return []
        for parent, face in _targets(command):
            self._require_face(parent, face)
        if isinstance(command, Move):
            return self._move(command)
        return self._add(command)

    def _add(self, command: Add) -> list[int]:
        kind = block_types().get(command.type)
        if kind is None or command.type == ROOT:
            raise EditError(f"No block of type {command.type} can be added")
        if kind.is_linear != (command.second is not None):
            faces = "two faces" if kind.is_linear else "one face"
            raise EditError(f"Type {command.type}, {kind.name}, goes to {faces}")
        number = len(self._entries)
        if command.second is not None:
            self._entries.append(Link(command.type, number, command.parent, command.face, *command.second))
            return []
        self._require_vacant(command.parent, command.face)
        self._entries.append(MachineBlock(command.type, number, command.parent, command.face))
        return [number]

    def _remove(self, block: int) -> None:
        self._require_original(block)
        if block == 0:
            raise EditError("The starting block cannot be removed")
        if block in self._parents:
            raise EditError(f"Something was put on block {block} before in this batch")
        users = [k for k, entry in self._alive() if block in (parent for parent, _ in ends_of(entry))]
        if users:
            raise EditError(f"Block {block} carries {', '.join(map(str, users))}")
        self._entries[block] = None

    def _move(self, command: Move) -> list[int]:
        entry = self._require_original(command.id)
        if command.id == 0 or not isinstance(entry, MachineBlock):
            raise EditError(f"Block {command.id} cannot be moved")
        if command.parent >= command.id:
            raise EditError(f"The new parent has to have a lower id than {command.id}")
        if (entry.parent, entry.face) == (command.parent, command.face):
            raise EditError(f"Block {command.id} is there already")
        self._require_vacant(command.parent, command.face)
        self._entries[command.id] = replace(entry, parent=command.parent, face=command.face)
        return self._subtree(command.id)

    def _subtree(self, block: int) -> list[int]:
        members = {block}
        for k, entry in self._alive():
            if isinstance(entry, MachineBlock) and entry.parent in members:
                members.add(k)
        return sorted(members)

    def _alive(self) -> list[tuple[int, Entry]]:
        return [(k, entry) for k, entry in enumerate(self._entries) if entry is not None]

    def _require_original(self, block: int) -> Entry:
        if not 0 <= block < self._count:
            raise EditError(f"There is no block {block}")
        entry = self._entries[block]
        if entry is None:
            raise EditError(f"Block {block} was removed")
        return entry

    def _require_face(self, parent: int, face: int) -> None:
        kind = kind_of(self._require_original(parent))
        if not 0 <= face < len(kind.faces):
            raise EditError(f"Block {parent}, {kind.name}, has no face {face}")

    def _require_vacant(self, parent: int, face: int) -> None:
        for k, entry in self._alive():
            if isinstance(entry, MachineBlock) and (entry.parent, entry.face) == (parent, face):
                raise EditError(f"Face {face} of block {parent} carries block {k}")

    def _check(self, before: Sequence[Entry | None], changed: Sequence[int]) -> None:
        """Refuses what overlaps or makes the machine too large, in the ids of the machine before the batch."""
        alive = [k for k, entry in enumerate(self._entries) if entry is not None]
        tree = self.compacted()
        place = {old: new for new, old in enumerate(alive)}
        poses = poses_of(tree)
        low, high = boxes_of(tree, poses)
        pairs = [(k, alive[other]) for k in changed for other in overlaps_with(tree, low, high, place[k])]
        if pairs:
            listed = ", ".join(f"{a} and {b}" for a, b in dict.fromkeys(tuple(sorted(pair)) for pair in pairs))
            raise EditError(f"{_placed(changed[0], poses[place[changed[0]]])}; there overlap {listed}")
        self._check_size(before, extent_of(low, high))

    def _check_size(self, before: Sequence[Entry | None], extent: np.ndarray) -> None:
        if (extent <= self._size_limits + 1e-9).all():
            return
        tree = _compacted(before)
        smaller = extent_of(*boxes_of(tree, poses_of(tree)))
        old, new, most = (_size_words(size) for size in (smaller, extent, self._size_limits))
        raise EditError(f"The machine grows from {old} to {new}; at most {most} are allowed")


def _targets(command: Command) -> list[tuple[int, int]]:
    """The faces that a command puts something on."""
    if isinstance(command, Remove):
        return []
    second = [command.second] if isinstance(command, Add) and command.second is not None else []
    return [(command.parent, command.face), *second]


def _compacted(entries: Sequence[Entry | None]) -> Tree:
    """The entries that are left, with consecutive ids."""
    left = tuple(entry for entry in entries if entry is not None)
    if len(left) == len(entries):
        return left
    renamed = {entry.id: new for new, entry in enumerate(left)}
    return tuple(_renumbered(entry, renamed) for entry in left)


def _renumbered(entry: Entry, renamed: dict[int, int]) -> Entry:
    if isinstance(entry, Link):
        first, second = renamed[entry.parent_a], renamed[entry.parent_b]
        return replace(entry, id=renamed[entry.id], parent_a=first, parent_b=second)
    return replace(entry, id=renamed[entry.id], parent=renamed.get(entry.parent, -1))


def _placed(block: int, pose: Pose | None) -> str:
    assert pose is not None
    position = ", ".join(f"{value:g}" for value in pose.position)
    return f"Block {block} would stand at ({position}) facing {pose.facing}"


def _size_words(size: np.ndarray) -> str:
    return " × ".join(f"{value:g}" for value in size.tolist()) + " m"
