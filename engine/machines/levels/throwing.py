"""The levels for catapults, T1 to T13, and the ones with targets within reach (docs/machines.md)."""

from __future__ import annotations

from typing import Any

from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS, Level, Obstacle, Target
from spatial_workbench.engine.machines.levels.scenery import beam, enclosure, quarter_pipe, ring, sticky_strip

THROW_TYPES = frozenset((0, 1, 2, 5, 7, 9, 15, 16, 22, 30, 35, 36, 41, 63))
WALL_THICKNESS_M = 0.8
RING_HEIGHT_M = 0.4
_STICKINESS = 0.5


def throw_levels() -> tuple[Level, ...]:
    """T1 to T13, then T8n, T9n and T11n."""
    return (
        _level("T1", "Open ground", "No wall, no end."),
        _level("T2", "Walled", "Walls 3 m high around the machine, 22 m by 22 m: throw over them.", walls(22.0, 3.0)),
        _level(
            "T3",
            "Sticky ground",
            "The walls of T2. Behind them the ground is sticky, so that nothing rolls far; a fence 1 m high ends it.",
            (*walls(22.0, 3.0), *_strips(), *_fence()),
        ),
        _level("T4", "Small pipes", _PIPES.format(high=4, away=13), _between_pipes(15, (30, 4, 4))),
        _level("T5", "Long pipes", _PIPES.format(high=4, away=15), _between_pipes(20, (40, 4, 10))),
        _level("T6", "High pipes", _PIPES.format(high=10, away=15), _between_pipes(20, (40, 10, 10))),
        _level(
            "T7",
            "Wind from above",
            "The pipes of T6, and a wind of 10 m/s straight down.",
            _between_pipes(20, (40, 10, 10)),
            wind=(0.0, -10.0, 0.0),
        ),
        _landing_zone("T8", 50.0, 6.0),
        _rings("T9", (50.0,), 12.0, 6.0),
        _rings("T10", (50.0,), 15.0, 6.0),
        _rings("T11", (35.0, 50.0), 15.0, 6.0),
        _level(
            "T12",
            "Low machine",
            "The walls of T2, for a machine of at most 5 m.",
            walls(22.0, 3.0),
            size_limits=(SIZE_LIMITS[0], 5.0, SIZE_LIMITS[2]),
        ),
        _level(
            "T13",
            "Over or under",
            "The walls of T2, and behind them a slab in the air, 16 m ahead and 5 m up: throw over it or under it.",
            (*walls(22.0, 3.0), beam("slab", (0, 16), (22, 0.5, 2), 5.0)),
        ),
        _landing_zone("T8n", 20.0, 4.0),
        _rings("T9n", (12.0,), 8.0, 3.0),
        _rings("T11n", (8.0, 14.0), 8.0, 3.0, size_limits=(SIZE_LIMITS[0], SIZE_LIMITS[1], 15.0)),
    )


_PIPES = "The walls of T2, and quarter-pipes {high} m high on all sides from {away} m on, between a fence 1 m high."


def walls(side: float, height: float) -> tuple[Obstacle, ...]:
    """A square of walls around the machine; `side` from the middle of one wall to that of the opposite."""
    length = side + WALL_THICKNESS_M
    return enclosure("wall", (side / 2, side / 2), height, WALL_THICKNESS_M, (length, length))


def landing_zone(distance: float, radius: float) -> tuple[tuple[Obstacle, ...], Target]:
    """A round zone straight ahead, with a flat ring around it."""
    rim = ring("ring", (0.0, RING_HEIGHT_M / 2, distance), radius, upright=False)
    return rim, Target("zone", (0.0, 0.0, distance), radius)


def _level(level_id: str, title: str, about: str, obstacles: tuple[Obstacle, ...] = (), **more: Any) -> Level:
    return Level(level_id, "throw", title, about, THROW_TYPES, obstacles=obstacles, **more)


def _fence() -> tuple[Obstacle, ...]:
    return enclosure("fence", (30.0, 30.0), 1.0, RING_HEIGHT_M, (60.4, 60.4))


def _strips() -> tuple[Obstacle, ...]:
    """Ground from 11 to 31 m on all sides; those in front and behind reach over the corners."""
    places = (
        ("front", (0, 21), (62, 20)),
        ("back", (0, -21), (62, 20)),
        ("right", (21, 0), (20, 22)),
        ("left", (-21, 0), (20, 22)),
    )
    return tuple(sticky_strip(f"{side} sticky ground", at, size, _STICKINESS) for side, at, size in places)


def _between_pipes(distance: float, size: Vector) -> tuple[Obstacle, ...]:
    """T2 with pipes whose middles are at a distance on all sides, their hollow sides looking in, and a fence."""
    places = (
        ("front", (0.0, distance), 0.0),
        ("right", (distance, 0.0), 90.0),
        ("back", (0.0, -distance), 180.0),
        ("left", (-distance, 0.0), 270.0),
    )
    pipes = (quarter_pipe(f"{side} pipe", at, size, heading=turn, is_ground=True) for side, at, turn in places)
    return (*walls(22.0, 3.0), *_fence(), *(slab for pipe in pipes for slab in pipe))


def _target_walls() -> tuple[Obstacle, ...]:
    return enclosure("wall", (12.0, 11.0), 3.0, WALL_THICKNESS_M, (25.0, 25.0))


def _landing_zone(level_id: str, distance: float, radius: float) -> Level:
    rim, target = landing_zone(distance, radius)
    about = f"Throw over the walls so that the boulder first touches the ground inside the ring, {distance:g} m ahead."
    return _level(level_id, "Landing zone", about, (*_target_walls(), *rim), targets=(target,))


def _rings(level_id: str, distances: tuple[float, ...], height: float, radius: float, **more: Any) -> Level:
    """Upright rings, to be passed in order."""
    places: list[Vector] = [(0.0, height, distance) for distance in distances]
    boxes = [box for k, at in enumerate(places, 1) for box in ring(f"ring {k}", at, radius, upright=True)]
    targets = tuple(Target("ring", at, radius) for at in places)
    return _level(level_id, *_words_of_rings(distances, height), (*_target_walls(), *boxes), targets=targets, **more)


def _words_of_rings(distances: tuple[float, ...], height: float) -> tuple[str, str]:
    listed = " and ".join(f"{distance:g}" for distance in distances)
    if len(distances) == 1:
        return "Ring", f"Throw the boulder through a ring {listed} m ahead, its middle {height:g} m up."
    return "Two rings", f"Throw the boulder through two rings, {listed} m ahead, their middles {height:g} m up."
