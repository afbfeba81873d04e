"""Statistics of a study beside means: times, best of k, variance, practice, confidence.

Scores are arrays (people, items); NaN stands for an item that a person did not have. Formulas and sources:
docs/study_statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.studies.analysis.intervals import (
    DRAWS,
    LEAST_PEOPLE,
    LEVEL,
    NOTHING,
    Scores,
    expanded_alpha,
    item_means,
    pieces_of_draws,
)

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


def median_by_people(
    times: Scores, solved: NDArray[np.bool_], seed: int, draws: int = DRAWS, level: float = LEVEL
) -> tuple[float | None, float | None]:
    """The interval of the median over several trials of each person, who are drawn with all their trials.

    times, solved: (people, items); a time of NaN stands for an item that a person was not shown. An end of None: not
    reached, or too few people.
    """
    people = len(times)
    if people < LEAST_PEOPLE:
        return None, None
    # Sorted, people give the same medians in whatever order they stand.
    order = np.lexsort([*solved.T, *times.T])
    medians = _drawn_medians(times[order], solved[order], seed, draws)
    alpha = expanded_alpha(people, level)
    low, high = np.quantile(medians, [alpha, 1 - alpha], method="inverted_cdf").tolist()
    return (None if math.isinf(low) else low), (None if math.isinf(high) else high)


def _drawn_medians(times: Scores, solved: NDArray[np.bool_], seed: int, draws: int) -> Scores:
    """The median in each of many draws of people; infinite where it is not reached."""
    moments = np.unique(times[solved])
    at_risk = np.stack([_at_risk(own[np.isfinite(own)], moments) for own in times])
    events = np.stack([_counted_at(own[is_solved], moments) for own, is_solved in zip(times, solved, strict=True)])
    ends = np.append(moments, np.inf)
    medians = []
    for weights in pieces_of_draws(len(times), seed, draws):
        # Where nobody is at risk any more, nobody solves anything.
        shares = np.cumprod(1 - (weights @ events) / np.maximum(weights @ at_risk, 1), axis=1)
        medians.append(ends[np.sum(shares > 0.5 + _TIE, axis=1)])
    return np.concatenate(medians)[:draws]


def _at_risk(times: Scores, moments: Scores) -> Scores:
    """How many of some times are not over before each moment."""
    return (len(times) - np.searchsorted(np.sort(times), moments, side="left")).astype(float)


def _counted_at(times: Scores, moments: Scores) -> Scores:
    """How many of some times are each of the moments."""
    return np.bincount(np.searchsorted(moments, times), minlength=len(moments)).astype(float)


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
        return self.people / total if total > NOTHING else None


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

    None if position and item cannot be told apart, there are too few people, or nothing varies.
    """
    from scipy.stats import t

    people, items = np.nonzero(np.isfinite(scores))
    y = scores[people, items]
    position = positions[people, items]
    by_item = _indicators(items)
    design = np.hstack([position[:, None], by_item])
    clusters = len(np.unique(people))
    n, k = design.shape
    if clusters < LEAST_PEOPLE or n <= k or np.linalg.matrix_rank(design) < k:
        return None
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    residuals = y - design @ coefficients
    sums = _indicators(people).T @ (design * residuals[:, None])
    scale = clusters / (clusters - 1) * (n - 1) / (n - k)
    error = math.sqrt(max(0.0, scale * (inverse @ sums.T @ sums @ inverse)[0, 0]))
    if error < NOTHING:
        return None
    half = float(t.ppf((1 + level) / 2, clusters - 1)) * error
    slope = float(coefficients[0])
    return Slope(slope, error, slope - half, slope + half)


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
