"""What a session keeps: the clocks are read before anything is done, and what comes of it is stored at once."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from spatial_workbench.engine.core import Aid, Instance, Task, needs_agent, resolve
from spatial_workbench.engine.core.clocks.system_clocks import ReadClocks, read_clocks
from spatial_workbench.engine.core.clocks.work_clock import COVER_MS, GAP_MS, ClockGap, Phase, WorkClock
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.planning.document import ItemKind, StudyCondition, StudyItem, Text
from spatial_workbench.engine.studies.planning.slots import Slot, Trial
from spatial_workbench.engine.studies.sessions.event_log import EventLog
from spatial_workbench.engine.studies.sessions.leaving import Tries
from spatial_workbench.engine.studies.sessions.pages import BEFORE_CONSENT, Cover, StudyPage, StudyTold, Wanted
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialRecord, TrialState
from spatial_workbench.engine.studies.sessions.session_file import Changes, SessionFile
from spatial_workbench.engine.studies.sessions.trial_run import TrialRun, draft_data

COMMIT_MS = 1_000
_WITH_TIME_LEFT = frozenset(
    {"item_shown", "first_input", "cover", "uncover", "pause", "gap", "suspend", "stall", "crash", "resume", "warning"}
    | {"deadline", "submit", "give_up", "timeout"}
)
"""Events that say how much of the limit is left."""


@dataclass(frozen=True)
class HeldEdit:
    """Edits of one label that were not stored yet: the draft before them, and how many there are."""

    label: str
    before: Any
    count: int


class Recording(ABC):
    """A session that is stored as it goes on; base of `spatial_workbench.engine.studies.sessions.sitting.Sitting`."""

    def __init__(
        self,
        bundle: Bundle,
        slot: Slot,
        file: SessionFile,
        clocks: ReadClocks = read_clocks,
        environment: Mapping[str, Any] | None = None,
    ) -> None:
        self.bundle, self.study, self.slot = bundle, bundle.study, slot
        self.file = file
        self.note = file.note
        self.changed: Callable[[], None] = lambda: None
        self.warned: Callable[[int], None] = lambda left_ms: None
        self._clocks = clocks
        self._environment = dict(environment or {})
        self._head = file.head
        self._records = {record.position: record for record in file.trials()}
        self._items = {item.id: item for item in self.study.items()}
        self._subjects: dict[str, tuple[Task[Any], Instance]] = {}
        self._now = WorkClock(clocks())
        self._began_b = self._now.last.b
        self._run: TrialRun | None = None
        self._covers: set[Cover] = set()
        self._is_away = False
        self._away_since = 0
        self._wanted: list[Wanted] = []
        self._told: dict[int, StudyTold] = {}
        self._changes = Changes()
        self._held: HeldEdit | None = None
        self._is_due_to_commit = False
        self._is_closed = False
        self._committed_b = self._now.last.b
        self._shown: tuple[StudyPage, int, Cover | None] | None = None
        self._trouble = ""
        self.cut_off_ms = 0
        place = file.place
        self._log = EventLog(place.get("events", 0))
        self.page = StudyPage(place.get("page", StudyPage.LANGUAGE))
        self.position: int = place.get("position", -1)
        self._sitting: int = place.get("sitting", 1)
        self._sitting_began_active: int = place.get("sitting_began", 0)
        self._since_break: int = place.get("since_break", 0)
        self._pauses: int = place.get("pauses", 0)
        self._paused_ms: int = place.get("paused_ms", 0)
        self._page_since = self._now.last.b
        self._tries = Tries(place.get("wrong_tries", 0))

    @abstractmethod
    def _time_out(self) -> None:
        """Ends the present trial, whose limit is over."""

    @property
    def code(self) -> str:
        """The participant's code."""
        return self.slot.code

    @property
    def state(self) -> SessionState:
        """How far the session is."""
        return self._head.state

    @property
    def language(self) -> str:
        """The language of the study's texts."""
        return self._head.language

    def words(self, text: Text) -> str:
        """A text of the study in the person's language."""
        return text if isinstance(text, str) else text.get(self.language) or next(iter(text.values()), "")

    @property
    def cover(self) -> Cover | None:
        """Why the content is covered; None if it is not."""
        for reason in (Cover.TROUBLE, Cover.LEAVE, Cover.PAUSE, Cover.CRASH):
            if reason in self._covers:
                return reason
        if self._run is not None and self._run.must_go_on:
            return Cover.GAP
        return Cover.AWAY if self._hides_when_away and self._is_away else None

    @property
    def trouble(self) -> str:
        """Why nothing can be stored."""
        return self._trouble

    @property
    def trial(self) -> Trial:
        """The present trial."""
        return self.slot.trials[self.position]

    @property
    def item(self) -> StudyItem:
        """The present item."""
        return self._items[self.trial.item]

    @property
    def condition(self) -> StudyCondition:
        """The condition in which the present item is met."""
        return self.study.conditions[self.trial.condition]

    @property
    def is_typed(self) -> bool:
        """Whether the answer to the present item is typed, as a model's; what agents play is played in an editor."""
        if self.condition.answer != "text" or self.item.kind is not ItemKind.INSTANCE:
            return False
        task, _ = self.subject()
        return not needs_agent(task)

    @property
    def editor_aids(self) -> frozenset[Aid]:
        """The classes of aids in the editor of the present item."""
        return frozenset({Aid.VIEWING, Aid.EDITING}) if self.condition.answer == "text" else self.condition.aids

    @property
    def record(self) -> TrialRecord:
        """What is known of the present trial."""
        return self._record_of(self.position)

    def subject(self) -> tuple[Task[Any], Instance]:
        """The task and the instance of the present item; generating one may take a while.

        Raises:
            InstanceError: The address does not resolve.
        """
        address = self.item.address
        if address not in self._subjects:
            self._subjects[address] = resolve(address)
        return self._subjects[address]

    @contextmanager
    def _acting(self, acted: bool = True) -> Iterator[None]:
        """Reads the clocks before anything is done, and stores and shows what came of it."""
        self._read(acted)
        yield
        self._settle()

    def _read(self, acted: bool) -> None:
        self._now, happenings = self._now.read(self._clocks())
        run = self._run
        idle_ms = None if run is None else run.read(self._now.last, acted)
        if idle_ms is not None:
            self._event("idle", ms=idle_ms)
        for happening in happenings:
            self._event(happening.kind, ms=happening.length_ms)
            covers = happening.kind == ClockGap.SUSPEND or happening.length_ms >= COVER_MS
            if run is not None and run.must_go_on and covers and happening.kind != "clock_change":
                self.cut_off_ms = happening.length_ms
                self._event("cover", reason=happening.kind)
        if Cover.PAUSE in self._covers:
            self._paused_ms += min(self._now.last.b - self._page_since, GAP_MS)
            self._page_since = self._now.last.b
        if run is not None and self.page is StudyPage.ITEM and run.is_past_limit():
            self._time_out()

    def _settle(self) -> None:
        """Sets what the coming time counts as, stores what changed, and tells the window if it has to show more."""
        self._set_phase()
        is_late = self._now.last.b - self._committed_b >= COMMIT_MS
        if self._is_due_to_commit or self._changes != Changes() or is_late or self.file.fault is not None:
            self._commit()
            self._set_phase()
        shown = (self.page, self.position, self.cover)
        if shown != self._shown:
            self._shown = shown
            self.changed()

    def _set_phase(self) -> None:
        if self._run is not None:
            still = self._covers - {Cover.CRASH}
            phase = Phase.VERIFYING if self.page is StudyPage.CHECKING else Phase.COVERED if still else Phase.ACTIVE
            self._run.set_phase(phase, self._is_away)

    def _commit(self) -> None:
        """Writes what changed; if that fails the content is covered, and it is tried again with every tick."""
        if self._is_erased:
            return
        self._release_held()
        self._committed_b = self._now.last.b
        stored = self.page not in BEFORE_CONSENT
        if self._run is not None:
            self._run.take_times()
            self._put(trials={self._run.record.position: self._run.record})
            self._records[self._run.record.position] = self._run.record
        if stored:
            self._put(events=self._log.taken(), place=self._place())
        changes = replace(self._changes, at_ms=self._elapsed_b)
        try:
            self.file.commit(changes)
        except (OSError, sqlite3.Error) as error:
            self._changes = changes
            self._be_in_trouble(str(error))
        else:
            self._changes, self._is_due_to_commit = Changes(), False
            self._end_trouble()

    def _release_held(self) -> None:
        """Makes an event and a patch of the edits that were held back."""
        run, held = self._run, self._held
        self._held = None
        if run is None or held is None:
            return
        run.data = draft_data(run.answer)
        patch = diff(held.before, run.data)
        kind = held.label.partition(" ")[0].lower()
        kind = kind if kind in ("undo", "redo") else "edit"
        run.update(edits=run.record.edits + 1, undos=run.record.undos + (kind == "undo"))
        merged = {"merged": held.count} if held.count > 1 else {}
        self._event(kind, label=held.label, patch=patch, **merged)
        self._put(edits=((self.position, patch),))

    def _be_in_trouble(self, reason: str) -> None:
        if Cover.TROUBLE not in self._covers:
            self._covers.add(Cover.TROUBLE)
            self._event("cover", reason="storage")
        self._trouble = reason

    def _end_trouble(self) -> None:
        if Cover.TROUBLE in self._covers:
            self._covers.discard(Cover.TROUBLE)
            self._trouble = ""
            if self._run is not None:
                self._run.cover(True)

    @property
    def _is_erased(self) -> bool:
        gone = (StudyPage.WITHDRAWN, StudyPage.INELIGIBLE)
        return self.page in gone or (self.page is StudyPage.STOPPED and not self._head.consent)

    @property
    def _elapsed_b(self) -> int:
        return self._log.began_b + self._now.last.b - self._began_b

    def _place(self) -> dict[str, Any]:
        return {
            "page": self.page.value,
            "position": self.position,
            "sitting": self._sitting,
            "sitting_began": self._sitting_began_active,
            "since_break": self._since_break,
            "pauses": self._pauses,
            "paused_ms": self._paused_ms,
            "wrong_tries": self._tries.wrong,
            "events": self._log.number,
            "b": self._elapsed_b,
            "wall": self._now.last.wall,
            "told": [vars(told) for told in self._told.values()],
            "wanted": [vars(wanted) for wanted in self._wanted],
            "is_closed": self._is_closed,
        }

    def _put(self, **changes: Any) -> None:
        self._changes = self._changes.then(Changes(**changes))

    def _set(self, **values: Any) -> None:
        self._head = self._head.model_copy(update=values)
        self._put(head=self._head)

    def _keep(self, record: TrialRecord) -> None:
        """Replaces the record of a trial that is not on the screen, or is about to leave it."""
        self._records[record.position] = record
        if self._run is not None and self._run.record.position == record.position:
            self._run.record = record
        self._put(trials={record.position: record})

    def _event(self, kind: str, **data: Any) -> None:
        run = self._run
        if run is not None and kind in _WITH_TIME_LEFT:
            data = {"left": run.remaining_ms, **data}
        self._log.add(kind, self._active_ms, self._elapsed_b, None if run is None else self.position, data)

    @property
    def _active_ms(self) -> int:
        """Active time of the whole session."""
        return self._active_where(lambda item: True)

    def _active_where(self, chosen: Callable[[StudyItem], bool]) -> int:
        run = self._run
        total = 0
        for position, record in self._records.items():
            if chosen(self._items[record.item]) and (run is None or position != run.record.position):
                total += record.active_ms
        return total + (run.times.active if run is not None and chosen(self._items[run.record.item]) else 0)

    def _record_of(self, position: int) -> TrialRecord:
        if self._run is not None and self._run.record.position == position:
            return self._run.record
        if position not in self._records:
            trial = self.slot.trials[position]
            phase = self._items[trial.item].phase.value
            self._records[position] = TrialRecord(
                position=position,
                block=trial.block,
                item=trial.item,
                phase=phase,
                condition=trial.condition,
                state=TrialState.WAITING,
            )
        return self._records[position]

    def _running(self) -> TrialRun:
        if self._run is None:
            raise RuntimeError("no item is on the screen")
        return self._run

    @property
    def _hides_when_away(self) -> bool:
        return self.study.on_leave == "cover" and self.page is StudyPage.ITEM


def now() -> str:
    """The time by the wall clock: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
