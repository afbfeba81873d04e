"""Headlines: the measured figure that tables show of an attempt beside its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial_workbench.engine.core.verdict import Verdict


@dataclass(frozen=True)
class Headline:
    """Which figure of a verdict tables, charts and rankings show, and how it is written.

    Attributes:
        label: What it is, for a person.
        figures: Names of the figures that may hold it; the first one that a verdict has counts.
        digits: Places after the point.
        counts_with: Name of a figure that is above 0 if the headline counts; otherwise the headline is 0.
        not_beside: Name of a figure whose verdicts have no headline, since their score says it all.
    """

    label: str
    unit: str
    figures: Sequence[str]
    digits: int = 1
    counts_with: str = ""
    not_beside: str = ""

    def value_of(self, verdict: Verdict) -> float | None:
        """The headline of a verdict; None: it has none."""
        values = {figure.name: figure.value for figure in verdict.figures}
        value = next((values[name] for name in self.figures if name in values), None)
        if self.not_beside in values or not isinstance(value, int | float):
            return None
        gate = values.get(self.counts_with, 1)
        return float(value) if isinstance(gate, int | float) and gate > 0 else 0.0

    def text(self, value: float) -> str:
        """A value with its unit, such as "25.3 m"."""
        return f"{value:,.{self.digits}f} {self.unit}".rstrip()


def headline_of(task_id: str) -> Headline | None:
    """The headline of a task; None if it has none or is not installed."""
    from spatial_workbench.engine.core.registry import task

    try:
        return task(task_id).headline
    except KeyError:
        return None


def measured(task_id: str, verdict: Verdict) -> float | None:
    """The headline of a task's verdict; None: it has none."""
    headline = headline_of(task_id) if verdict.figures else None
    return None if headline is None else headline.value_of(verdict)


def measured_text(task_id: str, value: float | None, missing: str = "") -> str:
    """The headline of an attempt with its unit; `missing` if there is none."""
    headline = None if value is None else headline_of(task_id)
    return missing if headline is None or value is None else headline.text(value)
