"""Final answers: finding them in what a solver wrote, and comparing them (docs/puzzles.md, "Answers")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.core.languages.translation import marked

_MARKS = str.maketrans("", "", "*_#`~>")
_LINE = re.compile(r"^\W*(?:final\s+)?answer\W*[:：]\s*(.+)$", re.IGNORECASE)
_BOXED = "\\boxed{"
_QUOTES = "\"'“”‘’«»„‚()[]{}<>"
_ARTICLES = ("THE", "AN", "A")


class FoundBy(StrEnum):
    """Where an answer stood."""

    LINE = marked("answer line")
    BOXED = marked("boxed")
    NONE = "none"


@dataclass(frozen=True)
class FinalAnswer:
    """The final answer in a text; `text` is empty if there is none."""

    text: str
    found_by: FoundBy


def extract(text: str) -> FinalAnswer:
    r"""The last line "Answer: ..." of a text, otherwise its last \boxed{...}."""
    for line in reversed(text.splitlines()):
        match = _LINE.match(line.translate(_MARKS).strip())
        if match and (bare := _bare(match[1])):
            return FinalAnswer(bare, FoundBy.LINE)
    boxed = list(_boxed(text))
    bare = _bare(boxed[-1].splitlines()[0]) if boxed and boxed[-1].strip() else ""
    return FinalAnswer(bare, FoundBy.BOXED if bare else FoundBy.NONE)


def _boxed(text: str) -> Iterator[str]:
    r"""The contents of each \boxed{...}, whose braces may be nested."""
    start = text.find(_BOXED)
    while start >= 0:
        depth = 1
        end = start + len(_BOXED)
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth:
            return
        yield text[start + len(_BOXED) : end - 1].strip()
        start = text.find(_BOXED, end)


def _bare(text: str) -> str:
    """A text without the quotes, brackets and full stop around it."""
    before = None
    while before != text:
        before = text
        text = text.strip().removesuffix(".").strip(_QUOTES)
    return text


def normalised(text: str) -> str:
    """A text as answers are compared: capital letters and digits only, without accents; "Le Mans" gives LEMANS.

    A text without Latin letters or digits is compared by its own letters, without regard to case and blanks.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    latin = re.sub(r"[^A-Z0-9]", "", plain.replace("&", "AND").upper())
    return latin or "".join(unicodedata.normalize("NFKC", text).casefold().split())


def equal_answers(given: str, solution: str) -> bool:
    """Whether two answers are the same once both are normalised, a leading article aside."""
    if not normalised(given):
        return False
    return normalised(given) == normalised(solution) or _without_article(given) == _without_article(solution)


def _without_article(text: str) -> str:
    first, _, rest = text.strip().partition(" ")
    return normalised(rest) if first.upper() in _ARTICLES and normalised(rest) else normalised(text)


def solved(output: str, solution: str) -> bool:
    """Whether the final answer of an output is the solution."""
    return equal_answers(extract(output).text, solution)


def solved_as_published(output: str, solution: str) -> bool:
    """Whether the solution occurs anywhere in an output, case kept: how published accuracies were counted."""
    return solution in output
