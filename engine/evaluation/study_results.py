"""The people of studies as runs: one for each condition of a study whose outcomes are unsealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.words import override_words
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import depth_of
from spatial_workbench.engine.store.facts import is_own
from spatial_workbench.engine.studies.analysis.counting import PLANNED
from spatial_workbench.engine.studies.analysis.figures import cells_of
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes, StudyState
from spatial_workbench.engine.studies.planning.document import Allowed, Study
from spatial_workbench.engine.studies.planning.freezing import sharing

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

_PERSON = "person"


def study_results(project: Project, verifier: str = "default", overrides: bool = True) -> list[Scored]:
    """The trials of all studies that count as planned. An item with an answer for several instances counts at each.

    Scores count as those of other attempts: a score that a person set, if `overrides` is true, otherwise the score of
    the named verifier. Of a verifier of somebody else's, only the trials count that it has judged.
    """
    opened = list(opened_studies(project))
    judgements = _judgements(project, verifier, overrides) if opened else {}
    found = [item for outcomes in opened for item in _of_study(project, outcomes, judgements)]
    return [item for item in found if item.attempt is not None] if is_own(verifier) else found


@dataclass(frozen=True)
class _Judgement:
    """How an attempt counts, and who overrode it, in words."""

    attempt: int | None
    address: str
    score: float
    passed: bool
    override: str = ""
    seconds: float | None = None


def _judgements(project: Project, verifier: str, overrides: bool) -> dict[int, _Judgement]:
    """How the attempts of studies count, by their numbers."""
    judgements = {}
    found = project.runs.scored(None, verifier, overrides, of_studies=True)
    for values in zip(*found.values(), strict=True):
        row = dict(zip(found, values, strict=True))
        score = row["score"]
        reason = row["reason"]
        if score is not None:
            is_told = overrides and reason is not None
            words = override_words(row["own_score"], score, row["person"], reason) if is_told else ""
            judgements[row["attempt"]] = _Judgement(
                row["attempt"], row["address"], score, bool(row["passed"]), words, row["seconds"]
            )
    return judgements


def opened_studies(project: Project) -> Iterator[Outcomes]:
    """The studies whose outcomes are unsealed."""
    return (project.outcomes.of(row.id) for row in project.studies.all() if row.state is StudyState.UNSEALED)


def _of_study(project: Project, outcomes: Outcomes, judgements: Mapping[int, _Judgement]) -> Iterator[Scored]:
    return _trials_of(outcomes, project.outcomes.counting_attempts(outcomes.study.id), judgements)


def results_of(outcomes: Outcomes) -> Iterator[Scored]:
    """The trials of one study that count as planned, from its outcomes alone: without what people set later."""
    return _trials_of(outcomes, {}, {})


def _trials_of(
    outcomes: Outcomes, counting: Mapping[tuple[str, int], Sequence[int]], judgements: Mapping[int, _Judgement]
) -> Iterator[Scored]:
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition, PLANNED)
        name = run_name(outcomes, condition, cells.people)
        for (row, column), trial in sorted(cells.trials.items()):
            attempts = counting.get((cells.sessions[row].id, trial.position), ())
            by_address = {judgements[n].address: judgements[n] for n in attempts if n in judgements}
            for address in sharing(cells.items[column].address):
                score = float(cells.scores[row, column])
                passed = bool(cells.passed[row, column])
                judged = by_address.get(address) or _Judgement(None, address, score, passed)
                yield _scored(outcomes.study, name, row, judged)


def _scored(study: Study, name: str, person: int, judged: _Judgement) -> Scored:
    task, instance = resolve(judged.address)
    return Scored(
        task=task.id,
        address=instance.address,
        number=instance.number,
        model=name,
        repeat=person,
        tools=has_tools(study),
        score=judged.score,
        passed=judged.passed,
        attempt=judged.attempt,
        seconds=judged.seconds,
        depth=depth_of(judged.address, task.id),
        actor=_PERSON,
        study=study.id,
        is_overridden=bool(judged.override),
        override=judged.override,
    )


def run_name(outcomes: Outcomes, condition: str, people: int) -> str:
    """The name of a study's people as a run: "human · Two mazes (8)"."""
    kind = "rehearsal" if outcomes.is_rehearsal else "human"
    named = f"{outcomes.study.name}, {condition}" if len(outcomes.study.conditions) > 1 else outcomes.study.name
    return f"{kind} · {named} ({people})"


def has_tools(study: Study) -> bool:
    """Whether people may use what models call tools."""
    tools = study.tools
    return any(use is not Allowed.FORBIDDEN for use in (tools.code, tools.internet, tools.ai))
