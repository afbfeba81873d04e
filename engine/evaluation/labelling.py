"""Labels the failed attempts of a project with failure modes; labels are stored after each request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Progress, resolve, silent
from spatial_workbench.engine.evaluation.failure_modes import Decision, DecisionStatus, Evidence, judge, judge_settings
from spatial_workbench.engine.evaluation.failure_modes.eligibility import THRESHOLD
from spatial_workbench.engine.evaluation.failure_modes.prompt import batches, system_text, user_text
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.models import open_answerer
from spatial_workbench.engine.store import Actor, Project, RunFilter, RunRow

_AT_A_TIME = 5
_CHARS_OF_A_TOKEN = 4
ASSUMED_OUTPUT_TOKENS = 600
"""For the decision on an attempt, reasoning included."""


class LabellingOutcome(BaseModel):
    """How many attempts got a label, how many did not, and how many requests and tokens that took."""

    model_config = ConfigDict(frozen=True)

    labelled: int
    failed: int
    last_error: str = ""
    labels: dict[str, int] = Field(default_factory=dict, description="How many attempts got which label")
    requests: int = 0
    input_tokens: int = Field(default=0, description="As far as the endpoint reported them")
    output_tokens: int = Field(default=0, description="As far as the endpoint reported them")


class JudgingEstimate(BaseModel):
    """What labelling is expected to take, if the judge's first answers can all be used."""

    model_config = ConfigDict(frozen=True)

    attempts: int
    requests: int
    input_tokens: int
    output_tokens: int = Field(description="Assumed")


def label_failures(
    path: Path, judge_model: Contender, batch: int | None = None, again: bool = False, progress: Progress = silent
) -> LabellingOutcome:
    """Asks a model to label the failed attempts of models: those of a batch, or all.

    Attempts that have a label are skipped, unless they are to be judged `again`.

    Raises:
        ProjectError: The project cannot be used.
        ModelError: The judge cannot be opened.
        Cancelled: Raised by `progress`; labels given until then are kept.
    """
    settings = judge_settings(judge_model.settings)
    answerer = open_answerer(settings, judge_model.capabilities)
    outcome = LabellingOutcome(labelled=0, failed=0)
    try:
        with Project.open(path) as project:
            rows = _rows(project, batch, again)
            for begin, part in _parts(rows):
                progress(begin, len(rows), f"Judging {part[0].task}")
                evidences = [_evidence(project, row) for row in part]
                decisions = judge(answerer, evidences)
                for decision in decisions:
                    assert decision.attempt is not None
                    label = _label_of(decision)
                    project.judgements.add_label(
                        decision.attempt, decision.status.value, label, decision.model_dump_json()
                    )
                outcome = _updated(outcome, decisions)
    finally:
        answerer.close()
    return outcome


def estimate_labelling(
    project: Project, batch: int | None = None, again: bool = False, progress: Progress = silent
) -> JudgingEstimate:
    """What `label_failures` is expected to take.

    Raises:
        Cancelled: Raised by `progress`.
    """
    rows = _rows(project, batch, again)
    requests = characters = 0
    for begin, part in _parts(rows):
        progress(begin, len(rows), f"Reading {part[0].task}")
        evidences = [_evidence(project, row) for row in part]
        for places in batches(evidences):
            requests += 1
            characters += len(system_text()) + len(user_text([evidences[place] for place in places]))
    return JudgingEstimate(
        attempts=len(rows),
        requests=requests,
        input_tokens=characters // _CHARS_OF_A_TOKEN,
        output_tokens=len(rows) * ASSUMED_OUTPUT_TOKENS,
    )


def _label_of(decision: Decision) -> str | None:
    return decision.label.value if decision.status is DecisionStatus.OK and decision.label else None


def _updated(before: LabellingOutcome, decisions: Sequence[Decision]) -> LabellingOutcome:
    """The outcome so far, updated by further decisions."""
    labels = Counter(before.labels)
    labels.update(label for decision in decisions if (label := _label_of(decision)))
    decided = sum(decision.status is DecisionStatus.OK for decision in decisions)
    # The attempts of a request share its trace.
    traces = {id(decision.trace): decision.trace for decision in decisions if decision.trace is not None}.values()
    return LabellingOutcome(
        labelled=before.labelled + decided,
        failed=before.failed + len(decisions) - decided,
        last_error=next((decision.message for decision in reversed(decisions) if decision.message), before.last_error),
        labels=dict(labels),
        requests=before.requests + sum(max(1, trace.tries) for trace in traces),
        input_tokens=before.input_tokens + sum(trace.input_tokens or 0 for trace in traces),
        output_tokens=before.output_tokens + sum(trace.output_tokens or 0 for trace in traces),
    )


def _rows(project: Project, batch: int | None, again: bool) -> list[RunRow]:
    """Failed attempts of models, sorted by task, since a request is about one task.

    Attempts that no verifier has judged are left out, since the judge would have nothing to go by.
    """
    failed = project.runs.select(RunFilter(actor=Actor.MODEL, batch=batch, score_max=THRESHOLD))
    judged = [row for row in failed if row.first_score is not None and (row.score or 0.0) < THRESHOLD]
    chosen = [row for row in judged if again or row.label is None]
    return sorted(chosen, key=lambda row: (row.task, row.actor_name, row.number))


def _parts(rows: Sequence[RunRow]) -> Iterator[tuple[int, list[RunRow]]]:
    """The attempts in parts of at most five at one task, each with the number of attempts before it."""
    part: list[RunRow] = []
    for k, row in enumerate(rows):
        if part and (part[0].task != row.task or len(part) == _AT_A_TIME):
            yield k - len(part), part
            part = []
        part.append(row)
    if part:
        yield len(rows) - len(part), part


def _evidence(project: Project, row: RunRow) -> Evidence:
    attempt = project.attempts.get(row.number)
    task, instance = resolve(row.address)
    replies = project.runs.replies(row.item) if row.item is not None else []
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
    return Evidence.of(item, task, instance, output, default, reasoning)
