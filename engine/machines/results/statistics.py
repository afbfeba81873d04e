"""Statistics of samples of machines: validity, two means, deviation, best-of-N (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.rates import best_of
from spatial_workbench.engine.core.scene import Floats


@dataclass(frozen=True)
class Sample:
    """A machine that somebody made for a level.

    Attributes:
        value: What it reached, in the level's unit; 0 for machines that are not valid.
        file_valid: Whether it could be read as a construction tree.
        spatially_valid: None where it could not be read, so that this was not checked.
    """

    value: float
    file_valid: bool
    spatially_valid: bool | None

    @property
    def is_valid(self) -> bool:
        """Whether file and space keep their rules."""
        return self.file_valid and bool(self.spatially_valid)


@dataclass(frozen=True)
class Count:
    """How many of those that were asked passed."""

    passed: int
    total: int

    def __str__(self) -> str:
        return f"{self.passed}/{self.total}"


@dataclass(frozen=True)
class Summary:
    """Figures of several samples.

    Attributes:
        spatial: Counted among the machines whose file is valid.
        mean_valid: Over valid machines; None: there is none.
        mean_all: Over all samples; machines that are not valid count 0.
        maximum: Over all samples.
        deviation: Standard deviation of a sample (n - 1) over all, as in the published tables; None for a single one.
    """

    file: Count
    spatial: Count
    machine: Count
    mean_valid: float | None
    mean_all: float
    maximum: float
    deviation: float | None


def summarize(samples: Sequence[Sample]) -> Summary:
    """The figures of at least one sample."""
    values = np.array([sample.value if sample.is_valid else 0.0 for sample in samples])
    valid = [sample.value for sample in samples if sample.is_valid]
    readable = [sample for sample in samples if sample.file_valid]
    return Summary(
        file=Count(len(readable), len(samples)),
        spatial=Count(sum(bool(sample.spatially_valid) for sample in readable), len(readable)),
        machine=Count(len(valid), len(samples)),
        mean_valid=float(np.mean(valid)) if valid else None,
        mean_all=float(values.mean()),
        maximum=float(values.max()),
        deviation=float(values.std(ddof=1)) if len(values) > 1 else None,
    )


def best_of_curve(values: Sequence[float]) -> Floats:
    """The expected maximum of N samples drawn without replacement, for N from 1 to the number of samples."""
    return np.array([best_of(values, n) for n in range(1, len(values) + 1)], float)


def mean_by_round(expansions: Sequence[Sequence[int]]) -> list[float]:
    """How many machines each round of some searches added, averaged over the searches that got that far."""
    longest = max(map(len, expansions), default=0)
    by_round = [[rounds[i] for rounds in expansions if len(rounds) > i] for i in range(longest)]
    return [float(np.mean(counts)) for counts in by_round]
