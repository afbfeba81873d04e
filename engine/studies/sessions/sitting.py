"""A participant's session without any widget: what is shown, what may be done now, and what is stored of it.

A window (or a rehearsal) calls `tick` every quarter of a second and a method for everything that the person does; it
shows `state.page`, and covers it if there is a `state.cover`. Time comes from readings of the clocks, so that tests set
them.
Rules: docs/studies.md, "Taking part".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.clocks.system_clocks import ReadClocks, read_clocks
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.files.results_file import file_name, write_results
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.answering import Answering
from spatial_workbench.engine.studies.sessions.connecting import BrowserConnection
from spatial_workbench.engine.studies.sessions.ending import Leaving
from spatial_workbench.engine.studies.sessions.entering import Entering
from spatial_workbench.engine.studies.sessions.itinerary import Itinerary
from spatial_workbench.engine.studies.sessions.limits import SittingLimits
from spatial_workbench.engine.studies.sessions.pages import Cover, StudyPage, Wanted
from spatial_workbench.engine.studies.sessions.recording import Recording
from spatial_workbench.engine.studies.sessions.replies import (
    TLX_SCALES,
    TLX_STEP,
    cleaned,
)
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.session_file import SessionFile
from spatial_workbench.engine.studies.sessions.sitting_state import SittingState, may_be_unseen
from spatial_workbench.engine.studies.sessions.working import Working

LEFT_AFTER_MS = 3_000
"""How long somebody may be away where leaving the window ends the trial."""

TOLD_MS = 10_000
"""How long the end of the time is told where the study goes on by itself."""


class Sitting:
    """A session that somebody works on.

    Attributes:
        state: Where the session stands: page, item, records.
        limits: What is left of items, pauses, breaks and the whole.
        itinerary: What is asked and told on the present page.
        answering: What becomes of submissions, and how trials end.
        entering: What the person does before the items.
        work: What the person does with the present item.
        leaving: How a session is left before its end.
        connection: Whether the browser of a person elsewhere answers.
        recording: Stores what is done; calls back when what is shown changed.
    """

    def __init__(
        self,
        bundle: Bundle,
        slot: Slot,
        file: SessionFile,
        clocks: ReadClocks = read_clocks,
        environment: Mapping[str, Any] | None = None,
    ) -> None:
        self.state = SittingState(bundle, slot, file, clocks())
        self.recording = Recording(self.state, clocks, environment or {})
        self.limits = SittingLimits(self.state)
        self.itinerary = Itinerary(self.state, self.recording, self.limits)
        self.answering = Answering(self.state, self.recording, self.itinerary)
        self.recording.time_out = self.answering.time_out
        self.entering = Entering(self.state, self.recording, self.itinerary, self.answering)
        self.work = Working(self.state, self.recording, self.limits, self.itinerary, self.answering)
        self.leaving = Leaving(self.state, self.recording, self.itinerary, self.answering)
        self.connection = BrowserConnection(self.state, self.recording)
        place = file.place
        if place:
            self.itinerary.take_up(place)
        else:
            self.itinerary.begin()

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """The verdicts that are needed: the window works them out and calls `take_verdict`."""
        return tuple(self.state.wanted_verdicts)

    @property
    def can_pause(self) -> bool:
        """Whether the person can stop the clock during an item."""
        pauses = self.state.study.limits.pauses
        used_up = pauses.count is not None and self.state.pauses >= pauses.count
        used_up |= pauses.total_s is not None and self.state.paused_ms >= 1000 * pauses.total_s
        return pauses.kind == "any" and self.work.accepts_work and not used_up

    def tick(self) -> None:
        """Reads the clocks; to be called every quarter of a second."""
        with self.recording.acting(acted=False):
            self.connection.check()
            if self._was_told_long_enough():
                self.itinerary.advance(StudyPage.TIME_OVER)
            if self.state.run is None or self.state.page is not StudyPage.ITEM:
                return
            if self.state.run.is_past_limit(at_limit=True) and not may_be_unseen(self.state):
                self.answering.time_out()
            elif (left := self.state.run.warning()) is not None:
                self.recording.event("warning")
                self.recording.warned(left)
            if Cover.PAUSE in self.state.covers and self.limits.pause_is_used_up():
                self._end_pause()
            if self._ends_when_away():
                self.answering.end_trial(TrialState.LEFT)

    def acted(self) -> None:
        """The person pressed a key or a button, turned the wheel, or moved the pointer."""
        with self.recording.acting():
            run = self.state.run
            if run is not None and run.clock is not None and run.record.first_input_ms is None:
                run.update(first_input_ms=run.times.active)
                self.recording.event("first_input")

    def go_on(self) -> None:
        """Uncovers the content after a gap, a crash or a pause."""
        with self.recording.acting():
            if Cover.TROUBLE in self.state.covers or Cover.LEAVE in self.state.covers:
                return
            if Cover.PAUSE in self.state.covers:
                self._end_pause()
            self.state.covers.discard(Cover.CRASH)
            if self.state.run is not None and self.state.run.must_go_on:
                self.state.run.cover(False)
                self.state.was_disconnected = False
                self.recording.event("uncover")

    def set_away(self, is_away: bool) -> None:
        """The window is not the active one any more, or is again."""
        with self.recording.acting(acted=False):
            if is_away == self.state.is_away:
                return
            self.state.is_away = is_away
            if is_away:
                self.state.away_since = self.state.clock.last.b
                self.recording.event("blur")
                if self.state.run is not None:
                    self.state.run.update(away_count=self.state.run.record.away_count + 1)
            else:
                self.recording.event("focus", ms=self.state.clock.last.b - self.state.away_since)

    def pause(self) -> None:
        """Stops the clock during an item; the content is covered."""
        with self.recording.acting():
            if self.can_pause:
                self.state.pauses += 1
                self.state.page_since = self.state.clock.last.b
                self.state.covers.add(Cover.PAUSE)
                self.recording.event("pause")

    def go_ahead(self) -> None:
        """Goes on from a page that only has a button: instructions, end of the time, feedback, break, between items."""
        with self.recording.acting():
            if self.state.page is StudyPage.INSTRUCTIONS:
                self.itinerary.next_item()
            elif self.state.page in (StudyPage.TIME_OVER, StudyPage.FEEDBACK):
                self.itinerary.advance(self.state.page)
            elif self.state.page is StudyPage.BREAK and not self.limits.break_left_ms[0]:
                self.recording.event("break", ms=self.state.clock.last.b - self.state.page_since)
                self.recording.set_head(state=SessionState.RUNNING)
                self.itinerary.next_item()
            elif self.state.page is StudyPage.READY:
                self.itinerary.next_item()

    def answer_item(self, replies: Mapping[str, Any]) -> dict[str, str]:
        """Answers the questions about the item that has just ended; returns what is wrong with them, by key."""
        with self.recording.acting():
            values, faults = _item_replies(self.itinerary.item_questions(), replies)
            if faults or self.state.page is not StudyPage.QUESTIONS:
                return faults
            for key in values:
                self.recording.event("answer", key=key)
            self.recording.keep(self.state.record.model_copy(update={"responses": values}))
            self.itinerary.advance(StudyPage.QUESTIONS)
            return {}

    def rate_load(self, ratings: Mapping[str, int]) -> bool:
        """The six ratings of NASA's task load index, 0 to 100 in steps of 5; False if one is missing."""
        with self.recording.acting():
            if not all(ratings.get(scale) in range(0, 101, TLX_STEP) for scale in TLX_SCALES):
                return False
            block = self.state.trial.block if self.state.page is StudyPage.TLX else "end"
            values = {f"tlx.{block}.{scale}": ratings[scale] for scale in TLX_SCALES}
            self.recording.set_head(responses={**self.state.head.responses, **values})
            for key in values:
                self.recording.event("answer", key=key)
            if self.state.page is StudyPage.TLX:
                self.itinerary.advance(StudyPage.TLX)
            else:
                self.itinerary.go_to_end(after=StudyPage.TLX_END)
            return True

    def take_verdict(self, wanted: Wanted, score: float | None, passed: bool) -> None:
        """Takes a verdict that was wanted; a score of None says that it could not be worked out."""
        with self.recording.acting(acted=False):
            if wanted not in self.state.wanted_verdicts:
                return
            self.state.wanted_verdicts.remove(wanted)
            if self.state.page is StudyPage.CHECKING and wanted.position == self.state.position:
                self.recording.event("verify_end", told=score is not None)
                if score is not None:
                    self.answering.note_verdict(wanted, score, passed)
                self.answering.go_on_checked(wanted, passed and score is not None)
            elif score is not None:
                self.answering.compare(wanted.position, score)
            if self.state.page is StudyPage.CLOSING and not self.state.wanted_verdicts:
                self.itinerary.finish()

    def log(self, kind: str, **data: Any) -> None:
        """Logs something that changes nothing: help, a view, a tool, a copy, a paste, full screen, the screen."""
        self.recording.event(kind, **data)

    def close(self) -> None:
        """Stores everything and gives the file back; the session goes on where it was when it is opened again."""
        if self.state.page in (StudyPage.WITHDRAWN, StudyPage.INELIGIBLE) or (
            self.state.page is StudyPage.STOPPED and not self.state.head.consent
        ):
            return
        self.recording.read(acted=False)
        if self.state.page is StudyPage.LATER:
            self.recording.event("sitting_end")
        self.recording.is_closed = True
        self.recording.commit()
        self.state.file.close()

    def write_results(self, folder: Path) -> tuple[Path, str]:
        """Writes the results file; returns its path and its SHA-256. What tells outcomes is sealed in it.

        Raises:
            OSError: It cannot be written.
        """
        if self.state.is_erased:
            record = self.state.head
            chunks = tuple[bytes, ...]()
        else:
            self.recording.commit()
            record = self.state.file.record()
            chunks = self.state.file.chunks()
            if self.state.file.events_stopped:
                record = record.model_copy(update={"file_faults": ("log full",)})
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / file_name(record)
        bundle = self.state.bundle
        if self.state.is_erased:
            return path, write_results(path, record, chunks, bundle.key)
        return path, write_results(path, record, chunks, bundle.key, bundle.seal, self.state.file.sealed)

    @property
    def goes_on_by_itself(self) -> bool:
        """Whether the page about the end of the time goes on by itself, as the study allows no pauses between items."""
        return self.state.page is StudyPage.TIME_OVER and self.state.study.limits.pauses.kind == "none"

    def _was_told_long_enough(self) -> bool:
        return self.goes_on_by_itself and self.state.clock.last.b - self.state.page_since >= TOLD_MS

    def _end_pause(self) -> None:
        self.state.covers.discard(Cover.PAUSE)
        self.recording.event("uncover")

    def _ends_when_away(self) -> bool:
        ends = self.state.study.on_leave == "end" and self.state.is_away and self.state.page is StudyPage.ITEM
        return ends and self.state.clock.last.b - self.state.away_since >= LEFT_AFTER_MS


_RANGES = {"confidence": (0, 100), "difficulty": (1, 7)}


def _item_replies(asked: tuple[str, ...], replies: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for key in asked:
        if key == "strategy":
            values[key] = cleaned(str(replies.get(key) or ""))[0]
            continue
        low, high = _RANGES[key]
        value = replies.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            values[key] = value
        else:
            faults[key] = tr("Choose a number from {low} to {high}", low=low, high=high)
    return values, faults
