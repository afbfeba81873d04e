"""The 27 block types, read from resources/machines/blocks.json (docs/machines.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Literal

from spatial_workbench.engine.core.shipped import resource

Vector = tuple[float, float, float]
Facing = Literal["x+", "x-", "y+", "y-", "z+", "z-"]
"""Where a block's Front looks."""

ROOT = 0
BRACE = 7
SPRING = 9
GRABBER = 27
CONTAINER = 30
BOULDER = 36


@dataclass(frozen=True)
class Face:
    """A place where a child can be glued, in the block's frame: its centre, and the word for the way it looks."""

    id: int
    position: Vector
    direction: str


@dataclass(frozen=True)
class MachineShape:
    """A part of what collides and is drawn, in the block's frame.

    A box has a `size`, a sphere a `radius`, a cylinder a `radius`, a `length` and the letter of its `axis`.
    """

    kind: Literal["box", "sphere", "cylinder"]
    center: Vector
    size: Vector = (0.0, 0.0, 0.0)
    radius: float = 0.0
    length: float = 0.0
    axis: str = "z"


@dataclass(frozen=True)
class Motor:
    """What drives a joint: to a speed in rad/s ("velocity"), or to hold an angle; torques in N m."""

    mode: Literal["velocity", "hold_position"]
    max_torque: float
    speed: float = 0.0
    position_gain: float = 0.0
    velocity_gain: float = 0.0
    flip_when_facing: str | None = None


@dataclass(frozen=True)
class Joint:
    """How a block hangs on its parent; axis and pivot in the block's frame, limits in degrees or metres."""

    kind: Literal["fixed", "revolute", "prismatic", "spherical", "free", "linear"]
    axis: Vector = (0.0, 0.0, 1.0)
    pivot: Vector = (0.0, 0.0, 0.0)
    limits: tuple[float, float] | None = None
    friction_torque: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    motor: Motor | None = None

    @property
    def moves(self) -> bool:
        """Whether the block can move relative to its parent."""
        return self.kind not in ("fixed", "linear")


@dataclass(frozen=True)
class BlockType:
    """What all blocks of a type have in common. A linear one has no box: `size` and `center` are zeros."""

    number: int
    name: str
    category: str
    description: str
    size: Vector
    mass: float
    center: Vector
    faces: tuple[Face, ...]
    tags: frozenset[str]
    aliases: tuple[str, ...]
    friction: float
    restitution: float
    joint: Joint
    break_force: float | None
    break_torque: float | None
    shapes: tuple[MachineShape, ...]
    color: str
    palette: str
    channel: str | None
    stated: Mapping[str, Any]
    """What prompts and the 3D information say of it, such as its axis of rotation."""

    special: Mapping[str, Any]
    """What only this type has, such as a spring's stiffness."""

    @property
    def is_linear(self) -> bool:
        """Whether it stretches between two faces."""
        return self.number in (BRACE, SPRING)


@cache
def block_types() -> Mapping[int, BlockType]:
    """All types by their number, in the order of the data file."""
    return {row["type"]: _block_type(row) for row in _data()["blocks"]}


@cache
def constants() -> Mapping[str, Any]:
    """The world's constants: "limits" of the size and tolerances, and "physics"."""
    return {name: _data()[name] for name in ("limits", "physics")}


@cache
def turned_directions() -> Mapping[Facing, Mapping[str, Facing]]:
    """For each facing of a block, where its Front, Back, Left, Right, Up and Down look."""
    words = ("Front", "Back", "Left", "Right", "Up", "Down")
    return {facing: {word: row[word] for word in words} for facing, row in _data()["orientations"].items()}


@cache
def rotations() -> Mapping[Facing, tuple[Vector, Vector, Vector]]:
    """The rotation matrix of each facing, by rows."""
    rows = {facing: [_vector(row) for row in entry["matrix"]] for facing, entry in _data()["orientations"].items()}
    return {facing: (first, second, third) for facing, (first, second, third) in rows.items()}


@cache
def quaternions() -> Mapping[Facing, tuple[float, float, float, float]]:
    """The rotation of each facing as a quaternion x, y, z, w."""
    return {facing: tuple(row["quaternion_xyzw"]) for facing, row in _data()["orientations"].items()}


@cache
def table_hash() -> str:
    """A hash of the block table and the world's constants, on which every simulation depends."""
    return sha256(_text().encode()).hexdigest()


def _text() -> str:
    return resource("machines", "blocks.json").read_text("utf-8")


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_text())
    return data


_COMMON = frozenset(
    ("friction", "restitution", "joint", "break_force", "break_torque", "shapes", "colour", "palette", "channel")
)


def _block_type(row: Mapping[str, Any]) -> BlockType:
    more = row["ours"]
    return BlockType(
        number=row["type"],
        name=row["name"],
        category=row["category"],
        description=row["description"],
        size=_vector(row["size"] or (0, 0, 0)),
        mass=row["mass"],
        center=_vector(row["center"] or (0, 0, 0)),
        faces=tuple(Face(face["id"], _vector(face["pos"]), face["orientation"]) for face in row["faces"]),
        tags=frozenset(row["tags"]),
        aliases=tuple(row["aliases"]),
        friction=more.get("friction", 0.0),
        restitution=more.get("restitution", 0.0),
        joint=_joint(more["joint"]),
        break_force=more.get("break_force"),
        break_torque=more.get("break_torque"),
        shapes=tuple(_shape(shape) for shape in more["shapes"]),
        color=more["colour"],
        palette=more["palette"],
        channel=more["channel"],
        stated=row["special"],
        special={name: value for name, value in more.items() if name not in _COMMON},
    )


def _joint(row: Mapping[str, Any]) -> Joint:
    limits = row.get("limits_deg") or row.get("limits_m")
    spring = row.get("spring", {})
    motor = row.get("motor")
    return Joint(
        kind=row["type"],
        axis=_vector(row.get("axis", (0, 0, 1))),
        pivot=_vector(row.get("pivot", (0, 0, 0))),
        limits=(limits[0], limits[1]) if limits else None,
        friction_torque=row.get("friction_torque", 0.0),
        stiffness=spring.get("stiffness", 0.0),
        damping=spring.get("damping", 0.0),
        motor=None if motor is None else _motor(motor),
    )


def _motor(row: Mapping[str, Any]) -> Motor:
    names = ("mode", "max_torque", "speed", "position_gain", "velocity_gain", "flip_when_facing")
    return Motor(**{name: row[name] for name in names if name in row})


def _shape(row: Mapping[str, Any]) -> MachineShape:
    return MachineShape(**{**row, "center": _vector(row["center"]), "size": _vector(row.get("size", (0, 0, 0)))})


def _vector(values: Any) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
