"""Cells of the report on a study: shares, estimates with their intervals, differences."""

from __future__ import annotations

from spatial_workbench.engine.evaluation.results.tables import TableCell, percent, steady
from spatial_workbench.engine.studies.analysis.intervals import StudyEstimate
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes

ESTIMATE = ("value", "low", "high", "people")
"""The names of the values of an `estimate_cell`."""
TOO_FEW = "too few people"


def titled(title: str, outcomes: Outcomes, condition: str) -> str:
    """The title of a table; it names the condition if there are several."""
    return title if len(outcomes.study.conditions) == 1 else f"{title}: {condition}"


def estimate_cell(estimate: StudyEstimate | None) -> TableCell:
    """A figure in percent with its interval and the number of people."""
    if estimate is None:
        return TableCell(tip="nobody", values=(None, None, None, 0))
    ends = (
        TOO_FEW
        if estimate.low is None or estimate.high is None
        else f"{percent(estimate.low)}–{percent(estimate.high)}"
    )
    values = (estimate.value, estimate.low, estimate.high, estimate.people)
    return TableCell(percent(estimate.value), f"{ends} · n {estimate.people}", values=values)


def share_cell(value: float | None) -> TableCell:
    """A share in percent."""
    return TableCell(percent(value), values=(value,))


def difference_cell(value: float) -> TableCell:
    """A difference in percentage points, with its sign."""
    return TableCell(f"{steady(100 * value):+.1f}", values=(value,))


def span_text(low: float | None, high: float | None) -> str:
    """The interval of a difference, in percentage points with their signs; "n/a" if an end is unknown."""
    return "n/a" if low is None or high is None else f"{steady(100 * low):+.1f} to {steady(100 * high):+.1f}"
