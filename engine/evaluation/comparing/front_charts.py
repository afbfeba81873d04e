"""Score against cost, tokens and time, with the Pareto fronts, as charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial_workbench.engine.evaluation.comparing.leaderboard import COST, TIME, TOKENS, Leaderboard, LeaderboardRow
from spatial_workbench.engine.evaluation.results.chart_making import SHARE_TICKS
from spatial_workbench.engine.evaluation.results.charts import Axis, Chart, ChartKey, ChartMark, Kind, Series, percent

_DECADE = 10.0
_WIDER = 1.5
"""By how much a logarithmic axis is longer than its values, at either end."""
_MOST_NAMES = 12


@dataclass(frozen=True)
class _Measured:
    """What is measured along a chart's x axis."""

    name: str
    title: str
    axis: str
    unit: str
    figure: str


_MEASURED = (
    _Measured(COST, "Score against cost", "Cost of an answer", "$", "price"),
    _Measured(TOKENS, "Score against tokens", "Output tokens of an answer", "tokens", "number of tokens"),
    _Measured(TIME, "Score against time", "Time of an answer", "s", "time"),
)


def front_charts(found: Leaderboard) -> tuple[Chart, ...]:
    """A chart for each measure that is known of a run with a score."""
    charts = (_chart(found, measured) for measured in _MEASURED)
    return tuple(chart for chart in charts if not chart.is_empty)


def front_words(found: Leaderboard) -> tuple[str, ...]:
    """A paragraph for each measure: which runs are on its front, and of which it is not known."""
    return tuple(_words(found, measured) for measured in _MEASURED) if found.rows else ()


def _words(found: Leaderboard, measured: _Measured) -> str:
    name = measured.name
    front = [row.title for row in found.front(name)]
    unknown = _unknown(found, measured)
    drawn = _drawn(found, measured)
    if not drawn:
        return f"{measured.title}: the {measured.figure} is known of no run."
    if front:
        words = f"{measured.title}: on the Pareto front {'is' if len(front) == 1 else 'are'} {', '.join(front)}."
    else:
        words = f"{measured.title}: there is no Pareto front, since no two runs can be compared."
    if unknown:
        words += f" The {measured.figure} is not known, so these are not drawn: {', '.join(unknown)}."
    partly = [row for row in drawn if row.used[name].known < row.used[name].answers]
    if partly:
        counts = [f"{row.title} ({row.used[name].known:,} of {row.used[name].answers:,})" for row in partly]
        words += f" It is known of a part of the answers: {', '.join(counts)}."
    return words


def _drawn(found: Leaderboard, measured: _Measured) -> list[LeaderboardRow]:
    return [row for row in found.rows if row.accuracy.value is not None and row.used[measured.name].mean is not None]


def _unknown(found: Leaderboard, measured: _Measured) -> list[str]:
    return [row.title for row in found.rows if row.used[measured.name].mean is None]


def _chart(found: Leaderboard, measured: _Measured) -> Chart:
    rows = _drawn(found, measured)
    front = [row for row in found.front(measured.name) if row in rows]
    unit = "" if measured.name == TOKENS else measured.unit
    axis = amount_axis([row.used[measured.name].mean or 0.0 for row in rows], measured.axis, unit)
    others = [row for row in rows if row not in front]
    parts = (("on the Pareto front", "series 5", front, True), ("other runs", "series 0", others, False))
    series = tuple(
        Series(name, role, tuple(_mark(row, measured, axis, len(rows)) for row in of), is_joined=is_joined)
        for name, role, of, is_joined in parts
        if of
    )
    unknown = _unknown(found, measured)
    about = "Bars are intervals at 95 %. Each two runs are compared on the subtasks that both have a score for." + (
        f" The {measured.figure} is not known of {', '.join(unknown)}." if unknown else ""
    )
    return Chart(
        title=measured.title,
        about=about,
        kind=Kind.LINES,
        x=axis,
        y=Axis("Score", 0.0, 1.0, ticks=SHARE_TICKS),
        series=series,
        keys=tuple(ChartKey(part.name, part.role) for part in series),
        header=("run", f"mean {measured.name}", "score", "low", "high", "on the front", "known", "answers"),
        rows=tuple(_row(row, measured) for row in found.rows),
    )


def _row(row: LeaderboardRow, measured: _Measured) -> tuple[str | int | float | bool | None, ...]:
    used = row.used[measured.name]
    ends = row.interval or (None, None)
    is_in_front = measured.name in row.fronts
    return (row.title, used.mean, row.accuracy.value, *ends, is_in_front, used.known, used.answers)


def _mark(row: LeaderboardRow, measured: _Measured, axis: Axis, count: int) -> ChartMark:
    amount = row.used[measured.name].mean or 0.0
    value = row.accuracy.value or 0.0
    is_in_front = measured.name in row.fronts
    ends = row.interval
    interval = f" [{percent(ends[0])} to {percent(ends[1])}]" if ends else ""
    tip = f"{row.title}: {percent(value)}{interval}, {plain_amount(amount)} {measured.unit} an answer"
    tip += f", {row.accuracy.n:,} of {row.accuracy.total:,} subtasks"
    tip += ", on the Pareto front." if is_in_front else "."
    low, high = ends or (None, None)
    text = row.title if is_in_front or count <= _MOST_NAMES else ""
    return ChartMark(max(amount, axis.low), value, low=low, high=high, text=text, tip=tip)


def amount_axis(values: Sequence[float], title: str, unit: str) -> Axis:
    """An axis for amounts: logarithmic if they span more than a decade.

    On a logarithmic axis, amounts of 0 are at its left end, which says so.
    """
    above = [value for value in values if value > 0]
    if not above or max(above) <= _DECADE * min(above):
        high = 1.08 * max(above, default=1.0)
        return Axis(title, 0.0, high, unit, _even_ticks(high))
    low, high = min(above) / _WIDER, max(above) * _WIDER
    ticks = _log_ticks(low, high)
    if len(above) < len(values):
        low = min(above) / _DECADE
        ticks = ((low, "0"), *ticks)
    return Axis(title, low, high, f"{unit}, log scale".removeprefix(", "), ticks, is_log=True)


def _even_ticks(high: float) -> tuple[tuple[float, str], ...]:
    """Five to ten ticks from 0."""
    power = 10.0 ** _power_of(high)
    step = next(power * factor / 10 for factor in (1, 2, 5, 10) if high / (power * factor / 10) <= _DECADE)
    return tuple((step * k, plain_amount(step * k)) for k in range(int(high / step) + 1))


def _log_ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    powers = range(_power_of(low), _power_of(high) + 1)
    factors = (1, 2, 5) if len(powers) <= 3 else (1,)
    values = (factor * 10.0**power for power in powers for factor in factors)
    return tuple((value, plain_amount(value)) for value in values if low <= value <= high)


def _power_of(value: float) -> int:
    from math import floor, log10

    return floor(log10(value))


def plain_amount(value: float) -> str:
    """An amount with three digits: "0.0012", "3.4", "12,000"."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value == 0 or value >= 1e-4 else f"{value:.0e}"
