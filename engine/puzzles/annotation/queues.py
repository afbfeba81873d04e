"""Queues of a review: what waits for a person, what nobody has, what is disputed (docs/puzzles.md, "Review")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from spatial_workbench.engine.puzzles.annotation.review import ASSIGNABLE, DOUBLE_STATES, Review, ReviewState

_UNASSIGNED = tuple(state for state in ASSIGNABLE if state is not ReviewState.IN_REVIEW)


class ReviewQueue(StrEnum):
    """A part of the puzzles under review, as one person sees them."""

    ALL = "all"
    WAITING = "waiting"
    MINE = "mine"
    UNASSIGNED = "unassigned"
    DISPUTED = "disputed"
    TWICE = "twice"

    @property
    def label(self) -> str:
        """The queue for people."""
        return {ReviewQueue.WAITING: "waiting for me", ReviewQueue.TWICE: "annotated twice"}.get(self, self.value)


def is_waiting_for(review: Review, person: str) -> bool:
    """Whether a person has something to do: to annotate, to decide, to answer, or to change their annotation."""
    match review.state:
        case ReviewState.TWO_ANNOTATORS:
            return person in review.annotators and person not in review.annotations
        case ReviewState.ADJUDICATION:
            return may_adjudicate(review, person)
        case ReviewState.IN_REVIEW:
            return person in review.reviewers and person not in review.decisions
        case ReviewState.DISAGREEMENT:
            return person in review.reviewers and person not in review.proposals
        case ReviewState.RETURNED:
            return person == review.author
    return False


def may_adjudicate(review: Review, person: str) -> bool:
    """Whether a person can make the third annotation: the one who was asked, or anybody but the two annotators."""
    if review.pair is None or review.state not in (ReviewState.ADJUDICATION, ReviewState.DRAFT):
        return False
    return person == review.adjudicator if review.adjudicator else bool(person) and person not in review.pair


def is_overdue(review: Review, today: date) -> bool:
    """Whether the reviewers should have decided, or the annotators written, by now."""
    is_under_way = review.state in (ReviewState.IN_REVIEW, ReviewState.TWO_ANNOTATORS)
    return is_under_way and review.due is not None and review.due < today


def in_queue(
    reviews: Iterable[Review],
    queue: ReviewQueue,
    person: str = "",
    search: str = "",
    titles: Mapping[str, str] = MappingProxyType({}),
) -> list[Review]:
    """The reviews of a queue, first those that are due first, then by title.

    person: Whose queue it is, for those of one person.
    search: Words that all have to be in the title, the state, the people, the flags or the comments.
    titles: Of the puzzles by folder; a puzzle without one is known by its folder.
    """
    words = search.casefold().split()

    def title(review: Review) -> str:
        return titles.get(review.folder, review.folder)

    found = [r for r in reviews if _BELONGS[queue](r, person) and _has_words(r, title(r), words)]
    return sorted(found, key=lambda r: (r.due is None, r.due or date.max, title(r).casefold(), r.folder))


def _has_words(review: Review, title: str, words: Iterable[str]) -> bool:
    said = (
        title,
        review.folder.replace("_", " "),
        review.folder,
        review.state.label,
        review.author,
        *review.reviewers,
        *review.annotators,
        review.adjudicator,
        *(f"{flag.kind.value} {flag.reason}" for flag in review.flags),
        *(comment.text for comment in review.comments),
    )
    text = "\n".join(said).casefold()
    return all(word in text for word in words)


_BELONGS: dict[ReviewQueue, Callable[[Review, str], bool]] = {
    ReviewQueue.ALL: lambda review, person: True,
    ReviewQueue.WAITING: is_waiting_for,
    ReviewQueue.MINE: lambda review, person: person in (review.author, *review.reviewers, *review.annotators),
    ReviewQueue.UNASSIGNED: lambda review, person: review.state in _UNASSIGNED,
    ReviewQueue.DISPUTED: lambda review, person: review.state is ReviewState.DISAGREEMENT,
    ReviewQueue.TWICE: lambda review, person: review.state in DOUBLE_STATES or review.pair is not None,
}
