"""The options of agents as a form or a summary shows them, read from `PlayedByAgents.agent_options`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from spatial_workbench.engine.core import PlayedByAgents, tasks
from spatial_workbench.engine.core.declared_fields import DeclaredField, declared_fields


def declared_options(kind: str) -> type[BaseModel] | None:
    """The declaration of the options of a kind of agent; None if it has none."""
    playing = (task for task in tasks() if isinstance(task, PlayedByAgents) and kind in task.agents)
    declared = (task.agent_options for task in playing)
    return next((options for options in declared if options is not None), None)


def options_of_kind(declared: type[BaseModel], kind: str) -> tuple[DeclaredField, ...]:
    """The options that a kind of agent uses, in the order of their declaration.

    A field names the kinds that use it as "kinds" in `json_schema_extra`; without that, all kinds do.
    """
    return tuple(field for field in declared_fields(declared) if kind in field.extra.get("kinds", (kind,)))


def words_of_options(declared: type[BaseModel] | None, kind: str, values: Mapping[str, Any]) -> str:
    """Options that were set, for a summary: "Rounds 10, Inspector off"."""
    known = {option.path: option for option in options_of_kind(declared, kind)} if declared is not None else {}
    return ", ".join(_words(known.get(name), name, value) for name, value in values.items())


def _words(option: DeclaredField | None, name: str, value: Any) -> str:
    if option is None:
        return f"{name} {value}"
    if isinstance(value, bool):
        return f"{option.label.lower()} {'on' if value else 'off'}"
    label = dict(option.choices).get(value, value)
    return f"{option.label.lower()} {label}"
