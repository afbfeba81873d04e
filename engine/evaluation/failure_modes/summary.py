"""Counts a run's failures by label and by task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.evaluation.columns import ScoredColumns
from spatial_workbench.engine.evaluation.failure_modes.eligibility import LabelEligibility, selected
from spatial_workbench.engine.evaluation.failure_modes.labels import FailureMode
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import ScoreColumn, by_run


@dataclass(frozen=True)
class FailureModes:
    """The failures among some items.

    Attributes:
        items: How many there are.
        selected: How many have a score below the threshold.
        counts: Judged items by label; every label has an entry.
        apart: How many items have no label for reasons other than the model's failure: not asked, errors, lost.
        tasks: The same by task, those with the most failures first; empty for a single task.
    """

    items: int
    selected: int
    counts: Mapping[FailureMode, int]
    apart: Mapping[LabelEligibility, int]
    tasks: Mapping[str, FailureModes] = field(default_factory=dict)

    @property
    def judged(self) -> Rate:
        """Those with a label, of those selected."""
        return Rate(sum(self.counts.values()), self.selected)

    def share(self, label: FailureMode) -> Rate:
        """Those with the label, of those judged."""
        return Rate(self.counts[label], self.judged.hits)


def failure_modes(records: Iterable[Scored]) -> Mapping[ScoreColumn, FailureModes]:
    """The failure modes of each run."""
    runs = by_run(records)
    return {column: _of_run(runs[column]) for column in sorted(runs)}


def csv_rows(failures: FailureModes) -> list[list[str | int]]:
    """A table by task: selected and judged attempts, and how many have each label; the first row names the columns."""
    rows: list[list[str | int]] = [
        [task, modes.selected, modes.judged.hits, *(modes.counts[label] for label in FailureMode)]
        for task, modes in failures.tasks.items()
    ]
    return [["task", "selected", "judged", *(label.value for label in FailureMode)], *rows]


def _of_run(items: ScoredColumns) -> FailureModes:
    whole = _counted(items)
    tasks = {task: _counted(of_task) for task, of_task in items.split("task").items()}
    ordered = sorted(tasks, key=lambda task: (-tasks[task].selected, task))
    return FailureModes(whole.items, whole.selected, whole.counts, whole.apart, {task: tasks[task] for task in ordered})


def _counted(items: ScoredColumns) -> FailureModes:
    states = selected(items)
    failed = states[LabelEligibility.SELECTED]
    labels = items.text("failure_mode").at(failed).counts()
    apart = (LabelEligibility.NOT_ASKED, LabelEligibility.ERROR, LabelEligibility.LOST)
    return FailureModes(
        len(items),
        int(failed.sum()),
        {label: labels[label.value] for label in FailureMode},
        {state: int(states[state].sum()) for state in apart},
    )
