"""Decides which items of an evaluation a judge labels."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from spatial_workbench.engine.evaluation.columns import ScoredColumns, Truths, columns_of
from spatial_workbench.engine.evaluation.scored import Ending, Scored

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
    """Whether an item is judged."""
    return next(answer for answer, found in selected(columns_of([item])).items() if found[0])


def selected(items: ScoredColumns) -> dict[LabelEligibility, Truths]:
    """Which items are judged, and which are not for what reason.

    An answer without a score counts as 0. An item that should be done, but has neither score nor text, was lost.
    """
    state = items.text("state")
    not_asked = state.is_any(Ending.NOT_ASKED, Ending.UNFINISHED)
    errors = state.is_any(Ending.ERROR)
    answered = ~not_asked & ~errors
    lost = answered & np.isnan(items.figures("score")) & np.isnan(items.figures("text_length"))
    failed = answered & ~lost & (np.nan_to_num(items.figures("value")) < THRESHOLD)
    return {
        LabelEligibility.SELECTED: failed,
        LabelEligibility.GOOD_ENOUGH: answered & ~lost & ~failed,
        LabelEligibility.NOT_ASKED: not_asked,
        LabelEligibility.ERROR: errors,
        LabelEligibility.LOST: lost,
    }
