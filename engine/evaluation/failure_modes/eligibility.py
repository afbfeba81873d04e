"""Decides which items of an evaluation a judge labels."""

from __future__ import annotations

from enum import StrEnum

from spatial_workbench.engine.evaluation.scores import Ending, Scored

THRESHOLD = 0.6
"""Attempts with a lower score are judged (SCBench, failure modes)."""


class Eligibility(StrEnum):
    """Whether an item is judged, and if not, why. The last three are not failures of the model."""

    SELECTED = "selected"
    GOOD_ENOUGH = "good enough"
    NOT_ASKED = "not asked"
    ERROR = "error"
    LOST = "lost"


def select(item: Scored) -> Eligibility:
    """Whether an item is judged.

    An answer without a score counts as 0. An item that should be done, but has neither score nor text, was lost.
    """
    if item.state == Ending.NOT_ASKED:
        return Eligibility.NOT_ASKED
    if item.state == Ending.ERROR:
        return Eligibility.ERROR
    if item.score is None and item.text_length is None:
        return Eligibility.LOST
    return Eligibility.SELECTED if item.value < THRESHOLD else Eligibility.GOOD_ENOUGH
