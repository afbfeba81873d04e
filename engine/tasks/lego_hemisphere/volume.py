"""Volumes of a structure inside and outside the shell, exact and fast to update.

With T the target, S the bricks, and T' and S' both grown by the forgiven 0.05 mm, the scoring formula needs

    I = |S & T|           summed over bricks, since bricks share no volume
    D = |(S | T) - S' & T'| = |T - S'| + |S - T'|

where T - S' and S - T' have nothing in common. |S - T'| is summed over bricks; |T - S'| over tiles (a layer's height,
an eighth of the plane). The result for a brick depends on its pose alone and that for a tile on the poses of the bricks
in it, so both are kept: after a change of one brick only a few are computed.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry import convex
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, SIZE, VOLUME, Bools, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.target import FORGIVEN_MM, BrickShell

if TYPE_CHECKING:
    from manifold3d import Manifold
else:
    Manifold = Any

Pose = tuple[float, float, float, float]
Sector = tuple[int, int, bool]
"""An eighth of the plane, by what mirrors it to the first one, x >= y >= 0: signs of x and y, whether they swap."""
SECTORS: tuple[Sector, ...] = tuple(product((1, -1), (1, -1), (False, True)))
Tile = tuple[int, tuple[Pose, ...]]
"""A layer, and the bricks in one of its sectors, mirrored to the first one."""


@dataclass(frozen=True)
class BrickVolumes:
    """What the score is made of, in mm3. `inside` holds the volume of each brick inside the target."""

    target: float
    bricks: float
    inside: tuple[float, ...]
    missing: float
    excess: float

    @property
    def common(self) -> float:
        """I: volume of bricks inside the target."""
        return fsum(self.inside)

    @property
    def difference(self) -> float:
        """D: missing and excess volume together, slivers forgiven."""
        return self.missing + self.excess

    @property
    def raw(self) -> float:
        """The score before it is scaled and clamped."""
        return _raw(self.target, self.bricks, self.common, self.difference)

    @property
    def shares(self) -> list[float]:
        """The share of each brick that is inside the target."""
        return [volume / VOLUME for volume in self.inside]


def measure(shell: BrickShell, poses: Poses, progress: Progress = silent) -> BrickVolumes:
    """The volumes of bricks that do not overlap."""
    target = shell.volume_mm3
    excess = fsum(VOLUME - volume for volume in _each_within(shell, poses, grown=True))
    tiles = _tiles_of(shell, poses)
    missing = []
    for done, tile in enumerate(tiles):
        progress(done, len(tiles), "comparing volumes")
        missing.append(_missing_in(shell, tile))
    return BrickVolumes(target, VOLUME * len(poses), inside_of_each(shell, poses), fsum(missing), excess)


def least_raw(shell: BrickShell, poses: Poses) -> float:
    """What the raw score of bricks that do not overlap is at least, in much less time: with no sliver forgiven."""
    target, bricks, common = shell.volume_mm3, VOLUME * len(poses), fsum(inside_of_each(shell, poses))
    return _raw(target, bricks, common, (target - common) + (bricks - common))


def _raw(target: float, bricks: float, common: float, difference: float) -> float:
    return min(common, bricks) / target - 0.5 * difference / target


def inside_of_each(shell: BrickShell, poses: Poses) -> tuple[float, ...]:
    """The volume of each brick inside the target, mm3."""
    return tuple(_each_within(shell, poses, grown=False))


def _each_within(shell: BrickShell, poses: Poses, grown: bool) -> list[float]:
    """The volume of each brick within the target, or the grown target; most need no geometry."""
    volumes = _plain_volumes(shell, poses)
    keys = _keys(poses)
    for i in np.flatnonzero(np.isnan(volumes)):
        volumes[i] = _volume_within(shell, _into_first_sector(keys[i]), grown)
    result: list[float] = volumes.tolist()
    return result


def _plain_volumes(shell: BrickShell, poses: Poses) -> Floats:
    """All or nothing for bricks that are clearly inside or outside of the target, also if grown; NaN for the rest."""
    volumes = np.full(len(poses), np.nan)
    corners = _corners(poses)
    in_outer = shell.in_sphere(shell.outer_mm, corners).all(axis=1)
    bottom = poses.centers[:, 2] - HEIGHT / 2
    volumes[in_outer & (poses.nearest_distance >= shell.inner_mm) & (bottom >= 0)] = VOLUME
    margin = 2 * FORGIVEN_MM
    volumes[(poses.nearest_distance > shell.outer_mm + margin)] = 0.0
    return volumes


def _corners(poses: Poses) -> Floats:
    """The corners (n, 8, 3) of each brick."""
    bottom_top = poses.centers[:, 2, None] + np.array([-HEIGHT / 2, HEIGHT / 2])
    flat = np.repeat(poses.footprints, 2, axis=1)
    return np.concatenate([flat, np.tile(bottom_top, (1, 4))[..., None]], axis=-1)


def _keys(poses: Poses) -> list[Pose]:
    """The poses as plain numbers, turns from 0 to below 180."""
    return [
        (x, y, z, a % 180.0) for (x, y, z), a in zip(poses.centers.tolist(), poses.angles_deg.tolist(), strict=True)
    ]


# Bricks ----------------------------------------------------------------------------------------------------------


def _mirrored(pose: Pose, sector: Sector) -> Pose:
    """The pose's mirror image, of the same volume, as the target is symmetric."""
    x, y, z, angle = pose
    sx, sy, swap = sector
    x = sx * x
    y = sy * y
    angle = sx * sy * angle
    return (y, x, z, (90.0 - angle) % 180.0) if swap else (x, y, z, angle % 180.0)


def _into_first_sector(pose: Pose) -> Pose:
    """The mirror image of the pose with x >= y >= 0."""
    x, y, *_ = pose
    return _mirrored(pose, (-1 if x < 0 else 1, -1 if y < 0 else 1, abs(y) > abs(x)))


@lru_cache(maxsize=1 << 16)
def _volume_within(shell: BrickShell, pose: Pose, grown: bool) -> float:
    solid = shell.grown if grown else shell.solid
    return float((solid ^ _box(pose)).volume())


def _box(pose: Pose, growth: float = 0.0) -> Manifold:
    """The brick as a solid, each side `growth` longer."""
    from manifold3d import Manifold as Solid

    x, y, z, angle = pose
    return Solid.cube((SIZE + growth).tolist(), True).rotate((0, 0, angle)).translate((x, y, z))


def _grown_box(pose: Pose) -> Manifold:
    """The brick grown by the forgiving cube, whose sides are along the axes."""
    if pose[3] % 90 == 0:
        return _box(pose, 2 * FORGIVEN_MM)
    corners = _corners(Poses(np.array([pose])))[0]
    return convex.hull(convex.grown_by_cube(corners, FORGIVEN_MM))


# Tiles -----------------------------------------------------------------------------------------------------------


def _bottom_of(layer: int) -> float:
    """The height at which a tile begins, chosen so that only grown bricks of two layers reach into it."""
    return HEIGHT * layer - FORGIVEN_MM


def _tiles_of(shell: BrickShell, poses: Poses) -> list[Tile]:
    """The tiles of the target, mirrored to the first sector, with the bricks in each, sorted."""
    z = poses.centers[:, 2]
    reach = HEIGHT / 2 + FORGIVEN_MM
    keys = _keys(poses)
    in_sector = [(sector, _reaches(poses, sector)) for sector in SECTORS]
    tiles: list[Tile] = []
    for layer in range(int(shell.outer_mm // HEIGHT) + 1):
        at_height = (z + reach > _bottom_of(layer)) & (z - reach < _bottom_of(layer + 1))
        for sector, reaches in in_sector:
            tile_numbers = np.flatnonzero(at_height & reaches).tolist()
            tiles.append((layer, tuple(sorted(_mirrored(keys[i], sector) for i in tile_numbers))))
    return tiles


def _reaches(poses: Poses, sector: Sector) -> Bools:
    """Which grown bricks reach into a sector: (n,)."""
    sx, sy, swap = sector
    corners = poses.footprints * [sx, sy]
    x = corners[..., int(swap)]
    y = corners[..., 1 - int(swap)]
    reaches: Bools = (y.max(axis=1) > -FORGIVEN_MM) & ((x - y).max(axis=1) > -2 * FORGIVEN_MM)
    return reaches


@lru_cache(maxsize=4096)
def _missing_in(shell: BrickShell, tile: Tile) -> float:
    """|T - S'| in a tile."""
    from manifold3d import Manifold as Solid
    from manifold3d import OpType

    layer, poses = tile
    piece = _piece(shell, layer)
    if not poses or piece.is_empty():
        return float(piece.volume())
    return float(Solid.batch_boolean([piece, *map(_grown_box, poses)], OpType.Subtract).volume())


@remember_solids(256)
def _piece(shell: BrickShell, layer: int) -> Manifold:
    """The first sector of the target at a layer's height."""
    sector = shell.solid.trim_by_plane((0, 1, 0), 0).trim_by_plane((1, -1, 0), 0)
    return sector.trim_by_plane((0, 0, 1), _bottom_of(layer)).trim_by_plane((0, 0, -1), -_bottom_of(layer + 1))
