"""Review of annotations: states, flags, two independent reviewers, decisions (docs/puzzles.md, "Review").

What happened to a puzzle is a log of events that are only ever added. Its state follows from them, so two machines'
logs are merged by putting their events together, and nothing is lost.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from spatial_workbench.engine.puzzles.annotation.adjudicating import (
    AdjudicationError,
    StepSource,
    ThirdStep,
    third_annotation,
    third_figures,
)
from spatial_workbench.engine.puzzles.annotation.decisions import (
    DECIDED_FIELDS,
    JudgedAnnotation,
    PuzzleDecision,
    decision_applied,
)
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice, SettlingError, settled
from spatial_workbench.engine.puzzles.puzzle import MetadataError, Puzzle, read_metadata, write_metadata
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
    RETURNED = "returned"
    TWO_ANNOTATORS = "two_annotators"
    ADJUDICATION = "adjudication"

    @property
    def label(self) -> str:
        """The state for people: the same word on all pages, and in the names of queues."""
        return "disputed" if self is ReviewState.DISAGREEMENT else self.value.replace("_", " ")


ASSIGNABLE = (ReviewState.CHECKED, ReviewState.FLAGGED, ReviewState.CLEAR, ReviewState.IN_REVIEW)
"""The states in which reviewers can be assigned; in review, while nobody has decided."""
DOUBLE_STATES = (ReviewState.TWO_ANNOTATORS, ReviewState.ADJUDICATION)
"""The states of a puzzle that two people annotate independently."""
DOUBLED_FROM = (ReviewState.DRAFT, ReviewState.RETURNED, ReviewState.TWO_ANNOTATORS)
"""The states in which two people can be asked to annotate a puzzle."""
UNSENT = (ReviewState.DRAFT, ReviewState.RETURNED, *DOUBLE_STATES)
"""The states before a puzzle is sent to review."""


class FlagKind(StrEnum):
    """What may be wrong with a step."""

    UNCLEAR = "unclear"
    JUMP = "jump"
    WRONG = "wrong"
    TYPO = "typo"
    FORMAT = "format"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Flag(_Model):
    """A doubt about a step, or about the whole annotation (step 0)."""

    step: int = Field(ge=0)
    kind: FlagKind
    reason: str


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
    layers: dict[str, str] = Field(default_factory=dict, description="The sketches of its figures, by file name")


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
    """Two reviewers were assigned, or others in their place before anybody decided."""

    kind: Literal["assigned"] = "assigned"
    reviewers: tuple[str, str]
    due: date | None = None
    needs_flag: bool = Field(default=True, description="In logs of old versions, only flagged puzzles were assigned")


class Decided(_Event):
    """A reviewer has finished."""

    kind: Literal["decided"] = "decided"
    decision: PuzzleDecision


class Resolved(_Event):
    """A clear annotation was verified as it is. In logs of old versions, also a disagreement was settled so.

    The metadata is what counts from then on.
    """

    kind: Literal["resolved"] = "resolved"
    metadata: str
    choices: tuple[str, ...] = Field(default=(), description="For each difference: A, B, original or a new text")


class Settled(_Event):
    """A choice for each difference of two reviewers; the annotation follows from the choices and the decisions.

    A third person settles alone. One of the reviewers proposes; the disagreement is settled once both propose the same.
    """

    kind: Literal["settled"] = "settled"
    choices: tuple[SettledChoice, ...]


class Drawn(_Event):
    """The puzzle was drawn for the audit."""

    kind: Literal["drawn"] = "drawn"
    seed: int


class Audited(_Event):
    """The outcome of the audit."""

    kind: Literal["audited"] = "audited"
    correct: bool
    note: str = ""


class Commented(_Event):
    """Somebody commented on a step, or on the whole puzzle (step 0), or replied to another comment."""

    kind: Literal["commented"] = "commented"
    text: str = Field(min_length=1, max_length=10_000)
    step: int = Field(default=0, ge=0)
    reply_to: str = Field(default="", max_length=100, description="The id of the comment that this one answers")


class Doubled(_Event):
    """Two people were asked to annotate the puzzle on their own, or others in place of those who have not yet."""

    kind: Literal["doubled"] = "doubled"
    annotators: tuple[str, str]
    adjudicator: str = Field(default="", max_length=200, description="Who makes the third; empty: anybody else")
    due: date | None = None


class OwnAnnotation(_Event):
    """Somebody annotated the puzzle on their own; until both are there, their newest annotation counts."""

    kind: Literal["annotated"] = "annotated"
    metadata: str = Field(description="The text of metadata.json as this person wrote it")
    layers: dict[str, str] = Field(default_factory=dict, description="The sketches of its figures, by file name")


class Adjudicated(_Event):
    """A third annotation was made from two independent ones, and sent to review."""

    kind: Literal["adjudicated"] = "adjudicated"
    annotators: tuple[str, str] = Field(description="A and B")
    steps: tuple[ThirdStep, ...]
    solution: str
    difficulty: str
    modality: tuple[str, ...]
    skills: tuple[str, ...]
    written: str = Field(default="", max_length=100, description="The version of the puzzle with this annotation")


class Returned(_Event):
    """The annotation went back to its author, with what is to be changed."""

    kind: Literal["returned"] = "returned"
    wanted: str = Field(min_length=1, max_length=10_000)


class Reopened(_Event):
    """The annotation went back to its author."""

    kind: Literal["reopened"] = "reopened"
    reason: str = ""


Event = Annotated[
    Checked
    | Flagged
    | Unreadable
    | Assigned
    | Decided
    | Resolved
    | Settled
    | Drawn
    | Audited
    | Commented
    | Doubled
    | OwnAnnotation
    | Adjudicated
    | Returned
    | Reopened,
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
        proposals: How each of the reviewers would settle their disagreement: metadata by name.
        settled_by: Who settled a disagreement: a third person, or both reviewers together.
        kept_rejected: Steps that a reviewer rejected and that are in the result, although nobody decided so. Only
            logs of old versions have them.
        due: The day by which the reviewers should have decided.
        wanted, wanted_by: What its author was asked to change when the annotation last went back, and by whom.
        comments: All comments, the oldest first.
        annotations: What people wrote on their own, without seeing each other's: metadata by name.
        annotators: The two who were asked to annotate the puzzle independently.
        adjudicator: Who is to make the third annotation; empty: anybody but the two.
        own_layers: The sketches of the figures of these annotations, by name and by file name.
        adjudicated: How the third annotation was made from two.
        base: The version of the puzzle before the third annotation was written.
        layers: The sketches of the figures of the original, by file name.
        earlier: What was under review, or was its result, before the puzzle went back to its author: metadata.
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
    proposals: Mapping[str, str] = field(default_factory=dict)
    settled_by: tuple[str, ...] = ()
    kept_rejected: tuple[int, ...] = ()
    due: date | None = None
    wanted: str = ""
    wanted_by: str = ""
    comments: tuple[Commented, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    annotators: tuple[str, ...] = ()
    adjudicator: str = ""
    own_layers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    adjudicated: Adjudicated | None = None
    base: str = ""
    layers: Mapping[str, str] = field(default_factory=dict)
    earlier: tuple[str, ...] = ()

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two people whose independent annotations are compared; None before both are there."""
        two = self.annotators or tuple(sorted(self.annotations)[:2])
        return (two[0], two[1]) if len(two) == 2 and all(name in self.annotations for name in two) else None

    @property
    def is_changed(self) -> bool:
        """Whether the review changed the annotation."""
        return self.result is not None and _puzzle(self.result) != _puzzle(self.original)

    @property
    def is_settled_by_a_party(self) -> bool:
        """Whether one of the two who differed settled it alone, as old versions allowed."""
        return len(self.settled_by) == 1 and self.settled_by[0] in self.reviewers


def ordered(events: Iterable[Event]) -> list[Event]:
    """Events, each once, in the order in which they happened."""
    by_id = {event.id: event for event in events}
    return sorted(by_id.values(), key=lambda event: (event.at, event.id))


def reviews_of(events: Iterable[Event]) -> dict[str, Review]:
    """The review of each folder that occurs in the events."""
    return _replayed(events)[0]


def conflicts_of(events: Iterable[Event]) -> list[tuple[Event, str]]:
    """The events that do not count, since two machines went different ways, each with the reason."""
    return _replayed(events)[1]


def _replayed(events: Iterable[Event]) -> tuple[dict[str, Review], list[tuple[Event, str]]]:
    reviews: dict[str, Review] = {}
    conflicts: list[tuple[Event, str]] = []
    for event in ordered(events):
        before = reviews.get(event.folder, Review(event.folder))
        try:
            reviews[event.folder] = after(before, event)
        except ReviewError as error:
            # Two machines may have gone different ways; the first one counts, and both stay in the log.
            reviews.setdefault(event.folder, before)
            conflicts.append((event, str(error)))
    return reviews, conflicts


def after(review: Review, event: Event) -> Review:
    """The review after an event.

    Raises:
        ReviewError: The review's state does not allow it.
    """
    match event:
        case Checked():
            _require(review, event, ReviewState.DRAFT, ReviewState.RETURNED)
            _require_metadata(event.metadata)
            sent = Review(event.folder, ReviewState.CHECKED, event.version, event.person, event.metadata)
            return replace(
                _with_what_stays(sent, review), wanted=review.wanted, wanted_by=review.wanted_by, layers=event.layers
            )
        case Reopened():
            return _with_what_stays(Review(event.folder, author=review.author), review)
        case Returned():
            _require(review, event, *(state for state in ReviewState if state not in UNSENT))
            back = Review(event.folder, ReviewState.RETURNED, event.version, review.author, review.original)
            asked = replace(back, wanted=event.wanted, wanted_by=event.person, layers=review.layers)
            return _with_what_stays(asked, review)
        case Commented():
            return replace(review, comments=(*review.comments, event))
        case Doubled():
            return _after_doubling(review, event)
        case OwnAnnotation():
            return _after_own_annotation(review, event)
        case Adjudicated():
            return _after_adjudication(review, event)
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
            return _after_resolution(review, event)
        case Settled():
            return _after_settlement(review, event)
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


def _with_what_stays(review: Review, before: Review) -> Review:
    """A review that begins anew: comments and independent annotations stay, and what was under review is known."""
    earlier = filter(None, (*before.earlier, before.original, before.result))
    return replace(
        review,
        comments=before.comments,
        annotations=before.annotations,
        annotators=before.annotators,
        own_layers=before.own_layers,
        adjudicated=before.adjudicated,
        earlier=tuple(dict.fromkeys(earlier)),
    )


def _after_doubling(review: Review, event: Doubled) -> Review:
    if review.state not in DOUBLED_FROM:
        raise ReviewError(
            f"{review.folder} is {review.state.label}; only drafts can be given to two annotators: send it back first"
        )
    first, second = event.annotators
    if first == second:
        raise ReviewError("Two different annotators are needed")
    if event.adjudicator in event.annotators:
        raise ReviewError(f"{event.adjudicator} is one of the two and cannot make the third annotation")
    asked = replace(
        review,
        state=ReviewState.TWO_ANNOTATORS,
        version=event.version,
        annotators=event.annotators,
        adjudicator=event.adjudicator,
        due=event.due,
    )
    return _with_state_of_two(asked)


def _after_own_annotation(review: Review, event: OwnAnnotation) -> Review:
    _require_metadata(event.metadata)
    if review.state in DOUBLE_STATES and event.person not in review.annotators:
        raise ReviewError(f"{event.person} was not asked to annotate {review.folder}")
    if review.annotators and review.pair is not None:
        raise ReviewError(f"Both annotations of {review.folder} are there already; they stay as they are")
    return _with_state_of_two(
        replace(
            review,
            annotations={**review.annotations, event.person: event.metadata},
            own_layers={**review.own_layers, event.person: event.layers},
        )
    )


def _with_state_of_two(review: Review) -> Review:
    is_complete = review.state is ReviewState.TWO_ANNOTATORS and review.pair is not None
    return replace(review, state=ReviewState.ADJUDICATION) if is_complete else review


def _after_adjudication(review: Review, event: Adjudicated) -> Review:
    if review.state not in (ReviewState.DRAFT, ReviewState.ADJUDICATION) or review.pair != event.annotators:
        raise ReviewError(f"{review.folder} is {review.state.label}; it does not wait for a third annotation")
    if event.person in event.annotators:
        raise ReviewError(f"{event.person} is one of the two annotators; a third person makes the third annotation")
    if review.adjudicator and event.person != review.adjudicator:
        raise ReviewError(f"{review.adjudicator} was asked to make the third annotation of {review.folder}")
    first, second = (_puzzle(review.annotations[name]) for name in event.annotators)
    values = {name: getattr(event, name) for name in DECIDED_FIELDS}
    try:
        third = third_annotation(first, second, event.steps, values)
    except AdjudicationError as error:
        raise ReviewError(str(error)) from None
    layers = _layers_of(review, event, third_figures(first, second, event.steps))
    # A figure without a sketch has stayed where it was made.
    steps = (replace(step, figure=step.figure if step.figure in layers else None) for step in third.reasoning)
    third = replace(third, reasoning=tuple(steps))
    version = event.written or event.version
    made = Review(event.folder, ReviewState.CHECKED, version, event.person, write_metadata(third))
    return replace(_with_what_stays(made, review), adjudicated=event, base=event.version, layers=layers)


def _layers_of(review: Review, event: Adjudicated, figures: Mapping[str, tuple[StepSource, str]]) -> dict[str, str]:
    people = dict(zip((StepSource.FIRST, StepSource.SECOND), event.annotators, strict=True))
    found = {name: review.own_layers.get(people[who], {}).get(own) for name, (who, own) in figures.items()}
    return {name: layer for name, layer in found.items() if layer is not None}


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
    _require(review, event, *((ReviewState.FLAGGED,) if event.needs_flag else ASSIGNABLE))
    if review.decisions and review.state is ReviewState.IN_REVIEW:
        raise ReviewError(f"{next(iter(review.decisions))} has decided already")
    first, second = event.reviewers
    if first == second:
        raise ReviewError("Two different reviewers are needed")
    if review.author in event.reviewers:
        raise ReviewError(f"{review.author} is the author and cannot review this puzzle")
    return replace(review, state=ReviewState.IN_REVIEW, reviewers=event.reviewers, decisions={}, due=event.due)


def _after_decision(review: Review, event: Decided) -> Review:
    _require(review, event, ReviewState.IN_REVIEW)
    if event.person not in review.reviewers:
        raise ReviewError(f"{event.person} is not a reviewer of this puzzle")
    if event.person in review.decisions:
        raise ReviewError(f"{event.person} has decided already")
    if len(event.decision.steps) != len(_puzzle(review.original).reasoning):
        raise ReviewError("The decision does not have one entry for each step")
    if event.decision.trouble:
        raise ReviewError(event.decision.trouble)
    decided = replace(review, decisions={**review.decisions, event.person: event.decision})
    if len(decided.decisions) < 2:
        return decided
    first, second = (decision_applied(_puzzle(review.original), d) for d in decided.decisions.values())
    if first is None or first != second:
        return replace(decided, state=ReviewState.DISAGREEMENT)
    return _verified(decided, write_metadata(first))


def _after_resolution(review: Review, event: Resolved) -> Review:
    if review.state is ReviewState.CLEAR:
        return _verified(review, event.metadata)
    left = {step.explanation for step in _puzzle(event.metadata).reasoning}
    written = _puzzle(review.original).reasoning
    kept = tuple(k for k in rejected_steps(review) if written[k - 1].explanation in left)
    return _verified(replace(review, settled_by=(event.person,), kept_rejected=kept), event.metadata)


def _after_settlement(review: Review, event: Settled) -> Review:
    _require(review, event, ReviewState.DISAGREEMENT)
    if event.person == review.author:
        raise ReviewError(f"{event.person} is the author and cannot settle what the reviewers differ about")
    first, second = (review.decisions[name] for name in review.reviewers)
    try:
        result = write_metadata(settled(_puzzle(review.original), first, second, event.choices))
    except SettlingError as error:
        raise ReviewError(str(error)) from None
    if event.person not in review.reviewers:
        return _verified(replace(review, settled_by=(event.person,)), result)
    proposals = {**review.proposals, event.person: result}
    if len(proposals) == 2 and len(set(proposals.values())) == 1:
        return _verified(replace(review, settled_by=review.reviewers), result)
    return replace(review, proposals=proposals)


def rejected_steps(review: Review) -> list[int]:
    """The steps, from 1, that at least one reviewer rejects."""
    found = {
        k
        for decision in review.decisions.values()
        for k, step in enumerate(decision.steps, 1)
        if step.judged is JudgedAnnotation.REJECT
    }
    return sorted(found)


def _verified(review: Review, metadata: str) -> Review:
    return replace(review, state=ReviewState.VERIFIED, result=metadata, settled_from=None, proposals={})


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
    """Figures of the review of a set; shares are None where there is nothing to share.

    `flagged` is a share of all that were sent to review, `changed` of those that have a result.
    """

    reviewed: int
    flagged: float | None
    changed: float | None
    audit_correct: float | None
    agreement: float | None
    kappa: float | None
    pairs: int


def review_statistics(reviews: Iterable[Review]) -> ReviewStatistics:
    """How many annotations were flagged and changed, how the audit went, and how far reviewers agreed."""
    sent = [review for review in reviews if review.state not in UNSENT]
    settled = [review for review in sent if review.result is not None]
    audited = [review.audit_correct for review in sent if review.audit_correct is not None]
    pairs = [_pair(review) for review in sent if len(review.decisions) == 2]
    return ReviewStatistics(
        reviewed=len(sent),
        flagged=_share([review.was_flagged for review in sent]),
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
