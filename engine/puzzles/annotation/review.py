"""Review of annotations: states, flags, two independent reviewers, decisions (docs/puzzles.md, "Review").

What happened to a puzzle is a log of events that are only ever added. Its state follows from them, so two machines'
logs are merged by putting their events together, and nothing is lost.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from spatial_workbench.engine.puzzles.puzzle import MetadataError, Puzzle, PuzzleStep, read_metadata, write_metadata
from spatial_workbench.engine.puzzles.statistics import cohens_kappa

AUDIT_SHARE = 0.05


class ReviewState(StrEnum):
    """How far the review of a puzzle is."""

    DRAFT = "draft"
    CHECKED = "checked"
    FLAGGED = "flagged"
    CLEAR = "clear"
    IN_REVIEW = "in_review"
    DISAGREEMENT = "disagreement"
    AUDIT = "audit"
    VERIFIED = "verified"

    @property
    def label(self) -> str:
        """The state for people."""
        return self.value.replace("_", " ")


class FlagKind(StrEnum):
    """What may be wrong with a step."""

    UNCLEAR = "unclear"
    JUMP = "jump"
    WRONG = "wrong"
    TYPO = "typo"
    FORMAT = "format"


class JudgedAnnotation(StrEnum):
    """What a reviewer decides, on a step or, taken together, on an annotation."""

    ACCEPT = "accept"
    CHANGE = "change"
    REJECT = "reject"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Flag(_Model):
    """A doubt about a step, or about the whole annotation (step 0)."""

    step: int = Field(ge=0)
    kind: FlagKind
    reason: str


class StepDecision(_Model):
    """What a reviewer decides on a step; an edited step has a new text, a rejected one a reason."""

    judged: JudgedAnnotation
    text: str = ""
    reason: str = ""


class PuzzleDecision(_Model):
    """A reviewer's finished decision on an annotation. A value of None leaves the author's."""

    steps: tuple[StepDecision, ...]
    solution: str | None = None
    modality: tuple[str, ...] | None = None
    skills: tuple[str, ...] | None = None
    difficulty: str | None = None

    @property
    def judged(self) -> JudgedAnnotation:
        """The decision on the annotation as a whole."""
        kinds = {step.judged for step in self.steps}
        if JudgedAnnotation.REJECT in kinds:
            return JudgedAnnotation.REJECT
        tags = (self.solution, self.modality, self.skills, self.difficulty)
        return (
            JudgedAnnotation.CHANGE
            if JudgedAnnotation.CHANGE in kinds or any(tag is not None for tag in tags)
            else JudgedAnnotation.ACCEPT
        )


def _as_utc(at: datetime) -> datetime:
    """A time in UTC; without a zone it is taken as UTC."""
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise ValueError("the time is out of range") from None


Moment = Annotated[datetime, AfterValidator(_as_utc)]


class _Event(_Model):
    """Something that happened to a puzzle."""

    id: str = Field(default_factory=lambda: uuid.uuid4().hex, min_length=1, max_length=100)
    folder: str = Field(max_length=200)
    version: str = Field(max_length=100, description="Hash of the puzzle's files at the time")
    at: Moment = Field(default_factory=lambda: datetime.now(UTC))
    person: str = Field(max_length=200, description="Who did it; a model's name for a model")


class Checked(_Event):
    """The author sent the annotation to review; it has no errors."""

    kind: Literal["checked"] = "checked"
    metadata: str = Field(description="The text of metadata.json as it was sent")


class Flagged(_Event):
    """A model or a person went through the steps. No flags: nothing to object to."""

    kind: Literal["flagged"] = "flagged"
    by_model: bool
    flags: tuple[Flag, ...]


class Unreadable(_Event):
    """A model's flags could not be read; it has to be asked again."""

    kind: Literal["unreadable"] = "unreadable"
    answer: str


class Assigned(_Event):
    """Two reviewers were assigned."""

    kind: Literal["assigned"] = "assigned"
    reviewers: tuple[str, str]


class Decided(_Event):
    """A reviewer has finished."""

    kind: Literal["decided"] = "decided"
    decision: PuzzleDecision


class Resolved(_Event):
    """A disagreement was settled; the metadata is what counts from then on."""

    kind: Literal["resolved"] = "resolved"
    metadata: str
    choices: tuple[str, ...] = Field(default=(), description="For each difference: A, B, original or a new text")


class Drawn(_Event):
    """The puzzle was drawn for the audit."""

    kind: Literal["drawn"] = "drawn"
    seed: int


class Audited(_Event):
    """The outcome of the audit."""

    kind: Literal["audited"] = "audited"
    correct: bool
    note: str = ""


class Reopened(_Event):
    """The annotation went back to its author."""

    kind: Literal["reopened"] = "reopened"
    reason: str = ""


Event = Annotated[
    Checked | Flagged | Unreadable | Assigned | Decided | Resolved | Drawn | Audited | Reopened,
    Field(discriminator="kind"),
]
EVENTS: TypeAdapter[Event] = TypeAdapter(Event)


class ReviewError(ValueError):
    """An event that the state of a review does not allow; says why."""


@dataclass(frozen=True)
class Review:
    """A puzzle's review as its events tell it.

    Attributes:
        original: The metadata that was sent to review.
        result: The metadata that the review ended with; None before that.
    """

    folder: str
    state: ReviewState = ReviewState.DRAFT
    version: str = ""
    author: str = ""
    original: str = ""
    flags: tuple[Flag, ...] = ()
    flagged_by_model: bool | None = None
    has_unreadable_flags: bool = False
    reviewers: tuple[str, ...] = ()
    decisions: Mapping[str, PuzzleDecision] = field(default_factory=dict)
    result: str | None = None
    was_flagged: bool = False
    audit_correct: bool | None = None
    settled_from: ReviewState | None = None

    @property
    def is_changed(self) -> bool:
        """Whether the review changed the annotation."""
        return self.result is not None and _puzzle(self.result) != _puzzle(self.original)


def ordered(events: Iterable[Event]) -> list[Event]:
    """Events, each once, in the order in which they happened."""
    by_id = {event.id: event for event in events}
    return sorted(by_id.values(), key=lambda event: (event.at, event.id))


def reviews_of(events: Iterable[Event]) -> dict[str, Review]:
    """The review of each folder that occurs in the events."""
    reviews: dict[str, Review] = {}
    for event in ordered(events):
        before = reviews.get(event.folder, Review(event.folder))
        try:
            reviews[event.folder] = after(before, event)
        except ReviewError:
            # Two machines may have gone different ways; the first one counts, and both stay in the log.
            reviews.setdefault(event.folder, before)
    return reviews


def after(review: Review, event: Event) -> Review:
    """The review after an event.

    Raises:
        ReviewError: The review's state does not allow it.
    """
    match event:
        case Checked():
            _require(review, event, ReviewState.DRAFT)
            _require_metadata(event.metadata)
            return Review(event.folder, ReviewState.CHECKED, event.version, event.person, event.metadata)
        case Reopened():
            return Review(event.folder, author=review.author)
        case Flagged():
            return _after_flags(review, event)
        case Unreadable():
            _require(review, event, ReviewState.CHECKED)
            return replace(review, has_unreadable_flags=True)
        case Assigned():
            return _after_assignment(review, event)
        case Decided():
            return _after_decision(review, event)
        case Resolved():
            _require(review, event, ReviewState.DISAGREEMENT, ReviewState.CLEAR)
            _require_metadata(event.metadata)
            return _verified(review, event.metadata)
        case Drawn():
            _require(review, event, ReviewState.CLEAR, ReviewState.VERIFIED)
            return replace(review, state=ReviewState.AUDIT, settled_from=review.state)
        case Audited():
            _require(review, event, ReviewState.AUDIT)
            audited = replace(review, audit_correct=event.correct)
            if event.correct:
                return replace(_verified(audited, review.result or review.original), audit_correct=True)
            flag = Flag(step=0, kind=FlagKind.WRONG, reason=event.note)
            return replace(
                audited, state=ReviewState.FLAGGED, flags=(*review.flags, flag), was_flagged=True, decisions={}
            )


def _after_flags(review: Review, event: Flagged) -> Review:
    if event.by_model:
        _require(review, event, ReviewState.CHECKED)
    else:
        _require(review, event, ReviewState.CHECKED, ReviewState.CLEAR, ReviewState.FLAGGED)
    flags = (*review.flags, *event.flags)
    return replace(
        review,
        state=ReviewState.FLAGGED if flags else ReviewState.CLEAR,
        flags=flags,
        flagged_by_model=bool(event.flags) if event.by_model else review.flagged_by_model,
        was_flagged=bool(flags),
        has_unreadable_flags=False,
    )


def _after_assignment(review: Review, event: Assigned) -> Review:
    _require(review, event, ReviewState.FLAGGED)
    first, second = event.reviewers
    if first == second:
        raise ReviewError("Two different reviewers are needed")
    if review.author in event.reviewers:
        raise ReviewError(f"{review.author} is the author and cannot review this puzzle")
    return replace(review, state=ReviewState.IN_REVIEW, reviewers=event.reviewers, decisions={})


def _after_decision(review: Review, event: Decided) -> Review:
    _require(review, event, ReviewState.IN_REVIEW)
    if event.person not in review.reviewers:
        raise ReviewError(f"{event.person} is not a reviewer of this puzzle")
    if event.person in review.decisions:
        raise ReviewError(f"{event.person} has decided already")
    if len(event.decision.steps) != len(_puzzle(review.original).reasoning):
        raise ReviewError("The decision does not have one entry for each step")
    decided = replace(review, decisions={**review.decisions, event.person: event.decision})
    if len(decided.decisions) < 2:
        return decided
    first, second = (decision_applied(_puzzle(review.original), d) for d in decided.decisions.values())
    if first is None or first != second:
        return replace(decided, state=ReviewState.DISAGREEMENT)
    return _verified(decided, write_metadata(first))


def _verified(review: Review, metadata: str) -> Review:
    return replace(review, state=ReviewState.VERIFIED, result=metadata, settled_from=None)


def decision_applied(puzzle: Puzzle, decision: PuzzleDecision) -> Puzzle | None:
    """The annotation as a reviewer wants it; None if a step is rejected."""
    if decision.judged is JudgedAnnotation.REJECT:
        return None
    steps = tuple(_decided(step, judged) for step, judged in zip(puzzle.reasoning, decision.steps, strict=True))
    values = decision.model_dump(exclude={"steps"}, exclude_none=True)
    return replace(puzzle, reasoning=steps, **values)


def _decided(step: PuzzleStep, decision: StepDecision) -> PuzzleStep:
    return replace(step, explanation=decision.text) if decision.judged is JudgedAnnotation.CHANGE else step


def _puzzle(metadata: str) -> Puzzle:
    return read_metadata(metadata).puzzle


def _require(review: Review, event: Event, *states: ReviewState) -> None:
    if review.state not in states:
        allowed = " or ".join(state.label for state in states)
        raise ReviewError(f"{review.folder} is {review.state.label}; “{event.kind}” needs it to be {allowed}")
    if not isinstance(event, Checked) and event.version != review.version:
        raise ReviewError(f"{review.folder} has changed since it was sent to review; send it again")


def _require_metadata(text: str) -> None:
    """A log may come from anywhere, with metadata that nobody could have sent."""
    try:
        read_metadata(text)
    except MetadataError as error:
        raise ReviewError(str(error)) from None


def audit_sample(reviews: Iterable[Review], seed: int) -> list[str]:
    """The folders drawn for the audit: 5 % of those that are clear or verified, at least one if there are any."""
    settled = (ReviewState.CLEAR, ReviewState.VERIFIED)
    folders = sorted(review.folder for review in reviews if review.state in settled and review.audit_correct is None)
    if not folders:
        return []
    return sorted(random.Random(seed).sample(folders, max(1, round(AUDIT_SHARE * len(folders)))))


@dataclass(frozen=True)
class ReviewStatistics:
    """Figures of the review of a set; shares are None where there is nothing to share."""

    reviewed: int
    flagged: float | None
    changed: float | None
    audit_correct: float | None
    agreement: float | None
    kappa: float | None
    pairs: int


def review_statistics(reviews: Iterable[Review]) -> ReviewStatistics:
    """How many annotations were flagged and changed, how the audit went, and how far reviewers agreed."""
    sent = [review for review in reviews if review.state is not ReviewState.DRAFT]
    passed_model = [review for review in sent if review.state is not ReviewState.CHECKED]
    settled = [review for review in sent if review.result is not None]
    audited = [review.audit_correct for review in sent if review.audit_correct is not None]
    pairs = [_pair(review) for review in sent if len(review.decisions) == 2]
    return ReviewStatistics(
        reviewed=len(sent),
        flagged=_share([review.was_flagged for review in passed_model]),
        changed=_share([review.is_changed for review in settled]),
        audit_correct=_share(audited),
        agreement=_share([first == second for first, second in pairs]),
        kappa=cohens_kappa(pairs),
        pairs=len(pairs),
    )


def _pair(review: Review) -> tuple[JudgedAnnotation, JudgedAnnotation]:
    # In the order of assignment: kappa tells the two raters apart, and the order of their decisions is chance.
    first, second = (review.decisions[person].judged for person in review.reviewers)
    return first, second


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
