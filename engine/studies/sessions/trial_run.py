"""The trial that is on the screen: its record, its clock, its draft, and what its limits say."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from spatial_workbench.engine.core import Answer, AnswerError, Task
from spatial_workbench.engine.core.clocks.work_clock import (
    IDLE_MS,
    Instant,
    Phase,
    WorkClock,
    WorkTimes,
    resumed,
)
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.core.solving.handing_in import handed_in
from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit, DraftHistory, history_of
from spatial_workbench.engine.studies.sessions.schema import Submission, TrialRecord, TrialState

WARN_LONG_MS = 300_000
"""What is left when somebody is first warned, for limits of ten minutes or more."""
LONG_LIMIT_MS = 600_000
WARN_SHORT_SHARE = 0.2
"""The same for shorter limits, as a share of them."""
WARN_LAST_MS = (60_000, 10_000)
"""What is left when everybody is warned."""


@dataclass
class TrialRun:
    """A trial that is on the screen.

    Attributes:
        limit_ms: Active time after which it ends; None: no limit.
        allowed: How many answers can be handed in.
        answer: The draft: an answer, the text of an answer, or the chosen option; None before anything was done.
        data: The draft as plain data, as it was stored last.
        begun: The draft with which the trial began, as plain data.
        edits: The stored edits of the draft since then.
    """

    record: TrialRecord
    limit_ms: int | None
    allowed: int
    task: Task[Any] | None = None
    answer: Answer | str | None = None
    data: Any = None
    begun: Any = None
    edits: list[DraftEdit] = field(default_factory=list)
    clock: WorkClock | None = None
    warned: set[int] = field(default_factory=set)

    # The clock ---------------------------------------------------------------------------------------------------

    @property
    def times(self) -> WorkTimes:
        """The times so far."""
        return times_of(self.record) if self.clock is None else self.clock.times

    @property
    def remaining_ms(self) -> int | None:
        """What is left of the limit."""
        return None if self.limit_ms is None else max(0, self.limit_ms - self.times.active)

    def start(self, reading: Instant, again: bool) -> None:
        """Starts the clock at the first sight of the item, or after it was cut off (`again`)."""
        times = times_of(self.record)
        self.clock = resumed(times, reading) if again else WorkClock(reading, times)
        self.warned = {mark for mark in self._marks() if (self.remaining_ms or 0) <= mark}

    def read(self, reading: Instant, acted: bool) -> int | None:
        """Goes on to a reading; returns how long nothing was done, if that counts as idle and has just ended."""
        if self.clock is None:
            return None
        before = self.clock.times.idle_run
        self.clock, _ = self.clock.read(reading, acted)
        return before if acted and before >= IDLE_MS else None

    def set_phase(self, phase: Phase, is_away: bool) -> None:
        """Sets what the time from now on counts as."""
        if self.clock is not None:
            self.clock = replace(self.clock, phase=phase, is_away=is_away)

    def cover(self, covered: bool) -> None:
        """Covers the content until the person goes on, or uncovers it."""
        if self.clock is not None:
            self.clock = replace(self.clock, must_go_on=covered)

    def unseen(self, silent_ms: int) -> None:
        """The person has seen nothing for so long: this time becomes a gap, and the content is covered."""
        if self.clock is not None:
            self.clock = self.clock.unseen(silent_ms)

    @property
    def must_go_on(self) -> bool:
        """Whether the content is covered until the person goes on."""
        return self.clock is not None and self.clock.must_go_on

    def is_past_limit(self, at_limit: bool = False) -> bool:
        """Whether the limit is over; `at_limit` counts its last millisecond as well."""
        if self.limit_ms is None:
            return False
        return self.times.active >= self.limit_ms if at_limit else self.times.active > self.limit_ms

    def warning(self) -> int | None:
        """The milliseconds left, if somebody has to be warned now."""
        left = self.remaining_ms
        due = [] if left is None else [mark for mark in self._marks() if left <= mark and mark not in self.warned]
        self.warned.update(due)
        return left if due else None

    def _marks(self) -> tuple[int, ...]:
        if self.limit_ms is None:
            return ()
        first = WARN_LONG_MS if self.limit_ms >= LONG_LIMIT_MS else round(WARN_SHORT_SHARE * self.limit_ms)
        return (first, *(mark for mark in WARN_LAST_MS if mark < first))

    # The record --------------------------------------------------------------------------------------------------

    def update(self, **values: Any) -> None:
        """Changes the record."""
        self.record = self.record.model_copy(update=values)

    def take_times(self) -> None:
        """Puts the times of the clock into the record."""
        times = self.times
        self.update(
            active_ms=times.active,
            elapsed_ms=times.elapsed,
            idle_ms=times.idle,
            away_ms=times.away,
            covered_ms=times.covered,
            gap_ms=times.gap,
            connection_ms=times.connection,
        )

    def hand_in(self, given_up: bool = False) -> Submission:
        """The draft as the next submission."""
        active = self.times.active if self.limit_ms is None else min(self.times.active, self.limit_ms)
        number = len(self.record.submissions) + 1
        text = self.text
        submission = Submission(
            number=number,
            active_ms=active,
            answer=text,
            is_readable=self.format_fault() is None,
            is_given_up=given_up,
        )
        self.update(submissions=(*self.record.submissions, submission))
        return submission

    # The draft ---------------------------------------------------------------------------------------------------

    def begin(self, data: Any) -> None:
        """Begins with a draft, as plain data, that nobody has edited."""
        self.data = data
        self.begun = data
        self.edits = []

    def history(self) -> DraftHistory:
        """The steps in which the draft came about.

        Raises:
            ValueError: An edit does not fit, as in a file that was altered.
        """
        return history_of(self.begun, self.edits)

    @property
    def text(self) -> str:
        """The draft as it is handed in."""
        if isinstance(self.answer, Answer):
            assert self.task is not None
            return packed(self.task, handed_in(self.task, self.answer))
        return self.answer or ""

    def take_unapplied(self) -> bool:
        """Makes what was typed beside the editor the draft; False if nothing was, or it cannot be read and is kept."""
        if self.task is None or not self.record.unapplied:
            return False
        try:
            self.answer = self.task.parse(self.record.unapplied)
        except AnswerError:
            return False
        self.update(unapplied="")
        return True

    @property
    def is_new(self) -> bool:
        """Whether the draft differs from what was handed in last."""
        return not self.record.submissions or self.record.submissions[-1].answer != self.text

    def format_fault(self) -> AnswerError | None:
        """Why a typed answer cannot be read; None if it can, or was not typed."""
        if self.task is None or isinstance(self.answer, Answer):
            return None
        try:
            self.task.parse(self.text)
        except AnswerError as error:
            return error
        return None

    @property
    def is_too_long(self) -> bool:
        """Whether the answer is longer than any task reads."""
        return len(self.text) > MAX_TEXT_CHARS


def times_of(record: TrialRecord) -> WorkTimes:
    """The times in a record."""
    known = record.active_ms + record.covered_ms + record.gap_ms
    return WorkTimes(
        active=record.active_ms,
        idle=record.idle_ms,
        away=record.away_ms,
        covered=record.covered_ms,
        verifying=max(0, record.elapsed_ms - known),
        gap=record.gap_ms,
        connection=record.connection_ms,
    )


def has_begun(record: TrialRecord) -> bool:
    """Whether an item was on the screen, and its trial has not ended."""
    return record.state in (TrialState.SHOWN, TrialState.COVERED)


def draft_data(answer: Answer | str | None) -> Any:
    """A draft as plain data: fields of an answer, or lines of a text, so that patches stay small."""
    if isinstance(answer, Answer):
        return answer.model_dump(mode="json")
    return {"lines": (answer or "").split("\n")}


def draft_of(data: Any, task: Task[Any] | None, is_text: bool) -> Answer | str | None:
    """The draft that was stored as plain data; None if there is none.

    Raises:
        AnswerError: It cannot be read any more.
    """
    if data is None:
        return None
    if is_text or task is None:
        return "\n".join(data["lines"])
    return task.parse(data)  # type: ignore[no-any-return]


def option_text(value: Any) -> str:
    """A chosen option as the text of an answer."""
    return json.dumps(value, ensure_ascii=False)
