"""Answers: what a person or a model gives. The last step of reading makes an answer of data."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.formats.jsontext import Path, format_path
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.reading.fields import nearest_name, short_text
from spatial_workbench.engine.core.reading.how_read import AS_IT_IS, HowItWasRead
from spatial_workbench.engine.core.reading.limits import MAX_MAGNITUDE


class AnswerPart(BaseModel):
    """Base of the records in an answer: frozen, strict (no strings or booleans for numbers), no unknown fields.

    Reading an answer leaves unknown fields out beforehand, with a warning; constructing one refuses them.
    Lists are stored as tuples. Since the data to validate holds lists, tuple fields need `at_most(...)` or
    `Field(strict=False)`, which accept lists and leave the validation of the entries strict.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Answer(AnswerPart):
    """Base of every answer type.

    When an answer is read, fields that it does not have are ignored with a warning; `reasoning` is ignored silently.
    """

    is_asked_as_list: ClassVar[bool] = False
    """Whether prompts ask for a list in a code block; then neither is a repair."""

    _how: HowItWasRead = PrivateAttr(default=AS_IT_IS)
    _warnings: tuple[str, ...] = PrivateAttr(default=())

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal, whatever the warnings."""
        # What a task derives from the fields may be kept beside them.
        return type(self) is type(other) and all(
            self.__dict__[name] == other.__dict__[name] for name in type(self).model_fields
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about what was repaired or ignored; `Task.verify` adds them to the verdict."""
        return (*self._how.sentences, *self._warnings)

    @property
    def how(self) -> HowItWasRead:
        """How it was read."""
        return self._how

    def as_read(self, how: HowItWasRead, warnings: Sequence[str]) -> Self:
        """Sets how the answer was read, and returns it; only for the reader that has just made the answer."""
        self._how = how
        self._warnings = tuple(warnings)
        return self

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
"""A finite number, int or float; reading makes numbers beyond ±MAX_MAGNITUDE infinite, so that they are refused."""
Integer = Annotated[int, Field(strict=True)]
"""An integer; 3.0 is refused."""
WholeNumber = Annotated[int, BeforeValidator(_whole, json_schema_input_type=int), Field(strict=True)]
"""An integer; 3.0 stands for 3."""


def at_most(limit: int, what: str) -> BeforeValidator:
    """A validator for list fields that refuses more than `limit` entries before it looks at any.

    bricks: Annotated[tuple[Brick, ...], at_most(5000, "bricks")]
    """

    def check(value: Any) -> Any:
        if isinstance(value, list | tuple):
            if len(value) > limit:
                raise ValueError(marked("Too many {what} (limit {limit})").format(what=what, limit=limit))
            return tuple(value)
        return value

    return BeforeValidator(check)


A = TypeVar("A", bound=Answer)


def validated(answer_type: type[A], data: Any, warn: Callable[[str], None]) -> A:
    """Plain data, whose fields are known, as an answer.

    Raises:
        AnswerError: It is not one; names the place.
    """
    data = answer_type.prepare(data, warn)
    try:
        return answer_type.model_validate(data)
    except ValidationError as error:
        raise explained(answer_type, error) from None


def explained(answer_type: type[Answer], error: ValidationError) -> AnswerError:
    """The first fault that validation found, as a sentence that names the place."""
    faults = error.errors(include_url=False, include_context=True, include_input=True)
    details = faults[0]
    path = _path(details["loc"])
    kind = details["type"]
    value = details["input"]
    message = details["msg"].removeprefix("Value error, ")
    own = answer_type.explain(path, kind, message)
    if own is not None:
        return AnswerError(own, path)
    if kind == "value_error":
        return AnswerError(message, path)
    field = format_path(path) or "The answer"
    field_given = _misspelt(path, faults) if kind == "missing" else ""
    if field_given:
        return AnswerError(f"{field} is missing; {field_given} is not known", path)
    return AnswerError(_sentence(field, kind, value, message), path)


def _sentence(field: str, kind: str, value: Any, message: str) -> str:
    """What is wrong with a field of an answer: a whole sentence for each kind, so that it can be translated."""
    if isinstance(value, float) and math.isinf(value):
        return f"{field} must be a finite number of at most ±{MAX_MAGNITUDE:,}"
    given = _short(value)
    sentences = {
        "missing": f"{field} is missing",
        "extra_forbidden": f"{field} is not a field of the answer",
        "float_type": f"{field} must be a number, not {given}",
        "int_type": f"{field} must be a whole number, not {given}",
        "int_from_float": f"{field} must be a whole number, not {given}",
        "finite_number": f"{field} must be a finite number, not {given}",
        "string_type": f"{field} must be text, not {given}",
        "bool_type": f"{field} must be true or false, not {given}",
        "model_type": f"{field} must be an object, not {given}",
        "model_attributes_type": f"{field} must be an object, not {given}",
        "dict_type": f"{field} must be an object, not {given}",
        "list_type": f"{field} must be a list, not {given}",
        "tuple_type": f"{field} must be a list, not {given}",
    }
    return sentences.get(kind, f"{field} {message[:1].lower()}{message[1:]}, not {given}")


def _misspelt(path: Path, faults: Sequence[Any]) -> str:
    """The unknown field that may be a misspelling of the missing one; empty if there is none."""
    strange = [_path(fault["loc"]) for fault in faults if fault["type"] == "extra_forbidden"]
    names = [str(other[-1]) for other in strange if other[:-1] == path[:-1]]
    return short_text(nearest_name(str(path[-1]), names) or names[0]) if names else ""


def _path(loc: Sequence[int | str]) -> Path:
    return tuple(part for part in loc if not _is_union_tag(part))


def _is_union_tag(part: int | str) -> bool:
    return isinstance(part, str) and ("[" in part or part in {"function-after", "function-before"})


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        length_of_list = len(value)
        return f"a list of {length_of_list}"
    if isinstance(value, str):
        return short_text(json.dumps(value[:40]))
    return short_text(json.dumps(value) if isinstance(value, int | float | None) else type(value).__name__)
