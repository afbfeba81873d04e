"""A layer as cells of 8 x 8 x 9.6 mm on a stud lattice: the share of target in each, and the share still missing."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry import rectangles
from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import (
    HALF_FOOTPRINT,
    HEIGHT,
    STUD_PITCH,
    Bools,
    Poses,
    height_of,
)
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell

SAMPLES = 4
"""Sample points along each edge of a cell."""
_DECIMALS = 6


@dataclass(frozen=True)
class Lattice:
    """Cells whose corners are at origin + 8 mm steps along axes that are turned by `angle_deg`."""

    origin_mm: tuple[float, float] = (0.0, 0.0)
    angle_deg: float = 0.0

    def place(self, local_mm: Floats) -> Floats:
        """Points (..., 2) of the lattice's frame in the scene's frame."""
        sides = rectangles.axes(np.array([self.angle_deg]))[0]
        points: Floats = self.origin_mm + local_mm @ sides
        return points

    def poses(self, local: Floats) -> Floats:
        """Brick poses (n, 4) of the lattice's frame in the scene's frame."""
        poses = np.array(local, dtype=float).reshape(-1, 4)
        poses[:, :2] = np.round(self.place(poses[:, :2]), _DECIMALS)
        poses[:, 3] = (poses[:, 3] + self.angle_deg) % 360.0
        return poses


@dataclass(frozen=True, eq=False)
class CellMap:
    """A value for each cell of a layer.

    values: (n, n), indexed by x and y of the lattice's frame; cell (i, j) spans 8 (i - n/2) to 8 (i + 1 - n/2) mm in x.
    """

    values: Floats
    lattice: Lattice
    layer: int

    def corners_mm(self, i: int, j: int) -> Floats:
        """The corners (4, 2) of a cell in the scene's frame, counter-clockwise."""
        first = np.array([i, j]) - len(self.values) / 2
        return self.lattice.place(STUD_PITCH * (first + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])))


def coverage(shell: BrickShell, layer: int, lattice: Lattice | None = None) -> CellMap:
    """The share of each cell of a layer that is inside the target."""
    lattice = lattice or Lattice()
    return CellMap(_share(_in_target(shell, _sample_points(shell, lattice), layer)), lattice, layer)


def missing(shell: BrickShell, layer: int, bricks: Iterable[Brick]) -> CellMap:
    """The share of each cell of a layer that is inside the target and in no brick."""
    lattice = Lattice()
    points = _sample_points(shell, lattice)
    left = _in_target(shell, points, layer) & ~_in_bricks(Poses(poses_of(bricks)), points, layer)
    return CellMap(_share(left), lattice, layer)


def taken(shell: BrickShell, layer: int, bricks: Poses, lattice: Lattice) -> Bools:
    """Which cells (n, n) of a layer a brick reaches into."""
    return _share(_in_bricks(bricks, _sample_points(shell, lattice), layer)) > 0


def lattice_for(bricks: Poses, layer: int) -> Lattice:
    """The most common stud lattice of the layer below, or else of the layer above or the layer itself."""
    for other in (layer - 1, layer + 1, layer):
        in_layer = np.flatnonzero(bricks.layers == other)
        if len(in_layer):
            return Counter(_lattice_of(bricks, i) for i in in_layer.tolist()).most_common(1)[0][0]
    return Lattice()


def _lattice_of(bricks: Poses, i: int) -> Lattice:
    """The lattice of a brick, rounded so that bricks that click share it."""
    angle = round(float(bricks.angles_deg[i]) % 90.0, 3) % 90.0
    sides = rectangles.axes(np.array([angle]))[0]
    origin = np.round((sides @ bricks.centers[i, :2]) % STUD_PITCH, 3) % STUD_PITCH @ sides
    return Lattice((float(origin[0]), float(origin[1])), angle)


def _sample_points(shell: BrickShell, lattice: Lattice) -> Floats:
    """SAMPLES x SAMPLES points in each cell, in the scene's frame: (n SAMPLES, n SAMPLES, 2)."""
    half = int(np.ceil(shell.outer_mm / STUD_PITCH)) + (lattice != Lattice())
    steps = STUD_PITCH * ((np.arange(2 * half * SAMPLES) + 0.5) / SAMPLES - half)
    return lattice.place(np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1))


def _heights(layer: int) -> list[float]:
    return [HEIGHT * (layer + (k + 0.5) / SAMPLES) for k in range(SAMPLES)]


def _in_target(shell: BrickShell, points: Floats, layer: int) -> Bools:
    """Which points, at each of the layer's sampled heights, are in the target: (..., SAMPLES)."""
    gauge = shell.gauge(points)
    heights = np.array(_heights(layer))
    rings = zip(shell.profile(shell.inner_mm, heights), shell.profile(shell.outer_mm, heights), strict=True)
    return np.stack([(gauge > inner) & (gauge <= outer) for inner, outer in rings], axis=-1)


def _in_bricks(bricks: Poses, points: Floats, layer: int) -> Bools:
    """Which points, at each of the layer's sampled heights, are in a brick: (..., SAMPLES)."""
    heights = np.array(_heights(layer))
    inside = np.zeros((*points.shape[:-1], SAMPLES), dtype=bool)
    for i in np.flatnonzero(np.abs(bricks.centers[:, 2] - height_of(layer)) < HEIGHT):
        window = _window(points, bricks.centers[i, :2])
        local = np.abs((points[window] - bricks.centers[i, :2]) @ bricks.sides[i].T)
        at_height = np.abs(heights - bricks.centers[i, 2]) < HEIGHT / 2
        inside[window] |= (local < HALF_FOOTPRINT).all(axis=-1)[..., None] & at_height
    return inside


def _window(points: Floats, center: Floats) -> tuple[slice, slice]:
    """The part of the sample points (n, n, 2) that a brick with its centre there can reach."""
    step = STUD_PITCH / SAMPLES
    sides = (points[[1, 0], [0, 1]] - points[0, 0]) / step
    middle = sides @ (center - points[0, 0]) / step
    reach = np.hypot(*HALF_FOOTPRINT) / step
    first = np.maximum(np.floor(middle - reach), 0).astype(int)
    last = np.maximum(np.ceil(middle + reach) + 1, 0).astype(int)
    return slice(first[0], last[0]), slice(first[1], last[1])


def _share(inside: Bools) -> Floats:
    """The share of each cell's samples: (n, n) of (n SAMPLES, n SAMPLES, SAMPLES)."""
    cells = len(inside) // SAMPLES
    share: Floats = inside.reshape(cells, SAMPLES, cells, SAMPLES, SAMPLES).mean(axis=(1, 3, 4))
    return share
