"""The tasks as Inspect calls them: one function for each, under its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import inspect_ai
from inspect_ai.agent import as_solver
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import ResponseSchema
from inspect_ai.solver import Solver, generate

from spatial_workbench.engine.core import PlayedByAgents, Task, agents_of, needs_agent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.inspecting.agents import workbench_agent
from spatial_workbench.inspecting.samples import response_schema, samples_of
from spatial_workbench.inspecting.scoring import verdict

DEFAULT_AGENT = "basic"
"""For tasks whose prompt does not show everything."""


def inspect_task(
    task_id: str,
    instances: Any = None,
    verifier: str = "default",
    structured: bool = True,
    agent: str | None = None,
    **settings: Any,
) -> inspect_ai.Task:
    """A task of ours as one of Inspect.

    Args:
        task_id: Its id.
        instances: Such as "0-4", 3 or "@7", or a list of these; None: all published ones.
        verifier: Whose score counts.
        structured: Whether the answer's schema is sent, where answers are JSON and no agent plays.
        agent: The kind of agent that plays; None: one question, or the basic agent where the task needs one.
        settings: Of `workbench_agent`.

    Raises:
        InstanceError: There is no such instance.
        ValueError: There is no such verifier or agent; says which there are.
    """
    known = task_of(task_id)
    kind = agent or (DEFAULT_AGENT if needs_agent(known) else None)
    _require(verifier, known.verifiers(), "verifier")
    if kind is not None:
        _require(kind, agents_of(known), "agent")
    schema = response_schema(known) if structured and kind is None else None
    return inspect_ai.Task(
        dataset=MemoryDataset(samples_of(known, instances), name=known.id),
        solver=_solver(kind, settings, schema),
        scorer=verdict(verifier),
        display_name=known.title,
        version=known.verifiers()[verifier].version,
    )


def _solver(kind: str | None, settings: Mapping[str, Any], schema: ResponseSchema | None) -> Solver:
    """The schema goes with the question, not with the task, since another solver, such as hands, must not send it."""
    if kind is not None:
        return as_solver(workbench_agent(kind, **settings))
    return generate(response_schema=schema) if schema is not None else generate()


def _require(name: str, known: Mapping[str, Any], what: str) -> None:
    if name not in known:
        choices = f"known: {', '.join(known)}" if known else "there is none"
        raise ValueError(f"No {what} is called “{name}”; {choices}")


def _question(task: Task[Any]) -> Callable[..., inspect_ai.Task]:
    def build(instances: Any = None, verifier: str = "default", structured: bool = True) -> inspect_ai.Task:
        return inspect_task(task.id, instances, verifier, structured)

    return _registered(task, build)


def _acting(task: Task[Any]) -> Callable[..., inspect_ai.Task]:
    """A task whose only agent is hands."""

    def build(
        instances: Any = None,
        verifier: str = "default",
        structured: bool = True,
        agent: str | None = None,
        minutes: float = 30.0,
        step_seconds: float = 60.0,
        options: dict[str, Any] | None = None,
    ) -> inspect_ai.Task:
        settings = {"minutes": minutes, "step_seconds": step_seconds, "options": options}
        return inspect_task(task.id, instances, verifier, structured, agent, **settings)

    return _registered(task, build)


def _played(task: Task[Any]) -> Callable[..., inspect_ai.Task]:
    def build(
        instances: Any = None,
        verifier: str = "default",
        structured: bool = True,
        agent: str | None = None,
        uses_code: bool = True,
        reward: str = "none",
        max_steps: int = 20,
        minutes: float = 30.0,
        step_seconds: float = 60.0,
        options: dict[str, Any] | None = None,
    ) -> inspect_ai.Task:
        limits = {"max_steps": max_steps, "minutes": minutes, "step_seconds": step_seconds}
        settings = {"uses_code": uses_code, "reward": reward, **limits}
        return inspect_task(task.id, instances, verifier, structured, agent, **settings, options=options)

    return _registered(task, build)


def _registered(task: Task[Any], build: Callable[..., inspect_ai.Task]) -> Callable[..., inspect_ai.Task]:
    build.__name__ = build.__qualname__ = task.id
    build.__doc__ = task.summary
    registered: Callable[..., inspect_ai.Task] = inspect_ai.task(build)
    return registered


def _built(task: Task[Any]) -> Callable[..., inspect_ai.Task]:
    if isinstance(task, PlayedByAgents):
        return _played(task)
    return _acting(task) if agents_of(task) else _question(task)


TASKS = {known.id: _built(known) for known in all_tasks()}
"""The functions by id."""
