"""Makes the charts of evaluations as plain data, from records and metrics. Free of Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core import headline_of, measured_text
from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.cube.agent.metrics import by_depth
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.columns import ScoredColumns, columns_of, groups
from spatial_workbench.engine.evaluation.failure_modes import FailureMode, FailureModes, failure_modes
from spatial_workbench.engine.evaluation.results.charts import (
    Axis,
    Chart,
    ChartKey,
    ChartMark,
    ChartTarget,
    Kind,
    Series,
    natural,
    nice_ticks,
    percent,
    short,
)
from spatial_workbench.engine.evaluation.results.colors import model_roles
from spatial_workbench.engine.evaluation.scbench import PublishedFailureModes, published
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import OVERRIDDEN, ScoreColumn, by_run, grouped
from spatial_workbench.engine.evaluation.sweep import SweepPoint, published_points

SHARE_TICKS = tuple((share / 4, f"{25 * share} %") for share in range(5))
LABEL_FROM = 0.04
"""Smaller shares are not labelled in the bar (SCBench, failure modes)."""
SHORT_LABELS = {
    FailureMode.EVASION: "Evasion",
    FailureMode.TRIVIALIZED: "Trivialized",
    FailureMode.NEAR_MISS: "Near-miss",
    FailureMode.LOCAL_ONLY: "Local-only",
    FailureMode.RUNAWAY: "Runaway",
}
FEWEST_CELLS = 24
"""A row has room for at least this many cells, so that the cells of a short row do not become broad bands."""
_ERROR = "error"
_NOT_ASKED = "not asked"
_NO_SCORE = "no score yet"


def sweep_chart(own: Sequence[SweepPoint], with_published: bool = True) -> Chart:
    """Accuracy against the output tokens used: a line per model, a point per budget, beside the published sweep."""
    points = [*own, *(published_points() if with_published else ())]
    drawn = [point for point in points if point.mean_output_tokens and point.accuracy.value is not None]
    lines = grouped(drawn, lambda point: (point.model, point.source))
    titles = {model.id: model.title for model in published().models}
    roles = model_roles(model for model, _ in lines)
    series = tuple(
        Series(
            f"{titles.get(model, model)} (published)" if source else model,
            roles[model],
            tuple(_sweep_mark(point) for point in of),
            dashed=bool(source),
        )
        for (model, source), of in lines.items()
    )
    tokens = [point.mean_output_tokens or 1.0 for point in drawn] or [100.0, 10_000.0]
    low, high = min(tokens) / 1.4, max(tokens) * 1.4
    return Chart(
        title="Accuracy against output tokens",
        about="Axiomatic bucket without tools. A point is a budget; bars are Wilson intervals at 95 %."
        + (f" Published: {_sources(point.source for point in points)}." if with_published else ""),
        kind=Kind.LINES,
        x=Axis("Mean output tokens", low, high, "log scale", nice_ticks(low, high), is_log=True),
        y=Axis("Accuracy", 0.0, 1.0, ticks=SHARE_TICKS),
        series=series,
        keys=tuple(ChartKey(line.name, line.role, dashed=line.dashed) for line in series),
        header=(
            *("model", "budget", "mean output tokens", "accuracy", "low", "high"),
            *("subtasks", "of subtasks", "source"),
        ),
        rows=tuple(
            (
                *(point.model, point.budget, point.mean_output_tokens, point.accuracy.value, *point.accuracy.interval),
                *(point.accuracy.n, point.accuracy.total, point.source),
            )
            for point in points
        ),
    )


def _sweep_mark(point: SweepPoint) -> ChartMark:
    value = point.accuracy.value or 0.0
    low, high = point.accuracy.interval
    tokens = point.mean_output_tokens or 1.0
    tip = (
        f"{point.model}, budget {point.budget:,}: {percent(value)} [{percent(low)} to {percent(high)}], "
        f"{tokens:,.0f} tokens on average, {point.accuracy.coverage}."
    )
    target = None if point.source else ChartTarget(model=f"{point.model}-{point.budget}", tools=False)
    return ChartMark(tokens, value, low=low, high=high, text=short(point.budget), tip=tip, target=target)


def failure_chart(records: Iterable[Scored], with_published: bool = True) -> Chart:
    """How each run's labelled failures spread over the failure modes, beside the published runs."""
    modes = failure_modes(records)
    runs = [_own_failures(column, modes[column]) for column in in_order(modes) if modes[column].judged.hits]
    if with_published:
        runs += [_published_failures(run) for run in published().failure_modes]
    labels = list(FailureMode)
    series = tuple(
        Series(
            label.value,
            f"series {i}",
            tuple(_segment(run, labels, i, row) for row, run in enumerate(runs)),
        )
        for i, label in enumerate(labels)
    )
    return Chart(
        title="Failure modes",
        about="Shares of the failed attempts that a judge labelled."
        + (f" Published: {_sources(run.source for run in runs)}." if with_published else ""),
        kind=Kind.BARS,
        x=Axis("Share of labelled attempts", 0.0, 1.0, ticks=SHARE_TICKS),
        y=Axis("", -0.5, len(runs) - 0.5, ticks=tuple((i, run.title) for i, run in enumerate(runs)), is_category=True),
        series=series if runs else (),
        keys=tuple(ChartKey(SHORT_LABELS[label], f"series {i}") for i, label in enumerate(labels)),
        header=("run", "tools", "labelled", *(label.value for label in labels), "source"),
        rows=tuple(
            (run.column.model, run.column.tools, run.judged, *(run.counts[label] for label in labels), run.source)
            for run in runs
        ),
    )


class _Failures:
    """A run's labelled failures, our own or published."""

    def __init__(self, column: ScoreColumn, title: str, counts: Mapping[FailureMode, int], source: str = "") -> None:
        self.column = column
        self.title = title
        self.counts = counts
        self.source = source
        self.judged = sum(counts.values())


def _own_failures(column: ScoreColumn, modes: FailureModes) -> _Failures:
    return _Failures(column, f"{column.title}  n={modes.judged.hits}", modes.counts)


def _published_failures(run: PublishedFailureModes) -> _Failures:
    title = next(model.title for model in published().models if model.id == run.model)
    counts = {label: run.counts.get(label.value, 0) for label in FailureMode}
    name = f"{title}, {'tools' if run.tools else 'no tools'} (published)  n={run.judged}"
    return _Failures(ScoreColumn(run.model, run.tools), name, counts, run.source)


def _segment(run: _Failures, labels: Sequence[FailureMode], index: int, row: int) -> ChartMark:
    before = sum(run.counts[label] for label in labels[:index]) / run.judged
    label = labels[index]
    count = run.counts[label]
    share = count / run.judged
    target = None if run.source else ChartTarget(model=run.column.model, tools=run.column.tools, label=label.value)
    tip = f"{run.title.partition('  ')[0]}: {label.value}, {count} of {run.judged} ({percent(share)})."
    return _part_of_bar(before, share, row, tip, target)


def _part_of_bar(before: float, share: float, row: int, tip: str, target: ChartTarget | None) -> ChartMark:
    """A part of a row's bar, behind the parts before it."""
    text = f"{100 * share:.0f} %" if share >= LABEL_FROM else ""
    return ChartMark(before + share / 2, row, width=share, height=0.62, text=text, tip=tip, target=target)


def reading_chart(records: Iterable[Scored]) -> Chart:
    """How the answers of each run were read: format told apart from ability."""
    records = columns_of(records)
    has_ended = ~records.text("state").is_any(Ending.UNFINISHED)
    runs = by_run(records.at(has_ended & ~records.text("how_read").is_any(None)))
    columns = in_order(runs)
    counts = {column: runs[column].text("how_read").counts() for column in columns}
    titles = [f"{column.title}  n={counts[column].total()}" for column in columns]
    series = tuple(
        Series(how.value, f"series {i}", tuple(_read_mark(c, counts[c], how, row) for row, c in enumerate(columns)))
        for i, how in enumerate(HowRead)
    )
    return Chart(
        title="How answers were read",
        about="Shares of all questions that have ended. A click lists the attempts.",
        kind=Kind.BARS,
        x=Axis("Share of questions", 0.0, 1.0, ticks=SHARE_TICKS),
        y=Axis("", -0.5, len(columns) - 0.5, ticks=tuple(enumerate(titles)), is_category=True),
        series=series if columns else (),
        keys=tuple(ChartKey(how.value, f"series {i}") for i, how in enumerate(HowRead)),
        header=("run", "tools", *(how.value for how in HowRead)),
        rows=tuple((c.model, c.tools, *(counts[c][how] for how in HowRead)) for c in columns),
    )


def _read_mark(column: ScoreColumn, counts: Counter[str | None], how: HowRead, row: int) -> ChartMark:
    total = counts.total()
    before = sum(counts[other] for other in list(HowRead)[: list(HowRead).index(how)]) / total
    share = counts[how] / total
    tip = f"{column.title}: {how.value}, {counts[how]} of {total} ({percent(share)})."
    target = ChartTarget(model=column.model, tools=column.tools, how_read=how.value)
    return _part_of_bar(before, share, row, tip, target)


def subtask_chart(records: Iterable[Scored], task: str, title: str) -> Chart:
    """The score of each run at each published subtask of a task. Repeats are averaged; a click opens the last one."""
    records = columns_of(records)
    items = records.at(records.text("task").is_any(task) & np.isfinite(records.figures("number")))
    runs = {column: _BySubtask(of) for column, of in by_run(items).items()}
    columns = in_order(runs)
    numbers = [int(number) for number in np.unique(items.figures("number")).tolist()]
    rows = tuple(_subtask_row(column, runs[column], numbers, row) for row, column in enumerate(columns))
    return Chart(
        title=title,
        about=_about_subtasks(task, items),
        kind=Kind.CELLS,
        x=Axis(
            "Subtask",
            -0.5,
            max(len(numbers), FEWEST_CELLS) - 0.5,
            ticks=tuple((i, str(n)) for i, n in enumerate(numbers)),
            is_category=True,
        ),
        y=Axis(
            "",
            -0.5,
            len(columns) - 0.5,
            ticks=tuple((i, column.title) for i, column in enumerate(columns)),
            is_category=True,
        ),
        series=rows,
        keys=(
            ChartKey("passed", "series 0"),
            ChartKey("in part", "series 0", _strength(0.5)),
            ChartKey("score 0", "series 0", _strength(0.0)),
            ChartKey("error", "series 5", 0.75),
            ChartKey("not asked", "not_reached", 0.25),
        ),
        header=("run", "tools", *(f"{task}:{number}" for number in numbers)),
        rows=tuple((column.model, column.tools, *map(runs[column].mean_value, numbers)) for column in columns),
    )


def _about_subtasks(task: str, items: ScoredColumns) -> str:
    headline = headline_of(task) if np.isfinite(items.figures("measured")).any() else None
    what = "Score" if headline is None else f"{headline.label} in {headline.unit} (the colour is the score)"
    return f"{what} by subtask; repeats are averaged. A click shows the newest attempt."


class _BySubtask:
    """What a run did at the subtasks of a task, by the number of the subtask."""

    def __init__(self, items: ScoredColumns) -> None:
        self.task = items.text("task").words[items.text("task").codes[0]]
        self._rows = {number: rows.tolist() for number, rows in groups(items.figures("number").astype(np.int64))}
        self._figures = {name: items.figures(name).tolist() for name in ("value", "measured", "attempt")}
        self._texts = {name: items.text(name).texts() for name in ("state", "error", "override")}

    def count(self, number: int) -> int:
        """How many items there are."""
        return len(self._rows.get(number, ()))

    def known(self, name: str, number: int) -> list[float]:
        """The figures of that name that are known."""
        column = self._figures[name]
        return [value for row in self._rows.get(number, ()) if (value := column[row]) == value]

    def texts(self, name: str, number: int) -> list[Any]:
        """The texts of that name."""
        return [self._texts[name][row] for row in self._rows[number]]

    def mean_value(self, number: int) -> float | None:
        """The mean of the items that have a score; None if none has."""
        values = self.known("value", number)
        return sum(values) / len(values) if values else None


def _subtask_row(column: ScoreColumn, of: _BySubtask, numbers: Sequence[int], row: int) -> Series:
    marks = (_cell(column, number, of, i, row) for i, number in enumerate(numbers))
    return Series(column.title, "series 0", tuple(marks))


def _cell(column: ScoreColumn, number: int, of: _BySubtask, x: int, y: int) -> ChartMark:
    count = of.count(number)
    if not count:
        return ChartMark(x, y)
    value = of.mean_value(number)
    attempts = of.known("attempt", number)
    states = set(of.texts("state", number))
    text = "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")
    role = "series 0"
    strength = _strength(value or 0.0)
    words = "" if value is not None else _NO_SCORE
    metres = of.known("measured", number)
    score = "" if value is None else f"score {value:.2f}"
    if metres:
        shown = measured_text(of.task, sum(metres) / len(metres))
        text = shown.partition(" ")[0]
        score = f"{shown}, {score}"
    if states == {Ending.NOT_ASKED}:
        text = "–"
        role = "not_reached"
        strength = 0.25
        words = _NOT_ASKED
    elif states == {Ending.ERROR}:
        text = "!"
        role = "series 5"
        strength = 0.75
        words = f"{_ERROR}: {of.texts('error', number)[-1] or 'unknown'}"
    with_score = len(of.known("value", number))
    repeats = f", mean of {with_score}" if with_score > 1 else ""
    repeats += f", {count - with_score} without a score" if 0 < with_score < count else ""
    overrides = [words for words in of.texts("override", number) if words]
    text += OVERRIDDEN if overrides else ""
    tip = f"{column.title}, subtask {number}: {words or f'{score}{repeats}'}."
    tip += f" Overridden: {'; '.join(overrides)}." if overrides else ""
    target = ChartTarget(attempt=int(attempts[-1]), model=column.model, tools=column.tools) if attempts else None
    return ChartMark(x, y, 0.94, 0.86, text=text, tip=tip, role=role, strength=strength, target=target)


def in_order(columns: Iterable[ScoreColumn]) -> list[ScoreColumn]:
    """Runs in natural order of their names; of one name, the run without tools comes first."""
    return sorted(columns, key=lambda column: (natural(column.model), column.tools))


def _strength(value: float) -> float:
    """How strong the colour of a score is; a score of 0 still shows."""
    return 0.08 + 0.92 * value


def depth_chart(runs: Mapping[str, Sequence[RunRecord]]) -> Chart:
    """The pass rate of agents on the cube by the depth of the start."""
    by_agent = {name: by_depth(records) for name, records in runs.items()}
    depths = sorted({depth for rates in by_agent.values() for depth in rates})
    places = {depth: i for i, depth in enumerate(depths)}
    # Points of several agents at one depth stand side by side, so that their intervals can be read.
    shift = {name: 0.1 * (i - (len(by_agent) - 1) / 2) for i, name in enumerate(by_agent)}
    roles = model_roles(by_agent)
    series = tuple(
        Series(
            name,
            roles[name],
            tuple(_depth_mark(name, places[depth] + shift[name], depth, rate.passed) for depth, rate in rates.items()),
        )
        for name, rates in by_agent.items()
    )
    return Chart(
        title="Pass rate by depth",
        about="Agents on the cube, over all settings. Bars are Wilson intervals at 95 %.",
        kind=Kind.LINES,
        x=Axis("Depth of the start", -0.5, max(len(depths) - 0.5, 0.5), "half-turn moves", _depth_ticks(depths)),
        y=Axis("Pass rate", 0.0, 1.0, ticks=SHARE_TICKS),
        series=series,
        keys=tuple(ChartKey(line.name, line.role) for line in series),
        header=("agent", "depth", "pass rate", "low", "high", "solved", "runs"),
        rows=tuple(
            (name, depth, summary.passed.value, *summary.passed.interval, summary.passed.hits, summary.passed.n)
            for name, rates in by_agent.items()
            for depth, summary in rates.items()
        ),
    )


def _depth_ticks(depths: Sequence[int]) -> tuple[tuple[float, str], ...]:
    return tuple((i, str(depth)) for i, depth in enumerate(depths))


def _depth_mark(name: str, x: float, depth: int, rate: Rate) -> ChartMark:
    low, high = rate.interval
    tip = f"{name}, depth {depth}: {rate.hits} of {rate.n} solved [{percent(low)} to {percent(high)}]."
    return ChartMark(x, rate.value or 0.0, low=low, high=high, tip=tip, target=ChartTarget(model=name))


def _sources(sources: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, sources)))
