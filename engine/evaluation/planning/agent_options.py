"""The options of agents as a form or a summary shows them, read from `PlayedByAgents.agent_options`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from spatial_workbench.engine.core import PlayedByAgents, tasks


@dataclass(frozen=True)
class AgentOption:
    """An option of an agent.

    Attributes:
        about: A sentence about it.
        default: True or False for a flag; None: a number that may be left open.
        choices: Values with their labels; empty if it is not a choice.
        low, high: Bounds of a number; None: there is none.
        unit: Of a number, such as "rounds".
        open_text: What a number that is left open means.
    """

    name: str
    label: str
    about: str
    default: Any
    choices: tuple[tuple[Any, str], ...] = ()
    low: int | None = None
    high: int | None = None
    unit: str = ""
    open_text: str = ""


def declared_options(kind: str) -> type[BaseModel] | None:
    """The declaration of the options of a kind of agent; None if it has none."""
    playing = (task for task in tasks() if isinstance(task, PlayedByAgents) and kind in task.agents)
    declared = (task.agent_options for task in playing)
    return next((options for options in declared if options is not None), None)


def options_of_kind(declared: type[BaseModel], kind: str) -> tuple[AgentOption, ...]:
    """The options that a kind of agent heeds, in the order of their declaration.

    A field may say more in `json_schema_extra`: "kinds" that heed it, "labels" of its choices, its "unit", and what
    "open" means.
    """
    schema = declared.model_json_schema()
    return tuple(_options(schema, kind))


def words_of_options(declared: type[BaseModel] | None, kind: str, values: Mapping[str, Any]) -> str:
    """Options that were set, for a summary: "Rounds 10, Inspector off"."""
    known = {option.name: option for option in options_of_kind(declared, kind)} if declared is not None else {}
    return ", ".join(_words(known.get(name), name, value) for name, value in values.items())


def _options(schema: Mapping[str, Any], kind: str) -> Iterator[AgentOption]:
    for name, field in schema["properties"].items():
        if kind not in field.get("kinds", (kind,)):
            continue
        value_type = _value_type(field, schema)
        values = value_type.get("enum", ())
        labels = field.get("labels", {})
        yield AgentOption(
            name=name,
            label=field.get("title", name),
            about=field.get("description", ""),
            default=field.get("default"),
            choices=tuple((value, labels.get(value, str(value).capitalize())) for value in values),
            low=value_type.get("minimum"),
            high=value_type.get("maximum"),
            unit=field.get("unit", ""),
            open_text=field.get("open", ""),
        )


def _value_type(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a field's schema that says which values it takes."""
    parts: list[Mapping[str, Any]] = field.get("anyOf", [field])
    chosen = next(part for part in parts if part.get("type") != "null")
    reference = chosen.get("$ref", "")
    definition: Mapping[str, Any] = schema["$defs"][reference.rpartition("/")[2]] if reference else chosen
    return definition


def _words(option: AgentOption | None, name: str, value: Any) -> str:
    if option is None:
        return f"{name} {value}"
    if isinstance(value, bool):
        return f"{option.label.lower()} {'on' if value else 'off'}"
    label = dict(option.choices).get(value, value)
    return f"{option.label.lower()} {label}"
