"""How far the verifiers of a project agree: pairs of verifiers over the attempts that both have judged.

Agreement is about passing. Kappa is Cohen's; its interval comes from drawing instances, each with all of its attempts,
again and again, since attempts at one instance are alike. Own verifiers count by their newest version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.store import Project, RunFilter

SEED = 20261127
DRAWS = 2000
LEVEL = 0.95
LEAST_INSTANCES = 3
"""With fewer, kappa has no interval."""


@dataclass(frozen=True)
class JudgedByAll:
    """What the verifiers say of an attempt: by name, whether it passes."""

    task: str
    address: str
    passes: dict[str, bool]


@dataclass(frozen=True)
class VerifierAgreement:
    """How far two verifiers agree.

    Attributes:
        first, second: Their names.
        count: How many attempts both have judged.
        same: Of how many both say the same.
        only_first, only_second: How many only the one lets pass.
        kappa: Cohen's kappa; None if one of them says the same of all.
        low, high: Its interval; None with too few instances.
        by_task: By task, how many attempts both have judged, and on how many they differ.
    """

    first: str
    second: str
    count: int
    same: int
    only_first: int
    only_second: int
    kappa: float | None
    low: float | None
    high: float | None
    by_task: dict[str, tuple[int, int]]

    @property
    def rate(self) -> float:
        """The share of attempts on which both say the same."""
        return self.same / self.count


def judged_attempts(
    project: Project, chosen: RunFilter | None = None, progress: Progress = silent
) -> list[JudgedByAll]:
    """What the verifiers say of the attempts of a project that a filter chooses; those without a verdict are left out.

    Raises:
        Cancelled: Raised by `progress`.
    """
    found = []
    numbers = project.runs.numbers(chosen or RunFilter())
    for done, number in enumerate(numbers):
        progress(done, len(numbers), f"Attempt {number}")
        attempt = project.attempts.get(number)
        passes = {verdict.verifier: verdict.passed for verdict in attempt.verdicts}
        if passes:
            found.append(JudgedByAll(attempt.address.partition(":")[0].partition("@")[0], attempt.address, passes))
    return found


def agreements(judged: Sequence[JudgedByAll]) -> list[VerifierAgreement]:
    """How far each two verifiers agree that have judged an attempt in common, in the order of their names."""
    names = sorted({name for each in judged for name in each.passes}, key=lambda name: (name != "default", name))
    pairs = (_agreement(first, second, judged) for first, second in combinations(names, 2))
    return [pair for pair in pairs if pair is not None]


def _agreement(first: str, second: str, judged: Iterable[JudgedByAll]) -> VerifierAgreement | None:
    common = [each for each in judged if first in each.passes and second in each.passes]
    if not common:
        return None
    tables = _tables(first, second, common)
    whole = tables.sum(axis=0)
    low, high = _interval(tables)
    by_task = Counter(each.task for each in common)
    differing = Counter(each.task for each in common if each.passes[first] != each.passes[second])
    return VerifierAgreement(
        first,
        second,
        len(common),
        int(whole[0, 0] + whole[1, 1]),
        int(whole[1, 0]),
        int(whole[0, 1]),
        _number(_kappas(whole[None])[0]),
        low,
        high,
        {task: (count, differing[task]) for task, count in sorted(by_task.items())},
    )


def _tables(first: str, second: str, common: Sequence[JudgedByAll]) -> NDArray[np.float64]:
    """(instances, 2, 2): how often the first says no or yes, and the second."""
    places = {address: k for k, address in enumerate(dict.fromkeys(each.address for each in common))}
    tables = np.zeros((len(places), 2, 2))
    for each in common:
        tables[places[each.address], int(each.passes[first]), int(each.passes[second])] += 1
    return tables


def _interval(tables: NDArray[np.float64]) -> tuple[float | None, float | None]:
    if len(tables) < LEAST_INSTANCES:
        return None, None
    drawn = np.concatenate([_kappas(part) for part in _draws(tables)])
    known = drawn[np.isfinite(drawn)]
    if not len(known):
        return None, None
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _draws(tables: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """The tables of drawn instances, summed: (draws, 2, 2), some draws at a time."""
    generator = np.random.default_rng(SEED)
    flat = tables.reshape(len(tables), 4)
    rows = max(1, 1_000_000 // len(tables))
    for begin in range(0, DRAWS, rows):
        chosen = generator.integers(0, len(tables), size=(min(rows, DRAWS - begin), len(tables)))
        yield flat[chosen].sum(axis=1).reshape(-1, 2, 2)


def _kappas(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cohen's kappa of each table (n, 2, 2); NaN where one of the two says the same of all."""
    total = tables.sum(axis=(1, 2))
    same = (tables[:, 0, 0] + tables[:, 1, 1]) / total
    by_chance = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / total**2
    with np.errstate(invalid="ignore", divide="ignore"):
        kappas: NDArray[np.float64] = (same - by_chance) / (1 - by_chance)
    return kappas


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
