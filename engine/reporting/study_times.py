"""The section of a study's report about times to a solution, and its curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np

from spatial_workbench.engine.evaluation.results.charts import Axis, Chart, ChartKey, ChartMark, Kind, Series
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    number_cell,
    percent,
)
from spatial_workbench.engine.reporting.study_cells import TOO_FEW, groups_of, titled_for, used_settings
from spatial_workbench.engine.reporting.study_sentences import words_on_times
from spatial_workbench.engine.studies.analysis.counting import PLANNED
from spatial_workbench.engine.studies.analysis.figures import (
    Cells,
    ModelRun,
    Times,
    cells_of,
    scopes,
    score_by_minute,
    times_to_solve,
)
from spatial_workbench.engine.studies.analysis.intervals import LEAST_PEOPLE
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes

_TRIPS = (
    Heading("Round trip", "ms", "To the browser and back: the median over trials of their medians"),
    Heading(
        "95 % shorter", "ms", "The median over trials of what 95 % of their round trips stayed under", ("high", "worst")
    ),
)
_SHARE_TICKS = tuple((share / 4, f"{25 * share} %") for share in range(5))


def times_section(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    """Times to a solution for each condition, the share not yet solved over time, and scores by minute.

    Where people took part both at a desk and in a browser, these are apart, with the round trips of the connection
    beside the times. The models of `runs` appear as level lines in the chart of scores.
    """
    headings = (
        Heading("Median", "s", "Kaplan-Meier; whoever did not solve an item is censored", ("median", "low", "high")),
        Heading("Mean up to the limit", "s"),
        Heading("Solved"),
        Heading("Median, solved only", "s"),
        Heading("Geometric mean, solved only", "s"),
    )
    tables = []
    curves = []
    for group in groups_of(outcomes):
        cells = cells_of(outcomes, group.condition, group.of(PLANNED))
        has_trips = any(trial.round_trips for trial in cells.trials.values())
        rows = [(scope, times_to_solve(cells.of_items(scope.items))) for scope in scopes(outcomes.study)]
        lines = [
            TableLine(
                scope.title,
                (*_time_cells(found), *(_trip_cells(cells.of_items(scope.items)) if has_trips else ())),
                is_sum=scope.kind != "item",
            )
            for scope, found in rows
            if found
        ]
        title = titled_for("Time to a solution", outcomes, group)
        shown = (*headings, *(_TRIPS if has_trips else ()))
        tables.append(Table(title, "Items", shown, tuple(lines), words=words_on_times(lines)))
        curves += [(group.name, found) for scope, found in rows if scope.kind == "all" and found]
    charts = [_survival_chart(curves)] if curves else []
    if (chart := _minutes_chart(outcomes, runs)) is not None:
        charts.append(chart)
    return ReportSection("times", "Times", tuple(tables), tuple(charts), words=tuple(_time_words(outcomes)))


def _time_words(outcomes: Outcomes) -> Iterator[str]:
    yield (
        "Giving up, running out of time and wrong answers count as not solved within the limit. “Solved only” leaves "
        "them out, and is therefore too short. Over several items, the interval of the median draws people with all "
        "their trials."
    )
    if len(used_settings(outcomes)) > 1:
        yield (
            "People took part at a desk and in a browser. Times of both are never pooled: over a connection, every "
            "action is seen later."
        )
    if outcomes.study.limits.item_s is None:
        yield "Without a limit, giving up is censored at its own time, and may say something about the item."


def _time_cells(times: Times) -> tuple[TableCell, ...]:
    ends = f"{_seconds(times.low)}–{_seconds(times.high)}" if times.people >= LEAST_PEOPLE else TOO_FEW
    return (
        TableCell(_seconds(times.median), ends, values=(times.median, times.low, times.high)),
        number_cell(times.restricted_mean, 1),
        TableCell(f"{times.solved} of {times.of}", values=(times.solved,)),
        number_cell(times.solved_median, 1),
        number_cell(times.solved_geometric, 1),
    )


def _trip_cells(cells: Cells) -> tuple[TableCell, TableCell]:
    """What the connection took in trials that were done in a browser."""
    trips = [trial.round_trips for trial in cells.trials.values() if trial.round_trips is not None]
    if not trips:
        return TableCell("–", values=(None,)), TableCell("–", values=(None,))
    median = float(np.median([trip.median_ms for trip in trips]))
    high = float(np.median([trip.p95_ms for trip in trips]))
    worst = max(trip.worst_ms for trip in trips)
    return number_cell(median, 0), TableCell(f"{high:,.0f}", f"worst {worst:,}", values=(high, worst))


def _seconds(value: float | None) -> str:
    return "not reached" if value is None else f"{value:,.1f}"


def _survival_chart(curves: Sequence[tuple[str, Times]]) -> Chart:
    last = max((seconds for _, times in curves for seconds, _ in times.curve), default=1.0)
    series = tuple(
        Series(name, f"series {i % 8}", tuple(_steps(times.curve))) for i, (name, times) in enumerate(curves)
    )
    rows = tuple((name, seconds, share) for name, times in curves for seconds, share in times.curve)
    return Chart(
        title="Not yet solved",
        about="The share of trials that were not solved after a time (Kaplan-Meier).",
        kind=Kind.LINES,
        x=Axis("Active time", 0.0, last or 1.0, "s", _even_ticks(last)),
        y=Axis("Not solved", 0.0, 1.0, ticks=_SHARE_TICKS),
        series=series,
        keys=tuple(ChartKey(line.name, line.role) for line in series),
        header=("condition", "seconds", "share"),
        rows=rows,
    )


def _steps(curve: Sequence[tuple[float, float]]) -> Iterator[ChartMark]:
    share = 1.0
    yield ChartMark(0.0, share)
    for seconds, after in curve:
        yield ChartMark(seconds, share)
        share = after
        yield ChartMark(seconds, share, tip=f"{seconds:,.0f} s: {100 * share:.0f} % not solved.")


def _even_ticks(last: float) -> tuple[tuple[float, str], ...]:
    step = next((step for step in (1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600) if last / step <= 8), 7200)
    return tuple((float(value), f"{value}") for value in range(0, int(last) + 1, step))


def _minutes_chart(outcomes: Outcomes, runs: Sequence[ModelRun]) -> Chart | None:
    cells = [(group.name, cells_of(outcomes, group.condition, group.of(PLANNED))) for group in groups_of(outcomes)]
    curves = [(name, score_by_minute(outcomes, own)) for name, own in cells]
    curves = [(name, curve) for name, curve in curves if len(curve) > 1]
    if not curves:
        return None
    last = max(minute for _, curve in curves for minute, _ in curve)
    people = [
        Series(
            name,
            f"series {i % 8}",
            tuple(ChartMark(float(m), s, tip=f"{m} min: {percent(s)} %.") for m, s in curve),
        )
        for i, (name, curve) in enumerate(curves)
    ]
    levels = [_level(run, len(curves) + i, float(last)) for i, run in enumerate(runs)]
    return Chart(
        title="Score against time",
        about="The mean over people and items of what was handed in by each minute; models as dashed lines.",
        kind=Kind.LINES,
        x=Axis("Active time", 0.0, float(last), "min", _even_ticks(float(last))),
        y=Axis("Score", 0.0, 1.0, ticks=_SHARE_TICKS),
        series=(*people, *levels),
        keys=tuple(ChartKey(line.name, line.role, dashed=line.dashed) for line in (*people, *levels)),
        header=("condition", "minute", "score"),
        rows=tuple((name, minute, score) for name, curve in curves for minute, score in curve),
    )


def _level(run: ModelRun, place: int, last: float) -> Series:
    """A model's mean score as a level line, named with its tokens."""
    mean = fmean(map(fmean, run.scores.values()))
    tokens = f", {run.output_tokens:,.0f} tokens an item" if run.output_tokens is not None else ""
    tip = f"{run.name}: {percent(mean)} %{tokens}."
    return Series(
        f"{run.name}{tokens}",
        f"series {place % 8}",
        (ChartMark(0.0, mean), ChartMark(last, mean, tip=tip)),
        dashed=True,
    )
