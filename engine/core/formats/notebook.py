"""HTML for notebooks: figures with their caption, lists of checks, tables. Everything that is given is escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted, score_words, unit_for

if TYPE_CHECKING:
    from spatial_workbench.engine.core.checks import Check
    from spatial_workbench.engine.core.verdict import Figure, Verdict

MOST_PROBLEMS = 3
"""How many problems of a check are shown."""
_SIGNS = {"passed": "✓", "failed": "✗", "not reached": "–"}
_PLAIN_LIST = "list-style: none; padding-left: 0"


def figure(caption: str, body: str = "", png: bytes | None = None, why_no_picture: str = "") -> str:
    """A figure: its caption, a picture, and HTML below it.

    Args:
        body: HTML, which is not escaped again.
        png: A PNG file; None: there is no picture.
        why_no_picture: A sentence in its place.
    """
    title = escape(caption)
    picture = "" if not why_no_picture else f"<p><small>{escape(why_no_picture)}</small></p>"
    if png is not None:
        data = base64.b64encode(png).decode("ascii")
        picture = f'<img alt="{title}" src="data:image/png;base64,{data}">'
    return f"<figure><figcaption>{title}</figcaption>{picture}{body}</figure>"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts; its first column names the rows."""
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in header)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def headline_of(verdict: Verdict) -> str:
    """A verdict in one line: "shikaku:0: passed, score 1"."""
    word = "passed" if verdict.passed else "not passed"
    cached = " (cached)" if verdict.is_cached else ""
    return f"{verdict.instance}: {word}, score {verdict.score:.4g}{cached}"


def body_of(verdict: Verdict) -> str:
    """The checks of a verdict with their first problems, its figures and its warnings, as HTML."""
    rows = [f"<li>{_check(check)}</li>" for check in verdict.checks]
    rows += [f"<li>{escape(_figure_words(part))}</li>" for part in verdict.figures]
    rows += [f"<li>! {escape(warning)}</li>" for warning in verdict.warnings]
    return f'<ul style="{_PLAIN_LIST}">{"".join(rows)}</ul>'


def _cells(row: Sequence[str]) -> str:
    name, *others = row
    return f'<th scope="row">{escape(name)}</th>' + "".join(f"<td>{escape(text)}</td>" for text in others)


def _check(check: Check) -> str:
    shown = check.problems[:MOST_PROBLEMS]
    problems = "; ".join(problem.message for problem in shown)
    more = check.problem_count - len(shown)
    problems += f"; and {counted(more, 'more problem')}" if more > 0 else ""
    return escape(f"{_SIGNS[check.state.value]} {check.name}{f': {problems}' if problems else ''}")


def _figure_words(part: Figure) -> str:
    value = f"{part.value:.6g}" if isinstance(part.value, float) else str(part.value)
    return f"{part.name}: {value} {unit_for(part.value, part.unit)}".rstrip()


def score_or_dash(score: float | None) -> str:
    """A score for a table; a dash where there is none."""
    return "–" if score is None else score_words(score)
