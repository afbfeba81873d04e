"""What a session keeps: the clocks are read before anything is done, and what comes of it is stored at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from spatial_workbench.engine.core.clocks.system_clocks import ReadClocks
from spatial_workbench.engine.core.clocks.work_clock import COVER_MS, GAP_MS, ClockGap, Phase
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit
from spatial_workbench.engine.studies.sessions.event_log import EventLog
from spatial_workbench.engine.studies.sessions.pages import BEFORE_CONSENT, Cover, StudyPage
from spatial_workbench.engine.studies.sessions.schema import TrialRecord
from spatial_workbench.engine.studies.sessions.session_file import Changes
from spatial_workbench.engine.studies.sessions.sitting_state import SittingState, may_be_unseen
from spatial_workbench.engine.studies.sessions.trial_run import draft_data

COMMIT_MS = 1_000
_WITH_TIME_LEFT = frozenset(
    {"item_shown", "first_input", "cover", "uncover", "pause", "gap", "connection", "suspend", "stall", "crash"}
    | {"resume", "warning", "deadline", "submit", "give_up", "timeout"}
)
"""Events that say how much of the limit is left."""


@dataclass(frozen=True)
class HeldEdit:
    """Edits of one label that were not stored yet: the draft before them, and how many there are.

    Attributes:
        step: Where the editor's history stood after the last of them; None if there is no history.
    """

    label: str
    before: Any
    count: int
    step: int | None = None


class Recording:
    """Stores a session as it goes on.

    Attributes:
        changed: Called when the page or its cover changed.
        warned: Called with the milliseconds left, when the end of a limit comes near.
        time_out: Called when the limit of the present trial is over.
    """

    def __init__(self, state: SittingState, clocks: ReadClocks, environment: Mapping[str, Any]) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.warned: Callable[[int], None] = lambda left_ms: None
        self.time_out: Callable[[], None] = lambda: None
        self.environment = dict(environment)
        self.changes = Changes()
        self.held: HeldEdit | None = None
        self.is_due_to_commit = False
        self.is_closed = False
        self.event_log = EventLog(state.file.place.get("events", 0))
        self._state = state
        self._clocks = clocks
        self._committed_b = state.clock.last.b
        self._shown: tuple[StudyPage, int, Cover | None] | None = None

    @contextmanager
    def acting(self, acted: bool = True) -> Iterator[None]:
        """Reads the clocks before anything is done, and stores and shows what came of it."""
        self.read(acted)
        yield
        self.settle()

    def read(self, acted: bool) -> None:
        """Reads the clocks, and notes gaps and idle time; `acted` says that the person did something."""
        self._state.clock, happenings = self._state.clock.read(self._clocks())
        run = self._state.run
        idle_ms = None if run is None else run.read(self._state.clock.last, acted)
        if idle_ms is not None:
            self.event("idle", ms=idle_ms)
        for happening in happenings:
            self.event(happening.kind, ms=happening.length_ms)
            covers = happening.kind == ClockGap.SUSPEND or happening.length_ms >= COVER_MS
            if run is not None and run.must_go_on and covers and happening.kind != "clock_change":
                self._state.cut_off_ms = happening.length_ms
                self.event("cover", reason=happening.kind)
        if Cover.PAUSE in self._state.covers:
            self._state.paused_ms += min(self._state.clock.last.b - self._state.page_since, GAP_MS)
            self._state.page_since = self._state.clock.last.b
        is_at_item = run is not None and self._state.page is StudyPage.ITEM
        if run is not None and is_at_item and run.is_past_limit() and not may_be_unseen(self._state):
            self.time_out()

    def settle(self) -> None:
        """Sets what the coming time counts as, stores what changed, and tells the window if it has to show more."""
        self._set_phase()
        is_late = self._state.clock.last.b - self._committed_b >= COMMIT_MS
        if self.is_due_to_commit or self.changes != Changes() or is_late or self._state.file.fault is not None:
            self.commit()
            self._set_phase()
        shown = (self._state.page, self._state.position, self._state.cover)
        if shown != self._shown:
            self._shown = shown
            self.changed()

    def _set_phase(self) -> None:
        if self._state.run is not None:
            # Whoever asks to leave could otherwise think about the item without the clock.
            still = self._state.covers - {Cover.CRASH, Cover.LEAVE}
            phase = (
                Phase.VERIFYING if self._state.page is StudyPage.CHECKING else Phase.COVERED if still else Phase.ACTIVE
            )
            if self._state.is_disconnected and phase is Phase.ACTIVE:
                phase = Phase.UNSEEN
            self._state.run.set_phase(phase, self._state.is_away)

    def commit(self) -> None:
        """Writes what changed; if that fails the content is covered, and it is tried again with every tick."""
        if self._state.is_erased:
            return
        self.release_held()
        self._committed_b = self._state.clock.last.b
        stored = self._state.page not in BEFORE_CONSENT
        if self._state.run is not None:
            self._state.run.take_times()
            self.add_changes(trials={self._state.run.record.position: self._state.run.record})
            self._state.records[self._state.run.record.position] = self._state.run.record
        if stored:
            self.add_changes(events=self.event_log.taken(), place=self._place())
        changes = replace(self.changes, at_ms=self._elapsed_b)
        try:
            self._state.file.commit(changes)
        except (OSError, sqlite3.Error) as error:
            self.changes = changes
            self.be_in_trouble(str(error))
        else:
            self.changes = Changes()
            self.is_due_to_commit = False
            self._end_trouble()

    def release_held(self) -> None:
        """Makes an event and a patch of the edits that were held back."""
        run = self._state.run
        held = self.held
        self.held = None
        if run is None or held is None:
            return
        run.data = draft_data(run.answer)
        patch = diff(held.before, run.data)
        kind = held.label.partition(" ")[0].lower()
        kind = kind if kind in ("undo", "redo") else "edit"
        run.update(edits=run.record.edits + 1, undos=run.record.undos + (kind == "undo"))
        merged = {"merged": held.count} if held.count > 1 else {}
        self.event(kind, label=held.label, patch=patch, **merged)
        edit = DraftEdit(patch, held.label, held.step)
        run.edits.append(edit)
        self.add_changes(edits=((self._state.position, edit),))

    def be_in_trouble(self, reason: str) -> None:
        """Covers the content, since nothing can be stored."""
        if Cover.TROUBLE not in self._state.covers:
            self._state.covers.add(Cover.TROUBLE)
            self.event("cover", reason="storage")
        self._state.trouble = reason

    def _end_trouble(self) -> None:
        if Cover.TROUBLE in self._state.covers:
            self._state.covers.discard(Cover.TROUBLE)
            self._state.trouble = ""
            if self._state.run is not None:
                self._state.run.cover(True)

    def _place(self) -> dict[str, Any]:
        return {
            "page": self._state.page.value,
            "position": self._state.position,
            "sitting": self._state.number,
            "sitting_began": self._state.sitting_began_active,
            "since_break": self._state.since_break,
            "pauses": self._state.pauses,
            "paused_ms": self._state.paused_ms,
            "wrong_tries": self._state.tries.wrong,
            "events": self.event_log.number,
            "b": self._elapsed_b,
            "wall": self._state.clock.last.wall,
            "told": [vars(told) for told in self._state.told_by_position.values()],
            "standing": self._state.standing,
            "wanted": [vars(wanted) for wanted in self._state.wanted_verdicts],
            "is_closed": self.is_closed,
        }

    @property
    def _elapsed_b(self) -> int:
        return self.event_log.began_b + self._state.clock.last.b - self._state.began_b

    def add_changes(self, **changes: Any) -> None:
        """Adds to what is stored with the next commit."""
        self.changes = self.changes.then(Changes(**changes))

    def set_head(self, **values: Any) -> None:
        """Changes what is known of the session as a whole."""
        self._state.head = self._state.head.model_copy(update=values)
        self.add_changes(head=self._state.head)

    def keep(self, record: TrialRecord) -> None:
        """Replaces the record of a trial that is not on the screen, or is about to leave it."""
        self._state.records[record.position] = record
        if self._state.run is not None and self._state.run.record.position == record.position:
            self._state.run.record = record
        self.add_changes(trials={record.position: record})

    def event(self, kind: str, **data: Any) -> None:
        """Logs an event."""
        run = self._state.run
        if run is not None and kind in _WITH_TIME_LEFT:
            data = {"left": run.remaining_ms, **data}
        self.event_log.add(
            kind, self._state.active_ms, self._elapsed_b, None if run is None else self._state.position, data
        )
