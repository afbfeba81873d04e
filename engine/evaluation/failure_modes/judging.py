"""Asks a judge about failed attempts. This never changes a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.failure_modes.eligibility import THRESHOLD
from spatial_workbench.engine.evaluation.failure_modes.evidence import Evidence
from spatial_workbench.engine.evaluation.failure_modes.labels import FailureMode
from spatial_workbench.engine.evaluation.failure_modes.output import (
    JudgedAttempt,
    RuleBroken,
    judgement_schema,
    read_judgement,
)
from spatial_workbench.engine.evaluation.failure_modes.prompt import PROMPT_VERSION, batches, system_text, user_text
from spatial_workbench.engine.models import Answerer, ModelError, ModelSettings, ReasoningEffort, Request, Response

RETRIES = 2
"""Further tries after an answer that breaks the rules."""
MAX_OUTPUT_TOKENS = 16_384
TIMEOUT_S = 180.0


class DecisionStatus(StrEnum):
    """Whether a judge labelled an attempt."""

    OK = "ok"
    ERROR = "error"
    NOT_SELECTED = "not_selected"


class JudgeTrace(BaseModel):
    """A request to a judge, and the last answer to it.

    Further tries add a complaint about the answer before; the trace holds the request without complaints.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    prompt: str = Field(description="System message and question")
    answer: str = Field(default="", description="Unchanged")
    reasoning: str | None = None
    tries: int = Field(default=0, description="How many answers came")
    input_tokens: int | None = Field(default=None, description="Of all tries; None: not reported")
    output_tokens: int | None = Field(default=None, description="Of all tries; None: not reported")


class Decision(BaseModel):
    """A judge's decision on an attempt."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    task: str
    address: str
    repeat: int
    model: str = Field(description="Whose attempt it is")
    tools: bool
    attempt: int | None
    status: DecisionStatus
    label: FailureMode | None = None
    confidence: float | None = None
    justification: str = ""
    evidence_tags: tuple[str, ...] = ()
    message: str = Field(default="", description="Why there is no label")
    judge: str = Field(default="", description="Model of the judge, in the endpoint's words")
    prompt_version: str = PROMPT_VERSION
    trace: JudgeTrace | None = None

    @classmethod
    def on(cls, evidence: Evidence, status: DecisionStatus, **rest: object) -> Decision:
        """A decision on the attempt that the evidence is about."""
        about = evidence.model_dump(include={"task", "address", "repeat", "model", "tools", "attempt"})
        return cls.model_validate({**about, "status": status, **rest})


def judge_settings(settings: ModelSettings) -> ModelSettings:
    """The settings of a model for judging: medium effort, 16384 output tokens, 180 s, two retries, no tools."""
    return settings.changed(
        effort=ReasoningEffort.MEDIUM,
        max_output_tokens=MAX_OUTPUT_TOKENS,
        timeout_s=TIMEOUT_S,
        max_tries=RETRIES + 1,
        tools=False,
    )


def judge(answerer: Answerer, evidences: Sequence[Evidence], progress: Progress = silent) -> list[Decision]:
    """A decision on each attempt, in their order.

    A request is about up to five attempts at one task. If the answer breaks the rules, the judge is asked up to two
    more times; if that fails too, or the model fails, all attempts of the request get the status `error`. Attempts
    that score 0.6 or more are `not_selected`.

    Raises:
        Cancelled: Raised by `progress`.
    """
    decisions = {
        place: Decision.on(evidence, DecisionStatus.NOT_SELECTED)
        for place, evidence in enumerate(evidences)
        if (evidence.score or 0.0) >= THRESHOLD
    }
    chosen = [place for place in range(len(evidences)) if place not in decisions]
    for batch in batches([evidences[place] for place in chosen]):
        places = [chosen[index] for index in batch]
        watch = _part_of(progress, len(decisions), len(evidences))
        watch(0, 1, f"judging {evidences[places[0]].task}")
        decisions |= zip(places, _judge_batch(answerer, [evidences[place] for place in places], watch), strict=True)
    progress(len(evidences), len(evidences))
    return [decisions[place] for place in range(len(evidences))]


@dataclass(frozen=True)
class _Asked:
    """How a request ended: with decisions, or with a message."""

    trace: JudgeTrace
    decisions: tuple[JudgedAttempt, ...] = ()
    message: str = ""
    judge: str = ""


def _part_of(progress: Progress, finished: int, count: int) -> Progress:
    """Reports how many attempts are decided, in place of the answerer's own progress in seconds."""

    def report(done: float, total: float, text: str = "") -> None:
        progress(finished, count, text)

    return report


def _judge_batch(answerer: Answerer, evidences: Sequence[Evidence], progress: Progress) -> list[Decision]:
    asked = _ask_judge(answerer, evidences, progress)
    common: dict[str, object] = {"judge": asked.judge, "trace": asked.trace}
    if asked.message:
        return [Decision.on(evidence, DecisionStatus.ERROR, message=asked.message, **common) for evidence in evidences]
    return [
        Decision.on(
            evidence,
            DecisionStatus.OK,
            label=judged.failure_mode,
            confidence=judged.confidence,
            justification=judged.justification,
            evidence_tags=tuple(judged.evidence_tags),
            **common,
        )
        for evidence, judged in zip(evidences, asked.decisions, strict=True)
    ]


def _ask_judge(answerer: Answerer, evidences: Sequence[Evidence], progress: Progress) -> _Asked:
    request = Request(
        text=user_text(evidences), system=system_text(), schema=judgement_schema(), schema_name="failure_modes"
    )
    asked = _Asked(JudgeTrace(prompt=f"{request.system}\n\n{request.text}"))
    for number in range(RETRIES + 1):
        complaint = f"\n\nYour last answer broke the rules: {asked.message}." if asked.message else ""
        try:
            response = answerer.ask(replace(request, text=request.text + complaint, repeat=number), progress)
        except ModelError as error:
            # The answerer has already retried any error that can be retried.
            return replace(asked, message=str(error))
        asked = _read_answer(response, asked.trace, len(evidences), number + 1)
        if not asked.message:
            break
    return asked


def _read_answer(response: Response, trace: JudgeTrace, count: int, tries: int) -> _Asked:
    answer = {"answer": response.text, "reasoning": response.reasoning, "tries": tries}
    trace = trace.model_copy(update=answer | _spent(trace, response))
    try:
        return _Asked(trace, read_judgement(response.text, count), judge=response.model)
    except RuleBroken as error:
        return _Asked(trace, message=str(error), judge=response.model)


def _spent(trace: JudgeTrace, response: Response) -> dict[str, int | None]:
    """The tokens of all tries so far."""
    tokens: dict[str, int | None] = {}
    for name in ("input_tokens", "output_tokens"):
        before = getattr(trace, name)
        more = getattr(response.usage, name)
        tokens[name] = (before or 0) + more if more is not None else before
    return tokens
