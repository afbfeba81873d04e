"""The checks of an arrangement, its score, and the rest of the verdict. Pieces are named by their place."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.core.checks import Check, CheckList, Problem, State
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.verdict import Figure
from spatial_workbench.engine.core.words import beside
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import NOTHING_GIVEN
from spatial_workbench.engine.tasks.tetrahedra_shadow.collisions import Collisions, collisions
from spatial_workbench.engine.tasks.tetrahedra_shadow.overlap import adding_nothing, common_volume
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import TetrahedraFit, fit_of, shadows_of, union_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import norms_squared, vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

NORM_TOLERANCE = 0.01
"""The squared length of a quaternion may be off 1 by this much (SCBench B.4: within 1 %)."""
UNNORMALISED, INTERSECTING = 0.25, 0.5
"""The factors by which penalties reduce the coverage; only the first that applies counts."""
MEASURED = 20
"""The number of intersecting pairs for which the common volume is computed."""

checks = CheckList()


@dataclass(frozen=True, eq=False)
class Arrangement:
    """What the checks look at: the target, and pieces at poses (n, 7) as they were given."""

    target: TetrahedraTarget
    poses: Floats
    progress: Progress = silent

    @cached_property
    def vertices(self) -> Floats:
        """The corners (n, 4, 3), with quaternions normalised."""
        return vertices_of(self.poses)

    @cached_property
    def unnormalised(self) -> list[int]:
        """The pieces whose quaternions are too long or too short."""
        off = np.abs(norms_squared(self.poses) - 1) > NORM_TOLERANCE
        return [int(i) for i in np.flatnonzero(off)]

    @cached_property
    def collisions(self) -> Collisions:
        """The pairs that share volume."""
        return collisions(self.vertices, progress=self.progress)

    @cached_property
    def shadows(self) -> Any:
        """The shadows of all pieces (shapely)."""
        return shadows_of(self.vertices)

    @cached_property
    def fit(self) -> TetrahedraFit:
        """How their union fills the target."""
        return fit_of(self.target, union_of(self.shadows))

    @cached_property
    def redundant(self) -> list[int]:
        """The pieces whose shadow the others cast as well."""
        return adding_nothing(self.shadows)

    @property
    def factor(self) -> float:
        """The factor by which penalties reduce the coverage."""
        return factor_of(bool(self.unnormalised), bool(len(self.collisions.pairs)))


def piece_ids(pieces: Iterable[int]) -> list[str]:
    """The ids of pieces in scenes."""
    return [f"tetrahedron {i}" for i in pieces]


def factor_of(is_unnormalised: bool, is_intersecting: bool) -> float:
    """The factor by which penalties reduce the coverage."""
    if is_unnormalised:
        return UNNORMALISED
    return INTERSECTING if is_intersecting else 1.0


def score_of(raw: float, target: TetrahedraTarget) -> float:
    """The score of a raw score."""
    if raw >= target.divisor - target.rounded_by:
        return 1.0
    return max(0.0, raw / target.divisor)


@checks.step("at least one tetrahedron")
def _not_empty(built: Arrangement) -> Iterator[Problem]:
    if not len(built.poses):
        yield Problem(NOTHING_GIVEN)


@checks.step("unit quaternions")
def _unit(built: Arrangement) -> Iterator[Problem]:
    lengths = np.sqrt(norms_squared(built.poses))
    for i in built.unnormalised:
        length = beside(lengths[i], 1, 3)
        message = f"Tetrahedron {i}: its quaternion has the length {length}; only a quarter of the coverage counts"
        yield Problem(message, piece_ids([i]))


@checks.step("no two tetrahedra intersect")
def _apart(built: Arrangement) -> Iterator[Problem]:
    touching = built.collisions
    for k, (i, j) in enumerate(touching.pairs.tolist()):
        shared = f"share a volume of {common_volume(built.vertices[i], built.vertices[j]):.2g}" if k < MEASURED else ""
        words = shared or f"reach {touching.depths[k]:.2g} into each other"
        yield Problem(f"Tetrahedra {i} and {j} {words}; half of the coverage counts", piece_ids([i, j]))


def judge(built: Arrangement) -> list[Check]:
    """The checks. Without any piece the rest is not reached; otherwise all are."""
    return checks.run(built, stop_at_first=not len(built.poses))


def figures(built: Arrangement, raw: float) -> list[Figure]:
    """The raw score and what it is made of."""
    fit = built.fit
    return [
        Figure("raw", raw),
        Figure("coverage", fit.coverage),
        Figure("mismatch", fit.mismatch_share),
        Figure("penalty factor", built.factor),
        Figure("full score from raw", built.target.divisor),
        Figure("target area", built.target.area),
        Figure("uncovered area", float(fit.missing.area)),
        Figure("area outside", float(fit.excess.area + fit.forgiven.area)),
        Figure("tetrahedra", len(built.poses)),
        Figure("adding nothing", len(built.redundant)),
    ]


def details(built: Arrangement) -> dict[str, Any]:
    """Plain data for the view.

    intersecting   pairs of pieces
    redundant      pieces whose shadow the others cast as well
    """
    return {"intersecting": built.collisions.pairs.tolist(), "redundant": built.redundant}


def remarks(built: Arrangement) -> list[str]:
    """Remarks that do not affect the score."""
    redundant = built.redundant
    if not redundant:
        return []
    named = ", ".join(map(str, redundant[:10])) + (" ..." if len(redundant) > 10 else "")
    return [f"These tetrahedra add nothing to the shadow (no points are lost): {named}"]


def all_hold(rows: Sequence[Check]) -> bool:
    """Whether every check passed."""
    return all(check.state is State.PASSED for check in rows)
