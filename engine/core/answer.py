"""Answers: what a person or a model gives, and how it is read."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from engine.core.errors import AnswerError
from engine.core.fields import known_fields, nearest_name, short_text
from engine.core.jsontext import Path, format_path, locate
from engine.core.limits import MAX_MAGNITUDE, decode, within_limits
from engine.core.reading import not_data, read_loosely


class AnswerPart(BaseModel):
    """Base of the records in an answer: frozen, strict (no strings or booleans for numbers), no unknown fields.

    Lists are stored as tuples. Since the data to validate holds lists, tuple fields need `at_most(...)` or
    `Field(strict=False)`, which accept lists and leave the validation of the entries strict.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Answer(AnswerPart):
    """Base of every answer type.

    When an answer is read, fields that it does not have are ignored with a warning; `reasoning` is ignored silently.
    """

    _warnings: tuple[str, ...] = PrivateAttr(default=())

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal, whatever the warnings."""
        return type(self) is type(other) and self.__dict__ == other.__dict__

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about what the parser ignored or repaired; `Task.verify` adds them to the verdict."""
        return self._warnings

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Hook before validation: converts other spellings that the task accepts into the answer's own.

        Drop what the task's rules ignore, and `warn` about it. Raise `AnswerError` with a path for what they refuse.
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
"""A number between -MAX_MAGNITUDE and MAX_MAGNITUDE, int or float."""
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
    """Reads an answer from text (by `read_loosely`), plain data, or an answer.

    Raises:
        AnswerError: It cannot be read; names the place.
    """
    if isinstance(raw, answer_type):
        return raw
    if isinstance(raw, bytes):
        raw = decode(raw)
    return _parse_text(answer_type, raw) if isinstance(raw, str) else _validate(answer_type, raw)


def _parse_text(answer_type: type[A], raw: str) -> A:
    """The first reading of a text that is valid; if none is, raises the error of the likeliest."""
    refusal: AnswerError | None = None
    for reading in read_loosely(raw):
        try:
            return _validate(answer_type, reading.data, reading.repairs)
        except AnswerError as error:
            if refusal is None and not reading.is_guess:
                line = _line_of(raw, reading.part, error.path)
                refusal = AnswerError(error.message, error.path, line)
    raise refusal or not_data(raw)


def _validate(answer_type: type[A], data: Any, repairs: Sequence[str] = ()) -> A:
    warnings = list(repairs)
    data = within_limits(known_fields(answer_type, data, warnings.append))
    data = answer_type.prepare(data, warnings.append)
    try:
        answer = answer_type.model_validate(data)
    except ValidationError as error:
        raise _explained(answer_type, error) from None
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
    faults = error.errors(include_url=False, include_context=True, include_input=True)
    details = faults[0]
    path = _path(details["loc"])
    kind, value = details["type"], details["input"]
    message = details["msg"].removeprefix("Value error, ")
    own = answer_type.explain(path, kind, message)
    if own is not None:
        return AnswerError(own, path)
    if kind == "value_error":
        return AnswerError(message, path)
    place = format_path(path) or "The answer"
    return AnswerError(f"{place} {_sentence(kind, value, message)}{_misspelt(path, kind, faults)}", path)


def _sentence(kind: str, value: Any, message: str) -> str:
    if isinstance(value, float) and math.isinf(value):
        return f"must be a finite number of at most ±{MAX_MAGNITUDE:,}"
    sentence = _SENTENCES.get(kind, message[:1].lower() + message[1:])
    return sentence if kind in {"missing", "extra_forbidden"} else f"{sentence}, not {_short(value)}"


def _misspelt(path: Path, kind: str, faults: Sequence[Any]) -> str:
    """A hint at the unknown field that may be a misspelling of the missing one: "; xyz is not known"."""
    if kind != "missing":
        return ""
    strange = [_path(fault["loc"]) for fault in faults if fault["type"] == "extra_forbidden"]
    names = [str(other[-1]) for other in strange if other[:-1] == path[:-1]]
    return f"; {short_text(nearest_name(str(path[-1]), names) or names[0])} is not known" if names else ""


def _path(loc: Sequence[int | str]) -> Path:
    return tuple(part for part in loc if not _is_union_tag(part))


def _is_union_tag(part: int | str) -> bool:
    return isinstance(part, str) and ("[" in part or part in {"function-after", "function-before"})


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return short_text(json.dumps(value[:40]))
    return short_text(json.dumps(value) if isinstance(value, int | float | None) else type(value).__name__)


def _line_of(raw: str, text: str, path: Path) -> int | None:
    bare_list = text.lstrip().startswith("[") and path and isinstance(path[0], str)
    offset = locate(text, path[1:] if bare_list else path)
    return None if offset is None else raw.count("\n", 0, raw.find(text) + offset) + 1
