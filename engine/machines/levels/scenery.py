"""Builders of the obstacles that levels are made of (docs/machines.md), in the machine's frame; metres.

`at` is the middle of a thing's footprint as (x, z), and `size` its width along x, height, and length along z. A
`heading` in degrees turns it about the vertical, from z+ towards x+. Things stand on the ground unless `bottom` lifts
them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.levels.level import FRICTION, UNTURNED, Obstacle, Rotation

Point = tuple[float, float]
"""A place on the ground: x, z."""

WALL_FRICTION = 1.0
RING_THICKNESS_M = 0.4
_RING_BOXES = 16
_PIPE_SLABS = 8
_CYLINDER_STRIPS = 12
_CONE_SIDES = 12
_ROCK_POINTS = 14
_ROCK_LIFT = 0.2
"""A rock's middle is above the ground by this share of its radius."""
_STRIP_HEIGHT_M = 0.02
_ARC_STEP_DEG = 7.5
_UNIT_BOX = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def box(
    name: str,
    at: Point,
    size: Vector,
    *,
    bottom: float = 0.0,
    heading: float = 0.0,
    friction: float = FRICTION,
) -> Obstacle:
    """A box; platforms and blocks in the way are boxes."""
    center = (at[0], bottom + size[1] / 2, at[1])
    return Obstacle(name, "box", center, about_y(heading), size=size, friction=friction)


def beam(name: str, at: Point, size: Vector, underside: float) -> Obstacle:
    """A box that hangs in the air, its lower side at a height."""
    return box(name, at, size, bottom=underside, friction=WALL_FRICTION)


def wall(
    name: str, start: Point, end: Point, height: float, *, thickness: float = 1.0, friction: float = WALL_FRICTION
) -> Obstacle:
    """A wall whose middle line goes from one point to another."""
    (x0, z0), (x1, z1) = start, end
    size = (thickness, height, math.dist(start, end))
    heading = math.degrees(math.atan2(x1 - x0, z1 - z0))
    return box(name, ((x0 + x1) / 2, (z0 + z1) / 2), size, heading=heading, friction=friction)


def enclosure(name: str, half: Point, height: float, thickness: float, length: Point) -> tuple[Obstacle, ...]:
    """Four walls at x = ±half[0] and z = ±half[1]; those along x are length[0] long, those along z length[1]."""
    x, z = half
    along_x, along_z = (length[0] / 2, length[1] / 2)
    return tuple(
        wall(f"{side} {name}", start, end, height, thickness=thickness)
        for side, start, end in (
            ("front", (-along_x, z), (along_x, z)),
            ("back", (-along_x, -z), (along_x, -z)),
            ("right", (x, -along_z), (x, along_z)),
            ("left", (-x, -along_z), (-x, along_z)),
        )
    )


def quarter_pipe(
    name: str,
    at: Point,
    size: Vector,
    *,
    heading: float = 0.0,
    on_side: bool = False,
    is_ground: bool = False,
) -> tuple[Obstacle, ...]:
    """A concave ramp that ends upright, in convex slabs: height H (1 - cos a) at length L sin a.

    It rises along its heading. On its side it stands on end, `size[0]` high, and bends from its heading to the right.
    """
    width, height, length = size
    angles = np.linspace(0, math.pi / 2, _PIPE_SLABS + 1)
    curve = np.stack([length * np.sin(angles) - length / 2, height * (1 - np.cos(angles))], axis=1)
    slabs = [np.unique([(z0, 0), (z0, y0), (z1, y1), (z1, 0)], axis=0) for (z0, y0), (z1, y1) in pairwise(curve)]
    return tuple(
        _hull(
            f"{name}, slab {k}",
            at,
            _upright(slab, width, height) if on_side else _prism(slab, width),
            heading=heading,
            is_ground=is_ground,
        )
        for k, slab in enumerate(slabs, 1)
    )


def quarter_cylinder(name: str, at: Point, size: Vector, *, heading: float = 0.0) -> Obstacle:
    """A convex ramp that begins upright and ends level: height H sin a at length L (1 - cos a)."""
    width, height, length = size
    angles = np.linspace(0, math.pi / 2, _CYLINDER_STRIPS + 1)
    curve = np.stack([length * (1 - np.cos(angles)) - length / 2, height * np.sin(angles)], axis=1)
    return _hull(name, at, _prism(np.vstack([curve, [(length / 2, 0)]]), width), heading=heading)


def ridge(name: str, at: Point, size: Vector, *, heading: float = 0.0) -> Obstacle:
    """A triangular prism with its crest across the heading."""
    width, height, length = size
    return _hull(name, at, _prism([(-length / 2, 0), (0, height), (length / 2, 0)], width), heading=heading)


def ramp(name: str, at: Point, size: Vector, *, heading: float = 0.0) -> Obstacle:
    """A wedge that rises along its heading and ends upright."""
    width, height, length = size
    return _hull(name, at, _prism([(-length / 2, 0), (length / 2, height), (length / 2, 0)], width), heading=heading)


def cone(name: str, at: Point, radius: float, height: float) -> Obstacle:
    """A cone of twelve sides."""
    angles = np.linspace(0, math.tau, _CONE_SIDES, endpoint=False)
    foot = np.stack([radius * np.cos(angles), np.zeros_like(angles), radius * np.sin(angles)], axis=1)
    return _hull(name, at, np.vstack([foot, [(0, height, 0)]]))


def rod(name: str, at: Point, radius: float, length: float) -> Obstacle:
    """A cylinder that lies across z, sunk to its axis."""
    return Obstacle(name, "cylinder", (at[0], 0.0, at[1]), about_y(90), radius=radius, length=length)


def rock(
    name: str,
    at: Point,
    radius: float,
    rng: np.random.Generator,
    *,
    scale: Vector = (1.0, 1.0, 1.0),
    heading: float = 0.0,
) -> Obstacle:
    """The convex hull of 14 random points on a sphere, which may be stretched; it is sunk to 0.2 of its radius."""
    points = rng.normal(size=(_ROCK_POINTS, 3))
    points *= radius / np.linalg.norm(points, axis=1, keepdims=True) * np.array(scale)
    return _hull(name, at, points, bottom=_ROCK_LIFT * radius * scale[1], heading=heading)


def ring(name: str, center: Vector, radius: float, *, upright: bool) -> tuple[Obstacle, ...]:
    """A ring of 16 boxes around an opening: upright across z, or lying flat."""
    middle = radius + RING_THICKNESS_M / 2
    outer = radius + RING_THICKNESS_M
    chord = 2 * outer * math.tan(math.pi / _RING_BOXES)
    boxes = []
    for k in range(_RING_BOXES):
        angle = 360 / _RING_BOXES * k
        rotation = about_z(angle) if upright else about_y(angle)
        offset = turned(rotation, [(middle, 0, 0)])[0]
        size = (RING_THICKNESS_M, chord, RING_THICKNESS_M) if upright else (RING_THICKNESS_M, RING_THICKNESS_M, chord)
        boxes.append(Obstacle(f"{name}, part {k + 1}", "box", _vector(center + offset), rotation, size=size))
    return tuple(boxes)


def sticky_strip(name: str, at: Point, size: Point, rolling_friction: float) -> Obstacle:
    """Ground, `size` along x and z, on which balls hardly roll."""
    return Obstacle(
        name,
        "box",
        (at[0], _STRIP_HEIGHT_M / 2, at[1]),
        size=(size[0], _STRIP_HEIGHT_M, size[1]),
        friction=1.0,
        rolling_friction=rolling_friction,
        is_ground=True,
    )


def well(at: Point, side: float, depth: float, reach: float) -> tuple[Obstacle, ...]:
    """Ground around a square opening, whose inner faces are the well's sides, and the well's floor.

    The ground ends at x and z = ±reach. It is as hard as the plane of other levels.
    """
    x, z = at
    half = side / 2
    thickness = depth + 1.0
    strips = (
        ("ground in front", (0.0, (z + half + reach) / 2), (2 * reach, reach - z - half)),
        ("ground behind", (0.0, (z - half - reach) / 2), (2 * reach, z - half + reach)),
        ("ground on the right", ((x + half + reach) / 2, z), (reach - x - half, side)),
        ("ground on the left", ((x - half - reach) / 2, z), (x - half + reach, side)),
    )
    ground = tuple(_ground(name, place, size, 0.0, thickness) for name, place, size in strips)
    return (*ground, _ground("floor of the well", at, (side, side), -depth, 1.0))


def path_of(start: Point, legs: Sequence[float | tuple[float, float]]) -> tuple[Point, ...]:
    """The corners of a line that sets out along z+.

    A leg is a length straight on; or a radius and degrees of an arc, positive to the right, which becomes chords.
    """
    points = [np.array(start)]
    heading = 0.0
    for leg in legs:
        radius, turn = leg if isinstance(leg, tuple) else (0.0, 0.0)
        steps = max(1, round(abs(turn) / _ARC_STEP_DEG))
        for _ in range(steps):
            half = math.radians(turn / steps / 2)
            length = 2 * radius * math.sin(abs(half)) if isinstance(leg, tuple) else leg
            course = heading + half
            points.append(points[-1] + length * np.array([math.sin(course), math.cos(course)]))
            heading += 2 * half
    return tuple((round(float(x), 6), round(float(z), 6)) for x, z in points)


def corridor(path: Sequence[Point], half_width: float, height: float, friction: float) -> tuple[Obstacle, ...]:
    """Walls 1 m thick along both sides of a line, and one across its beginning.

    The inner faces are `half_width` from the line.
    """
    thickness = 1.0
    sides = {"right": _beside(path, half_width + thickness / 2), "left": _beside(path, -half_width - thickness / 2)}
    walls = [
        wall(f"{side} wall {k}", *_lengthened(start, end, thickness / 10), height, friction=friction)
        for side, line in sides.items()
        for k, (start, end) in enumerate(pairwise(line), 1)
    ]
    (x, z), (x1, z1) = path[0], path[1]
    back = thickness / 2 / math.dist(path[0], path[1])
    behind = (x - (x1 - x) * back, z - (z1 - z) * back)
    across = _beside([behind, path[1]], half_width)[0], _beside([behind, path[1]], -half_width)[0]
    return (*walls, wall("rear wall", *across, height))


def bounds_of(obstacle: Obstacle) -> tuple[Floats, Floats]:
    """The lowest and the highest corner (3,) of an obstacle."""
    center = np.array(obstacle.center)
    if obstacle.kind == "cylinder":
        axis = turned(obstacle.rotation, [(0, 0, 1)])[0]
        half = np.abs(axis) * obstacle.length / 2 + np.sqrt(np.maximum(0, 1 - axis**2)) * obstacle.radius
        return center - half, center + half
    points = _UNIT_BOX * obstacle.size if obstacle.kind == "box" else obstacle.vertices
    corners = center + turned(obstacle.rotation, points)
    return corners.min(axis=0), corners.max(axis=0)


def about_y(degrees: float) -> Rotation:
    """A turn about the vertical, from z+ towards x+."""
    if degrees == 0:
        return UNTURNED
    half = math.radians(degrees) / 2
    return 0.0, math.sin(half), 0.0, math.cos(half)


def about_z(degrees: float) -> Rotation:
    """A turn about z, from x+ towards y+."""
    half = math.radians(degrees) / 2
    return 0.0, 0.0, math.sin(half), math.cos(half)


def turned(rotation: Rotation, points: Floats | Sequence[Sequence[float]]) -> Floats:
    """Points (n, 3) after a rotation about the origin."""
    axis = np.array(rotation[:3])
    w = rotation[3]
    vectors = np.asarray(points, float)
    crossed = np.cross(axis, vectors)
    return np.asarray(vectors + 2 * (w * crossed + np.cross(axis, crossed)))


def _hull(
    name: str,
    at: Point,
    vertices: Floats,
    *,
    bottom: float = 0.0,
    heading: float = 0.0,
    is_ground: bool = False,
) -> Obstacle:
    corners = tuple(_vector(vertex) for vertex in vertices)
    return Obstacle(name, "hull", (at[0], bottom, at[1]), about_y(heading), vertices=corners, is_ground=is_ground)


def _prism(profile: Floats | Sequence[Point], width: float) -> Floats:
    """A profile of (z, y), drawn out along x."""
    return np.array([(x, y, z) for x in (-width / 2, width / 2) for z, y in profile])


def _upright(profile: Floats, width: float, height: float) -> Floats:
    """A profile of (z, y) laid on its side: its heights go to the right, and it is as high as it was wide."""
    return np.array([(y - height / 2, level, z) for level in (0, width) for z, y in profile])


def _ground(name: str, at: Point, size: Point, top: float, thickness: float) -> Obstacle:
    center = (at[0], top - thickness / 2, at[1])
    whole = (size[0], thickness, size[1])
    return Obstacle(name, "box", center, size=whole, friction=1.0, restitution=1.0, is_ground=True)


def _beside(path: Sequence[Point], offset: float) -> list[Point]:
    """The line that runs an offset to the right of another."""
    points = np.array(path)
    steps = np.diff(points, axis=0)
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    right = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    before = np.vstack([right[:1], right])
    after = np.vstack([right, right[-1:]])
    bisector = (before + after) / (1 + np.sum(before * after, axis=1, keepdims=True))
    return [(float(x), float(z)) for x, z in points + offset * bisector]


def _lengthened(start: Point, end: Point, more: float) -> tuple[Point, Point]:
    """A line that goes on a little at either end, so that the corners between walls are closed."""
    x0, z0 = start
    x1, z1 = end
    share = more / math.dist(start, end)
    x, z = (x1 - x0) * share, (z1 - z0) * share
    return (x0 - x, z0 - z), (x1 + x, z1 + z)


def _vector(values: Floats) -> Vector:
    x, y, z = (round(float(value), 6) + 0.0 for value in values)
    return x, y, z
