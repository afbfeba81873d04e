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

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from math import isnan
from operator import attrgetter
from statistics import fmean
from typing import TypeVar

import numpy as np

from spatial_workbench.engine.core import Family, InstanceError, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.rates import wilson
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.scbench import OVERALL, published
from spatial_workbench.engine.studies.analysis.intervals import StudyEstimate, mean_interval

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

OVERRIDDEN = "✎"
"""Marks figures that include overridden scores."""
PEOPLE_SEED = 20261122
"""Seed of the intervals over people."""
_OWN_MEAN = "Computed from SCBench's table of accuracies"


class Ending(StrEnum):
    """How an item of an evaluation ended."""

    DONE = "done"
    ERROR = "error"
    NOT_ASKED = "not asked"
    UNFINISHED = "unfinished"


_NEVER_ASKED = (Ending.NOT_ASKED, Ending.UNFINISHED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """An item of an evaluation: an instance, asked once.

    Attributes:
        task: Id of the task.
        address: Of the instance.
        number: Of a published instance; None for generated ones.
        repeat: From 0.
        model: Name of the run.
        tools: Whether the model had tools.
        state: "Not asked" means that it was left out because others of its task failed; "unfinished", that its batch
            has not come to its end.
        score: 0 to 1; None: there is none.
        passed: What the verifier said.
        input_tokens: Of the question; None: not reported.
        output_tokens: All that was generated, reasoning included; None: not reported.
        reasoning_tokens: Part of them; None: not reported.
        budget: Output limit, in tokens.
        finish_reason: "stop", "length" if the cap ended it, or another.
        error: Kind of the error, if there is no answer.
        cost_usd: Of the answer; None: a price or a count of tokens is not known.
        seconds: That the answer took: active time of a person, time of the requests of a model; None: not known.
        text_length: Characters of the raw answer; None: there is none.
        failure_mode: Label given by a judge.
        how_read: How the answer was read, or why there is none; None: it is not known.
        cut_off: What cut the attempt off, such as "steps" or "output limit"; None: nothing did.
        attempt: Number of the stored attempt.
        depth: Of a cube's state.
        measured: The task's own figure, such as metres; None: it has none.
        agent: Kind of the agent that answered; empty for a single question.
        condition: Of an agent with hands: which aids it had; empty for others.
        actor: Who answered: "model", "person", "reference" or "import".
        is_helped: Whether a person had used solving aids.
        is_overridden: Whether a person overrode the score, even if overrides do not count.
        override: How a person overrode the score: "0.74 → 1.00 by Ada: reason"; empty if nobody did, or if overrides
            do not count.
        study: Id of the study that it comes from, whose people are numbered by `repeat`; empty: it is from no study.
        error_is_zero: Whether an error counts as a score of 0.
        value: The score that counts, 0 to 1; None if there is none, so that the item is in no mean.
    """

    task: str
    address: str
    number: int | None
    model: str
    repeat: int = 0
    tools: bool = False
    state: Ending = Ending.DONE
    score: float | None = None
    passed: bool | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    budget: int | None = None
    finish_reason: str | None = None
    error: str | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    text_length: int | None = None
    failure_mode: str | None = None
    how_read: str | None = None
    cut_off: str | None = None
    attempt: int | None = None
    depth: int | None = None
    measured: float | None = None
    agent: str = ""
    condition: str = ""
    actor: str = "model"
    is_helped: bool = False
    is_overridden: bool = False
    override: str = ""
    study: str = ""
    error_is_zero: bool = False
    value: float | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self._counting_score())

    def _counting_score(self) -> float | None:
        if self.state is Ending.NOT_ASKED or (self.state is Ending.ERROR and self.error_is_zero):
            return 0.0
        if self.state is not Ending.DONE or self.score is None or isnan(self.score):
            return None
        return min(1.0, max(0.0, self.score))

    @property
    def is_unjudged(self) -> bool:
        """Whether there is an answer, and nobody has given it a score yet."""
        return self.state is Ending.DONE and self.value is None


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
    items = tuple(items)
    subtasks = list(grouped(items, attrgetter("address")).values())
    without_answer = [item for item in items if item.state is not Ending.DONE]
    never_asked = [item for item in without_answer if item.state in _NEVER_ASKED]
    judged = [having for repeats in subtasks if (having := [item for item in repeats if item.value is not None])]
    return Accuracy(
        value=fmean(_mean(repeats) for repeats in judged) if judged else None,
        n=len(judged),
        total=len(subtasks) if total is None else total,
        asked=sum(any(item.state not in _NEVER_ASKED for item in repeats) for repeats in subtasks)
        if never_asked
        else len(subtasks),
        passed=sum(all(item.passed for item in repeats) for repeats in judged),
        not_asked=sum(all(item.state is Ending.NOT_ASKED for item in repeats) for repeats in judged)
        if never_asked
        else 0,
        errors=sum(item.state is Ending.ERROR for item in without_answer),
        errors_are_zero=any(item.error_is_zero for item in items),
        unjudged=sum(item.is_unjudged for item in items if item.value is None),
        unfinished=sum(item.state is Ending.UNFINISHED for item in never_asked),
        cut_off=tuple(Counter(item.cut_off for item in items if item.cut_off is not None).most_common()),
        items=len(items),
        read=tuple(Counter(item.how_read for item in items if item.how_read is not None).most_common()),
        overrides=tuple(f"{item.address}: {item.override}" for item in items if item.override),
    )


def scoreboard(records: Iterable[Scored], generated: bool = False, whole: bool = False) -> Scoreboard:
    """The scores at the published instances, which can be compared with published results, or at the generated ones.

    With `whole`, the rows of SCBench are included even if none of its tasks was asked. If an item occurs twice (same
    run, instance and repeat), the last one with a score counts.
    """
    chosen = [item for item in latest(records) if (item.number is None) is generated]
    columns = tuple(sorted(by_run(chosen)))
    by_task = grouped(chosen, attrgetter("task"))
    published_ids = [row.id for row in published().tasks]
    rows = _scbench(by_task, generated) if whole or by_task.keys() & set(published_ids) else []
    by_family = grouped((task for task in by_task if task not in published_ids), family_of)
    for family in sorted(by_family):
        rows += [_task_row(task, by_task[task], generated) for task in sorted(by_family[family])]
        rows.append(_family_row(family, by_family[family], by_task, generated))
    return Scoreboard(columns, tuple(rows), generated)


def grouped(items: Iterable[V], key: Callable[[V], K]) -> dict[K, list[V]]:
    """Items by a key; keys are in order of first occurrence."""
    groups: dict[K, list[V]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)


def by_run(records: Iterable[Scored]) -> dict[ScoreColumn, list[Scored]]:
    """Records by their run, in order of first occurrence."""
    # Plain tuples are hashed many times faster than instances.
    runs = grouped(records, attrgetter("model", "tools"))
    return {ScoreColumn(model, tools): items for (model, tools), items in runs.items()}


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


def _scbench(by_task: Mapping[str, Sequence[Scored]], generated: bool) -> list[ScoreRow]:
    facts = published()
    tasks = [_task_row(task.id, by_task.get(task.id, ()), generated) for task in facts.tasks]
    scopes = []
    for scope in facts.scopes:
        kind = RowKind.OVERALL if scope.scope == OVERALL else RowKind.BUCKET
        members = [task.id for task in facts.members(scope.scope)]
        items = [item for task in members for item in by_task.get(task, ())]
        cells = _cells(items, None if generated else scope.subtasks)
        scopes.append(ScoreRow(kind, scope.scope, scope.scope.capitalize(), cells))
    return [*tasks, *scopes, _mean_row(tasks)]


def _task_row(task_id: str, items: Sequence[Scored], generated: bool) -> ScoreRow:
    title, bucket, total = _facts(task_id)
    return ScoreRow(RowKind.TASK, task_id, title, _cells(items, None if generated else total), bucket)


def _family_row(
    family: str, tasks: Sequence[str], by_task: Mapping[str, Sequence[Scored]], generated: bool
) -> ScoreRow:
    totals = [_facts(task)[2] for task in tasks]
    total = None if generated or None in totals else sum(count or 0 for count in totals)
    title = next((task.family.label for task in all_tasks() if task.family.id == family), "Other tasks")
    return ScoreRow(RowKind.FAMILY, family, title, _cells([item for task in tasks for item in by_task[task]], total))


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


def _cells(items: Iterable[Scored], total: int | None) -> dict[ScoreColumn, Accuracy]:
    runs = by_run(items)
    return {
        column: _of_people(of_run, runs, total) if of_run[0].study else accuracy(of_run, total)
        for column, of_run in runs.items()
    }


def _of_people(items: Sequence[Scored], runs: Mapping[ScoreColumn, Sequence[Scored]], total: int | None) -> Accuracy:
    """The mean over subtasks of a study's people, with an interval over people."""
    estimate, passed = people_estimates(items)
    ends = None if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
    return replace(
        accuracy(items, total),
        passed=None,
        people=estimate.people,
        people_interval=ends,
        pass_rate=passed.value,
        on_common=tuple(_on_common(runs, {item.address for item in items})),
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


def _on_common(runs: Mapping[ScoreColumn, Sequence[Scored]], addresses: set[str]) -> Iterator[tuple[str, float, int]]:
    for column, items in runs.items():
        common = [item for item in items if item.address in addresses]
        if common and not common[0].study:
            found = accuracy(common)
            if found.value is not None:
                yield column.title, found.value, found.n


def latest(records: Iterable[Scored]) -> list[Scored]:
    """The last of several records of one question; one without a score never hides a score."""
    latest: dict[Hashable, Scored] = {}
    for item in records:
        key = (item.model, item.tools, item.address, item.repeat)
        before = latest.get(key)
        if before is None or before.value is None or item.value is not None:
            latest[key] = item
    return list(latest.values())


def _mean(repeats: Sequence[Scored]) -> float:
    values = [item.value for item in repeats if item.value is not None]
    return values[0] if len(values) == 1 else fmean(values)
