"""Results as one self-contained HTML file without scripts, for light and dark screens and for printing. Free of Qt."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.charts import Chart, ChartKey, ChartMark, Kind
from spatial_workbench.engine.evaluation.results.contents import ReportSection, Results
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine

_COLORS = {"series 0": "#0072B2", "series 5": "#D55E00", "not_reached": "#8A93A1"}
_SIGNS = {"passed": "✓", "failed": "✗", "not reached": "–"}
_MOST_ELEMENTS = 200
_TINT = re.compile(r'class="tint-(\d)-(\d{1,3})')
_HOW_TO_TURN = "Turn opens an attempt in space: drag to turn, wheel to zoom. A check shows the elements that it names."
_STRONG_FROM = 0.62
"""From this strength on, a cell's text is white."""


@dataclass(frozen=True)
class HtmlModel:
    """An attempt in space: a binary glTF file in base64, and the names of its nodes by the elements' ids."""

    glb: str
    nodes: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class CheckLine:
    """A check: "passed", "failed" or "not reached", its name, what it says, and the elements that it names."""

    state: str
    name: str
    message: str = ""
    elements: Sequence[str] = ()


@dataclass(frozen=True)
class AttemptPicture:
    """An attempt's picture.

    Attributes:
        data: The picture as a JPEG file.
        number: Of the attempt.
        model: None if it does not lie in space.
    """

    title: str
    caption: str
    data: bytes
    number: int = 0
    model: HtmlModel | None = None
    checks: Sequence[CheckLine] = ()


@dataclass(frozen=True)
class Turner:
    """What makes models turn: the viewer as a page, and the script that opens it."""

    viewer: str
    script: str


@dataclass(frozen=True)
class ChartSvg:
    """A chart as SVG, for light and for dark screens."""

    light: str
    dark: str


def report_html(
    name: str,
    at: datetime,
    results: Results,
    charts: Mapping[str, ChartSvg],
    drawings: Sequence[AttemptPicture] = (),
    turner: Turner | None = None,
) -> str:
    """The report. It has scripts only where attempts turn.

    Args:
        name: Of the project.
        charts: The charts that are drawn, by title; cells become tables.
    """
    parts = [
        *_head(name, at, results, bool(drawings)),
        *sections_html(results.sections, charts),
        *_gallery(drawings, "The best attempt at each task."),
        *_turning_parts(drawings, turner),
    ]
    return page_html(f"Results: {name}", parts, turner)


def turning_html(title: str, at: datetime, drawings: Sequence[AttemptPicture], turner: Turner | None) -> str:
    """Attempts as a page of their own, with all their checks."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">{at:%d %B %Y, %H:%M} UTC. Made with Spatial Workbench.</p>',
        *_gallery(drawings, _HOW_TO_TURN if turner else ""),
        *_turning_parts(drawings, turner),
    ]
    return page_html(title, parts, turner)


def page_html(title: str, parts: Iterable[str], turner: Turner | None = None) -> str:
    """A page in the style of reports, without anything from elsewhere, and without scripts but those of the turner."""
    body = "\n".join(parts)
    style = _style() + _tints(body)
    scripts = [] if turner is None else [turner.script, *_inline("script", turner.viewer)]
    styles = [style] if turner is None else [style, *_inline("style", turner.viewer)]
    begin = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts, styles)}">',
        f"<title>{escape(title)}</title>",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{style}</style></head><body><main>",
    ]
    return "\n".join([*begin, body, "</main></body></html>\n"])


def _policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """What a page may use: its own scripts and styles, known by their hashes, and pictures that it holds itself.

    The viewer in its frame has no policy of its own and inherits this one.
    """
    rules = {
        "default-src": "'none'",
        "script-src": _sources(scripts),
        "style-src": _sources(styles),
        "img-src": "data: blob:",
        "connect-src": "data: blob:" if scripts else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _sources(parts: Sequence[str]) -> str:
    return " ".join(f"'sha256-{_digest(part)}'" for part in dict.fromkeys(parts)) or "'none'"


def _digest(part: str) -> str:
    # A browser reads every line end as a line feed before it computes the hash.
    text = part.replace("\r\n", "\n").replace("\r", "\n")
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _inline(tag: str, page: str) -> list[str]:
    """The contents of a page's elements of a kind."""
    return re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)


def sections_html(sections: Iterable[ReportSection], charts: Mapping[str, ChartSvg]) -> Iterator[str]:
    """Sections with their tables and charts, of which `charts` holds the drawn ones by title."""
    return (part for section in sections for part in _section(section, charts))


def links_html(links: Iterable[tuple[str, str]]) -> str:
    """A line of links to the parts of a page, by their ids."""
    return f"<nav>{''.join(f'<a href=#{key}>{escape(title)}</a>' for key, title in links)}</nav>"


def _head(name: str, at: datetime, results: Results, has_drawings: bool) -> Iterator[str]:
    chosen = results.choice.batches
    names = dict(results.batches)
    which = "all batches" if chosen is None else ", ".join(f"{n} {names.get(n, '')}".strip() for n in chosen)
    yield f"<h1>Results: {escape(name)}</h1>"
    yield (
        f'<p class="quiet">{counted(results.runs, "run")}, {counted(results.attempts, "attempt")}, {escape(which)}. '
        f"{at:%d %B %Y, %H:%M} UTC. Made with Spatial Workbench.</p>"
    )
    yield from (f"<p>{escape(remark)}</p>" for remark in results.remarks)
    links = [(section.id, section.title) for section in results.sections]
    links += [("attempts", "Attempts, drawn")] if has_drawings else []
    yield links_html(links)


def _section(section: ReportSection, charts: Mapping[str, ChartSvg]) -> Iterator[str]:
    yield f'<section id="{section.id}"><h2>{escape(section.title)}</h2>'
    if section.lacking:
        yield f'<p class="quiet">{escape(section.lacking)}</p>'
    yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.words)
    cells = [chart for chart in section.charts if chart.kind is Kind.CELLS]
    if cells:
        yield _keys(cells[0].keys)
    yield from (_strip(chart) for chart in cells)
    yield from (_chart(chart, charts[chart.title]) for chart in section.charts if chart.title in charts)
    yield from (_table(table) for table in section.tables)
    yield "</section>"


def _chart(chart: Chart, drawn: ChartSvg) -> str:
    light, dark = (_data_url("image/svg+xml", text.encode()) for text in (drawn.light, drawn.dark))
    return (
        '<div class="card chart"><picture><source media="screen and (prefers-color-scheme: dark)" '
        f'srcset="{dark}"><img src="{light}" alt="{escape(f"{chart.title}. {chart.description}")}"></picture></div>'
    )


def _strip(chart: Chart) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for _, text in chart.x.ticks)
    rows = (
        f"<tr><th>{escape(series.name)}</th>{''.join(map(_strip_cell, series.marks))}</tr>" for series in chart.series
    )
    return (
        f'<div class="card"><h3>{escape(chart.title)}</h3><div class="wide"><table class="strip"><thead><tr><th></th>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def _strip_cell(mark: ChartMark) -> str:
    if mark.width <= 0:
        return "<td></td>"
    strong = " strong" if mark.strength > _STRONG_FROM else ""
    tint = _tint(mark.role, mark.strength)
    return f'<td title="{escape(mark.tip)}"><span class="{tint}{strong}">{escape(mark.text)}</span></td>'


def _keys(keys: Sequence[ChartKey]) -> str:
    shown = (
        f'<span class="key"><i class="{_tint(key.role, key.strength)}"></i>{escape(key.text)}</span>' for key in keys
    )
    return f'<div class="keys">{"".join(shown)}</div>'


def _tint(role: str, strength: float) -> str:
    """The class of what has a colour of some strength."""
    return f"tint-{list(_COLORS).index(role)}-{round(100 * strength)}"


def _tints(body: str) -> str:
    """The rules of the tints that a page uses; a policy that knows styles by their hashes allows no attributes."""
    return "".join(f"\n{_tint_rule(*map(int, found))}" for found in sorted(set(_TINT.findall(body))))


def _tint_rule(role: int, percent: int) -> str:
    # The colour is laid over the ground of a panel, which may be light or dark; these colours suit both.
    color = list(_COLORS.values())[role]
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f".tint-{role}-{percent} {{ background: rgba({red}, {green}, {blue}, {percent / 100:.2f}) }}"


def _table(table: Table) -> str:
    about = f'<p class="about">{escape(table.about)}</p>' if table.about else ""
    head = "".join(_heading(heading) for heading in table.headings)
    rows = "".join(_line(table.headings, line) for line in table.lines)
    notes = "".join(
        f"<li>{f'<sup>{note.mark}</sup> ' if note.mark else ''}{escape(note.text)}</li>" for note in table.notes
    )
    return (
        f'<div class="card"><h3>{escape(table.title)}</h3>{about}<div class="wide"><table><thead><tr>'
        f'<th class="words">{escape(table.first)}</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        f"{f'<ul class=notes>{notes}</ul>' if notes else ''}</div>"
    )


def _heading(heading: Heading) -> str:
    return f'<th{_kind(heading)} title="{escape(heading.tip)}">{escape(heading.label)}</th>'


def _line(headings: Sequence[Heading], line: TableLine) -> str:
    marks = f"<sup>{line.marks}</sup>" if line.marks else ""
    cells = "".join(_cell(heading, cell) for heading, cell in zip(headings, line.cells, strict=True))
    row = '<tr class="sum">' if line.is_sum else '<tr class="theirs">' if line.is_published else "<tr>"
    return f'{row}<th title="{escape(line.tip)}">{escape(line.title)}{marks}</th>{cells}</tr>'


def _cell(heading: Heading, cell: TableCell) -> str:
    detail = f"<small>{escape(cell.detail)}</small>" if cell.detail else ""
    return f'<td{_kind(heading)} title="{escape(cell.tip)}">{escape(cell.text)}{detail}</td>'


def _kind(heading: Heading) -> str:
    return ' class="words"' if heading.is_text else ' class="theirs"' if heading.is_published else ""


def _gallery(drawings: Sequence[AttemptPicture], about: str) -> Iterator[str]:
    if not drawings:
        return
    yield f'<section id="attempts"><h2>Attempts, drawn</h2><p class="about">{escape(about)}</p>'
    yield '<div class="gallery">'
    yield from map(_figure, drawings)
    yield "</div></section>"


def _figure(drawing: AttemptPicture) -> str:
    turns = drawing.model is not None
    attempt = f' data-attempt="{drawing.number}"' if turns else ""
    button = '<button class="turn" type="button">Turn</button>' if turns else ""
    checks = "".join(f"<li>{_check_line(check, turns)}</li>" for check in drawing.checks)
    return (
        f'<figure class="drawn"{attempt}><img src="{_data_url("image/jpeg", drawing.data)}" '
        f'alt="{escape(drawing.title)}">{button}'
        f"<figcaption><b>{escape(drawing.title)}</b><br>{escape(drawing.caption)}"
        f"{f'<ul class=checks>{checks}</ul>' if checks else ''}</figcaption></figure>"
    )


def _check_line(check: CheckLine, turns: bool) -> str:
    text = f"{_SIGNS[check.state]} {escape(check.name)}{f': {escape(check.message)}' if check.message else ''}"
    if not turns or not check.elements:
        return text
    elements = escape(json.dumps(list(check.elements)[:_MOST_ELEMENTS]))
    return f'<button class="check" type="button" data-elements="{elements}">{text}</button>'


def _turning_parts(drawings: Sequence[AttemptPicture], turner: Turner | None) -> Iterator[str]:
    """The models, the viewer, and the script that brings them together."""
    if turner is None:
        return
    models = {str(drawing.number): _plain(drawing.model) for drawing in drawings if drawing.model is not None}
    yield f'<script type="application/json" id="models">{_script_json(models)}</script>'
    yield f'<script type="application/json" id="viewer">{_script_json(turner.viewer)}</script>'
    yield f"<script>{turner.script}</script>"


def _plain(model: HtmlModel) -> dict[str, object]:
    return {"glb": model.glb, "nodes": {element: list(names) for element, names in model.nodes.items()}}


def _script_json(data: object) -> str:
    """Data as JSON that may stand in a script."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _style() -> str:
    return resource("evaluation", "report.css").read_text("utf-8")


def _data_url(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
