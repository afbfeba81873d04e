"""The records of what a project stores about studies, as the rest of the workbench sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from spatial_workbench.engine.studies.analysis.conflicts import ConflictingState
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS
from spatial_workbench.engine.studies.files.merging import StudyMergeOutcome
from spatial_workbench.engine.studies.planning.document import Study
from spatial_workbench.engine.studies.planning.freezing import Frozen
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.schema import Accommodations

Phase = Literal["main", "pilot", "rehearsal"]


class StudyError(ValueError):
    """Something cannot be done with a study in its present state; the message says why."""


EDITABLE = (StudyState.DRAFT, StudyState.PILOT)
"""The states in which the document may still be changed."""
COLLECTING = (*EDITABLE, StudyState.FROZEN)


def require(holds: bool, sentence: str) -> None:
    """Raises StudyError with this sentence unless something holds."""
    if not holds:
        raise StudyError(sentence)


class VersionKind(StrEnum):
    """What a stored version is for."""

    PILOT = "pilot"
    MAIN = "main"


class ExclusionKind(StrEnum):
    """Where an entry in the list of exclusions comes from."""

    FIXED = "fixed"
    LATE = "late"
    AT_OPENING = "at opening"
    BY_HAND = "by hand"
    POST_HOC = "post-hoc"


class LookKind(StrEnum):
    """The occasion on which somebody saw outcomes."""

    UNSEALED = "unsealed"
    BEFORE_EXCLUSIONS = "before exclusions"


class NoteKind(StrEnum):
    """What an entry in a study's log is about."""

    NOTE = "note"
    STATE = "state"
    BUNDLE = "bundle"
    CONFLICT = "conflict"
    REPLACED = "replaced"
    ACCOMMODATION = "accommodation"
    VERIFIER = "verifier"
    PURGED = "purged"


@dataclass(frozen=True)
class StudyRow:
    """What a list shows of a study.

    Attributes:
        hash: Of the newest frozen version; while there is none, of the current document.
        version: Number of the newest frozen version; 0 while there is none.
        sessions: How many were merged, in all phases.
    """

    id: str
    name: str
    state: StudyState
    hash: str
    version: int
    slots: int
    sessions: int
    created_at: datetime
    delete_after: str

    @property
    def short_hash(self) -> str:
        """As much of the hash as people see."""
        return self.hash[:SHOWN_CHARS]

    @property
    def is_editable(self) -> bool:
        """Whether its document can still be changed."""
        return self.state in EDITABLE


@dataclass(frozen=True)
class StudyVersion:
    """A version of a study, as it was frozen or as participants of the pilot got it.

    Attributes:
        number: From 1; a pilot version has the number of the version that it leads to.
        parent: Hash of the version that it amends; "" for the first.
        comparable: Why its sessions may be pooled with the parent's; "" if they may not.
        frozen: Places and materials.
        checklist: The checklist answers given when it was frozen, by number.
    """

    hash: str
    study: Study
    kind: VersionKind
    number: int
    parent: str
    reason: str
    comparable: str
    frozen: Frozen
    checklist: Mapping[str, str]
    at: datetime


@dataclass(frozen=True)
class DeletedDraft:
    """A draft that was deleted, with all that was stored of it, by table."""

    id: str
    name: str
    rows: Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class StoredSlot:
    """A planned place as it is dealt.

    Attributes:
        replaces: Code of the place that this reserve replaces; "" if none.
        bundles: The bundles that hold it.
    """

    slot: Slot
    accommodations: Accommodations
    replaces: str = ""
    bundles: tuple[str, ...] = ()


@dataclass(frozen=True)
class BundleRow:
    """A bundle that was written; its key is the project's."""

    id: str
    hash: str
    phase: Phase
    site: str
    codes: tuple[str, ...]
    file: str
    digest: str
    at: datetime


@dataclass(frozen=True)
class Merged:
    """The outcome of merging a file, or a session in it."""

    file: str
    outcome: StudyMergeOutcome
    code: str = ""
    session: str = ""
    message: str = ""

    @property
    def words(self) -> str:
        """The outcome in a line."""
        about = f" ({self.code})" if self.code else ""
        return f"{self.file}{about}: {self.outcome}" + (f" – {self.message}" if self.message else "")


@dataclass(frozen=True)
class MergeRow:
    """An entry in the log of merges."""

    file: str
    digest: str
    session: str
    code: str
    outcome: StudyMergeOutcome
    message: str
    at: datetime


@dataclass(frozen=True)
class Conflict:
    """A session that arrived in states of which none continues the other.

    Attributes:
        states: In the order in which they arrived.
        is_settled: Whether the leader chose one of them, or one that they continue.
    """

    session: str
    code: str
    states: tuple[ConflictingState, ...]
    is_settled: bool = False


@dataclass(frozen=True)
class StudyNote:
    """An entry in a study's log."""

    kind: NoteKind
    at: datetime
    text: str
    code: str = ""


@dataclass(frozen=True)
class Tombstone:
    """A code whose data were deleted because the person withdrew, and are never merged again."""

    hash: str
    phase: Phase
    code: str
    at: datetime


@dataclass(frozen=True)
class Withdrawal:
    """What a withdrawal deleted, and what it could not reach.

    Attributes:
        sessions: How many sessions were deleted.
        attempts: How many attempts made of them were deleted.
        elsewhere: Files that still hold the data: exports and results files, with the beginning of their digests.
        is_journal_clear: False if another program keeps the project open, so that its journal may still hold the data.
    """

    code: str
    sessions: int
    attempts: int
    elsewhere: tuple[str, ...]
    is_journal_clear: bool


@dataclass(frozen=True)
class ToJudge:
    """A submission of a main item that has no attempt yet.

    Attributes:
        sketches: What was drawn over the pages of the item (JSON), by page.
    """

    session: str
    code: str
    phase: Phase
    position: int
    submission: int
    address: str
    answer: str
    active_ms: int
    sketches: Mapping[str, str]


@dataclass(frozen=True)
class StudyOfAttempt:
    """Where in a study an attempt comes from."""

    study: str
    session: str
    code: str
    condition: str
    phase: Phase
    item: str
    position: int
    submission: int
    counts: bool
