"""Cohen's kappa of two who say yes or no, with an interval that knows that verdicts on one thing are alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEED = 20261127
DRAWS = 2000
LEVEL = 0.95
LEAST_GROUPS = 3
"""With fewer, kappa has no interval."""


@dataclass(frozen=True)
class KappaOfTwo:
    """How far two agree.

    Attributes:
        same: On how many verdicts.
        only_first, only_second: How often only the one says yes.
        kappa: Cohen's kappa; None if one of them says the same of all.
        low, high: Its 95 % interval from drawing groups, each with all of its verdicts; None with too few groups.
    """

    same: int
    only_first: int
    only_second: int
    kappa: float | None
    low: float | None
    high: float | None


def kappa_of_two(verdicts: Iterable[tuple[str, bool, bool]]) -> KappaOfTwo:
    """The agreement in verdicts: the group of each, such as an instance, what the first says, and the second."""
    tables = _tables(list(verdicts))
    whole = tables.sum(axis=0)
    low, high = _interval(tables)
    kappa = _number(_kappas(whole[None])[0])
    same = int(whole[0, 0] + whole[1, 1])
    return KappaOfTwo(same, int(whole[1, 0]), int(whole[0, 1]), kappa, low, high)


def _tables(verdicts: list[tuple[str, bool, bool]]) -> NDArray[np.float64]:
    """(groups, 2, 2): how often the first says no or yes, and the second."""
    places = {group: k for k, group in enumerate(dict.fromkeys(group for group, _, _ in verdicts))}
    tables = np.zeros((len(places), 2, 2))
    for group, first, second in verdicts:
        tables[places[group], int(first), int(second)] += 1
    return tables


def _interval(tables: NDArray[np.float64]) -> tuple[float | None, float | None]:
    if len(tables) < LEAST_GROUPS:
        return None, None
    drawn = np.concatenate([_kappas(part) for part in _draws(tables)])
    known = drawn[np.isfinite(drawn)]
    if not len(known):
        return None, None
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _draws(tables: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """The tables of drawn groups, summed: (draws, 2, 2), some draws at a time."""
    generator = np.random.default_rng(SEED)
    flat = tables.reshape(len(tables), 4)
    rows = max(1, 1_000_000 // len(tables))
    for begin in range(0, DRAWS, rows):
        chosen = generator.integers(0, len(tables), size=(min(rows, DRAWS - begin), len(tables)))
        yield flat[chosen].sum(axis=1).reshape(-1, 2, 2)


def _kappas(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cohen's kappa of each table (n, 2, 2); NaN where one of the two says the same of all."""
    total = tables.sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        same = (tables[:, 0, 0] + tables[:, 1, 1]) / total
        by_chance = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / total**2
        kappas: NDArray[np.float64] = (same - by_chance) / (1 - by_chance)
    return kappas


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
