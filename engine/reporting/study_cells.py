"""Cells of the report on a study: shares, estimates with their intervals, differences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spatial_workbench.engine.evaluation.results.tables import TableCell, percent, steady
from spatial_workbench.engine.studies.analysis.counting import NOBODY, StudySelection
from spatial_workbench.engine.studies.analysis.figures import cells_of
from spatial_workbench.engine.studies.analysis.intervals import StudyEstimate
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.planning.document import StudySetting

ESTIMATE = ("value", "low", "high", "people")
"""The names of the values of an `estimate_cell`."""
TOO_FEW = "too few people"


@dataclass(frozen=True)
class PeopleGroup:
    """People whose times may be pooled: of one condition, and of one setting where there were several.

    Attributes:
        condition: The name of the condition.
        setting: Where they took part; None: everybody took part in the same setting.
        name: The condition, with the setting if there were several.
    """

    condition: str
    setting: StudySetting | None = None

    @property
    def name(self) -> str:
        return self.condition if self.setting is None else f"{self.condition}, {self.setting.phrase}"

    def of(self, selection: StudySelection) -> StudySelection:
        """A selection of trials, for these people alone."""
        return replace(selection, setting=self.setting)


def groups_of(outcomes: Outcomes) -> list[PeopleGroup]:
    """The groups of a study, condition by condition; times of different settings are never pooled."""
    settings: list[StudySetting | None] = [*used_settings(outcomes)]
    if len(settings) < 2:
        settings = [None]
    return [PeopleGroup(condition, setting) for condition in outcomes.study.conditions for setting in settings]


def used_settings(outcomes: Outcomes) -> list[StudySetting]:
    """Where people took part who have trials that are known."""
    used = {session.setting for session in cells_of(outcomes, selection=NOBODY).sessions}
    return [setting for setting in StudySetting if setting in used]


def titled(title: str, outcomes: Outcomes, condition: str) -> str:
    """The title of a table; it names the condition if there are several."""
    return title if len(outcomes.study.conditions) == 1 else f"{title}: {condition}"


def titled_for(title: str, outcomes: Outcomes, group: PeopleGroup) -> str:
    """The title of a table about a group; it names the condition if there are several, and the setting likewise."""
    if group.setting is None:
        return titled(title, outcomes, group.condition)
    known = group.setting.phrase if len(outcomes.study.conditions) == 1 else group.name
    return f"{title}: {known}"


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
