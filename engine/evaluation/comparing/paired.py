"""Scores of two runs at the same subtasks: their differences, with intervals and tests.

Subtasks that share an answer are one cluster: they pass and fail together, so only clusters are independent.

Interval       bootstrap over clusters, percentiles
Permutation    under the hypothesis of no difference, the runs can be exchanged within a cluster: all exchanges for up
               to 13 clusters that differ, else 100,000 random ones
McNemar        exact: of the clusters of which one run passed more, as many for either run; without shared answers,
               these are the subtasks that only one run passed
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

SEED = 20261127
DRAWS = 10_000
EXCHANGES = 100_000
MOST_EXACT = 13
"""Clusters of which all exchanges are tried."""
LEVEL = 0.95
POWER = 0.8
LEAST_CLUSTERS = 3
"""With fewer, there is no interval and no test."""
_CHUNK_CELLS = 4_000_000
_KEPT_CELLS = 400_000
"""Draws of more clusters are made anew each time: 16 sets of this size take 50 MB."""
_NOTHING = 1e-12


@dataclass(frozen=True)
class ScorePair:
    """A subtask that both runs have a score for.

    Attributes:
        first, second: The scores, 0 to 1; means over repeats.
        first_passed, second_passed: Whether all repeats passed.
        cluster: What the subtask shares with others whose answer is the same.
        first_attempt, second_attempt: Numbers of the newest attempts; None: they are not stored.
    """

    address: str
    task: str
    first: float
    second: float
    first_passed: bool
    second_passed: bool
    cluster: str
    first_attempt: int | None = None
    second_attempt: int | None = None

    @property
    def difference(self) -> float:
        """How much higher the score of the first run is."""
        return self.first - self.second


@dataclass(frozen=True)
class PairedDifference:
    """How two runs differ on some subtasks.

    Attributes:
        n: Subtasks.
        clusters: Of these, how many are independent.
        first, second, difference: Means.
        low, high: The interval of the difference at 95 %; None: there are too few clusters.
        p: Of the permutation test; None: there are too few clusters.
        only_first, only_second: Subtasks that only one of them passed.
        both, neither: Subtasks that both passed, or none of them.
        p_passed: Of McNemar's exact test on clusters; None: one of them passed more in no cluster.
        design_effect: By how much clusters widen the variance; 1 without clusters.
        spread: Standard deviation of the differences between subtasks; None for fewer than two.
    """

    n: int
    clusters: int
    first: float
    second: float
    low: float | None
    high: float | None
    p: float | None
    only_first: int
    only_second: int
    both: int
    neither: int
    p_passed: float | None
    design_effect: float
    spread: float | None

    @property
    def difference(self) -> float:
        """How much higher the mean of the first run is."""
        return self.first - self.second

    @property
    def agreement(self) -> float:
        """The share of subtasks that both passed or both failed."""
        return (self.both + self.neither) / self.n

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of passing; None if chance alone would give perfect agreement."""
        first = (self.both + self.only_first) / self.n
        second = (self.both + self.only_second) / self.n
        chance = first * second + (1 - first) * (1 - second)
        return None if 1 - chance < _NOTHING else (self.agreement - chance) / (1 - chance)

    def needed(self, difference: float) -> int | None:
        """How many subtasks like these would show a difference of this size in 4 of 5 experiments, at 5 %.

        None: the differences do not vary, or there are too few to know how much.
        """
        if not self.spread or difference <= 0:
            return None
        z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2) + NormalDist().inv_cdf(POWER)
        return max(2, math.ceil(self.design_effect * (z * self.spread / difference) ** 2))


def paired_difference(pairs: Sequence[ScorePair], seed: int = SEED) -> PairedDifference:
    """How two runs differ; there has to be at least one pair."""
    differences = np.array([pair.difference for pair in pairs])
    sums, sizes = _cluster_sums(pairs, differences)
    enough = len(sums) >= LEAST_CLUSTERS
    ends = bootstrap_interval(sums, sizes, seed) if enough else (None, None)
    only_first = sum(pair.first_passed and not pair.second_passed for pair in pairs)
    only_second = sum(pair.second_passed and not pair.first_passed for pair in pairs)
    both = sum(pair.first_passed and pair.second_passed for pair in pairs)
    return PairedDifference(
        n=len(pairs),
        clusters=len(sums),
        first=float(np.mean([pair.first for pair in pairs])),
        second=float(np.mean([pair.second for pair in pairs])),
        low=ends[0],
        high=ends[1],
        p=permutation_p(sums, seed) if enough else None,
        only_first=only_first,
        only_second=only_second,
        both=both,
        neither=len(pairs) - both - only_first - only_second,
        p_passed=mcnemar_p(*_clusters_won(pairs)),
        design_effect=_design_effect(differences, sums, sizes),
        spread=float(differences.std(ddof=1)) if len(pairs) > 1 else None,
    )


def bootstrap_interval(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], seed: int = SEED, draws: int = DRAWS, level: float = LEVEL
) -> tuple[float, float]:
    """The interval of a mean whose clusters are drawn again and again, by percentiles.

    sums, sizes: Of the differences in each cluster.
    """
    count = len(sums)
    means = np.empty(draws)
    rows = max(1, _CHUNK_CELLS // count)
    for begin, weights in weights_in_parts(seed, count, draws, rows):
        means[begin : begin + rows] = (weights @ sums) / (weights @ sizes)
    alpha = (1 - level) / 2
    low, high = np.quantile(means, [alpha, 1 - alpha])
    return float(low), float(high)


def weights_in_parts(seed: int, clusters: int, draws: int, rows: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """How often each cluster is drawn, by draw and cluster, `rows` draws at a time, each part with its first draw.

    A page asks for hundreds of intervals with the same seed, so those of few clusters are drawn once.
    """
    if draws <= rows and draws * clusters <= _KEPT_CELLS:
        yield 0, _kept_weights(seed, clusters, draws)
        return
    generator = np.random.default_rng(seed)
    for begin in range(0, draws, rows):
        yield begin, _drawn_weights(generator, clusters, min(rows, draws - begin))


@lru_cache(maxsize=16)
def _kept_weights(seed: int, clusters: int, draws: int) -> NDArray[np.float64]:
    weights = _drawn_weights(np.random.default_rng(seed), clusters, draws)
    weights.setflags(write=False)
    return weights


def _drawn_weights(generator: np.random.Generator, clusters: int, draws: int) -> NDArray[np.float64]:
    chosen = generator.integers(0, clusters, size=(draws, clusters)) + clusters * np.arange(draws)[:, None]
    counts = np.bincount(chosen.ravel(), minlength=draws * clusters)
    return counts.reshape(draws, clusters).astype(np.float64)


def permutation_p(sums: NDArray[np.float64], seed: int = SEED, exchanges: int = EXCHANGES) -> float:
    """The probability of a difference as large as this one, or larger, if the runs were exchanged at random.

    sums: Of the differences in each cluster.
    """
    differing = sums[np.abs(sums) > _NOTHING]
    count = len(differing)
    if count == 0:
        return 1.0
    observed = abs(differing.sum()) - 1e-9
    if count <= MOST_EXACT:
        signs = 1 - 2 * ((np.arange(1 << count)[:, None] >> np.arange(count)) & 1)
        return float(np.mean(np.abs(signs @ differing) >= observed))
    generator = np.random.default_rng(seed)
    rows = max(1, _CHUNK_CELLS // count)
    hits = 0
    for begin in range(0, exchanges, rows):
        signs = 1 - 2 * generator.integers(0, 2, size=(min(rows, exchanges - begin), count))
        hits += int(np.sum(np.abs(signs @ differing) >= observed))
    # The arrangement that was observed is one of those that are possible.
    return (hits + 1) / (exchanges + 1)


def mcnemar_p(only_first: int, only_second: int) -> float | None:
    """McNemar's exact test, two-sided: whether what only one run passed is as often that of either run."""
    from scipy.stats import binomtest

    count = only_first + only_second
    return float(binomtest(only_first, count).pvalue) if count else None


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Probabilities corrected for their number by Holm's method; those that are missing stay so."""
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    most = 0.0
    for rank, (p, place) in enumerate(order):
        most = max(most, min(1.0, (len(order) - rank) * p))
        corrected[place] = most
    return corrected


def _cluster_sums(
    pairs: Sequence[ScorePair], differences: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum of the differences in each cluster, and how many there are."""
    places: dict[str, int] = {}
    labels = np.array([places.setdefault(pair.cluster, len(places)) for pair in pairs])
    return np.bincount(labels, differences).astype(np.float64), np.bincount(labels).astype(np.float64)


def _clusters_won(pairs: Sequence[ScorePair]) -> tuple[int, int]:
    """In how many clusters the first run passed more subtasks, and in how many the second."""
    passed = np.array([float(pair.first_passed) - float(pair.second_passed) for pair in pairs])
    sums, _ = _cluster_sums(pairs, passed)
    return int((sums > 0).sum()), int((sums < 0).sum())


def _design_effect(differences: NDArray[np.float64], sums: NDArray[np.float64], sizes: NDArray[np.float64]) -> float:
    """The variance of the mean with clusters, over that of as many independent subtasks."""
    count, clusters = len(differences), len(sums)
    if count == clusters or clusters < LEAST_CLUSTERS:
        return 1.0
    alone = differences.var(ddof=1) / count
    if alone < _NOTHING:
        return 1.0
    residuals = sums - differences.mean() * sizes
    together = clusters / (clusters - 1) * float(np.sum(residuals**2)) / count**2
    return float(together / alone)
