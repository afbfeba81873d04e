"""Where a session stands: what is shown, what is known of each trial, and what is counted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from spatial_workbench.engine.core import Aid, Instance, Task, needs_agent, resolve
from spatial_workbench.engine.core.clocks.work_clock import Instant, WorkClock
from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.planning.briefing import briefing
from spatial_workbench.engine.studies.planning.consenting import consent_words
from spatial_workbench.engine.studies.planning.document import (
    ItemKind,
    ItemPhase,
    Options,
    StudyCondition,
    StudyItem,
    Text,
    texts_by_value,
)
from spatial_workbench.engine.studies.planning.slots import Slot, Trial
from spatial_workbench.engine.studies.sessions.leaving import Tries
from spatial_workbench.engine.studies.sessions.pages import (
    Cover,
    StudyPage,
    StudyTold,
    Wanted,
)
from spatial_workbench.engine.studies.sessions.schema import (
    SessionState,
    TrialRecord,
    TrialState,
)
from spatial_workbench.engine.studies.sessions.session_file import SessionFile
from spatial_workbench.engine.studies.sessions.trial_run import TrialRun

SILENT_MS = 1_500
"""A browser that answers once a second is silent from then on."""
MAIN = (ItemPhase.MAIN, ItemPhase.ATTENTION)


class SittingState:
    """Where a session stands. It changes nothing by itself: the parts of a `Sitting` share it.

    Attributes:
        page: What is shown.
        language: The language of what is shown.
        position: The place of the present item among the trials of the slot.
        run: The trial on the screen.
        covers: Why the content is covered.
        wanted_verdicts: Verdicts that are needed.
        standing: A position, and where keys act in the editor of its item, as the window describes it.
        told_by_position: What the person was told of answers.
        number: The number of the present sitting, from 1.
        cut_off_ms: How long the last gap or crash was, as far as that is known.
        answered_b: Until when the browser that shows the window has shown it, as far as it has answered; None for a
            window that is not in a browser.
        is_disconnected: Whether the browser that shows the window does not answer.
        was_disconnected: Whether the content is covered because it did not.
        note: What the person is told once, such as what was lost when a file was damaged.
        trouble: Why nothing can be stored.
    """

    def __init__(self, bundle: Bundle, slot: Slot, file: SessionFile, reading: Instant) -> None:
        self.bundle = bundle
        self.study = bundle.study
        self.slot = slot
        self.file = file
        self.note = file.note
        self.head = file.head
        self.language = file.head.language
        self.records = {record.position: record for record in file.trials()}
        self.items = {item.id: item for item in self.study.items()}
        self.clock = WorkClock(reading)
        self.began_b = self.clock.last.b
        self.run: TrialRun | None = None
        self.covers: set[Cover] = set()
        self.is_away = False
        self.away_since = 0
        self.answered_b: int | None = None
        self.is_disconnected = False
        self.was_disconnected = False
        self.wanted_verdicts: list[Wanted] = []
        self.told_by_position: dict[int, StudyTold] = {}
        self.trouble = ""
        self.cut_off_ms = 0
        place = file.place
        self.page = StudyPage(place.get("page", StudyPage.LANGUAGE))
        self.position: int = place.get("position", -1)
        self.number: int = place.get("sitting", 1)
        self.sitting_began_active: int = place.get("sitting_began", 0)
        self.since_break: int = place.get("since_break", 0)
        self.pauses: int = place.get("pauses", 0)
        self.paused_ms: int = place.get("paused_ms", 0)
        self.standing: tuple[int, Any] = (-1, None)
        if isinstance(stored := place.get("standing"), list) and len(stored) == 2:
            self.standing = (stored[0], stored[1])
        self.page_since = self.clock.last.b
        self.tries = Tries(place.get("wrong_tries", 0))
        self._subjects: dict[str, tuple[Task[Any], Instance]] = {}

    @property
    def code(self) -> str:
        """The participant's code."""
        return self.slot.code

    @property
    def session_state(self) -> SessionState:
        """How far the session is."""
        return self.head.state

    def choose_language(self, language: str) -> None:
        """Chooses the language of what is shown; it stays even if what is stored of the person is deleted."""
        self.language = language
        self.head = self.head.model_copy(update={"language": language})

    def words(self, text: Text) -> str:
        """A text of the study in the person's language."""
        return text if isinstance(text, str) else text.get(self.language) or next(iter(text.values()), "")

    def option_words(self, options: Options) -> dict[str, str]:
        """What the person reads of options, by what is stored of them."""
        return {value: self.words(text) for value, text in texts_by_value(options).items()}

    @property
    def consent(self) -> str:
        """What the person agrees to."""
        with in_language(self.language):
            return consent_words(self.study, self.slot, self.head.setting, self.head.accommodations.time_factor)

    @property
    def instructions(self) -> str:
        """The leader's instructions, and what the person has to know of limits, tools and what counts."""
        with in_language(self.language):
            written = briefing(self.study, self.slot, self.head.accommodations.time_factor)
        known = self.words(self.study.briefing) or written
        return "\n\n".join(filter(None, (self.words(self.study.instructions), known)))

    @property
    def cover(self) -> Cover | None:
        """Why the content is covered; None if it is not."""
        for reason in (Cover.TROUBLE, Cover.LEAVE, Cover.PAUSE, Cover.CRASH):
            if reason in self.covers:
                return reason
        if self.run is not None and self.run.must_go_on:
            return Cover.CONNECTION if self.was_disconnected else Cover.GAP
        return Cover.AWAY if self._hides_when_away and self.is_away else None

    @property
    def trial(self) -> Trial:
        """The present trial."""
        return self.slot.trials[self.position]

    @property
    def item(self) -> StudyItem:
        """The present item."""
        return self.items[self.trial.item]

    @property
    def condition(self) -> StudyCondition:
        """The condition in which the present item is met."""
        return self.study.conditions[self.trial.condition]

    @property
    def is_typed(self) -> bool:
        """Whether the answer to the present item is typed, as a model's; what agents play is done in an editor."""
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
        return self.record_of(self.position)

    def subject(self) -> tuple[Task[Any], Instance]:
        """The task and the instance of the present item; generating one may take a while.

        Raises:
            InstanceError: The address does not resolve.
        """
        address = self.item.address
        if address not in self._subjects:
            self._subjects[address] = resolve(address)
        return self._subjects[address]

    @property
    def is_erased(self) -> bool:
        """Whether nothing of the person is kept."""
        gone = (StudyPage.WITHDRAWN, StudyPage.INELIGIBLE)
        return self.page in gone or (self.page is StudyPage.STOPPED and not self.head.consent)

    @property
    def active_ms(self) -> int:
        """Active time of the whole session."""
        return self.active_where(lambda item: True)

    def active_where(self, chosen: Callable[[StudyItem], bool]) -> int:
        """Active time of the items that are chosen, in milliseconds."""
        run = self.run
        total = 0
        for position, record in self.records.items():
            if chosen(self.items[record.item]) and (run is None or position != run.record.position):
                total += record.active_ms
        return total + (run.times.active if run is not None and chosen(self.items[run.record.item]) else 0)

    def record_of(self, position: int) -> TrialRecord:
        """What is known of a trial."""
        if self.run is not None and self.run.record.position == position:
            return self.run.record
        if position not in self.records:
            trial = self.slot.trials[position]
            phase = self.items[trial.item].phase.value
            self.records[position] = TrialRecord(
                position=position,
                block=trial.block,
                item=trial.item,
                phase=phase,
                condition=trial.condition,
                state=TrialState.WAITING,
            )
        return self.records[position]

    def running(self) -> TrialRun:
        """The trial on the screen; there must be one."""
        if self.run is None:
            raise RuntimeError("no item is on the screen")
        return self.run

    @property
    def _hides_when_away(self) -> bool:
        return self.study.on_leave == "cover" and self.page is StudyPage.ITEM

    @property
    def count(self) -> tuple[int, int]:
        """The number of the present item and how many there are, practice apart."""
        kind = self.item.phase in MAIN
        places = [k for k, t in enumerate(self.slot.trials) if (self.items[t.item].phase in MAIN) == kind]
        return places.index(self.position) + 1, len(places)

    @property
    def next_item(self) -> StudyItem | None:
        """The item that is shown next."""
        if self.position + 1 >= len(self.slot.trials):
            return None
        return self.items[self.slot.trials[self.position + 1].item]

    @property
    def last_told(self) -> StudyTold | None:
        """What the person was told of the present item's last answer."""
        return self.told_by_position.get(self.position)


def now() -> str:
    """The time by the wall clock: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def may_be_unseen(state: SittingState) -> bool:
    """Whether the browser is silent, so that the present time may turn out to be a gap: no limit ends meanwhile."""
    return state.answered_b is not None and state.clock.last.b - state.answered_b > SILENT_MS
