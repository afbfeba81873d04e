"""The laboratory of verifiers for programs: answers that verifiers judge differently, and regression cases of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import overload

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.evaluation.laboratory.cases import RegressionCase, case_made_small, case_of
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier, OwnVerifiers
from spatial_workbench.engine.evaluation.laboratory.own import asked as asked_own
from spatial_workbench.engine.evaluation.laboratory.own.functions import Judge, verifiers_of_functions
from spatial_workbench.engine.evaluation.laboratory.searching.asking import words_of
from spatial_workbench.engine.evaluation.laboratory.searching.lanes import (
    LabPlan,
    SearchMemory,
    SearchRun,
    groups_in,
    stored_answers,
)
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import (
    FindingGroup,
    SearchLimits,
    SearchState,
    TaskSearch,
)
from spatial_workbench.engine.evaluation.laboratory.shrinking import group_made_small
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier
from spatial_workbench.engine.executor import open_executor
from spatial_workbench.engine.store import Project


@dataclass(frozen=True)
class Disagreement:
    """Answers that two verifiers judge differently in the same way: how many were found, and the smallest.

    Attributes:
        address: Address of the instance of the smallest.
        answer: Its text.
        verifiers: Names of the two.
        check: The first check that ends differently, "score", or what went wrong with a verifier, such as "exception".
        verdicts: What each says; None where one gave no verdict.
        words: The same in a few words, also where there is no verdict.
        count: How many such answers were found.
        known: Ids of the known differences that it shows.
        is_question: Whether nothing known explains it, and both should follow the same rules.
    """

    address: str
    answer: str
    verifiers: tuple[str, str]
    check: str
    verdicts: tuple[Verdict | None, Verdict | None] = field(compare=False)
    words: tuple[str, str]
    count: int
    known: tuple[str, ...]
    is_question: bool
    _group: FindingGroup = field(repr=False, compare=False)
    _asked: _Others = field(repr=False, compare=False)

    @classmethod
    def of(cls, group: FindingGroup, asked: _Others) -> Disagreement:
        """A group of findings, and which verifiers were asked beside the task's own."""
        found, way = group.smallest, group.smallest.divergence
        return cls(
            found.address,
            found.answer,
            (way.first, way.second),
            way.by_check,
            (_verdict(found.first), _verdict(found.second)),
            (words_of(found.first), words_of(found.second)),
            group.count,
            group.known,
            group.is_question,
            group,
            asked,
        )

    def case(self, reason: str = "", who: str = "") -> RegressionCase:
        """A regression case, which expects what all verifiers of the task say now.

        reason: Who is right, by which rule.
        who: Who says so.

        Raises:
            CaseError: The answer holds a program.
        """
        with self._asked.opened() as others:
            return case_of(self.address, self.answer, reason, who, others)

    def made_small(self, seconds: float) -> Disagreement:
        """The same with a smaller answer; see `shrink`."""
        with self._asked.opened() as others:
            group = group_made_small(self._group, seconds, others=others, programs=self._asked.programs)
        return replace(Disagreement.of(group, self._asked), count=self.count)

    def __repr__(self) -> str:
        first, second = (f"{name} {words}" for name, words in zip(self.verifiers, self.words, strict=True))
        known = f", known: {', '.join(self.known)}" if self.known else ""
        return f"<{self.address}: {first}; {second}{known}>"


def disagreements(
    task_id: str,
    seconds: float | None,
    answers: int | None,
    seed: int,
    verifiers: Mapping[str, Judge],
    own: Sequence[str],
    project: Path | str | None,
    workers: int,
    allow_programs: bool,
) -> list[Disagreement]:
    """What `spatial_workbench.disagree` does.

    Raises:
        KeyError: There is no such task.
        OwnVerifierError: There is no such verifier of the user's own, or its file cannot be read.
        ValueError: Functions can be asked in this process only.
    """
    task = task_of(task_id)
    chosen = tuple(OwnVerifiers().get(name) for name in own)
    others = _Others(verifiers_of_functions(verifiers), chosen, allow_programs)
    by_time = None if answers is not None else seconds
    if not verifiers:
        plan = LabPlan([task.id], by_time, answers, seed, workers, allow_programs, chosen)
        return [Disagreement.of(group, others) for group in _searched(plan, project)]
    if project is not None or workers != 1:
        raise ValueError("functions are asked in this process: leave out “project” and “workers”, or name “own” ones")
    with others.opened() as asked:
        search = TaskSearch(SearchState(task.id, seed), asked, programs=allow_programs)
        search.run(SearchLimits(by_time, answers if answers is not None else SearchLimits.answers))
    groups = sorted(search.groups.values(), key=lambda group: (not group.is_question, bool(group.known)))
    return [Disagreement.of(group, others) for group in groups]


@overload
def made_small(found: Disagreement, seconds: float) -> Disagreement: ...
@overload
def made_small(found: RegressionCase, seconds: float) -> RegressionCase: ...
def made_small(found: Disagreement | RegressionCase, seconds: float) -> Disagreement | RegressionCase:
    """What `spatial_workbench.shrink` does."""
    return found.made_small(seconds) if isinstance(found, Disagreement) else case_made_small(found, seconds)


@dataclass(frozen=True)
class _Others:
    """The verifiers that are asked beside those of a task, and whether programs in answers run."""

    functions: tuple[AnyVerifier, ...]
    own: tuple[OwnVerifier, ...]
    programs: bool

    @contextmanager
    def opened(self) -> Iterator[list[AnyVerifier]]:
        """The same ready to be asked, in a `with` block."""
        with ExitStack() as stack:
            yield [*self.functions, *(stack.enter_context(asked_own(own)).verifier for own in self.own)]


def _searched(plan: LabPlan, project: Path | str | None) -> list[FindingGroup]:
    (task,) = plan.tasks
    with open_executor(plan.lanes) as executor:
        if project is None:
            keeps = SearchMemory()
            SearchRun(plan, executor, keeps).run()
            return groups_in(keeps, task)
        path = Path(project)
        with Project.open(path) if path.exists() else Project.create(path) as stored:
            SearchRun(plan, executor, stored.searches, {task: stored_answers(stored, task)}).run()
            return groups_in(stored.searches, task)


def _verdict(ruled: object) -> Verdict | None:
    return ruled if isinstance(ruled, Verdict) else None
