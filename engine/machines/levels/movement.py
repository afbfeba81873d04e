"""The levels for cars, M1 to M8 (docs/machines.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_workbench.engine.machines.levels.level import Level, Obstacle
from spatial_workbench.engine.machines.levels.scenery import (
    beam,
    box,
    corridor,
    path_of,
    quarter_cylinder,
    quarter_pipe,
    ridge,
    rock,
    rod,
    wall,
)

MOVEMENT_TYPES = frozenset((0, 1, 2, 9, 15, 16, 22, 35, 41, 63))
_ROCKS_SEED, _RODS_SEED = 5, 6
_REAR_Z = -16.0
_CURVES = path_of((0.0, 0.0), (20.0, (15.0, 90.0), 30.0, (15.0, -90.0), 20.0))


def movement_levels() -> tuple[Level, ...]:
    """M1 to M8."""
    return (
        _level("M1", "Flat", "Flat ground between two walls."),
        _level(
            "M2",
            "Quarter-pipe",
            "A quarter-pipe 3.5 m high, 19 m ahead, from which a car falls down 3.5 m.",
            quarter_pipe("quarter-pipe", (0, 19), (25.8, 3.5, 6.6)),
        ),
        _level(
            "M3",
            "Quarter-cylinder",
            "A rounded step 2 m high, 36 m ahead: steep at first, then level, then a drop.",
            (quarter_cylinder("quarter-cylinder", (0, 36), (24.5, 2.0, 9.1)),),
        ),
        _level(
            "M4",
            "Gap and ridge",
            "Two boxes 1.5 m high with a gap between them, 41 m ahead, and a ridge 1.7 m high right behind.",
            (
                box("left box", (-8, 41), (8.2, 1.5, 4)),
                box("right box", (7.56, 41), (8.2, 1.5, 4)),
                ridge("ridge", (0, 46), (26.4, 1.7, 6.8)),
            ),
            window_s=8.0,
        ),
        _level(
            "M5",
            "Rocks",
            "40 rocks, up to half a metre high, strewn over the first 48 m.",
            _rocks(np.random.default_rng(_ROCKS_SEED)),
            seed=_ROCKS_SEED,
        ),
        _level(
            "M6",
            "Rods",
            "Ten half-buried rods across the way, one every 4 m, up to 0.35 m high.",
            _rods(np.random.default_rng(_RODS_SEED)),
            seed=_RODS_SEED,
        ),
        _curves(),
        _level(
            "M8",
            "Height bar",
            "A beam across the way, 10 m ahead, 4 m above the ground.",
            (beam("beam", (0, 10), (20, 2, 1), 4.0),),
        ),
    )


def straight_corridor() -> tuple[Obstacle, ...]:
    """The two smooth walls of the reference's corridor, and the one behind."""
    return (
        box("left wall", (-12, 480), (1, 10, 1000), friction=0.0),
        box("right wall", (12, 480), (1, 10, 1000), friction=0.0),
        wall("rear wall", (-11.5, _REAR_Z), (11.5, _REAR_Z), 10),
    )


def _level(level_id: str, title: str, about: str, obstacles: tuple[Obstacle, ...] = (), **more: Any) -> Level:
    things = (*straight_corridor(), *obstacles)
    return Level(level_id, "movement", title, about, MOVEMENT_TYPES, obstacles=things, **more)


def _rocks(rng: np.random.Generator) -> tuple[Obstacle, ...]:
    """The nearest begins behind z = 8.5, up to where the largest machine reaches."""
    rows = rng.uniform((-10.0, 9.1, 0.2), (10.0, 48.0, 0.55), (40, 3)).round(2).tolist()
    return tuple(rock(f"rock {k}", (x, z), radius, rng) for k, (x, z, radius) in enumerate(rows, 1))


def _rods(rng: np.random.Generator) -> tuple[Obstacle, ...]:
    """The first lies at z = 9, beyond z = 8.5, up to where the largest machine reaches."""
    radii = rng.uniform(0.15, 0.35, 10).round(2).tolist()
    return tuple(rod(f"rod {k}", (0.0, 5.0 + 4.0 * k), radius, 23.0) for k, radius in enumerate(radii, 1))


def _curves() -> Level:
    return Level(
        "M7",
        "movement",
        "Curves",
        "A corridor 20 m wide: 20 m straight on, a curve to the right, 30 m, a curve to the left, 20 m. "
        "The way along its middle counts.",
        MOVEMENT_TYPES | {19, 40},
        window_s=20.0,
        obstacles=corridor(((0.0, _REAR_Z), *_CURVES[1:]), 10.0, 10.0, friction=0.0),
        path=_CURVES,
    )
