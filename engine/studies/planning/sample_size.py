"""How many people a study needs (docs/study_statistics.md)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.core.rates import wilson

MOST_PEOPLE = 100_000


class ScoreKind(StrEnum):
    """How the items of a study are scored."""

    PASS_FAIL = "pass or fail"
    GRADED = "graded"


ASSUMED_SDS = {ScoreKind.PASS_FAIL: (0.18, 0.41), ScoreKind.GRADED: (0.18, 0.20)}
"""The standard deviations between people, and of the rest, that are assumed without a pilot.

A score of 0 or 1 has the standard deviation √(p (1 - p)): 0.46 if 7 of 10 pass, and at most 0.5. With these two it has
0.45. Graded scores vary less.
"""


@dataclass(frozen=True)
class Spread:
    """How scores vary: over people, and within a person over items, as standard deviations; and how many items."""

    people: float
    rest: float
    items: int

    @property
    def of_person_means(self) -> float:
        """The standard deviation of people's means over the items."""
        return math.sqrt(self.people**2 + self.rest**2 / self.items)

    @property
    def correlation(self) -> float:
        """The share of the variance that is between people."""
        total = self.people**2 + self.rest**2
        return self.people**2 / total if total else 0.0


def people_for_half_width(spread: Spread, half_width: float, level: float = 0.95) -> int | None:
    """The fewest people whose interval of the mean reaches at most so far to each side; None: more than can be."""
    from scipy.stats import t

    def reaches(n: int) -> bool:
        return float(t.ppf((1 + level) / 2, n - 1)) * spread.of_person_means / math.sqrt(n) <= half_width

    return _least(reaches)


def people_for_difference(
    spread: Spread, difference: float, power: float = 0.8, level: float = 0.95, groups: int = 1
) -> int | None:
    """The fewest people (in each group) that find a difference with this power, from a fixed mean or between groups."""
    return _least(lambda n: power_of(spread, difference, n, level, groups) >= power)


def power_of(spread: Spread, difference: float, n: int, level: float = 0.95, groups: int = 1) -> float:
    """The power of a two-sided t test with n people (in each group)."""
    from scipy.stats import nct, t

    freedom = groups * (n - 1)
    if not spread.of_person_means:
        return 1.0
    noncentrality = difference / (spread.of_person_means * math.sqrt(groups / n))
    bound = float(t.ppf((1 + level) / 2, freedom))
    return float(nct.sf(bound, freedom, noncentrality) + nct.cdf(-bound, freedom, noncentrality))


def least_difference(spread: Spread, n: int, power: float = 0.8, level: float = 0.95, groups: int = 1) -> float:
    """The smallest difference that n people (in each group) find with this power."""
    from scipy.optimize import brentq

    far = spread.of_person_means / 16
    while power_of(spread, far, n, level, groups) < power:
        far *= 2
    return float(brentq(lambda difference: power_of(spread, difference, n, level, groups) - power, 1e-9, far))


def people_for_pass_rate(half_width: float) -> int | None:
    """The fewest people whose Wilson interval of a pass rate of one half reaches at most so far to each side."""
    return _least(lambda n: wilson_half_width(n) <= half_width)


def wilson_half_width(n: int) -> float:
    """Half the Wilson interval of a pass rate of one half among n people."""
    low, high = wilson(n / 2, n)
    return (high - low) / 2


def effective_trials(people: int, items: int, correlation: float) -> float:
    """How many independent trials people × items trials are worth."""
    return people * items / (1 + (items - 1) * correlation)


def slots_for(people: int, dropout: float, multiple: int = 1) -> int:
    """How many slots to plan, with those who will drop out, as a multiple of rows × conditions."""
    needed = math.ceil(people / (1 - dropout) - 1e-9)
    return math.ceil(needed / multiple) * multiple


def _least(suffices: Callable[[int], bool]) -> int | None:
    """The least n from 2 on that suffices, by doubling and halving."""
    high = 2
    while not suffices(high):
        high *= 2
        if high > MOST_PEOPLE:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if middle >= 2 and suffices(middle):
            high = middle
        else:
            low = middle
    return high
