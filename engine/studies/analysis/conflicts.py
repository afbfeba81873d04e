"""States of one session of which none continues the other: what is known of each before outcomes are open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from spatial_workbench.engine.studies.files.merging import StudyDelivery, content_digest
from spatial_workbench.engine.studies.files.sealed_parts import without_outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, TrialRecord

_SIGNATURES = {
    "unsigned": "not signed",
    "altered": "signed, changed since",
}


@dataclass(frozen=True)
class StateArrival:
    """How a state came into the project."""

    file: str
    at: datetime


@dataclass(frozen=True)
class ConflictingState:
    """A state of a session, without anything that tells outcomes.

    Attributes:
        number: From 1, in the order in which the states came.
        digest: What identifies the state.
        stands: Whether it is the one that counts as things are.
        file: The results file that brought it; "" if that is not known.
        merged_at: When it came.
        machine: The site that its bundle names.
        began_at, ended_at: UTC, ISO 8601, as its file says.
        state: How far the person came.
        items_ended: How many items were ended, practice included.
        chunks: How many chunks of events its log has.
        signature: Whether its file is signed, and unchanged since.
        differs: Which parts differ from the first state.
    """

    number: int
    digest: str
    stands: bool
    file: str
    merged_at: datetime | None
    machine: str
    began_at: str
    ended_at: str
    state: str
    items_ended: int
    submissions: int
    active_ms: int
    chunks: int
    signature: str
    differs: tuple[str, ...]


def conflicting_states(
    states: Sequence[StudyDelivery], arrivals: Mapping[str, StateArrival]
) -> tuple[ConflictingState, ...]:
    """Describes the states of a session in the order in which they came.

    states: the one that stands first.
    arrivals: by the digests of states; a state that another version of the program merged has none, and comes first.
    """
    standing = states[0]
    came = sorted(states, key=lambda state: _order_of(state, arrivals))
    return tuple(
        _described(number, state, state is standing, arrivals.get(content_digest(state)), came[0])
        for number, state in enumerate(came, 1)
    )


def _order_of(state: StudyDelivery, arrivals: Mapping[str, StateArrival]) -> tuple[str, str]:
    digest = content_digest(state)
    arrival = arrivals.get(digest)
    return ("" if arrival is None else arrival.at.isoformat(), digest)


def _described(
    number: int, state: StudyDelivery, stands: bool, arrival: StateArrival | None, first: StudyDelivery
) -> ConflictingState:
    session = state.session
    return ConflictingState(
        number=number,
        digest=content_digest(state),
        stands=stands,
        file="" if arrival is None else arrival.file,
        merged_at=None if arrival is None else arrival.at,
        machine=session.site,
        began_at=session.began_at,
        ended_at=session.ended_at,
        state=session.state.value,
        items_ended=sum(trial.state.has_ended for trial in session.trials),
        submissions=sum(len(trial.submissions) for trial in session.trials),
        active_ms=sum(trial.active_ms for trial in session.trials),
        chunks=len(state.chain),
        signature=_signature(session),
        differs=() if state is first else tuple(_differences(first, state)),
    )


def _signature(session: SessionRecord) -> str:
    return next((words for fault, words in _SIGNATURES.items() if fault in session.file_faults), "signed, unchanged")


def _differences(first: StudyDelivery, other: StudyDelivery) -> Iterator[str]:
    """The parts in which two states differ, in words."""
    before = without_outcomes(first.session)
    after = without_outcomes(other.session)
    items = [item for item, is_same in _compared(before.trials, after.trials) if not is_same]
    if items:
        yield f"items {', '.join(items)}"
    if first.session.sealed != other.session.sealed:
        yield "sealed answers"
    if before.covariates != after.covariates or before.responses != after.responses:
        yield "questionnaires"
    if (before.consent, before.boxes) != (after.consent, after.boxes):
        yield "consent"
    if (before.state, before.ended_at) != (after.state, after.ended_at):
        yield "how it ended"
    if first.chain != other.chain:
        yield f"events after chunk {_shared(first.chain, other.chain)}"


def _compared(first: Sequence[TrialRecord], other: Sequence[TrialRecord]) -> Iterator[tuple[str, bool]]:
    """Each item of either state, and whether both have it in the same form."""
    before = {trial.item: trial for trial in first}
    after = {trial.item: trial for trial in other}
    for item in dict.fromkeys([*before, *after]):
        yield item, before.get(item) == after.get(item)


def _shared(first: Sequence[str], other: Sequence[str]) -> int:
    """How many chunks two chains have in common from their beginning."""
    return next((k for k, pair in enumerate(zip(first, other, strict=False)) if pair[0] != pair[1]), len(first))
