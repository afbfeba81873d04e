"""What is known of a participant's work: sessions, trials, submissions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from spatial_workbench.engine.studies.planning.document import StudySetting

NOTES = ("sketches", "scratch", "unapplied")
"""The fields of a trial with what somebody drew, noted or typed on the way to an answer."""
_IF_ANY = (*NOTES, "connection_ms", "round_trips")
"""The fields of a trial that are left out where they are empty, so that digests of older records hold."""


class SessionState(StrEnum):
    """How far a session is."""

    NEW = "new"
    CONSENTED = "consented"
    PRACTISING = "practising"
    RUNNING = "running"
    BREAK = "break"
    FINISHED = "finished"
    INELIGIBLE = "ineligible"
    STOPPED = "stopped"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"


class TrialState(StrEnum):
    """How a trial stands, or ended."""

    WAITING = "waiting"
    SHOWN = "shown"
    COVERED = "covered"
    SUBMITTED = "submitted"
    SOLVED = "solved"
    GIVEN_UP = "given_up"
    TIMED_OUT = "timed_out"
    LEFT = "left"
    SKIPPED = "skipped"
    BROKEN = "broken"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes of it."""
        return self not in (TrialState.WAITING, TrialState.SHOWN, TrialState.COVERED)


class _SessionPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Submission(_SessionPart):
    """An answer that was handed in."""

    number: int = Field(ge=1)
    active_ms: int = Field(ge=0, description="Active time of the trial when it was handed in")
    answer: str
    is_readable: bool = True
    is_given_up: bool = False
    told_score: float | None = Field(default=None, description="What the person was told, if anything; never judged by")
    told_passed: bool | None = None


class Accommodations(_SessionPart):
    """What a slot has beyond the others, set by the leader beforehand."""

    time_factor: float = Field(default=1.0, ge=1, le=3)
    type_scale: float = Field(default=1.0, ge=1, le=2)
    reduced_motion: bool = False
    high_contrast: bool = False
    keyboard_only: bool = False


class RoundTrips(_SessionPart):
    """How long the way to the person's browser and back took during a trial, in milliseconds."""

    count: int = Field(ge=1)
    median_ms: int = Field(ge=0)
    p95_ms: int = Field(ge=0)
    worst_ms: int = Field(ge=0)


class TrialRecord(_SessionPart):
    """An item in a session. Times are whole milliseconds."""

    position: int = Field(ge=0)
    block: str
    item: str
    phase: str
    condition: str
    state: TrialState
    limit_ms: int | None = None
    active_ms: int = Field(default=0, ge=0)
    elapsed_ms: int = Field(default=0, ge=0)
    idle_ms: int = Field(default=0, ge=0)
    away_ms: int = Field(default=0, ge=0)
    covered_ms: int = Field(default=0, ge=0)
    gap_ms: int = Field(default=0, ge=0)
    connection_ms: int = Field(default=0, ge=0, description="Part of the gaps: the connection to the browser was lost")
    round_trips: RoundTrips | None = Field(default=None, description="Of a trial in a browser")
    first_input_ms: int | None = None
    first_edit_ms: int | None = None
    edits: int = Field(default=0, ge=0)
    undos: int = Field(default=0, ge=0)
    resumes: int = Field(default=0, ge=0)
    away_count: int = Field(default=0, ge=0)
    submissions: tuple[Submission, ...] = ()
    responses: Mapping[str, Any] = Field(default_factory=dict)
    as_expected: bool | None = Field(default=None, description="Of attention and comprehension items")
    sketches: Mapping[str, str] = Field(
        default_factory=dict, description="What was drawn over the pages (JSON), by page"
    )
    scratch: str = Field(default="", description="What stood in the scratch pad at the end; it is never judged")
    unapplied: str = Field(
        default="", description="What was typed as text beside the editor, and could not be read when the item ended"
    )

    @model_serializer(mode="wrap")
    def _without_empty_notes(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out what is empty of the fields that older records do not have, so that their digests hold."""
        data: dict[str, Any] = serialize(self)
        return {key: value for key, value in data.items() if value or key not in _IF_ANY}


class SessionRecord(_SessionPart):
    """A participant's session, as it travels in a results file."""

    id: str
    study: str = Field(description="Hash of the study's version")
    code: str
    phase: Literal["main", "pilot", "rehearsal"] = "main"
    build: str = Field(default="", description="Version of the workbench")
    bundle: str = ""
    site: str = ""
    setting: StudySetting = StudySetting.DESK
    language: str = "en"
    began_at: str = Field(default="", description="UTC, ISO 8601")
    first_shown_at: str = Field(default="", description="When the first item was shown; UTC, ISO 8601")
    ended_at: str = ""
    state: SessionState
    consent: str = Field(default="", description="Hash of the consent that was given")
    boxes: Mapping[str, bool] = Field(default={}, description="The boxes of the consent by their keys")
    ineligible_by: int | None = Field(default=None, description="Number of the rule that did not fit, from 0")
    covariates: Mapping[str, Any] = {}
    responses: Mapping[str, Any] = Field(default={}, description="Questions after a block or at the end, by their keys")
    accommodations: Accommodations = Accommodations()
    trials: tuple[TrialRecord, ...] = ()
    sealed: str = Field(
        default="", description="What tells outcomes, encrypted; the trials hold it only where outcomes are open"
    )
    file_faults: tuple[str, ...] = Field(
        default=(), description="altered, unsigned, inconsistent, duplicate, build, log full"
    )

    @model_serializer(mode="wrap")
    def _without_later_fields(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out an empty sealed part and the desk, which older records do not have, so that their digests hold."""
        data: dict[str, Any] = serialize(self)
        usual = {"sealed": "", "setting": StudySetting.DESK}
        return {key: value for key, value in data.items() if key not in usual or value != usual[key]}

    def of_phase(self, phase: str) -> list[TrialRecord]:
        """The trials of a phase, in order."""
        return [trial for trial in self.trials if trial.phase == phase]


def inconsistencies(session: SessionRecord) -> list[str]:
    """Times and numbers that cannot be."""
    faults = []
    if len({trial.position for trial in session.trials}) < len(session.trials):
        faults.append("a position occurs twice")
    for trial in session.trials:
        where = f"trial {trial.position}"
        if trial.active_ms > trial.elapsed_ms:
            faults.append(f"{where}: more active time than time")
        if trial.idle_ms > trial.active_ms or trial.away_ms > trial.active_ms:
            faults.append(f"{where}: more idle or away time than active time")
        numbers = [submission.number for submission in trial.submissions]
        if numbers != list(range(1, len(numbers) + 1)):
            faults.append(f"{where}: submissions are not numbered 1, 2, …")
        times = [submission.active_ms for submission in trial.submissions]
        if times != sorted(times):
            faults.append(f"{where}: the time of submissions goes back")
    return faults
