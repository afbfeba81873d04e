"""The published verifier with its faults, where it differs from the rules: criteria 0, 1, 3, 4 and 5.

It takes any transform and does not look for self-intersections; a tenth of criterion 1 is given for each part that lies
within the build volume around the origin, and nothing else of it counts; the space inside is 10 smaller on every side;
rods are 1 thinner and end at 180; and parts collide if one has anything outside of the other, which all have.
The published cubes of criterion 2 are drawn anew in every run; here they are those of the default.
"""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from spatial_workbench.engine.core.checks import Check, CheckList, Problem, State
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.interlocking_parts import assembly
from spatial_workbench.engine.tasks.interlocking_parts.assembly import Posed
from spatial_workbench.engine.tasks.interlocking_parts.cage import CRITERIA, Cage, name_of
from spatial_workbench.engine.tasks.interlocking_parts.rules import criterion_of, so_far, states
from spatial_workbench.engine.tasks.interlocking_parts.study import CageStudy

PER_PART = 0.1
SMALLER_MM = 10.0
THINNER_MM = 1.0
ROD_ENDS = (-180.0, 180.0)
_ANYTHING_MM3 = 1e-9

checks = CheckList()


@checks.step("0 · number of parts, closed solids")
def _valid(study: CageStudy) -> Iterator[Problem]:
    if len(study.parts) != study.cage.parts:
        yield Problem(f"{counted(len(study.parts), 'part')} instead of {study.cage.parts}")
    for i, built in enumerate(study.solid_results):
        if built.problem or (study.places[i] is None and not built.waiting):
            yield Problem(f"Part {i}: {built.problem or 'it cannot be placed'}", [name_of(i)])


@checks.step("1 · within the build volume around the origin")
def _fits(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        if not _is_on_bed(place, study.cage):
            yield Problem(f"Part {i} leaves the build volume around the origin", [name_of(i)])


@checks.step("3 · free inside, smaller")
def _inside(study: CageStudy) -> Iterator[Problem]:
    low, high = study.cage.inner_box
    inset = np.array([SMALLER_MM / 2, SMALLER_MM / 2, SMALLER_MM])
    for i, place in study.placed:
        if assembly.shared_with_box(place, low + inset, high - inset) > assembly.SHARED_MM3:
            yield Problem(f"Part {i} reaches into the inside", [name_of(i)])
        if assembly.outside_mm3(place, study.cage) > assembly.SHARED_MM3:
            yield Problem(f"Part {i} leaves the outer limit", [name_of(i)])


@checks.step("4 · thinner rods, up to z = 180")
def _rods(study: CageStudy) -> Iterator[Problem]:
    cage = study.cage
    for rod, axis in enumerate(cage.axes):
        thin = [assembly.on_rod_mm3(place, axis, cage.rod - THINNER_MM, ROD_ENDS, True) for _, place in study.placed]
        thick = [assembly.on_rod_mm3(place, axis, cage.blocked, ROD_ENDS, False) for _, place in study.placed]
        if max(thin, default=0.0) > assembly.SHARED_MM3:
            yield Problem(f"A part blocks rod {rod}", [f"rod {rod}"])
        if max(thick, default=0.0) <= assembly.SHARED_MM3:
            yield Problem(f"Nothing is around rod {rod}", [f"rod {rod}"])


@checks.step("5 · nothing of a part outside of another")
def _apart(study: CageStudy) -> Iterator[Problem]:
    for (i, first), (j, second) in permutations(study.placed, 2):
        shared = assembly.shared_mm3(first, second)
        if shared > _ANYTHING_MM3 or abs(first.manifold.volume()) - shared > _ANYTHING_MM3:
            yield Problem(f"Part {i} counts as hitting part {j}", [name_of(i), name_of(j)])


def judge(study: CageStudy) -> tuple[list[Check], list[float]]:
    """The rows, and the score of each criterion."""
    own = {criterion_of(check): check for check in checks.run(study, stop_at_first=False)}
    rows = so_far(study)
    ordered: list[Check] = []
    for number in range(len(CRITERIA)):
        ordered += [own[number]] if number in own else [check for check in rows if criterion_of(check) == number]
    if own[0].state is not State.PASSED:
        return [own[0], *(Check.not_reached(check.name) for check in ordered[1:])], [0.0] * len(CRITERIA)
    scores = [float(state is State.PASSED) for state in states(ordered)]
    scores[1] = min(1.0, PER_PART * sum(_is_on_bed(place, study.cage) for _, place in study.placed))
    return ordered, scores


def _is_on_bed(place: Posed, cage: Cage) -> bool:
    low, high = place.solid.bounds
    x, y, z = cage.printer
    near = np.array([x / 2, y / 2, z])
    return bool((high <= near + 0.01).all() and (low >= [-x / 2 - 0.01, -y / 2 - 0.01, -0.11]).all())
