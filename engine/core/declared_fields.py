"""The declarations of the fields of a pydantic record, from which forms and summaries are made.

A record declares labels and help as pydantic does, by `Field(title=…, description=…)`. It may say more in
`json_schema_extra`: "labels" of choices, the "unit" of a number, what "open" means where nothing is given, and the
"rows" of a long text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from pydantic import BaseModel

ROWS = 3
"""The usual height, in lines, of a text that may be long, and of a list of texts."""


class FieldKind(StrEnum):
    """What a field holds, as far as it matters for a form."""

    FLAG = "flag"
    CHOICE = "choice"
    COUNT = "count"
    NUMBER = "number"
    LINE = "line"
    TEXT = "text"
    LINES = "lines"
    OTHER = "other"


@dataclass(frozen=True)
class DeclaredField:
    """A field of a record.

    Attributes:
        path: Its place within the record, such as "limits.item_s".
        label: A few words; made from the name where the record declares none.
        about: A sentence about it; may be empty.
        default: None where it has none, or where that is None.
        choices: Values with their labels; empty unless it is a choice.
        low, high: Bounds of a number, both allowed; None where there is none, or where the bound itself is not allowed.
        is_optional: Whether it may be None.
        unit: Of a number, such as "rounds".
        open_text: What it means to give nothing.
        rows: Height of a text in lines.
        extra: The field's JSON schema, with everything that the record declares in `json_schema_extra`.
    """

    path: str
    label: str
    about: str
    kind: FieldKind
    default: Any
    choices: tuple[tuple[Any, str], ...]
    low: float | None
    high: float | None
    is_optional: bool
    unit: str
    open_text: str
    rows: int
    extra: Mapping[str, Any]


def declared_fields(record: type[BaseModel]) -> tuple[DeclaredField, ...]:
    """All fields of a record, in the order of their declaration; those of records within it are not among them."""
    schema = _schema(record)
    return tuple(_read_field(name, field, schema) for name, field in schema["properties"].items())


def declared_field(record: type[BaseModel], path: str) -> DeclaredField:
    """The field at a place such as "limits.item_s", which may lie in records within the record.

    Raises:
        KeyError: There is no such field.
    """
    schema = _schema(record)
    *outer, name = path.split(".")
    part: Mapping[str, Any] = schema
    for step in outer:
        part = _given_type(part["properties"][step], schema)
    return _read_field(path, part["properties"][name], schema)


@dataclass(frozen=True)
class GeneratorParameter:
    """A parameter by which instances are generated.

    Attributes:
        about: A sentence; may be empty.
        kind: "whole number", "number", "text", "yes or no", or "choice".
        default: What counts if it is not given; None: it is drawn.
        low, high: Bounds of a number, both allowed; None: there is none.
        choices: The values that are allowed; empty: they are not listed.
    """

    name: str
    about: str
    kind: str
    default: Any
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()

    @property
    def values(self) -> str:
        """Which values it takes, in words: "whole number, 5 to 30"."""
        if self.choices:
            return " | ".join(map(str, self.choices))
        low, high = (None if bound is None else f"{bound:g}" for bound in (self.low, self.high))
        bounds = f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}" if high else ""
        return ", ".join(filter(None, (self.kind, bounds)))

    def __str__(self) -> str:
        default = "" if self.default is None else f"; {self.default!r} by default"
        return f"{self.name}: {self.values}{default}. {self.about}".rstrip()

    def as_data(self) -> dict[str, Any]:
        """As plain data, without what does not apply."""
        data = {
            "name": self.name,
            "about": self.about,
            "kind": self.kind,
            "default": self.default,
            "minimum": self.low,
            "maximum": self.high,
            "choices": list(self.choices) or None,
        }
        return {name: value for name, value in data.items() if value is not None or name == "default"}


@cache
def generator_parameters(record: type[BaseModel]) -> tuple[GeneratorParameter, ...]:
    """The parameters that a task's `difficulty` declares, in their order."""
    return tuple(
        GeneratorParameter(
            name=field.path,
            about=field.about,
            kind=_KIND_WORDS.get(field.kind, "text"),
            default=field.default,
            low=field.low,
            high=field.high,
            choices=tuple(value for value, _ in field.choices),
        )
        for field in declared_fields(record)
    )


@cache
def _schema(record: type[BaseModel]) -> Mapping[str, Any]:
    return record.model_json_schema()


def _read_field(path: str, field: Mapping[str, Any], schema: Mapping[str, Any]) -> DeclaredField:
    given = _given_type(field, schema)
    kind = _kind(field, given)
    labels = field.get("labels", {})
    return DeclaredField(
        path=path,
        label=field.get("title", path.rpartition(".")[2].replace("_", " ").capitalize()),
        about=field.get("description", ""),
        kind=kind,
        default=field.get("default"),
        choices=tuple((value, labels.get(value, str(value))) for value in given.get("enum", ())),
        low=given.get("minimum"),
        high=given.get("maximum"),
        is_optional=any(branch.get("type") == "null" for branch in field.get("anyOf", ())),
        unit=field.get("unit", ""),
        open_text=field.get("open", ""),
        rows=field.get("rows", ROWS),
        extra=field,
    )


def _given_type(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a field's schema that says which values it takes, other than none."""
    branches: list[Mapping[str, Any]] = field.get("anyOf", [field])
    given = next((branch for branch in branches if branch.get("type") != "null"), field)
    reference = given.get("$ref", "")
    definition: Mapping[str, Any] = schema["$defs"][reference.rpartition("/")[2]] if reference else given
    return definition


_KIND_WORDS = {
    FieldKind.FLAG: "yes or no",
    FieldKind.CHOICE: "choice",
    FieldKind.COUNT: "whole number",
    FieldKind.NUMBER: "number",
}
_KINDS = {
    "boolean": FieldKind.FLAG,
    "integer": FieldKind.COUNT,
    "number": FieldKind.NUMBER,
    "string": FieldKind.LINE,
}


def _kind(field: Mapping[str, Any], given: Mapping[str, Any]) -> FieldKind:
    if "enum" in given:
        return FieldKind.CHOICE
    if _is_text(given) and (_has_languages(field) or "rows" in field):
        return FieldKind.TEXT
    if given.get("type") == "array" and (_is_text(given["items"]) or _has_languages(given["items"])):
        return FieldKind.LINES
    return _KINDS.get(str(given.get("type", "")), FieldKind.OTHER)


def _is_text(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string"


def _has_languages(schema: Mapping[str, Any]) -> bool:
    """Whether it is a text, or a text for each language."""
    kinds = {branch.get("type") for branch in schema.get("anyOf", ())}
    return {"string", "object"} <= kinds
