"""Accuracies: averages the scores of attempts for tasks, buckets and the whole benchmark, as SCBench does.

Task       mean over its subtasks
Bucket     mean over all subtasks of the bucket, equally weighted, so a task with more subtasks weighs more
Overall    the same over the whole benchmark; the unweighted mean over tasks is a separate row
Counts 0   an unreadable answer, a refusal, a subtask that was not asked; all of them stay in the mean
No score   an error of the infrastructure, an answer that waits for a judge, an item that is not finished; they are in
           no mean, and are counted beside it. Errors count 0 if that is asked for, as in SCBench's published tables
Repeats    of a subtask are averaged first

See docs/scoring.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from math import fsum
from statistics import fmean
from typing import TypeVar

import numpy as np

from spatial_workbench.engine.core import Family, InstanceError, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.rates import wilson
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import (
    ScoredColumns,
    TextColumn,
    columns_of,
    groups,
    joined,
    means,
    numbered,
)
from spatial_workbench.engine.evaluation.scbench import OVERALL, published
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.studies.analysis.intervals import StudyEstimate, mean_interval

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

OVERRIDDEN = "✎"
"""Marks figures that include overridden scores."""
PEOPLE_SEED = 20261122
"""Seed of the intervals over people."""
_OWN_MEAN = "Computed from SCBench's table of accuracies"
_NEVER_ASKED = (Ending.NOT_ASKED, Ending.UNFINISHED)


@dataclass(frozen=True)
class Accuracy:
    """A mean of scores over subtasks, with the counts behind it.

    Attributes:
        value: 0 to 1; None if there are no subtasks.
        n: Subtasks in the mean: those with a score.
        total: Subtasks of the task, the bucket or the benchmark.
        asked: Subtasks that were asked at all.
        passed: Of the n, those whose every repeat passed; None: not reported.
        not_asked: Of the n, those that count 0 because they were left out.
        errors: Items that ended with an error.
        errors_are_zero: Whether these count 0; else they are in no mean.
        unjudged: Items whose answer waits for a judge, in no mean.
        unfinished: Items that were not finished yet, in no mean.
        cut_off: How many items in the mean were cut off by what.
        items: Items, repeats counted.
        read: How often answers were read in which way, or why there was none.
        source: Where it was published; empty for our own.
        unit: What is counted: subtasks, or tasks in the mean over tasks.
        overrides: The overridden scores in the mean, each as "address: 0.74 → 1.00 by Ada: reason".
        people: How many people of a study; None: it is no study.
        people_interval: The interval over people; None: there are too few.
        pass_rate: Of a study's people: the mean over subtasks of the share that passed.
        on_common: What other runs scored on the subtasks that the study's people had: title, mean, and how many.
    """

    value: float | None
    n: int
    total: int
    asked: int = 0
    passed: int | None = None
    not_asked: int = 0
    errors: int = 0
    errors_are_zero: bool = False
    unjudged: int = 0
    unfinished: int = 0
    cut_off: tuple[tuple[str, int], ...] = ()
    items: int = 0
    read: tuple[tuple[str, int], ...] = ()
    source: str = ""
    unit: str = "subtasks"
    overrides: tuple[str, ...] = ()
    people: int | None = None
    people_interval: tuple[float, float] | None = None
    pass_rate: float | None = None
    on_common: tuple[tuple[str, float, int], ...] = ()

    @property
    def interval(self) -> tuple[float, float]:
        """The interval at 95 %, by Wilson's formula on the sum of scores; 0 to 1 if there are no subtasks.

        A study has an interval over its people instead.
        """
        return wilson((self.value or 0.0) * self.n, self.n)

    @property
    def is_partial(self) -> bool:
        """Whether some subtasks are not in the mean."""
        return self.n < self.total

    @property
    def coverage(self) -> str:
        """How much was asked, such as "6 of 10 subtasks"."""
        return f"{self.asked} of {self.total} {self.unit}"

    @property
    def without_score(self) -> str:
        """What is in no mean, such as "3 errors, 2 unfinished"; empty if everything has a score."""
        errors = 0 if self.errors_are_zero else self.errors
        parts = {
            counted(errors, "error"): errors,
            f"{self.unjudged:,} waiting to be checked": self.unjudged,
            f"{self.unfinished:,} unfinished": self.unfinished,
        }
        return ", ".join(words for words, count in parts.items() if count)


class RowKind(StrEnum):
    """What a row of a scoreboard is about."""

    TASK = "task"
    BUCKET = "bucket"
    OVERALL = "overall"
    TASK_MEAN = "mean over tasks"
    FAMILY = "family"


@dataclass(frozen=True, order=True)
class ScoreColumn:
    """A run: a model, with or without tools."""

    model: str
    tools: bool

    @property
    def title(self) -> str:
        """For a person."""
        return f"{self.model} (tools)" if self.tools else self.model


@dataclass(frozen=True)
class ScoreRow:
    """A row of a scoreboard.

    Attributes:
        id: Of the task, the bucket or the family.
        title: For a person.
        cells: By run; runs without an item of the row are left out.
        bucket: Of a task; empty for other rows.
    """

    kind: RowKind
    id: str
    title: str
    cells: Mapping[ScoreColumn, Accuracy] = field(default_factory=dict)
    bucket: str = ""


@dataclass(frozen=True)
class Scoreboard:
    """Scores of runs: SCBench in the published order, its buckets, overall, mean over tasks; then other families."""

    columns: tuple[ScoreColumn, ...]
    rows: tuple[ScoreRow, ...]
    generated: bool = False

    def cell(self, row_id: str, column: ScoreColumn) -> Accuracy | None:
        """The accuracy of a run in a row; None: nothing in that row was asked."""
        return next((row.cells.get(column) for row in self.rows if row.id == row_id), None)

    def published(self, row: ScoreRow) -> Mapping[ScoreColumn, Accuracy]:
        """The published figures for a row, by model and tools; empty if there are none, as for generated instances."""
        return {} if self.generated else _published_columns(row)


def accuracy(items: Iterable[Scored], total: int | None = None) -> Accuracy:
    """The mean over subtasks of one run; `total` is how many subtasks there are."""
    items = columns_of(items)
    addresses = items.text("address").codes
    has_value = items.has_value
    state = items.text("state")
    subtasks = np.unique(addresses)
    judged, values = means(addresses, items.figures("value"))
    never_asked = state.is_any(*_NEVER_ASKED)
    not_passed = addresses[has_value & ~items.truths("passed")]
    otherwise = addresses[has_value & ~state.is_any(Ending.NOT_ASKED)]
    overridden = items.at(~items.text("override").is_any(""))
    return Accuracy(
        value=fsum(values) / len(values) if len(values) else None,
        n=len(judged),
        total=len(subtasks) if total is None else total,
        asked=len(np.unique(addresses[~never_asked])) if never_asked.any() else len(subtasks),
        passed=len(judged) - len(np.unique(not_passed)),
        not_asked=len(judged) - len(np.unique(otherwise)) if never_asked.any() else 0,
        errors=int(state.is_any(Ending.ERROR).sum()),
        errors_are_zero=bool(items.truths("error_is_zero").any()),
        unjudged=int((state.is_any(Ending.DONE) & ~has_value).sum()),
        unfinished=int(state.is_any(Ending.UNFINISHED).sum()),
        cut_off=_most_common(items.text("cut_off")),
        items=len(items),
        read=_most_common(items.text("how_read")),
        overrides=tuple(f"{item.address}: {item.override}" for item in overridden),
    )


def _most_common(texts: TextColumn) -> tuple[tuple[str, int], ...]:
    """How often each text occurs, the most common first."""
    return tuple((text, count) for text, count in texts.counts().most_common() if text is not None)


def scoreboard(records: Iterable[Scored], generated: bool = False, whole: bool = False) -> Scoreboard:
    """The scores at the published instances, which can be compared with published results, or at the generated ones.

    With `whole`, the rows of SCBench are included even if none of its tasks was asked. If an item occurs twice (same
    run, instance and repeat), the last one with a score counts.
    """
    newest = latest(records)
    chosen = newest.at(np.isnan(newest.figures("number")) == generated)
    columns = tuple(sorted(by_run(chosen)))
    by_task = chosen.split("task")
    published_ids = [row.id for row in published().tasks]
    rows = _scbench(by_task, generated) if whole or by_task.keys() & set(published_ids) else []
    by_family = grouped((task for task in by_task if task not in published_ids), family_of)
    for family in sorted(by_family):
        rows += [_task_row(task, by_task[task], generated) for task in sorted(by_family[family])]
        rows.append(_family_row(family, by_family[family], by_task, generated))
    return Scoreboard(columns, tuple(rows), generated)


def grouped(items: Iterable[V], key: Callable[[V], K]) -> dict[K, list[V]]:
    """Items by a key; keys are in order of first occurrence."""
    found: dict[K, list[V]] = defaultdict(list)
    for item in items:
        found[key(item)].append(item)
    return dict(found)


def by_run(records: Iterable[Scored]) -> dict[ScoreColumn, ScoredColumns]:
    """Records by their run, in order of first occurrence."""
    records = columns_of(records)
    models = records.text("model")
    runs = groups(2 * models.codes + records.truths("tools"))
    return {ScoreColumn(models.words[code // 2], bool(code % 2)): records.at(rows) for code, rows in runs}


@cache
def family_of(task_id: str) -> str:
    """The family that a task belongs to; "other" if the task is not installed."""
    try:
        return task_of(task_id).family.id
    except KeyError:
        return "other"


def depth_of(address: str, task_id: str) -> int | None:
    """The depth of a cube's state; None for other tasks."""
    return _depth_of_cube(address) if family_of(task_id) == Family.CUBE.id else None


@lru_cache(maxsize=4096)
def _depth_of_cube(address: str) -> int | None:
    try:
        depth = resolve(address)[1].parameters.get("depth")
    except InstanceError:
        return None
    return depth if isinstance(depth, int) else None


def _scbench(by_task: Mapping[str, ScoredColumns], generated: bool) -> list[ScoreRow]:
    facts = published()
    nothing = columns_of(())
    tasks = [_task_row(task.id, by_task.get(task.id, nothing), generated) for task in facts.tasks]
    scopes = []
    for scope in facts.scopes:
        kind = RowKind.OVERALL if scope.scope == OVERALL else RowKind.BUCKET
        members = [by_task[task.id] for task in facts.members(scope.scope) if task.id in by_task]
        cells = _cells(joined(members), None if generated else scope.subtasks)
        scopes.append(ScoreRow(kind, scope.scope, scope.scope.capitalize(), cells))
    return [*tasks, *scopes, _mean_row(tasks)]


def _task_row(task_id: str, items: ScoredColumns, generated: bool) -> ScoreRow:
    title, bucket, total = _facts(task_id)
    return ScoreRow(RowKind.TASK, task_id, title, _cells(items, None if generated else total), bucket)


def _family_row(family: str, tasks: Sequence[str], by_task: Mapping[str, ScoredColumns], generated: bool) -> ScoreRow:
    totals = [_facts(task)[2] for task in tasks]
    total = None if generated or None in totals else sum(count or 0 for count in totals)
    title = next((task.family.label for task in all_tasks() if task.family.id == family), "Other tasks")
    return ScoreRow(RowKind.FAMILY, family, title, _cells(joined([by_task[task] for task in tasks]), total))


def _mean_row(tasks: Sequence[ScoreRow]) -> ScoreRow:
    """The unweighted mean over tasks; n and total count tasks."""
    columns = dict.fromkeys(column for row in tasks for column in row.cells)
    cells = {}
    for column in columns:
        values = [cell.value for row in tasks if (cell := row.cells.get(column)) and cell.value is not None]
        overrides = tuple(override for row in tasks if column in row.cells for override in row.cells[column].overrides)
        mean = fmean(values) if values else None
        cells[column] = Accuracy(mean, len(values), len(tasks), len(values), unit="tasks", overrides=overrides)
    return ScoreRow(RowKind.TASK_MEAN, "task_mean", "Mean over tasks, unweighted", cells)


def _published_columns(row: ScoreRow) -> Mapping[ScoreColumn, Accuracy]:
    facts = published()
    models = [(model.id, tools) for model in facts.models for tools in (False, True)]
    if row.kind is RowKind.TASK_MEAN:
        n = len(facts.tasks)
        means = {ScoreColumn(model, tools): facts.task_mean(model, tools) / 100 for model, tools in models}
        return {column: Accuracy(value, n, n, n, source=_OWN_MEAN, unit="tasks") for column, value in means.items()}
    published_task = facts.task(row.id) if row.kind is RowKind.TASK else None
    if published_task is None and row.kind not in (RowKind.BUCKET, RowKind.OVERALL):
        return {}
    shown = published_task or facts.scope(row.id)
    return {
        ScoreColumn(model, tools): Accuracy(
            shown.percent[model].of(tools) / 100, shown.subtasks, shown.subtasks, shown.subtasks, source=shown.source
        )
        for model, tools in models
    }


@cache
def _facts(task_id: str) -> tuple[str, str, int | None]:
    """Title, bucket and number of published instances; only the id is known of a task that is not installed."""
    try:
        task = task_of(task_id)
    except KeyError:
        return task_id, "", None
    return task.title, task.bucket.id, len(task.instances())


def _cells(items: ScoredColumns, total: int | None) -> dict[ScoreColumn, Accuracy]:
    runs = by_run(items)
    return {
        column: _of_people(of_run, runs, total) if of_run.text("study").first else accuracy(of_run, total)
        for column, of_run in runs.items()
    }


def _of_people(items: ScoredColumns, runs: Mapping[ScoreColumn, ScoredColumns], total: int | None) -> Accuracy:
    """The mean over subtasks of a study's people, with an interval over people."""
    estimate, passed = people_estimates(items)
    ends = None if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
    return replace(
        accuracy(items, total),
        passed=None,
        people=estimate.people,
        people_interval=ends,
        pass_rate=passed.value,
        on_common=tuple(_on_common(runs, set(items.text("address").present()))),
    )


def people_estimates(items: Sequence[Scored]) -> tuple[StudyEstimate, StudyEstimate]:
    """Score and pass rate of a study's people, with intervals over people."""
    people = {repeat: row for row, repeat in enumerate(sorted({item.repeat for item in items}))}
    addresses = {address: column for column, address in enumerate(dict.fromkeys(item.address for item in items))}
    scores, passed = (np.full((len(people), len(addresses)), np.nan) for _ in range(2))
    for item in items:
        place = people[item.repeat], addresses[item.address]
        scores[place] = np.nan if item.value is None else item.value
        passed[place] = bool(item.passed)
    return mean_interval(scores, PEOPLE_SEED), mean_interval(passed, PEOPLE_SEED)


def _on_common(runs: Mapping[ScoreColumn, ScoredColumns], addresses: set[str]) -> Iterator[tuple[str, float, int]]:
    for column, items in runs.items():
        common = items.at(items.text("address").holds(addresses.__contains__))
        if common and not common.text("study").first:
            found = accuracy(common)
            if found.value is not None:
                yield column.title, found.value, found.n


def latest(records: Iterable[Scored]) -> ScoredColumns:
    """The last of several records of one question; one without a score never hides a score."""
    records = columns_of(records)
    texts = (records.text("model").codes, records.text("address").codes)
    questions = numbered(*texts, records.truths("tools"), records.figures("repeat"))
    with_score = np.flatnonzero(records.has_value)
    last = np.zeros(questions.max(initial=-1) + 1, dtype=np.intp)
    last[questions] = np.arange(len(records))
    last[questions[with_score]] = with_score
    _, first = np.unique(questions, return_index=True)
    return records.at(last[np.argsort(first)])
