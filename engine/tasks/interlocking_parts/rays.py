"""Criteria 7 and 8: the thickness of bars and the width of gaps, measured by rays from the facets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.geometry.stl import Triangles
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid

FACET_MM2 = 30.0
AXIS_COSINE = 0.9
LEAST_EXTENT = 5.0
END_CAP = 12.0
RAYS_PER_FACET = 5
INSIDE_MM, OUTSIDE_MM = 0.05, 0.2
THICKNESS_RANGE, GAP_RANGE = (0.05, 300.0), (1.0, 250.0)
THICKNESS_VALUES, GAP_VALUES = 25, 50
THICKNESS_BIN, GAP_BIN = 0.5, 1.0
THICKNESS_SLACK, THICKNESS_SHARE = 0.5, 0.15
GAP_NEAR, GAP_SHARE = 5.0, 0.20
_RAYS_AT_ONCE = 256


@dataclass(frozen=True)
class Measured:
    """Measurements by rays: their number, the dominant value in mm, and its share of all (0 to 1)."""

    count: int
    dominant: float
    share: float

    def is_thickness(self, bar: float) -> bool:
        """Whether these are bars of that thickness."""
        near = abs(self.dominant - bar) <= THICKNESS_SLACK
        return self.count >= THICKNESS_VALUES and near and self.share >= THICKNESS_SHARE

    def is_gap(self, cage: Cage) -> bool:
        """Whether these are gaps of the required width."""
        near = cage.gap_least <= self.dominant <= cage.gap_most
        return self.count >= GAP_VALUES and near and self.share >= GAP_SHARE


@remember_solids(maxsize=64)
def thickness(solid: CageSolid) -> Measured:
    """How thick a part's bars are."""
    distances = _medians(_facets(solid.corners, solid, axes=(0, 1, 2)), -INSIDE_MM, solid.corners, silent)
    values = distances[(distances >= THICKNESS_RANGE[0]) & (distances <= THICKNESS_RANGE[1])]
    dominant, in_bin = _dominant(values, THICKNESS_BIN)
    return Measured(len(values), dominant, in_bin / max(1, len(values)))


def gaps(posed: Sequence[tuple[CageSolid, Floats]], progress: Progress = silent) -> Measured:
    """How wide the assembly's gaps are: solids with their transforms (4, 4)."""
    moved = [_outward(transformed(solid.corners, matrix), matrix) for solid, matrix in posed]
    rays = [ray for (solid, _), corners in zip(posed, moved, strict=True) for ray in _facets(corners, solid, (0, 1))]
    distances = _medians(rays, OUTSIDE_MM, np.concatenate(moved) if moved else np.zeros((0, 3, 3)), progress)
    values = distances[(distances >= GAP_RANGE[0]) & (distances <= GAP_RANGE[1])]
    dominant, _ = _dominant(values, GAP_BIN)
    near = int((np.abs(values - dominant) <= GAP_NEAR).sum())
    return Measured(len(values), dominant, near / max(1, len(values)))


def transformed(points: Floats, matrix: Floats) -> Floats:
    """Points (..., 3) moved by a transform (4, 4)."""
    return np.asarray(points @ matrix[:3, :3].T + matrix[:3, 3])


def _outward(corners: Floats, matrix: Floats) -> Floats:
    """The triangles wound counter-clockwise from outside again, if the transform mirrored them."""
    return corners if np.linalg.det(matrix[:3, :3]) > 0 else np.ascontiguousarray(corners[:, ::-1])


def _facets(corners: Floats, solid: CageSolid, axes: Sequence[int]) -> Iterator[tuple[Floats, Floats]]:
    """Starting points (k, 3) on each facet that counts, and its outward normal."""
    areas, _ = solid.areas_and_normals
    for facet in solid.facets:
        area = float(areas[facet].sum())
        if area < FACET_MM2:
            continue
        triangles = corners[facet]
        normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]).sum(axis=0)
        normal /= max(float(np.linalg.norm(normal)), 1e-12)
        axis = int(np.abs(normal).argmax())
        extents = np.delete(np.ptp(triangles.reshape(-1, 3), axis=0), axis)
        is_cap = (extents <= END_CAP).all()
        if axis in axes and abs(normal[axis]) >= AXIS_COSINE and (extents >= LEAST_EXTENT).all() and not is_cap:
            yield triangles[_spread(len(facet))].mean(axis=1), normal


def _spread(count: int) -> Triangles:
    """Up to five indices, evenly spread."""
    return np.unique(np.linspace(0, count - 1, RAYS_PER_FACET).round().astype(np.int64))


def _medians(facets: Sequence[tuple[Floats, Floats]] | Iterator[tuple[Floats, Floats]], start: float,
             corners: Floats, progress: Progress) -> Floats:  # fmt: skip
    """The median distance to the first hit of each facet's rays; `start` outwards of the facet (negative: inside)."""
    from spatial_workbench.engine.tasks.interlocking_parts.kernels import first_hits

    facets = list(facets)
    if not facets:
        return np.zeros(0)
    sign = 1.0 if start > 0 else -1.0
    origins = np.concatenate([points + start * normal for points, normal in facets])
    ways = np.concatenate([np.tile(sign * normal, (len(points), 1)) for points, normal in facets])
    reached = np.empty(len(origins))
    for first in range(0, len(origins), _RAYS_AT_ONCE):
        progress(first, len(origins), "Rays")
        chosen = slice(first, first + _RAYS_AT_ONCE)
        reached[chosen] = first_hits(origins[chosen], ways[chosen], corners)
    ends = np.cumsum([len(points) for points, _ in facets])
    return np.array([np.median(part) for part in np.split(reached, ends[:-1])])


def _dominant(values: Floats, width: float) -> tuple[float, int]:
    """The median of the fullest histogram bin, and how many values are in it."""
    if not len(values):
        return float("nan"), 0
    bins = np.floor(values / width).astype(np.int64)
    names, counts = np.unique(bins, return_counts=True)
    fullest = values[bins == names[counts.argmax()]]
    return float(np.median(fullest)), len(fullest)
