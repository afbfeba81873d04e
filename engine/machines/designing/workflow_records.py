"""The record of a workflow: every call of a role, every machine that came of them, and how the searches went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from spatial_workbench.engine.machines.designing.prompts import Representation
from spatial_workbench.engine.machines.designing.roles import Role
from spatial_workbench.engine.machines.designing.strategies import ROUNDS, Strategy

WorkflowKind = Literal["single", "iterative", "hierarchical"]
Stage = Literal["design", "blind", "round"]
_REFINING: list[JsonValue] = ["iterative", "hierarchical"]
"""The workflows that go on after the design."""


class WorkflowPart(BaseModel):
    """Base of the stored records."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class WorkflowOptions(WorkflowPart):
    """How a workflow goes; the defaults are the published ones, but for `machines`."""

    strategy: Strategy = Field(
        default=Strategy.MCTS,
        title="Search",
        description="How rounds choose the machine to change next",
        json_schema_extra={
            "kinds": _REFINING,
            "labels": {"random": "Random search", "best-of-n": "Best-of-N", "mcts": "Monte Carlo tree search"},
        },
    )
    rounds: int = Field(
        default=ROUNDS,
        ge=0,
        le=100,
        title="Rounds",
        description="Rounds of changes with feedback",
        json_schema_extra={"kinds": _REFINING, "unit": "rounds"},
    )
    candidates: int | None = Field(
        default=None,
        ge=1,
        le=64,
        title="Candidates",
        description="Changes that a round asks for; left open: as is usual for the search",
        json_schema_extra={"kinds": _REFINING, "unit": "a round", "open": "as usual"},
    )
    designs: int = Field(
        default=8,
        ge=1,
        le=64,
        title="Designs",
        description="Calls of the designer for each structure",
        json_schema_extra={"kinds": _REFINING, "unit": "calls"},
    )
    machines: int = Field(
        default=1,
        ge=1,
        le=64,
        title="Designs refined",
        description="How many of the designs are inspected and refined, the best first",
        json_schema_extra={"kinds": _REFINING},
    )
    meta_designer: Literal["plain", "detailed", "none"] = Field(
        default="plain",
        title="Meta-designer",
        description="How the plan guides the designer; none: the machine is designed in one piece",
        json_schema_extra={
            "kinds": ["hierarchical"],
            "labels": {"plain": "Plain", "detailed": "Detailed", "none": "None"},
        },
    )
    inspector: bool = Field(
        default=True,
        title="Inspector",
        description="Whether designs are inspected before they are refined",
        json_schema_extra={"kinds": _REFINING},
    )
    information: Literal["always", "inspector", "never"] = Field(
        default="always",
        title="3D information",
        description="Who gets the 3D information; inspector: the inspector decides for the refiner",
        json_schema_extra={
            "kinds": _REFINING,
            "labels": {"always": "Always", "inspector": "Inspector decides", "never": "Never"},
        },
    )
    representation: Representation = Field(
        default=Representation.TREE,
        title="Machines as",
        description="How machines are listed",
        json_schema_extra={"labels": {"tree": "Construction trees", "positions": "Global positions"}},
    )
    querier: bool = Field(
        default=True,
        title="Querier",
        description="Whether a role asks what the simulation should report",
        json_schema_extra={"kinds": _REFINING},
    )
    feedback: Literal["full", "score"] = Field(
        default="full",
        title="Feedback",
        description="What a refiner is told of a simulation",
        json_schema_extra={"kinds": _REFINING, "labels": {"full": "Full", "score": "Score only"}},
    )
    history: bool = Field(
        default=True,
        title="History of edits",
        description="Whether a refiner is told which of its steps failed",
        json_schema_extra={"kinds": _REFINING},
    )
    seed: int = Field(
        default=0, ge=0, title="Seed", description="Of random search", json_schema_extra={"kinds": _REFINING}
    )


class Call(WorkflowPart):
    """One question to a role and what came of it."""

    role: Role
    about: int | None = Field(default=None, description="The machine that was shown")
    candidate: int = Field(default=0, description="Which of several answers to the same question, from 0")
    attempt: int = Field(default=1, description="Which try of this candidate, from 1")
    system: int = Field(description="Place of the system text in the record's `systems`")
    prompt: str
    answer: str
    parsed: Any = Field(
        default=None,
        description="What was read: a plan, steps with outcomes, ids or queries; not machines",
    )
    error: str = Field(default="", description="Why the answer could not be used; empty: it could")


class Machine(WorkflowPart):
    """A machine that a role made: a node of the tree that the workflow is browsed as."""

    id: int
    parent: int | None
    call: int = Field(description="Place of the call that made it")
    stage: Stage
    layer: int | None = Field(default=None, description="The structure it was built for, from 0")
    tree: tuple[dict[str, int], ...]
    lines: tuple[str, ...] = Field(default=(), description="The edit commands that made it of its parent")
    faults: tuple[str, ...] = Field(default=(), description="Which rules of space it breaks")
    score: float | None = Field(default=None, description="What searches compare; None: it was not simulated")
    reward: float | None = None
    success: bool | None = None
    figures: tuple[tuple[str, float, str], ...] = Field(default=(), description="Name, value and unit")
    fault: str = Field(default="", description="Why its simulation ended early")
    feedback: str = Field(default="", description="What a refiner is told of its simulation")

    @property
    def is_valid(self) -> bool:
        """Whether it keeps the rules of space; those of files it keeps, or it would not be a machine."""
        return not self.faults


class SearchRecord(WorkflowPart):
    """The rounds that began with one machine, as in `spatial_workbench.engine.machines.designing.strategies.Search`."""

    root: int
    kept: tuple[int, ...]
    expanded: tuple[int, ...]
    visits: dict[int, int]
    values: dict[int, float]


class WorkflowRecord(WorkflowPart):
    """A whole run of a workflow."""

    workflow: WorkflowKind
    level: str
    options: WorkflowOptions
    systems: tuple[str, ...]
    calls: tuple[Call, ...]
    machines: tuple[Machine, ...]
    searches: tuple[SearchRecord, ...]
    lost: tuple[int, ...] = Field(description="Designs from which the blind refiner made no valid machine")
    best: int | None = Field(description="The valid machine of the highest score; None: there is none")
    end: Literal["finished", "no plan", "no machine", "lost", "timeout"]
    plan: dict[str, Any] | None = None


def path_to(machines: Sequence[Machine], machine: int) -> list[int]:
    """The ids of the machines from the first ancestor to a machine, both included."""
    path: list[int] = []
    ancestor: int | None = machine
    while ancestor is not None:
        path.append(ancestor)
        ancestor = machines[ancestor].parent
    return path[::-1]
