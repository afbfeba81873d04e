"""The levels with a thing to move (docs/machines.md): delivery, D1 to D9 and their longer variants; pick, P1 and P2."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.machines.building.blocks import BOULDER, block_types
from spatial_workbench.engine.machines.levels.level import Ball, Box, Command, Level, Obstacle
from spatial_workbench.engine.machines.levels.scenery import (
    beam,
    box,
    corridor,
    path_of,
    quarter_pipe,
    ramp,
    ridge,
    wall,
    well,
)

DELIVERY_TYPES = frozenset((0, 1, 2, 9, 15, 16, 22, 27, 35, 41, 63))
LONG_WINDOW_S = 15.0
HALF_WIDTH_M, WALL_HEIGHT_M = 10.0, 4.0
_GOAL_LENGTH_M, _GOAL_HEIGHT_M = 6.0, 5.0
_BALL_Z = 15.0
_REAR_Z = -10.0
_BEND = path_of((0.0, 0.0), (25.0, (14.0, 180.0), 20.0))
_GROUND_REACH_M = 100.0
WELL_AT = (0.0, 10.0)
WELL_SIDE_M = 6.0
_PICK_PROGRAMME = (
    Command(0.0, "drive", 1.0),
    Command(0.0, "grab", 0.0),
    Command(1.0, "drive", 0.0),
    Command(1.0, "steer_hinge", -90.0),
    Command(1.0, "steer_block", -90.0),
    Command(3.0, "grab", 1.0),
    Command(4.0, "steer_hinge", 90.0),
    Command(4.0, "steer_block", 90.0),
    Command(8.0, "drive", -1.0),
)


def delivery_levels() -> tuple[Level, ...]:
    """D1 to D9, then D1-15 to D9-15; then D6o and D7o, which came later, and their longer variants."""
    first = _short_levels()
    later = _original_platforms()
    return (*first, *map(_longer, first), *later, *map(_longer, later))


def pick_levels() -> tuple[Level, ...]:
    """P1 and P2."""
    return pick_level("P1", "Well", 3.0), pick_level("P2", "Deep well", 6.0)


def delivery_level(
    level_id: str,
    title: str,
    about: str,
    obstacles: tuple[Obstacle, ...] = (),
    *,
    goal_z: float,
    end_z: float,
    ball_z: float = _BALL_Z,
    **more: Any,
) -> Level:
    """A straight corridor with a ball, and a goal zone before its end."""
    things = (*_corridor(end_z), *obstacles)
    goal = _goal(0.0, goal_z)
    balls = (delivery_ball(ball_z),)
    return Level(level_id, "delivery", title, about, DELIVERY_TYPES, obstacles=things, balls=balls, goal=goal, **more)


def delivery_ball(z: float) -> Ball:
    """The ball that has to be brought to the goal, at rest on the ground."""
    return Ball(marked("ball"), (0.0, 1.5, z), 1.5, 2.0, friction=0.6, restitution=0.15, rolling_friction=0.02)


def pick_level(level_id: str, title: str, depth: float, **more: Any) -> Level:
    """A boulder at the bottom of a well; the channels follow a programme."""
    return Level(
        level_id,
        "pick",
        title,
        f"A boulder lies in a well {depth:g} m deep, 6 m by 6 m, whose middle is 10 m ahead. The machine drives for "
        "1 s, turns its steering parts to −90° and, from 4 s on, to 90°; it grabs from 3 s on and drives back from 8 s "
        "on.",
        frozenset(block_types()),
        window_s=10.0,
        obstacles=well(WELL_AT, WELL_SIDE_M, depth, _GROUND_REACH_M),
        balls=(_stone(depth),),
        programme=_PICK_PROGRAMME,
        has_plane=False,
        **more,
    )


def _short_levels() -> tuple[Level, ...]:
    bar = beam("beam", (0, 10), (20, 2, 1), 4.0)
    pipe = quarter_pipe("quarter-pipe", (0, 35), (20, 5, 8))
    return (
        _far("D1", "Flat", "Flat ground."),
        _far("D2", "Ramp", "A ramp 3.5 m high, 30 m ahead, ends in a drop.", ramp("ramp", (0, 30), (20, 3.5, 4))),
        _far("D3", "Height bar", "A beam 10 m ahead, before the ball, 4 m above the ground.", bar),
        _far("D4", "Bar and pipe", "The beam of D3, and a quarter-pipe 5 m high, 35 m ahead.", bar, *pipe),
        _near("D5", "Block", "A block 2 m high, 21 m ahead and a little to the left.", _block(-2, 21)),
        _near("D6", f"Platform{_OWN_PLACE}", _PLATFORM.format(where="2 m to the left"), *_platform(-2)),
        _near("D7", f"Platform, blocked{_OWN_PLACE}", _PLATFORM.format(where="in the middle"), *_platform(0)),
        _near(
            "D8",
            "Curved wall",
            "A curved wall 4 m high on the left, 24 m ahead, and a long low ridge on the right, 34 m ahead.",
            *quarter_pipe("curved wall", (-4, 24), (4, 4, 4), on_side=True),
            ridge("ridge", (4, 34), (12, 0.5, 2), heading=90),
        ),
        _bend(),
    )


_PLATFORM = "A ramp leads to a platform 1.8 m high, 27 m ahead, on which a block stands {where}."
_OWN_PLACE = " (block not as in the original)"
"""D6 and D7 keep their geometry and their prompts, so that their addresses mean the same for ever."""


def _original_platforms() -> tuple[Level, ...]:
    """D6o and D7o: D6 and D7 with the block where the original has it."""
    return (
        _near("D6o", "Platform", _PLATFORM.format(where="in the middle"), *_platform(0)),
        _near("D7o", "Platform, block aside", _PLATFORM.format(where="1.8 m to the right"), *_platform(1.8)),
    )


def _longer(level: Level) -> Level:
    return replace(level, id=f"{level.id}-15", window_s=LONG_WINDOW_S)


def _far(level_id: str, title: str, about: str, *obstacles: Obstacle) -> Level:
    return delivery_level(level_id, title, about, obstacles, goal_z=66.0, end_z=70.0)


def _near(level_id: str, title: str, about: str, *obstacles: Obstacle) -> Level:
    return delivery_level(level_id, title, about, obstacles, goal_z=50.0, end_z=55.0)


def _corridor(end_z: float) -> tuple[Obstacle, ...]:
    """Walls whose inner faces are 20 m apart, behind the machine and at the end."""
    off = HALF_WIDTH_M + 0.5
    back = _REAR_Z - 0.5
    front = end_z + 0.5
    sides = (
        ("left wall", (-off, back), (-off, front)),
        ("right wall", (off, back), (off, front)),
        ("rear wall", (-off, back), (off, back)),
        ("end wall", (-off, front), (off, front)),
    )
    return tuple(wall(name, start, end, WALL_HEIGHT_M) for name, start, end in sides)


def _goal(x: float, z: float) -> Box:
    half = _GOAL_LENGTH_M / 2
    return Box((x - HALF_WIDTH_M, 0.0, z - half), (x + HALF_WIDTH_M, _GOAL_HEIGHT_M, z + half))


def _block(x: float, z: float, bottom: float = 0.0) -> Obstacle:
    return box("block", (x, z), (1, 2, 1), bottom=bottom)


def _platform(x: float) -> tuple[Obstacle, ...]:
    up = ramp("ramp", (0, 25), (20, 2, 4))
    return up, box("platform", (0, 27.1), (20, 1.8, 4)), _block(x, 26, bottom=1.8)


def _bend() -> Level:
    """D9: there, half round to the right, and back over a ridge to the goal."""
    end_x, end_z = _BEND[-1]
    walls = corridor(((0.0, _REAR_Z), *_BEND[1:]), HALF_WIDTH_M, WALL_HEIGHT_M, friction=1.0)
    end = wall("end wall", (end_x - HALF_WIDTH_M, end_z - 0.5), (end_x + HALF_WIDTH_M, end_z - 0.5), WALL_HEIGHT_M)
    return Level(
        "D9",
        "delivery",
        "Bend",
        "The corridor turns half round to the right, 25 m ahead, and leads back over a ridge 0.6 m high to the goal. "
        "The way along its middle counts.",
        DELIVERY_TYPES,
        obstacles=(*walls, end, ridge("ridge", (end_x, 17), (20, 0.6, 4))),
        balls=(delivery_ball(_BALL_Z),),
        goal=_goal(end_x, 10.0),
        path=_BEND,
    )


def _stone(depth: float) -> Ball:
    kind = block_types()[BOULDER]
    radius = kind.shapes[0].radius
    return Ball(
        marked("stone"),
        (WELL_AT[0], radius - depth, WELL_AT[1]),
        radius,
        kind.mass,
        kind.friction,
        kind.restitution,
        kind.special["rolling_friction"],
        kind.special["spinning_friction"],
    )
