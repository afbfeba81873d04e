"""The roles of a workflow as data (docs/machines.md): what each is told, part after part, and how its answer is read.

A single agent; a meta-designer, who plans a machine's structures; a designer, who builds them one after the other; an
inspector, who looks for defects; a refiner, who mends them, first blind and later with feedback; and a querier, who
asks what a simulation should report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from spatial_workbench.engine.machines.building.edits import Edited, EditOutcome, apply_lines
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.designing import prompts
from spatial_workbench.engine.machines.designing import role_texts as texts
from spatial_workbench.engine.machines.designing.prompts import Briefing, Part
from spatial_workbench.engine.machines.designing.replies import (
    DesignPlan,
    Inspection,
    ReplyError,
    necessary_types,
    read_inspection,
    read_machine,
    read_plan,
    read_steps,
)
from spatial_workbench.engine.machines.results.queries import read_queries

T = TypeVar("T")


class Role(StrEnum):
    """Who is asked."""

    SINGLE = "single"
    META_DESIGNER = "meta-designer"
    DESIGNER = "designer"
    INSPECTOR = "inspector"
    BLIND_REFINER = "blind refiner"
    REFINER = "refiner"
    QUERIER = "querier"


@dataclass(frozen=True)
class RolePrompt:
    """A question to a role."""

    system: str
    user: str


@dataclass(frozen=True)
class Heard(Generic[T]):
    """What was read of an answer; `value` is None where the answer cannot be used."""

    value: T | None
    parsed: Any = None
    error: str = ""


# How answers are read -------------------------------------------------------------------------------------------------


def _hear_machine(text: str, told: Briefing) -> Heard[Tree]:
    """A machine that keeps the rules of files."""
    return _heard(lambda: (read_machine(text), None))


def _hear_single(text: str, told: Briefing) -> Heard[Tree]:
    """A machine, and the types that the idea names."""
    heard = _hear_machine(text, told)
    return Heard(heard.value, {"necessary_blocks": list(necessary_types(text))}, heard.error)


def _hear_plan(text: str, told: Briefing) -> Heard[DesignPlan]:
    def read() -> tuple[DesignPlan, Any]:
        plan = read_plan(text)
        return plan, asdict(plan)

    return _heard(read)


def _hear_inspection(text: str, told: Briefing) -> Heard[Inspection]:
    def read() -> tuple[Inspection, Any]:
        report = read_inspection(text, told.tree)
        return report, {"defects": list(report.defects), "gives_information": report.gives_information}

    return _heard(read)


def _hear_queries(text: str, told: Briefing) -> Heard[bool]:
    """Queries about a machine; an answer without any will do."""
    queries = read_queries(text, told.tree, told.assignment.level.window_s)
    return Heard(True, [asdict(query) for query in queries])


def _hear_steps(text: str, told: Briefing) -> Heard[Edited]:
    """Commands, which are carried out; all have to succeed."""
    try:
        lines = read_steps(text)
    except ReplyError as error:
        return Heard(None, error=str(error))
    edited = apply_lines(told.tree, lines, told.assignment.level.size_limits)
    failed = [step for step in edited.steps if step.outcome is EditOutcome.ERROR]
    reason = f"{failed[0].text}: {failed[0].reason}" if failed else ""
    return Heard(None if failed else edited, [asdict(step) for step in edited.steps], reason)


def _heard(read: Callable[[], tuple[T, Any]]) -> Heard[T]:
    try:
        value, parsed = read()
    except ReplyError as error:
        return Heard(None, error=str(error))
    return Heard(value, parsed)


# The roles ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoleScript:
    """What a role is told, part after part, and how its answer is read."""

    system: tuple[Part, ...]
    user: tuple[Part, ...]
    hear: Callable[[str, Briefing], Heard[Any]]


_FOR_CHANGES = (prompts.rules, prompts.blocks_for_changes, prompts.form, f"COMMANDS\n\n{texts.EDITS}")

ROLES = {
    Role.SINGLE: RoleScript(
        system=(
            texts.WORLD,
            prompts.rules,
            texts.WORKING_PARTS,
            prompts.blocks_of_level,
            prompts.form,
            prompts.machine_wanted(texts.ONE_ANSWER),
        ),
        user=(prompts.task,),
        hear=_hear_single,
    ),
    Role.META_DESIGNER: RoleScript(
        system=(texts.WORLD, prompts.all_blocks, texts.PLANNING, prompts.plan_wanted),
        user=(prompts.task, prompts.recommended_types, prompts.last_fault),
        hear=_hear_plan,
    ),
    Role.DESIGNER: RoleScript(
        system=(
            texts.WORLD,
            prompts.rules,
            prompts.blocks_of_structures,
            prompts.form,
            prompts.machine_wanted(texts.BUILDING_RULES),
        ),
        user=(prompts.task, prompts.what_to_build, prompts.machine_so_far),
        hear=_hear_machine,
    ),
    Role.INSPECTOR: RoleScript(
        system=(
            texts.WORLD,
            prompts.rules,
            prompts.blocks_of_machine,
            prompts.form,
            texts.INSPECTION_FORM,
            prompts.information_wanted,
        ),
        user=(prompts.task, prompts.machine, prompts.structures, texts.AT_START, prompts.last_fault),
        hear=_hear_inspection,
    ),
    Role.BLIND_REFINER: RoleScript(
        system=(
            texts.WORLD,
            "You mend a machine that has not been simulated yet.",
            *_FOR_CHANGES,
            texts.REFINING.format(prediction=texts.BLIND_PREDICTION),
            prompts.queries_wanted("What the simulation should report, by the machine's ids after the change:"),
            texts.STEPS_FORM,
        ),
        user=(prompts.task, prompts.machine, prompts.defective_blocks, prompts.report, prompts.history),
        hear=_hear_steps,
    ),
    Role.REFINER: RoleScript(
        system=(
            texts.WORLD,
            "You improve a machine; you are told what its simulation showed.",
            *_FOR_CHANGES,
            texts.REFINING.format(prediction=texts.GROUP_PREDICTION),
            texts.STEPS_FORM,
        ),
        user=(prompts.task, prompts.machine, prompts.simulation, prompts.history),
        hear=_hear_steps,
    ),
    Role.QUERIER: RoleScript(
        system=(
            texts.WORLD,
            prompts.rules,
            prompts.blocks_of_machine,
            prompts.form,
            prompts.queries_wanted(texts.QUERYING),
        ),
        user=(prompts.task, prompts.machine, prompts.simulation),
        hear=_hear_queries,
    ),
}


def prompt_of(role: Role, told: Briefing) -> RolePrompt:
    """The question to a role."""
    script = ROLES[role]
    return RolePrompt(prompts.text_of(script.system, told), prompts.text_of(script.user, told))
