"""Criteria 1 and 2, a part by itself on the printer's bed: does it print, and are its gaps right? Print frame, mm."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.geometry.stl import Triangles
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.recent_results import RecentResults
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid, groups

FIT_MM = 0.01
BED_MM = 0.1
DOWNWARD = -0.9
CONTACT_MM2 = 500.0
SPAN_MM, SPAN_MM2 = 8.0, 80.0
STABLE_MM = 5.0
CUBES = 100
CONTACT_MM3 = 1e-6
BOX_HEIGHT = 40.0
_SEED = 29


@dataclass(frozen=True, eq=False)
class Overhang:
    """A patch that looks down into the air: its triangles' numbers, larger extent in mm, and area in mm²."""

    triangles: Triangles
    span: float
    area: float

    @property
    def prints(self) -> bool:
        """Whether it is small enough to print without support."""
        return self.span <= SPAN_MM and self.area <= SPAN_MM2


@dataclass(frozen=True, eq=False)
class Print:
    """A part on the bed.

    Attributes:
        size: Of the box around it, (3,).
        lowest: Its lowest z.
        contact: Numbers of the triangles that lie on the bed.
        contact_mm2: Their area.
        overhangs: Patches that look down into the air.
        margin: How far inside the hull of the contact the centre of gravity is; negative: it falls over.
    """

    size: Floats
    lowest: float
    contact: Triangles
    contact_mm2: float
    overhangs: tuple[Overhang, ...]
    margin: float

    def fits(self, printer: tuple[float, float, float]) -> bool:
        """Whether it fits a build volume."""
        return bool((self.size <= np.array(printer) + FIT_MM).all())


@remember_solids(maxsize=64)
def printed(solid: CageSolid) -> Print:
    """What is to be known of a part on the bed."""
    low, high = solid.bounds
    areas, normals = solid.areas_and_normals
    down = normals[:, 2] < DOWNWARD
    on_bed = contact(solid)
    return Print(
        size=high - low,
        lowest=float(low[2]),
        contact=on_bed,
        contact_mm2=float(areas[on_bed].sum()),
        overhangs=tuple(_overhangs(solid, down)),
        margin=_margin(solid, on_bed),
    )


def contact(solid: CageSolid) -> Triangles:
    """The triangles (numbers) that lie on the bed."""
    _, normals = solid.areas_and_normals
    near = (np.abs(solid.corners[:, :, 2]) <= BED_MM).all(axis=1)
    return np.flatnonzero((normals[:, 2] < DOWNWARD) & near)


def _overhangs(solid: CageSolid, down: NDArray[np.bool_]) -> list[Overhang]:
    areas, _ = solid.areas_and_normals
    pairs = solid.neighbours[down[solid.neighbours].all(axis=1)]
    overhangs = []
    for patch in groups(pairs, np.flatnonzero(down)):
        points = solid.corners[patch].reshape(-1, 3)
        if points[:, 2].min() > BED_MM:
            span = float(np.ptp(points[:, :2], axis=0).max())
            overhangs.append(Overhang(patch, span, float(areas[patch].sum())))
    return overhangs


def _margin(solid: CageSolid, on_bed: Triangles) -> float:
    from shapely import MultiPoint, Point

    hull = MultiPoint(solid.corners[on_bed].reshape(-1, 3)[:, :2]).convex_hull
    if hull.geom_type != "Polygon":
        return -float("inf")
    center = Point(solid.center[:2])
    distance = float(hull.exterior.distance(center))
    return distance if hull.contains(center) else -distance


@lru_cache(maxsize=16)
def cube_places(cage: Cage) -> tuple[Floats, Floats]:
    """The centres (x, y) of the small and of the large test cubes, (100, 2) each: the same for all parts."""
    rng = np.random.Generator(np.random.PCG64(_SEED))
    small = rng.uniform(-cage.small_reach, cage.small_reach, (CUBES, 2))
    return small, rng.uniform(-cage.large_reach, cage.large_reach, (CUBES, 2))


def contacts(solid: CageSolid, cage: Cage, progress: Progress = silent) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of the small and of the large boxes meet a part that is centred on the bed; remembered."""
    return _contacts.get((solid, cage), lambda: _all_contacts(solid, cage, progress))


def _all_contacts(solid: CageSolid, cage: Cage, progress: Progress) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    small, large = cube_places(cage)
    return _meets(solid, small, cage.small_cube, progress), _meets(solid, large, cage.large_cube, progress)


def _meets(solid: CageSolid, centers: Floats, side: float, progress: Progress) -> NDArray[np.bool_]:
    import manifold3d

    low, high = solid.bounds
    middle = (low + high) / 2
    # What is higher than the boxes cannot meet them; a smaller solid is cut faster.
    slab = solid.manifold.trim_by_plane((0.0, 0.0, -1.0), -BOX_HEIGHT / 2)
    box = manifold3d.Manifold.cube((side, side, BOX_HEIGHT), center=True)
    met = np.zeros(len(centers), bool)
    for i, (x, y) in enumerate((centers + middle[:2]).tolist()):
        progress(i, len(centers), "Cubes between the bars")
        met[i] = (slab ^ box.translate((x, y, 0.0))).volume() > CONTACT_MM3
    return met


_contacts: RecentResults[tuple[NDArray[np.bool_], NDArray[np.bool_]]] = RecentResults(64)
