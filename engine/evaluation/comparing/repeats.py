"""Repeats of a subtask: pass@k and all-of-k without bias, and how far repeats vary compared with subtasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from statistics import fmean

import numpy as np

from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import grouped


@dataclass(frozen=True)
class RepeatedPasses:
    """What repeats of subtasks tell.

    Attributes:
        k: So many answers are drawn.
        n: Subtasks with at least k repeats; the others are left out.
        any_of: pass@k: how often at least one of k answers passes.
        all_of: How often all k pass.
    """

    k: int
    n: int
    any_of: float
    all_of: float


@dataclass(frozen=True)
class ScoreSpread:
    """How far scores vary, as standard deviations.

    Attributes:
        repeats: Between repeats of a subtask.
        subtasks: Between the true means of subtasks, without what repeats add.
        n: Subtasks with at least two repeats.
    """

    repeats: float
    subtasks: float
    n: int


def pass_at_k(passed: int, n: int, k: int) -> float:
    """How likely at least one of k answers passes, drawn from n of which some passed: 1 − C(n − c, k) / C(n, k)."""
    return 1 - comb(n - passed, k) / comb(n, k)


def all_of_k(passed: int, n: int, k: int) -> float:
    """How likely all of k answers pass, drawn from n of which some passed: C(c, k) / C(n, k)."""
    return comb(passed, k) / comb(n, k)


def repeated_passes(records: Iterable[Scored], k: int) -> RepeatedPasses | None:
    """pass@k and all-of-k of a run, as means over subtasks; None if no subtask was repeated so often."""
    counts = [(sum(bool(item.passed) for item in of), len(of)) for of in _repeats(records) if len(of) >= k]
    if not counts:
        return None
    any_of = fmean(pass_at_k(passed, n, k) for passed, n in counts)
    all_of = fmean(all_of_k(passed, n, k) for passed, n in counts)
    return RepeatedPasses(k, len(counts), any_of, all_of)


def score_spread(records: Iterable[Scored]) -> ScoreSpread | None:
    """How far scores vary between repeats and between subtasks (one-way analysis of variance); None without repeats."""
    groups = [np.array([item.value for item in of], dtype=float) for of in _repeats(records) if len(of) > 1]
    if not groups:
        return None
    sizes = np.array([len(group) for group in groups])
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups) / (sizes.sum() - len(groups))
    if len(groups) < 2:
        return ScoreSpread(float(np.sqrt(within)), 0.0, len(groups))
    means = np.array([group.mean() for group in groups])
    grand = float((means * sizes).sum() / sizes.sum())
    between = float((sizes * (means - grand) ** 2).sum()) / (len(groups) - 1)
    usual = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(groups) - 1)
    return ScoreSpread(float(np.sqrt(within)), float(np.sqrt(max(0.0, (between - within) / usual))), len(groups))


def _repeats(records: Iterable[Scored]) -> list[list[Scored]]:
    """The records of each subtask that have a score."""
    return list(grouped((item for item in records if item.value is not None), lambda item: item.address).values())
