"""Draws levels and machines: each block exactly as it collides, in metres, x right, y forward, z up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats, Ground, Item, Label, Mesh, Polygon, Polyline, RigidBodies
from spatial_workbench.engine.geometry.primitives import Surface, box_mesh, cylinder_mesh, joined, sphere_mesh
from spatial_workbench.engine.machines.building.blocks import SPRING, MachineShape, Vector, block_types, quaternions
from spatial_workbench.engine.machines.building.poses import boxes_of, kind_of, link_ends, poses_of
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Entry, Link, Tree
from spatial_workbench.engine.machines.levels.level import GROUND, Ball, Level, Obstacle, Target
from spatial_workbench.engine.physics.frames import matrices, swapped, swapped_all, swapped_rotation

_MACHINE_AXES = {"x": 0, "y": 2, "z": 1}
"""The number of a machine's axis in the drawing."""
_STRIPED = frozenset((2, 40, 46, 60, 22, 13, 19))
WALL_OPACITY = 0.25
_COIL_TURNS = 9
_COIL_RADIUS_M = 0.14
_COIL_POINTS = 12
_SMALLEST_REACH_M = 3.0
"""How much around the starting block the first view shows at least, m."""
_LABEL_REACH_M = 0.5
"""What stands further than this in front of a mark on the ground hides its words."""
_MARK_EVERY_M, _FARTHEST_MARK_M = 10, 60


def draw_machine(level: Level, tree: Tree | None) -> Scene:
    """A level with a machine where it starts."""
    items = [*level_items(level), *(machine_items(tree) if tree else ())]
    return scene_of(items, tree)


def scene_of(items: Sequence[Item], tree: Tree | None) -> Scene:
    """The items as a scene that shows the machine first."""
    reach = np.array((5.0, 5.0, 5.0))
    if tree:
        low, high = boxes_of(tree, poses_of(tree))
        reach = np.maximum(swapped_all(np.nanmax(high, axis=0) - np.nanmin(low, axis=0)) / 2 + 1, _SMALLEST_REACH_M)
    return Scene(
        items=tuple(items),
        unit="m",
        axes=(marked("right"), marked("forward"), marked("up")),
        ground=Ground(1.0, (-20.0, -20.0, 20.0, 60.0)),
        bounds=((-reach[0], -reach[1], 0.0), (reach[0], reach[1], 2 * reach[2])),
    )


# The machine ---------------------------------------------------------------------------------------------------------


def machine_items(tree: Tree, only: frozenset[int] | None = None, shift: Floats | None = None) -> list[Item]:
    """A machine as it is built, set down where its level begins.

    Args:
        only: The blocks that are drawn; None: all.
        shift: Moves the drawing, m.
    """
    poses = poses_of(tree)
    lift = placed_poses(tree, poses) + (0.0 if shift is None else swapped_all(shift))
    drawn = range(len(tree)) if only is None else sorted(only)
    placed = {k: pose for k in drawn if (pose := poses[k]) is not None}
    rotations = np.array([swapped_rotation(quaternions()[pose.facing]) for pose in placed.values()]).reshape(-1, 4)
    points = np.array([swapped(np.add(pose.position, lift).tolist()) for pose in placed.values()]).reshape(-1, 3)
    ends = {
        k: tuple(np.array(swapped(np.add(end, lift).tolist())) for end in link_ends(tree, poses, entry))
        for k in drawn
        if isinstance(entry := tree[k], Link)
    }
    bodies = body_items(tree, list(placed), points, rotations, frozenset()) if placed else ()
    return [*bodies, *line_items(tree, ends)]


def body_items(
    tree: Sequence[Entry],
    solid: Sequence[int],
    points: Floats,
    rotations: Floats,
    broken: frozenset[int],
    loads: Mapping[int, float] | None = None,
    flashing: frozenset[int] = frozenset(),
) -> Iterator[Item]:
    """The blocks with a box of their own: building points (n, 3) and rotations (n, 4) of `solid`.

    `loads` colours blocks by what their connections bore, as a share of what breaks them; `flashing` ones light up.
    """
    marked = dict.fromkeys(broken, "failed") | dict.fromkeys(flashing, "warning")
    striped = [row for row, k in enumerate(solid) if tree[k].type in _STRIPED]
    yield RigidBodies(
        name="blocks",
        ids=[f"block {k}" for k in solid],
        meshes=body_meshes(tuple(tree[k].type for k in solid)),
        positions=points,
        rotations=rotations,
        colors=[marked.get(k) or _color_of(tree, k, loads) for k in solid],
    )
    if striped:
        yield RigidBodies(
            name="stripes",
            ids=[f"stripe {solid[row]}" for row in striped],
            meshes=_stripes(tuple(tree[solid[row]].type for row in striped)),
            positions=points[striped],
            rotations=rotations[striped],
            colors="#e8e4d8",
            edges=False,
            pickable=False,
        )


def _color_of(tree: Sequence[Entry], block: int, loads: Mapping[int, float] | None) -> str:
    if loads is None:
        return kind_of(tree[block]).color
    return f"scale {min(1.0, loads[block]):.3f}" if block in loads else "muted"


def line_items(
    tree: Sequence[Entry], ends: dict[int, tuple[Floats, ...]], flashing: frozenset[int] = frozenset()
) -> Iterator[Item]:
    """Springs as coils and braces as bars between their ends; `flashing` ones light up."""
    for k, (first, second) in ends.items():
        kind = kind_of(tree[k])
        is_spring = kind.number == SPRING
        points = coil(first, second) if is_spring else np.array([first, second])
        color = "warning" if k in flashing else kind.color
        yield Polyline(id=f"block {k}", points=points, color=color, width_px=2.0 if is_spring else 5.0)


@lru_cache(maxsize=64)
def body_meshes(types: tuple[int, ...]) -> tuple[Surface, ...]:
    """The meshes of blocks of these types; the same object for the same types, so that they need not be drawn anew."""
    return tuple(block_mesh(number) for number in types)


@lru_cache(maxsize=64)
def _stripes(types: tuple[int, ...]) -> tuple[Surface, ...]:
    return tuple(_stripe_of(number) for number in types)


@cache
def block_mesh(number: int) -> Surface:
    """A block's collision shapes in the drawing's axes, around its building point."""
    return joined([_shape_mesh(shape) for shape in block_types()[number].shapes])


def _shape_mesh(shape: MachineShape) -> Surface:
    if shape.kind == "box":
        vertices, faces = box_mesh(swapped(shape.size))
    elif shape.kind == "sphere":
        vertices, faces = sphere_mesh(shape.radius)
    else:
        vertices, faces = cylinder_mesh(shape.radius, shape.length, _MACHINE_AXES[shape.axis])
    return vertices + swapped(shape.center), faces


@cache
def _stripe_of(number: int) -> Surface:
    """A radial stripe on both ends of a block that turns about its Front, so that turning shows."""
    shape = block_types()[number].shapes[0]
    vertices, faces = box_mesh((0.12, shape.length + 0.02, shape.radius * 0.9))
    return vertices + np.add(swapped(shape.center), (0, 0, shape.radius * 0.5)), faces


def coil(first: Floats, second: Floats) -> Floats:
    """A coil between two points, straight at its ends."""
    along = second - first
    length = float(np.linalg.norm(along))
    if length < 1e-6:
        return np.array([first, second])
    axis = along / length
    side = np.cross(axis, (0, 0, 1) if abs(axis[2]) < 0.9 else (1, 0, 0))
    side /= np.linalg.norm(side)
    up = np.cross(axis, side)
    turns = np.linspace(0, 2 * np.pi * _COIL_TURNS, _COIL_TURNS * _COIL_POINTS + 1)[:, None]
    share = np.linspace(0.1, 0.9, len(turns))[:, None]
    coil = first + share * along + _COIL_RADIUS_M * (np.cos(turns) * side + np.sin(turns) * up)
    return np.concatenate([[first], coil, [second]])


# The level -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def level_items(level: Level) -> tuple[Item, ...]:
    """What stands in a level, and how far ahead it is."""
    # Ground without a well is left to the grid.
    shown = [(k, obstacle) for k, obstacle in enumerate(level.obstacles) if obstacle.name != GROUND]
    items: list[Item] = [_obstacle(k, obstacle) for k, obstacle in shown]
    items += ball_items(level.balls)
    if level.goal is not None:
        items.append(zone_mesh("goal", level.goal.low, level.goal.high))
    items += [target_disc(f"target {k + 1}", target) for k, target in enumerate(level.targets)]
    return (*items, *distance_marks(level))


def obstacle_surface(obstacle: Obstacle) -> Surface:
    """The surface of an obstacle where it stands."""
    if obstacle.kind == "box":
        vertices, faces = box_mesh(swapped(obstacle.size))
    elif obstacle.kind == "cylinder":
        vertices, faces = cylinder_mesh(obstacle.radius, obstacle.length, _MACHINE_AXES["z"])
    else:
        vertices, faces = _hull(obstacle.vertices)
    return vertices @ matrices(np.array([swapped_rotation(obstacle.rotation)]))[0].T + swapped(obstacle.center), faces


def is_wall(obstacle: Obstacle) -> bool:
    """Whether an obstacle is drawn so that one sees through it."""
    return "wall" in obstacle.name


def _obstacle(number: int, obstacle: Obstacle) -> Mesh:
    vertices, faces = obstacle_surface(obstacle)
    return Mesh(
        id=f"{obstacle.name} {number}",
        vertices=vertices,
        faces=faces,
        color="neutral" if is_wall(obstacle) else "rock",
        opacity=WALL_OPACITY if is_wall(obstacle) else 1.0,
        edges=True,
        pickable=False,
    )


@lru_cache(maxsize=1024)
def _hull(vertices: tuple[Vector, ...]) -> Surface:
    from scipy.spatial import ConvexHull

    points = swapped_all(np.array(vertices, float))
    hull = ConvexHull(points)
    faces = hull.simplices.copy()
    a, b, c = (points[faces[:, k]] for k in range(3))
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(axis=1) < 0
    faces[inward] = faces[inward][:, ::-1]
    return points, faces


def ball_items(balls: Sequence[Ball]) -> Iterator[Item]:
    """The balls where they lie at the beginning."""
    if not balls:
        return
    yield RigidBodies(
        name="balls",
        ids=[ball.name for ball in balls],
        meshes=tuple(sphere_mesh(ball.radius) for ball in balls),
        positions=np.array([swapped(ball.center) for ball in balls]),
        rotations=np.tile((0.0, 0.0, 0.0, 1.0), (len(balls), 1)),
        colors="rock",
        edges=False,
    )


def zone_mesh(name: str, low: Vector, high: Vector, pickable: bool = False) -> Mesh:
    """A zone from its lowest to its highest corner."""
    size = np.subtract(high, low)
    vertices, faces = box_mesh(swapped(size.tolist()))
    center = swapped((np.add(low, high) / 2).tolist())
    return Mesh(
        id=name, vertices=vertices + center, faces=faces, color="target", opacity=0.25, edges=True, pickable=pickable
    )


def target_disc(name: str, target: Target) -> Polygon:
    """The opening of a ring, or a zone to land in."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    across = target.radius * np.cos(angles)
    other = target.radius * np.sin(angles)
    flat = np.zeros_like(angles)
    shape = [across, flat, other] if target.kind == "ring" else [across, other, flat + 0.03]
    points = np.column_stack(shape) + swapped(target.center)
    return Polygon(id=name, points=points, color="target", opacity=0.3, pickable=False)


def distance_marks(level: Level) -> Iterator[Item]:
    """Marks on the ground straight ahead."""
    if level.path:
        return
    for metres in range(_MARK_EVERY_M, _FARTHEST_MARK_M + 1, _MARK_EVERY_M):
        line = np.array([(-1.5, metres, 0.02), (1.5, metres, 0.02)], float)
        yield Polyline(id=f"mark {metres}", points=line, color="muted", width_px=1.0, pickable=False)
        place = (2.2, float(metres), 0.0)
        yield Label(id=f"distance {metres}", position=place, text=f"{metres} m", color="muted", reach=_LABEL_REACH_M)
