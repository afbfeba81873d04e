"""Outcomes: all that a project knows of a study, as its report, its exports and Results read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import Study
from spatial_workbench.engine.studies.planning.freezing import Frozen
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

SubmissionKey: TypeAlias = tuple[str, int, int]
"""A session's id, the trial's position, and the submission's number."""


class StudyState(StrEnum):
    """How far a study is."""

    DRAFT = "draft"
    PILOT = "pilot"
    FROZEN = "frozen"
    CLOSED = "closed"
    UNSEALED = "unsealed"


@dataclass(frozen=True)
class StudyJudged:
    """What the verifiers say of a submission.

    Attributes:
        score: By the default verifier, 0 to 1.
        published: The score by the published rules, where they differ from the default ones.
        attempt: Number of the attempt that was made of it.
        how_read: How the answer was read (`core.reading.how_read.HowRead`); None: it is not known.
    """

    score: float
    passed: bool
    is_readable: bool = True
    published: float | None = None
    attempt: int | None = None
    version: str = ""
    how_read: str | None = None


@dataclass(frozen=True)
class PostHoc:
    """An exclusion that was decided after the list was fixed, of a session or of a trial."""

    session: str
    reason: str
    at: str
    position: int | None = None


@dataclass(frozen=True)
class StudyLook:
    """Somebody saw outcomes; at is UTC, ISO 8601."""

    at: str
    reason: str = ""
    is_before_exclusions: bool = False


@dataclass(frozen=True)
class StudyAmendment:
    """A later version of a study."""

    hash: str
    parent: str
    reason: str
    at: str
    comparable: str = ""
    """Why the versions can be pooled, in a sentence; empty: they are not."""


@dataclass(frozen=True)
class Registration:
    """Where the plan was registered, and when (ISO 8601)."""

    link: str = ""
    at: str = ""


@dataclass(frozen=True)
class Counts:
    """How many people the study had: slots planned, sessions started, and those lost before the rules."""

    planned: int = 0
    started: int = 0
    ineligible: int = 0
    withdrew: int = 0


@dataclass(frozen=True)
class ChecklistAnswer:
    """An answer to a point of the checklist: the leader's own, or in place of the software's, with a reason."""

    value: str
    reason: str = ""


@dataclass(frozen=True)
class Outcomes:
    """A study with its sessions and, once they are unsealed, its outcomes.

    Attributes:
        sessions: Those of the main phase, excluded ones too; withdrawn ones are gone.
        breaches: What the rules found; fixed when collection was closed.
        breaches_hash: The hash of that list; empty before.
        judged: By submission; empty until outcomes are unsealed.
        pilot_sessions: How many people took part in a pilot.
        checklist: The leader's answers by the numbers of their points.
        notes: The leader's notes, as they were written.
        disagreements: Verdicts in results files that differ from those of the record, each as a sentence.
        is_encrypted: Whether answers were encrypted until outcomes were opened; those of older studies were not.
        is_rehearsal: Whether the sessions are those of simulated people; such a study is not a baseline.
    """

    study: Study
    state: StudyState
    frozen: Frozen | None = None
    sessions: tuple[SessionRecord, ...] = ()
    breaches: tuple[Breach, ...] = ()
    breaches_hash: str = ""
    judged: Mapping[SubmissionKey, StudyJudged] = field(default_factory=dict)
    post_hoc: tuple[PostHoc, ...] = ()
    looks: tuple[StudyLook, ...] = ()
    amendments: tuple[StudyAmendment, ...] = ()
    registration: Registration = Registration()
    counts: Counts = Counts()
    pilot_sessions: int = 0
    checklist: Mapping[str, ChecklistAnswer] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()
    is_rehearsal: bool = False
    is_encrypted: bool = True
