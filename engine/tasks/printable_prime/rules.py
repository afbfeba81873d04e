"""The checks of a stack: by the tables, by the published tables, and by geometry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from spatial_workbench.engine.core import CheckList, Problem
from spatial_workbench.engine.core.words import beside
from spatial_workbench.engine.tasks.printable_prime import primes
from spatial_workbench.engine.tasks.printable_prime.digits import (
    DigitPlaced,
    groups_of,
    number_of,
    prints,
    published_prints,
    published_refusal,
    refusal,
)
from spatial_workbench.engine.tasks.printable_prime.solids import HANGING_MM, UNCOVERED_MM2, hanging_mm, uncovered_mm2

checks = CheckList()


@checks.step("a number")
def _a_number(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    if not stack:
        yield Problem("There are no digits")
    elif stack[0].digit == 0:
        yield Problem("The number begins with 0", ["digit 0"])
    allowed = set(rules["digits"])
    for k, placed in enumerate(stack):
        if placed.digit not in allowed:
            yield Problem(f"Digit {k} is a {placed.digit}, which may not be used here", [f"digit {k}"])
        elif not (rules["standing"] or placed.orientation.is_flat):
            yield Problem(f"Digit {k} stands; here all digits lie flat", [f"digit {k}"])


@checks.step("no group repeated")
def _groups(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    length = rules["group"]
    groups = groups_of(number_of(stack), length)
    ends = [len(stack) - length * (len(groups) - 1 - k) for k in range(len(groups))]
    seen: dict[str, int] = {}
    for k, group in enumerate(groups):
        if group in seen:
            both = [i for g in (seen[group], k) for i in range(max(0, ends[g] - length), ends[g])]
            yield Problem(f"The group {group} appears twice", [f"digit {i}" for i in both])
        seen.setdefault(group, k)


@checks.step("every digit prints")
def _prints(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    for k, placed in enumerate(stack):
        if not prints(placed):
            yield Problem(
                f"Digit {k}: a {placed} hangs {hanging_mm(placed):.0f} mm of a bar in the air", [f"digit {k}"]
            )


@checks.step("a prime")
def _prime(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    number = int(number_of(stack))
    if not primes.is_prime(number):
        factor = primes.smallest_factor(number)
        why = f"it is divisible by {factor}" if factor else "it is a product of larger primes"
        yield Problem("The number is not prime: " + (why if number > 1 else "a prime is at least 2"))


@checks.step("every digit rests on the one below")
def _stacks(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    for k, (lower, upper) in enumerate(pairwise(stack)):
        if prints(lower) and prints(upper) and (why := refusal(lower, upper)):
            yield Problem(f"Digit {k + 1} ({upper}) on digit {k} ({lower}): {why}", [f"digit {k}", f"digit {k + 1}"])


published_checks = CheckList()


@published_checks.step("not empty")
def _published_not_empty(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    if not stack:
        yield Problem("There are no digits")


published_checks.step("no group repeated")(_groups)


@published_checks.step("every digit prints")
def _published_prints(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    for k, placed in enumerate(stack):
        if not published_prints(placed):
            yield Problem(f"Digit {k}: a {placed} does not print by itself", [f"digit {k}"])


published_checks.step("a prime")(_prime)


@published_checks.step("every digit rests on the one below")
def _published_stacks(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    for k, (lower, upper) in enumerate(pairwise(stack)):
        if why := published_refusal(lower, upper):
            yield Problem(f"Digit {k + 1}: {why}", [f"digit {k}", f"digit {k + 1}"])


geometric_checks = CheckList()
geometric_checks.step("a number")(_a_number)


@geometric_checks.step("no group repeated")
def _commas(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    number = number_of(stack)[::-1]
    groups = [number[k : k + rules["group"]] for k in range(0, len(number), rules["group"])]
    if len(set(groups)) < len(groups):
        yield Problem("A group appears twice")


@geometric_checks.step("no bar hangs free")
def _hangs(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    for k, placed in enumerate(stack):
        if (free := hanging_mm(placed)) > HANGING_MM:
            yield Problem(f"Digit {k} ({placed}) hangs {beside(free, 0, 1)} mm of a bar in the air", [f"digit {k}"])


@geometric_checks.step("prime by forty rounds")
def _rounds(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    if not primes.is_prime_by_rounds(int(number_of(stack))):
        yield Problem("The number is not prime")


@geometric_checks.step("every layer is carried")
def _carried(rules: Mapping[str, Any], stack: Sequence[DigitPlaced]) -> Iterator[Problem]:
    for k, (lower, upper) in enumerate(pairwise(stack)):
        if (area := uncovered_mm2(lower, upper)) > UNCOVERED_MM2:
            both = [f"digit {k}", f"digit {k + 1}"]
            yield Problem(f"{beside(area, 0, 1)} mm² of digit {k + 1} rest on nothing", both)
