"""Statistics of a data set, of its review and of judgements (docs/puzzles.md, "Statistics")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill, folded
from spatial_workbench.engine.puzzles.puzzle import Puzzle

BOOTSTRAP_DRAWS = 1000
LEAST_PAIRS = 3
STEP_GROUPS = ((1, 3), (4, 5), (6, 8), (9, None))


@dataclass(frozen=True)
class SetStatistics:
    """Figures of a data set; means are None for an empty set, the correlation where a side is constant."""

    puzzles: int
    mean_steps: float | None
    median_steps: float | None
    steps: Mapping[int, int]
    share_with_figure: float | None
    mean_words: float | None
    by_modality: Mapping[Modality, Mapping[PuzzleDifficulty, int]]
    by_skill: Mapping[Skill, int]
    difficulty_and_steps: float | None


def set_statistics(puzzles: Sequence[Puzzle]) -> SetStatistics:
    """The figures of a data set. Tags that are not known are not counted."""
    counts = [len(puzzle.reasoning) for puzzle in puzzles]
    steps = [step for puzzle in puzzles for step in puzzle.reasoning]
    ranked = [(PuzzleDifficulty(folded(p.difficulty)).rank, len(p.reasoning)) for p in puzzles if has_difficulty(p)]
    return SetStatistics(
        puzzles=len(puzzles),
        mean_steps=float(np.mean(counts)) if counts else None,
        median_steps=float(np.median(counts)) if counts else None,
        steps=dict(sorted(Counter(counts).items())),
        share_with_figure=sum(step.figure is not None for step in steps) / len(steps) if steps else None,
        mean_words=sum(step.words for step in steps) / len(steps) if steps else None,
        by_modality={modality: _difficulties(puzzles, modality) for modality in Modality},
        by_skill={skill: sum(skill in tags(puzzle.skills) for puzzle in puzzles) for skill in Skill},
        difficulty_and_steps=correlation(*zip(*ranked, strict=True)) if ranked else None,
    )


def _difficulties(puzzles: Iterable[Puzzle], modality: Modality) -> Mapping[PuzzleDifficulty, int]:
    of_modality = [puzzle for puzzle in puzzles if modality in tags(puzzle.modality)]
    return {
        difficulty: sum(folded(puzzle.difficulty) == difficulty for puzzle in of_modality)
        for difficulty in PuzzleDifficulty
    }


def has_difficulty(puzzle: Puzzle) -> bool:
    """Whether the puzzle's difficulty is a known one."""
    return folded(puzzle.difficulty) in list(PuzzleDifficulty)


def tags(words: Iterable[str]) -> set[str]:
    """Tags as they are counted."""
    return {folded(word) for word in words}


def step_group(steps: int) -> str:
    """The group of a number of steps: "1–3", "4–5", "6–8" or "9+"."""
    for low, high in STEP_GROUPS:
        if high is None or steps <= high:
            return f"{low}+" if high is None else f"{low}–{high}"
    raise AssertionError(steps)


def correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r; None if a side is constant or there are fewer than two pairs."""
    a, b = np.asarray(first, float), np.asarray(second, float)
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.clip(np.corrcoef(a, b)[0, 1], -1.0, 1.0))


@dataclass(frozen=True)
class Agreement:
    """How far two judgements of the same candidates agree; `r` is None if it is not defined."""

    count: int
    r: float | None
    mean_absolute_error: float


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement | None:
    """The agreement of two lists of stepwise scores; None for fewer than LEAST_PAIRS pairs."""
    if len(first) < LEAST_PAIRS:
        return None
    error = float(np.mean(np.abs(np.subtract(first, second))))
    return Agreement(len(first), correlation(first, second), error)


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of two raters' decisions; None if there are none, or if chance alone would agree always."""
    if not pairs:
        return None
    observed = sum(a == b for a, b in pairs) / len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    by_chance = sum(first[kind] * second[kind] for kind in first) / len(pairs) ** 2
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


@dataclass(frozen=True)
class Interval:
    """A mean with its bootstrap interval of 95 %."""

    count: int
    mean: float
    low: float
    high: float


def bootstrap_interval(values: Sequence[float], seed: int = 0) -> Interval | None:
    """The mean of values with its 95 % interval from BOOTSTRAP_DRAWS draws; None without values."""
    if not values:
        return None
    array = np.asarray(values, float)
    rng = np.random.Generator(np.random.PCG64(seed))
    means = array[rng.integers(len(array), size=(BOOTSTRAP_DRAWS, len(array)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(len(array), float(array.mean()), float(low), float(high))


@dataclass(frozen=True)
class PuzzleResult:
    """What a solver reached on a puzzle; `stepwise` is None while it is not judged.

    `stepwise_by_answer` is the score with the last step decided by the final answer; `judge_failed` says that the judge
    tried and gave no verdicts.
    """

    puzzle: Puzzle
    solved: bool
    solved_as_published: bool
    stepwise: float | None = None
    stepwise_by_answer: float | None = None
    met: float | None = None
    judge_failed: bool = False


@dataclass(frozen=True)
class PuzzleCell:
    """A row of a breakdown; `failed` counts the puzzles whose steps the judge could not judge."""

    group: str
    count: int
    accuracy: Interval | None
    published_accuracy: Interval | None
    stepwise: Interval | None
    stepwise_by_answer: Interval | None
    met: Interval | None
    failed: int = 0

    @property
    def judged(self) -> int:
        """How many puzzles have a stepwise score; the others are left out of its mean."""
        return self.stepwise.count if self.stepwise else 0


def breakdown(results: Sequence[PuzzleResult]) -> dict[str, list[PuzzleCell]]:
    """Accuracy and stepwise scores overall, and by modality, skill, difficulty and number of steps.

    A puzzle with several tags counts in each.
    """
    groups = {
        "modality": [(m.value, [r for r in results if m in tags(r.puzzle.modality)]) for m in Modality],
        "skill": [(s.label, [r for r in results if s in tags(r.puzzle.skills)]) for s in Skill],
        "difficulty": [(d.value, [r for r in results if folded(r.puzzle.difficulty) == d]) for d in PuzzleDifficulty],
        "steps": _by_steps(results),
    }
    return {
        "overall": [_cell("all", results)],
        **{name: [_cell(group, members) for group, members in parts] for name, parts in groups.items()},
    }


def _by_steps(results: Sequence[PuzzleResult]) -> list[tuple[str, list[PuzzleResult]]]:
    names = [step_group(low) for low, _ in STEP_GROUPS]
    return [(name, [r for r in results if step_group(len(r.puzzle.reasoning)) == name]) for name in names]


def _cell(group: str, results: Sequence[PuzzleResult]) -> PuzzleCell:
    return PuzzleCell(
        group,
        len(results),
        bootstrap_interval([float(r.solved) for r in results]),
        bootstrap_interval([float(r.solved_as_published) for r in results]),
        bootstrap_interval([r.stepwise for r in results if r.stepwise is not None]),
        bootstrap_interval([r.stepwise_by_answer for r in results if r.stepwise_by_answer is not None]),
        bootstrap_interval([r.met for r in results if r.met is not None]),
        sum(r.judge_failed for r in results),
    )


def histogram(scores: Iterable[float], bins: int = 10) -> list[int]:
    """How many stepwise scores fall into each of equal bins from 0 to 1, the last one closed."""
    counts, _ = np.histogram(list(scores), bins=bins, range=(0.0, 1.0))
    return [int(count) for count in counts]
