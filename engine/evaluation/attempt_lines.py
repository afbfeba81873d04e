"""An attempt with everything about it as a line of JSON data, and back.

Exports in JSON lines and logs of Inspect hold these lines. The first fields of a line are those of a recorded answer:
task, instance, model, text, repeat, reasoning, finish_reason, usage, cost_usd, seconds. See docs/results.md for the
others. What is read may come from a stranger, and is checked.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, NoReturn

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.formats.sound import whole_texts
from spatial_workbench.engine.core.solving.aids import AidUse
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.agent_runs import words_of_run
from spatial_workbench.engine.evaluation.collect import NAMELESS
from spatial_workbench.engine.evaluation.dossiers import PARAMETERS, ExportedDossier
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.models.recorded import EXPORT_FORMAT
from spatial_workbench.engine.store import (
    Actor,
    Asked,
    BatchState,
    FailureLabel,
    JudgementSource,
    Override,
    Remark,
    RemarkKind,
    Ruling,
    StepJudgement,
    StoredAttempt,
    StoredBatch,
    StoredItem,
    StoredReply,
    StoredTry,
    Transcript,
    time_text,
)
from spatial_workbench.engine.store.records import Record
from spatial_workbench.engine.store.remarks import MAX_REMARK

VERSION: Literal[2] = 2
"""In version 1, idle time and time away were not parts of active time."""

Count = Annotated[int, Field(ge=0, le=1 << 53)]
Time = Annotated[datetime, PlainSerializer(time_text, when_used="json")]


def _from_base64(value: Any) -> Any:
    return base64.b64decode(value, validate=True) if isinstance(value, str) else value


Packed = Annotated[
    bytes,
    BeforeValidator(_from_base64),
    PlainSerializer(lambda data: base64.b64encode(data).decode("ascii"), when_used="json-unless-none"),
]
"""Compressed data, as base64 in JSON."""


class LinePart(BaseModel):
    """A part of a line. Fields in `_OPTIONAL` are written only if they were given."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)
    _OPTIONAL: ClassVar[frozenset[str]] = frozenset()

    @property
    def as_data(self) -> dict[str, Any]:
        """The part as JSON data."""
        return self.model_dump(mode="json", warnings=False)

    @model_serializer(mode="wrap")
    def _without_optional(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        missing = self._OPTIONAL - self.model_fields_set
        return {name: value for name, value in write(self).items() if name not in missing}


class BatchLine(LinePart):
    """A batch with its plan, and the log of Inspect that it was imported from."""

    _OPTIONAL: ClassVar[frozenset[str]] = frozenset({"inspect", "inspect_id"})

    number: int = Field(ge=1)
    name: str = Field(min_length=1)
    state: BatchState
    note: str = ""
    created_at: Time
    plan: BatchPlan
    inspect: Packed | None = None
    inspect_id: str = Field(default="", max_length=200)

    @classmethod
    def of(cls, batch: StoredBatch) -> BatchLine:
        """The line of a stored batch."""
        plan = BatchPlan.model_validate_json(batch.plan)
        skipped = cls._OPTIONAL if batch.inspect is None else frozenset()
        return cls.model_validate({**batch.model_dump(exclude=set(skipped)), "plan": plan})

    @property
    def stored(self) -> StoredBatch:
        """The batch as a project stores it."""
        return StoredBatch(**self.model_dump(exclude={"plan"}), plan=self.plan.model_dump_json())


class Header(LinePart):
    """The first line of a file: the batches with their plans."""

    format: Literal["spatial-workbench"]
    version: Literal[1, 2]
    batches: tuple[BatchLine, ...] = ()

    @classmethod
    def about(cls, *batches: BatchLine) -> Header:
        """The first line of a file that is written today."""
        return cls(format=EXPORT_FORMAT, version=VERSION, batches=batches)


class UsageLine(LinePart):
    """The tokens that were used; None if they were not reported."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    reasoning_tokens: Count | None = None


class ReplyLine(LinePart):
    """A reply; text, reasoning and prompt are there only if they differ from those of the line."""

    _OPTIONAL: ClassVar[frozenset[str]] = frozenset({"text", "reasoning", "prompt"})

    number: Count
    text: str | None = None
    reasoning: str | None = None
    prompt: str | None = None
    response: dict[str, Any]


class TryLine(LinePart):
    """A request, and how it ended."""

    started_at: Time
    seconds: FiniteFloat | None = None
    error: str | None = None
    output_tokens: Count | None = None
    cost_usd: FiniteFloat | None = None
    record: dict[str, Any]

    @classmethod
    def of(cls, request: StoredTry) -> TryLine:
        """The line of a stored request, without its body, which follows from prompt and settings.

        The text of a request that was answered is left out, too, since the replies hold it.
        """
        record = as_data(request.record)
        record.pop("sent", None)
        if request.error is None:
            record.pop("text", None)
            record.pop("reasoning", None)
        return cls.model_construct(**request.model_dump(exclude={"item", "record"}), record=record)

    @property
    def stored(self) -> StoredTry:
        """The request as a project stores it."""
        return StoredTry(item=0, record=json.dumps(self.record), **self.model_dump(exclude={"record"}))


class LabelLine(LinePart):
    """The failure mode that a judge gave."""

    status: str
    label: str | None = None
    at: Time
    decision: Any = None

    @classmethod
    def of(cls, label: FailureLabel) -> LabelLine:
        """The line of a stored label."""
        return cls(status=label.status, label=label.label, at=label.at, decision=as_data(label.record))

    @property
    def stored(self) -> FailureLabel:
        """The label as a project stores it; the number of its attempt is 0."""
        record = json.dumps(self.decision)
        return FailureLabel(attempt=0, status=self.status, label=self.label, record=record, at=self.at)


class RemarkLine(LinePart):
    """A note or a label of one's own."""

    kind: RemarkKind
    text: str = Field(max_length=MAX_REMARK)
    person: str = Field(max_length=1_000)
    at: Time
    withdrawn_at: Time | None = None

    @classmethod
    def of(cls, remark: Remark) -> RemarkLine:
        """The line of a stored remark."""
        return cls.model_construct(**remark.model_dump(exclude={"attempt", "number"}))

    @property
    def stored(self) -> Remark:
        """The remark as a project stores it; the number of its attempt is 0."""
        return Remark.model_validate({**self.model_dump(), "attempt": 0})


class StepJudgementLine(LinePart):
    """Which annotated steps of a puzzle were met."""

    source: JudgementSource
    who: str = Field(max_length=1_000)
    setup: dict[str, Any] = Field(
        default={}, max_length=100, description="Endpoint, settings and prompt of a judge; empty if not recorded"
    )
    steps: tuple[dict[str, Any], ...] = Field(max_length=1_000)
    version: str = Field(max_length=100)
    note: str = Field(default="", max_length=2_000)
    at: Time

    @classmethod
    def of(cls, judged: StepJudgement) -> StepJudgementLine:
        """The line of a stored judgement."""
        data = {"steps": as_data(judged.steps), "setup": judged.judge.settings}
        return cls.model_construct(**judged.model_dump(exclude={"attempt", *data}), **data)

    @property
    def stored(self) -> StepJudgement:
        """The judgement as a project stores it; the number of its attempt is 0."""
        data = {"steps": json.dumps(self.steps), "setup": json.dumps(self.setup, ensure_ascii=False)}
        return StepJudgement.model_validate({**self.model_dump(), "attempt": 0, **data})


class AttemptLine(LinePart):
    """An attempt, or an item of a batch without one.

    Fields of type Any are for readers of the file. They follow from the others, and importing ignores them.
    """

    _OPTIONAL: ClassVar[frozenset[str]] = frozenset(
        {"study", "participant", "condition", "phase", "trial", "position", "inspect"}
    )

    task: str
    instance: str
    model: str
    text: str | None = None
    repeat: Any = None
    reasoning: str | None = None
    finish_reason: str | None = None
    usage: UsageLine = UsageLine()
    cost_usd: FiniteFloat | None = None
    seconds: FiniteFloat | None = None
    attempt: int | None = None
    error: Any = None
    batch: int | None = None
    batch_name: Any = None
    item: StoredItem | None = None
    actor: Actor
    submitted_at: Time | None = None
    edits: Count = 0
    aids: tuple[AidUse, ...] = ()
    more: dict[str, str | int | FiniteFloat | None] = Field(default_factory=dict)
    tools: bool | None = None
    budget: Count | None = None
    effort: str | None = Field(default=None, max_length=100)
    temperature: FiniteFloat | None = None
    top_p: FiniteFloat | None = None
    variant: str | None = Field(default=None, max_length=200)
    settings: Any = None
    study: Any = None
    participant: Any = None
    condition: Any = None
    phase: Any = None
    trial: Any = None
    position: Any = None
    answer: str | None = None
    score: Any = None
    passed: Any = None
    how_read: Any = None
    mending: Any = None
    end: Any = None
    cut_off: Any = None
    failed_check: Any = None
    measured: Any = None
    first_score: Any = None
    failure_mode: Any = None
    verdicts: tuple[dict[str, Any], ...] = ()
    overrides: tuple[dict[str, Any], ...] = ()
    rulings: tuple[dict[str, Any], ...] = ()
    labels: tuple[LabelLine, ...] = ()
    remarks: tuple[RemarkLine, ...] = ()
    step_judgements: tuple[StepJudgementLine, ...] = ()
    sketches: dict[str, dict[str, Any]] = Field(default_factory=dict, max_length=1_000)
    prompt: str | None = None
    replies: tuple[ReplyLine, ...] = ()
    tries: tuple[TryLine, ...] = ()
    transcript_kind: str | None = None
    transcript: dict[str, Any] | None = None
    inspect: Packed | None = None

    @classmethod
    def of(cls, dossier: ExportedDossier) -> AttemptLine:
        """The line of a dossier."""
        # What a project holds is written as it is, odd values of earlier versions, too.
        return cls.model_construct(
            **_as_answer(dossier),
            **_about(dossier),
            **_of_study(dossier),
            **_result(dossier),
            **_judged(dossier.stored),
            **_asked(dossier),
            **_imported(dossier),
        )

    @property
    def name(self) -> str:
        """The name of whoever made the attempt, as a project stores it; empty if there is none."""
        return "" if self.model == NAMELESS else self.model

    @property
    def stored_attempt(self) -> StoredAttempt:
        """The attempt as a project stores it.

        Raises:
            ValueError: Its number, answer or time is missing, or a part of it is not valid.
        """
        if self.attempt is None or self.answer is None or self.submitted_at is None:
            raise ValueError("An attempt needs its number, its answer and its time.")
        return StoredAttempt(
            number=self.attempt,
            actor=self.actor,
            actor_name=self.name,
            answer=self.answer,
            submitted_at=self.submitted_at,
            seconds=self.seconds,
            edit_count=self.edits,
            aids=self.aids,
            more=self.more,
            verdicts=tuple((_time(data.get("at")), Verdict.model_validate(data)) for data in self.verdicts),
            overrides=tuple(Override.model_validate({"attempt": 0} | data) for data in self.overrides),
            rulings=tuple(Ruling.model_validate({"attempt": 0} | data) for data in self.rulings),
            labels=tuple(label.stored for label in self.labels),
            remarks=tuple(remark.stored for remark in self.remarks),
            steps=tuple(judged.stored for judged in self.step_judgements),
            sketches={page: json.dumps(layer) for page, layer in self.sketches.items()},
            transcript=self._stored_transcript(),
        )

    @property
    def with_all_time_active(self) -> AttemptLine:
        """A line of version 1, whose active time lacks idle time and time away, as a line of version 2."""
        more = dict(self.more)
        rest = _sum_of(more, "idle_s", "away_s")
        if more.get("total_s") is not None:
            more["total_s"] = _sum_of(more, "total_s", "total_idle_s", "total_away_s")
        seconds = None if self.seconds is None else self.seconds + rest
        return self.model_copy(update={"seconds": seconds, "more": more})

    def asked(self, batch: int | None, item: int | None) -> Asked:
        """What the model was asked; `batch` and `item` are numbers in the project that the line is stored in."""
        return Asked(
            batch=batch,
            item=item,
            repeat=self.item.repeat if self.item else 0,
            tools=bool(self.tools),
            budget=self.budget,
            **{name: self._parameter(name) for name in PARAMETERS},
            cost_usd=self.cost_usd,
            finish_reason=self.finish_reason,
            reasoning=self.reasoning,
            **self.usage.model_dump(),
        )

    def _parameter(self, name: str) -> Any:
        """A parameter that the model was asked with; earlier versions wrote it among the settings only."""
        if name in self.model_fields_set or not isinstance(self.settings, Mapping):
            return getattr(self, name)
        return self.settings.get(name)

    def stored_replies(self) -> Iterator[tuple[StoredReply, str]]:
        """The replies, each with its prompt; a field that a reply leaves out is taken from the line itself."""
        own = {"text": self.text or "", "reasoning": self.reasoning, "prompt": self.prompt}
        for entry in self.replies:
            texts = {name: getattr(entry, name) if name in entry.model_fields_set else own[name] for name in own}
            reply = StoredReply(
                number=entry.number,
                prompt=None,
                text=texts["text"] or "",
                reasoning=texts["reasoning"],
                record=json.dumps(entry.response),
            )
            yield reply, texts["prompt"] or ""

    def stored_tries(self) -> Iterator[StoredTry]:
        """Every request that was made."""
        return (request.stored for request in self.tries)

    def _stored_transcript(self) -> Transcript | None:
        if self.transcript is None:
            return None
        record = json.dumps(self.transcript)
        if self.transcript_kind == "cube":
            RunRecord.model_validate_json(record)
        task, _ = resolve(self.instance)
        kind = self.transcript_kind or ""
        return Transcript(kind=kind, record=record, words=words_of_run(task, kind, record))


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Half of a character: UTF-8 has none, but JSON can escape one."""


def read_line(kind: type[Any], text: bytes) -> Any:
    """A line of a file as an `AttemptLine`, or the first as a `Header`. Raises ValueError."""
    try:
        data = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
        return kind.model_validate(whole_texts(data) if _SURROGATE.search(text) else data)
    except RecursionError:
        raise ValueError("The line is nested too deeply") from None


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON data, without the details, which are only for drawings."""
    data: dict[str, Any] = as_data(verdict.model_dump_json(exclude={"details"}))
    return data


def as_data(record: str) -> Any:
    """A stored record as JSON data; numbers that JSON lacks become words, and texts Unicode."""
    return whole_texts(json.loads(record, parse_constant=str))


# From a dossier ------------------------------------------------------------------------------------------------------


def _as_answer(dossier: ExportedDossier) -> dict[str, Any]:
    row = dossier.row
    return {
        "task": dossier.task,
        "instance": dossier.address,
        "model": dossier.name,
        "text": dossier.text,
        "repeat": dossier.repeat,
        "reasoning": dossier.reasoning,
        "finish_reason": row.finish_reason if row else None,
        "usage": UsageLine.model_construct(**{name: getattr(row, name, None) for name in UsageLine.model_fields}),
        "cost_usd": row.cost_usd if row else None,
        "seconds": row.seconds if row else None,
    }


def _about(dossier: ExportedDossier) -> dict[str, Any]:
    stored = dossier.stored
    return {
        "attempt": stored.number if stored else None,
        "error": dossier.error,
        "batch": dossier.batch,
        "batch_name": dossier.batch_name,
        "item": _item(dossier),
        "actor": dossier.actor,
        "submitted_at": stored.submitted_at if stored else None,
        "edits": stored.edit_count if stored else 0,
        "aids": stored.aids if stored else (),
        "more": stored.more if stored else {},
        "tools": dossier.tools,
        "budget": dossier.budget,
        **dossier.parameters,
        "settings": dossier.settings.model_dump(mode="json") if dossier.settings else None,
    }


def _item(dossier: ExportedDossier) -> StoredItem | None:
    placed = dossier.placed
    if placed is None:
        return None
    names = StoredItem.model_fields.keys() - {"position", "lead"}
    return StoredItem(position=placed.position, lead=placed.lead, **placed.item.model_dump(include=names))


def _of_study(dossier: ExportedDossier) -> dict[str, Any]:
    """Where an attempt of a study came from; nothing for others."""
    origin = dossier.origin
    if origin is None:
        return {}
    return {
        "study": origin.study,
        "participant": origin.code,
        "condition": origin.condition,
        "phase": origin.phase,
        "trial": origin.item,
        "position": origin.position,
    }


def _result(dossier: ExportedDossier) -> dict[str, Any]:
    """What results say of the attempt."""
    row = dossier.row
    return {
        "score": dossier.score,
        "passed": dossier.passed,
        "how_read": dossier.how_read,
        "mending": dossier.mending,
        "end": row.run_end if row else None,
        "cut_off": dossier.cut_off,
        "failed_check": row.failed_check if row else None,
        "measured": row.measured if row else None,
        "first_score": row.first_score if row else None,
        "failure_mode": row.label if row else None,
    }


def _judged(stored: StoredAttempt | None) -> dict[str, Any]:
    if stored is None:
        return {}
    return {
        "answer": stored.answer,
        "verdicts": [{"at": time_text(at)} | verdict_data(verdict) for at, verdict in stored.verdicts],
        "overrides": list(map(_without_attempt, stored.overrides)),
        "rulings": list(map(_without_attempt, stored.rulings)),
        "labels": list(map(LabelLine.of, stored.labels)),
        "remarks": list(map(RemarkLine.of, stored.remarks)),
        "step_judgements": list(map(StepJudgementLine.of, stored.steps)),
        "sketches": {page: as_data(layer) for page, layer in stored.sketches.items()},
        "transcript_kind": stored.transcript.kind if stored.transcript else None,
        "transcript": as_data(stored.transcript.record) if stored.transcript else None,
    }


def _asked(dossier: ExportedDossier) -> dict[str, Any]:
    # Replies and requests are written once, with the item that was asked.
    is_lead = dossier.placed is not None and dossier.placed.is_lead
    return {
        "prompt": dossier.prompt,
        "replies": list(_replies(dossier)) if is_lead else [],
        "tries": list(map(TryLine.of, dossier.tries)) if is_lead else [],
    }


def _imported(dossier: ExportedDossier) -> dict[str, Any]:
    """The sample of Inspect that it was made of; nothing for others."""
    return {} if dossier.sample is None else {"inspect": dossier.sample}


def _replies(dossier: ExportedDossier) -> Iterator[ReplyLine]:
    own = {"text": dossier.text, "reasoning": dossier.reasoning, "prompt": dossier.prompt}
    for reply, prompt in dossier.replies:
        texts = {"text": reply.text, "reasoning": reply.reasoning, "prompt": prompt}
        other = {name: value for name, value in texts.items() if value != own[name]}
        yield ReplyLine.model_validate({"number": reply.number, **other, "response": as_data(reply.record)})


def _without_attempt(record: Record) -> dict[str, Any]:
    data = record.model_dump(exclude={"attempt"})
    return {name: time_text(value) if isinstance(value, datetime) else value for name, value in data.items()}


def _sum_of(values: Mapping[str, Any], *names: str) -> float:
    return sum(float(values.get(name) or 0.0) for name in names)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _time(value: Any) -> datetime:
    return datetime.fromisoformat(str(value))
