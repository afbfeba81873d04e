"""Labels the failed attempts of a project with failure modes; what is labelled is stored request by request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from engine.core import Progress, resolve, silent
from engine.evaluation.failure_modes import DecisionStatus, Evidence, judge, judge_settings
from engine.evaluation.failure_modes.selection import THRESHOLD
from engine.evaluation.plan import Contender
from engine.evaluation.scores import Scored
from engine.models import open_answerer
from engine.store import Actor, Project, RunFilter, RunRow

_AT_A_TIME = 5


class Labelled(BaseModel):
    """How many attempts got a label, and how many requests came to nothing."""

    model_config = ConfigDict(frozen=True)

    labelled: int
    failed: int
    last_error: str = ""


def label_failures(
    path: Path, judge_model: Contender, batch: int | None = None, again: bool = False, progress: Progress = silent
) -> Labelled:
    """Asks a model about the failed attempts of models: of a batch, or of all.

    Attempts that have a label are passed over, unless they are to be judged `again`.

    Raises:
        ProjectError: the project cannot be used.
        ModelError: the judge cannot be opened.
        Cancelled: out of `progress`; what was labelled until then is kept.
    """
    settings = judge_settings(judge_model.settings)
    answerer = open_answerer(settings, judge_model.capabilities)
    labelled = failed = 0
    last_error = ""
    try:
        with Project.open(path) as project:
            rows = _rows(project, batch, again)
            for begin, part in _parts(rows):
                progress(begin, len(rows), f"Judging {part[0].task}")
                evidences = [_evidence(project, row) for row in part]
                for decision in judge(answerer, evidences):
                    assert decision.attempt is not None
                    ok = decision.status is DecisionStatus.OK
                    label = decision.label.value if ok and decision.label else None
                    project.add_label(decision.attempt, decision.status.value, label, decision.model_dump_json())
                    labelled, failed = labelled + ok, failed + (not ok)
                    last_error = decision.message or last_error
    finally:
        answerer.close()
    return Labelled(labelled=labelled, failed=failed, last_error=last_error)


def count_failures(project: Project, batch: int | None = None, again: bool = False) -> int:
    """How many attempts would be judged."""
    return len(_rows(project, batch, again))


def _rows(project: Project, batch: int | None, again: bool) -> list[RunRow]:
    """Attempts of models that failed, by task, so that a request is about one task."""
    failed = project.runs(RunFilter(actor=Actor.MODEL, batch=batch, score_max=THRESHOLD))
    chosen = [row for row in failed if (row.score or 0.0) < THRESHOLD and (again or row.label is None)]
    return sorted(chosen, key=lambda row: (row.task, row.actor_name, row.number))


def _parts(rows: Sequence[RunRow]) -> Iterator[tuple[int, list[RunRow]]]:
    """At most five attempts of one task at a time, with how many come before."""
    part: list[RunRow] = []
    for k, row in enumerate(rows):
        if part and (part[0].task != row.task or len(part) == _AT_A_TIME):
            yield k - len(part), part
            part = []
        part.append(row)
    if part:
        yield len(rows) - len(part), part


def _evidence(project: Project, row: RunRow) -> Evidence:
    attempt = project.attempt(row.number)
    one, instance = resolve(row.address)
    replies = project.replies(row.item) if row.item is not None else []
    output = "\n\n".join(reply.text for reply in replies) or attempt.answer
    reasoning = "\n\n".join(filter(None, (reply.reasoning for reply in replies))) or None
    item = Scored(
        task=row.task,
        address=row.address,
        number=instance.number,
        repeat=row.repeat or 0,
        model=row.actor_name,
        tools=bool(row.tools),
        score=row.score,
        finish_reason=row.finish_reason,
        attempt=row.number,
    )
    default = next((verdict for verdict in attempt.verdicts if verdict.verifier == "default"), None)
    return Evidence.of(item, one, instance, output, default, reasoning)
