"""An answer with everything computed about it: its solids, their places, and measurements of both.

Solids are cached by their contents, and everything else by solid and place. So after a part has moved, only its
contacts are computed again, and the nine instances of one answer take hardly longer than one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.tasks.interlocking_parts import assembly, printing, rays, windows
from spatial_workbench.engine.tasks.interlocking_parts.answer import Part
from spatial_workbench.engine.tasks.interlocking_parts.assembly import Posed
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.making import make
from spatial_workbench.engine.tasks.interlocking_parts.rays import Measured
from spatial_workbench.engine.tasks.interlocking_parts.recent_results import RecentResults
from spatial_workbench.engine.tasks.interlocking_parts.solid import SolidResult


@dataclass(frozen=True, eq=False)
class CageStudy:
    """The parts with their solids and places; `places` holds None for parts without a valid solid or place."""

    cage: Cage
    parts: tuple[Part, ...]
    solid_results: tuple[SolidResult, ...]
    places: tuple[Posed | None, ...]
    gap: Measured

    @property
    def placed(self) -> Iterator[tuple[int, Posed]]:
        """The parts that have a solid and a place, with their numbers."""
        return ((i, place) for i, place in enumerate(self.places) if place is not None)

    @property
    def waiting(self) -> list[int]:
        """The parts that were not evaluated."""
        return [i for i, built in enumerate(self.solid_results) if built.waiting]

    def pairs(self) -> Iterator[tuple[int, int, float]]:
        """The parts that share volume: their numbers, and how much in mm³."""
        for (i, first), (j, second) in combinations(self.placed, 2):
            volume = assembly.shared_mm3(first, second)
            if volume > assembly.SHARED_MM3:
                yield i, j, volume

    def census(self) -> tuple[windows.Window, ...]:
        """The windows of the assembly."""
        return windows.census(tuple(place for _, place in self.placed), self.cage)


def study(cage: Cage, parts: tuple[Part, ...], progress: Progress = silent, lenient: bool = False) -> CageStudy:
    """Does all long computations, reporting progress. `lenient`: parts may mirror, scale, and intersect themselves.

    The same parts give the same object again, unless one of them was not evaluated.

    Raises:
        Cancelled: Raised by `progress`.
    """
    progress(0, 1, "Parts")
    return _studies.get(
        (cage, parts, lenient), lambda: _study(cage, parts, progress, lenient), lambda result: not result.waiting
    )


def _study(cage: Cage, parts: tuple[Part, ...], progress: Progress, lenient: bool) -> CageStudy:
    solid_results = []
    for i, part in enumerate(parts):
        progress(i, 3 * len(parts), f"Part {i}: solid")
        solid_results.append(make(part, progress))
    places = tuple(_place(built, part, lenient) for built, part in zip(solid_results, parts, strict=True))
    result = CageStudy(cage, parts, tuple(solid_results), places, Measured(0, float("nan"), 0.0))
    _work_out(result, progress)
    posed = tuple(place for _, place in result.placed)
    progress(2 * len(parts), 3 * len(parts), "Gaps")
    return replace(result, gap=_gaps.get(posed, lambda: _gap(posed, progress))) if posed else result


def _gap(places: tuple[Posed, ...], progress: Progress) -> Measured:
    return rays.gaps([(place.solid, place.matrix) for place in places], progress)


def _place(built: SolidResult, part: Part, lenient: bool) -> Posed | None:
    matrix = part.matrix
    if built.solid is None or built.problem or matrix is None:
        return None
    if not lenient and (built.crossing or assembly.rigid_problem(matrix, len(part.transform))):
        return None
    return assembly.posed(built.solid, matrix) if abs(np.linalg.det(matrix[:3, :3])) > _SINGULAR else None


def _work_out(result: CageStudy, progress: Progress) -> None:
    """Measures each part; the results are cached where they are computed."""
    total = 3 * len(result.parts)
    for i, place in result.placed:
        progress(len(result.parts) + i, total, f"Part {i}: print, rods, overlaps")
        printing.printed(place.solid)
        printing.contacts(place.solid, result.cage, progress)
        rays.thickness(place.solid)
        assembly.inside_mm3(place, result.cage)
        assembly.engaged(place, result.cage)
        for _, other in result.placed:
            if other is place:
                break
            assembly.shared_mm3(other, place)


_SINGULAR = 1e-9
_studies: RecentResults[CageStudy] = RecentResults(6)
_gaps: RecentResults[Measured] = RecentResults(32)
