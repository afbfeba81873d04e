"""The failure modes of each run as a table, with the items that are counted separately."""

from __future__ import annotations

from collections.abc import Iterable

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.evaluation.columns import columns_of
from spatial_workbench.engine.evaluation.failure_modes import FailureMode, FailureModes, LabelEligibility, failure_modes
from spatial_workbench.engine.evaluation.results.chart_making import in_order
from spatial_workbench.engine.evaluation.results.tables import (
    RATE_FIELDS,
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
    rate_cell,
)
from spatial_workbench.engine.evaluation.scbench import PublishedFailureModes, published
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import by_run

_UNKNOWN = "unknown"
_APART = (LabelEligibility.NOT_ASKED, LabelEligibility.ERROR, LabelEligibility.LOST)


def failure_table(records: Iterable[Scored], with_published: bool = True) -> Table:
    """A line per run: how many attempts failed, how many of them were labelled, and with which labels."""
    modes = failure_modes(records)
    lines = [_own(column.title, modes[column]) for column in in_order(modes) if modes[column].selected]
    theirs = [_published(run) for run in published().failure_modes] if with_published else []
    return Table(
        title="Failed attempts by run",
        first="Run",
        headings=(
            Heading("Failed", tip="Attempts with a score below 0.6"),
            Heading("Labelled", "%", "Of the failed ones, by a judge", RATE_FIELDS),
            *(Heading(label.value.partition(" (")[0], "%", label.meaning, RATE_FIELDS) for label in FailureMode),
            *(Heading(state.value.capitalize(), tip="Counted separately: not the model's failure") for state in _APART),
            Heading("Source", is_text=True),
        ),
        lines=(*lines, *theirs),
        notes=tuple(
            TableNote(note.text) for note in published().notes if with_published and note.topic == "failure modes"
        ),
        about="Shares of the labelled attempts. A label never changes a score.",
    )


def reading_table(records: Iterable[Scored]) -> Table:
    """A line per run: how its answers were read, and why there was none."""
    records = columns_of(records)
    runs = by_run(records.at(~records.text("state").is_any(Ending.UNFINISHED)))
    counts = {column: items.text("how_read").mapped(_named).counts() for column, items in runs.items()}
    names = [*(how.value for how in HowRead), _UNKNOWN]
    return Table(
        title="How answers were read, by run",
        first="Run",
        headings=tuple(Heading(name.capitalize()) for name in names),
        lines=tuple(
            TableLine(column.title, tuple(number_cell(counts[column][name], 0) for name in names))
            for column in in_order(counts)
        ),
        about="Numbers of questions. Verdicts of earlier versions do not say how an answer was read.",
    )


def _named(how_read: str | None) -> str:
    return how_read or _UNKNOWN


def _own(title: str, modes: FailureModes) -> TableLine:
    shares = [rate_cell(modes.share(label)) for label in FailureMode]
    apart = [number_cell(modes.apart[state], 0) for state in _APART]
    source = TableCell("this project", values=("",))
    return TableLine(title, (number_cell(modes.selected, 0), rate_cell(modes.judged), *shares, *apart, source))


def _published(run: PublishedFailureModes) -> TableLine:
    title = next(model.title for model in published().models if model.id == run.model)
    shares = [rate_cell(Rate(run.counts.get(label.value, 0), run.judged)) for label in FailureMode]
    unknown = [TableCell(tip="not reported", values=(None,))] * len(_APART)
    failed = run.judged + run.judge_errors
    source = TableCell(run.source, tip=" ".join(filter(None, (run.source, run.note))), values=(run.source,))
    name = f"{title}{', tools' if run.tools else ''} (published)"
    cells = (number_cell(failed, 0), rate_cell(Rate(run.judged, failed)), *shares, *unknown, source)
    return TableLine(name, cells, is_published=True)
