"""Decides which items of an evaluation a judge labels."""

from __future__ import annotations

from enum import StrEnum

from spatial_workbench.engine.evaluation.scores import Ending, Scored

THRESHOLD = 0.6
"""Attempts with a lower score are judged (SCBench, failure modes)."""


class LabelEligibility(StrEnum):
    """Whether an item is judged, and if not, why. The last three are not failures of the model."""

    SELECTED = "selected"
    GOOD_ENOUGH = "good enough"
    NOT_ASKED = "not asked"
    ERROR = "error"
    LOST = "lost"


def select(item: Scored) -> LabelEligibility:
    """Whether an item is judged.

    An answer without a score counts as 0. An item that should be done, but has neither score nor text, was lost.
    """
    if item.state in (Ending.NOT_ASKED, Ending.UNFINISHED):
        return LabelEligibility.NOT_ASKED
    if item.state == Ending.ERROR:
        return LabelEligibility.ERROR
    if item.score is None and item.text_length is None:
        return LabelEligibility.LOST
    return LabelEligibility.SELECTED if (item.value or 0.0) < THRESHOLD else LabelEligibility.GOOD_ENOUGH
