"""The results of agents on the cube: rates by setting and horizon beside the published ones, moves, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.agent.metrics import CubeSummary, Gap, by_cell, by_depth, diagnosis, horizon_of
from spatial_workbench.engine.cube.agent.records import CubeSetting, RunRecord
from spatial_workbench.engine.cube.cubebench import RUNS_PER_RATE, SLIPS, PublishedResult, published_results
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
    percent,
    span,
)
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import grouped, people_estimates

Runs = Mapping[str, Sequence[RunRecord]]
"""Runs by the name of the agent."""

_CELLS = [(setting, horizon) for setting in CubeSetting for horizon in ("short", "long")]
_FIELDS = ("rate", "low", "high", "solved", "runs")


def cube_tables(runs: Runs, with_published: bool = True, people: Sequence[Scored] = ()) -> tuple[Table, ...]:
    """All tables; a table of gaps only if there are two groups of runs to compare.

    `people` are the trials of studies, which have no record of steps.
    """
    gaps = [table for name, records in runs.items() if (table := _gap_table(name, diagnosis(records))) is not None]
    depths = [_depth_table(name, records) for name, records in runs.items()]
    return (_cell_table(runs, with_published, people), *depths, *gaps)


def _cell_table(runs: Runs, with_published: bool, people: Sequence[Scored]) -> Table:
    theirs = _published_lines() if with_published else ()
    source = [Heading("Source", is_text=True)] if with_published else []
    lines = [_own_line(name, records, with_published) for name, records in runs.items()]
    lines += [_people_line(name, of, with_published) for name, of in grouped(people, lambda item: item.model).items()]
    return Table(
        title="Pass rate by setting and horizon",
        first="Agent",
        headings=(
            *(Heading(f"{setting.replace('_', ' ')}, {horizon}", "%", "", _FIELDS) for setting, horizon in _CELLS),
            *source,
        ),
        lines=(*lines, *theirs),
        notes=tuple(TableNote(f"{place}: {words}") for place, words in SLIPS.items()) if with_published else (),
        about=f"Runs that write code. Published rates are over {RUNS_PER_RATE} runs each, as printed.",
    )


def _own_line(name: str, records: Sequence[RunRecord], with_source: bool) -> TableLine:
    cells = by_cell([run for run in records if run.uses_code])
    rates = [_rate(cells[f"{setting}_{horizon}"].passed) for setting, horizon in _CELLS]
    return TableLine(name, (*rates, *([TableCell("this project", values=("",))] if with_source else [])))


def _people_line(name: str, items: Sequence[Scored], with_source: bool) -> TableLine:
    """The people of a study, with intervals over people."""
    cells = grouped(items, lambda item: (item.task.removeprefix("cube_"), horizon_of(item.depth)))
    rates = [_people_rate(cells.get((setting.value, horizon), [])) for setting, horizon in _CELLS]
    return TableLine(name, (*rates, *([TableCell("this project", values=("",))] if with_source else [])))


def _people_rate(items: Sequence[Scored]) -> TableCell:
    if not items:
        return TableCell(tip="not asked")
    _, rate = people_estimates(items)
    solved = sum(bool(item.passed) for item in items)
    ends = None if rate.low is None or rate.high is None else (rate.low, rate.high)
    detail = f"{counted(rate.people, 'person', 'people')} · {span(ends) if ends else 'too few people'}"
    tip = f"{solved} of {counted(len(items), 'trial')} solved; the interval is over people"
    return TableCell(percent(rate.value, 0), detail, tip, (rate.value, *(ends or (None, None)), solved, len(items)))


def _published_lines() -> tuple[TableLine, ...]:
    """Pass rates of tables 2 and 4 by model and agent."""
    by_model: dict[str, dict[tuple[CubeSetting, str], PublishedResult]] = {}
    for result in published_results():
        if result.metric == "pass_rate" and result.table in (2, 4) and result.uses_code:
            by_model.setdefault(_name_of(result), {}).setdefault((CubeSetting(result.setting), result.horizon), result)
    return tuple(_published_line(name, cells) for name, cells in by_model.items())


def _published_line(name: str, cells: Mapping[tuple[CubeSetting, str], PublishedResult]) -> TableLine:
    tables = ", ".join(str(number) for number in sorted({result.table for result in cells.values()}))
    source = f"CubeBench, table {tables}"
    rates = [_published_rate(cells.get(cell), source) for cell in _CELLS]
    return TableLine(f"{name} (published)", (*rates, TableCell(source, values=(source,))), is_published=True)


def _published_rate(result: PublishedResult | None, source: str) -> TableCell:
    if result is None:
        return TableCell(tip="not reported")
    rate = Rate(round(result.value * RUNS_PER_RATE), RUNS_PER_RATE)
    detail = f"n {RUNS_PER_RATE} · {span(rate.interval)}"
    return TableCell(percent(result.value, 0), detail, source, (result.value, *rate.interval, rate.hits, RUNS_PER_RATE))


def _name_of(result: PublishedResult) -> str:
    return result.model if result.agent == "basic" else f"{result.model}, {result.agent}"


def _depth_table(name: str, records: Sequence[RunRecord]) -> Table:
    return Table(
        title=f"{name}: moves by depth",
        first="Depth",
        headings=(
            Heading("Passed", "%", "Solved runs of all runs", _FIELDS),
            Heading("#MM", "moves", "Mean over runs that ended normally"),
            Heading("#MM solved", "moves", "Mean over solved runs"),
            Heading("#MM most", "moves", "Most moves of a run that ended normally"),
            Heading("#MR", tip="Moves made per move needed"),
            Heading("Steps", tip="Mean over all runs"),
            Heading("Tokens", tip="Mean over the runs for which it is known"),
            Heading("Cost", "USD", "Sum over the runs for which it is known"),
        ),
        lines=tuple(_depth_line(depth, summary) for depth, summary in by_depth(records).items()),
    )


def _depth_line(depth: int, summary: CubeSummary) -> TableLine:
    figures = (summary.moves, summary.moves_solved, summary.moves_most, summary.ratio, summary.steps, summary.tokens)
    return TableLine(str(depth), (_rate(summary.passed), *map(number_cell, figures), number_cell(summary.cost_usd)))


def _gap_table(name: str, gaps: Sequence[Gap]) -> Table | None:
    lines = tuple(_gap_lines(gaps))
    if not lines:
        return None
    return Table(
        title=f"{name}: what the differences show",
        first="Ability",
        headings=(
            Heading("First", "%", "", _FIELDS),
            Heading("Second", "%", "", _FIELDS),
            Heading("Difference", "points", "Second minus first", ("difference", "low", "high")),
            Heading("Compared", is_text=True),
        ),
        lines=lines,
        about="Two groups of runs that differ in one ability; the interval of the difference is Newcombe's.",
    )


def _gap_lines(gaps: Sequence[Gap]) -> Iterator[TableLine]:
    for gap in gaps:
        if gap.difference is None:
            continue
        low, high = gap.interval
        detail = f"{100 * low:+.0f} to {100 * high:+.0f}"
        difference = TableCell(f"{100 * gap.difference:+.0f}", detail, "", (gap.difference, low, high))
        compared = f"{gap.first} → {gap.second}"
        title = gap.isolates[0].upper() + gap.isolates[1:]
        yield TableLine(
            title, (*map(_rate, gap.rates), difference, TableCell(compared, tip=compared, values=(compared,)))
        )


def _rate(rate: Rate) -> TableCell:
    if rate.value is None:
        return TableCell()
    values = (rate.value, *rate.interval, rate.hits, rate.n)
    tip = f"{rate.hits} of {rate.n} solved; 95 % interval {span(rate.interval)} %"
    return TableCell(percent(rate.value, 0), f"n {rate.n} · {span(rate.interval)}", tip, values)
