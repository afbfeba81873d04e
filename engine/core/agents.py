"""Agents: a task may let a model answer step by step, instead of by a single prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

HANDS = "hands"
"""The kind of agent that acts with a task's own commands; every task that has commands offers it."""
HANDS_TITLE = "Hands: the commands of the editor"


class Reward(StrEnum):
    """Which reward an agent on the cube gets after a move (CubeBench's dense rewards)."""

    NONE = "none"
    STICKER = "sticker"
    FACE = "face"
    HEURISTIC = "heuristic"

    @property
    def kind(self) -> str:
        """Its name in the environment."""
        return "no_reward" if self is Reward.NONE else self.value


class AgentPlan(BaseModel):
    """How an agent plays the tasks of a batch that support its kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = Field(default="basic", description="A name in `agents_of(task)`")
    uses_code: bool = Field(default=True, description="Steps are programs; else calls of tools as JSON")
    reward: Reward = Reward.NONE
    max_steps: int = Field(default=20, ge=1, le=1000)
    minutes: float = Field(default=30.0, gt=0, le=24 * 60)
    step_seconds: float = Field(default=60.0, gt=0, le=24 * 3600, description="How long one step's program may take")
    options: Mapping[str, Any] = Field(default_factory=dict, description="As the kind of agent declares them")


@dataclass(frozen=True)
class ToolOffer:
    """A tool that a model may call: its name, what it does, and the JSON schema of its arguments."""

    name: str
    about: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class ToolUse:
    """A model's call of a tool that it was offered.

    Attributes:
        id: By which the result refers to it.
        name: Of the tool.
        arguments: JSON text as it came.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation. Only the first may be the system's.

    Attributes:
        pictures: As PNG, shown after the text.
        uses: The calls of the assistant.
        results: The results of the calls of the turn before, each with the id of its call.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[bytes, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    results: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Reply:
    """A model's reply and its cost; None where the cost was not reported.

    uses: The tools that it called, if it was offered any.
    earlier_seconds: How long the reply took, if it comes from an interrupted run that is now resumed. That time counts
        towards this run's.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    earlier_seconds: float = 0.0
    uses: tuple[ToolUse, ...] = ()


class Model(Protocol):
    """A player: a language model, a recording or a script."""

    def reply(self, messages: Sequence[Turn], seconds_left: float) -> Reply:
        """The next turn. Raises `NoReply` if there is none."""


@runtime_checkable
class ToolModel(Protocol):
    """A `Model` that may be offered tools."""

    native_tools: bool
    """Whether it calls tools as its endpoint has them."""

    def reply_with_tools(self, messages: Sequence[Turn], tools: Sequence[ToolOffer], seconds_left: float) -> Reply:
        """The next turn, with the calls of the tools that are offered. Raises `NoReply` if there is none."""


@runtime_checkable
class ParallelModel(Protocol):
    """A `Model` that may be asked several questions at a time."""

    parallel: int
    """How many at most."""

    def reply_at(self, place: str, messages: Sequence[Turn], seconds_left: float) -> Reply:
        """The reply to a question of its own, which no other question of the run has the same place as.

        It may be called in several threads. Raises `NoReply` if there is none.
        """


class NoReply(Exception):
    """The model gave no reply; the message says why."""


class NobodyReplies(NoReply):
    """The model gave no reply, nor will it give one to any other question."""


class AgentFailed(Exception):
    """The run ended early through no fault of the model; the message says why."""


@dataclass(frozen=True)
class AgentRun:
    """A completed run.

    answer: The text of the answer.
    kind: The format of the record, which determines its viewer.
    record: Everything that happened, as JSON.
    """

    answer: str
    kind: str
    record: str
