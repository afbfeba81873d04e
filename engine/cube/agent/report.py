"""A report on runs as one HTML page: rates by setting and horizon beside the published ones, by depth, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from engine.core.rates import Rate
from engine.cube.agent.metrics import Gap, Summary, by_cell, by_depth, diagnosis
from engine.cube.agent.records import RunRecord, Setting
from engine.cube.published import SLIPS, PublishedResult, published_results

Runs = Mapping[str, Sequence[RunRecord]]
"""Runs by the name of the model."""

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2.5rem auto; max-width: 72rem; padding: 0 1rem; color: #1b1f27; }
table { border-collapse: collapse; margin: 0.5rem 0 2rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #d9dde5; padding: 0.35rem 0.8rem; text-align: right; white-space: nowrap; }
.name { text-align: left; }
.published td { color: #5a6272; }
small { color: #5a6272; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1e24; color: #e8eaee; }
  th, td { border-color: #383d47; }
  .published td, small { color: #a3aab8; }
}
"""
_CELLS = [(setting, horizon) for setting in Setting for horizon in ("short", "long")]


def report_html(runs: Runs) -> str:
    """The report as a page of its own; see `report_body`."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Cube: results of agents</title>'
        f"<style>{_STYLE}</style><body><h1>Cube: results of agents</h1>\n{report_body(runs)}</body></html>"
    )


def report_body(runs: Runs) -> str:
    """The report without its title, to stand inside a page.

    Args:
        runs: By model, in the order in which they shall stand.
    """
    parts = [
        "<p>Rates over all runs, with the Wilson interval at 95 % and the number of runs. Published rates are over 20 "
        "runs each.</p>",
        "<h2>Pass rate by setting and horizon</h2>",
        _cell_table(runs),
        "<h2>Moves, by depth</h2>",
        *(_depth_table(model, records) for model, records in runs.items()),
        "<h2>What the differences tell</h2>",
        *(_gap_table(model, diagnosis(records)) for model, records in runs.items()),
        "<h2>About the published numbers</h2>",
        _list(f"{place}: {words}" for place, words in SLIPS.items()),
    ]
    return "\n".join(parts)


def _cell_table(runs: Runs) -> str:
    head = ["", *(f"{setting.replace('_', ' ')}, {horizon}" for setting, horizon in _CELLS)]
    rows = []
    for model, records in runs.items():
        cells = by_cell([run for run in records if run.uses_code])
        rows.append(_row([model, *(_rate(cells[f"{setting}_{horizon}"].passed) for setting, horizon in _CELLS)]))
    for name, values in _published_rates().items():
        shown = [f"{values[cell]:.2f}" if cell in values else "–" for cell in _CELLS]
        rows.append(_row([f"{name} (published)", *shown], "published"))
    return _table(head, rows)


def _published_rates() -> dict[str, dict[tuple[Setting, str], float]]:
    """Pass rates of tables 2 and 4 by model and agent."""
    found: dict[str, dict[tuple[Setting, str], float]] = {}
    for result in published_results():
        if result.metric == "pass_rate" and result.table in (2, 4) and result.uses_code:
            cells = found.setdefault(_name_of(result), {})
            cells.setdefault((Setting(result.setting), result.horizon), result.value)
    return found


def _name_of(result: PublishedResult) -> str:
    return result.model if result.agent == "basic" else f"{result.model}, {result.agent}"


def _depth_table(model: str, records: Sequence[RunRecord]) -> str:
    head = [model, "passed", "#MM", "#MM solved", "#MM most", "#MR", "steps", "tokens", "cost"]
    rows = [_row([f"depth {depth}", *_numbers(found)]) for depth, found in by_depth(records).items()]
    return _table(head, rows)


def _numbers(found: Summary) -> list[str]:
    cost = f"{found.cost_usd:.2f} USD" if found.cost_usd is not None else "–"
    middle = (found.moves, found.moves_solved, found.moves_most, found.ratio, found.steps, found.tokens)
    return [_rate(found.passed), *(_number(value) for value in middle), cost]


def _gap_table(model: str, gaps: Sequence[Gap]) -> str:
    head = [model, "first", "second", "difference"]
    rows = [
        _row([
            f"{gap.isolates}: {gap.first} → {gap.second}",
            _rate(gap.rates[0]), _rate(gap.rates[1]), _difference(gap),
        ])
        for gap in gaps if gap.difference is not None
    ]  # fmt: skip
    return _table(head, rows) if rows else f"<p>{escape(model)}: there are no two groups of runs to compare yet.</p>"


def _difference(gap: Gap) -> str:
    low, high = gap.interval
    return f"{gap.difference:+.2f} [{low:+.2f}, {high:+.2f}]"


def _rate(rate: Rate) -> str:
    if rate.value is None:
        return "–"
    low, high = rate.interval
    return f"{rate.value:.2f} [{low:.2f}, {high:.2f}] n={rate.n}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.2f}".rstrip("0").rstrip(".")


def _row(cells: Sequence[str], kind: str = "") -> str:
    inside = _cells("td", cells)
    return f'<tr class="{kind}">{inside}</tr>' if kind else f"<tr>{inside}</tr>"


def _table(head: Sequence[str], rows: Sequence[str]) -> str:
    top = _cells("th", head)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cells(tag: str, cells: Sequence[str]) -> str:
    name, *values = cells
    return f'<{tag} class="name">{escape(name)}</{tag}>' + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in values)


def _list(lines: Iterator[str]) -> str:
    return f"<ul>{''.join(f'<li><small>{escape(line)}</small></li>' for line in lines)}</ul>"
