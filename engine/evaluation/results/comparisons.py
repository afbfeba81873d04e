"""Two sets of a project's attempts, compared in pairs, as a section of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import columns_of, joined
from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare, compared
from spatial_workbench.engine.evaluation.comparing.judges import score_judges, with_one_judge
from spatial_workbench.engine.evaluation.comparing.runs import runs_in
from spatial_workbench.engine.evaluation.comparing.sets import AttemptSet
from spatial_workbench.engine.evaluation.comparing.tables import comparison_tables
from spatial_workbench.engine.evaluation.results.contents import (
    EVERYTHING,
    ReportSection,
    ResultsChoice,
    chosen_records,
)
from spatial_workbench.engine.evaluation.results.tables import TableNote
from spatial_workbench.engine.evaluation.scored import Ending, Scored

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

_STORED = "Scores of a verifier are those of its stored verdicts, without what people set."


def comparison_section(
    project: Project,
    first: AttemptSet,
    second: AttemptSet,
    choice: ResultsChoice = EVERYTHING,
    progress: Progress = silent,
) -> ReportSection:
    """Two sets of a project's attempts, compared in pairs.

    choice: Which attempts count, and whose scores; filters and numbers select among all attempts.

    Raises:
        NothingToCompare: A run is not there, the sets are the same, or they have no subtask in common.
        Cancelled: Raised by `progress`.
    """
    if first.has_the_attempts_of(second) and first.judge == second.judge:
        raise NothingToCompare("Both sets are the same; choose two different ones.")
    progress(0, 2, "Reading attempts")
    notes: list[str] = []
    records = [_records(project, of, choice) for of in (first, second)]
    if not first.judge and not second.judge:
        records, told = _judged_alike(project, records, choice)
        notes += told
    else:
        notes.append(_STORED)
        if first.has_the_attempts_of(second):
            records, told = _judged_by_both(records)
            notes += told
    notes += _shared(*records) if not first.has_the_attempts_of(second) else []
    progress(1, 2, "Comparing")
    found = compared(first.title, second.title, *records)
    tables = comparison_tables(found, *records)
    with_notes = replace(tables[0], notes=(*tables[0].notes, *map(TableNote, notes)))
    return ReportSection("comparison", f"{first.title} and {second.title}", (with_notes, *tables[1:]))


def _records(project: Project, of: AttemptSet, choice: ResultsChoice) -> Sequence[Scored]:
    """The records of a set, with the scores that count in it."""
    if of.chosen is None and of.attempts is None:
        records = chosen_records(project, choice)
    else:
        numbers = set(of.attempts) if of.attempts is not None else None
        if of.chosen is not None:
            selected = set(project.runs.numbers(of.chosen))
            numbers = selected if numbers is None else numbers & selected
        everything = replace(choice, batches=None, people=True, helped=True)
        found = chosen_records(project, everything)
        records = found.at(np.isin(found.figures("attempt"), sorted(numbers or ())))
        if not records:
            raise NothingToCompare(f"No attempt is in “{of.title}”.")
    if of.run:
        runs = runs_in(records)
        if of.run not in runs:
            raise NothingToCompare(f"There is no run “{of.run}”; there are {', '.join(runs) or 'none'}.")
        records = runs[of.run]
    return _rejudged(project, records, of) if of.verifier else records


def _rejudged(project: Project, records: Sequence[Scored], of: AttemptSet) -> list[Scored]:
    """The attempts among some records, with the scores that a verifier stored; None where it stored none."""
    verdicts = project.runs.verdict_scores(of.verifier, of.version or None)
    if not verdicts:
        known = ", ".join(f"{name}@{version}" for name, version, _ in project.runs.verifiers())
        raise NothingToCompare(f"{of.judge} has judged no attempt; there are verdicts of {known or 'none'}.")
    return [
        replace(item, state=Ending.DONE, score=score, passed=passed, override="")
        for item in records
        if item.attempt is not None
        for score, passed in [verdicts.get(item.attempt, (None, None))]
    ]


def _judged_alike(
    project: Project, records: Sequence[Sequence[Scored]], choice: ResultsChoice
) -> tuple[list[Sequence[Scored]], Sequence[str]]:
    """Both sets without what another version of a task's verifier judged, and sentences that say so."""
    first, second = records
    both = joined([columns_of(first), columns_of(second)])
    kept, told = with_one_judge(both, score_judges(project, choice.verifier))
    return [kept[: len(first)], kept[len(first) :]], told


def _judged_by_both(records: Sequence[Sequence[Scored]]) -> tuple[list[Sequence[Scored]], Sequence[str]]:
    """The same attempts under two verifiers, without those that only one of them has judged."""
    judged = [{item.attempt for item in of if item.value is not None} for of in records]
    both = judged[0] & judged[1]
    alone = len(judged[0] | judged[1]) - len(both)
    kept: list[Sequence[Scored]] = [[item for item in of if item.attempt in both] for of in records]
    if not alone:
        return kept, []
    verb = "is" if alone == 1 else "are"
    return kept, [f"{counted(alone, 'attempt')} that only one of the verifiers has judged {verb} left out."]


def _shared(first: Sequence[Scored], second: Sequence[Scored]) -> list[str]:
    """Says how many attempts are in both sets."""
    numbers = [{item.attempt for item in of if item.attempt is not None} for of in (first, second)]
    count = len(numbers[0] & numbers[1])
    return [f"{counted(count, 'attempt is', 'attempts are')} in both sets."] if count else []
