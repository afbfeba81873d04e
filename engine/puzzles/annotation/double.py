"""Two independent annotations of the same puzzle: steps are aligned, and agreement is computed.

docs/puzzles.md, "Double annotation".
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, Skill
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.statistics import BOOTSTRAP_DRAWS, Interval, bootstrap_interval, tags

LEAST_SIMILARITY = 0.5
"""Texts of steps that are less alike, as shares of their words in common order, are not of the same step."""


@dataclass(frozen=True)
class StepPair:
    """Steps of two annotations, from 1, that say the same; None: the other annotation has no such step."""

    first: int | None
    second: int | None
    similarity: float = 0.0


def aligned_steps(first: Puzzle, second: Puzzle) -> list[StepPair]:
    """The steps of two annotations side by side, in the order of both.

    Of all alignments that keep both orders, this one has the largest sum of similarities.
    """
    alike = np.array(
        [[_similarity(a.explanation, b.explanation) for b in second.reasoning] for a in first.reasoning]
    ).reshape(len(first.reasoning), len(second.reasoning))
    best = np.zeros((alike.shape[0] + 1, alike.shape[1] + 1))
    for i, row in enumerate(alike, 1):
        for j, value in enumerate(row, 1):
            pair = best[i - 1, j - 1] + value if value >= LEAST_SIMILARITY else -1.0
            best[i, j] = max(best[i - 1, j], best[i, j - 1], pair)
    return _walk_back(alike, best)


def _walk_back(alike: np.ndarray, best: np.ndarray) -> list[StepPair]:
    pairs: list[StepPair] = []
    i, j = alike.shape
    while i or j:
        # From the end: of steps without partners, those of the first annotation come to stand before the others.
        if j and best[i, j] == best[i, j - 1]:
            pairs.append(StepPair(None, j))
            j -= 1
        elif i and best[i, j] == best[i - 1, j]:
            pairs.append(StepPair(i, None))
            i -= 1
        else:
            pairs.append(StepPair(i, j, float(alike[i - 1, j - 1])))
            i, j = i - 1, j - 1
    return pairs[::-1]


def _similarity(first: str, second: str) -> float:
    return difflib.SequenceMatcher(None, first.casefold().split(), second.casefold().split(), autojunk=False).ratio()


def share_aligned(first: Puzzle, second: Puzzle) -> float:
    """The share of all steps of two annotations that have a partner in the other; 1 if neither has steps."""
    steps = len(first.reasoning) + len(second.reasoning)
    partners = sum(pair.first is not None and pair.second is not None for pair in aligned_steps(first, second))
    return 2 * partners / steps if steps else 1.0


def krippendorffs_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Krippendorff's alpha for nominal values (Computing Krippendorff's Alpha-Reliability, 2011).

    units: The values that were given to each unit, by those who gave one. Units with fewer than two do not count.

    Returns:
        1 for full agreement, 0 for agreement by chance; None without units, or if only one value occurs.
    """
    pairable = [values for values in units if len(values) > 1]
    total = sum(map(len, pairable))
    counts = Counter(value for values in pairable for value in values)
    by_chance = total**2 - sum(count**2 for count in counts.values())
    if by_chance == 0:
        return None
    observed = sum(
        (len(values) ** 2 - sum(count**2 for count in Counter(values).values())) / (len(values) - 1)
        for values in pairable
    )
    return 1 - (total - 1) * observed / by_chance


@dataclass(frozen=True)
class DoubleAgreement:
    """How far pairs of annotations agree, with 95 % bootstrap intervals over puzzles; None where it is not defined.

    Attributes:
        puzzles: How many puzzles have two annotations.
        steps: The share of steps that have a partner.
        tags: Krippendorff's alpha of modality and skills; a unit is a tag of a puzzle, which is given or not.
        same_difficulty, same_solution: The share of puzzles for which they are equal.
    """

    puzzles: int
    steps: Interval | None
    tags: Interval | None
    same_difficulty: Interval | None
    same_solution: Interval | None


def double_agreement(pairs: Sequence[tuple[Puzzle, Puzzle]]) -> DoubleAgreement:
    """The agreement of two independent annotations of each puzzle."""
    return DoubleAgreement(
        len(pairs),
        bootstrap_interval([share_aligned(a, b) for a, b in pairs]),
        _alpha_interval([_tag_units(a, b) for a, b in pairs]),
        bootstrap_interval([float(a.difficulty == b.difficulty) for a, b in pairs]),
        bootstrap_interval([float(a.solution == b.solution) for a, b in pairs]),
    )


def _tag_units(first: Puzzle, second: Puzzle) -> list[tuple[bool, bool]]:
    given = [tags((*puzzle.modality, *puzzle.skills)) for puzzle in (first, second)]
    return [(word in given[0], word in given[1]) for word in (*Modality, *Skill)]


def _alpha_interval(puzzles: Sequence[Sequence[tuple[bool, bool]]], seed: int = 0) -> Interval | None:
    alpha = _alpha_of(puzzles)
    if alpha is None:
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    draws = rng.integers(len(puzzles), size=(BOOTSTRAP_DRAWS, len(puzzles)))
    found = [value for draw in draws if (value := _alpha_of([puzzles[k] for k in draw])) is not None]
    low, high = np.quantile(found, [0.025, 0.975])
    return Interval(len(puzzles), alpha, float(low), float(high))


def _alpha_of(puzzles: Iterable[Sequence[tuple[bool, bool]]]) -> float | None:
    return krippendorffs_alpha(unit for units in puzzles for unit in units)
