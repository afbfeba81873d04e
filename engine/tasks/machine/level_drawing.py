"""Draws a level while it is made: each thing is an element named by its place in the file, such as "obstacles[3]"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Floats, Item, Label, Mesh, Polyline
from spatial_workbench.engine.geometry.primitives import joined, sphere_mesh
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.levels.level import GROUND, Ball, Level, Obstacle
from spatial_workbench.engine.machines.levels.level_files import ExaminedLevel
from spatial_workbench.engine.physics.frames import swapped, swapped_all
from spatial_workbench.engine.tasks.machine.drawing import (
    WALL_OPACITY,
    distance_marks,
    is_wall,
    obstacle_surface,
    scene_of,
    target_disc,
    zone_mesh,
)

START = "start"
"""The element that shows where machines are placed."""
WIND = "wind"
_WIND_HEIGHT_M = 6.0
_METRES_A_SPEED = 0.6
"""Length of the wind's arrow for each metre a second."""
_AROUND_M = 8.0
"""How much around the start the first view shows at least, m."""


def draw_draft(examined: ExaminedLevel) -> Scene:
    """A level with the place where machines stand; nothing but that if it describes none."""
    level = examined.level
    if level is None:
        return scene_of([], None)
    items = [*_things(level, examined.places), *_start(level.size_limits), *_wind(level.wind), *distance_marks(level)]
    scene = scene_of(items, None)
    low, high = _bounds(items)
    return Scene(
        items=scene.items, unit=scene.unit, axes=scene.axes, ground=scene.ground, bounds=(low.tolist(), high.tolist())
    )


def things_of(examined: ExaminedLevel, places: Sequence[str]) -> tuple[Item, ...]:
    """The drawing of some things alone."""
    if examined.level is None:
        return ()
    wanted = set(places)
    return tuple(item for item in _things(examined.level, examined.places) if item.name in wanted)


def _things(level: Level, places: Sequence[str]) -> Iterator[Item]:
    shapes: dict[str, list[Obstacle]] = {}
    for place, obstacle in zip(places, level.obstacles, strict=True):
        if obstacle.name != GROUND:
            shapes.setdefault(place, []).append(obstacle)
    for place, parts in shapes.items():
        yield _solid(place, tuple(parts), place != "ground")
    for number, ball in enumerate(level.balls):
        yield _ball(f"balls[{number}]", ball)
    if level.goal is not None:
        yield zone_mesh("goal", level.goal.low, level.goal.high, pickable=True)
    for number, target in enumerate(level.targets):
        yield target_disc(f"opening {number + 1}", target)
    if level.path:
        points = np.array([(x, z, 0.05) for x, z in level.path])
        yield Polyline(id="path", points=points, color="accent", width_px=2.0, dashed=True, pickable=False)


@lru_cache(maxsize=2048)
def _solid(place: str, obstacles: tuple[Obstacle, ...], can_be_picked: bool) -> Mesh:
    """One drawing of all that a thing is made of."""
    vertices, faces = joined([obstacle_surface(obstacle) for obstacle in obstacles])
    glassy = is_wall(obstacles[0])
    return Mesh(
        id=place,
        vertices=vertices,
        faces=faces,
        color="target" if place.startswith("targets") else "neutral" if glassy else "rock",
        opacity=WALL_OPACITY if glassy else 1.0,
        edges=True,
        pickable=can_be_picked,
    )


@lru_cache(maxsize=64)
def _ball(place: str, ball: Ball) -> Mesh:
    vertices, faces = sphere_mesh(ball.radius)
    return Mesh(id=place, vertices=vertices + swapped(ball.center), faces=faces, color="rock")


@lru_cache(maxsize=4)
def _start(limits: Vector) -> tuple[Item, ...]:
    """The box in which the largest machine stands, as its edges."""
    width, height, length = limits
    corners = np.array(list(product((-width / 2, width / 2), (-length / 2, length / 2), (0.0, height))))
    edges = [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)]
    lines = [
        Polyline(id=f"{START} {k}", points=corners[list(edge)], color="accent", width_px=1.0, pickable=False)
        for k, edge in enumerate(edges)
    ]
    word = Label(id=START, position=(0.0, -length / 2 - 0.8, 0.0), text="machines start here", color="secondary")
    return (*lines, word)


@lru_cache(maxsize=8)
def _wind(wind: Vector) -> tuple[Item, ...]:
    speed = float(np.linalg.norm(wind))
    if speed == 0:
        return ()
    along = swapped_all(np.array([wind]))[0] * _METRES_A_SPEED
    middle = np.array([0.0, 0.0, _WIND_HEIGHT_M])
    arrow = Polyline(
        id=WIND, points=np.array([middle - along / 2, middle + along / 2]), color="series 4", width_px=3.0, arrow=True
    )
    above = (0.0, 0.0, _WIND_HEIGHT_M + 0.6)
    return arrow, Label(id=f"{WIND} speed", position=above, text=f"wind {speed:.3g} m/s", color="secondary")


def _bounds(items: Sequence[Item]) -> tuple[Floats, Floats]:
    """What the first view shows: the start, and the things that are not too far away to be seen with it."""
    low = np.array((-_AROUND_M, -_AROUND_M, 0.0))
    high = np.array((_AROUND_M, 2 * _AROUND_M, _AROUND_M))
    for item in items:
        if isinstance(item, Mesh) and item.pickable:
            low = np.minimum(low, np.maximum(item.vertices.min(axis=0), -60.0))
            high = np.maximum(high, np.minimum(item.vertices.max(axis=0), 60.0))
    return low, high
