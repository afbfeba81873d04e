"""The published results of SCBench: accuracies, settings, budget sweep, failure modes, and known errors.

Numbers are as printed; every row names its source. Rates are over one sample per subtask.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core.shipped import resource

OVERALL = "overall"


class _PublishedRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class PublishedModel(_PublishedRecord):
    """A model that was evaluated."""

    id: str
    title: str


class Percent(_PublishedRecord):
    """Accuracies of a model in percent. The first two are printed; the third is their sum, and can be off by 0.1."""

    no_tools: float
    tools_delta: float
    tools: float

    def of(self, tools: bool) -> float:
        """The accuracy with or without tools."""
        return self.tools if tools else self.no_tools


class PublishedTask(_PublishedRecord):
    """A row of the table of accuracies."""

    id: str
    title: str
    question: int = Field(description="Number of the task in the reference implementation")
    bucket: str
    subtasks: int
    scoring: Literal["binary", "partial"]
    percent: Mapping[str, Percent] = Field(description="By model")
    source: str


class PublishedScope(_PublishedRecord):
    """Accuracies over all subtasks of a bucket, or overall."""

    scope: str = Field(description="A bucket, or 'overall'")
    subtasks: int
    percent: Mapping[str, Percent] = Field(description="By model")
    source: str


class PublishedRun(_PublishedRecord):
    """How a model was asked: in a single turn, without examples, with one sample and no self-correction."""

    model: str
    provider: str
    temperature: str
    reasoning: str
    tools: tuple[str, ...] = Field(description="What it had in the run with tools")
    name_no_tools: str
    name_tools: str
    source: str


class PublishedSweepPoint(_PublishedRecord):
    """A model under a cap on all its output tokens, on the axiomatic bucket without tools."""

    model: str
    budget: int
    passed: int
    subtasks: int
    accuracy: float = Field(description="0 to 1")
    mean_output_tokens: float = Field(description="Reasoning included")
    empty_outputs: int
    incomplete_responses: int
    cap_hits: int
    source: str


class PublishedFailureModes(_PublishedRecord):
    """How a judge labelled a run's failed attempts."""

    model: str
    tools: bool
    subtasks: int
    judged: int
    judge_errors: int
    counts: Mapping[str, int] = Field(description="By label, spelled as published")
    note: str = ""
    source: str

    @property
    def shares(self) -> Mapping[str, float]:
        """By label: its share of the judged attempts, 0 to 1."""
        return {label: count / self.judged for label, count in self.counts.items()}


class Ceiling(_PublishedRecord):
    """Subtasks whose right answers the published verifier refuses."""

    task: str
    subtasks: tuple[int, ...]
    percent: float | None = Field(description="The highest possible accuracy of the task; None if it is not known")
    reason: str
    source: str


class PublishedNote(_PublishedRecord):
    """Something to know when reading the published figures."""

    topic: str = Field(description="A task's id, or another word")
    text: str


class Published(_PublishedRecord):
    """All published results."""

    models: tuple[PublishedModel, ...]
    tasks: tuple[PublishedTask, ...] = Field(description="In the published order")
    scopes: tuple[PublishedScope, ...] = Field(description="The buckets in the published order, then overall")
    runs: tuple[PublishedRun, ...]
    sweep: tuple[PublishedSweepPoint, ...]
    failure_modes: tuple[PublishedFailureModes, ...]
    ceilings: tuple[Ceiling, ...]
    notes: tuple[PublishedNote, ...]

    @cached_property
    def buckets(self) -> tuple[str, ...]:
        """The buckets, in the published order."""
        return tuple(scope.scope for scope in self.scopes if scope.scope != OVERALL)

    def task(self, task_id: str) -> PublishedTask | None:
        """The row of a task; None if nothing was published."""
        return next((task for task in self.tasks if task.id == task_id), None)

    def scope(self, name: str) -> PublishedScope:
        """The row of a bucket, or of "overall".

        Raises:
            KeyError: There is none.
        """
        for scope in self.scopes:
            if scope.scope == name:
                return scope
        raise KeyError(name)

    def members(self, scope: str) -> tuple[PublishedTask, ...]:
        """The tasks of a bucket, or all for "overall"."""
        return tuple(task for task in self.tasks if scope in (OVERALL, task.bucket))

    def weighted(self, scope: str, model: str) -> Percent:
        """A scope's accuracies, computed from the rows of its tasks: each subtask weighs the same."""
        rows = self.members(scope)
        total = sum(row.subtasks for row in rows)
        no_tools = sum(row.subtasks * row.percent[model].no_tools for row in rows) / total
        delta = sum(row.subtasks * row.percent[model].tools_delta for row in rows) / total
        return Percent(no_tools=no_tools, tools_delta=delta, tools=no_tools + delta)

    def task_mean(self, model: str, tools: bool) -> float:
        """The unweighted mean over tasks in percent, which the paper does not print."""
        return sum(row.percent[model].of(tools) for row in self.tasks) / len(self.tasks)

    def ceiling(self, task_id: str) -> Ceiling | None:
        """What is known to be wrong with a task's published verifier."""
        return next((ceiling for ceiling in self.ceilings if ceiling.task == task_id), None)

    def failures(self, model: str, tools: bool) -> PublishedFailureModes | None:
        """The failure modes of a run."""
        return next((run for run in self.failure_modes if (run.model, run.tools) == (model, tools)), None)


@cache
def published() -> Published:
    """The published results."""
    text = resource("evaluation", "published.json").read_text("utf-8")
    return Published.model_validate_json(text)
