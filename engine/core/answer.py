"""Answers: what a person or a model gives, and how it is read."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from engine.core.jsontext import Path, format_path, locate

MAX_TEXT_CHARS = 16_000_000
"""Longer answers are refused before anything is parsed."""


class AnswerError(ValueError):
    """An answer that cannot be read: where, and what a person can do about it.

    Attributes:
        message: a plain sentence.
        path: the place in the data, such as ("bricks", 3, "Centroid").
        line: the line of the text (from 1), where the answer was text and the place is known.
    """

    def __init__(self, message: str, path: Path = (), line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        super().__init__(message)

    @property
    def place(self) -> str:
        """The path in the usual notation: bricks[3].Centroid[0]."""
        return format_path(self.path)

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return where + self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.path, self.line)


class AnswerPart(BaseModel):
    """Base of the records in an answer: frozen, strict (no strings or booleans for numbers), no unknown fields.

    Lists are tuples; since the data that comes in holds lists, tuple fields carry `at_most(...)` or
    `Field(strict=False)`, which lets lists through and leaves the entries strict.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Answer(AnswerPart):
    """Base of every answer type."""

    _warnings: tuple[str, ...] = PrivateAttr(default=())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the parser passed over, in sentences; verifiers put them on the verdict."""
        return self._warnings

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Hook before validation: turns other spellings that the task accepts into the answer's own.

        Leave out what the task's rules skip, and `warn` of it. Raise `AnswerError` with a path for what they refuse.
        """
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        """Hook: the task's own sentence for a validation error at `path`, or None for the usual one.

        `kind` is pydantic's error type, such as "float_type", "missing" or "extra_forbidden".
        """
        return None


class ReasonedAnswer(Answer):
    """An answer with room for the solver's reasoning, which is never scored."""

    reasoning: str = Field(default="", description="How you arrived at the answer. Not scored.")


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A finite number, int or float."""
Integer = Annotated[int, Field(strict=True)]
"""An integer; 3.0 is refused."""
WholeNumber = Annotated[int, BeforeValidator(_whole, json_schema_input_type=int), Field(strict=True)]
"""An integer; 3.0 stands for 3."""


def at_most(limit: int, what: str) -> BeforeValidator:
    """For list fields: refuses more than `limit` entries before any of them is looked at.

    bricks: Annotated[tuple[Brick, ...], at_most(5000, "bricks")]
    """

    def check(value: Any) -> Any:
        if isinstance(value, list | tuple):
            if len(value) > limit:
                raise ValueError(f"Too many {what} (limit {limit})")
            return tuple(value)
        return value

    return BeforeValidator(check)


A = TypeVar("A", bound=Answer)


def parse_json_answer(answer_type: type[A], raw: str | bytes | Answer | Any) -> A:
    """Reads an answer from text (with or without prose around the JSON), plain data, or an answer.

    Raises:
        AnswerError: with the place and a sentence.
    """
    if isinstance(raw, answer_type):
        return raw
    if isinstance(raw, bytes):
        raw = decode(raw)
    if not isinstance(raw, str):
        return _validate(answer_type, raw)
    check_length(raw)
    text, data = find_json(raw)
    try:
        return _validate(answer_type, data)
    except AnswerError as error:
        raise AnswerError(error.message, error.path, _line_of(raw, text, error.path)) from None


def decode(raw: bytes) -> str:
    """Text from bytes.

    Raises:
        AnswerError: too long, or not UTF-8.
    """
    check_length(raw)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AnswerError(f"The answer is not UTF-8 text (byte {error.start} cannot be read)") from None


def check_length(raw: str | bytes) -> None:
    """Raises AnswerError if the text is longer than MAX_TEXT_CHARS."""
    if len(raw) > MAX_TEXT_CHARS:
        megabytes = len(raw) / 1e6
        raise AnswerError(
            f"The answer is {megabytes:.0f} MB long; the limit is {MAX_TEXT_CHARS / 1e6:.0f} MB. Nothing was read"
        )


def find_json(raw: str) -> tuple[str, Any]:
    """The JSON in a text: the whole text, else the last fenced block, else the longest JSON object or array in it.

    A text that begins with a brace has to be an object from there on; its parts are not searched.

    Returns:
        the part of the text that was read, and its data.

    Raises:
        AnswerError: there is none; names the line of the first mistake.
    """
    stripped = raw.strip()
    if not stripped:
        raise AnswerError("The answer is empty")
    try:
        return raw, _loads(raw)
    except ValueError as error:
        first_mistake = error
    for part in _json_candidates(raw):
        try:
            return part, _loads(part)
        except ValueError:
            continue
    found = _longest_embedded(raw)
    if found is not None and (stripped[0] != "{" or raw.lstrip().startswith(found[0])):
        return found
    if stripped[0] in "{[" and isinstance(first_mistake, json.JSONDecodeError):
        raise AnswerError(
            f"This is not JSON: {first_mistake.msg} (column {first_mistake.colno})", line=first_mistake.lineno
        )
    if stripped[0] in "{[":
        raise AnswerError(f"This is not JSON: {first_mistake}")
    raise AnswerError("No JSON object was found in the answer")


_FENCE = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_MAX_CANDIDATES = 64


def _json_candidates(raw: str) -> Iterator[str]:
    yield from reversed(_FENCE.findall(raw)[-_MAX_CANDIDATES:])


def _longest_embedded(raw: str) -> tuple[str, Any] | None:
    """The longest object or array that starts at one of the first opening brackets of the text."""
    decoder = json.JSONDecoder(parse_int=_bounded_int)
    best: tuple[str, Any] | None = None
    # A text that is made to be slow fails late at every bracket; so the characters that are read are counted.
    position, tries, budget = 0, _MAX_CANDIDATES, 2 * len(raw)
    while tries > 0 and budget > 0:
        match = _OPENING.search(raw, position)
        if match is None:
            break
        start, tries = match.start(), tries - 1
        try:
            data, position = decoder.raw_decode(raw, start)
        except json.JSONDecodeError as error:
            budget -= error.pos - start
            position = start + 1
            continue
        except (ValueError, RecursionError):
            position = start + 1
            continue
        if best is None or position - start > len(best[0]):
            best = raw[start:position], data
    return best


def _loads(text: str) -> Any:
    try:
        return json.loads(text, parse_int=_bounded_int)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _bounded_int(digits: str) -> int | float:
    """Integers of any sensible length; absurd ones become infinity, which every number field refuses."""
    return int(digits) if len(digits) <= 400 else float("inf")


def _validate(answer_type: type[A], data: Any) -> A:
    warnings: list[str] = []
    data = answer_type.prepare(data, warnings.append)
    try:
        answer = answer_type.model_validate(data)
    except ValidationError as error:
        raise _explained(answer_type, error) from None
    except RecursionError:
        raise AnswerError("The answer is nested too deeply") from None
    answer._warnings = tuple(warnings)
    return answer


_SENTENCES = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of the answer",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
}


def _explained(answer_type: type[Answer], error: ValidationError) -> AnswerError:
    details = error.errors(include_url=False, include_context=True, include_input=True)[0]
    path = tuple(part for part in details["loc"] if not _is_union_tag(part))
    kind, value = details["type"], details["input"]
    message = details["msg"].removeprefix("Value error, ")
    own = answer_type.explain(path, kind, message)
    if own is not None:
        return AnswerError(own, path)
    if kind == "value_error":
        return AnswerError(message, path)
    sentence = _SENTENCES.get(kind, message[:1].lower() + message[1:])
    place = format_path(path) or "the answer"
    shown = "" if kind in {"missing", "extra_forbidden"} else f", not {_short(value)}"
    return AnswerError(f"{place[:1].upper() + place[1:] if place == 'the answer' else place} {sentence}{shown}", path)


def _is_union_tag(part: int | str) -> bool:
    return isinstance(part, str) and ("[" in part or part in {"function-after", "function-before"})


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = json.dumps(value) if isinstance(value, str | int | float | bool | None) else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "..."


def _line_of(raw: str, text: str, path: Path) -> int | None:
    bare_list = text.lstrip().startswith("[") and path and isinstance(path[0], str)
    offset = locate(text, path[1:] if bare_list else path)
    return None if offset is None else raw.count("\n", 0, raw.find(text) + offset) + 1
