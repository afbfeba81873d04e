"""How far the verifiers of a project agree: pairs of verifiers over the attempts that both have judged.

Agreement is about passing. Kappa is Cohen's; its interval comes from drawing instances, each with all of its attempts,
again and again, since attempts at one instance are alike. Own verifiers count by their newest version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from spatial_workbench.engine.core import Progress, State, Verdict, silent
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.comparing.kappa import kappa_of_two
from spatial_workbench.engine.store import Project, RunFilter


@dataclass(frozen=True)
class JudgedByAll:
    """What the verifiers say of an attempt.

    Attributes:
        task, address: What it answers.
        passes: Whether it passes, by the name of the verifier.
        number, who: Which attempt it is, and whose.
        said: What each verifier said in a few words: "not passed, 0.25: no overlap".
    """

    task: str
    address: str
    passes: dict[str, bool]
    number: int = 0
    who: str = ""
    said: dict[str, str] = field(default_factory=dict)


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


@dataclass(frozen=True)
class AgreementChoice:
    """Which attempts are compared; what is left out restricts nothing.

    Attributes:
        tasks: Ids of tasks.
        who: Names of models and people.
        batches: Numbers of batches.
        attempts: Numbers of attempts.
    """

    tasks: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    batches: tuple[int, ...] = ()
    attempts: tuple[int, ...] = ()

    def numbers(self, project: Project) -> list[int]:
        """The numbers of these attempts in a project, in ascending order."""
        chosen = RunFilter(tasks=self.tasks or None, who=self.who or None)
        filters = [chosen.model_copy(update={"batch": batch}) for batch in self.batches] or [chosen]
        found = {number for each in filters for number in project.runs.numbers(each)}
        return sorted(found & set(self.attempts) if self.attempts else found)


def judged_attempts(
    project: Project, chosen: AgreementChoice | None = None, progress: Progress = silent
) -> list[JudgedByAll]:
    """What the verifiers say of the chosen attempts of a project; those without a verdict are left out.

    Of a verifier of somebody else's, only verdicts of its newest version count.

    Raises:
        Cancelled: Raised by `progress`.
    """
    found = []
    numbers = (chosen or AgreementChoice()).numbers(project)
    newest = {name: project.runs.newest_version(name) for name in project.runs.own_verifiers()}
    for done, number in enumerate(numbers):
        progress(done, len(numbers), f"Attempt {number}")
        attempt = project.attempts.get(number)
        verdicts = [each for each in attempt.verdicts if newest.get(each.verifier, each.version) == each.version]
        if verdicts:
            passes = {verdict.verifier: verdict.passed for verdict in verdicts}
            said = {verdict.verifier: _words(verdict) for verdict in verdicts}
            task = task_of_address(attempt.address)
            found.append(JudgedByAll(task, attempt.address, passes, number, attempt.actor_name, said))
    return found


def _words(verdict: Verdict) -> str:
    failed = next((f": {check.name}" for check in verdict.checks if check.state is State.FAILED), "")
    return f"{'passed' if verdict.passed else 'not passed'}, {score_words(verdict.score)}{failed}"


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
