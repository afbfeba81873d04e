"""Volumes by counting points: stratified columns, half-spaces for the solids, crossings of vertical rays for a mesh."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.tasks.csg_union.solids import MERIDIANS, RINGS, Solid, rotation
from spatial_workbench.engine.tasks.csg_union.volumes import NEAR_CM

Flags = NDArray[np.bool_]

SEED = 20_240_607
COLUMNS, DEEP = 256, 32
"""Columns along x and along y, and points in each: 2 097 152 points."""
COARSE, COARSE_DEEP = 56, 64
"""The same for the volume farther than NEAR_CM; each point stands for itself and 26 around it."""
MAX_ODD = 20
FAR_TIMES = 2.0
"""If the box around mesh and solids is so many times as large as that of the solids, the latter is counted alone."""
WITHIN = (0.2371, 0.3413, 0.4216)
"""Where in a triangle the winding number on both sides is looked at: the weights of its corners."""
NEAR_FACE = 1e-3
"""How far from the triangle: a part of the root of twice its area, and at least of that part of the mesh's width."""
OddPoint = tuple[int, tuple[float, ...]]
"""A winding number other than 0 and 1, and where."""


@dataclass(frozen=True)
class Samples:
    """Volumes in cm³.

    error: three standard deviations, as if a column were one point. odd: winding numbers other than 0 and 1, and where.
    """

    union: float
    answer: float
    common: float
    beyond: float
    error: float
    odd: tuple[OddPoint, ...]

    @property
    def missing(self) -> float:
        """The part of the union that the answer lacks."""
        return self.union - self.common

    @property
    def excess(self) -> float:
        """The part of the answer that is outside the union."""
        return self.answer - self.common

    @property
    def raw(self) -> float:
        """The score before the full-score rule."""
        return min(self.common, self.answer) / self.union - 0.5 * self.beyond / self.union

    @classmethod
    def taken(cls, solids: tuple[Solid, ...], vertices: Floats, triangles: Ints, progress: Progress) -> Samples:
        """Counts points in a box around the solids and the mesh; vertices that no face names do not widen it.

        Where the mesh reaches far beyond the solids, the box is that of the solids, so that the points do not lie too
        thinly; what is outside of it is the rest of the mesh's volume, which is added up from its triangles.
        """
        planes = [half_spaces(solid) for solid in solids]
        corners = vertices[triangles]
        own = np.concatenate([solid.corners for solid in solids])
        low, high = _box_around(own, corners.reshape(-1, 3))
        narrow = _box_around(own)
        is_far = float(np.prod(high - low)) > FAR_TIMES * float(np.prod(narrow[1] - narrow[0]))
        rng = np.random.Generator(np.random.PCG64(SEED))
        odd = [*_odd_near_faces(corners)]
        if is_far:
            odd += _counted(planes, corners, low, high, rng, progress)[1]
            low, high = narrow
        counts, strange = _counted(planes, corners, low, high, rng, progress)
        odd = (odd + strange)[:MAX_ODD]
        box = float(np.prod(high - low))
        union, answer, common = (counts * box / (COLUMNS * COLUMNS * DEEP)).tolist()
        outside = max(0.0, _volume(corners) - answer) if is_far else 0.0
        beyond = _beyond(planes, corners, low, high, rng, progress) + outside if not odd else 0.0
        share = counts / (COLUMNS * COLUMNS * DEEP)
        sigma = box * float(np.sqrt((share * (1 - share)).max())) / COLUMNS
        return cls(union, answer + outside, common, beyond, 3 * sigma, tuple(odd))


def _box_around(*points: Floats) -> tuple[Floats, Floats]:
    """A box with 0.1 cm of room around points."""
    together = np.concatenate(points)
    return together.min(axis=0) - 0.1, together.max(axis=0) + 0.1


def _volume(corners: Floats) -> float:
    """The volume that triangles (n, 3, 3) enclose."""
    middle = corners.reshape(-1, 3).mean(axis=0)
    a, b, c = np.moveaxis(corners - middle, 1, 0)
    return float((np.cross(a, b) * c).sum() / 6)


def _counted(
    planes: list[Floats], corners: Floats, low: Floats, high: Floats, rng: np.random.Generator, progress: Progress
) -> tuple[Floats, list[OddPoint]]:
    """How many points are in the union, in the mesh, and in both; and the points of strange winding numbers."""
    counts = np.zeros(3)
    odd: list[OddPoint] = []
    for step, (xy, z) in enumerate(_columns(rng, low, high, COLUMNS, DEEP)):
        progress(step, COLUMNS, "Counting points")
        inside = _in_union(planes, xy, z)
        winding = _windings(corners, xy, z)
        own = winding > 0
        counts += np.count_nonzero(inside), np.count_nonzero(own), np.count_nonzero(inside & own)
        strange = np.argwhere((winding < 0) | (winding > 1))[: MAX_ODD - len(odd)]
        odd += [(int(winding[c, k]), (*xy[c].tolist(), float(z[c, k]))) for c, k in strange]
    return counts, odd


def _odd_near_faces(corners: Floats) -> Iterator[OddPoint]:
    """Points on both sides of every triangle with a strange winding number, however small the shell."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    wide = sizes > 0
    # At an odd place of the triangle, so that no vertical ray goes through an edge.
    places = (corners[wide] * np.array(WITHIN)[:, None]).sum(axis=1)
    least = NEAR_FACE * NEAR_FACE * float(np.ptp(corners.reshape(-1, 3), axis=0).max())
    steps = normals[wide] / sizes[wide, None] * np.maximum(NEAR_FACE * np.sqrt(sizes[wide]), least)[:, None]
    for points in (places + steps, places - steps):
        for start in range(0, len(points), 1024):
            some = points[start : start + 1024]
            winding = _windings(corners, some[:, :2], some[:, 2:])[:, 0]
            for k in np.flatnonzero((winding < 0) | (winding > 1))[:MAX_ODD]:
                # A vertical ray may graze an edge there, which solid angles do not mind.
                if (number := _winding_by_angles(corners - some[k])) not in (0, 1):
                    yield number, tuple(some[k].tolist())


def _winding_by_angles(corners: Floats) -> int:
    """How often triangles (n, 3, 3) wind around the origin, by their solid angles (van Oosterom and Strackee)."""
    a, b, c = np.moveaxis(corners, 1, 0)
    size_a, size_b, size_c = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    triple = (np.cross(a, b) * c).sum(axis=1)
    below = size_a * size_b * size_c
    below += (a * b).sum(axis=1) * size_c + (b * c).sum(axis=1) * size_a + (c * a).sum(axis=1) * size_b
    return round(float(np.arctan2(triple, below).sum()) / (2 * np.pi))


def _columns(
    rng: np.random.Generator, low: Floats, high: Floats, columns: int, deep: int
) -> Iterator[tuple[Floats, Floats]]:
    """Strips of stratified columns: places (c, 2), and the sorted heights of each column's points (c, k)."""
    pitch = (high - low) / (columns, columns, deep)
    for i in range(columns):
        xy = np.column_stack([i + rng.random(columns), np.arange(columns) + rng.random(columns)]) * pitch[:2] + low[:2]
        z = (np.arange(deep) + rng.random((columns, deep))) * pitch[2] + low[2]
        yield xy, z


def _in_union(planes: list[Floats], xy: Floats, z: Floats) -> Flags:
    """Whether points are in one of the solids: each solid is an interval of its column."""
    inside = np.zeros(z.shape, bool)
    for rows in planes:
        room = rows[:, 3] - xy @ rows[:, :2].T
        slope = rows[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            limit = room / slope
        top = np.where(slope > 0, limit, np.inf).min(axis=1)
        bottom = np.where(slope < 0, limit, -np.inf).max(axis=1)
        bottom[(np.where(slope == 0, room, np.inf) < 0).any(axis=1)] = np.inf
        inside |= (z <= top[:, None]) & (z >= bottom[:, None])
    return inside


def _windings(corners: Floats, xy: Floats, z: Floats) -> Ints:
    """The winding number of a closed mesh around points, from the signs of the crossings above them."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    near = (corners[:, :, :2].min(axis=1) <= high).all(axis=1) & (corners[:, :, :2].max(axis=1) >= low).all(axis=1)
    changes = np.zeros((z.shape[0], z.shape[1] + 1), np.int64)
    triangles = corners[near]
    for start in range(0, len(triangles), 4096):
        _add_crossings(changes, triangles[start : start + 4096], xy, z)
    return np.asarray(np.cumsum(changes[:, ::-1], axis=1)[:, ::-1][:, 1:])


def _add_crossings(changes: Ints, corners: Floats, xy: Floats, z: Floats) -> None:
    a, b, c = (corners[:, i, :2] - xy[:, None] for i in range(3))
    wa, wb, wc = _cross(b, c), _cross(c, a), _cross(a, b)
    whole = wa + wb + wc
    up = (wa > 0) & (wb > 0) & (wc > 0)
    hit = up | ((wa < 0) & (wb < 0) & (wc < 0))
    column, triangle = np.nonzero(hit)
    weights = np.stack([wa[hit], wb[hit], wc[hit]], axis=1) / whole[hit][:, None]
    heights = (weights * corners[triangle, :, 2]).sum(axis=1)
    index = (z[column] < heights[:, None]).sum(axis=1)
    np.add.at(changes, (column, index), np.where(up[hit], 1, -1))


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _beyond(
    planes: list[Floats], corners: Floats, low: Floats, high: Floats, rng: np.random.Generator, progress: Progress
) -> float:
    """The volume that is in only one solid and farther than NEAR_CM (Chebyshev distance) from their intersection.

    The cube around each point is tested at its corners and at the middles of its edges and faces.
    """
    count = 0
    for step, (xy, z) in enumerate(_columns(rng, low, high, COARSE, COARSE_DEEP)):
        progress(step, COARSE, "Counting points beyond 0.05 cm")
        apart = _in_union(planes, xy, z) != (_windings(corners, xy, z) > 0)
        busy = apart.any(axis=1)
        if not busy.any():
            continue
        left = apart[busy]
        for dx, dy, dz in product((-NEAR_CM, 0.0, NEAR_CM), repeat=3):
            near = xy[busy] + (dx, dy)
            deep = z[busy] + dz
            left &= ~(_in_union(planes, near, deep) & (_windings(corners, near, deep) > 0))
        count += int(np.count_nonzero(left))
    return count * float(np.prod(high - low)) / (COARSE * COARSE * COARSE_DEEP)


# Half-spaces ---------------------------------------------------------------------------------------------------------


def half_spaces(solid: Solid) -> Floats:
    """The planes of a solid as rows a, b, c, d: inside is a x + b y + c z <= d. From the formulas of each kind."""
    rows = _PLANES[solid.kind](solid)
    turn = rotation(solid.turn_deg)
    normals = rows[:, :3] @ turn.T
    return np.column_stack([normals, rows[:, 3] + normals @ np.array(solid.at)])


def _sides(n: int, radius: float) -> Floats:
    """The upright sides of a regular prism."""
    middle = np.pi * (2 * np.arange(n) + 1) / n
    apothem = np.full(n, radius * np.cos(np.pi / n))
    return np.column_stack([np.cos(middle), np.sin(middle), np.zeros(n), apothem])


def _box(solid: Solid) -> Floats:
    both = np.concatenate([np.eye(3), -np.eye(3)])
    return np.column_stack([both, np.tile(np.array(solid.size) / 2, 2)])


def _prism(solid: Solid) -> Floats:
    n, radius, height = solid.size
    return np.concatenate([_sides(int(n), radius), [[0, 0, 1, height / 2], [0, 0, -1, height / 2]]])


def _cone(solid: Solid) -> Floats:
    n, radius, height = solid.size
    rows = _sides(int(n), radius)
    rows[:, 2] = rows[:, 3] / height
    return np.concatenate([rows, [[0, 0, -1, 0]]])


def _wedge(solid: Solid) -> Floats:
    x, y, z = solid.size
    return np.array(
        [[-1, 0, 0, x / 2], [0, 1, 0, y / 2], [0, -1, 0, y / 2], [0, 0, -1, 0], [z, 0, x, x * z / 2]], float
    )


def _tetrahedron(solid: Solid) -> Floats:
    points = np.array(solid.points)
    rows = []
    for left_out in range(4):
        a, b, c = np.delete(points, left_out, axis=0)
        normal = np.cross(b - a, c - a)
        normal *= -np.sign(normal @ (points[left_out] - a))
        rows.append([*normal, normal @ a])
    return np.array(rows)


def _sphere24(solid: Solid) -> Floats:
    (radius,) = solid.size
    polar = np.pi * (np.arange(RINGS) + 0.5) / RINGS
    cap = radius * np.cos(polar[0])
    rows = [[0, 0, 1, cap], [0, 0, -1, cap]]
    middle = 2 * np.pi * (np.arange(MERIDIANS) + 0.5) / MERIDIANS
    flat = np.cos(np.pi / MERIDIANS)
    for upper, lower in pairwise(polar):
        out = radius * flat * np.array([np.sin(upper), np.sin(lower)])
        height = radius * np.cos([upper, lower])
        lean = np.array([height[0] - height[1], out[1] - out[0]])
        reach = lean @ [out[0], height[0]]
        rows += [[lean[0] * np.cos(turn), lean[0] * np.sin(turn), lean[1], reach] for turn in middle]
    return np.array(rows)


_PLANES = {
    "box": _box,
    "prism": _prism,
    "cone": _cone,
    "wedge": _wedge,
    "tetrahedron": _tetrahedron,
    "sphere24": _sphere24,
}


def distance_to_surface(solids: tuple[Solid, ...], points: Floats) -> float:
    """A lower bound of the distance of points (n, 3) from the union's surface, computed from the solids' planes."""
    inside = []
    for solid in solids:
        rows = half_spaces(solid)
        lengths = np.linalg.norm(rows[:, :3], axis=1)
        inside.append(((points @ rows[:, :3].T - rows[:, 3]) / lengths).max(axis=1))
    return float(np.abs(np.min(inside, axis=0)).max())
