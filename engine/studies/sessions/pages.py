"""The pages of a session, and what may cover them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StudyPage(StrEnum):
    """What a participant sees."""

    LANGUAGE = "language"
    CONSENT = "consent"
    ELIGIBILITY = "eligibility"
    COVARIATES = "covariates"
    INSTRUCTIONS = "instructions"
    READY = "ready"
    """Between two items; the clock stands until the person goes on."""
    ITEM = "item"
    CHECKING = "checking"
    """An answer is being judged, for feedback; the clock stands."""
    TIME_OVER = "time_over"
    """The time of an item is over: what was handed in."""
    FEEDBACK = "feedback"
    QUESTIONS = "questions"
    """About the item that has just ended."""
    TLX = "tlx"
    BREAK = "break"
    LATER = "later"
    """The sitting is over; the person goes on another time."""
    AFTER = "after"
    """Questions about the person, after the items."""
    TLX_END = "tlx_end"
    CLOSING = "closing"
    """Answers to attention items are still being compared."""
    END = "end"
    INELIGIBLE = "ineligible"
    STOPPED = "stopped"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"

    @property
    def is_last(self) -> bool:
        """Whether nothing follows."""
        return self in (StudyPage.END, StudyPage.INELIGIBLE, StudyPage.STOPPED, StudyPage.WITHDRAWN, StudyPage.ENDED)


BEFORE_CONSENT = frozenset({StudyPage.LANGUAGE, StudyPage.CONSENT})
AFTER_AN_ITEM = (
    StudyPage.TIME_OVER,
    StudyPage.FEEDBACK,
    StudyPage.QUESTIONS,
    StudyPage.TLX,
    StudyPage.LATER,
    StudyPage.BREAK,
    StudyPage.READY,
)
"""What may follow an item, in this order."""
AT_THE_END = (StudyPage.AFTER, StudyPage.TLX_END, StudyPage.CLOSING, StudyPage.END)


class Cover(StrEnum):
    """Why the content is covered."""

    TROUBLE = "trouble"
    """Nothing can be stored now."""
    LEAVE = "leave"
    PAUSE = "pause"
    CRASH = "crash"
    GAP = "gap"
    CONNECTION = "connection"
    """The connection to the person's browser was lost."""
    AWAY = "away"


@dataclass(frozen=True)
class StudyTold:
    """What is told of an answer.

    Attributes:
        position, number: Which trial and which submission.
        kind: How much is told: "passed", "score" or "full".
    """

    position: int
    number: int
    kind: str
    score: float
    passed: bool


@dataclass(frozen=True)
class Wanted:
    """A verdict that the sitting needs: the address of the instance and the answer."""

    position: int
    number: int
    address: str
    answer: str
