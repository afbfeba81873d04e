"""The first step of reading: the caps on every answer, on length, nesting, number of values, and size of numbers.

Texts are capped before anything is read, data before any task sees it.
"""

import math
from typing import Any

from spatial_workbench.engine.core.errors import AnswerError

MAX_TEXT_CHARS = 16_000_000
"""Longer answers are refused before anything is read."""

MAX_DEPTH = 64
"""How deeply lists and objects may be nested."""

MAX_VALUES = 2_000_000
"""Numbers, texts, lists and objects together."""

MAX_MAGNITUDE = 10**9
"""Larger numbers become infinite, which no field takes. Products of two coordinates stay within 64 bits."""


def capped(raw: str | bytes) -> str:
    """The text of an answer.

    Raises:
        AnswerError: Too long, or not UTF-8.
    """
    if len(raw) > MAX_TEXT_CHARS:
        megabytes = len(raw) / 1e6
        raise AnswerError(
            f"The answer is {megabytes:.0f} MB long; the limit is {MAX_TEXT_CHARS / 1e6:.0f} MB. Nothing was read"
        )
    if isinstance(raw, str):
        return raw
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AnswerError(f"The answer is not UTF-8 text (byte {error.start} cannot be read)") from None


def bounded_int(digits: str) -> int | float:
    """The integer that digits stand for; infinite if it is far beyond the limit, so that it is never computed."""
    sign_and_digits = len(str(MAX_MAGNITUDE)) + 1
    return int(digits) if len(digits) <= sign_and_digits else math.copysign(math.inf, -1 if digits[0] == "-" else 1)


def well_formed(text: str) -> str:
    """The text with a replacement character in place of every lone surrogate."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def field_name(key: Any) -> str:
    """The name of a field in plain data, whose keys may be of any type."""
    return well_formed(key) if isinstance(key, str) else f"({type(key).__name__})"


def within_limits(data: Any) -> Any:
    """Plain data with every number beyond MAX_MAGNITUDE infinite, and every text well formed.

    Raises:
        AnswerError: There are too many values, or they are nested too deeply.
    """
    return _Walk().value(data, 0)


class _Walk:
    def __init__(self) -> None:
        self.remaining = MAX_VALUES

    def value(self, data: Any, depth: int) -> Any:
        if isinstance(data, bool):
            return data
        if isinstance(data, int | float):
            return _bounded(data)
        if isinstance(data, str):
            return well_formed(data)
        if isinstance(data, list | tuple | dict):
            return self.parts(data, depth + 1)
        return data

    def parts(self, data: Any, depth: int) -> Any:
        self.remaining -= len(data)
        if depth > MAX_DEPTH:
            raise AnswerError(f"The answer is nested too deeply (limit {MAX_DEPTH})")
        if self.remaining < 0:
            raise AnswerError(f"The answer holds too many values (limit {MAX_VALUES:,})")
        if isinstance(data, dict):
            return {field_name(key): self.value(entry, depth) for key, entry in data.items()}
        return [self.value(entry, depth) for entry in data]


def _bounded(number: float) -> float:
    # NaN fails every comparison; it is kept as it is.
    if -MAX_MAGNITUDE <= number <= MAX_MAGNITUDE or number != number:
        return number
    return math.inf if number > 0 else -math.inf
