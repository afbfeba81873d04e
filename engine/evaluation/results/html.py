"""Results as one self-contained HTML file, for light and dark screens and for printing. Free of Qt.

The templates are in `resources/evaluation/html`; whatever they are given is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.charts import Kind
from spatial_workbench.engine.evaluation.results.contents import ReportSection, Results

if TYPE_CHECKING:
    from jinja2 import Environment

_COLORS = {"series 0": "#0072B2", "series 5": "#D55E00", "not_reached": "#8A93A1"}
_SIGNS = {"passed": "✓", "failed": "✗", "not reached": "–"}
_MOST_ELEMENTS = 200
_TINT = re.compile(r'class="tint-(\d)-(\d{1,3})')
_HOW_TO_TURN = "Turn opens an attempt in space: drag to turn, wheel to zoom. A check shows the elements that it names."
_STRONG_FROM = 0.62
"""The text of a stronger cell is white."""


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
    """A picture of an attempt.

    Attributes:
        data: The contents of a JPEG file.
        number: Number of the attempt.
        model: The attempt in space; None if it is flat.
    """

    title: str
    caption: str
    data: bytes
    number: int = 0
    model: HtmlModel | None = None
    checks: Sequence[CheckLine] = ()


@dataclass(frozen=True)
class Turner:
    """What lets readers turn models: the viewer as a page, and the script that opens it."""

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
    """The report as one page. It has scripts only if attempts can be turned.

    Args:
        name: The name of the project.
        charts: The drawn charts by title; charts of cells become tables.
        drawings: The attempts to show.
        turner: What lets readers turn attempts; None: they are shown as pictures.
    """
    chosen = results.choice.batches
    names = dict(results.batches)
    links = [(section.id, section.title) for section in results.sections]
    links += [("attempts", "Attempts, drawn")] if drawings else []
    body = filled(
        "results",
        name=name,
        at=_moment(at),
        results=results,
        which="all batches" if chosen is None else ", ".join(f"{n} {names.get(n, '')}".strip() for n in chosen),
        links=links,
        charts=charts,
        drawings=drawings,
        models=_models(drawings),
        turner=turner,
    )
    return page_html(f"Results: {name}", body, turner)


def turning_html(title: str, at: datetime, drawings: Sequence[AttemptPicture], turner: Turner | None) -> str:
    """Attempts as a page of their own, with all their checks; without a turner, they cannot be turned."""
    body = filled(
        "attempts",
        title=title,
        at=_moment(at),
        about=_HOW_TO_TURN if turner else "",
        drawings=drawings,
        models=_models(drawings),
        turner=turner,
    )
    return page_html(title, body, turner)


def study_page_html(
    title: str,
    state: str,
    version: str,
    at: datetime,
    sections: Sequence[ReportSection],
    charts: Mapping[str, ChartSvg],
) -> str:
    """The report on a study, without scripts; `charts` holds the drawn charts by title."""
    links = [(section.id, section.title) for section in sections]
    body = filled(
        "study",
        title=title,
        state=state,
        version=version,
        at=_moment(at),
        sections=sections,
        charts=charts,
        links=links,
    )
    return page_html(title, body)


def sections_html(
    title: str, about: str, at: datetime, sections: Sequence[ReportSection], charts: Mapping[str, ChartSvg]
) -> str:
    """Sections as a page of their own, without scripts.

    about: A sentence under the title. charts: The drawn charts by title.
    """
    links = [(section.id, section.title) for section in sections]
    body = filled("sections", title=title, about=about, at=_moment(at), sections=sections, charts=charts, links=links)
    return page_html(title, body)


def page_html(title: str, body: str, turner: Turner | None = None) -> str:
    """A page in the style of reports. It loads nothing from elsewhere, and its only scripts are those of the turner.

    Args:
        body: HTML, which is not escaped.
    """
    from markupsafe import Markup

    style = _style() + _tints(body)
    scripts = [] if turner is None else [turner.script, *_inline("script", turner.viewer)]
    styles = [style] if turner is None else [style, *_inline("style", turner.viewer)]
    return filled(
        "page",
        title=title,
        # The policy is made of hashes and fixed words; a browser reads the quotes in it as they are.
        policy=Markup(_policy(scripts, styles)),
        style=Markup(style),
        body=Markup(body),
    )


def filled(template: str, **values: Any) -> str:
    """A template of `resources/evaluation/html`, filled with these values, which are escaped."""
    return _templates().get_template(f"{template}.html").render(**values)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    templates = Environment(
        loader=FunctionLoader(lambda name: resource("evaluation", "html", name).read_text("utf-8")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    templates.globals |= {
        "cells_kind": Kind.CELLS,
        "counted": counted,
        "data_url": _data_url,
        "elements": lambda check: json.dumps(list(check.elements)[:_MOST_ELEMENTS]),
        "script_json": lambda data: Markup(_script_json(data)),
        "signs": _SIGNS,
        "strong_from": _STRONG_FROM,
        "tint": _tint,
    }
    return templates


def _moment(at: datetime) -> str:
    return f"{at:%d %B %Y, %H:%M}"


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


def _tint(role: str, strength: float) -> str:
    """The CSS class for a colour of some strength."""
    return f"tint-{list(_COLORS).index(role)}-{round(100 * strength)}"


def _tints(body: str) -> str:
    """The CSS rules of the tints that a page uses, since its policy allows no style attributes."""
    return "".join(f"\n{_tint_rule(*map(int, found))}" for found in sorted(set(_TINT.findall(body))))


def _tint_rule(role: int, percent: int) -> str:
    # The colour is laid over the ground of a panel, which may be light or dark; these colours suit both.
    color = list(_COLORS.values())[role]
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f".tint-{role}-{percent} {{ background: rgba({red}, {green}, {blue}, {percent / 100:.2f}) }}"


def _models(drawings: Sequence[AttemptPicture]) -> dict[str, dict[str, object]]:
    """The models of attempts that lie in space, by the attempts' numbers."""
    return {str(drawing.number): _plain(drawing.model) for drawing in drawings if drawing.model is not None}


def _plain(model: HtmlModel) -> dict[str, object]:
    return {"glb": model.glb, "nodes": {element: list(names) for element, names in model.nodes.items()}}


def _script_json(data: object) -> str:
    """Data as JSON that can be put into a script."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _style() -> str:
    return resource("evaluation", "html", "report.css").read_text("utf-8")


def _data_url(kind: str, data: bytes | str) -> str:
    data = data.encode() if isinstance(data, str) else data
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
