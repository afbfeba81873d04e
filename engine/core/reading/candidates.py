"""The second step of reading: the parts of a text that may be the answer.

A candidate is data that is part of no other data: an object or a list whose bracket is within no other. Code blocks and
prose are searched alike, from the first letter to the last, each letter once.
"""

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.core.reading.how_read import AROUND, ENCODED, FENCE, FINAL, THINKING, WORDS, Repair
from spatial_workbench.engine.core.reading.mending import Data, NotData, data_at, whole_json

MAX_CANDIDATES = 64
"""If there are more candidates, the last ones are kept."""
_MAX_WORDS_CHARS = 200_000
_MAX_WORD_COUNT = 3
"""How many words an entry of a list without brackets may have; longer entries are prose."""

_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
FINAL_MARKER = re.compile(r"^[ \t*#>]*final answer[*]*:[*]*", re.IGNORECASE | re.MULTILINE)
_FENCE = re.compile(r"```[\w+-]*")
_FENCED = re.compile(r"```[\w+-]*[ \t]*\n([^`]*)```")
_DATA = re.compile(
    r"""\{(?=\s*(?:["'“‘}/\#]|[^\W\d]\w*\s*:|\Z))
    | \[(?=\s*(?:[\[{("'“‘\-+.\d\]/\#]|(?:true|false|null|True|False|None|NaN)\b|\Z))
    | (?:^|(?<=:)|(?<=\*))[ \t]*\((?=\s*[\[({"'\d-])""",
    re.MULTILINE | re.VERBOSE,
)
"""A bracket followed by what data begins with; others belong to prose."""
_NESTED = re.compile(r"\{|\[\s*[\[{(\"']")
_TOKEN = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


@dataclass(frozen=True)
class Candidate:
    """Data that may be the answer.

    Attributes:
        data: Plain data.
        start, end: The position in the text at which it begins, and the one after its end.
        repairs: What was done to find and to read it.
        is_guess: Whether the text shows no sign of being data, such as words without brackets.
    """

    data: Any
    start: int = 0
    end: int = 0
    repairs: tuple[Repair, ...] = ()
    is_guess: bool = False


@dataclass(frozen=True)
class Found:
    """What a text holds.

    Attributes:
        text: The text, with blank lines in place of what was left out, so that its lines can be counted.
        candidates: In the order of the text.
        broken: The last part that begins like data and is not, if no candidate follows it.
        has_thinking: Whether thinking was left out.
    """

    text: str
    candidates: Sequence[Candidate]
    broken: NotData | None = None
    has_thinking: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but blanks."""
        return not self.text.strip()

    @property
    def is_cut_off(self) -> bool:
        """Whether the text ends within data."""
        return self.broken is not None and self.broken.is_cut_off

    @property
    def guesses(self) -> Iterator[Candidate]:
        """Words that may be a list: first with numbers read as numbers, then all as text."""
        yield from _word_lists(self.text, (THINKING,) if self.has_thinking else ())


def find_candidates(text: str) -> Found:
    """The candidates in a text. JSON as a whole is the only candidate; JSON within a JSON text is taken out of it."""
    text = text.removeprefix("\ufeff")
    try:
        data = whole_json(text)
    except ValueError:
        return _search(_without_thinking(text))
    if isinstance(data, str) and data.lstrip()[:1] in ("{", "["):
        inner = _search(_Cleaned(data, has_thinking=False))
        return Found(data, [_with_repair(candidate, ENCODED) for candidate in inner.candidates], inner.broken)
    return Found(text, [Candidate(data, 0, len(text))])


def without_thinking(text: str) -> str:
    """The text with blank lines in place of its thinking blocks."""
    return _without_thinking(text).text


def after_marker(text: str) -> int:
    """Where the text after the last “Final answer:” begins; 0 if there is none."""
    ends = [match.end() for match in FINAL_MARKER.finditer(text)]
    return ends[-1] if ends else 0


# Thinking ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Cleaned:
    text: str
    has_thinking: bool


def _without_thinking(text: str) -> _Cleaned:
    """Without thinking blocks. One that has an end but no beginning begins with the text; one that begins with the
    text but has no end ends with it."""
    begin = 0
    start = 0
    depth = 0
    blocks: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        is_closing = bool(tag.group(1))
        if is_closing and depth == 0:
            begin = tag.end()
            blocks.clear()
        elif is_closing:
            depth -= 1
            blocks += [(start, tag.end())] if depth == 0 else []
        else:
            start = tag.start() if depth == 0 else start
            depth += 1
    if depth and not begin and not blocks and not text[:start].strip():
        blocks = [(start, len(text))]
    if begin:
        blocks.insert(0, (0, begin))
    return _Cleaned(_blanked(text, blocks), bool(blocks))


def _blanked(text: str, blocks: Sequence[tuple[int, int]]) -> str:
    """The text with nothing but the line feeds of these blocks left."""
    pieces: list[str] = []
    position = 0
    for start, end in blocks:
        pieces.append(text[position:start])
        pieces.append("\n" * text.count("\n", start, end))
        position = end
    return "".join([*pieces, text[position:]])


# Searching -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Marks:
    """The positions that divide a text, code fences and markers of the final answer, and its extent without blanks."""

    fences: Sequence[int]
    finals: Sequence[int]
    borders: Sequence[int]
    extent: tuple[int, int]

    @classmethod
    def of(cls, text: str) -> "_Marks":
        fences = [match.start() for match in _FENCE.finditer(text)]
        finals = [match.end() for match in FINAL_MARKER.finditer(text)]
        extent = len(text) - len(text.lstrip()), len(text.rstrip())
        return cls(fences, finals, sorted([*fences, *finals]), extent)

    def next_border(self, position: int, text: str) -> int:
        """The first border at or after a position; the text's end if there is none."""
        place = bisect_left(self.borders, position)
        return self.borders[place] if place < len(self.borders) else len(text)

    def is_fenced(self, position: int) -> bool:
        """Whether a position is in a code block."""
        return bisect_right(self.fences, position) % 2 == 1

    def final_before(self, position: int) -> int | None:
        """Where the text after the last marker before a position begins."""
        place = bisect_right(self.finals, position)
        return self.finals[place - 1] if place else None


def _search(cleaned: _Cleaned) -> Found:
    text = cleaned.text
    marks = _Marks.of(text)
    before = (THINKING,) if cleaned.has_thinking else ()
    found: deque[tuple[int, Data]] = deque(maxlen=MAX_CANDIDATES)
    broken: NotData | None = None
    # In a malicious text, much that is no data may follow every bracket, so the length that is read in vain is limited.
    position = 0
    budget = 4 * len(text)
    while budget >= 0 and (match := _DATA.search(text, position)):
        start = match.end() - 1
        try:
            data = data_at(text, start)
        except NotData as mistake:
            budget -= mistake.looked_at - start
            position = _after_mistake(text, start, mistake, marks)
            broken = _as_seen_from(mistake, position, text)
            continue
        position = data.end
        if isinstance(data.value, dict | list):
            found.append((start, data))
            broken = None
    candidates = [
        Candidate(data.value, start, data.end, (*before, *_isolation(text, start, data.end, marks), *data.repairs))
        for start, data in found
    ]
    return Found(text, candidates, broken, cleaned.has_thinking)


def _as_seen_from(mistake: NotData, position: int, text: str) -> NotData:
    """A text that goes on after a fence or a marker was not cut off."""
    is_cut_off = mistake.is_cut_off and position >= len(text)
    return NotData(mistake.reason, mistake.place, mistake.end, is_cut_off)


def _after_mistake(text: str, start: int, mistake: NotData, marks: _Marks) -> int:
    """Where the search goes on: data within broken data is not an answer."""
    border = marks.next_border(start + 1, text)
    if mistake.is_cut_off or mistake.end >= len(text):
        return border
    if not _NESTED.match(text, start):
        return max(start + 1, min(mistake.end, border))
    return max(start + 1, min(_closing(text, start, border), border))


def _closing(text: str, start: int, limit: int) -> int:
    """The position after the bracket that closes the one at `start`; the limit if there is none before."""
    depth = 0
    in_string = False
    for token in _TOKEN.finditer(text, start, limit):
        letter = token.group()
        if letter == '"':
            in_string = not in_string
        elif not in_string and len(letter) == 1:
            depth += 1 if letter in "{[" else -1
            if depth == 0:
                return token.end()
    return limit


def _isolation(text: str, start: int, end: int, marks: _Marks) -> tuple[Repair, ...]:
    """The repair that isolates a candidate from the text around it; none if there is no other text."""
    final = marks.final_before(start)
    if final is not None and not _FENCE.sub("", text[final:start] if start - final < 100 else "x").strip("* \n\t"):
        return (FINAL,)
    if marks.is_fenced(start):
        return (FENCE,)
    return () if (start, end) == marks.extent else (AROUND,)


def _with_repair(candidate: Candidate, repair: Repair) -> Candidate:
    return Candidate(candidate.data, candidate.start, candidate.end, (repair, *candidate.repairs))


# Words ---------------------------------------------------------------------------------------------------------------


def _word_lists(text: str, before: tuple[Repair, ...]) -> Iterator[Candidate]:
    """The entries of a list without brackets: first with numbers read as numbers, then all as text."""
    marker = after_marker(text)
    part = text[marker:].strip().partition("\n")[0] if marker else text.strip()
    repairs = (*before, *((FINAL,) if marker else ()))
    fenced = _FENCED.findall(part if marker else text)
    if fenced:
        part = fenced[-1]
        repairs = (*repairs, FENCE)
    if len(part) > _MAX_WORDS_CHARS:
        return
    words = [word for entry in re.split(r"[,\n]", part) if (word := _unquoted(entry))]
    if not words or any(len(word.split()) > _MAX_WORD_COUNT or set(word) & set("[]{}()") for word in words):
        return
    repairs = (*repairs, WORDS)
    yield Candidate([_number_or_text(word) for word in words], repairs=repairs, is_guess=True)
    # "1100" may be a label or a number, depending on the task.
    yield Candidate(words, repairs=repairs, is_guess=True)


def _unquoted(entry: str) -> str:
    """An entry of a list without its bullet and quotation marks; the prime of a cube's move, as in R', is kept."""
    word = entry.strip().lstrip("-* ")
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'`" else word


def _number_or_text(word: str) -> Any:
    try:
        return whole_json(word)
    except ValueError:
        return word
