"""Levels that people describe in files (docs/machines.md): what a file may say, and the level that it means.

Names, places and sizes are as in the tables of docs/machines.md: `at` is the middle of a footprint (x, z), `size` is
width, height and length. A file that breaks a rule is refused with the place in it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.machines.building.blocks import Vector, block_types
from spatial_workbench.engine.machines.building.settings import PARAMETERS
from spatial_workbench.engine.machines.levels import scenery
from spatial_workbench.engine.machines.levels.catalogue import in_the_way
from spatial_workbench.engine.machines.levels.level import (
    GROUND,
    SIZE_LIMITS,
    Ball,
    Box,
    Channel,
    Command,
    Level,
    MachineTask,
    Obstacle,
    Target,
)
from spatial_workbench.engine.machines.levels.movement import MOVEMENT_TYPES
from spatial_workbench.engine.machines.levels.objects import DELIVERY_TYPES
from spatial_workbench.engine.machines.levels.throwing import THROW_TYPES

MAX_LEVEL_BYTES = 1_000_000
MOST_OBSTACLES = 500
MOST_TOLD = 5
"""How many faults a message names."""
_FARTHEST_M = 2000.0
TASK_TYPES: Mapping[MachineTask, frozenset[int]] = {
    "movement": MOVEMENT_TYPES,
    "throw": THROW_TYPES,
    "delivery": DELIVERY_TYPES,
    "pick": frozenset(block_types()),
}
"""The blocks that a level is meant for where its file names none."""

Coordinate = Annotated[float, Field(ge=-_FARTHEST_M, le=_FARTHEST_M)]
Length = Annotated[float, Field(gt=0.009, le=_FARTHEST_M)]
Place = tuple[Coordinate, Coordinate]
Size = tuple[Length, Length, Length]
Share = Annotated[float, Field(ge=0, le=5)]
Bounce = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class LevelFileError(ValueError):
    """A level's file that cannot be used; the message names the place."""


@dataclass(frozen=True)
class LevelFault:
    """What is wrong with a level's file.

    Attributes:
        place: Such as "obstacles[3].size[1]".
        leaves_level: Whether the file describes a level all the same, which can be drawn.
    """

    place: str
    message: str
    leaves_level: bool = True

    @property
    def is_error(self) -> bool:
        """True: a file with a fault is refused."""
        return True

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class ExaminedLevel:
    """What a file's contents make.

    Attributes:
        level: None if they describe none.
        places: The part of the file that each of the level's obstacles comes from, such as "obstacles[3]".
        faults: All that is wrong; a file with any is refused.
    """

    level: Level | None
    places: tuple[str, ...]
    faults: tuple[LevelFault, ...]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Thing(_Part):
    """What all obstacles may say. Friction and restitution replace those of the shape."""

    name: Name | None = None
    friction: Share | None = None
    restitution: Bounce | None = None


class _Solid(_Thing):
    """A thing with a footprint, which may be turned about the vertical, from z+ towards x+."""

    at: Place
    size: Size
    heading_deg: Annotated[float, Field(ge=-360, le=360)] = 0.0


class BoxThing(_Solid):
    """A box, perhaps in the air."""

    kind: Literal["box"]
    bottom: Coordinate = 0.0

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        return [scenery.box(name, self.at, self.size, bottom=self.bottom, heading=self.heading_deg)]


class RampThing(_Solid):
    """A wedge that rises along its heading, or a ridge with its crest in the middle."""

    kind: Literal["ramp", "ridge", "quarter_cylinder"]

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        builders = {"ramp": scenery.ramp, "ridge": scenery.ridge, "quarter_cylinder": scenery.quarter_cylinder}
        return [builders[self.kind](name, self.at, self.size, heading=self.heading_deg)]


class PipeThing(_Solid):
    """A quarter-pipe, perhaps on its side."""

    kind: Literal["quarter_pipe"]
    on_side: bool = False
    is_ground: bool = False
    """Whether touching it ends a flight, as touching the ground does."""

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        return scenery.quarter_pipe(
            name, self.at, self.size, heading=self.heading_deg, on_side=self.on_side, is_ground=self.is_ground
        )


class WallThing(_Thing):
    """A wall from one point of the ground to another."""

    kind: Literal["wall"]
    start: Place
    end: Place
    height: Length
    thickness: Length = 1.0

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        if self.start == self.end:
            raise ValueError("start and end of a wall have to differ")
        return [scenery.wall(name, self.start, self.end, self.height, thickness=self.thickness)]


class RoundThing(_Thing):
    """A rod that lies half-buried across z, a cone, or a rock drawn from a seed."""

    kind: Literal["rod", "cone", "rock"]
    at: Place
    radius: Length
    length: Length = 1.0
    """The length of a rod, or the height of a cone."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        if self.kind == "rock":
            return [scenery.rock(name, self.at, self.radius, np.random.default_rng(self.seed))]
        builder = scenery.rod if self.kind == "rod" else scenery.cone
        return [builder(name, self.at, self.radius, self.length)]


class RingThing(_Thing):
    """A ring around an opening, upright or flat."""

    kind: Literal["ring"]
    center: tuple[Coordinate, Coordinate, Coordinate]
    radius: Length
    upright: bool = True

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        return scenery.ring(name, self.center, self.radius, upright=self.upright)


class StickyThing(_Thing):
    """A strip of ground on which balls hardly roll, `size` along x and z."""

    kind: Literal["sticky_ground"]
    at: Place
    size: tuple[Length, Length]
    rolling_friction: Share = 0.5

    def obstacles(self, name: str) -> Sequence[Obstacle]:
        return [scenery.sticky_strip(name, self.at, self.size, self.rolling_friction)]


AnyThing = Annotated[
    BoxThing | RampThing | PipeThing | WallThing | RoundThing | RingThing | StickyThing, Field(discriminator="kind")
]


class LevelBall(_Part):
    """A ball that lies on the ground, in pick levels the first at the bottom of the well; by default that of D1."""

    name: Name = "ball"
    at: Place
    radius: Annotated[float, Field(ge=0.1, le=5)] = 1.5
    mass: Annotated[float, Field(ge=0.1, le=100)] = 2.0
    friction: Share = 0.6
    restitution: Bounce = 0.15
    rolling_friction: Share = 0.02
    spinning_friction: Share = 0.0

    def ball(self, depth: float) -> Ball:
        """The ball, that much below the ground."""
        center = (self.at[0], self.radius - depth, self.at[1])
        rolling = self.rolling_friction, self.spinning_friction
        return Ball(self.name, center, self.radius, self.mass, self.friction, self.restitution, *rolling)


class LevelGoal(_Part):
    """A zone on the ground to bring the ball to."""

    at: Place
    size: Size = (20.0, 5.0, 6.0)


class LevelTarget(_Part):
    """A ring to throw through, or a zone to land in; a ring of that opening is drawn around it."""

    kind: Literal["ring", "zone"]
    center: tuple[Coordinate, Coordinate, Coordinate]
    radius: Annotated[float, Field(ge=0.5, le=50)]


class LevelGround(_Part):
    """The ground: of another friction and restitution, or with a square well."""

    friction: Share = 1.0
    restitution: Bounce = 1.0
    reach_m: Annotated[float, Field(ge=30, le=1000)] = 100.0
    """Such ground ends at x and z = ± this."""
    well: LevelWell | None = None


class LevelWell(_Part):
    """A square opening in the ground."""

    at: Place
    side: Annotated[float, Field(ge=2, le=50)]
    depth: Annotated[float, Field(ge=0.5, le=20)]


class LevelCommand(_Part):
    """The value of a channel from a time on."""

    time: Annotated[float, Field(ge=0, le=60)]
    channel: Channel
    value: Annotated[float, Field(ge=-90, le=90)]


class LevelFile(_Part):
    """A level in a file."""

    format: Literal["spatial-workbench-level"]
    version: Literal[1]
    task: MachineTask
    name: Name
    about: Annotated[str, Field(min_length=1, max_length=4000)]
    window_s: Annotated[float, Field(ge=1, le=60)] = 5.0
    types: Annotated[tuple[int, ...], Field(min_length=1)] | None = None
    obstacles: Annotated[tuple[AnyThing, ...], Field(max_length=MOST_OBSTACLES)] = ()
    balls: Annotated[tuple[LevelBall, ...], Field(max_length=10)] = ()
    goal: LevelGoal | None = None
    targets: Annotated[tuple[LevelTarget, ...], Field(max_length=10)] = ()
    path: Annotated[tuple[Place, ...], Field(max_length=500)] = ()
    wind_m_s: tuple[Annotated[float, Field(ge=-50, le=50)], ...] = (0.0, 0.0, 0.0)
    ground: LevelGround | None = None
    programme: Annotated[tuple[LevelCommand, ...], Field(max_length=200)] = ()
    size_limits: tuple[Annotated[float, Field(ge=1)], ...] = SIZE_LIMITS
    parameters: tuple[str, ...] = tuple(PARAMETERS)
    par: Annotated[float, Field(gt=0)] | None = None


def level_hash(data: bytes) -> str:
    """The beginning of the hash of what a file says; white space and the order of keys do not matter.

    Raises:
        LevelFileError: The file is not JSON.
    """
    canonical = json.dumps(read_contents(data), sort_keys=True, separators=(",", ":"))
    return sha256(canonical.encode()).hexdigest()[:16]


def read_level_file(data: bytes) -> Level:
    """The level that a file describes.

    Raises:
        LevelFileError: It breaks a rule; names the place and the rule.
    """
    examined = examine_level(read_contents(data))
    if examined.level is None or examined.faults:
        raise LevelFileError(_words(examined.faults))
    return examined.level


def examine_level(contents: Any) -> ExaminedLevel:
    """What the contents of a file make, and all that is wrong with them.

    A level that only stands in the way of machines, or lacks what its task needs, is made all the same.
    """
    try:
        file = LevelFile.model_validate_json(json.dumps(contents))
    except ValidationError as error:
        return ExaminedLevel(None, (), tuple(_fault(detail) for detail in error.errors(include_url=False)))
    faults = list(_check(file))
    things = [*_ground(file), *_things(file, faults), *_rims(file)]
    if any(not fault.leaves_level for fault in faults):
        return ExaminedLevel(None, (), tuple(faults))
    level = _level(file, things, level_hash(json.dumps(contents).encode()))
    placed = [(thing.place, thing.name, obstacle) for thing in things for obstacle in thing.obstacles]
    faults += _blocking(level, {obstacle.name: (place, name) for place, name, obstacle in placed})
    return ExaminedLevel(level, tuple(place for place, _, _ in placed), tuple(faults))


def read_contents(data: bytes) -> Any:
    """What a file says, as plain data.

    Raises:
        LevelFileError: It is too long, or not JSON; says where.
    """
    if len(data) > MAX_LEVEL_BYTES:
        raise LevelFileError(
            f"The file is {len(data) / 1e6:.1f} MB long; at most {MAX_LEVEL_BYTES / 1e6:g} MB are read"
        )
    try:
        return json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise LevelFileError(f"The file is not JSON: {error}") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _words(faults: Sequence[LevelFault]) -> str:
    """The first faults of a file, each with its place."""
    more = [f"and {len(faults) - MOST_TOLD} more"] if len(faults) > MOST_TOLD else []
    return "; ".join([*map(str, faults[:MOST_TOLD]), *more])


def _fault(detail: Any) -> LevelFault:
    return LevelFault(format_path(_place(detail["loc"])) or "the file", detail["msg"], leaves_level=False)


def _place(path: Sequence[int | str]) -> tuple[int | str, ...]:
    """A place in the file, without the kind by which an obstacle was recognized."""
    is_thing = len(path) > 2 and path[0] == "obstacles"
    return (*path[:2], *path[3:]) if is_thing else tuple(path)


def _check(file: LevelFile) -> Iterator[LevelFault]:
    """The rules that concern more than one value."""
    if file.task in ("delivery", "pick") and not file.balls:
        yield LevelFault("balls", f"a level of the task {file.task} needs one")
    if file.task == "delivery" and file.goal is None:
        yield LevelFault("goal", "a level of the task delivery needs one")
    if file.task == "pick" and (file.ground is None or file.ground.well is None):
        yield LevelFault("ground.well", "a level of the task pick needs one")
    if file.task != "throw" and file.targets:
        yield LevelFault("targets", "only levels of the task throw have targets")
    if len(file.path) == 1 or any(a == b for a, b in zip(file.path, file.path[1:], strict=False)):
        yield LevelFault("path", "a path has two points or more, and no point twice in a row", leaves_level=False)
    for place, values in (("wind_m_s", file.wind_m_s), ("size_limits", file.size_limits)):
        if len(values) != 3:
            yield LevelFault(place, "a list of three numbers, for x, y and z", leaves_level=False)
    if any(value > most for value, most in zip(file.size_limits, SIZE_LIMITS, strict=False)):
        yield LevelFault("size_limits", f"at most {', '.join(f'{most:g}' for most in SIZE_LIMITS)}")
    for kind in file.types or ():
        if kind not in block_types():
            yield LevelFault("types", f"there is no block of type {kind}")
    for name in file.parameters:
        if name not in PARAMETERS:
            yield LevelFault("parameters", f"there is no parameter “{name}”; there are {', '.join(PARAMETERS)}")
    for name, count in Counter(ball.name for ball in file.balls).items():
        if count > 1:
            yield LevelFault("balls", f"two are called “{name}”", leaves_level=False)


def _blocking(level: Level, places: Mapping[str, tuple[str, str]]) -> Iterator[LevelFault]:
    """What stands where machines are placed, each thing once; places: of obstacles, with the names of their things."""
    balls = {ball.name: (f"balls[{number}]", ball.name) for number, ball in enumerate(level.balls)}
    width, height, length = level.size_limits
    where = f"{width:g} × {height:g} × {length:g} m around x = z = 0"
    for place, name in dict.fromkeys({**places, **balls}[blocking] for blocking in in_the_way(level)):
        yield LevelFault(place, f"“{name}” stands where machines are placed, {where}")


def _level(file: LevelFile, things: Sequence[_Made], digest: str) -> Level:
    well = file.ground.well if file.ground is not None else None
    depth = well.depth if well is not None and file.task == "pick" else 0.0
    goal = file.goal
    return Level(
        digest,
        file.task,
        file.name,
        file.about,
        frozenset(file.types or TASK_TYPES[file.task]),
        window_s=file.window_s,
        obstacles=tuple(obstacle for thing in things for obstacle in thing.obstacles),
        balls=tuple(ball.ball(depth if k == 0 else 0.0) for k, ball in enumerate(file.balls)),
        programme=tuple(Command(row.time, row.channel, row.value) for row in file.programme),
        goal=None if goal is None else _zone(goal),
        targets=tuple(Target(row.kind, row.center, row.radius) for row in file.targets),
        path=file.path,
        wind=_three(file.wind_m_s),
        size_limits=_three(file.size_limits),
        has_plane=file.ground is None,
        parameters=tuple(sorted(set(file.parameters))),
        par=file.par,
    )


@dataclass(frozen=True)
class _Made:
    """What a part of a file has become."""

    place: str
    name: str
    obstacles: tuple[Obstacle, ...]


def _things(file: LevelFile, faults: list[LevelFault]) -> list[_Made]:
    """The obstacles, with names that are given once; what cannot be made becomes a fault."""
    found: list[_Made] = []
    taken: Counter[str] = Counter()
    for number, thing in enumerate(file.obstacles):
        place = f"obstacles[{number}]"
        name = thing.name or name_of_thing(thing.kind, number)
        taken[name] += 1
        if taken[name] > 1:
            faults.append(LevelFault(f"{place}.name", f"“{name}” is given twice", leaves_level=False))
            continue
        try:
            obstacles = _obstacles_of(thing, name)
        except ValueError as error:
            faults.append(LevelFault(place, str(error), leaves_level=False))
            continue
        found.append(_Made(place, name, obstacles))
    return found


@lru_cache(maxsize=2048)
def _obstacles_of(thing: AnyThing, name: str) -> tuple[Obstacle, ...]:
    """What a thing is made of; remembered, since a level that is being made is read again after each change."""
    given = {"friction": thing.friction, "restitution": thing.restitution}
    own: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return tuple(replace(obstacle, **own) for obstacle in thing.obstacles(name))


def name_of_thing(kind: str, number: int) -> str:
    """What an obstacle without a name is called; number: its place in the list, from 0."""
    return f"{kind.replace('_', ' ')} {number + 1}"


def _ground(file: LevelFile) -> list[_Made]:
    """The ground where it is not the endless plane."""
    ground = file.ground
    if ground is None:
        return []
    if ground.well is not None:
        parts = scenery.well(ground.well.at, ground.well.side, ground.well.depth, ground.reach_m)
    else:
        flat = scenery.box(GROUND, (0.0, 0.0), (2 * ground.reach_m, 1.0, 2 * ground.reach_m), bottom=-1.0)
        parts = (replace(flat, is_ground=True),)
    hard = (replace(part, friction=ground.friction, restitution=ground.restitution) for part in parts)
    return [_Made("ground", GROUND, tuple(hard))]


def _rims(file: LevelFile) -> list[_Made]:
    """The rings around targets."""
    rims: list[_Made] = []
    for number, target in enumerate(file.targets, 1):
        is_ring = target.kind == "ring"
        x, y, z = target.center
        center = target.center if is_ring else (x, y + scenery.RING_THICKNESS_M / 2, z)
        name = f"target {number}"
        rims.append(
            _Made(f"targets[{number - 1}]", name, tuple(scenery.ring(name, center, target.radius, upright=is_ring)))
        )
    return rims


def _zone(goal: LevelGoal) -> Box:
    (x, z), (width, height, length) = goal.at, goal.size
    return Box((x - width / 2, 0.0, z - length / 2), (x + width / 2, height, z + length / 2))


def _three(values: Sequence[float]) -> Vector:
    x, y, z = values
    return x, y, z


LevelGround.model_rebuild()
