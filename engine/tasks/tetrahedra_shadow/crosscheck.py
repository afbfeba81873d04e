"""The same rules by other methods: quaternion products for rotations, solids for intersections, cells for areas.

Cells of 0.01 are tested at their centres. A cell is shaded if it lies in a projected face of a piece; what is
covered is grown by five cells in every direction. Coverage and outside area differ from the exact ones by up
to about 0.3 %.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.checks import Check, Problem
from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import NOTHING_GIVEN
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import NORM_TOLERANCE, checks, factor_of, piece_ids
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import FORGIVEN, shadows_of, union_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import CORNERS, FACES
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import Ring, TetrahedraTarget

Bools = NDArray[np.bool_]

CELL = 0.01
NEAR = 2.0
"""The margin of cells around the target's bounds, to which the size of a piece is added."""
LEAST_VOLUME = 1e-9
"""Solids that share less volume than this only touch."""
_ON_EDGE = 1e-9


@dataclass(frozen=True)
class Raster:
    """Areas by counting cells: the target's, what is covered of it, and the mismatch."""

    target: float
    covered: float
    mismatch: float

    def raw(self, factor: float) -> float:
        """The raw score."""
        return (factor * self.covered - 0.5 * self.mismatch) / self.target


def judge(target: TetrahedraTarget, poses: Floats, progress: Progress) -> tuple[list[Check], Raster | None, float]:
    """The checks, the areas (None without pieces) and the penalty factor."""
    names = checks.names
    first = Check.of(names[0], [] if len(poses) else [Problem(NOTHING_GIVEN)])
    if not len(poses):
        return [first, *(Check.not_reached(name) for name in names[1:])], None, 1.0
    off = [i for i, q in enumerate(poses[:, 3:]) if abs(float(q @ q) - 1) > NORM_TOLERANCE]
    units = Check.of(names[1], [Problem(f"Tetrahedron {i} is not normalised", piece_ids([i])) for i in off])
    vertices = np.array([_placed(pose) for pose in poses])
    pairs = _sharing_volume(vertices, progress)
    apart = Check.of(names[2], [Problem(f"Tetrahedra {i} and {j} share volume", piece_ids([i, j])) for i, j in pairs])
    return [first, units, apart], _counted(target, vertices, progress), factor_of(bool(off), bool(pairs))


def _placed(pose: Floats) -> Floats:
    """The corners (4, 3) of a piece by the products q v q* of quaternions."""
    q = pose[3:] / np.linalg.norm(pose[3:])
    back = q * [1, -1, -1, -1]
    turned = [_product(_product(q, np.array([0.0, *corner])), back)[1:] for corner in CORNERS]
    return np.array(turned) + pose[:3]


def _product(a: Floats, b: Floats) -> Floats:
    w, x, y, z = a
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]) @ b


def _sharing_volume(vertices: Floats, progress: Progress) -> list[tuple[int, int]]:
    """The pairs whose intersection, as a solid, has a volume."""
    from manifold3d import Manifold

    solids = [Manifold.hull_points(corners) for corners in vertices]
    low, high = vertices.min(axis=1), vertices.max(axis=1)
    pairs = []
    for i in range(len(solids)):
        progress(i, 2 * len(solids), "intersecting solids")
        near = np.flatnonzero(((low[i + 1 :] < high[i]) & (high[i + 1 :] > low[i])).all(axis=1)) + i + 1
        pairs += [(i, j) for j in near.tolist() if (solids[i] ^ solids[j]).volume() > LEAST_VOLUME]
    return pairs


class _Grid:
    """Cells around the target; its lower left bounds are cell borders."""

    def __init__(self, target: TetrahedraTarget) -> None:
        x0, y0, x1, y1 = target.bounds
        reach = NEAR + 1 + 2 * FORGIVEN
        spare = round(reach / CELL)
        counts = [int(np.ceil((high - low) / CELL)) for low, high in ((x0, x1), (y0, y1))]
        self.x, self.y = (
            start + CELL * (np.arange(-spare, count + spare) + 0.5)
            for start, count in zip((x0, y0), counts, strict=True)
        )

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Cells along x and y."""
        return len(self.x), len(self.y)

    def inside(self, ring: Ring) -> Bools:
        """The cells in a ring, by counting the edges that a ray along x crosses."""
        is_inside = np.zeros(self.shape, bool)
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            crosses = (ay <= self.y) != (by <= self.y)
            place = ax + (self.y[crosses] - ay) * (bx - ax) / (by - ay) if crosses.any() else np.zeros(0)
            is_inside[:, crosses] ^= self.x[:, None] < place
        return is_inside

    def shade(self, corners: Floats, shaded: Bools) -> None:
        """Marks the cells in a triangle (3, 2)."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        i, j = np.searchsorted(self.x, [low[0], high[0]]), np.searchsorted(self.y, [low[1], high[1]])
        x = self.x[i[0] : i[1], None]
        y = self.y[None, j[0] : j[1]]
        sides = []
        for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
        left = np.array([side >= -_ON_EDGE for side in sides]).all(axis=0)
        right = np.array([side <= _ON_EDGE for side in sides]).all(axis=0)
        shaded[i[0] : i[1], j[0] : j[1]] |= left | right


def _counted(target: TetrahedraTarget, vertices: Floats, progress: Progress) -> Raster:
    from scipy.ndimage import maximum_filter

    grid = _Grid(target)
    in_target = grid.inside(target.outline)
    for hole in target.holes:
        in_target &= ~grid.inside(hole)
    shaded = np.zeros(grid.shape, bool)
    is_near = _are_near(target, vertices)
    for k, corners in enumerate(vertices[is_near]):
        progress(len(vertices) + k, 2 * len(vertices), "shading cells")
        for face in FACES:
            grid.shade(corners[face, :2], shaded)
    covered = in_target & shaded
    near = maximum_filter(covered, size=2 * round(FORGIVEN / CELL) + 1)
    mismatch = int(((in_target | shaded) & ~near).sum()) * CELL**2
    return Raster(
        int(in_target.sum()) * CELL**2, int(covered.sum()) * CELL**2, mismatch + _area_far_off(vertices, is_near)
    )


def _area_far_off(vertices: Floats, is_near: Bools) -> float:
    """The area that only pieces beyond the grid shade."""
    if is_near.all():
        return 0.0
    near, far = (union_of(shadows_of(vertices[chosen])) for chosen in (is_near, ~is_near))
    return float(far.difference(near).area)


def _are_near(target: TetrahedraTarget, vertices: Floats) -> Bools:
    """Which pieces reach into the grid; the others are wholly outside the target."""
    x0, y0, x1, y1 = target.bounds
    first = vertices[:, 0, :2]
    return np.asarray(((first > [x0 - NEAR, y0 - NEAR]) & (first < [x1 + NEAR, y1 + NEAR])).all(axis=1))
