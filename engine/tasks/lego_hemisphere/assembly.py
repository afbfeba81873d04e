"""How bricks relate to each other: overlaps, contacts, stud alignment, parts, balance and support."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry import rectangles
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HALF_FOOTPRINT, HEIGHT, REACH, STUD_PITCH, Bools, Poses

MAX_OVERLAP_MM = 0.01
"""The depth to which bricks may overlap, sideways or in height."""
MAX_CONTACT_GAP_MM = 0.5
"""Top and bottom of bricks in contact differ by less than this in height."""
MIN_CONTACT_DEPTH_MM = 0.5
"""Footprints of bricks in contact overlap by more than this."""
MAX_TWIST_DEG = 1.0
MAX_MISALIGNMENT_MM = 0.5
HULL_TOLERANCE = 0.01
"""A point is inside a hull if no edge's cross product is below minus this (mm2)."""
_ROUNDING = 1e-9

LISTED = 200
"""The search stops at this many overlaps: enough to show, and a bound for answers with all bricks in one place."""
_CHUNK = 64


@dataclass(frozen=True)
class Overlap:
    """Two bricks that share volume."""

    first: int
    second: int
    depth_mm: float


@dataclass(frozen=True)
class Misfit:
    """Two bricks in contact whose studs do not meet.

    `twist_deg` is how far the angle between them is from a multiple of 90. `move_mm` is the shift of the upper brick
    (x, y in the scene's frame) that would put it on the lower one's studs.
    """

    lower: int
    upper: int
    twist_deg: float
    move_mm: tuple[float, float]

    @property
    def is_twisted(self) -> bool:
        """Whether the angle is wrong, which makes the offset meaningless."""
        return abs(self.twist_deg) > MAX_TWIST_DEG


@dataclass(frozen=True, eq=False)
class BrickPart:
    """A connected part: its bricks, its centre of mass (3,), and the hull (k, 2) of what stands on the ground."""

    bricks: Ints
    center_mm: Floats
    support_mm: Floats

    @property
    def stands(self) -> bool:
        """Whether a brick of it is on the ground."""
        return len(self.support_mm) > 0

    @property
    def is_balanced(self) -> bool:
        """Whether the centre of mass is above the hull of the ground bricks, or it is a single brick."""
        return len(self.bricks) == 1 or in_hull(self.center_mm[:2], self.support_mm)


@dataclass(frozen=True, eq=False)
class BrickAssembly:
    """Bricks and what follows from their poses."""

    poses: Poses

    @cached_property
    def overlaps(self) -> list[Overlap]:
        """Pairs of bricks that share volume, by index. Stops after the chunk in which LISTED is reached."""
        overlaps: list[Overlap] = []
        for i, j in self._near_pairs():
            depth = self._depth(i, j)
            below_top = HEIGHT - np.abs(self.poses.centers[i, 2] - self.poses.centers[j, 2])
            hit = (depth > MAX_OVERLAP_MM) & (below_top > MAX_OVERLAP_MM)
            deep = np.minimum(depth, below_top)
            overlaps += map(Overlap, i[hit].tolist(), j[hit].tolist(), deep[hit].tolist())
            if len(overlaps) >= LISTED:
                break
        return overlaps

    @cached_property
    def contacts(self) -> Ints:
        """Contact pairs (m, 2): lower and upper brick. Only for bricks that do not overlap."""
        pairs = [self._contacts_of(i, j) for i, j in self._near_pairs()]
        return np.concatenate(pairs) if pairs else np.zeros((0, 2), dtype=np.int64)

    @cached_property
    def misfits(self) -> list[Misfit]:
        """Contacts whose studs do not meet."""
        lower, upper = self.contacts.T
        twist, offset = misalignment(self.poses, lower, self.poses, upper)
        move = -np.einsum("ne,ned->nd", offset, self.poses.sides[lower])
        return [
            Misfit(int(lower[k]), int(upper[k]), float(twist[k]), (float(move[k, 0]), float(move[k, 1])))
            for k in np.flatnonzero(~fits(twist, offset))
        ]

    @cached_property
    def parts(self) -> list[BrickPart]:
        """The connected parts."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        count = len(self.poses)
        lower, upper = self.contacts.T
        graph = coo_array((np.ones(len(lower)), (lower, upper)), shape=(count, count))
        number, labels = connected_components(graph, directed=False)
        order = np.argsort(labels, kind="stable")
        ends = np.searchsorted(labels[order], np.arange(number + 1))
        return [self._part(order[a:b]) for a, b in pairwise(ends.tolist())]

    def _part(self, bricks: Ints) -> BrickPart:
        on_ground = bricks[self.poses.layers[bricks] == 0]
        center = self.poses.centers[bricks].mean(axis=0)
        return BrickPart(bricks, center, hull_of(self.poses.footprints[on_ground].reshape(-1, 2)))

    def _near_pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Pairs i < j that are near enough to touch, in chunks."""
        from scipy.spatial import cKDTree

        reach = np.array([REACH, REACH, HEIGHT + MAX_CONTACT_GAP_MM])
        points = self.poses.centers / reach
        tree = cKDTree(points)
        for start in range(0, len(points), _CHUNK):
            near = tree.query_ball_point(points[start : start + _CHUNK], 1.0, p=np.inf, return_sorted=True)
            i = np.repeat(np.arange(start, start + len(near)), [len(row) for row in near])
            j = np.concatenate(near).astype(np.int64)
            yield i[i < j], j[i < j]

    def _depth(self, i: Ints, j: Ints) -> Floats:
        flat = self.poses.centers[:, :2]
        sides = self.poses.sides
        return rectangles.penetration(flat[i], flat[j], HALF_FOOTPRINT, sides[i], sides[j])

    def _contacts_of(self, i: Ints, j: Ints) -> Ints:
        rise = self.poses.centers[j, 2] - self.poses.centers[i, 2]
        touch = (np.abs(np.abs(rise) - HEIGHT) < MAX_CONTACT_GAP_MM) & (self._depth(i, j) > MIN_CONTACT_DEPTH_MM)
        contacts: Ints = np.where((rise > 0)[:, None], np.stack([i, j], 1), np.stack([j, i], 1))[touch]
        return contacts


def misalignment(lower: Poses, i: Ints, upper: Poses, j: Ints) -> tuple[Floats, Floats]:
    """How far bricks j of `upper` are off the studs of bricks i of `lower`.

    Returns the twist (m,) in degrees from the nearest multiple of 90, and the offset (m, 2) in mm from the nearest
    place on the stud lattice, in the lower brick's frame.
    """
    turn = upper.angles_deg[j] - lower.angles_deg[i]
    offset = np.einsum("nd,ned->ne", upper.centers[j, :2] - lower.centers[i, :2], lower.sides[i])
    return turn - 90.0 * np.round(turn / 90.0), offset - STUD_PITCH * np.round(offset / STUD_PITCH)


def fits(twist_deg: Floats, offset_mm: Floats) -> Bools:
    """Whether studs and sockets meet: (m,), for what `misalignment` gives."""
    straight = np.abs(twist_deg) <= MAX_TWIST_DEG + _ROUNDING
    aligned: Bools = straight & (np.abs(offset_mm).max(axis=-1) <= MAX_MISALIGNMENT_MM + _ROUNDING)
    return aligned


def hull_of(points: Floats) -> Floats:
    """The convex hull (k, 2) of points (n, 2), counter-clockwise; empty for no points."""
    if len(points) == 0:
        return points
    from scipy.spatial import ConvexHull

    hull: Floats = points[ConvexHull(points).vertices]
    return hull


def in_hull(point: Floats, hull: Floats) -> bool:
    """Whether a point (2,) is inside a counter-clockwise hull (k, 2), within the tolerance."""
    edges = np.roll(hull, -1, axis=0) - hull
    to_point = point - hull
    cross = edges[:, 0] * to_point[:, 1] - edges[:, 1] * to_point[:, 0]
    return bool((cross >= -HULL_TOLERANCE).all())


def distance_outside(point: Floats, hull: Floats) -> float:
    """How far a point (2,) is from a counter-clockwise hull (k, 2); 0 inside."""
    if in_hull(point, hull):
        return 0.0
    edges = np.roll(hull, -1, axis=0) - hull
    to_point = point - hull
    along = np.clip((edges * to_point).sum(axis=1) / (edges**2).sum(axis=1), 0, 1)
    return float(np.linalg.norm(to_point - along[:, None] * edges, axis=1).min())


def shared_volume_mm3(poses: Poses, overlap: Overlap) -> float:
    """The volume that two bricks share."""
    from shapely import Polygon

    first, second = (Polygon(poses.footprints[i]) for i in (overlap.first, overlap.second))
    height = HEIGHT - abs(poses.centers[overlap.first, 2] - poses.centers[overlap.second, 2])
    return float(first.intersection(second).area * height)
