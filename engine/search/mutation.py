"""Random legal edits of a machine: a designer without a model, to compare models with (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from spatial_workbench.engine.machines.building.blocks import BOULDER, BRACE, ROOT, SPRING, Vector
from spatial_workbench.engine.machines.building.edits import Add, Command, Edited, Move, Remove, apply_lines
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree, ends_of
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS

MOST_STEPS = 3
TRIES = 200
_KINDS = ("add", "link", "remove", "move")
_WEIGHTS = (0.5, 0.15, 0.2, 0.15)


def mutated(
    tree: Tree, types: Collection[int], rng: np.random.Generator, size_limits: Vector = SIZE_LIMITS
) -> Edited | None:
    """The machine after one to three random edits of a tree; None if no legal edit was drawn.

    Boulders are never removed, since a machine without one throws nothing.

    Args:
        types: The numbers of the block types that may be added.
        size_limits: The largest extents of a machine along x, y and z.
    """
    steps = int(rng.integers(1, MOST_STEPS + 1))
    lines: list[str] = []
    edited: Edited | None = None
    for _ in range(TRIES):
        command = _random_command(tree, sorted(types), rng)
        if command is None:
            continue
        attempt = apply_lines(tree, [*lines, str(command)], size_limits)
        if attempt.is_complete:
            lines.append(str(command))
            edited = attempt
            if len(lines) == steps:
                break
    return edited


def _random_command(tree: Tree, types: Sequence[int], rng: np.random.Generator) -> Command | None:
    kind = rng.choice(_KINDS, p=_WEIGHTS)
    if kind == "add":
        choices = [number for number in types if number not in (ROOT, BOULDER, BRACE, SPRING)]
        face = _random_face(tree, rng)
        return Add(int(rng.choice(choices)), *face) if choices and face else None
    if kind == "link":
        choices = [number for number in types if number in (BRACE, SPRING)]
        first, second = _random_face(tree, rng), _random_face(tree, rng)
        if not choices or first is None or second is None or first[0] == second[0]:
            return None
        return Add(int(rng.choice(choices)), *first, second)
    if kind == "remove":
        leaves = _leaves(tree)
        return Remove(int(rng.choice(leaves))) if leaves else None
    movable = [entry.id for entry in tree if isinstance(entry, MachineBlock) and entry.id != ROOT]
    face = _random_face(tree, rng)
    return Move(int(rng.choice(movable)), *face) if movable and face else None


def _random_face(tree: Tree, rng: np.random.Generator) -> tuple[int, int] | None:
    carriers = [entry.id for entry in tree if kind_of(entry).faces]
    if not carriers:
        return None
    block = int(rng.choice(carriers))
    return block, int(rng.integers(len(kind_of(tree[block]).faces)))


def _leaves(tree: Tree) -> list[int]:
    """The blocks that carry nothing, without boulders."""
    carrying = {parent for entry in tree for parent, _ in ends_of(entry)}
    return [entry.id for entry in tree if entry.id not in carrying | {ROOT} and entry.type != BOULDER]
