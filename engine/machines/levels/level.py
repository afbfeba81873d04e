"""What a level is made of (docs/machines.md), in the machine's frame: left-handed, x right, y up, z forward; metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from spatial_workbench.engine.machines.building.blocks import Vector, constants
from spatial_workbench.engine.machines.building.settings import BlockSettings
from spatial_workbench.engine.machines.building.tree import Entry, Tree

MachineTask = Literal["movement", "throw", "delivery", "pick"]
Channel = Literal["drive", "spin", "contract", "grab", "steer_hinge", "steer_block"]
Rotation = tuple[float, float, float, float]
"""A quaternion x, y, z, w in the machine's frame."""

_LIMITS = constants()["limits"]
SIZE_LIMITS: Vector = (_LIMITS["size_x"], _LIMITS["size_y"], _LIMITS["size_z"])
"""How large a machine may be along x, y and z, where a level says nothing else."""

LATER: dict[str, Any] = {"parameters": [], "par": None}
"""What only levels in files have, as it is written for all others; no simulation depends on it."""

UNTURNED: Rotation = (0.0, 0.0, 0.0, 1.0)
GROUND = "ground"
"""The name of flat ground that stands for the plane."""
RESTITUTION = 0.2
FRICTION = 0.8
DEFAULT_POLICY: dict[Channel, float] = {
    "drive": 1.0,
    "spin": 1.0,
    "contract": 1.0,
    "grab": 1.0,
    "steer_hinge": 0.0,
    "steer_block": 0.0,
}
"""What every channel is set to from t = 0 where no programme says otherwise; steering in degrees."""


@dataclass(frozen=True)
class Obstacle:
    """A thing that never moves.

    A box has a `size`; a cylinder a `radius` and a `length` along its own z; a hull the `vertices` of a convex body,
    relative to `center`.
    """

    name: str
    kind: Literal["box", "cylinder", "hull"]
    center: Vector
    rotation: Rotation = UNTURNED
    size: Vector = (0.0, 0.0, 0.0)
    radius: float = 0.0
    length: float = 0.0
    vertices: tuple[Vector, ...] = ()
    friction: float = FRICTION
    restitution: float = RESTITUTION
    rolling_friction: float = 0.0
    is_ground: bool = False
    """Whether touching it ends a flight, as touching the plane does."""


@dataclass(frozen=True)
class Ball:
    """A ball of the level that is free to move; kilograms."""

    name: str
    center: Vector
    radius: float
    mass: float
    friction: float
    restitution: float
    rolling_friction: float = 0.0
    spinning_friction: float = 0.0


@dataclass(frozen=True)
class Box:
    """A zone: a box along the axes, from its lowest to its highest corner."""

    low: Vector
    high: Vector


@dataclass(frozen=True)
class Target:
    """A ring to throw through, upright across z, towards z+; or a round zone on the ground, to land in."""

    kind: Literal["ring", "zone"]
    center: Vector
    radius: float


@dataclass(frozen=True)
class Command:
    """The value of a channel from a time on, in seconds: drive and spin -1 to 1, steering in degrees, others 0 or 1."""

    time: float
    channel: Channel
    value: float


@dataclass(frozen=True)
class Level:
    """A place to try machines in.

    Attributes:
        window_s: How long is simulated after the power goes on.
        types: The block types that may be used without a warning.
        goal: Where the ball has to be brought.
        targets: To be hit in this order.
        path: Corners (x, z) of the centre line along which progress counts; empty: straight along z.
        wind: Velocity of the air, m/s.
        has_plane: Whether the ground is an endless plane at y = 0; else the obstacles are all the ground there is.
        parameters: The names of the parameters of blocks that count here; the published levels allow none.
        par: The reward that scores 1; None: that of a reference machine.
    """

    id: str
    task: MachineTask
    title: str
    about: str
    types: frozenset[int]
    window_s: float = 5.0
    obstacles: tuple[Obstacle, ...] = ()
    balls: tuple[Ball, ...] = ()
    programme: tuple[Command, ...] = ()
    goal: Box | None = None
    targets: tuple[Target, ...] = ()
    path: tuple[tuple[float, float], ...] = ()
    wind: Vector = (0.0, 0.0, 0.0)
    size_limits: Vector = SIZE_LIMITS
    has_plane: bool = True
    seed: int | None = None
    parameters: tuple[str, ...] = ()
    par: float | None = None


def as_simulated(tree: Tree, level: Level) -> Tree:
    """A machine as a level simulates it: its blocks have only the parameters that count there."""
    return tuple(entry if entry.settings is None else _with_allowed(entry, level) for entry in tree)


def _with_allowed(entry: Entry, level: Level) -> Entry:
    values = entry.settings.values() if entry.settings is not None else {}
    allowed = {name: value for name, value in values.items() if name in level.parameters}
    return replace(entry, settings=BlockSettings.of(allowed))


def policy_at(programme: Sequence[Command], time: float) -> dict[Channel, float]:
    """What every channel is set to at a time; before t = 0 only the steering holds still."""
    values = dict(DEFAULT_POLICY)
    if time < 0:
        return dict.fromkeys(values, 0.0)
    for command in programme:
        if command.time <= time:
            values[command.channel] = command.value
    return values


def write_level(level: Level) -> dict[str, Any]:
    """A level as plain data, for messages and files; what only levels in files have is left out of others."""
    data: dict[str, Any] = _levels().dump_python(level, mode="json")
    return {name: value for name, value in data.items() if name not in LATER or value != LATER[name]}


def read_level(data: Mapping[str, Any]) -> Level:
    """The level that `write_level` wrote.

    Raises:
        ValueError: The data is not a level; says where.
    """
    level: Level = _levels().validate_python(dict(data))
    return level


@cache
def _levels() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Level)
