"""Levels that are drawn from a seed, one kind for each task (docs/machines.md)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core.contract import Difficulty, vary_field
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.levels.level import Level, MachineTask, Obstacle
from spatial_workbench.engine.machines.levels.movement import MOVEMENT_TYPES, straight_corridor
from spatial_workbench.engine.machines.levels.objects import HALF_WIDTH_M, delivery_level, pick_level
from spatial_workbench.engine.machines.levels.scenery import box, cone, ridge, rock
from spatial_workbench.engine.machines.levels.throwing import THROW_TYPES, landing_zone, walls

_D = TypeVar("_D", bound=Difficulty)
_STONE_RADIUS_M = 0.5
_CONE_RADIUS_M, _CONE_HEIGHT_M = 0.5, 1.0
_FAR_END_Z = 980.0
_GOAL_Z, _END_Z = 66.0, 70.0


class MovementDifficulty(Difficulty):
    """What a generated level for cars holds; what is given are the figures of the reference's random preset."""

    stones: int = Field(150, ge=0, le=400, description="stones over 970 m of the corridor")
    largest_scale: float = Field(2.0, ge=0.5, le=3.0, description="how far a stone of 0.5 m radius may be stretched")
    cone_groups: int = Field(20, ge=0, le=60, description="groups of four cones")
    wind_m_s: float = Field(5.0, ge=0, le=20, description="speed of the wind, from behind or from the left, m/s")
    vary: bool = vary_field("the numbers of stones and cones, their sizes and the wind")

    def drawn(self, rng: np.random.Generator) -> MovementDifficulty:
        """This, with what is usual drawn if it is to vary."""
        if not self.vary:
            return self
        drawn = {
            "stones": int(rng.integers(20, 301)),
            "largest_scale": _drawn(rng, 0.8, 3.0),
            "cone_groups": int(rng.integers(0, 41)),
            "wind_m_s": _drawn(rng, 0, 10),
        }
        return self.model_copy(update=drawn | self.model_dump(exclude_defaults=True))


class ThrowDifficulty(Difficulty):
    """What a generated level for catapults holds."""

    widest_m: float = Field(30.0, ge=20, le=40, description="largest side of the enclosure; the smallest is 20 m")
    highest_m: float = Field(4.0, ge=2, le=6, description="largest height of its walls; the smallest is 2 m")
    wind_m_s: float = Field(5.0, ge=0, le=20, description="largest speed of the wind, level and from any side, m/s")
    farthest_target_m: float = Field(
        0.0, ge=0, le=60, description="largest distance of a landing zone behind the walls; 0: there is none"
    )


class DeliveryDifficulty(Difficulty):
    """What a generated level for delivery holds."""

    farthest_ball_m: float = Field(20.0, ge=12, le=30, description="largest distance of the ball; the smallest is 12 m")
    obstacles: int = Field(4, ge=0, le=10, description="blocks and low ridges between the ball and the goal")
    window_s: float = Field(15.0, ge=5, le=30, description="how long the machine has, in seconds")


class PickDifficulty(Difficulty):
    """What a generated level for picking holds."""

    deepest_m: float = Field(4.0, ge=2, le=8, description="largest depth of the well; the smallest is 2 m")


def random_level(task: MachineTask, seed: int, difficulty: Difficulty | None = None) -> Level:
    """The level of a seed; without a difficulty with its defaults. Equal arguments give equal levels."""
    rng = np.random.default_rng(seed)
    if task == "movement":
        return _movement(rng, seed, _as(MovementDifficulty, difficulty).drawn(rng))
    if task == "throw":
        return _throw(rng, seed, _as(ThrowDifficulty, difficulty))
    if task == "delivery":
        return _delivery(rng, seed, _as(DeliveryDifficulty, difficulty))
    return _pick(rng, seed, _as(PickDifficulty, difficulty))


def _as(kind: type[_D], difficulty: Difficulty | None) -> _D:
    return kind.model_validate(difficulty.model_dump() if difficulty is not None else {})


def _movement(rng: np.random.Generator, seed: int, wanted: MovementDifficulty) -> Level:
    """Stones and cones anywhere from z = 10 on, up to 15 m aside as in the reference; a wind between z+ and x+."""
    stones = tuple(_stones(rng, wanted))
    cones = tuple(_cones(rng, wanted.cone_groups))
    wind = _wind(wanted.wind_m_s, _drawn(rng, 0, 90))
    return Level(
        f"movement@{seed}",
        "movement",
        "Random stones",
        f"{wanted.stones} stones and {wanted.cone_groups} groups of four cones along the corridor; "
        f"a wind of {wanted.wind_m_s:g} m/s.",
        MOVEMENT_TYPES,
        obstacles=(*straight_corridor(), *stones, *cones),
        wind=wind,
        seed=seed,
    )


def _stones(rng: np.random.Generator, wanted: MovementDifficulty) -> Iterator[Obstacle]:
    for k in range(1, wanted.stones + 1):
        at = _drawn(rng, -15, 15), _drawn(rng, 10, _FAR_END_Z)
        x, y, z = (_drawn(rng, 0.5, wanted.largest_scale) for _ in range(3))
        yield rock(f"stone {k}", at, _STONE_RADIUS_M, rng, scale=(x, y, z), heading=_drawn(rng, 0, 360))


def _cones(rng: np.random.Generator, groups: int) -> Iterator[Obstacle]:
    """The middle of a group is at z = 12 or farther, so that its cones keep clear of the machine."""
    for k in range(1, groups + 1):
        x = _drawn(rng, -15, 15)
        z = _drawn(rng, 12, _FAR_END_Z)
        scale = _drawn(rng, 0.8, 1.2)
        for n, (dx, dz) in enumerate(((-2, -2), (2, -2), (-2, 2), (2, 2)), 1):
            name = f"cone {k}.{n}"
            yield cone(name, (x + dx, z + dz), _CONE_RADIUS_M * scale, _CONE_HEIGHT_M * scale)


def _throw(rng: np.random.Generator, seed: int, wanted: ThrowDifficulty) -> Level:
    """An enclosure, a wind from any side, and perhaps a zone to land in."""
    side = _drawn(rng, 20, wanted.widest_m)
    height = _drawn(rng, 2, wanted.highest_m)
    speed = _drawn(rng, 0, wanted.wind_m_s)
    wind = _wind(speed, _drawn(rng, 0, 360))
    level = Level(
        f"throw@{seed}",
        "throw",
        "Random walls",
        f"Walls {height:g} m high around the machine, {side:g} m by {side:g} m; a wind of {speed:g} m/s.",
        THROW_TYPES,
        obstacles=walls(side, height),
        wind=wind,
        seed=seed,
    )
    return _with_zone(level, rng, side / 2 + 6, wanted.farthest_target_m) if wanted.farthest_target_m else level


def _with_zone(level: Level, rng: np.random.Generator, nearest: float, farthest: float) -> Level:
    distance = _drawn(rng, nearest, max(nearest, farthest))
    radius = _drawn(rng, 3, 5)
    rim, target = landing_zone(distance, radius)
    about = f"{level.about} The boulder has to land inside a ring {distance:g} m ahead."
    return replace(level, about=about, obstacles=(*level.obstacles, *rim), targets=(target,))


def _delivery(rng: np.random.Generator, seed: int, wanted: DeliveryDifficulty) -> Level:
    """The corridor of D1, its ball farther or nearer, with things in the way."""
    ball_z = _drawn(rng, 12, wanted.farthest_ball_m)
    things = tuple(_in_the_corridor(rng, wanted.obstacles, ball_z + 5, _GOAL_Z - 6))
    return delivery_level(
        f"delivery@{seed}",
        "Random corridor",
        f"The ball is {ball_z:g} m ahead; {wanted.obstacles} things lie between it and the goal.",
        things,
        goal_z=_GOAL_Z,
        end_z=_END_Z,
        ball_z=ball_z,
        window_s=wanted.window_s,
        seed=seed,
    )


def _in_the_corridor(rng: np.random.Generator, count: int, low: float, high: float) -> Iterator[Obstacle]:
    """One thing in each of equal stretches: a ridge right across, which a ball can roll over, or a block at a side."""
    for k, z in enumerate(np.linspace(low, high, count + 1)[:-1].round(2).tolist(), 1):
        if rng.random() < 0.5:
            yield ridge(f"ridge {k}", (0.0, z), (2 * HALF_WIDTH_M, _drawn(rng, 0.2, 0.6), 3.0))
        else:
            size: Vector = (_drawn(rng, 1, 4), _drawn(rng, 1, 3), 1.0)
            yield box(f"block {k}", (_drawn(rng, -HALF_WIDTH_M + 2, HALF_WIDTH_M - 2), z), size)


def _pick(rng: np.random.Generator, seed: int, wanted: PickDifficulty) -> Level:
    return pick_level(f"pick@{seed}", "Random well", _drawn(rng, 2, wanted.deepest_m), seed=seed)


def _wind(speed: float, heading_deg: float) -> Vector:
    heading = math.radians(heading_deg)
    return round(speed * math.sin(heading), 3), 0.0, round(speed * math.cos(heading), 3)


def _drawn(rng: np.random.Generator, low: float, high: float) -> float:
    """A number between two, to two decimals."""
    return round(float(rng.uniform(low, high)), 2)
