"""How the lines of a prompt are typeset: which are prose, which are headings, and which are figures not to break."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

FIGURES_PX = 12
"""The size of the type of figures, if the user has not changed the size of type."""
LIST_ENTRY = re.compile(r"\s*(-|\d+\.) \S")
_WORD = re.compile(r"[a-z]{2,}")
_ALIGNED = re.compile(r"\S {2,}\S|^ {2,}\S|[─│├└]")
_JSON = ("{", "[", '"')
_HEADING_CHARS = 48


class LineKind(Enum):
    """How a line of a prompt is typeset."""

    PROSE = "prose"
    HEADING = "heading"
    FIGURES = "figures"
    """Grids, maps, trees, code: monospaced; never broken, except for JSON."""


def kinds_of(text: str) -> list[LineKind]:
    """How each line of a prompt is typeset."""
    lines = text.split("\n")
    kinds = [LineKind.FIGURES if _is_figures(line) else LineKind.PROSE for line in lines]
    for i, line in enumerate(lines):
        before = lines[i - 1] if i else ""
        after = lines[i + 1] if i + 1 < len(lines) else ""
        if kinds[i] is LineKind.PROSE and not before and after and _could_be_heading(line):
            kinds[i] = LineKind.HEADING
        if line and kinds[i] is LineKind.PROSE and "├" in after:
            kinds[i] = LineKind.FIGURES  # the root of a tree
    return kinds


def trimmed_lines(text: str) -> Iterator[tuple[str, LineKind]]:
    """The lines of a prompt as they are shown, without empty ones at its ends."""
    text = text.strip("\n")
    yield from zip(text.split("\n"), kinds_of(text), strict=True)


def is_unbroken(line: str, kind: LineKind) -> bool:
    """Whether a line must not be broken: a broken row of a grid has another meaning, a broken line of JSON has not."""
    return kind is LineKind.FIGURES and not line.lstrip().startswith(_JSON)


def unbroken_lines(text: str) -> list[str]:
    """The lines of a prompt that must not be broken, and so need room for their whole length."""
    return [line for line, kind in trimmed_lines(text) if is_unbroken(line, kind)]


def _is_figures(line: str) -> bool:
    if LIST_ENTRY.match(line):
        return False
    if _ALIGNED.search(line) or line.lstrip().startswith(("{", "def ")):
        return True
    return bool(line.strip()) and not _WORD.search(line)


def _could_be_heading(line: str) -> bool:
    return len(line) <= _HEADING_CHARS and line[:1].isupper() and line.rstrip()[-1:] not in (".", ",", ":", ";", "?")
