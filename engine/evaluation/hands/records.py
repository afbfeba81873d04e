"""The record of an episode: every reply, every call with what it changed, and how it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core.formats.patch import Patch
from spatial_workbench.engine.core.solving.aids import Aid
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions


class HandsEnd(StrEnum):
    """Why an episode ended. Each of these ends has a score."""

    SUBMITTED = "submitted"
    SOLVED = "solved"
    CALLS = "calls"
    TOKENS = "tokens"
    TIME = "time"
    MONEY = "money"
    SILENT = "silent"
    """Three replies in a row held no call."""
    PROGRAM_ENDED = "program ended"
    """The model's program ended, by itself or at a limit of a step, and no step could follow."""

    @property
    def is_limit(self) -> bool:
        """Whether a limit cut the episode off."""
        return self not in (HandsEnd.SUBMITTED, HandsEnd.SOLVED)


class _HandsPart(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, ser_json_bytes="base64", val_json_bytes="base64"
    )


class HandsCall(_HandsPart):
    """One call."""

    tool: str
    arguments: Any = None
    result: str = Field(description="What the caller was told")
    is_refused: bool = Field(default=False, description="Whether it did nothing; the result says why")
    aid: Aid | None = Field(default=None, description="How much it helps; None: there is no such tool")
    label: str = Field(default="", description="What the history calls an edit; empty: the answer was not changed")
    patch: Patch = Field(default=[], description="What the edit changed")
    pictures: tuple[bytes, ...] = Field(default=(), description="PNG files that were shown")
    seconds: float = Field(description="Since the episode began, when it was carried out")


class HandsStep(_HandsPart):
    """One reply with its calls. Unknown tokens and costs are None."""

    reply: str
    calls: tuple[HandsCall, ...] = ()
    told: str = Field(default="", description="What the model was told in words")
    seconds: float = Field(description="Since the episode began, at the end of the step")
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


class HandsRecord(_HandsPart):
    """A whole episode."""

    options: HandsOptions
    native_tools: bool = Field(description="Whether tools were called as the endpoint has them, not as JSON in texts")
    first_message: str
    steps: tuple[HandsStep, ...]
    end: HandsEnd
    seconds: float

    @property
    def calls(self) -> tuple[HandsCall, ...]:
        """All calls in their order."""
        return tuple(call for step in self.steps for call in step.calls)

    @property
    def words(self) -> str:
        """What was said and answered, for searching."""
        parts = [part for step in self.steps for part in (step.reply, *(call.result for call in step.calls))]
        return "\n".join(parts)
