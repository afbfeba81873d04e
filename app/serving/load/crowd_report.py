"""What simulated people saw: how long pictures took after the pointer had moved, and how many came in orbits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

WORKING, WORKED = "working", "worked"
"""Phases of a trial: people begin to work, and have worked."""
LEAST_ANSWERED = 0.25
"""An item answers to the pointer if so large a share of its moves is answered."""


class CrowdReport(BaseModel):
    """What one simulated person saw, or all of them together.

    Attributes:
        seconds: How long they worked.
        near_ms: For moves of the pointer: milliseconds until a picture came that changes near it.
        elsewhere_ms: The same where the picture changed elsewhere in the drawing only.
        unanswered: Moves after which no picture came.
        unanswering: People in items that do not answer to the pointer.
        orbits: How many pictures came during a drag that moves the view, and in how many seconds.
        still_orbits: Drags during which no picture came.
        placed: Clicks that place something.
        handed_in: People whose item ended as they handed it in.
        bytes_received: Of pictures.
    """

    model_config = ConfigDict(extra="forbid")

    seconds: float = 0
    near_ms: list[float] = []
    elsewhere_ms: list[float] = []
    unanswered: int = 0
    unanswering: int = 0
    orbits: list[tuple[int, float]] = []
    still_orbits: int = 0
    placed: int = 0
    handed_in: int = 0
    bytes_received: int = 0

    @property
    def answered_ms(self) -> list[float]:
        """Milliseconds until a picture came, for each move after which one came."""
        return sorted([*self.near_ms, *self.elsewhere_ms])

    @property
    def moves(self) -> int:
        """How often the pointer was moved."""
        return len(self.near_ms) + len(self.elsewhere_ms) + self.unanswered

    def settled(self) -> CrowdReport:
        """The report of one person, without what says little of the machine.

        Where the drawing often changes near the pointer, changes elsewhere are no answers: some windows tell something
        after a while. Where pictures seldom come at all, they have other reasons, and the item does not answer.
        """
        enough = LEAST_ANSWERED * self.moves
        if self.near_ms and len(self.near_ms) >= enough:
            unanswered = self.unanswered + len(self.elsewhere_ms)
            return self.model_copy(update={"elsewhere_ms": [], "unanswered": unanswered})
        if self.answered_ms and len(self.answered_ms) >= enough:
            return self
        nothing: dict[str, list[float]] = {"near_ms": [], "elsewhere_ms": []}
        return self.model_copy(update={**nothing, "unanswered": 0, "unanswering": 1})

    @property
    def pictures_a_second(self) -> float | None:
        """During drags that moved the view; None if none did."""
        seconds = sum(length for _, length in self.orbits)
        return sum(pictures for pictures, _ in self.orbits) / seconds if seconds else None


def together(reports: Iterable[CrowdReport]) -> CrowdReport:
    """The report of several people who worked at the same time."""
    whole = CrowdReport()
    for one in reports:
        whole.seconds = max(whole.seconds, one.seconds)
        whole.near_ms += one.near_ms
        whole.elsewhere_ms += one.elsewhere_ms
        whole.unanswered += one.unanswered
        whole.unanswering += one.unanswering
        whole.orbits += one.orbits
        whole.still_orbits += one.still_orbits
        whole.placed += one.placed
        whole.handed_in += one.handed_in
        whole.bytes_received += one.bytes_received
    return whole


def mark(values: Sequence[float], share: float) -> float | None:
    """The smallest value that so large a share of the values does not exceed; None if there are no values.

    share: more than 0, at most 1.
    """
    ordered = sorted(values)
    return ordered[math.ceil(share * len(ordered)) - 1] if ordered else None
