"""The nine criteria, in their order. A row's name begins with the number of the criterion that it belongs to."""

from collections.abc import Iterator, Sequence

import numpy as np

from spatial_workbench.engine.core.checks import Check, CheckList, Problem, State, all_passed
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import beside
from spatial_workbench.engine.tasks.interlocking_parts import assembly, printing
from spatial_workbench.engine.tasks.interlocking_parts.cage import CRITERIA, name_of
from spatial_workbench.engine.tasks.interlocking_parts.printing import BED_MM, CONTACT_MM2, STABLE_MM
from spatial_workbench.engine.tasks.interlocking_parts.rays import Measured, thickness
from spatial_workbench.engine.tasks.interlocking_parts.study import CageStudy

checks = CheckList()


def criterion_of(check: Check) -> int:
    """The criterion that a row belongs to."""
    return int(check.name[0])


@checks.step("0 · number of parts")
def _count(study: CageStudy) -> Iterator[Problem]:
    if len(study.parts) != study.cage.parts:
        count = len(study.parts)
        wanted = study.cage.parts
        yield Problem(f"1 part instead of {wanted}" if count == 1 else f"{count} parts instead of {wanted}")


@checks.step("0 · closed solids")
def _solids(study: CageStudy) -> Iterator[Problem]:
    for i, built in enumerate(study.solid_results):
        if built.problem or built.crossing:
            yield _problem(i, built.problem or built.crossing)


@checks.step("0 · rigid placements")
def _rigid(study: CageStudy) -> Iterator[Problem]:
    for i, part in enumerate(study.parts):
        problem = assembly.rigid_problem(part.matrix, len(part.transform))
        if problem:
            yield _problem(i, problem)


@checks.step("1 · fits the printer")
def _fits(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        printed = printing.printed(place.solid)
        if not printed.fits(study.cage.printer):
            yield _problem(i, f"it measures {sizes(printed.size)} mm; the printer has {sizes(study.cage.printer)}")


@checks.step("1 · rests on the bed")
def _rests(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        lowest = printing.printed(place.solid).lowest
        if abs(lowest) > BED_MM:
            yield _problem(i, f"its lowest point is at z = {beside(lowest, 0, 2)} mm; it should be 0")


@checks.step("1 · bed contact")
def _contact(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        area = printing.printed(place.solid).contact_mm2
        if area < CONTACT_MM2:
            yield _problem(i, f"{beside(area, CONTACT_MM2, 0)} mm² of it lie on the bed; it takes {CONTACT_MM2:.0f}")


@checks.step("1 · no large overhang")
def _overhang(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        large = [patch for patch in printing.printed(place.solid).overhangs if not patch.prints]
        if large:
            worst = max(large, key=lambda patch: patch.span)
            words = f"an overhang of {worst.area:.0f} mm² spans {worst.span:.1f} mm without support"
            yield _problem(i, words + (f" (and {len(large) - 1} more)" if len(large) > 1 else ""))


@checks.step("1 · stands while it is printed")
def _stands(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        margin = printing.printed(place.solid).margin
        if margin < STABLE_MM:
            where = f"{beside(margin, STABLE_MM, 1)} mm inside" if margin >= 0 else marked("outside")
            yield _problem(i, f"its centre of gravity is {where} what lies on the bed; it takes {STABLE_MM:g} mm")


@checks.step("2 · small cube passes")
def _small(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        small, _ = printing.contacts(place.solid, study.cage)
        if small.all():
            yield _problem(i, f"a cube of {study.cage.small_cube:g} mm meets it at all {len(small)} places")


@checks.step("2 · large cube is held back")
def _large(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        _, large = printing.contacts(place.solid, study.cage)
        if not large.all():
            count = int((~large).sum())
            yield _problem(i, f"a cube of {study.cage.large_cube:g} mm gets through at {count} of {len(large)} places")


@checks.step("3 · free inside")
def _inside(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        volume = assembly.inside_mm3(place, study.cage)
        if volume > assembly.SHARED_MM3:
            yield _problem(i, f"{beside(volume, 0, 0)} mm³ of it are in the space that has to be free")


@checks.step("3 · outer limit")
def _outside(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        volume = assembly.outside_mm3(place, study.cage)
        if volume > assembly.SHARED_MM3:
            yield _problem(i, f"{beside(volume, 0, 0)} mm³ of it are outside the limit")


@checks.step("4 · rods pass")
def _pass(study: CageStudy) -> Iterator[Problem]:
    cage = study.cage
    ends = assembly.rod_ends(study.cage)
    for rod, axis in enumerate(cage.axes):
        for i, place in study.placed:
            volume = assembly.on_rod_mm3(place, axis, cage.rod, ends, True)
            if volume > assembly.SHARED_MM3:
                yield Problem(f"Part {i} blocks rod {rod} with {beside(volume, 0, 0)} mm³", [name_of(i), f"rod {rod}"])


@checks.step("4 · rods are held")
def _held(study: CageStudy) -> Iterator[Problem]:
    cage = study.cage
    ends = assembly.rod_ends(study.cage)
    for rod, axis in enumerate(cage.axes):
        around = sum(assembly.on_rod_mm3(place, axis, cage.blocked, ends, False) for _, place in study.placed)
        if around <= assembly.SHARED_MM3:
            yield Problem(f"Nothing is around rod {rod} within {cage.blocked / 2:g} mm", [f"rod {rod}"])


@checks.step("5 · no two parts intersect")
def _apart(study: CageStudy) -> Iterator[Problem]:
    for i, j, volume in study.pairs():
        yield Problem(f"Part {i} overlaps part {j} by {beside(volume, 0, 0)} mm³", [name_of(i), name_of(j)])


@checks.step("6 · two rods hold each part")
def _engaged(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        rods = len(assembly.engaged(place, study.cage))
        if rods < 2:
            yield _problem(i, "1 rod holds it; it takes 2" if rods == 1 else f"{rods} rods hold it; it takes 2")


@checks.step("7 · bar thickness")
def _thickness(study: CageStudy) -> Iterator[Problem]:
    for i, place in study.placed:
        measured = thickness(place.solid)
        if not measured.is_thickness(study.cage.bar):
            yield _problem(i, f"{measured_words(measured)}; bars should be {study.cage.bar:g} mm thick")


@checks.step("8 · gap uniformity")
def _gap(study: CageStudy) -> Iterator[Problem]:
    if study.solid_results and not study.gap.is_gap(study.cage):
        allowed = f"{study.cage.gap_least:g} to {study.cage.gap_most:g} mm"
        yield Problem(f"Gaps: {measured_words(study.gap)}; they should be {allowed}")


def measured_words(measured: Measured) -> str:
    """What rays measured, in words."""
    if not measured.count:
        return "no ray measured anything"
    return f"{measured.dominant:.1f} mm in {100 * measured.share:.0f} % of {measured.count} measurements"


def sizes(numbers: Sequence[float] | Floats) -> str:
    """A size in words: 370 x 349.6 x 10."""
    return " x ".join(f"{number:g}" for number in np.round(numbers, 2).tolist())


def so_far(study: CageStudy) -> list[Check]:
    """All rows for the parts that are solids in a place, whether or not criterion 0 is met."""
    rows = [_with_figures(check, study) for check in checks.run(study, stop_at_first=False)]
    if any(place is not None for place in study.places):
        return rows
    return [check if criterion_of(check) == 0 else Check.not_reached(check.name) for check in rows]


def strict(rows: Sequence[Check], study: CageStudy) -> list[Check]:
    """The rows for the score. Those after criterion 0 are not reached if it fails or a part was not evaluated."""
    valid = [check for check in rows if criterion_of(check) == 0]
    if not all_passed(valid):
        return [*valid, *(Check.not_reached(check.name) for check in rows[len(valid) :])]
    if not study.waiting:
        return list(rows)
    return [check if i in (0, 2) else unevaluated(check.name, study) for i, check in enumerate(rows)]


def states(rows: Sequence[Check]) -> list[State]:
    """The state of each criterion: passed if all of its rows passed, failed if one failed."""
    ends = []
    for number in range(len(CRITERIA)):
        occurring = {check.state for check in rows if criterion_of(check) == number}
        ends.append(next((state for state in (State.FAILED, State.NOT_REACHED) if state in occurring), State.PASSED))
    return ends


def unevaluated(name: str, study: CageStudy) -> Check:
    """A row that is not reached, because a part was not evaluated."""
    first = study.waiting[0]
    more = f" (and {len(study.waiting) - 1} more)" if len(study.waiting) > 1 else ""
    message = f"Not evaluated, because part {first} is not{more}: {study.solid_results[first].waiting}"
    return Check(name=name, state=State.NOT_REACHED, message=message)


def _with_figures(check: Check, study: CageStudy) -> Check:
    """Adds the measured values to a row that passed."""
    passed = check.state is State.PASSED and study.solid_results
    if passed and check.name.startswith("8"):
        return check.model_copy(update={"message": measured_words(study.gap)})
    return check


def _problem(part: int, words: str) -> Problem:
    return Problem(f"Part {part}: {words}", [name_of(part)])
