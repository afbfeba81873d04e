"""The diagnostics of the sweep over token budgets: how answers ended under each cap."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.evaluation.results.tables import (
    RATE_FIELDS,
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
    percent,
    rate_cell,
    span,
)
from spatial_workbench.engine.evaluation.scbench import published
from spatial_workbench.engine.evaluation.sweep import SweepPoint

_RATES = (
    ("Empty", "empty", "Answers of 0 characters"),
    ("Errors", "errors", "Items without an answer because of an error"),
    ("Incomplete", "incomplete", "Answers that the output limit ended, by the finish reason"),
    ("At the limit", "cap_hits", "Items with at least as many output tokens as the output limit"),
    ("Only reasoning", "only_reasoning", "Items whose output tokens are all reasoning"),
    ("Missing", "missing", "Answers without a count of output tokens or a finish reason"),
)


def sweep_table(points: Sequence[SweepPoint]) -> Table:
    """A line for each model and budget, our own before the published ones."""
    headings = (
        Heading("Output limit", "tokens", "The most tokens of a reply, reasoning included"),
        Heading("Mean output", "tokens", "Over the items for which it is known"),
        Heading("Accuracy", "%", "Over subtasks", ("score", "low", "high", "subtasks", "of")),
        *(Heading(title, "%", tip, RATE_FIELDS) for title, _, tip in _RATES),
        Heading("Source", is_text=True),
    )
    return Table(
        title="Diagnostics of the sweep",
        first="Model",
        headings=headings,
        lines=tuple(_line(point) for point in points),
        notes=tuple(TableNote(note.text) for note in published().notes if note.topic == "sweep"),
        about="Shares of all items. A dash means: not reported.",
    )


def _line(point: SweepPoint) -> TableLine:
    titles = {model.id: model.title for model in published().models}
    rates: list[Rate | None] = [getattr(point, name) for _, name, _ in _RATES]
    cells = (
        number_cell(point.budget, 0),
        _tokens(point),
        _accuracy(point),
        *(rate_cell(rate) for rate in rates),
        TableCell(point.source or "this project", tip=point.source, values=(point.source,)),
    )
    name = f"{titles.get(point.model, point.model)}{' (published)' if point.source else ''}"
    return TableLine(name, cells, is_published=bool(point.source))


def _tokens(point: SweepPoint) -> TableCell:
    rate = point.with_tokens
    cell = number_cell(point.mean_output_tokens, 0)
    return TableCell(cell.text, "" if rate.hits == rate.n else f"of {rate.hits}/{rate.n}", "", cell.values)


def _accuracy(point: SweepPoint) -> TableCell:
    accuracy = point.accuracy
    counted = f"{accuracy.n} of {accuracy.total}" if accuracy.is_partial else str(accuracy.n)
    words = (f"n {counted}", span(accuracy.interval), accuracy.without_score)
    values = (accuracy.value, *accuracy.interval, accuracy.n, accuracy.total)
    return TableCell(percent(accuracy.value), " · ".join(filter(None, words)), accuracy.coverage, values)
