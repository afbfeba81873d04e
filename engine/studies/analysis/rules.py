"""Rules of quality: which trials and sessions are flagged or excluded, by what was fixed beforehand.

Thresholds may use pilot data, never scores of main items; so the rules can run while outcomes are sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.studies.files.canonical import digest
from spatial_workbench.engine.studies.planning.document import Allowed, ItemKind, Rule, Study, StudyResponse, StudyTools
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, TrialRecord, TrialState, inconsistencies

DEFAULTS: Mapping[str, Rule] = {
    rule.rule: rule
    for rule in (
        Rule(rule="too_fast", response=StudyResponse.FLAG, value={"least_s": 5, "share_of_pilot": 0.1}),
        Rule(rule="no_edits", response=StudyResponse.FLAG),
        Rule(rule="attention", response=StudyResponse.EXCLUDE, value={"least": 2}),
        Rule(rule="left_window", response=StudyResponse.FLAG, value={"seconds": 60}),
        Rule(rule="covered", response=StudyResponse.FLAG, value={"seconds": 60}),
        Rule(rule="gap", response=StudyResponse.FLAG, value={"seconds": 600, "resumes": 3}),
        Rule(rule="connection", response=StudyResponse.FLAG, value={"seconds": 120, "round_trip_ms": 250}),
        Rule(rule="incomplete", response=StudyResponse.EXCLUDE, value={"share": 0.5}),
        Rule(rule="comprehension", response=StudyResponse.EXCLUDE),
        Rule(
            rule="declared",
            response=StudyResponse.EXCLUDE,
            value={"used_ai": [True], "used_tools": [True], "met_items": [True]},
        ),
        Rule(rule="identical", response=StudyResponse.FLAG, value={"characters": 200, "items": 2}),
        Rule(rule="file", response=StudyResponse.EXCLUDE),
        Rule(rule="by_hand", response=StudyResponse.EXCLUDE),
    )
}
LEAST_REASON = 10
_HARMLESS_FAULTS = frozenset({"build", "log full"})


@dataclass(frozen=True)
class Breach:
    """A rule that a session broke, or a trial of it (`position`), with the value and the threshold."""

    session: str
    code: str
    rule: str
    response: StudyResponse
    value: str
    threshold: str
    position: int | None = None


@dataclass(frozen=True)
class ByHand:
    """An exclusion that the leader decided, with a reason."""

    session: str
    reason: str
    position: int | None = None

    def __post_init__(self) -> None:
        if len(self.reason.strip()) < LEAST_REASON:
            raise ValueError(f"The reason for an exclusion has at least {LEAST_REASON} characters")


def rules_of(study: Study) -> dict[str, Rule]:
    """The rules of a study: its own, and the usual ones where it says nothing."""
    return {**DEFAULTS, **{rule.rule: rule for rule in study.rules}}


def breaches(
    study: Study,
    sessions: Sequence[SessionRecord],
    pilot_medians_ms: Mapping[str, float] | None = None,
    by_hand: Sequence[ByHand] = (),
) -> list[Breach]:
    """What the rules find in sessions, in the order of sessions and rules."""
    context = _Context(study, tuple(sessions), pilot_medians_ms or {}, tuple(by_hand))
    broken = []
    for session in sessions:
        for name, rule in rules_of(study).items():
            if rule.response is not StudyResponse.OFF:
                broken += [
                    Breach(session.id, session.code, name, rule.response, value, threshold, position)
                    for position, value, threshold in _RULES[name](session, rule, context)
                ]
    return broken


def list_hash(broken: Sequence[Breach]) -> str:
    """The hash of a list of breaches, which cannot change once collection is closed."""
    return digest([asdict(breach) for breach in broken])


def excluded_sessions(broken: Sequence[Breach], without: str = "") -> set[str]:
    """The sessions that are excluded as a whole; `without` leaves a rule out, as the table of robustness does."""
    return {
        breach.session
        for breach in broken
        if breach.response is StudyResponse.EXCLUDE and breach.position is None and breach.rule != without
    }


def excluded_trials(broken: Sequence[Breach], without: str = "") -> set[tuple[str, int]]:
    """The single trials that are excluded: session and position."""
    return {
        (breach.session, breach.position)
        for breach in broken
        if breach.response is StudyResponse.EXCLUDE and breach.position is not None and breach.rule != without
    }


@dataclass(frozen=True)
class _Context:
    study: Study
    sessions: tuple[SessionRecord, ...]
    pilot_medians_ms: Mapping[str, float]
    by_hand: tuple[ByHand, ...]
    _answers: dict[tuple[str, int], set[tuple[str, str]]] = field(default_factory=dict)
    _ended: dict[str, list[TrialRecord]] = field(default_factory=dict)

    def ended(self, session: SessionRecord) -> list[TrialRecord]:
        """The trials of main items that have ended, and were shown."""
        if session.id not in self._ended:
            main = session.of_phase("main")
            self._ended[session.id] = [t for t in main if t.state.has_ended and t.state is not TrialState.SKIPPED]
        return self._ended[session.id]

    @cached_property
    def comparable_items(self) -> set[str]:
        """The main items whose right answers differ from person to person."""
        return {
            item.id
            for item in self.study.items()
            if item.kind is ItemKind.INSTANCE and not resolve(item.address)[0].has_one_answer
        }

    def long_answers(self, session: SessionRecord, characters: int) -> set[tuple[str, str]]:
        """The comparable items of a session with their last answers, as far as these are long."""
        key = (session.id, characters)
        if key not in self._answers:
            self._answers[key] = {
                (item, answer) for item, answer in _long_answers(session, characters) if item in self.comparable_items
            }
        return self._answers[key]


Found = Iterator[tuple[int | None, str, str]]
"""The position of a trial (None: the session as a whole), the value, the threshold."""


def _too_fast(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    for trial in context.ended(session):
        share = float(rule.value.get("share_of_pilot", 0)) * context.pilot_medians_ms.get(trial.item, 0.0)
        least = max(1000 * float(rule.value.get("least_s", 0)), share)
        if trial.active_ms < least:
            yield trial.position, f"{trial.active_ms / 1000:.1f} s", f"{least / 1000:.1f} s"


def _no_edits(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    for trial in context.ended(session):
        if trial.state in (TrialState.SUBMITTED, TrialState.TIMED_OUT) and not trial.edits:
            yield trial.position, "0 edits", "1 edit"


def _attention(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    asked = session.of_phase("attention")
    right = sum(bool(trial.as_expected) for trial in asked)
    least = min(int(rule.value.get("least", len(asked))), len(asked))
    if right < least:
        yield None, f"{right} of {len(asked)}", f"{least}"


def _left_window(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    seconds = rule.value.get("seconds")
    times = rule.value.get("times")
    for trial in context.ended(session):
        if seconds is not None and trial.away_ms > 1000 * float(seconds):
            yield trial.position, f"{trial.away_ms / 1000:.0f} s away", f"{seconds} s"
        elif times is not None and trial.away_count > int(times):
            yield trial.position, f"{trial.away_count} times away", f"{times} times"


def _covered(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    """An item that was covered for long although the study allows no pauses within items."""
    if context.study.limits.pauses.kind == "any":
        return
    seconds = float(rule.value.get("seconds", 60))
    for trial in context.ended(session):
        if trial.covered_ms > 1000 * seconds:
            yield trial.position, f"{trial.covered_ms / 1000:.0f} s covered", f"{seconds:g} s"


def _gap(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    seconds = float(rule.value.get("seconds", 600))
    resumes = int(rule.value.get("resumes", 3))
    for trial in context.ended(session):
        if trial.gap_ms > 1000 * seconds:
            yield trial.position, f"{trial.gap_ms / 1000:.0f} s", f"{seconds:.0f} s"
        elif trial.resumes > resumes:
            yield trial.position, f"{trial.resumes} resumes", f"{resumes}"


def _connection(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    """An item in a browser whose connection was lost for long, or slow."""
    seconds = float(rule.value.get("seconds", 120))
    slowest = int(rule.value.get("round_trip_ms", 250))
    for trial in context.ended(session):
        if trial.connection_ms > 1000 * seconds:
            yield trial.position, f"{trial.connection_ms / 1000:.0f} s lost", f"{seconds:g} s"
        elif trial.round_trips is not None and trial.round_trips.p95_ms > slowest:
            yield trial.position, f"{trial.round_trips.p95_ms} ms to the server and back", f"{slowest} ms"


def _incomplete(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    planned = session.of_phase("main")
    share = len(context.ended(session)) / len(planned) if planned else 0.0
    least = float(rule.value.get("share", 0.5))
    if share < least:
        yield None, f"{share:.0%} of the items", f"{least:.0%}"


def _comprehension(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    failed = [trial for trial in session.of_phase("comprehension") if trial.as_expected is False]
    if failed:
        yield None, f"{len(failed)} not understood", "0"


def _declared(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    permitted = _permitted(context.study.tools)
    for key, values in rule.value.items():
        given = None if key in permitted else session.covariates.get(key)
        if is_ruled_out(given, values):
            chosen = given if isinstance(given, list | tuple) else [given]
            yield None, f"{key} = {', '.join(map(_word, chosen))}", f"not {', '.join(map(_word, values))}"


def _permitted(tools: StudyTools) -> set[str]:
    """The questions whose answer excludes nobody, since the plan allows what they ask about."""
    return set() if tools.ai is Allowed.FORBIDDEN else {"used_ai"}


def is_ruled_out(given: Any, values: Sequence[Any]) -> bool:
    """Whether an answer to a question is among those that a rule excludes; "yes" and true are the same."""
    chosen = given if isinstance(given, list | tuple) else [given]
    ruled_out = {_word(value).casefold() for value in values}
    return given is not None and bool(ruled_out & {_word(value).casefold() for value in chosen})


def _identical(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    characters = int(rule.value.get("characters", 200))
    items = int(rule.value.get("items", 2))
    own = context.long_answers(session, characters)
    for earlier in context.sessions:
        if earlier is session:
            break
        shared = own & context.long_answers(earlier, characters)
        if len(shared) >= items:
            yield None, f"{len(shared)} answers as in {earlier.code}", f"{items}"


def _long_answers(session: SessionRecord, characters: int) -> set[tuple[str, str]]:
    given = [(trial.item, trial.submissions[-1].answer) for trial in session.of_phase("main") if trial.submissions]
    return {(item, answer) for item, answer in given if len(answer) > characters}


def _file(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    faults = [fault for fault in session.file_faults if fault not in _HARMLESS_FAULTS]
    for fault in (*faults, *inconsistencies(session)):
        yield None, fault, "none"


def _by_hand(session: SessionRecord, rule: Rule, context: _Context) -> Found:
    for decision in context.by_hand:
        if decision.session == session.id:
            yield decision.position, decision.reason.strip(), ""


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


_RULES: dict[str, Callable[[SessionRecord, Rule, _Context], Found]] = {
    "too_fast": _too_fast,
    "no_edits": _no_edits,
    "attention": _attention,
    "left_window": _left_window,
    "covered": _covered,
    "gap": _gap,
    "connection": _connection,
    "incomplete": _incomplete,
    "comprehension": _comprehension,
    "declared": _declared,
    "identical": _identical,
    "file": _file,
    "by_hand": _by_hand,
}
