"""The subtasks that one run passed and the other did not, and where one is better by difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial_workbench.engine.evaluation.comparing.paired import ScorePair
from spatial_workbench.engine.evaluation.scores import depth_of, grouped


def flipped(pairs: Sequence[ScorePair]) -> list[ScorePair]:
    """The subtasks that only one run passed, those with the largest differences first."""
    found = [pair for pair in pairs if pair.first_passed != pair.second_passed]
    return sorted(found, key=lambda pair: -abs(pair.difference))


@dataclass(frozen=True)
class DifficultyBand:
    """Subtasks of like difficulty.

    Attributes:
        n: How many there are.
        first, second: Mean scores.
    """

    title: str
    n: int
    first: float
    second: float


def by_difficulty(pairs: Sequence[ScorePair], bands: int = 4) -> list[DifficultyBand]:
    """Subtasks from the easiest to the hardest, in bands of equal size.

    What is hard is taken from both runs: the mean of their scores. States of the cube are banded by their depth, if
    there is nothing else.
    """
    if pairs and all(depth_of(pair.address, pair.task) is not None for pair in pairs):
        of_depth = grouped(pairs, lambda pair: depth_of(pair.address, pair.task) or 0)
        return [_band(f"depth {depth}", of_depth[depth]) for depth in sorted(of_depth)]
    ordered = sorted(pairs, key=lambda pair: (-(pair.first + pair.second), pair.address))
    count = min(bands, len(ordered))
    parts = [ordered[len(ordered) * k // count : len(ordered) * (k + 1) // count] for k in range(count)]
    return [_band(_title(k, count), part) for k, part in enumerate(parts)]


def _title(k: int, count: int) -> str:
    if k == 0:
        return "easiest"
    return "hardest" if k == count - 1 else f"band {k + 1} of {count}"


def _band(title: str, pairs: Sequence[ScorePair]) -> DifficultyBand:
    n = len(pairs)
    return DifficultyBand(title, n, sum(pair.first for pair in pairs) / n, sum(pair.second for pair in pairs) / n)
