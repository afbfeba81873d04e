"""The blocks and the rules of building in words, for prompts; made from the block table (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from spatial_workbench.engine.machines.building.blocks import (
    BOULDER,
    ROOT,
    BlockType,
    Vector,
    block_types,
    turned_directions,
)
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS

FRAME = """\
The frame is left-handed: x+ points right, y+ up, z+ forward. Lengths are in metres, masses in kilograms. The starting \
block (type 0, id 0) is at the origin and looks towards z+. A block's own frame begins at its building point, the \
middle of its back; it extends from there along its own z, its Front."""

BUILDING = """\
Every other block is attached with its building point to the middle of a face of a block that comes earlier in the \
list, and looks the way that face looks. Blocks cannot be turned or scaled. Where a block's Front, Back, Left, Right, \
Up and Down look follows from where the block looks:"""

TREE_FORMAT = """\
A machine is a list of blocks, parents before children:
{"type": 0, "id": 0, "parent": -1, "face_id": -1} is the starting block, always the first;
{"type": T, "id": I, "parent": P, "face_id": F} is a block of type T on face F of block P;
{"type": T, "id": I, "parent_a": P, "face_id_a": F, "parent_b": Q, "face_id_b": G} is a linear block (types 7 and 9) \
that stretches from face F of block P to face G of block Q.
The id is the position in the list, counted from 0."""

NOTES = """\
- Powered wheels push the machine forward (z+) when they look towards x+ or x-; looking towards z+ they push to x-, \
towards z- to x+, and up or down they do not drive.
- A rotating block turns about its Front axis; looking towards x+ it carries what is above it forward.
- Linear blocks take up no room and use no face. A spring pulls its two ends together, by 100 N for each metre of its \
length, from the moment the power goes on. A brace strengthens the connections between its two ends; between parts \
that can move it keeps its length.
- A boulder is not attached: it lies where it was placed, and needs a container or a hollow to stay there.
- A free end that meets a vacant face of another block is joined to it, rigidly; this can lock a joint in between.
- Connections break under too large a force or torque."""


def size_rule(limits: Vector = SIZE_LIMITS) -> str:
    """The rules of space in words."""
    x, y, z = limits
    return (
        "No two blocks may overlap (a boulder may sit in the container that carries it), a face carries one block, and "
        f"the whole machine may be at most {x:g} m wide (x), {y:g} m high (y) and {z:g} m long (z)."
    )


def orientation_table() -> str:
    """Where the sides of a block look, by where the block looks."""
    rows = [
        f"{facing}: " + ", ".join(f"{word} {turned[word]}" for word in ("Back", "Left", "Right", "Up", "Down"))
        for facing, turned in turned_directions().items()
    ]
    return "\n".join(rows)


def block_list(types: Collection[int]) -> str:
    """The blocks of these types: what they do, their size, mass, faces and special attributes."""
    return "\n".join(_words_of(kind) for number, kind in block_types().items() if number in types or number == ROOT)


def _words_of(kind: BlockType) -> str:
    parts = [f"- {kind.name}, type {kind.number}: {kind.description.rstrip('.')}."]
    parts.extend(_properties(kind))
    return " ".join(parts)


def _properties(kind: BlockType) -> Iterator[str]:
    if not kind.is_linear:
        yield f"Size {_listed(kind.size)}, mass {kind.mass:g}."
    if kind.tags:
        yield f"Tags: {', '.join(sorted(kind.tags))}."
    if kind.stated:
        yield "; ".join(f"{name}: {_value(value)}" for name, value in kind.stated.items()) + "."
    if kind.faces:
        faces = (f"{face.id} at {_listed(face.position)} looking {face.direction}" for face in kind.faces)
        yield f"Faces: {'; '.join(faces)}."
    elif kind.number not in (BOULDER,) and not kind.is_linear:
        yield "No faces."


def _listed(vector: Vector) -> str:
    return "(" + ", ".join(f"{value:g}" for value in vector) + ")"


def _value(value: Any) -> str:
    return ", ".join(map(_value, value)) if isinstance(value, list) else str(value)
