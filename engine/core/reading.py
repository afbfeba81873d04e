"""Reads data out of text: one reader for the answers of all tasks (docs/models.md, "How answers are read").

Reading is lenient. Data is looked for in several places of a text, first as it stands, then with one repair after
another. Each way gives a `Reading` that says what was done; the first that is a valid answer counts.
"""

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.core.errors import AnswerError
from engine.core.limits import bounded_int, check_length

THINKING = "The thinking before the answer was left out"
FINAL = "What follows “Final answer:” was read"
FENCE = "A code block in the answer was read"
AROUND = "The answer was read out of the text around it"
PYTHON = "The answer was read as a Python literal, since it is not JSON"
QUOTES = "Typographic quotation marks were made straight"
WORDS = "The words of the answer were read as a list"

_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_FENCED = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_FINAL = re.compile(r"^[ \t*#>]*final answer[*]*:[*]*", re.IGNORECASE | re.MULTILINE)
_TYPOGRAPHIC = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_TOKEN = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_OPENED_BY = {"]": "[", "}": "{", ")": "("}
_MAX_CANDIDATES = 64
_MAX_SEARCHED = 1_000_000
"""If a text begins with a bracket and is longer than this, nothing is looked for after the end of that data."""
_MAX_LITERAL = 1_000_000
_MAX_COMMAS = 50_000
"""Texts with more commas are read as JSON only: Python literals take far more memory than text."""
_MAX_BACK = 200_000
"""How many characters at the end of a text are searched for brackets and for words."""
_MAX_WORD_COUNT = 3
"""How many words an entry of a list without brackets may have; longer entries are prose."""


@dataclass(frozen=True)
class Reading:
    """Data that a text may mean.

    Attributes:
        data: Plain data.
        part: The part of the text that the data was read from.
        repairs: What was done to read it, in sentences; empty if the whole text is JSON.
        is_guess: Whether the text shows no sign of being data, such as words without brackets.
    """

    data: Any
    part: str
    repairs: tuple[str, ...] = ()
    is_guess: bool = False


def read_loosely(text: str) -> Iterator[Reading]:
    """What a text may mean, the likeliest first; nothing if it holds no data.

    The whole text comes first, then what follows "Final answer:", code blocks, and data within prose: each as JSON,
    then as a Python literal, then with straight quotation marks. Words separated by commas or lines come last.

    Raises:
        AnswerError: The text is too long or empty.
    """
    check_length(text)
    text = text.lstrip("\ufeff")
    try:
        whole = Reading(_json(text), text)
    except ValueError:
        yield from _read_parts(text)
        return
    yield whole
    if not isinstance(whole.data, dict | list):
        yield from _word_lists(text, ())


def not_data(text: str) -> AnswerError:
    """The error for a text that holds no data; names the line of the first mistake."""
    stripped = text.strip()
    if stripped[:1] not in ("{", "["):
        return AnswerError("No JSON object was found in the answer")
    try:
        _json(text)
    except json.JSONDecodeError as mistake:
        return AnswerError(f"This is not JSON: {mistake.msg} (column {mistake.colno})", line=mistake.lineno)
    except ValueError as mistake:
        return AnswerError(f"This is not JSON: {mistake}")
    return AnswerError("No JSON object was found in the answer")


def _read_parts(text: str) -> Iterator[Reading]:
    cleaned = _without_thinking(text)
    before = (THINKING,) if cleaned != text else ()
    if not cleaned.strip():
        raise AnswerError("The answer is empty")
    for part, place in _places(cleaned):
        for data, repairs in _ways(part):
            yield Reading(data, part, (*before, *place, *repairs))
            if not place and part.lstrip()[:1] in ("{", "["):
                return
    yield from _word_lists(cleaned, before)


def _ways(part: str) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The data in a part of a text, as it stands and with each repair; with the repairs."""
    for repairs, read in _WAYS:
        try:
            data = read(part)
        except ValueError:
            continue
        yield data, repairs


def _places(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The parts of a text that may be data, each with the repairs that isolate it."""
    yield text, ()
    finals = [match.end() for match in _FINAL.finditer(text)]
    after = text[finals[-1] :].strip() if finals else ""
    if after:
        yield after.partition("\n")[0], (FINAL,)
        yield after, (FINAL,)
    for fenced in reversed(_FENCED.findall(text)[-_MAX_CANDIDATES:]):
        yield fenced.strip(), (FENCE,)
    for part in filter(None, (after, _searchable(text))):
        yield from ((embedded, (AROUND,)) for embedded in _embedded(part))
        yield _last_brackets(part[-_MAX_BACK:]), (AROUND,)


def _without_thinking(text: str) -> str:
    """The text without its thinking blocks; if a block has an end but no beginning, it begins with the text."""
    pieces, position, depth = [], 0, 0
    for tag in _TAG.finditer(text):
        if not tag.group(1):
            if depth == 0:
                pieces.append(text[position : tag.start()])
                position = tag.start()
            depth += 1
            continue
        if depth == 0:
            pieces.clear()
        depth = max(0, depth - 1)
        if depth == 0:
            position = tag.end()
    return "".join([*pieces, text[position:]])


def _searchable(text: str) -> str:
    """Where data within prose is looked for.

    A text that begins with a bracket is data up to the bracket that closes it. Parts of that data are not an answer, so
    only what follows is searched, and nothing if the data was cut off.
    """
    stripped = text.lstrip()
    if stripped[:1] not in ("{", "["):
        return text
    try:
        _, end = _DECODER.raw_decode(stripped)
    except (ValueError, RecursionError):
        return stripped[_closing(stripped) :]
    return text if stripped[0] == "[" else stripped[:end]


def _closing(text: str) -> int:
    """The position after the bracket that closes the one at the start of a text; the text's end if there is none."""
    if len(text) > _MAX_SEARCHED:
        return len(text)
    depth, in_string = 0, False
    for token in _TOKEN.finditer(text):
        letter = token.group()
        if letter == '"':
            in_string = not in_string
        elif not in_string and len(letter) == 1:
            depth += 1 if letter in "{[" else -1
            if depth == 0:
                return token.end()
    return len(text)


def _embedded(text: str) -> list[str]:
    """The objects and lists that start at one of the first opening brackets of the text, the longest first."""
    # A text may be crafted so that every bracket fails late; counting the characters read keeps this from being slow.
    parts: list[str] = []
    position, budget = 0, 2 * len(text)
    for _ in range(_MAX_CANDIDATES):
        match = _OPENING.search(text, position)
        if match is None or budget <= 0:
            break
        start = match.start()
        end, read_count = _end_of_data(text, start)
        budget -= read_count
        if end > start:
            parts.append(text[start:end])
        position = max(end, start + 1)
    return sorted(parts, key=len, reverse=True)


def _end_of_data(text: str, start: int) -> tuple[int, int]:
    """Where the data that starts at a bracket ends (`start` if it is not data), and how many characters were read."""
    read_count = 1
    try:
        return _DECODER.raw_decode(text, start)[1], read_count
    except json.JSONDecodeError as error:
        read_count = error.pos - start
    except (ValueError, RecursionError):
        pass
    ahead = text[start : start + _MAX_LITERAL]
    length = _closing(ahead)
    is_data = next(_ways(ahead[:length]), None) is not None
    return start + length if is_data else start, read_count + length


def _last_brackets(text: str) -> str:
    """The text from the last closing bracket back to the one that opened it; empty if the brackets do not match."""
    end = max(text.rfind(closing) for closing in _OPENED_BY)
    open_ones: list[str] = []
    for position in range(end, -1, -1):
        letter = text[position]
        if letter in _OPENED_BY:
            open_ones.append(_OPENED_BY[letter])
        elif letter in "[{(":
            if open_ones.pop() != letter:
                return ""
            if not open_ones:
                return text[position : end + 1]
    return ""


def _word_lists(text: str, before: tuple[str, ...]) -> Iterator[Reading]:
    """The entries of a list without brackets: first with numbers read as numbers, then all as text."""
    finals = [match.end() for match in _FINAL.finditer(text)]
    part = text[finals[-1] :].strip().partition("\n")[0] if finals else text
    if len(part) > _MAX_BACK:
        return
    words = [word for entry in re.split(r"[,\n]", part) if (word := _unquoted(entry))]
    if not words or any(len(word.split()) > _MAX_WORD_COUNT or set(word) & set("[]{}()") for word in words):
        return
    repairs = (*before, *((FINAL,) if finals else ()), WORDS)
    yield Reading([_number_or_text(word) for word in words], part, repairs, is_guess=True)
    # "1100" may be a label or a number, depending on the task.
    yield Reading(words, part, repairs, is_guess=True)


def _unquoted(entry: str) -> str:
    """An entry of a list without its bullet and quotation marks; the prime of a cube's move, as in R', is kept."""
    word = entry.strip().lstrip("-* ")
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'`" else word


def _number_or_text(word: str) -> Any:
    try:
        return _json(word)
    except ValueError:
        return word


_DECODER = json.JSONDecoder(parse_int=bounded_int)


def _json(text: str) -> Any:
    """Raises ValueError: it is not JSON."""
    try:
        return json.loads(text, parse_int=bounded_int)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _python(text: str) -> Any:
    """Raises ValueError: it is no Python literal of plain data."""
    if len(text) > _MAX_LITERAL or text.count(",") > _MAX_COMMAS:
        raise ValueError("too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _plain(ast.literal_eval(text.strip()))
    except (SyntaxError, RecursionError, MemoryError, TypeError) as error:
        raise ValueError(str(error)) from None


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(entry) for entry in data]
    if data is None or isinstance(data, bool | int | float | str):
        return data
    raise ValueError(f"{type(data).__name__} is not JSON data")


def _straight(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def straightened(text: str) -> Any:
        straight = text.translate(_TYPOGRAPHIC)
        if straight == text:
            raise ValueError("there is nothing to make straight")
        return read(straight)

    return straightened


_WAYS: tuple[tuple[tuple[str, ...], Callable[[str], Any]], ...] = (
    ((), _json),
    ((PYTHON,), _python),
    ((QUOTES,), _straight(_json)),
    ((QUOTES, PYTHON), _straight(_python)),
)
