"""The drawing: the cells, and their three projections on walls behind them, with the holes marked."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Floats, Frame, Ground, Item, Polyline, Scene, Voxels
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES, Bools, Symmetry, VoxelGrid, cells_of, holes

WALL = 1.5
"""The walls with the projections are this far from the grid, in cells."""
THIN = 0.12
STEPS = 24
MAX_PLAYED = 12
"""How many symmetries a film shows."""
"""Moments of a mapping that is shown in motion."""
MANY = 0.3
"""A projection with a greater share of holes counts as hardly begun."""
SHADE_AXES = (2, 1, 0)
"""The axes that the walls lie across: below, behind, at the left."""


def draw(grid: VoxelGrid, cells: Sequence[Sequence[int]], marks_holes: bool = True) -> Scene:
    """The grid with filled cells and their projections; those outside of it are left out."""
    inside = [tuple(cell) for cell in cells if all(0 <= v < grid.n for v in cell)]
    filled = grid.filled(inside)
    projections = walls(grid, filled) if marks_holes else shades(grid, filled)
    return scene_of(grid, [voxels_of(inside, "neutral"), *projections, *frame(grid.n)])


def scene_of(grid: VoxelGrid, items: Sequence[Item]) -> Scene:
    """Items around a grid."""
    n = grid.n
    low = (-WALL - 1.0, -WALL, -WALL)
    high = (n + 0.5, n + WALL + 0.5, n + 0.5)
    return Scene(items=tuple(items), unit="cells", bounds=(low, high), ground=Ground(1.0, (0, 0, n, n), -WALL - THIN))


def voxels_of(cells: Sequence[Sequence[int]], colors: Sequence[str] | str) -> Voxels:
    """Filled cells; their ids are "voxel x,y,z"."""
    index = np.array(cells, dtype=int).reshape(-1, 3)
    return Voxels(name="voxel", cells=index, colors=colors if len(index) else "neutral")


def walls(grid: VoxelGrid, array: Bools) -> list[Item]:
    """The projections: below (along z), behind (along y) and at the left (along x); ids "hole along z at x,y"."""
    items: list[Item] = []
    for shade, axis in zip(shades(grid, array), SHADE_AXES, strict=True):
        missing = holes(array, axis)
        items += [shade, _plates(grid.n, axis, missing, "hole", "failed", hole_opacity(missing))]
    return items


def shades(grid: VoxelGrid, array: Bools) -> list[Item]:
    """The projections without their holes."""
    return [_plates(grid.n, axis, ~holes(array, axis), "shaded", "target", 0.35) for axis in SHADE_AXES]


def hole_opacity(missing: Bools) -> float:
    """Holes are faint as long as there are many, so that the last ones stand out."""
    return 0.95 if missing.mean() <= MANY else 0.22


def hole_id(axis: int, u: int, v: int) -> str:
    """The id of a ray that meets no voxel, by the other two coordinates."""
    return f"hole along {AXES[axis]} at {u},{v}"


def _plates(n: int, axis: int, mask: Bools, name: str, color: str, opacity: float) -> Boxes:
    places = np.argwhere(mask)
    depth = {2: -WALL, 1: n + WALL, 0: -WALL}[axis]
    centers = np.insert(places + 0.5, axis, depth, axis=1)
    sizes = np.insert(np.full(2, 0.86), axis, THIN)
    ids = [hole_id(axis, u, v).replace("hole", name) for u, v in places.tolist()]
    return Boxes(
        name=f"{name} along {AXES[axis]}",
        ids=ids,
        centers=centers.astype(float),
        sizes=sizes,
        colors=color,
        opacity=opacity,
        pickable=name == "hole",
    )


def frame(n: int) -> list[Item]:
    """The edges of the grid."""
    low = np.array([[0, 0], [n, 0], [n, n], [0, n]], float)
    rings = [_ring(f"frame at z = {z}", np.column_stack([low, np.full(4, float(z))])) for z in (0, n)]
    posts = [
        Polyline(id=f"frame post {k}", points=np.array([[x, y, 0], [x, y, n]]), color="line", pickable=False)
        for k, (x, y) in enumerate(low.tolist())
    ]
    return [*rings, *posts]


def layer_ring(n: int, axis: int, depth: int) -> list[Item]:
    """The outline of a layer across an axis."""
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], float)
    return [_ring(f"layer edge {k}", np.insert(square, axis, depth + k, axis=1), "accent") for k in (0, 1)]


def _ring(name: str, points: Floats, color: str = "line") -> Polyline:
    return Polyline(id=name, points=points, color=color, closed=True, pickable=False)


def in_motion(grid: VoxelGrid, array: Bools, symmetry: Symmetry) -> Scene:
    """Every voxel on its way to its image: rotations turn about their axis, other symmetries move straight."""
    cells = np.array(cells_of(array), float).reshape(-1, 3) + 0.5
    frames = [
        Frame(step / STEPS, [_on_the_way(grid.n, cells, symmetry, step / STEPS)], symmetry.name)
        for step in range(STEPS + 1)
    ]
    start = _on_the_way(grid.n, cells, symmetry, 0.0)
    return replace(scene_of(grid, [start, *frame(grid.n)]), frames=frames)


def all_in_motion(grid: VoxelGrid, array: Bools, symmetries: Sequence[Symmetry]) -> Scene:
    """Every voxel on its way to its image under one symmetry after the other; without frames if there is none."""
    scenes = [in_motion(grid, array, symmetry) for symmetry in symmetries[:MAX_PLAYED]]
    frames = [replace(frame, time=k + frame.time) for k, scene in enumerate(scenes) for frame in scene.frames]
    return replace(scenes[0], frames=tuple(frames)) if scenes else draw(grid, cells_of(array))


def _on_the_way(n: int, centers: Floats, symmetry: Symmetry, share: float) -> Boxes:
    middle = n / 2
    goal = (centers - middle) @ symmetry.matrix.T
    way = centers - middle
    if round(np.linalg.det(symmetry.matrix)) > 0:
        from scipy.spatial.transform import Rotation

        turn = Rotation.from_matrix(symmetry.matrix).as_rotvec()
        places = Rotation.from_rotvec(share * turn).apply(way)
    else:
        places = way + share * (goal - way)
    ids = [f"moving {k}" for k in range(len(centers))]
    return Boxes(name="moving", ids=ids, centers=places + middle, sizes=np.full(3, 0.9), colors="warning")


def colors_by_layer(array: Bools, axis: int, depth: int) -> list[str]:
    """A role for each filled cell: those in a layer stand out."""
    return ["accent" if cell[axis] == depth else "neutral" for cell in cells_of(array)]
