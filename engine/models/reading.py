"""Reads data out of free text: for answers that no schema held in shape (SCBench's order of attempts)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core import AnswerError
from engine.core.answer import check_length

_THINKING = re.compile(r"<(think|thinking)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\n(.*?)```", re.DOTALL)
_FINAL = re.compile(r"^[ \t*#>]*final answer[*]*:[*]*(.*)$", re.IGNORECASE | re.MULTILINE)
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_CLOSING = {"]": "[", "}": "{", ")": "("}
_MAX_LITERAL = 200_000
"""Longer texts are read as JSON only: Python's literals take far more memory than text."""


def read_loosely(text: str, schema: Mapping[str, Any] | None = None) -> Any:
    """The data in a text, as plain JSON data. The first of these that can be read as JSON or a Python literal:

    the last line that begins with "Final answer:", the last code fence, the whole text, a list separated by commas or
    lines, the last balanced brackets, a single word. Thinking blocks are left out, typographic quotes made straight.
    Where the schema is an object with one field beside the reasoning, data that is no object becomes that field.

    Raises:
        AnswerError: There is nothing.
    """
    check_length(text)
    cleaned = _THINKING.sub("", text).translate(_QUOTES).strip()
    if not cleaned:
        raise AnswerError("The answer is empty")
    for part in _parts(cleaned):
        try:
            return _wrapped(_literal(part), schema)
        except ValueError:
            continue
    if len(words := _words(cleaned)) >= 2:
        return _wrapped([_word(word) for word in words], schema)
    for part in _last_brackets(cleaned):
        try:
            return _wrapped(_literal(part), schema)
        except ValueError:
            continue
    if len(cleaned.split()) == 1:
        return _wrapped(cleaned, schema)
    raise AnswerError("No data was found in the answer")


def _parts(text: str) -> Iterator[str]:
    finals = _FINAL.findall(text)
    if finals:
        yield finals[-1].strip()
    fences = _FENCE.findall(text)
    if fences:
        yield fences[-1].strip()
    yield text


def _words(text: str) -> list[str]:
    """The entries of a bare list; empty where the text is prose or holds brackets."""
    finals = _FINAL.findall(text)
    line = finals[-1] if finals else text
    entries = [entry.strip(" \t\"'`-*") for entry in re.split(r"[,\n]", line)]
    entries = [entry for entry in entries if entry]
    prose = any(len(entry.split()) > 3 or set(entry) & set("[]{}()") for entry in entries)
    return [] if prose else entries


def _word(word: str) -> Any:
    # "010" is a label, which neither JSON nor Python reads as a number.
    try:
        return _literal(word)
    except ValueError:
        return word


def _last_brackets(text: str) -> Iterator[str]:
    """The text from the last closing bracket back to the one that opened it."""
    end = max(text.rfind(closing) for closing in _CLOSING)
    stack: list[str] = []
    for position in range(end, -1, -1):
        letter = text[position]
        if letter in _CLOSING:
            stack.append(_CLOSING[letter])
        elif stack and letter in "[{(":
            if stack.pop() != letter:
                return
            if not stack:
                yield text[position : end + 1]
                return


def _literal(text: str) -> Any:
    """Raises ValueError: it is neither JSON nor a Python literal of plain data."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        if len(text) > _MAX_LITERAL:
            raise
    try:
        return _plain(ast.literal_eval(text))
    except (SyntaxError, RecursionError, MemoryError, TypeError) as error:
        raise ValueError(str(error)) from None


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(entry) for entry in data]
    if data is None or isinstance(data, bool | int | float | str):
        return data
    raise ValueError(f"{type(data).__name__} is no JSON data")


def _wrapped(data: Any, schema: Mapping[str, Any] | None) -> Any:
    fields = [name for name in (schema or {}).get("properties", {}) if name != "reasoning"]
    return {fields[0]: data} if len(fields) == 1 and not isinstance(data, dict) else data
