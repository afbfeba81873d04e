"""The verifiers: the gate, then the volumes."""

from __future__ import annotations

from spatial_workbench.engine.core import Check, CheckList, Outcome, Problem, Progress
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.tasks.csg_union.answer import Polyhedron
from spatial_workbench.engine.tasks.csg_union.gate import GATE, OUTWARD, PUBLISHED_GATE, UnionCandidate, remarks
from spatial_workbench.engine.tasks.csg_union.solids import Solid, union_of
from spatial_workbench.engine.tasks.csg_union.volumes import (
    FULL_SCORE,
    MOST_TRIANGLES,
    NotASolid,
    Volumes,
    compare,
    manifold_from,
)

VOLUMES = "volumes agree with the union"
"""Name of the score's check, which fails below 95 %."""
INVERTED = "The faces look inwards: the polyhedron was turned inside out before it was compared"
NO_ALLOWANCE = (
    f"More than {MOST_TRIANGLES} triangles are near the difference: nothing was allowed for what is within 0.05 cm"
)


def judge(solids: tuple[Solid, ...], answer: Polyhedron, progress: Progress) -> Outcome:
    """By the rules."""
    return _judged(GATE, solids, answer, progress)


def judge_as_published(solids: tuple[Solid, ...], answer: Polyhedron, progress: Progress) -> Outcome:
    """By the published verifier's rules."""
    return _judged(PUBLISHED_GATE, solids, answer, progress)


def _judged(gate: CheckList, solids: tuple[Solid, ...], answer: Polyhedron, progress: Progress) -> Outcome:
    it = UnionCandidate(answer.vertices, answer.faces, progress)
    checks = gate.run(it)
    if not all_passed(checks):
        return Outcome.failed([*checks, Check.not_reached(VOLUMES)])
    warnings = remarks(it)
    if it.is_inverted:
        warnings.insert(0, INVERTED)
        checks = [c.model_copy(update={"message": INVERTED}) if c.name == OUTWARD else c for c in checks]
    # Before the answer, always: what manifold3d makes of two solids depends on which is older.
    union = union_of(solids)
    try:
        solid = manifold_from(it.vertices, it.outward)
    except NotASolid as error:
        problem = Problem(f"manifold3d takes no solid from these faces: {error}")
        return Outcome.failed([*checks, Check.of(VOLUMES, [problem])], warnings=warnings)
    volumes = compare(union, solid, progress)
    if not volumes.allows_near and volumes.score < 1:
        warnings.append(NO_ALLOWANCE)
    row = Check.of(VOLUMES, _difference(volumes), passed=_words(volumes))
    return Outcome(volumes.score, [*checks, row], volumes.figures, warnings)


def _difference(volumes: Volumes) -> list[Problem]:
    return [] if volumes.raw > FULL_SCORE else [Problem(_words(volumes))]


def _words(volumes: Volumes) -> str:
    return f"Missing {volumes.missing:.4g} cm³, too much {volumes.excess:.4g} cm³ of {volumes.union:.6g} cm³"
