"""The published verifier of tetrahedra_shadow, as far as its faults are known (docs/tasks/tetrahedra_shadow.md).

It inflates one solid by 0.001 but not the other, so that heights of 0.101 and 0.1 remain in its areas and a perfect
cover scores 0.9901; and solids that touch count as intersecting. Its test of intersections also turns pieces wrongly,
in a way that is not documented. This is not reproduced; a remark says where it may have mattered.
"""

import numpy as np

from spatial_workbench.engine.core.checks import Check, Problem, all_passed
from spatial_workbench.engine.core.contract import Outcome
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.verdict import Figure
from spatial_workbench.engine.tasks.tetrahedra_shadow.collisions import collisions
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import (
    INTERSECTING,
    Arrangement,
    checks,
    factor_of,
    piece_ids,
    score_of,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import grown, polygons_in, swept, union_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

INFLATION = 0.001
INFLATED_HEIGHT, HEIGHT = 0.101, 0.1
TOUCHING = -1e-12
"""Solids that overlap by at least this count as intersecting; it allows for rounding where they only touch."""
SAFE_DISTANCE = 4.05
"""Pieces that lie this far apart in height are not confused by the wrong rotation."""
UPRIGHT = 1e-9
SHOWN_DIFFERENCE = 0.02
"""A remark gives the raw score by plain areas if it differs by more than this."""


def judge(built: Arrangement) -> Outcome:
    """The published judgement of an arrangement."""
    rows = checks.run(built, stop_at_first=not len(built.poses))
    if not len(built.poses):
        return Outcome.failed(rows)
    pairs = collisions(built.vertices, contact=TOUCHING).pairs.tolist()
    touching = [Problem(f"Tetrahedra {i} and {j} intersect or touch", piece_ids([i, j])) for i, j in pairs]
    rows[2] = Check.of(checks.names[2], touching)
    covered, mismatch = shares(built.target, built)
    raw = factor_of(bool(built.unnormalised), bool(pairs)) * covered - 0.5 * mismatch
    halved = score_of(INTERSECTING * covered - 0.5 * mismatch, built.target)
    figures = [
        Figure("raw", raw),
        Figure("coverage", covered),
        Figure("mismatch", mismatch),
        Figure("score if taken for intersecting", halved),
    ]
    score = score_of(raw, built.target)
    remarks = [*_differs(raw, built, pairs), *_doubts(built.poses)]
    is_perfect = all_passed(rows) and score >= 1
    return Outcome(score, rows, figures, remarks, passed=is_perfect)


def shares(target: TetrahedraTarget, built: Arrangement) -> tuple[float, float]:
    """Coverage and mismatch with the published heights, as shares of the published volume of the target."""
    start = (0.0, 0.0)
    sides = (INFLATION, INFLATION)
    shadow = swept(union_of(built.shadows), start, sides)
    covered = polygons_in(shadow.intersection(target.shape))
    whole = INFLATED_HEIGHT * swept(target.shape, start, sides).area
    common = INFLATED_HEIGHT * swept(covered, start, sides).area
    cast = HEIGHT * shadow.area
    mismatch = HEIGHT * shadow.union(target.shape).difference(grown(covered)).area
    return min(common, cast) / whole, mismatch / whole


def _differs(raw: float, built: Arrangement, pairs: list[list[int]]) -> list[str]:
    """A sentence on why the raw score differs from that by plain areas, if it does noticeably."""
    plain = built.fit.raw(built.factor)
    if abs(raw - plain) <= SHOWN_DIFFERENCE:
        return []
    touches = len(pairs) > len(built.collisions.pairs)
    reason = (
        "tetrahedra that only touch count as intersecting" if touches else "the heights 0.101 and 0.1 remain in areas"
    )
    return [f"By plain areas the raw score is {plain:.4f}: here {reason}"]


def _doubts(poses: Floats) -> list[str]:
    """A sentence if turned pieces are close enough for the published test to go wrong."""
    turned = np.abs(poses[:, 3]) ** 2 < (1 - UPRIGHT) * (poses[:, 3:] ** 2).sum(axis=1)
    z = np.sort(poses[:, 2])
    if not turned.any() or len(z) < 2 or np.diff(z).min() >= SAFE_DISTANCE:
        return []
    return [
        "The published test of intersections turns pieces wrongly. It may have taken some of these for intersecting, "
        "and halved the coverage; pieces 4.05 apart in height are safe from that"
    ]
