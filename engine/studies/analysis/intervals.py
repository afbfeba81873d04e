"""Means over people and items, and the one rule by which they get their intervals (docs/study_statistics.md).

Scores are arrays (people, items); NaN stands for an item that a person did not have. People are what is resampled:
trials of a person are never treated as independent.

Fewer than 3 people      no interval
All people the same      what so many equal values allow, as Clopper and Pearson have it for pass and fail
Fewer than 8 people      Student's t
8 people and more        bootstrap over people, with expanded percentiles
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.float64]

LEVEL = 0.95
DRAWS = 10_000
LEAST_PEOPLE = 3
LEAST_FOR_BOOTSTRAP = 8
NOTHING = 1e-12
"""Variances below this come from rounding."""
_CHUNK = 500
_MOST_REDRAWS = 20
"""How many times as many draws are tried as are wanted."""


@dataclass(frozen=True)
class StudyEstimate:
    """A figure with its interval; without one (None) if there are too few people."""

    value: float
    low: float | None
    high: float | None
    people: int


class MeanSpread(NamedTuple):
    """The squared standard error of a mean, and its degrees of freedom."""

    variance: float
    freedom: float


# Means -----------------------------------------------------------------------------------------------------------


def item_means(scores: Scores) -> Scores:
    """The mean of each item over the people who had it; NaN for an item that nobody had."""
    counts = np.isfinite(scores).sum(axis=0)
    means: Scores = np.where(counts > 0, np.nansum(scores, axis=0) / np.maximum(counts, 1), np.nan)
    return means


def mean_of(scores: Scores) -> float:
    """The mean over items of the mean over people; NaN if some item was had by nobody."""
    return float(np.mean(item_means(scores)))


def mean_interval(scores: Scores, seed: int, draws: int = DRAWS, level: float = LEVEL) -> StudyEstimate:
    """The mean of scores, 0 to 1, with its interval."""
    scores = scores[np.isfinite(scores).any(axis=1)]
    people = len(scores)
    value = mean_of(scores) if people else math.nan
    if people < LEAST_PEOPLE:
        return StudyEstimate(value, None, None, people)
    low, high = _mean_ends(value, scores, seed, draws, level) or (None, None)
    return StudyEstimate(value, low, high, people)


def _mean_ends(value: float, scores: Scores, seed: int, draws: int, level: float) -> tuple[float, float] | None:
    people = len(scores)
    if are_equal(scores):
        # An item that one person had tells nothing of how people vary.
        is_shared = (np.isfinite(scores).sum(axis=0) > 1).all()
        return ends_of_equals(value, people, level) if is_shared else None
    if people < LEAST_FOR_BOOTSTRAP:
        return ends_by_t(value, [spread_of_people(scores)], level)
    return percentiles(resampled_means(scores, seed, draws), draws, expanded_alpha(people, level))


# By Student's t --------------------------------------------------------------------------------------------------


def spread_of_people(scores: Scores) -> MeanSpread:
    """How far the mean of scores spreads because other people might have been asked, by the jackknife over people."""
    people = len(scores)
    return MeanSpread(float(np.sum(_contributions(scores) ** 2)) / (people * (people - 1)), people - 1)


def _contributions(scores: Scores) -> Scores:
    """How far the mean moves without each person, times one less than there are people.

    Without missing cells, that is a person's own mean minus the mean.
    """
    others = np.maximum(np.isfinite(scores).sum(axis=0) - 1, 1)
    shares = np.nan_to_num(scores - item_means(scores)) * (len(scores) - 1) / others
    contributions: Scores = shares.mean(axis=1)
    return contributions


def are_equal(scores: Scores) -> bool:
    """Whether nothing varies from person to person."""
    return spread_of_people(scores).variance < NOTHING**2


def ends_by_t(
    value: float, spreads: Sequence[MeanSpread], level: float = LEVEL, least: float = 0.0, greatest: float = 1.0
) -> tuple[float, float]:
    """The interval of a value by Student's t, cut to what can be; several errors add up (Welch, Satterthwaite)."""
    half = half_width(spreads, level)
    return max(least, value - half), min(greatest, value + half)


def half_width(spreads: Sequence[MeanSpread], level: float = LEVEL) -> float:
    """Half the interval of a value whose error is the sum of independent ones; 0 if nothing varies."""
    from scipy.stats import t

    variance = sum(spread.variance for spread in spreads)
    if variance < NOTHING**2:
        return 0.0
    freedom = variance**2 / sum(spread.variance**2 / spread.freedom for spread in spreads)
    return float(t.ppf((1 + level) / 2, freedom)) * math.sqrt(variance)


def ends_of_equals(
    value: float, people: int, level: float = LEVEL, least: float = 0.0, greatest: float = 1.0
) -> tuple[float, float]:
    """The means that so many equal values allow.

    People might be drawn from a population in which some would have had another value. A share p of those who have
    this one gives only such people with the chance pⁿ, and the others have at worst the least or the greatest value.
    For 0 and 1 of pass and fail, that is the interval of Clopper and Pearson; it holds for any scores in the range.
    """
    share = ((1 - level) / 2) ** (1 / people)
    return least + share * (value - least), greatest - share * (greatest - value)


# By the bootstrap ------------------------------------------------------------------------------------------------


def expanded_alpha(people: int, level: float = LEVEL) -> float:
    """The tail that makes a percentile interval as wide as so few people need (Hesterberg 2014)."""
    from scipy.stats import norm, t

    quantile = float(t.ppf((1 + level) / 2, people - 1))
    return float(norm.cdf(-quantile * math.sqrt(people / (people - 1))))


def percentiles(values: Scores, draws: int, alpha: float) -> tuple[float, float] | None:
    """The values that leave a tail on each side; None if there are fewer values than draws were wanted."""
    if len(values) < draws:
        return None
    low, high = np.quantile(values, [alpha, 1 - alpha])
    return float(low), float(high)


def resampled_means(scores: Scores, seed: int, draws: int = DRAWS) -> Scores:
    """The mean in each of many draws of people; draws in which an item has nobody are drawn again.

    Where each item was had by very few people, most draws lack one; then there are fewer draws, or none.
    """
    means = [drawn.mean(axis=1) for drawn in drawn_item_means(scores, seed, draws)]
    return np.concatenate(means)[:draws]


def drawn_item_means(scores: Scores, seed: int, draws: int) -> Iterator[Scores]:
    """The items' means over drawn people, in pieces (draws, items), until there are enough draws."""
    # Sorted, people give the same means in whatever order they stand.
    scores = scores[np.lexsort(scores.T[::-1])]
    known = np.isfinite(scores).astype(float)
    filled = np.nan_to_num(scores)
    collected = 0
    for weights in pieces_of_draws(len(scores), seed, _MOST_REDRAWS * draws):
        totals = weights @ known
        whole = (totals > 0).all(axis=1)
        yield (weights @ filled)[whole] / totals[whole]
        collected += int(whole.sum())
        if collected >= draws:
            return


def pieces_of_draws(people: int, seed: int, draws: int) -> Iterator[Scores]:
    """How often each person is drawn, in pieces (draws, people), until there are enough draws."""
    return (_people_drawn(people, seed, piece).astype(float) for piece in range(math.ceil(draws / _CHUNK)))


@lru_cache(maxsize=480)
def _people_drawn(people: int, seed: int, piece: int) -> NDArray[np.unsignedinteger]:
    """How often each person is drawn: (draws, people), in few bytes. A report asks for the same draws many times."""
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, piece])))
    drawn = rng.multinomial(people, np.full(people, 1 / people), size=_CHUNK)
    return drawn.astype(np.min_scalar_type(people))
