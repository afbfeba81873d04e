"""Final answers: finding them in what a solver wrote, and comparing them (docs/puzzles.md, "Final answers")."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.puzzles.answer_texts import (
    boxed,
    is_unfinished,
    shortened,
    tagged,
    unclosed,
    unwrapped,
    without_closing_tags,
    without_html,
)

_MARKS = str.maketrans("", "", "*_#`~>")
_LINE = re.compile(r"^\W*(?:final[\s_]*)?answer(?:\W*[:：]|\s*(?:=|[–—→⇒]|-\s))\s*(.+)$", re.IGNORECASE)
_HEADING = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore)\W+)?(?:(?:the|my|our)\s+)?(?:final\s+)?answer"
    r"(?:\s+to\s+(?:this|the)\s+puzzle)?(?:\s+is)?\W*$",
    re.IGNORECASE,
)
_TAG_FIRST = re.compile(r"^\W*(?:final_)?answer>", re.IGNORECASE)
_FIELD = re.compile(r'"(?:final_)?answer"\s*:\s*("(?:[^"\\]|\\.)*")', re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:answer|solution)(?:\s+to\s+(?:this|the)\s+puzzle)?"
    r"(?:\s+(?:is|would\s+be|must\s+be|should\s+be)\b(?:\s+(?:therefore|thus|hence|then)\b)?\s*[:：]?|\s*[:：])\s*",
    re.IGNORECASE,
)
_DOUBTED = re.compile(r"\b(?:if|whether|unless|suppose|perhaps|maybe|not)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;,](?=\s|$)|\s[(–—-]|\s(?:because|since|as|which|and|so)\b", re.IGNORECASE)
_OPENING = "\"'“‘«„"
_CLOSING = "\"'”’»“‘"
MOST_WORDS = 8
"""Of an answer below a heading; what is longer is an explanation."""
MOST_WORDS_SAID = 5
"""Of an answer in a sentence."""
_ARTICLES = ("THE", "AN", "A")
_LEAD = re.compile(r"^(?:so|thus|hence|therefore)?[\s,]*(?:the|my|our)?\s*(?:final\s+)?", re.IGNORECASE)


class FoundBy(StrEnum):
    """Where an answer stood."""

    LINE = marked("answer line")
    HEADING = marked("below a heading")
    TAG = marked("answer tag")
    BOXED = marked("boxed")
    FIELD = marked("JSON field")
    SENTENCE = marked("sentence")
    NONE = "none"


@dataclass(frozen=True)
class FinalAnswer:
    """The final answer in a text; `text` is empty if there is none.

    Attributes:
        text: The answer without an explanation after it.
        found_by: Where it stood.
        whole: All that stood there; what looks like an explanation may belong to the answer.
    """

    text: str
    found_by: FoundBy
    whole: str = ""

    def equals(self, solution: str) -> bool:
        """Whether it is the solution, with or without what follows it."""
        return equal_answers(self.text, solution) or equal_answers(self.whole, solution)


_NOTHING = FinalAnswer("", FoundBy.NONE)


def extract(text: str) -> FinalAnswer:
    r"""The final answer in a text: the first of these forms that it has, and the last place that has the form.

    A line "Answer: ..." or a heading "Answer" with the answer below it; <answer>...</answer>; \boxed{...}; "answer" in
    a JSON object; a sentence "The answer is ...".
    """
    text = without_html(text)
    return next((found for find in _FINDERS if (found := find(text)) is not None), _NOTHING)


def _on_a_line(text: str) -> FinalAnswer | None:
    """What the last line "Answer: ..." says, or the line below a last heading "Answer"."""
    lines = text.splitlines()
    below = ""
    for line in reversed(lines):
        plain = line.translate(_MARKS).strip()
        if _TAG_FIRST.match(line):
            pass
        elif _LINE.match(plain):
            stated = _LINE.match(line.strip()) or _LINE.match(plain)
            if stated and (found := _field(line) or _stated(stated[1], FoundBy.LINE)):
                return found
        elif _HEADING.match(plain) and "answer>" not in line.lower():
            found = _stated(below, FoundBy.HEADING)
            if found and not below.rstrip(" *_").endswith((":", "：")) and len(found.text.split()) <= MOST_WORDS:
                return found
        if not line.lstrip().startswith("```") and any(c.isalnum() for c in line):
            below = line
    return None


def _in_a_tag(text: str) -> FinalAnswer | None:
    found = next((found for part in tagged(text) if (found := _stated(part, FoundBy.TAG))), None)
    rest = unclosed(text)
    return found if found or len(rest.split()) > MOST_WORDS else _stated(rest, FoundBy.TAG)


def _in_a_box(text: str) -> FinalAnswer | None:
    last = next(reversed(list(boxed(text))), "")
    return _stated(last, FoundBy.BOXED)


def _field(text: str) -> FinalAnswer | None:
    """The last value of "answer" in JSON."""
    for match in reversed(list(_FIELD.finditer(text))):
        try:
            value = str(json.loads(match[1], strict=False))
        except ValueError:
            value = match[1]
        if found := _stated(value, FoundBy.FIELD):
            return found
    return None


def _in_a_sentence(text: str) -> FinalAnswer | None:
    for line in reversed(text.splitlines()):
        plain = line.translate(_MARKS).strip()
        matches = list(_SAID.finditer(plain))
        said = _said(plain, matches[-1].start(), matches[-1].end()) if matches else ""
        if any(c.isalnum() for c in said):
            return FinalAnswer(said, FoundBy.SENTENCE, said)
    return None


def _said(line: str, start: int, end: int) -> str:
    """The short answer that a sentence gives; "" if it gives none, or doubts it."""
    value = line[end:]
    before = re.split(r"[.!?]\s", line[:start])[-1]
    if _DOUBTED.search(before) or _DOUBTED.match(value):
        return ""
    if value[:1] in tuple(_OPENING):
        closing = next((i for i, c in enumerate(value[1:], 1) if c in _CLOSING), len(value))
        return unwrapped(value[1:closing])
    stop = _SENTENCE_END.search(value)
    said = unwrapped(value[: stop.start()] if stop else value)
    is_asked = bool(stop and stop[0] == "?")
    return "" if is_asked or len(said.split()) > MOST_WORDS_SAID else said


_FINDERS: tuple[Callable[[str], FinalAnswer | None], ...] = (_on_a_line, _in_a_tag, _in_a_box, _field, _in_a_sentence)


def _stated(raw: str, found_by: FoundBy) -> FinalAnswer | None:
    """An answer as it stood in a place: without tags, boxes and formulas around it; None if the place is empty."""
    for inner in _inside(raw):
        raw = inner
    first = next((line for line in without_closing_tags(raw).strip().splitlines() if line.strip()), "")
    if is_unfinished(first):
        return None
    whole = unwrapped(first.translate(_MARKS))
    lead = _LEAD.match(whole)
    said = _SAID.match(whole, lead.end() if lead else 0)
    text = shortened(unwrapped(whole[said.end() :]) if said else whole)
    return FinalAnswer(text, found_by, whole) if any(c.isalnum() for c in text) else None


def _inside(raw: str) -> Iterator[str]:
    """What stands in the last tag or box of a place, if there is one."""
    inner = next(tagged(raw), None)
    if inner is not None:
        yield inner
        raw = inner
    boxes = list(boxed(raw))
    if boxes:
        yield boxes[-1]


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
    return extract(output).equals(solution)


def solved_as_published(output: str, solution: str) -> bool:
    """Whether the solution occurs anywhere in an output, case kept: how published accuracies were counted."""
    return solution in output
