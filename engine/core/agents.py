"""Agents: answering a task by many questions, which tasks offer beside the single prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field


class Reward(StrEnum):
    """What an agent on the cube is told after a move (CubeBench's dense rewards)."""

    NONE = "none"
    STICKER = "sticker"
    FACE = "face"
    HEURISTIC = "heuristic"

    @property
    def kind(self) -> str:
        """The environment's name of it."""
        return "no_reward" if self is Reward.NONE else self.value


class AgentPlan(BaseModel):
    """How tasks that offer this kind of agent are asked: step by step, with tools."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = Field(default="basic", description="A name in `Task.agents`")
    uses_code: bool = Field(default=True, description="Steps are programs; else calls of tools as JSON")
    reward: Reward = Reward.NONE
    max_steps: int = Field(default=20, ge=1, le=1000)
    minutes: float = Field(default=30.0, gt=0, le=24 * 60)


@dataclass(frozen=True)
class Message:
    """One turn of the conversation: "user" or "assistant", its text, and pictures as PNG."""

    role: str
    text: str
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Reply:
    """What a model said, and what that took; None where nobody told.

    earlier_seconds: What it took in a run that was cut off and is taken up here; it counts as this run's time.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    earlier_seconds: float = 0.0


class Model(Protocol):
    """Whoever plays: a language model, a recording, a script."""

    def reply(self, messages: Sequence[Message], seconds_left: float) -> Reply:
        """The next turn. Raises `NoReply` where there is none."""


class NoReply(Exception):
    """The model said nothing; the message says why."""


class AgentFailed(Exception):
    """The run broke off through no fault of the model; the message says why."""


@dataclass(frozen=True)
class AgentRun:
    """A run that came to its end.

    answer: The text of the answer. kind: What the record is, so that it is found who can show it step by step.
    record: Everything that happened, as JSON.
    """

    answer: str
    kind: str
    record: str
