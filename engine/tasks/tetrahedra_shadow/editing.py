"""Edits of pieces: snapping, turning, mirroring, arrays, stacking. Poses are rows (n, 7)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import (
    CENTER,
    about_axis,
    multiplied,
    normalised,
    rotations,
    vertices_of,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

LATTICE = 0.05
"""Positions snap to multiples of this if nothing else is near."""
TIDY = 9
"""Decimals to which gestures round a pose."""


@dataclass(frozen=True)
class Snap:
    """How far to move a shadow so that it snaps, and the name of what it snaps to ("" for nothing)."""

    shift: tuple[float, float]
    words: str


class Surroundings:
    """Corners and edges that shadows snap to: those of the target and of other shadows.

    outlines: rings of corners (n, 2) with the name of what they belong to.
    """

    def __init__(self, outlines: Sequence[tuple[str, Floats]]) -> None:
        self._names = [name for name, ring in outlines for _ in range(len(ring))]
        rings = [np.asarray(ring, float)[:, :2] for _, ring in outlines]
        self._corners = np.concatenate([np.zeros((0, 2)), *rings])
        self._ends = np.concatenate([np.zeros((0, 2)), *(np.roll(ring, -1, axis=0) for ring in rings)])

    def snap(self, corners: Floats, reach: float) -> Snap:
        """The smallest move within `reach` that puts a corner of a shadow (n, 2) on a corner, else on an edge."""
        if not len(self._corners):
            return on_lattice(corners)
        to_corners = self._corners[None] - corners[:, None]
        snapped = self._nearest(to_corners, reach, marked("corner of {place}"))
        snapped = snapped or self._nearest(self._to_edges(corners), reach, marked("edge of {place}"))
        return snapped or on_lattice(corners)

    def _to_edges(self, corners: Floats) -> Floats:
        way = self._ends - self._corners
        offset = corners[:, None] - self._corners[None]
        share = (offset * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 1e-12)
        towards: Floats = self._corners + np.clip(share, 0, 1)[..., None] * way - corners[:, None]
        return towards

    def _nearest(self, moves: Floats, reach: float, words: str) -> Snap | None:
        distances = np.hypot(moves[..., 0], moves[..., 1])
        own, other = np.unravel_index(int(distances.argmin()), distances.shape)
        if distances[own, other] > reach:
            return None
        x, y = moves[own, other].tolist()
        return Snap((x, y), words.format(place=self._names[int(other)]))


def on_lattice(corners: Floats) -> Snap:
    """The move that puts the first corner on the lattice."""
    x, y = (np.round(corners[0] / LATTICE) * LATTICE - corners[0]).tolist()
    return Snap((x, y), "")


def target_outlines(target: TetrahedraTarget) -> list[tuple[str, Floats]]:
    """The target's rings, by name, for snapping."""
    return [("the target", np.array(ring)) for ring in target.rings]


def centers_of(poses: Floats) -> Floats:
    """The middles (n, 3) of pieces."""
    unit = normalised(poses)
    middles: Floats = rotations(unit[:, 3:]) @ CENTER + unit[:, :3]
    return middles


def centered_at(pose: Floats, x: float, y: float) -> Floats:
    """A pose whose piece has its middle over x, y."""
    middle = centers_of(pose[None])[0]
    moved = np.array(pose, float)
    moved[:2] += [x - middle[0], y - middle[1]]
    return moved


def moved(poses: Floats, way: Sequence[float]) -> Floats:
    """The poses moved by x, y, z."""
    shifted = np.array(poses, float)
    shifted[:, :3] += way
    return tidy(shifted)


def turned(poses: Floats, axis: tuple[float, float, float], angle_deg: float) -> Floats:
    """The poses turned together about an axis through the middle of all."""
    if not len(poses):
        return poses
    pivot = centers_of(poses).mean(axis=0)
    return turned_about(poses, pivot, axis, angle_deg)


def turned_about(poses: Floats, pivot: Floats, axis: tuple[float, float, float], angle_deg: float) -> Floats:
    """The poses turned together about an axis through a point (3,)."""
    rotated = normalised(poses)
    turn = about_axis(axis, angle_deg)
    matrix = rotations(turn[None])[0]
    rotated[:, :3] = (rotated[:, :3] - pivot) @ matrix.T + pivot
    rotated[:, 3:] = multiplied(turn, rotated[:, 3:])
    return tidy(rotated)


def mirrored(poses: Floats, axis: int) -> Floats:
    """The mirror images in the plane through the origin across axis 0 (x) or 1 (y).

    A tetrahedron is its own mirror image up to the order of its corners: the reflection that swaps corners 0 and 1 of
    the unplaced one makes a rotation of what would be a reflection.
    """
    from scipy.spatial.transform import Rotation

    unit = normalised(poses)
    matrices = rotations(unit[:, 3:])
    mirror = np.eye(3)
    mirror[axis, axis] = -1
    swap = np.diag([-1.0, 1.0, 1.0])
    image = unit.copy()
    image[:, :3] = (matrices @ np.array([1.0, 0.0, 0.0]) + unit[:, :3]) @ mirror
    quaternions = Rotation.from_matrix(mirror @ matrices @ swap).as_quat()
    image[:, 3:] = quaternions[:, [3, 0, 1, 2]]
    return tidy(image)


def row_copies(poses: Floats, count: int, step: Sequence[float]) -> Floats:
    """count - 1 copies of all poses, each moved by a step (x, y) from the one before."""
    copies = [moved(poses, (k * step[0], k * step[1], 0.0)) for k in range(1, count)]
    return np.concatenate([np.zeros((0, 7)), *copies])


def ring_copies(poses: Floats, count: int) -> Floats:
    """count - 1 copies of all poses, evenly around the origin."""
    up = (0.0, 0.0, 1.0)
    copies = [turned_about(poses, np.zeros(3), up, 360.0 * k / count) for k in range(1, count)]
    return np.concatenate([np.zeros((0, 7)), *copies])


def on_ground(poses: Floats) -> Floats:
    """The poses moved vertically so that the lowest corner of each lies on the ground."""
    lowered = np.array(poses, float)
    lowered[:, 2] -= vertices_of(lowered)[..., 2].min(axis=1)
    return tidy(lowered)


def tidy(poses: Floats) -> Floats:
    """The poses to nine decimals, without negative zeros."""
    rounded: Floats = np.round(poses, TIDY) + 0.0
    return rounded
