"""How far the verifiers of a project agree: pairs of verifiers over the attempts that both have judged.

Agreement is about passing. Kappa is Cohen's; its interval comes from drawing instances, each with all of its attempts,
again and again, since attempts at one instance are alike. Own verifiers count by their newest version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.comparing.kappa import kappa_of_two
from spatial_workbench.engine.store import Project, RunFilter


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
    found = kappa_of_two((each.address, each.passes[first], each.passes[second]) for each in common)
    by_task = Counter(each.task for each in common)
    differing = Counter(each.task for each in common if each.passes[first] != each.passes[second])
    return VerifierAgreement(
        first,
        second,
        len(common),
        found.same,
        found.only_first,
        found.only_second,
        found.kappa,
        found.low,
        found.high,
        {task: (count, differing[task]) for task, count in sorted(by_task.items())},
    )
