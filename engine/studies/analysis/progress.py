"""How far a study is: places, sessions, times and flags. Nothing here knows how an answer was judged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import Study, StudyResponse
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState, TrialRecord, TrialState

NOT_STARTED = "not started"
WITHDREW = "withdrew"
FREE_AGAIN = "free again"
IN_RESERVE = "in reserve"
INTERRUPTED = "interrupted"
_WORKING = (SessionState.CONSENTED, SessionState.PRACTISING, SessionState.RUNNING, SessionState.BREAK)
_LOST = (SessionState.STOPPED, SessionState.ENDED)
_ENDS = {
    "handed in": (TrialState.SUBMITTED, TrialState.SOLVED),
    "given up": (TrialState.GIVEN_UP,),
    "timed out": (TrialState.TIMED_OUT,),
    "left": (TrialState.LEFT,),
    "skipped": (TrialState.SKIPPED,),
    "broken": (TrialState.BROKEN,),
}
"""How items end, in words. That one was solved is not told before outcomes are open."""


@dataclass(frozen=True)
class StudyPlace:
    """A planned place: the slot, whom it replaces, and how many bundles hold it.

    The trials of the slot are in the cells, and left out here.
    """

    slot: Slot
    replaces: str = ""
    bundles: int = 0


@dataclass(frozen=True)
class StudyCell:
    """An item of a place: the trial's state in a word, its active time, and which rules it broke."""

    item: str
    state: str = TrialState.WAITING.value
    active_ms: int = 0
    submissions: int = 0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class SlotProgress:
    """A place with the session that counts.

    Attributes:
        state: A word: "not started", "in reserve", a state of the session, "withdrew", or "free again" if the person
            was not eligible.
        session: The session's id; "" if there is none.
        flags: The rules that the session as a whole broke; none while somebody works on it.
        is_excluded: Whether a rule excludes the session.
        replaced_by: The reserve that stands in; "" if none.
        others: How many further sessions the code has, such as those of another machine.
    """

    place: StudyPlace
    state: str
    cells: tuple[StudyCell, ...]
    session: str = ""
    site: str = ""
    began_at: str = ""
    active_ms: int = 0
    flags: tuple[str, ...] = ()
    is_excluded: bool = False
    replaced_by: str = ""
    others: int = 0

    @property
    def code(self) -> str:
        """The code of the place."""
        return self.place.slot.code

    @property
    def ended_words(self) -> str:
        """How the items ended, such as "3 of 11 items handed in, 8 skipped"."""
        counts = {word: sum(cell.state in states for cell in self.cells) for word, states in _ENDS.items()}
        handed_in = counts.pop("handed in")
        others = [f"{count} {word}" for word, count in counts.items() if count]
        return ", ".join([f"{handed_in} of {counted(len(self.cells), 'item')} handed in", *others])

    @property
    def needs_replacement(self) -> bool:
        """Whether the place is lost for the plan and nobody stands in yet."""
        is_lost = self.state in (*_LOST, WITHDREW) or self.is_excluded
        return is_lost and not self.replaced_by


@dataclass(frozen=True)
class StudyProgress:
    """How far a study is.

    Attributes:
        items: The items of the matrix in the order of the document.
        rows, conditions: How many finished sessions each row of the orders, and each condition, has.
        consents: How many sessions met each version of the consent, by the beginning of its hash.
        active_ms: The median active time of a finished session; None while there is none.
    """

    items: tuple[str, ...]
    slots: tuple[SlotProgress, ...]
    rows: Mapping[int, int]
    conditions: Mapping[str, int]
    consents: Mapping[str, int]
    active_ms: int | None

    @property
    def states(self) -> dict[str, int]:
        """How many places are in which state."""
        return dict(Counter(slot.state for slot in self.slots))

    @property
    def reserves(self) -> dict[str, int]:
        """How many places are still in reserve, by their condition ("" where blocks have conditions)."""
        return dict(Counter(slot.place.slot.condition for slot in self.slots if slot.state == IN_RESERVE))

    @property
    def dropouts(self) -> int:
        """How many people did not finish."""
        return sum(slot.state in (*_LOST, WITHDREW) for slot in self.slots)

    @property
    def is_balanced(self) -> bool:
        """Whether all rows of the orders were finished equally often."""
        return len(set(self.rows.values())) <= 1


def progress_of(
    study: Study,
    places: Sequence[StudyPlace],
    sessions: Iterable[SessionRecord],
    flags: Sequence[Breach] = (),
    withdrawn: Iterable[str] = (),
    interrupted: Iterable[str] = (),
) -> StudyProgress:
    """How far a study is, from the sessions that are known; `interrupted` are ids of sessions that stand still."""
    by_code: dict[str, list[SessionRecord]] = defaultdict(list)
    for session in sessions:
        by_code[session.code].append(session)
    gone = set(withdrawn)
    still = set(interrupted)
    reserves = {place.replaces: place.slot.code for place in places if place.replaces}
    marks = _Marks(flags)
    slots = tuple(
        _slot(place, by_code[place.slot.code], marks, place.slot.code in gone, still, reserves.get(place.slot.code, ""))
        for place in places
    )
    finished = [slot for slot in slots if slot.state == SessionState.FINISHED]
    rows = Counter(slot.place.slot.row for slot in finished)
    conditions = Counter(slot.place.slot.condition for slot in finished if slot.place.slot.condition)
    times = sorted(slot.active_ms for slot in finished)
    return StudyProgress(
        items=tuple(item.id for item in study.items()),
        slots=slots,
        rows={row: rows[row] for row in sorted({place.slot.row for place in places if not place.slot.is_reserve})},
        conditions=dict(conditions),
        consents=dict(Counter(one.consent[:12] for group in by_code.values() for one in group if one.consent)),
        active_ms=times[len(times) // 2] if times else None,
    )


class _Marks:
    """The breaches by session and trial."""

    def __init__(self, flags: Iterable[Breach]) -> None:
        self._rules: dict[tuple[str, int | None], list[str]] = defaultdict(list)
        self._excluded: set[str] = set()
        for breach in flags:
            self._rules[breach.session, breach.position].append(breach.rule)
            if breach.response is StudyResponse.EXCLUDE and breach.position is None:
                self._excluded.add(breach.session)

    def of(self, session: str, position: int | None = None) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._rules.get((session, position), ())))

    def excludes(self, session: str) -> bool:
        return session in self._excluded


def _slot(
    place: StudyPlace,
    sessions: Sequence[SessionRecord],
    marks: _Marks,
    is_gone: bool,
    interrupted: set[str],
    replaced_by: str,
) -> SlotProgress:
    counting = _counting(sessions)
    order = place.slot.trials
    place = replace(place, slot=replace(place.slot, trials=()))
    if counting is None:
        is_free = place.slot.is_reserve and not place.replaces
        state = WITHDREW if is_gone else FREE_AGAIN if sessions else IN_RESERVE if is_free else NOT_STARTED
        cells = tuple(StudyCell(trial.item) for trial in order)
        return SlotProgress(place, state, cells, replaced_by=replaced_by, others=len(sessions))
    is_working = counting.state in _WORKING
    trials = {trial.item: trial for trial in counting.trials}
    return SlotProgress(
        place=place,
        state=INTERRUPTED if is_working and counting.id in interrupted else counting.state.value,
        cells=tuple(_cell(trial.item, trials.get(trial.item), counting.id, marks) for trial in order),
        session=counting.id,
        site=counting.site,
        began_at=counting.began_at,
        active_ms=sum(trial.active_ms for trial in counting.trials),
        flags=() if is_working else marks.of(counting.id),
        is_excluded=not is_working and marks.excludes(counting.id),
        replaced_by=replaced_by,
        others=len(sessions) - 1,
    )


def _counting(sessions: Sequence[SessionRecord]) -> SessionRecord | None:
    """The session of a code that counts: the one in which an item was shown first."""
    taking_part = [session for session in sessions if session.state is not SessionState.INELIGIBLE]
    return min(taking_part, key=lambda session: (session.first_shown_at or "~", session.id), default=None)


def _cell(item: str, trial: TrialRecord | None, session: str, marks: _Marks) -> StudyCell:
    if trial is None:
        return StudyCell(item)
    flags = marks.of(session, trial.position)
    return StudyCell(item, trial.state.value, trial.active_ms, len(trial.submissions), flags)
