"""The third step of reading: text as data, as JSON or as what people and models write instead of JSON.

One table of tokens describes everything that is read in JSON's place. The tokens are written again as JSON, so that
there is one grammar, JSON's own.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spatial_workbench.engine.core.reading.how_read import COMMAS, COMMENTS, KEYS, LINES, PYTHON, QUOTES, Repair
from spatial_workbench.engine.core.reading.limits import MAX_DEPTH, bounded_int

MAX_MENDED_CHARS = 1_000_000
"""Longer data is read as JSON only, since reading it token by token would take long."""
_FIRST_PART = 1024
_LONGEST_TOKEN = 16
"""A mistake so near to the end of a part may be none: the part ends there."""
TOO_DEEP = "it is nested too deeply"
_ORDER = (QUOTES, PYTHON, KEYS, COMMENTS, COMMAS, LINES)

_TOKEN = re.compile(
    r"""
      (?P<space> [\s\ufeff]++ )
    | (?P<comment> //[^\n]*+ | \#[^\n]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/ )
    | (?P<long> "{3}[^"\\]*+(?:(?:\\.|"{1,2}(?!"))[^"\\]*+)*+"{3} | '{3}[^'\\]*+(?:(?:\\.|'{1,2}(?!'))[^'\\]*+)*+'{3} )
    | (?P<string> "[^"\\]*+(?:\\.[^"\\]*+)*+" )
    | (?P<single> '[^'\\]*+(?:\\.[^'\\]*+)*+' )
    | (?P<curly> [“”„][^“”„]*[“”] | [‘’‚][^‘’‚]*[‘’] )
    | (?P<number> [+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]) | -?Infinity\b )
    | (?P<word> [^\W\d][\w$-]* )
    | (?P<mark> [\[\]{}(),:] )
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity")
_COLON = re.compile(r"\s*:")
_WORDS = {"true": "true", "false": "false", "null": "null", "NaN": "NaN", "Infinity": "Infinity"}
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
_CLOSING = {"[": "]", "{": "}", "(": ")"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": "", **{c: c for c in "\\/'\""}}
_DECODER = json.JSONDecoder(parse_int=bounded_int)


class NotData(ValueError):
    """A part of a text is not data.

    Attributes:
        reason: Why, in words.
        place: Where in the text the mistake is.
        end: Up to where the text was understood.
        is_cut_off: Whether everything is right up to there, and the text ends.
        looked_at: Up to where the text was looked at.
    """

    def __init__(self, reason: str, place: int, end: int, is_cut_off: bool = False, looked_at: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place
        self.end = end
        self.is_cut_off = is_cut_off
        self.looked_at = max(end, looked_at)


class Data(NamedTuple):
    """Data in a text, where it ends there, and what was done to read it."""

    value: Any
    end: int
    repairs: tuple[Repair, ...] = ()


def whole_json(text: str) -> Any:
    """The data of a text that is JSON from its first letter to its last. Raises ValueError."""
    try:
        return json.loads(text, parse_int=bounded_int)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def data_at(text: str, start: int) -> Data:
    """The data that begins at a bracket.

    Raises:
        NotData: It is not data, or goes on beyond the end of the text.
    """
    mistake = _Mistake("it cannot be read", start)
    if text[start] != "(":
        found = _json_at(text, start)
        if isinstance(found, Data):
            return found
        mistake = found
    return _Tokens(text, start, mistake).read()


@dataclass(frozen=True)
class _Mistake:
    """The mistake that JSON's own reader finds in a text."""

    reason: str
    place: int


def _json_at(text: str, start: int) -> Data | _Mistake:
    """The JSON that begins at a bracket, or its first mistake. Raises NotData if it is nested too deeply.

    JSON's reader counts the lines before a mistake, so it is given a part of the text that grows as needed.
    """
    size = _FIRST_PART
    while True:
        part = text[start : start + size]
        try:
            value, end = _DECODER.raw_decode(part)
        except json.JSONDecodeError as error:
            is_whole = start + size >= len(text)
            if is_whole or not (error.pos > size - _LONGEST_TOKEN or error.msg.startswith("Unterminated")):
                return _Mistake(error.msg, start + error.pos)
        except RecursionError:
            raise NotData(TOO_DEEP, start, len(text)) from None
        else:
            return Data(value, start + end)
        size *= 16


@dataclass
class _Open:
    """An open bracket: its place in the tokens that are written, and whether there was a comma in it."""

    bracket: str
    place: int
    has_comma: bool = False


@dataclass
class _Tokens:
    """Reads data token by token and writes it again as JSON."""

    text: str
    start: int
    mistake: _Mistake
    written: list[str] = field(default_factory=list)
    repairs: set[Repair] = field(default_factory=set)
    open: list[_Open] = field(default_factory=list)
    has_comma_to_write: bool = False

    def read(self) -> Data:
        """The data. Raises NotData."""
        position = self.start
        limit = min(len(self.text), self.start + MAX_MENDED_CHARS)
        while position < limit:
            token = _TOKEN.match(self.text, position)
            if token is None:
                raise self._unfinished_or_wrong(position)
            self._add_token(token.lastgroup or "", token.group(), position)
            position = token.end()
            if not self.open and self.written:
                return self._data(position)
        if limit < len(self.text):
            raise NotData(f"{self.mistake.reason}; it is too long to be mended", self.mistake.place, len(self.text))
        raise self._cut_off()

    def _data(self, end: int) -> Data:
        try:
            value = json.loads(" ".join(self.written), parse_int=bounded_int)
        except ValueError:
            raise NotData(self.mistake.reason, self.mistake.place, end) from None
        return Data(value, end, _in_order(self.repairs))

    def _add_token(self, kind: str, word: str, position: int) -> None:
        if kind == "space":
            return
        if kind == "comment":
            self.repairs.add(COMMENTS)
        elif kind == "mark":
            self._add_mark(word, position)
        elif kind == "number":
            self._write_token(self._number(word, position))
        elif kind == "word":
            self._write_token(self._word(word, position))
        else:
            self._write_token(self._quoted(kind, word))

    def _add_mark(self, mark: str, position: int) -> None:
        if mark in _CLOSING:
            self._open_bracket(mark)
        elif mark == ",":
            if self.has_comma_to_write:
                raise NotData(self.mistake.reason, position, position)
            self.has_comma_to_write = True
            self.open[-1].has_comma = True
        elif mark == ":":
            self._write_token(":")
        elif _CLOSING[self.open[-1].bracket] == mark:
            self._close_bracket(self.open.pop())
        else:
            raise NotData(self.mistake.reason, position, position + 1)

    def _open_bracket(self, bracket: str) -> None:
        if len(self.open) > 2 * MAX_DEPTH:
            raise NotData(TOO_DEEP, self.start, len(self.text))
        if bracket == "(":
            self.repairs.add(PYTHON)
        self._write_token("[" if bracket == "(" else bracket)
        self.open.append(_Open(bracket, len(self.written) - 1))

    def _close_bracket(self, opened: _Open) -> None:
        is_grouping = opened.bracket == "(" and not opened.has_comma and len(self.written) > opened.place + 1
        if self.has_comma_to_write and opened.bracket != "(":
            self.repairs.add(COMMAS)
        self.has_comma_to_write = False
        if is_grouping:
            self.written[opened.place] = ""
        else:
            self.written.append("]" if opened.bracket == "(" else _CLOSING[opened.bracket])

    def _write_token(self, token: str) -> None:
        if self.has_comma_to_write:
            self.written.append(",")
            self.has_comma_to_write = False
        self.written.append(token)

    def _number(self, word: str, position: int) -> str:
        if _NUMBER.fullmatch(word):
            return word
        if re.match(r"[+-]?0\d", word):
            # 0110 is a label, and would lose its zero as a number.
            raise NotData("a number begins with 0", position, position)
        self.repairs.add(PYTHON)
        return repr(float(word)) if "." in word or "e" in word.lower() else word.lstrip("+")

    def _word(self, word: str, position: int) -> str:
        if self.open and self.open[-1].bracket == "{" and _COLON.match(self.text, position + len(word)):
            self.repairs.add(KEYS)
            return json.dumps(word)
        if word in _PYTHON_WORDS:
            self.repairs.add(PYTHON)
            return _PYTHON_WORDS[word]
        if word not in _WORDS:
            raise NotData(self.mistake.reason, position, position)
        return _WORDS[word]

    def _quoted(self, kind: str, word: str) -> str:
        if kind == "string":
            return self._string(word)
        self.repairs.add(QUOTES if kind == "curly" else PYTHON)
        size = 3 if kind == "long" else 1
        return json.dumps(_unescaped(word[size:-size]))

    def _string(self, word: str) -> str:
        try:
            json.loads(word)
        except ValueError:
            self.repairs.add(LINES if "\n" in word else PYTHON)
            return json.dumps(_unescaped(word[1:-1]))
        return word

    def _cut_off(self) -> NotData:
        return NotData("the text ends before the data does", len(self.text.rstrip()), len(self.text), is_cut_off=True)

    def _unfinished_or_wrong(self, position: int) -> NotData:
        """The error for a position at which no token begins; at a quotation mark, the text was cut off."""
        if self.text[position] in "\"'“‘":
            return self._cut_off()
        is_comment = self.text.startswith("/*", position)
        return NotData(self.mistake.reason, position, position, looked_at=len(self.text) if is_comment else 0)


def _unescaped(body: str) -> str:
    """A text in quotation marks with its escapes resolved; unknown ones are kept."""

    def resolved(match: re.Match[str]) -> str:
        code = match.group(1)
        if len(code) > 1:
            return chr(int(code[1:], 16))
        return _ESCAPED.get(code, match.group())

    return _ESCAPE.sub(resolved, body) if "\\" in body else body


def _in_order(repairs: Collection[Repair]) -> tuple[Repair, ...]:
    return tuple(repair for repair in _ORDER if repair in repairs)
