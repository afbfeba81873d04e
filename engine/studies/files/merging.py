"""Merging results: what becomes of a session that comes from another machine.

Events are chained: each chunk's digest holds the one before, so two states of a session are compared by their digests
alone. Merging in any order and any number of times ends in the same state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.studies.files.canonical import digest as digest_of
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

_BEGIN = b"\0" * 32
_BAD_SIGNATURES = frozenset({"altered", "unsigned"})


class StudyMergeOutcome(StrEnum):
    """What becomes of a session."""

    NEW = "new"
    EXTENDED = "extended"
    ALREADY_THERE = "already there"
    OLDER = "older, nothing changed"
    CONFLICT = "conflict"
    WITHDRAWN = "withdrawn"
    REFUSED = "refused"


@dataclass(frozen=True)
class StudyDelivery:
    """A session as a results file brings it: its record, the digests of its chain, and the chained events."""

    session: SessionRecord
    chain: tuple[str, ...]
    chunks: tuple[bytes, ...] = ()


def chain_of(chunks: Iterable[bytes], before: bytes = _BEGIN) -> tuple[str, ...]:
    """The digest after each chunk of events, which goes on from the digest `before`."""
    digest = before
    digests = []
    for chunk in chunks:
        digest = hashlib.sha256(digest + chunk).digest()
        digests.append(digest.hex())
    return tuple(digests)


def content_digest(delivery: StudyDelivery) -> str:
    """What identifies a state of a session: its record and its chain, without what is wrong with the file."""
    record = delivery.session.model_dump(mode="json", exclude={"file_faults"})
    return digest_of({"record": record, "chain": list(delivery.chain)})


def settled(
    kept: Sequence[StudyDelivery], incoming: StudyDelivery
) -> tuple[tuple[StudyDelivery, ...], StudyMergeOutcome]:
    """The states of a session after another came, and what became of it; the first one stands.

    No state is the beginning of another. A file with a bad signature never takes the place of a good one. The result
    depends on which states came, not on their order.
    """
    same = [state for state in kept if content_digest(state) == content_digest(incoming)]
    if same:
        best = min((same[0], incoming), key=lambda state: (len(state.session.file_faults), state.session.file_faults))
        return _ranked([best if state is same[0] else state for state in kept]), StudyMergeOutcome.ALREADY_THERE
    if any(_supersedes(state, incoming) for state in kept):
        return tuple(kept), StudyMergeOutcome.OLDER
    rest = [state for state in kept if not _supersedes(incoming, state)]
    if not kept:
        outcome = StudyMergeOutcome.NEW
    else:
        outcome = StudyMergeOutcome.EXTENDED if len(rest) < len(kept) else StudyMergeOutcome.CONFLICT
    return _ranked([*rest, incoming]), outcome


def _supersedes(newer: StudyDelivery, older: StudyDelivery) -> bool:
    if _is_doubtful(newer) and not _is_doubtful(older):
        return False
    return len(newer.chain) > len(older.chain) and newer.chain[: len(older.chain)] == older.chain


def _is_doubtful(delivery: StudyDelivery) -> bool:
    return bool(_BAD_SIGNATURES & set(delivery.session.file_faults))


def _ranked(states: Sequence[StudyDelivery]) -> tuple[StudyDelivery, ...]:
    return tuple(sorted(states, key=lambda state: (_is_doubtful(state), content_digest(state))))


def duplicates(sessions: Iterable[SessionRecord], first_shown: Mapping[str, str]) -> set[str]:
    """The sessions that share a code with one that began earlier; `first_shown` holds the wall times by id."""
    first: dict[str, SessionRecord] = {}
    ordered = sorted(sessions, key=lambda session: (first_shown.get(session.id, "~"), session.id))
    return {session.id for session in ordered if first.setdefault(session.code, session).id != session.id}
