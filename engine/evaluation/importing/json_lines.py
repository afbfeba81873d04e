"""Imports an export in JSON lines as it was: no model is asked and nothing is judged again.

The file cannot be trusted: every line is checked before anything is stored, and either all of it is stored or nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from spatial_workbench.engine.core import InstanceError, PlayedByAgents, Progress, Verdict, resolve, silent
from spatial_workbench.engine.core.aids import AidUse
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.formats.sound import whole_texts
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.collect import NAMELESS
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.models import ImportProblem
from spatial_workbench.engine.models.recorded import EXPORT_FORMAT, lines_of
from spatial_workbench.engine.store import (
    Actor,
    Asked,
    BatchState,
    FailureLabel,
    ItemState,
    JudgementSource,
    Override,
    Project,
    Ruling,
    StepJudgement,
    StoredAttempt,
    StoredBatch,
    StoredItem,
    StoredReply,
    StoredTry,
    Transcript,
)

Count = Annotated[int, Field(ge=0, le=1 << 53)]
_PROGRESS_EVERY = 100


class AlreadyThere(ValueError):
    """A file was imported before, or a part of it.

    Attributes:
        count: How many of its answers are in the project.
        total: How many it has.
    """

    def __init__(self, count: int, total: int) -> None:
        self.count = count
        self.total = total
        which = f"All {counted(total, 'answer')}" if count == total else f"{count} of the {counted(total, 'answer')}"
        super().__init__(
            "The answer in the file is in this project already."
            if total == 1
            else f"{which} in the file are in this project already."
        )


class CannotRestore(ValueError):
    """The export cannot be imported; nothing was stored. The message says which line is at fault and why."""


@dataclass(frozen=True)
class RestoreOutcome:
    """How much was imported, and the lines that were skipped."""

    attempts: int
    items: int
    batches: int
    problems: tuple[ImportProblem, ...]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Batch(_Part):
    number: int = Field(ge=1)
    name: str = Field(min_length=1)
    state: BatchState
    note: str = ""
    created_at: datetime
    plan: BatchPlan


class _Header(_Part):
    format: Literal["spatial-workbench"]
    version: Literal[1, 2]
    batches: tuple[_Batch, ...] = ()


class _Usage(_Part):
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    reasoning_tokens: Count | None = None


class _Reply(_Part):
    number: Count
    text: str | None = None
    reasoning: str | None = None
    prompt: str | None = None
    response: dict[str, Any]


class _Try(_Part):
    started_at: datetime
    seconds: FiniteFloat | None = None
    error: str | None = None
    output_tokens: Count | None = None
    cost_usd: FiniteFloat | None = None
    record: dict[str, Any]


class _Label(_Part):
    status: str
    label: str | None = None
    at: datetime
    decision: Any = None

    @property
    def stored(self) -> FailureLabel:
        """The label as the project takes it."""
        record = json.dumps(self.decision)
        return FailureLabel(attempt=0, status=self.status, label=self.label, record=record, at=self.at)


class _StepJudgement(_Part):
    source: JudgementSource
    who: str = Field(max_length=1_000)
    steps: tuple[dict[str, Any], ...] = Field(max_length=1_000)
    version: str = Field(max_length=100)
    note: str = Field(default="", max_length=2_000)
    at: datetime

    @property
    def stored(self) -> StepJudgement:
        """The judgement as the project takes it."""
        return StepJudgement.model_validate({**self.model_dump(), "attempt": 0, "steps": json.dumps(self.steps)})


class _Line(_Part):
    """An attempt, or an item without one."""

    task: str
    instance: str
    model: str
    text: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    usage: _Usage = _Usage()
    cost_usd: FiniteFloat | None = None
    seconds: FiniteFloat | None = None
    attempt: int | None = None
    batch: int | None = None
    item: StoredItem | None = None
    actor: Actor
    submitted_at: datetime | None = None
    edits: Count = 0
    aids: tuple[AidUse, ...] = ()
    more: dict[str, str | int | FiniteFloat | None] = Field(default_factory=dict)
    tools: bool | None = None
    budget: Count | None = None
    answer: str | None = None
    verdicts: tuple[dict[str, Any], ...] = ()
    overrides: tuple[dict[str, Any], ...] = ()
    rulings: tuple[dict[str, Any], ...] = ()
    labels: tuple[_Label, ...] = ()
    step_judgements: tuple[_StepJudgement, ...] = ()
    sketches: dict[str, dict[str, Any]] = Field(default_factory=dict, max_length=1_000)
    prompt: str | None = None
    replies: tuple[_Reply, ...] = ()
    tries: tuple[_Try, ...] = ()
    transcript_kind: str | None = None
    transcript: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """Whose attempt it is, as it is stored."""
        return "" if self.model == NAMELESS else self.model

    @property
    def stored_attempt(self) -> StoredAttempt:
        """The attempt as the project takes it. Raises ValueError if something is missing."""
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
            steps=tuple(judged.stored for judged in self.step_judgements),
            sketches={page: json.dumps(layer) for page, layer in self.sketches.items()},
            transcript=self._stored_transcript(),
        )

    @property
    def with_all_time_active(self) -> _Line:
        """A line of version 1, whose active time lacks idle time and time away, as a line of version 2."""
        more = dict(self.more)
        rest = _sum_of(more, "idle_s", "away_s")
        if more.get("total_s") is not None:
            more["total_s"] = _sum_of(more, "total_s", "total_idle_s", "total_away_s")
        seconds = None if self.seconds is None else self.seconds + rest
        return self.model_copy(update={"seconds": seconds, "more": more})

    def _stored_transcript(self) -> Transcript | None:
        if self.transcript is None:
            return None
        record = json.dumps(self.transcript)
        if self.transcript_kind == "cube":
            RunRecord.model_validate_json(record)
        task, _ = resolve(self.instance)
        words = task.words_of_run(record) if isinstance(task, PlayedByAgents) else ""
        return Transcript(kind=self.transcript_kind or "", record=record, words=words)

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
        for request in self.tries:
            yield StoredTry(item=0, record=json.dumps(request.record), **request.model_dump(exclude={"record"}))


def is_export(path: Path) -> bool:
    """Whether a file of JSON lines was exported from a project. Raises OSError."""
    with path.open("rb") as file:
        first = next(lines_of(file), (0, b""))[1]
    try:
        data = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("format") == EXPORT_FORMAT


def restore(project: Project, path: Path, again: bool = False, progress: Progress = silent) -> RestoreOutcome:
    """Stores the attempts and batches of an export. If this raises, nothing is stored.

    again: Whether to store attempts that the project already has a second time.

    Raises:
        AlreadyThere: The project has some of the attempts, and `again` is not set.
        CannotRestore: Nothing in the file can be used, or it contradicts itself.
        OSError: The file cannot be read.
        Cancelled: Raised by `progress`.
    """
    checked = _Check(project, path, progress)
    if checked.duplicates and not again:
        raise AlreadyThere(checked.duplicates, checked.attempts)
    with project.database.write_transaction():
        batches, items = checked.restore_batches()
        for k, (number, line) in enumerate(checked.lines()):
            if not k % _PROGRESS_EVERY:
                progress(k, checked.count, "Storing")
            try:
                _restore_line(project, line, batches, items.get(line.batch or 0, {}))
            except (ValueError, OverflowError, sqlite3.Error) as error:
                raise CannotRestore(f"Line {number} of “{path.name}” cannot be stored: {_sentence(error)}") from None
    return RestoreOutcome(checked.attempts, checked.count - checked.attempts, len(batches), tuple(checked.problems))


class _Check:
    """Reads and checks the whole file before anything is stored, so that nothing has to be undone."""

    def __init__(self, project: Project, path: Path, progress: Progress) -> None:
        self.problems: list[ImportProblem] = []
        self.attempts = self.duplicates = self.count = 0
        self._project = project
        self._path = path
        self._good: set[int] = set()
        self._items: dict[int, dict[int, tuple[StoredItem, str, str]]] = {}
        self._header = self._read_header()
        self._plans = {batch.number: batch.plan for batch in self._header.batches}
        for number, text in self._texts():
            progress(number, 0, "Reading")
            try:
                self._check(number, _read(_Line, text))
            except (ValueError, InstanceError) as error:
                self.problems.append(ImportProblem(number, _sentence(error)))
        if not self.count:
            first = self.problems[0] if self.problems else None
            why = f" Line {first.line}: {first.message}" if first else ""
            raise CannotRestore(f"“{path.name}” holds no attempt that can be imported.{why}")

    def lines(self) -> Iterator[tuple[int, _Line]]:
        """The lines that passed, with their numbers."""
        for number, text in self._texts():
            if number in self._good:
                line: _Line = _read(_Line, text)
                yield number, line.with_all_time_active if self._header.version == 1 else line

    def restore_batches(self) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
        """Stores the batches.

        Returns:
            By each batch's number in the file: its number in the project, and the numbers of its items by position.
        """
        stored = {}
        for batch in self._header.batches:
            data = batch.model_dump(exclude={"plan"}) | {"plan": batch.plan.model_dump_json()}
            stored[batch.number] = self._project.restoring.restore_batch(
                StoredBatch(**data), self._items.get(batch.number, {}).values()
            )
        return {number: pair[0] for number, pair in stored.items()}, {n: pair[1] for n, pair in stored.items()}

    def _read_header(self) -> _Header:
        with self._path.open("rb") as file:
            first = next(lines_of(file), (0, b""))[1]
        try:
            header: _Header = _read(_Header, first)
        except ValueError as error:
            raise CannotRestore(f"The first line of “{self._path.name}” cannot be read: {_sentence(error)}") from None
        return header

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        with self._path.open("rb") as file:
            texts = lines_of(file)
            next(texts, None)
            yield from texts

    def _check(self, number: int, line: _Line) -> None:
        instance = resolve(line.instance)[1]
        if line.item is not None or line.batch is not None:
            self._check_item(line)
        elif line.attempt is None:
            raise ValueError("The line is neither an attempt nor an item of a batch")
        if line.attempt is not None:
            attempt = line.stored_attempt
            self.duplicates += self._project.restoring.is_stored(
                instance.address, attempt.actor, attempt.actor_name, attempt.answer, attempt.submitted_at
            )
        if line.item is not None and line.batch is not None:
            self._items.setdefault(line.batch, {})[line.item.position] = (line.item, line.instance, line.task)
        self.attempts += line.attempt is not None
        self.count += 1
        self._good.add(number)

    def _check_item(self, line: _Line) -> None:
        if line.item is None or line.batch not in self._plans:
            raise ValueError("batch: the first line does not describe it, or the item is missing")
        if line.item.model >= len(self._plans[line.batch].contenders):
            raise ValueError("item.model: the batch has no such model")
        if (line.item.state is ItemState.DONE) != (line.attempt is not None):
            raise ValueError("item.state: an item is done if it has an attempt")
        if line.item.position in self._items.get(line.batch, {}):
            raise ValueError(f"item.position: another line has {line.item.position}")


def _restore_line(project: Project, line: _Line, batches: dict[int, int], items: dict[int, int]) -> None:
    item = items[line.item.position] if line.item else None
    if item is not None:
        project.restoring.restore_asking(item, line.stored_replies(), line.stored_tries())
    if line.attempt is None:
        return
    task, instance = resolve(line.instance)
    asked = Asked(
        batch=batches.get(line.batch or 0),
        item=items.get(line.item.lead, item) if line.item else None,
        repeat=line.item.repeat if line.item else 0,
        tools=bool(line.tools),
        budget=line.budget,
        cost_usd=line.cost_usd,
        finish_reason=line.finish_reason,
        reasoning=line.reasoning,
        **line.usage.model_dump(),
    )
    number = project.restoring.restore_attempt(
        instance, line.stored_attempt, asked, line.prompt or "", item, task.score_tolerance
    )
    # Reads it back within the transaction: an attempt that cannot be read must not stay in the project.
    project.attempts.get(number), project.runs.rows([number])


def _read(kind: type[Any], text: bytes) -> Any:
    try:
        data = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
        return kind.model_validate(whole_texts(data))
    except RecursionError:
        raise ValueError("The line is nested too deeply") from None


def _sum_of(values: Mapping[str, Any], *names: str) -> float:
    return sum(float(values.get(name) or 0.0) for name in names)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _time(value: Any) -> datetime:
    return datetime.fromisoformat(str(value))


def _sentence(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    return f"{format_path(first['loc']) or 'The line'}: {first['msg']}"
