"""The runs of grids: a column for each axis, then how well each combination did and what it took."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.evaluation.columns import columns_of
from spatial_workbench.engine.evaluation.planning.grid import AXES, DEFAULT
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.results.tables import (
    RATE_FIELDS,
    Heading,
    Table,
    TableCell,
    TableLine,
    Value,
    number_cell,
    percent,
    rate_cell,
    span,
)
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import accuracy

_Axis = Callable[[BatchPlan, Contender], Value]
_AXES: dict[str, _Axis] = {
    "temperature": lambda _, run: run.settings.temperature,
    "effort": lambda _, run: run.settings.effort.value if run.settings.effort else None,
    "top_p": lambda _, run: run.settings.top_p,
    "tools": lambda _, run: "yes" if run.settings.tools else "no",
    "repeats": lambda plan, run: plan.repeats_of(run),
    "variants": lambda _, run: run.variant.label if run.variant else "own",
}
_FIGURES = (
    Heading("Accuracy", "%", "Mean score over subtasks", ("score", "low", "high", "subtasks", "of")),
    Heading("Passed", "%", "Share of the answers that were judged", RATE_FIELDS),
    Heading("Mean output", "tokens", "Over the answers for which it is known"),
)


def grid_table(plans: Iterable[BatchPlan], records: Iterable[Scored]) -> Table | None:
    """A line for each run of a grid, with the axes that any of the grids has; None if there is no grid.

    A run is known by its name: runs of that name in several batches count together.
    """
    runs = {run.settings.name: (plan, run) for plan in plans if plan.grid for run in plan.contenders if run.base}
    if not runs:
        return None
    used = [name for name in AXES if any(plan.grid.axes[name] for plan, _ in runs.values() if plan.grid)]
    budgets = any(run.settings.max_output_tokens for _, run in runs.values())
    records = columns_of(records)
    by_run = records.at(records.text("model").is_any(*runs)).split("model")
    headings = (
        Heading("Model", is_text=True),
        *(Heading(AXES[name], is_text=name not in ("temperature", "top_p", "repeats")) for name in used),
        *((Heading("Output limit", "tokens", "The most tokens of a reply, reasoning included"),) if budgets else ()),
        *_FIGURES,
    )
    lines = []
    for name, (plan, run) in runs.items():
        own = (run.base, *(_AXES[axis](plan, run) for axis in used))
        values = (*own, run.settings.max_output_tokens) if budgets else own
        lines.append(_line(name, values, by_run.get(name, ())))
    return Table(
        title="Grids",
        first="Run",
        headings=headings,
        lines=tuple(lines),
        about="Each combination of a grid is a run. Below the accuracy and the share that passed stand what they are "
        "counted over, subtasks and answers, and their intervals at 95 %.",
    )


def _line(name: str, values: Sequence[Value], items: Sequence[Scored]) -> TableLine:
    found = accuracy(items)
    counted = f"n {found.n}" if found.n else ""
    figures = (found.value, *(found.interval if found.n else (None, None)), found.n, found.total)
    shown = " · ".join(filter(None, (counted, span(found.interval) if found.n else "")))
    judged = [item for item in items if item.state == Ending.DONE and item.passed is not None]
    tokens = [item.output_tokens for item in items if item.output_tokens is not None]
    cells = (
        *map(_setting, values),
        TableCell(percent(found.value), shown, found.coverage if items else "", figures),
        rate_cell(Rate(sum(bool(item.passed) for item in judged), len(judged))),
        number_cell(fmean(tokens) if tokens else None, 0),
    )
    attempts = tuple(item.attempt for item in items if item.attempt is not None)
    return TableLine(name, cells, attempts=attempts)


def _setting(value: Value) -> TableCell:
    if value is None:
        return TableCell(DEFAULT, values=(None,))
    text = f"{value:g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
    return TableCell(text, values=(value,))
