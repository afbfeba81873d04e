"""Rates with their confidence intervals, and the best of several scores."""

from collections.abc import Sequence
from math import comb, sqrt
from typing import NamedTuple

Z_95 = 1.959963984540054


class Rate(NamedTuple):
    """`hits` of `n`, with the Wilson interval at 95 %."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The rate; None if n is 0."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end; 0 to 1 if n is 0."""
        return wilson(self.hits, self.n)


def wilson(count: float, n: int, z: float = Z_95) -> tuple[float, float]:
    """The Wilson score interval of a rate, or of a mean of scores from 0 to 1 that add up to `count`.

    Scores vary at most as much as hits and misses with the same mean, so for scores the interval is rather too wide.
    """
    if n == 0:
        return 0.0, 1.0
    share = count / n
    middle = share + z * z / (2 * n)
    half = z * sqrt(max(0.0, share * (1 - share)) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def best_of(scores: Sequence[float], k: int) -> float | None:
    """The expected best of k scores drawn without replacement; None if there are fewer."""
    n = len(scores)
    if k > n:
        return None
    weights = [comb(i - 1, k - 1) / comb(n, k) for i in range(1, n + 1)]
    return sum(score * weight for score, weight in zip(sorted(scores), weights, strict=True))
