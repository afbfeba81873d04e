"""The records of a project, as the rest of the workbench sees them."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from sqlite3 import Row
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from spatial_workbench.engine.core.formats.patch import Patch
from spatial_workbench.engine.core.formats.sound import Amount, Count, known_amount
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.solving.aids import AidUse
from spatial_workbench.engine.core.verdict import READABLE, Verdict
from spatial_workbench.engine.core.words import override_words


class Record(BaseModel):
    """Base of the records: frozen."""

    model_config = ConfigDict(frozen=True)


class MissingRecord(KeyError):
    """A record that was asked for by number or name is not in the project (any more)."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not in this project. It may have been removed, or belong to another project.")

    def __str__(self) -> str:
        return str(self.args[0])


class Actor(StrEnum):
    """Who gave an answer."""

    PERSON = "person"
    MODEL = "model"
    REFERENCE = "reference"
    IMPORT = "import"


class Draft(Record):
    """An answer that somebody is working on."""

    address: str = Field(description="Address of the instance")
    person: str = Field(description="Whose draft it is; empty if no name was given")
    answer: Any = Field(description="The answer as plain data")
    edit_count: int = Field(description="Edits since the draft was started, undo and redo included")
    updated_at: datetime


class ClockReading(Record):
    """How long a person has worked on an instance, in seconds.

    Active is all time in which the instance is in front and the clock is not paused. Idle time (a minute or more
    without input) and time away (another program has the focus) are parts of it, and may overlap.
    """

    active_s: float = 0.0
    idle_s: float = 0.0
    away_s: float = 0.0
    credited_active_s: float = Field(default=0.0, description="The part of active_s that attempts already have")
    credited_idle_s: float = Field(default=0.0, description="The part of idle_s that attempts already have")
    credited_away_s: float = Field(default=0.0, description="The part of away_s that attempts already have")

    @property
    def effort(self) -> "Effort":
        """The effort of an attempt that is submitted now."""
        return Effort(
            seconds=self.active_s - self.credited_active_s,
            idle_s=self.idle_s - self.credited_idle_s,
            away_s=self.away_s - self.credited_away_s,
            total_s=self.active_s,
            total_idle_s=self.idle_s,
            total_away_s=self.away_s,
        )


class Effort(Record):
    """A person's time for an attempt, in seconds; None if it was not measured."""

    seconds: Amount = Field(default=None, description="Active time since the person's last attempt, or the start")
    idle_s: Amount = Field(default=None, description="The part of it that is idle time")
    away_s: Amount = Field(default=None, description="The part of it that is time away")
    total_s: Amount = Field(default=None, description="Active time in total, over every attempt so far")
    total_idle_s: Amount = Field(default=None, description="The part of it that is idle time")
    total_away_s: Amount = Field(default=None, description="The part of it that is time away")


class Edit(Record):
    """One step of a draft's history."""

    number: int
    label: str = Field(description="What the undo menu calls it, such as 'Place brick'")
    patch: Patch
    at: datetime


_OF_FACTS = (
    *("address", "actor", "submitted_at", "edit_count", "score", "measured", "solving_aids", "explored", "cut_off"),
    *Effort.model_fields,
)


class AttemptRow(Record):
    """What a list shows of an attempt."""

    number: int
    address: str
    actor: Actor
    actor_name: str
    submitted_at: datetime
    seconds: Amount = Field(
        description="Active time since the person's last attempt, or of the model's replies; None if unknown"
    )
    idle_s: Amount = Field(default=None, description="The part of it that is idle time")
    away_s: Amount = Field(default=None, description="The part of it that is time away")
    total_s: Amount = Field(default=None, description="A person's active time in total, over every attempt so far")
    total_idle_s: Amount = Field(default=None, description="A person's idle time in total")
    total_away_s: Amount = Field(default=None, description="A person's time away in total")
    solving_aids: int = Field(default=0, description="How many solving aids the person had used at this instance")
    explored: bool = Field(default=False, description="Whether the person had explored it, with all verdicts open")
    edit_count: int
    score: float | None = Field(description="By the default verifier, or by a person; None until it was verified")
    passed: bool | None
    measured: float | None = Field(
        default=None, description="The task's own figure by the default verifier, such as metres; None: it has none"
    )
    cut_off: str | None = Field(default=None, description="What cut it off, such as 'steps' or 'output limit'")
    has_transcript: bool = Field(default=False, description="Whether it can be replayed step by step")
    transcript: str | None = Field(default=None, description="Which record that is, where lists show it")

    @classmethod
    def of(cls, row: Row, **more: Any) -> Self:
        """The record of a row of the table of facts."""
        data = {name: row[name] for name in _OF_FACTS}
        return cls(
            number=row["attempt"],
            actor_name=row["who"] or "",
            passed=row["passed"],
            has_transcript=bool(row["has_transcript"]),
            transcript=row["transcript"] if "transcript" in row.keys() else None,  # noqa: SIM118
            **data,
            **more,
        )


class Transcript(Record):
    """How an agent arrived at its answer."""

    kind: str = Field(description="Which record it is, such as 'cube'")
    record: str = Field(description="The record as JSON")
    words: str = Field(default="", description="What was said in it, to be searched; not stored as such")


class Asked(Record):
    """What a model was asked for an attempt, and what that cost; None if it was not reported."""

    batch: int | None = None
    item: int | None = Field(default=None, description="The item whose replies hold the raw output")
    repeat: int = 0
    tools: bool = False
    budget: int | None = Field(default=None, description="Output limit")
    effort: str | None = Field(default=None, description="Reasoning effort; None: the endpoint's default")
    temperature: float | None = None
    top_p: float | None = None
    variant: str | None = Field(default=None, description="Name and hash of the prompt's variant; None: its own words")
    input_tokens: Count = None
    output_tokens: Count = None
    reasoning_tokens: Count = None
    cost_usd: Amount = None
    finish_reason: str | None = None
    prompt: int | None = Field(default=None, description="Number of the stored prompt")
    reasoning: str | None = Field(default=None, description="To be searched; the replies hold it whole")


class Attempt(AttemptRow):
    """A submitted answer with its verdicts and the aids that were used."""

    answer: str = Field(description="The answer as it was verified: JSON, or text")
    aids: tuple[AidUse, ...] = Field(description="The aids that the person had used at this instance, in order")
    verdicts: tuple[Verdict, ...] = Field(description="The newest of each verifier")


def how_read_of(verdict: Verdict, finish_reason: str | None) -> HowRead | None:
    """How an answer was read by its verdict and the end of the reply; None if the verdict is older than this record.

    Of older verdicts it is known whether there was an answer, and nothing else.
    """
    how = verdict.how_read
    if how is None and [check.name for check in verdict.checks] == [READABLE] and not verdict.passed:
        is_empty = verdict.checks[0].message in ("The answer is empty", "No JSON object was found in the answer")
        how = HowRead.NO_ANSWER if is_empty else HowRead.UNREADABLE
    return None if how is None else how.given(finish_reason)


class OwnScore(Record):
    """What a verifier of somebody else's said of an attempt."""

    version: str
    score: float
    passed: bool


class RunRow(AttemptRow):
    """What the runs browser shows of an attempt."""

    task: str
    first_score: float | None = Field(description="Of the first verdict of the default verifier")
    is_overridden: bool
    disagrees: bool = Field(description="Whether default verifier and cross-check disagree: a question")
    differs: bool = Field(description="Whether a verifier with other rules judged differently: a known difference")
    label: str | None = Field(description="Failure mode")
    batch: int | None
    item: int | None
    repeat: int | None
    tools: bool | None
    budget: int | None
    effort: str | None = Field(default=None, description="Reasoning effort; None: the endpoint's default")
    temperature: float | None = None
    top_p: float | None = None
    variant: str | None = Field(default=None, description="Name and hash of the prompt's variant; None: its own words")
    input_tokens: Count
    output_tokens: Count
    reasoning_tokens: Count
    cost_usd: Amount
    finish_reason: str | None
    prompt: int | None
    study: str | None = Field(default=None, description="Id of the study that it comes from")
    how_read: HowRead | None = Field(default=None, description="How the answer was read; None: it is not known")
    mending: str | None = Field(default=None, description="What was done to read it, in a few words each")
    failed_check: str | None = Field(default=None, description="The first check that the default verifier saw fail")
    run_end: str | None = Field(default=None, description="Why the run of an agent ended, such as 'step_limit'")
    tags: str | None = Field(default=None, description="Labels of one's own, with commas between them")
    note: str | None = Field(default=None, description="The newest note")
    own: dict[str, OwnScore] = Field(
        default={}, description="What other people's verifiers said last, by their names; only where it was asked for"
    )

    @property
    def is_unread(self) -> bool:
        """Whether no answer could be read."""
        return self.how_read is not None and not self.how_read.is_read

    @classmethod
    def of(cls, row: Row, **more: Any) -> Self:
        names = set(RunRow.model_fields) - set(AttemptRow.model_fields) - {"own"}
        return super().of(row, **{name: row[name] for name in names}, **more)


class TaskProgress(Record):
    """The progress on a task, for the catalogue."""

    solved: frozenset[str] = Field(description="Addresses that a person or an import solved without a solving aid")
    solved_with_help: frozenset[str] = Field(description="Addresses that were solved with solving aids only")
    drafts: frozenset[str]
    best_person: float | None = Field(description="Of the attempts without solving aids")
    best_model: float | None


@dataclass(frozen=True)
class RunGroup:
    """Attempts that have something in common, in the order in which they are listed."""

    key: str
    """The name, the task or the address that they share."""
    numbers: tuple[int, ...]
    scored: int
    """How many of them have a score."""
    mean: float | None
    """The mean of the scores; None if there is none."""


class RunFilter(Record):
    """Selects attempts; None: no restriction. Bounds are inclusive."""

    tasks: tuple[str, ...] | None = None
    address: str | None = None
    who: tuple[str, ...] | None = Field(default=None, description="Names of models and people")
    actor: Actor | None = None
    batch: int | None = None
    study: str | None = Field(default=None, description="Id of a study")
    score_min: float | None = None
    score_max: float | None = None
    measured_min: float | None = Field(default=None, description="In the unit of the task, such as metres")
    measured_max: float | None = None
    passed: bool | None = None
    labels: tuple[str, ...] | None = Field(default=None, description="Failure modes")
    how_read: tuple[HowRead, ...] | None = Field(default=None, description="How answers were read")
    is_read: bool | None = Field(default=None, description="Whether an answer could be read")
    failed_checks: tuple[str, ...] | None = Field(default=None, description="First checks that failed")
    run_ends: tuple[str, ...] | None = Field(default=None, description="Why runs of agents ended")
    finish_reasons: tuple[str, ...] | None = Field(default=None, description="How the models' replies ended")
    is_cut_off: bool | None = Field(default=None, description="Whether a limit or a filter cut it off")
    tags: tuple[str, ...] | None = Field(default=None, description="Labels of one's own; one of them is enough")
    has_note: bool | None = None
    tools: bool | None = None
    disagrees: bool | None = Field(default=None, description="Default verifier and cross-check disagree")
    differs: bool | None = Field(default=None, description="A verifier with other rules judged differently")
    is_overridden: bool | None = None
    is_helped: bool | None = Field(default=None, description="Whether solving aids were used")
    seconds_min: float | None = None
    seconds_max: float | None = None
    tokens_min: int | None = Field(default=None, description="Output tokens")
    tokens_max: int | None = None
    input_min: int | None = Field(default=None, description="Input tokens")
    input_max: int | None = None
    reasoning_min: int | None = Field(default=None, description="Reasoning tokens")
    reasoning_max: int | None = None
    repeat_min: int | None = Field(default=None, description="Repeats as they are shown, from 1")
    repeat_max: int | None = None
    since: str | None = Field(default=None, description="UTC, ISO 8601")
    until: str | None = None
    text: str = Field(
        default="",
        description="Words in prompts, answers, reasoning, transcripts and remarks; all have to occur. Of addresses, "
        "such as shikaku:3, one",
    )


class RemarkKind(StrEnum):
    """What a remark on an attempt is."""

    NOTE = "note"
    TAG = "label"


class Remark(Record):
    """A note or a label of one's own on an attempt."""

    number: int = Field(default=0, description="Within its project")
    attempt: int
    kind: RemarkKind
    text: str
    person: str
    at: datetime
    withdrawn_at: datetime | None = None


class Override(Record):
    """A person's score that counts instead of the verifier's."""

    attempt: int
    score: float = Field(ge=0, le=1)
    passed: bool
    reason: str = Field(min_length=1)
    person: str
    at: datetime
    withdrawn_at: datetime | None = None

    def in_words(self, judged: float | None) -> str:
        """The override in one line, with the verifier's score: "0.74 → 1.00 by Ada: reason"."""
        return override_words(judged, self.score, self.person, self.reason)


class Difference(Record):
    """Two verifiers that disagree about an attempt."""

    attempt: int
    address: str
    task: str
    who: str
    first: str = Field(description="Name of a verifier: the default")
    second: str
    by_check: str = Field(description="The first check that differs, or 'score'")
    first_score: float
    second_score: float
    ruling: str | None = None
    note: str | None = None


class Ruling(Record):
    """What a person decided about two verifiers that disagree."""

    attempt: int
    first: str
    second: str
    ruling: str = Field(description="Name of the verifier that is right, or 'both' or 'neither'")
    note: str
    person: str
    at: datetime


class FailureLabel(Record):
    """The failure mode that a judge gave an attempt."""

    attempt: int
    status: str
    label: str | None
    record: str = Field(description="The decision as JSON")
    at: datetime


class JudgementSource(StrEnum):
    """Who judged the steps of an attempt."""

    JUDGE = "judge"
    PERSON = "person"


NOT_RECORDED = "{}"
"""The setup of a judge whose endpoint and settings are not known: of a person, or stored by an earlier version."""
WITHOUT_SETTINGS = "endpoint and settings not recorded"
_BARE = ("endpoint", "model")


def setting_words(name: str, value: Any) -> str:
    """A setting of a judge in words: "temperature 0.2"; endpoints and models stand for themselves."""
    text = str(value).removeprefix("https://").removeprefix("http://")
    return text if name in _BARE else f"{name} {text}"


class StepJudge(Record):
    """Who judges the steps of puzzles. Two are the same judge only if all fields are the same."""

    source: JudgementSource
    name: str = Field(description="Of the model, or of the person")
    setup: str = Field(
        default=NOT_RECORDED, description="Of a model: its endpoint, settings and prompt by name, as a JSON object"
    )

    @property
    def key(self) -> str:
        """A short text that is the same wherever this judge is met, and another for any other judge."""
        parts = json.dumps([self.source.value, self.name, self.setup])
        return hashlib.sha256(parts.encode()).hexdigest()[:12]

    @property
    def is_person(self) -> bool:
        """Whether a person ticks by hand."""
        return self.source is JudgementSource.PERSON

    @property
    def plain_title(self) -> str:
        """What the judge is called as long as no other has the same name."""
        return f"{self.name or 'Somebody'} (by hand)" if self.is_person else self.name

    @property
    def settings(self) -> dict[str, Any]:
        """The endpoint, the settings and the prompt by name; empty if they are not recorded."""
        data = json.loads(self.setup)
        return data if isinstance(data, dict) else {}

    @property
    def words(self) -> str:
        """The endpoint, the settings and the prompt as a line of text."""
        return ", ".join(setting_words(name, value) for name, value in self.settings.items()) or WITHOUT_SETTINGS


class StepJudgement(Record):
    """Which annotated steps of a puzzle an attempt met."""

    attempt: int
    source: JudgementSource
    who: str = Field(description="The model, or the person")
    setup: str = Field(default=NOT_RECORDED, description="See StepJudge")
    steps: str = Field(description="The verdicts as a JSON list; empty if the attempt could not be judged")
    version: str = Field(description="Of the puzzle that was judged")
    note: str = Field(default="", description="Why the attempt could not be judged")
    at: datetime

    @property
    def judge(self) -> StepJudge:
        """Who judged."""
        return StepJudge(source=self.source, name=self.who, setup=self.setup)


class PuzzleEvent(Record):
    """An entry in the log of a puzzle's review."""

    id: str
    puzzle_set: str
    folder: str
    version: str
    at: datetime
    person: str
    kind: str
    event: str = Field(description="All of it, as JSON")


class BatchState(StrEnum):
    """The state that a batch should have, or whether it has finished."""

    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FINISHED = "finished"


class ItemState(StrEnum):
    """How far an item of a batch has got."""

    WAITING = "waiting"
    ASKING = "asking"
    ANSWERED = "answered"
    DONE = "done"
    ERROR = "error"
    CRASHED = "crashed"
    NOT_ASKED = "not asked"

    @property
    def is_final(self) -> bool:
        """Whether nothing more happens to the item."""
        return self in (ItemState.DONE, ItemState.ERROR, ItemState.CRASHED, ItemState.NOT_ASKED)


class BatchItem(Record):
    """One question of a batch: an instance, asked of one model, for the n-th time."""

    number: int
    batch: int
    model: int = Field(description="Position of the settings in the batch's plan")
    address: str
    task: str
    repeat: int
    lead: int = Field(description="The item that is asked for all that share an answer; mostly itself")
    state: ItemState
    error: str | None = None
    message: str | None = None
    is_answered: bool = Field(default=False, description="Whether nobody has to be asked again")
    attempt: int | None = None


@dataclass(frozen=True)
class ItemLine:
    """What a list shows of an item."""

    number: int
    model: int
    """Position of the settings in the batch's plan."""
    address: str
    repeat: int
    state: ItemState
    error: str | None
    message: str | None
    attempt: int | None
    score: float | None
    """Of the attempt; None until there is one that was verified."""
    measured: float | None = None
    """The task's own figure, such as metres; None: it has none."""
    cut_off: str | None = None
    """What cut the attempt off, such as "steps"; None: nothing did."""

    @classmethod
    def of(cls, row: Row) -> "ItemLine":
        """The line for a database row of an item with its attempt's score."""
        data = {name: row[name] for name in cls.__dataclass_fields__}
        return cls(**{**data, "state": ItemState(row["state"])})


class StoredTry(Record):
    """A stored request and how it ended."""

    item: int
    started_at: datetime
    seconds: Amount
    error: str | None
    output_tokens: Count
    cost_usd: Amount
    record: str = Field(description="Everything about it, as JSON")


class StoredReply(Record):
    """A stored reply of a model, as it came."""

    number: int = Field(description="From 0; an agent's run has several")
    prompt: int | None
    text: str
    reasoning: str | None
    record: str = Field(description="The response without text and reasoning, as JSON")


class BatchRow(Record):
    """What a list shows of a batch."""

    number: int
    name: str
    state: BatchState
    note: str
    created_at: datetime
    beat_at: datetime | None = Field(description="When its process last said that it is alive")
    counts: dict[ItemState, int]
    tokens: int = Field(description="Output tokens of all tries, as far as they are known")
    cost_usd: Annotated[float, BeforeValidator(lambda value: known_amount(value) or 0.0)] = Field(
        description="Of all tries, as far as it is known"
    )
    tries: int
    unpriced: int = Field(default=0, description="Tries with tokens whose cost is not known, for want of a price")
    spending: str | None = Field(default=None, description="What it spent since it was started or resumed, as JSON")

    @property
    def total(self) -> int:
        """How many items there are."""
        return sum(self.counts.values())

    @property
    def ended(self) -> int:
        """How many items have reached a final state."""
        return sum(count for state, count in self.counts.items() if state.is_final)
