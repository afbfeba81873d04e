"""Statistics of a study: means over people and items, with intervals that say how few people there were.

Scores are arrays (people, items); NaN stands for an item that a person did not have. People are what is resampled:
trials of a person are never treated as independent. Formulas and sources: docs/study_statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.float64]

LEVEL = 0.95
DRAWS = 10_000
LEAST_PEOPLE = 3
LEAST_FOR_BOOTSTRAP = 8
LEAST_ITEMS_RESAMPLED = 8
MOST_EXACT_FLIPS = 16
SAMPLED_FLIPS = 20_000
_CHUNK = 500
_MOST_REDRAWS = 20
"""How many times as many draws are tried as are wanted."""
_NOTHING = 1e-12
"""Variances below this come from rounding."""


@dataclass(frozen=True)
class StudyEstimate:
    """A figure with its interval; without one (None) if there are too few people."""

    value: float
    low: float | None
    high: float | None
    people: int


def item_means(scores: Scores) -> Scores:
    """The mean of each item over the people who had it; NaN for an item that nobody had."""
    counts = np.isfinite(scores).sum(axis=0)
    means: Scores = np.where(counts > 0, np.nansum(scores, axis=0) / np.maximum(counts, 1), np.nan)
    return means


def mean_of(scores: Scores) -> float:
    """The mean over items of the mean over people; NaN if some item was had by nobody."""
    return float(np.mean(item_means(scores)))


def expanded_alpha(people: int, level: float = LEVEL) -> float:
    """The tail that makes a percentile interval as wide as so few people need (Hesterberg 2014)."""
    from scipy.stats import norm, t

    quantile = float(t.ppf((1 + level) / 2, people - 1))
    return float(norm.cdf(-quantile * math.sqrt(people / (people - 1))))


def mean_interval(scores: Scores, seed: int, draws: int = DRAWS, level: float = LEVEL) -> StudyEstimate:
    """The mean of scores with its interval: bootstrap over people, or by t for fewer than eight."""
    scores = scores[np.isfinite(scores).any(axis=1)]
    people = len(scores)
    value = mean_of(scores) if len(scores) else math.nan
    if people < LEAST_PEOPLE:
        return StudyEstimate(value, None, None, people)
    if people < LEAST_FOR_BOOTSTRAP:
        low, high = t_interval(np.nanmean(scores, axis=1), level)
        return StudyEstimate(value, max(0.0, low), min(1.0, high), people)
    means = resampled_means(scores, seed, draws)
    if len(means) < draws:
        return StudyEstimate(value, None, None, people)
    return StudyEstimate(value, *_quantiles(means, expanded_alpha(people, level)), people)


def t_interval(values: Scores, level: float = LEVEL) -> tuple[float, float]:
    """The interval of the mean of values by Student's t."""
    from scipy.stats import t

    half = float(t.ppf((1 + level) / 2, len(values) - 1)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    middle = float(np.mean(values))
    return middle - half, middle + half


def resampled_means(scores: Scores, seed: int, draws: int = DRAWS) -> Scores:
    """The mean in each of many draws of people; draws in which an item has nobody are drawn again.

    Where each item was had by very few people, most draws lack one; then there are fewer draws, or none.
    """
    means = [drawn.mean(axis=1) for drawn in _drawn_item_means(scores, seed, draws)]
    return np.concatenate(means)[:draws]


def _drawn_item_means(scores: Scores, seed: int, draws: int) -> Iterator[Scores]:
    """The items' means over drawn people, in pieces (draws, items), until there are enough draws."""
    known = np.isfinite(scores)
    filled = np.where(known, scores, 0.0)
    collected = 0
    for piece in range(_MOST_REDRAWS * math.ceil(draws / _CHUNK)):
        weights = _people_drawn(len(scores), seed, piece)
        totals = weights @ known
        whole = (totals > 0).all(axis=1)
        yield (weights @ filled)[whole] / totals[whole]
        collected += int(whole.sum())
        if collected >= draws:
            return


@lru_cache(maxsize=48)
def _people_drawn(people: int, seed: int, piece: int) -> Scores:
    """How often each person is drawn: (draws, people). A report asks for the same draws for every item."""
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, piece])))
    return rng.multinomial(people, np.full(people, 1 / people), size=_CHUNK).astype(float)


# Time ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Survival:
    """The Kaplan-Meier curve of the time to a solution.

    Attributes:
        times: When somebody solved it, ascending, s.
        shares: The share that has not solved it, after each of these times.
        median: None: not reached.
        low, high: The ends of the median's interval; None: not reached.
    """

    times: tuple[float, ...]
    shares: tuple[float, ...]
    median: float | None
    low: float | None
    high: float | None

    def restricted_mean(self, limit: float) -> float:
        """The mean time up to a limit: the area under the curve."""
        ends = [0.0, *[min(time, limit) for time in self.times], limit]
        heights = [1.0, *self.shares]
        return sum(height * (b - a) for height, a, b in zip(heights, ends, ends[1:], strict=False))


_TIE = 1e-9
"""Products of shares may miss one half by rounding."""


def survival(times: Sequence[float], solved: Sequence[bool], level: float = LEVEL) -> Survival:
    """The curve of times, of which those not solved are censored; median with its log-log interval."""
    from scipy.stats import norm

    ends = np.sort(np.asarray(times, float))
    moments, events = np.unique(np.asarray(times, float)[np.asarray(solved, bool)], return_counts=True)
    risks = len(ends) - np.searchsorted(ends, moments, side="left")
    z = float(norm.ppf((1 + level) / 2))
    share = 1.0
    spread = 0.0
    curve: list[tuple[float, float, float, float]] = []
    for time, count, at_risk in zip(moments.tolist(), events.tolist(), risks.tolist(), strict=True):
        share *= 1 - count / at_risk
        spread += count / (at_risk * (at_risk - count)) if at_risk > count else math.inf
        curve.append((time, share, *_log_log(share, spread, z)))
    return Survival(
        tuple(row[0] for row in curve),
        tuple(row[1] for row in curve),
        *(next((row[0] for row in curve if row[column] <= 0.5 + _TIE), None) for column in (1, 2, 3)),
    )


def _log_log(share: float, spread: float, z: float) -> tuple[float, float]:
    """The lower and upper end of a share's interval."""
    if share <= 0 or math.isinf(spread):
        return 0.0, share
    error = math.sqrt(spread) / abs(math.log(share))
    return share ** math.exp(z * error), share ** math.exp(-z * error)


def geometric_mean(times: Sequence[float]) -> float | None:
    """The geometric mean of times; None without any."""
    return float(np.exp(np.mean(np.log(times)))) if len(times) else None


# Best of k -----------------------------------------------------------------------------------------------------------


def pass_at(passed: int, n: int, k: int) -> float | None:
    """The chance that at least one of k people (or samples) passes, of whom `passed` of n do; None if k > n."""
    return None if k > n else 1 - math.comb(n - passed, k) / math.comb(n, k)


# People and items ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VarianceParts:
    """The variance of scores between people, between items, and the rest.

    `clipped` names the parts that came out negative, and are 0 instead.
    """

    people: float
    items: float
    rest: float
    clipped: tuple[str, ...]

    def reliability(self, items: int) -> float | None:
        """How well the mean over a number of items tells people apart; None if nothing varies."""
        total = self.people + self.rest / items
        return self.people / total if total > _NOTHING else None


def variance_parts(scores: Scores) -> VarianceParts | None:
    """Henderson's third method, right for missing cells too; None for fewer than 3 people or 2 items."""
    people, items = np.nonzero(np.isfinite(scores))
    if len(set(people.tolist())) < LEAST_PEOPLE or len(set(items.tolist())) < 2:
        return None
    y = scores[people, items]
    by_person, by_item = _indicators(people), _indicators(items)
    ones = np.ones((len(y), 1))
    whole = _Fit.of(np.hstack((ones, by_person, by_item)), y)
    if len(y) == whole.rank:
        return None
    rest = float(y @ y - whole.explained) / (len(y) - whole.rank)
    parts = {}
    for name, other, own in (("people", by_item, by_person), ("items", by_person, by_item)):
        reduced = _Fit.of(np.hstack((ones, other)), y)
        parts[name] = (whole.explained - reduced.explained - rest * (whole.rank - reduced.rank)) / reduced.left_of(own)
    clipped = tuple(name for name, value in parts.items() if value < 0)
    return VarianceParts(max(0.0, parts["people"]), max(0.0, parts["items"]), rest, clipped)


def _indicators(groups: NDArray[np.intp]) -> Scores:
    """One column for each group, 1 where a value belongs to it."""
    indicators: Scores = (groups[:, None] == np.unique(groups)).astype(float)
    return indicators


@dataclass(frozen=True)
class _Fit:
    """A least-squares fit: the sum of squares that it explains, and its design with a generalised inverse."""

    design: Scores
    inverse: Scores
    rank: int
    explained: float

    @classmethod
    def of(cls, design: Scores, y: Scores) -> _Fit:
        gram = design.T @ design
        inverse = np.linalg.pinv(gram, hermitian=True).astype(np.float64)
        sums = design.T @ y
        return cls(design, inverse, int(np.linalg.matrix_rank(gram, hermitian=True)), float(sums @ inverse @ sums))

    def left_of(self, other: Scores) -> float:
        """The trace of what the fit leaves of the columns of another design."""
        shared = self.design.T @ other
        return float((other * other).sum() - np.sum(shared * (self.inverse @ shared)))


def discriminations(scores: Scores) -> list[float | None]:
    """For each item the correlation with people's means over the other items; None where that is not defined."""
    missing = np.isnan(scores).any()
    centred = scores - item_means(scores) if missing else scores
    correlations: list[float | None] = []
    for item in range(scores.shape[1]):
        rest = np.delete(centred, item, axis=1)
        has_rest = np.isfinite(rest).any(axis=1) & np.isfinite(centred[:, item])
        own = centred[has_rest, item]
        others = rest[has_rest]
        means = np.nanmean(others, axis=1) if len(others) else np.empty(0)
        constant = len(own) < LEAST_PEOPLE or np.ptp(own) < 1e-12 or np.ptp(means) < 1e-12
        correlations.append(None if constant else float(np.corrcoef(own, means)[0, 1]))
    return correlations


@dataclass(frozen=True)
class Slope:
    """A slope with its standard error and interval."""

    value: float
    error: float
    low: float
    high: float


def practice_effect(scores: Scores, positions: Scores, level: float = LEVEL) -> Slope | None:
    """How scores change from one position to the next, items aside; errors are clustered by person.

    None if position and item cannot be told apart, or there are too few people.
    """
    from scipy.stats import t

    people, items = np.nonzero(np.isfinite(scores))
    y = scores[people, items]
    position = positions[people, items]
    by_item = _indicators(items)
    design = np.hstack([position[:, None], by_item])
    clusters = len(np.unique(people))
    if clusters < LEAST_PEOPLE or np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    residuals = y - design @ coefficients
    sums = _indicators(people).T @ (design * residuals[:, None])
    n, k = design.shape
    scale = clusters / (clusters - 1) * (n - 1) / (n - k)
    error = math.sqrt(max(0.0, scale * (inverse @ sums.T @ sums @ inverse)[0, 0]))
    half = float(t.ppf((1 + level) / 2, clusters - 1)) * error
    slope = float(coefficients[0])
    return Slope(slope, error, slope - half, slope + half)


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


def contrast(
    scores: Scores, samples: Sequence[Sequence[float]], seed: int, draws: int = DRAWS, level: float = LEVEL
) -> StudyContrast:
    """People's scores minus those of a model, whose `samples` are given for each item."""
    model = np.array([np.mean(sample) for sample in samples])
    differences = item_means(scores) - model
    people, items = scores.shape
    these = such = None
    if people >= LEAST_PEOPLE:
        drawn = _resampled_contrasts(scores, samples, seed, draws)
        these = _quantiles(drawn, expanded_alpha(people, level)) if len(drawn) == draws else None
    if people >= LEAST_PEOPLE and items >= LEAST_ITEMS_RESAMPLED:
        drawn = _resampled_contrasts(scores, samples, seed, draws, resamples_items=True)
        such = _quantiles(drawn, expanded_alpha(min(people, items), level)) if len(drawn) == draws else None
    means = np.nanmean(scores, axis=1)
    mean = float(model.mean())
    below = float(np.mean((means < mean - _TIE) + 0.5 * (np.abs(means - mean) <= _TIE)))
    return StudyContrast(float(differences.mean()), these, such, sign_flip_p(differences, seed), below)


def _resampled_contrasts(
    scores: Scores, samples: Sequence[Sequence[float]], seed: int, draws: int, resamples_items: bool = False
) -> Scores:
    rng = np.random.Generator(np.random.PCG64(seed))
    means = []
    for drawn in _drawn_item_means(scores, seed, draws):
        differences = drawn - _drawn_sample_means(samples, rng, len(drawn))
        if resamples_items:
            chosen = rng.integers(differences.shape[1], size=differences.shape)
            differences = np.take_along_axis(differences, chosen, axis=1)
        means.append(differences.mean(axis=1))
    return np.concatenate(means)[:draws]


def _drawn_sample_means(samples: Sequence[Sequence[float]], rng: np.random.Generator, draws: int) -> Scores:
    """The items' means over drawn samples: (draws, items)."""
    arrays = [np.asarray(sample, float) for sample in samples]
    means: Scores = np.stack([a[rng.integers(len(a), size=(draws, len(a)))].mean(axis=1) for a in arrays], axis=1)
    return means


def _quantiles(values: Scores, alpha: float) -> tuple[float, float]:
    low, high = np.quantile(values, [alpha, 1 - alpha])
    return float(low), float(high)


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
    people = min(len(first), len(second))
    value = mean_of(first) - mean_of(second) if people else math.nan
    if people < LEAST_PEOPLE:
        return StudyEstimate(value, None, None, len(first) + len(second))
    differences = resampled_means(first, seed, draws) - resampled_means(second, seed + 1, draws)
    return StudyEstimate(value, *_quantiles(differences, expanded_alpha(people, level)), len(first) + len(second))


def difference_within(first: Scores, second: Scores, level: float = LEVEL) -> StudyEstimate:
    """The mean of people's own differences between two conditions, with its t interval; one row for each person."""
    differences = np.nanmean(first, axis=1) - np.nanmean(second, axis=1)
    value = float(differences.mean()) if len(differences) else math.nan
    low, high = t_interval(differences, level) if len(differences) >= LEAST_PEOPLE else (None, None)
    return StudyEstimate(value, low, high, len(differences))


# Confidence ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Calibration:
    """How confidence (0 to 100) and success go together; `over` is mean confidence minus pass rate."""

    brier: float
    over: float


def calibration(confidences: Sequence[float], passed: Sequence[bool]) -> Calibration | None:
    """The calibration of confidences; None without any."""
    if not len(confidences):
        return None
    share = np.asarray(confidences, float) / 100
    outcome = np.asarray(passed, float)
    return Calibration(float(np.mean((share - outcome) ** 2)), float(share.mean() - outcome.mean()))
