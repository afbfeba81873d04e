"""Aids: what helps a person who solves by hand, and the record of its use."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Aid(StrEnum):
    """How much a control of an editor helps a person, from the least to the most.

    If two classes fit, the stronger (later) one applies.
    """

    VIEWING = "viewing"
    """Shows the instance or the person's own answer, and computes nothing about them: cameras, sections, hiding."""
    EDITING = "editing"
    """Changes the answer as the person directs: place, move, copy, mirror, undo."""
    MEASURING = "measuring"
    """Measures or counts something in the drawing, as a person could with a ruler and patience; applies no rule."""
    JUDGING = "judging"
    """Tells whether, or how far, a rule is met: verdicts, refusals, meters."""
    SOLVING = "solving"
    """Makes, names or narrows down a part of an answer: hints, fills, optimisers, the key."""


class AidUse(BaseModel):
    """One use of an aid."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="What the control is called, such as 'Load reference solution'")
    kind: Aid
    at: datetime
    seconds: float = Field(default=0.0, description="Active time on the person's clock when it was used")


EXPLORE = "Explore"
"""The solving aid that is recorded at every instance that a person opens in order to explore, not to solve."""


def is_explored(uses: Iterable[AidUse]) -> bool:
    """Whether somebody explored the instance, with all verdicts open."""
    return any(use.name == EXPLORE and use.kind is Aid.SOLVING for use in uses)


def names_of(uses: tuple[AidUse, ...], kind: Aid) -> tuple[str, ...]:
    """The names of the aids of a class that were used, each once, in the order of their first use."""
    return tuple(dict.fromkeys(use.name for use in uses if use.kind is kind))
