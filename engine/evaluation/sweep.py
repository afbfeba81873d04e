"""The sweep over token budgets: accuracy against the tokens actually used, on the axiomatic bucket without tools.

A budget caps all output tokens of a model, reasoning included (`engine.models.with_budget`). See docs/scoring.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from spatial_workbench.engine.core import Bucket
from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.evaluation.columns import ScoredColumns, TextColumn, Truths, columns_of
from spatial_workbench.engine.evaluation.scbench import PublishedSweepPoint, published
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import Accuracy, accuracy, grouped

INCOMPLETE = "length"
"""The finish reason of an answer that was ended by the cap."""


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """A model under one budget. Rates are over items, repeats counted; None: not reported.

    Attributes:
        model: Name of the run without the budget.
        budget: Output limit, in tokens.
        accuracy: Over subtasks.
        mean_output_tokens: Over the items for which it is known; None if there are none.
        with_tokens: Items for which it is known.
        empty: Answers of 0 characters.
        errors: Items without an answer because of an error.
        incomplete: Answers that were ended by the cap, according to the finish reason.
        cap_hits: Items with at least as many output tokens as the budget.
        only_reasoning: Items whose output tokens are all reasoning.
        missing: Answers without a count of output tokens, or without a finish reason.
        source: Where it was published; empty for our own points.
    """

    model: str
    budget: int
    accuracy: Accuracy
    mean_output_tokens: float | None
    with_tokens: Rate
    empty: Rate
    incomplete: Rate
    cap_hits: Rate
    errors: Rate | None = None
    only_reasoning: Rate | None = None
    missing: Rate | None = None
    source: str = ""


def sweep_points(records: Iterable[Scored]) -> tuple[SweepPoint, ...]:
    """The points of a sweep, by model and budget.

    Only published instances of the axiomatic bucket count, asked with a budget and without tools.
    """
    records = columns_of(records)
    tasks = {task.id for task in published().members(Bucket.AXIOMATIC.id)}
    is_capped = np.nan_to_num(records.figures("budget")) != 0
    is_published = np.isfinite(records.figures("number"))
    of_bucket = records.text("task").is_any(*tasks)
    chosen = records.at(of_bucket & is_published & is_capped & ~records.truths("tools"))
    points = grouped(chosen, lambda item: (line_of(item), item.budget or 0))
    return tuple(_point(model, budget, points[model, budget]) for model, budget in sorted(points))


def published_points() -> tuple[SweepPoint, ...]:
    """The published points, by model and budget."""
    return tuple(_published_point(point) for point in sorted(published().sweep, key=lambda p: (p.model, p.budget)))


def line_of(item: Scored) -> str:
    """The name of the run without its budget: "gpt-5.2-HighReasoning" for "gpt-5.2-HighReasoning-4096"."""
    return item.model.removesuffix(f"-{item.budget}")


def has_line(records: ScoredColumns) -> Truths:
    """Whether the name of each record's run ends with its budget."""
    limits, codes = np.unique(records.figures("budget"), return_inverse=True)
    budgets = TextColumn(codes, tuple(limits.tolist()))
    return records.text("model").crossed(budgets).holds(lambda run: run[0].endswith(f"-{run[1]:.0f}"))


def _point(model: str, budget: int, items: Sequence[Scored]) -> SweepPoint:
    tokens = [item.output_tokens for item in items if item.output_tokens is not None]
    answered = [item for item in items if item.state == Ending.DONE]

    def rate(hits: Iterable[bool]) -> Rate:
        return Rate(sum(hits), len(items))

    return SweepPoint(
        model=model,
        budget=budget,
        accuracy=accuracy(items, published().scope(Bucket.AXIOMATIC.id).subtasks),
        mean_output_tokens=fmean(tokens) if tokens else None,
        with_tokens=Rate(len(tokens), len(items)),
        empty=rate(item.text_length == 0 for item in answered),
        errors=rate(item.state == Ending.ERROR for item in items),
        incomplete=rate(item.finish_reason == INCOMPLETE for item in items),
        cap_hits=rate(count >= budget for count in tokens),
        only_reasoning=rate(_is_only_reasoning(item) for item in items),
        missing=rate(item.output_tokens is None or item.finish_reason is None for item in answered),
    )


def _is_only_reasoning(item: Scored) -> bool:
    return bool(item.output_tokens) and item.reasoning_tokens == item.output_tokens


def _published_point(point: PublishedSweepPoint) -> SweepPoint:
    n = point.subtasks
    return SweepPoint(
        model=point.model,
        budget=point.budget,
        accuracy=Accuracy(point.passed / n, n, n, n, point.passed, items=n, source=point.source),
        mean_output_tokens=point.mean_output_tokens,
        with_tokens=Rate(n, n),
        empty=Rate(point.empty_outputs, n),
        incomplete=Rate(point.incomplete_responses, n),
        cap_hits=Rate(point.cap_hits, n),
        source=point.source,
    )
