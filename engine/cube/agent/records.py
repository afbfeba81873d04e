"""The record of a run: every step, every tool call, and how it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

SHORT_HORIZON, LONG_HORIZON = (1, 2, 3, 4), (8, 12, 16, 20)


class CubeSetting(StrEnum):
    """What an agent can see."""

    FULL_SYMBOLIC = "full_symbolic"
    FULL_VISUAL = "full_visual"
    FACE_VIEW = "face_view"
    VERTEX_VIEW = "vertex_view"

    @property
    def is_partial(self) -> bool:
        """Whether only a part of the cube is visible at a time, and the view can be moved."""
        return self in (CubeSetting.FACE_VIEW, CubeSetting.VERTEX_VIEW)


class AgentKind(StrEnum):
    """Which tools an agent has besides moving and looking."""

    BASIC = "basic"
    STANDARD_SOLVER = "standard-solver"
    IDEAL_SOLVER = "ideal-solver"


class EndReason(StrEnum):
    """Why a run ended; the first three are normal."""

    SOLVED = "solved"
    GAVE_UP = "gave_up"
    STEP_LIMIT = "step_limit"
    TIMEOUT = "timeout"
    PROGRAM_ENDED = "program_ended"
    """The agent's program ended, by itself or at a limit of a step, and no step could follow."""
    MODEL_ERROR = "model_error"
    HARNESS_ERROR = "harness_error"

    @property
    def is_normal(self) -> bool:
        """Whether the run counts in the means of moves."""
        return self in (EndReason.SOLVED, EndReason.GAVE_UP, EndReason.STEP_LIMIT)


class CubeRecord(BaseModel):
    """Base of the stored records."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, ser_json_bytes="base64", val_json_bytes="base64"
    )


class CubeCall(CubeRecord):
    """One call of a tool."""

    tool: str
    argument: str = Field(default="", description="The argument as it was given, cut to 200 characters")
    result: str = Field(description="What the agent was told, cut to 200 characters")
    accepted: bool = Field(description="Whether the call did something; refused ones change nothing")
    seconds: float = Field(description="Since the run began")


class AgentStep(CubeRecord):
    """One step: the model's reply, the code that ran, and what it was shown. Unknown tokens and costs are None."""

    reply: str
    code: str = Field(default="", description="The code that was run, or the tool call as JSON")
    observation: str
    pictures: tuple[bytes, ...] = Field(default=(), description="PNG files attached to the observation")
    calls: tuple[CubeCall, ...] = ()
    seconds: float = Field(description="Since the run began, at the end of the step")
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


class RunRecord(CubeRecord):
    """A whole run."""

    state: str = Field(description="The start, face letters in the environment's order")
    depth: int | None = Field(default=None, description="Fewest half-turn moves to solve it, if known")
    setting: CubeSetting
    agent: AgentKind
    uses_code: bool
    reward: str
    end: EndReason
    message: str = Field(default="", description="More about an abnormal end")
    moves: tuple[str, ...] = Field(description="All moves that were made, in order")
    steps: tuple[AgentStep, ...]
    views: int = Field(description="View transformations that changed the view")
    invalid: int = Field(description="Refused calls")
    solver_calls: int = 0
    seconds: float
    terminal_reward: float = Field(description="1 if the cube was solved, else 0")

    @property
    def is_solved(self) -> bool:
        """Whether the cube was solved in the end."""
        return self.end is EndReason.SOLVED

    @property
    def move_count(self) -> int:
        """#MM: how many moves were made."""
        return len(self.moves)

    @property
    def move_ratio(self) -> float | None:
        """#MR: moves made per move needed; None if the depth is unknown."""
        return self.move_count / self.depth if self.depth else None

    @property
    def tokens(self) -> int | None:
        """All tokens, in and out; None if those of any step are unknown."""
        counts = [count for step in self.steps for count in (step.tokens_in, step.tokens_out)]
        return None if None in counts else sum(filter(None, counts))

    @property
    def cost_usd(self) -> float | None:
        """The cost of the run; None if that of any step is unknown."""
        costs = [step.cost_usd for step in self.steps]
        return None if None in costs else sum(filter(None, costs))


def run_id(depth: int, number: int, setting: CubeSetting) -> str:
    """The name of a configuration of the test split, such as "d08-s3-face_view"."""
    return f"d{depth:02}-s{number}-{setting}"


def as_plain(value: Any) -> str:
    """A value as text, cut short for the log."""
    text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"
