"""People beside a model, and conditions beside each other: differences of means, by the rule of `intervals`.

Where one side does not vary at all, the interval is put together from those of both sides (Zou and Donner 2008), so
that the difference is never surer than the means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.studies.analysis.intervals import (
    DRAWS,
    LEAST_FOR_BOOTSTRAP,
    LEAST_PEOPLE,
    LEVEL,
    MeanSpread,
    Scores,
    StudyEstimate,
    are_equal,
    drawn_item_means,
    ends_by_t,
    ends_of_equals,
    expanded_alpha,
    half_width,
    item_means,
    mean_interval,
    mean_of,
    percentiles,
    resampled_means,
    spread_of_people,
)

LEAST_ITEMS_RESAMPLED = 8
MOST_EXACT_FLIPS = 16
SAMPLED_FLIPS = 20_000
_TIE = 1e-9
_RANGE = (-1.0, 1.0)
"""What a difference of scores can be."""
Samples = Sequence[Sequence[float]]
"""A model's scores, for each item as many as there were samples."""


# People beside a model -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StudyContrast:
    """People minus a model on common items.

    Attributes:
        these_items: The interval if the items are all there is; None for too few people.
        such_items: The interval if the items stand for others like them; None for fewer than eight items.
        p: Of the sign-flip test over items, two-sided.
        below_model: The share of people below the model's mean, ties half.
    """

    difference: float
    these_items: tuple[float, float] | None
    such_items: tuple[float, float] | None
    p: float
    below_model: float


def contrast(scores: Scores, samples: Samples, seed: int, draws: int = DRAWS, level: float = LEVEL) -> StudyContrast:
    """People's scores minus those of a model, whose `samples` are given for each item."""
    model = np.array([np.mean(sample) for sample in samples])
    differences = item_means(scores) - model
    people, items = scores.shape
    these = such = None
    if people >= LEAST_PEOPLE:
        these = _contrast_ends(scores, samples, seed, draws, level)
    if people >= LEAST_PEOPLE and items >= LEAST_ITEMS_RESAMPLED:
        such = _contrast_ends(scores, samples, seed, draws, level, varies_items=True)
    means = np.nanmean(scores, axis=1)
    mean = float(model.mean())
    below = float(np.mean((means < mean - _TIE) + 0.5 * (np.abs(means - mean) <= _TIE)))
    return StudyContrast(float(differences.mean()), these, such, sign_flip_p(differences, seed), below)


def _contrast_ends(
    scores: Scores, samples: Samples, seed: int, draws: int, level: float, varies_items: bool = False
) -> tuple[float, float] | None:
    people, items = scores.shape
    differences = item_means(scores) - np.array([np.mean(sample) for sample in samples])
    value = float(differences.mean())
    others = [*_spreads_of_samples(samples), *([_spread_of_items(differences)] if varies_items else [])]
    if are_equal(scores):
        half = half_width(others, level)
        return _together(value, _arms(mean_interval(scores, seed, draws, level)), (half, half))
    if people < LEAST_FOR_BOOTSTRAP:
        return ends_by_t(value, [spread_of_people(scores), *others], level, *_RANGE)
    drawn = _resampled_contrasts(scores, samples, seed, draws, varies_items)
    return percentiles(drawn, draws, expanded_alpha(min(people, items) if varies_items else people, level))


def _spreads_of_samples(samples: Samples) -> list[MeanSpread]:
    """How far a model's mean spreads because of its samples; a single one tells nothing."""
    items = len(samples)
    return [
        MeanSpread(float(np.var(sample, ddof=1)) / len(sample) / items**2, len(sample) - 1)
        for sample in samples
        if len(sample) > 1
    ]


def _spread_of_items(differences: Scores) -> MeanSpread:
    items = len(differences)
    return MeanSpread(float(np.var(differences, ddof=1)) / items, items - 1)


def _resampled_contrasts(scores: Scores, samples: Samples, seed: int, draws: int, resamples_items: bool) -> Scores:
    rng = np.random.Generator(np.random.PCG64(seed))
    means = []
    for drawn in drawn_item_means(scores, seed, draws):
        differences = drawn - _drawn_sample_means(samples, rng, len(drawn))
        if resamples_items:
            chosen = rng.integers(differences.shape[1], size=differences.shape)
            differences = np.take_along_axis(differences, chosen, axis=1)
        means.append(differences.mean(axis=1))
    return np.concatenate(means)[:draws]


def _drawn_sample_means(samples: Samples, rng: np.random.Generator, draws: int) -> Scores:
    """The items' means over drawn samples: (draws, items)."""
    arrays = [np.asarray(sample, float) for sample in samples]
    means: Scores = np.stack([a[rng.integers(len(a), size=(draws, len(a)))].mean(axis=1) for a in arrays], axis=1)
    return means


def sign_flip_p(differences: Scores, seed: int = 0) -> float:
    """The two-sided p value of differences over items: all signs for up to 16 items, a sample of them for more."""
    differences = np.asarray(differences, float)
    count = len(differences)
    observed = abs(differences.sum())
    if count <= MOST_EXACT_FLIPS:
        signs = 1 - 2 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
        return float(np.mean(np.abs(signs @ differences) >= observed - _TIE))
    rng = np.random.Generator(np.random.PCG64(seed))
    signs = 1 - 2 * rng.integers(2, size=(SAMPLED_FLIPS, count))
    as_far = int(np.sum(np.abs(signs @ differences) >= observed - _TIE))
    return (as_far + 1) / (SAMPLED_FLIPS + 1)


# Conditions ----------------------------------------------------------------------------------------------------------


def difference_between(
    first: Scores, second: Scores, seed: int, draws: int = DRAWS, level: float = LEVEL
) -> StudyEstimate:
    """The mean under one condition minus that under another, of different people, who are resampled within each."""
    fewest = min(len(first), len(second))
    people = len(first) + len(second)
    value = mean_of(first) - mean_of(second) if fewest else math.nan
    if fewest < LEAST_PEOPLE:
        return StudyEstimate(value, None, None, people)
    low, high = _ends_between(value, first, second, seed, draws, level) or (None, None)
    return StudyEstimate(value, low, high, people)


def _ends_between(
    value: float, first: Scores, second: Scores, seed: int, draws: int, level: float
) -> tuple[float, float] | None:
    fewest = min(len(first), len(second))
    if are_equal(first) or are_equal(second):
        sides = [mean_interval(scores, seed, draws, level) for scores in (first, second)]
        return _together(value, _arms(sides[0]), _arms(sides[1]))
    if fewest < LEAST_FOR_BOOTSTRAP:
        return ends_by_t(value, [spread_of_people(first), spread_of_people(second)], level, *_RANGE)
    means = [resampled_means(first, seed, draws), resampled_means(second, seed + 1, draws)]
    drawn = min(map(len, means))
    return percentiles(means[0][:drawn] - means[1][:drawn], draws, expanded_alpha(fewest, level))


def difference_within(first: Scores, second: Scores, level: float = LEVEL) -> StudyEstimate:
    """The mean of people's own differences between two conditions, by t for any number; one row for each person."""
    differences = (np.nanmean(first, axis=1) - np.nanmean(second, axis=1))[:, None]
    people = len(differences)
    value = float(differences.mean()) if people else math.nan
    if people < LEAST_PEOPLE:
        return StudyEstimate(value, None, None, people)
    if are_equal(differences):
        return StudyEstimate(value, *ends_of_equals(value, people, level, *_RANGE), people)
    return StudyEstimate(value, *ends_by_t(value, [spread_of_people(differences)], level, *_RANGE), people)


# From the intervals of both sides --------------------------------------------------------------------------------


_Arms = tuple[float, float] | None
"""How far an interval reaches down and up; None: there is no interval."""


def _arms(estimate: StudyEstimate) -> _Arms:
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.value - estimate.low, estimate.high - estimate.value


def _together(value: float, first: _Arms, second: _Arms) -> tuple[float, float] | None:
    """The interval of a difference, from those of both sides."""
    if first is None or second is None:
        return None
    low = value - math.hypot(first[0], second[1])
    high = value + math.hypot(first[1], second[0])
    return max(_RANGE[0], low), min(_RANGE[1], high)
