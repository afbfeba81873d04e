"""The agents of tasks: who plays what, how often the model is asked, and the options as a form shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from spatial_workbench.engine.core import PlayedByAgents, Task, agents_of, tasks
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.declared_fields import DeclaredField, declared_fields
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions

EXPECTED_CALLS_OF_HANDS = 40
"""About how often a model with hands is asked, for estimates."""


def tasks_played_by(kind: str | None) -> list[Task[Any]]:
    """The tasks that agents of a kind play."""
    return [task for task in tasks() if kind in agents_of(task)]


def options_for(task: Task[Any], kind: str) -> type[BaseModel] | None:
    """The declaration of the options of an agent that plays a task; None if it has none."""
    if kind == HANDS:
        return HandsOptions
    return task.agent_options if isinstance(task, PlayedByAgents) else None


def expected_calls(task: Task[Any], agent: AgentPlan) -> int:
    """About how many questions a run of an agent takes."""
    if isinstance(task, PlayedByAgents) and agent.kind != HANDS:
        return task.expected_calls(agent)
    return EXPECTED_CALLS_OF_HANDS


def converses(task: Task[Any], agent: AgentPlan) -> bool:
    """Whether each question to an agent repeats the conversation so far."""
    return agent.kind == HANDS or not isinstance(task, PlayedByAgents) or task.agents_converse


def writes_code(task: Task[Any], kind: str | None) -> bool:
    """Whether an agent runs programs of its own, if the plan says so with `uses_code`."""
    return kind != HANDS and isinstance(task, PlayedByAgents) and task.agents_write_code


def declared_options(kind: str) -> type[BaseModel] | None:
    """The declaration of the options of a kind of agent; None if it has none."""
    declared = (options_for(task, kind) for task in tasks_played_by(kind))
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
