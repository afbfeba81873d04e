"""How pieces fill the target while some of them move: the others are computed once, the moved ones each time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.collisions import collisions, collisions_with
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import NORM_TOLERANCE, factor_of, score_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.overlap import common_volume
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import (
    TetrahedraFit,
    fit_near,
    grown,
    polygons_in,
    shadows_of,
    union_of,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import norms_squared, vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

if TYPE_CHECKING:
    from shapely import Geometry
else:
    Geometry = Any


@dataclass(frozen=True)
class TetrahedraReading:
    """What the meters show: coverage and mismatch as shares of the target, the raw score, the score, and overlaps."""

    coverage: float
    mismatch: float
    raw: float
    score: float
    overlaps: int
    unnormalised: int


@dataclass(frozen=True)
class Shade:
    """A union of shadows, the part of the target it covers, and the area near that part."""

    shadow: Geometry
    covered: Geometry
    near: Geometry

    @classmethod
    def of(cls, target: TetrahedraTarget, shadow: Geometry) -> "Shade":
        """The shade of a union of shadows."""
        covered = polygons_in(shadow.intersection(target.shape))
        return cls(shadow, covered, grown(covered))

    def fit(self, target: TetrahedraTarget) -> TetrahedraFit:
        """How it fills the target."""
        return fit_near(target, self.shadow, self.covered, self.near)


def work_out(target: TetrahedraTarget, poses: Floats, progress: Progress = silent) -> tuple[Shade, TetrahedraFit]:
    """The shade of pieces at poses (n, 7), and how it fills the target; runs in the background."""
    shade = Shade.of(target, union_of(shadows_of(vertices_of(poses))))
    return shade, shade.fit(target)


class Live:
    """Pieces at poses (n, 7) over a target, of which some may be moved."""

    def __init__(self, target: TetrahedraTarget) -> None:
        self.target = target
        self.poses: Floats = np.zeros((0, 7))
        self.known: TetrahedraFit | None = None
        """How the pieces fill the target, once that was worked out."""
        self._still: tuple[tuple[int, ...], Shade] | None = None
        self.set_poses(self.poses)

    def set_poses(self, poses: Floats) -> None:
        """Replaces the pieces by those of another answer."""
        self.poses = poses
        self.vertices = vertices_of(poses) if len(poses) else np.zeros((0, 4, 3))
        self.shadows = shadows_of(self.vertices)
        self.pairs = collisions(self.vertices).pairs
        self.unnormalised = np.flatnonzero(np.abs(norms_squared(poses) - 1) > NORM_TOLERANCE).tolist()
        self.known = None
        self._still = None

    def store_fit(self, shade: Shade, fit: TetrahedraFit) -> None:
        """Stores the result that was computed for the current pieces."""
        self._still = ((), shade)
        self.known = fit

    def fit(self, ignore: tuple[int, ...] = (), moved: Floats | None = None) -> TetrahedraFit | None:
        """How the pieces fill the target, with those in `ignore` left out and pieces at `moved` (n, 7) added."""
        if len(self.poses) == len(ignore) and (moved is None or not len(moved)):
            return None
        still = self._shade_without(ignore)
        if moved is None or not len(moved):
            return still.fit(self.target)
        new = Shade.of(self.target, union_of(shadows_of(vertices_of(moved))))
        return fit_near(
            self.target,
            still.shadow.union(new.shadow),
            polygons_in(still.covered.union(new.covered)),
            still.near.union(new.near),
        )

    def met_by(self, moved: Floats, ignore: tuple[int, ...] = ()) -> list[int]:
        """The pieces, except those in `ignore`, that pieces at `moved` (n, 7) intersect."""
        others = [i for i in range(len(self.poses)) if i not in ignore]
        if not len(moved) or not others:
            return []
        pairs = collisions_with(vertices_of(moved), self.vertices[others]).pairs
        return sorted({others[j] for j in pairs[:, 1].tolist()})

    def shared_volume(self, first: int, second: int) -> float:
        """The volume that two pieces share."""
        return common_volume(self.vertices[first], self.vertices[second])

    def reading(self, fit: TetrahedraFit | None) -> TetrahedraReading:
        """The meters' figures for the pieces as they are, with this fit."""
        if fit is None:
            return TetrahedraReading(0.0, 0.0, 0.0, 0.0, 0, 0)
        off = len(self.unnormalised)
        raw = fit.raw(factor_of(bool(off), bool(len(self.pairs))))
        return TetrahedraReading(
            fit.coverage, fit.mismatch_share, raw, score_of(raw, self.target), len(self.pairs), off
        )

    def _shade_without(self, ignore: tuple[int, ...]) -> Shade:
        if self._still is None or self._still[0] != ignore:
            others = [i for i in range(len(self.poses)) if i not in ignore]
            self._still = ignore, Shade.of(self.target, union_of(self.shadows[others]))
        return self._still[1]
