"""A whole run: a model is asked step by step until the cube is solved or a limit is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.acting.driving import drive
from spatial_workbench.engine.core.agents import Model, NoReply, Reply, Turn
from spatial_workbench.engine.cube.agent.environment import CubeEnvironment
from spatial_workbench.engine.cube.agent.prompts import first_message
from spatial_workbench.engine.cube.agent.records import AgentStep, EndReason, RunRecord
from spatial_workbench.engine.cube.agent.stepping import CodeStepper, CubeSeen, Stepper, ToolStepper
from spatial_workbench.engine.cube.letters import Faces
from spatial_workbench.engine.sandbox import SandboxUnavailable

MAX_STEPS = 20
MAX_SECONDS = 30 * 60.0
STEP_SECONDS = 60.0


@dataclass(frozen=True)
class StepLimits:
    """How many steps a run may have, and how many seconds it and the program of one step may take."""

    steps: int
    seconds: float
    step_seconds: float


@dataclass
class _CubeRun:
    """What has happened so far."""

    environment: CubeEnvironment
    stepper: Stepper
    limits: StepLimits
    turns: list[Turn]
    steps: list[AgentStep] = field(default_factory=list)
    end: EndReason | None = None
    note: str = ""

    @property
    def seconds_left(self) -> float:
        return self.limits.seconds - self.environment.seconds

    def let_pass(self, seconds: float) -> None:
        self.environment.let_pass(seconds)

    def is_over(self, progress: Progress) -> bool:
        if self.end is None:
            progress(len(self.steps), self.limits.steps, f"step {len(self.steps) + 1}")
            self.end = self._limit_reached()
        return self.end is not None

    def act(self, reply: Reply, progress: Progress) -> Turn:
        """Runs the code or carries out the call of a reply, unless it came too late."""
        if self.seconds_left <= 0:
            self.end = EndReason.TIMEOUT
            return Turn("user", "")
        environment = self.environment
        before = len(environment.calls)
        shown = self.stepper.step(reply.text, min(self.limits.step_seconds, self.seconds_left), progress)
        self.steps.append(_step_record(reply, shown, environment, before))
        if shown.stopped and not environment.has_ended:
            self.end = EndReason.TIMEOUT if self.seconds_left <= 0 else EndReason.PROGRAM_ENDED
            self.note = shown.stopped
        return Turn("user", shown.text, tuple(shown.pictures))

    def _limit_reached(self) -> EndReason | None:
        if self.environment.is_solved:
            return EndReason.SOLVED
        if self.environment.gave_up:
            return EndReason.GAVE_UP
        if self.seconds_left <= 0:
            return EndReason.TIMEOUT
        return EndReason.STEP_LIMIT if len(self.steps) >= self.limits.steps else None


def play(
    environment: CubeEnvironment,
    model: Model,
    uses_code: bool = True,
    max_steps: int = MAX_STEPS,
    max_seconds: float = MAX_SECONDS,
    depth: int | None = None,
    progress: Progress = silent,
    step_seconds: float = STEP_SECONDS,
) -> RunRecord:
    """Lets a model play until the cube is solved, it gives up, its program ends, or a limit is reached.

    step_seconds: How long the program of one step may take.

    Raises:
        SandboxUnavailable: It uses code, and no sandbox works here; the model was not asked.
        Cancelled: Raised by `progress`.
    """
    start = environment.state
    stepper: Stepper = CodeStepper(environment) if uses_code else ToolStepper(environment)
    opening = first_message(environment.setting, environment.agent, uses_code, max_steps, max_seconds / 60)
    limits = StepLimits(max_steps, max_seconds, step_seconds)
    run = _CubeRun(environment, stepper, limits, [Turn("user", opening)])
    try:
        drive(run, model.reply, progress)
    except NoReply as error:
        run.end, run.note = EndReason.MODEL_ERROR, str(error)
    except SandboxUnavailable as error:
        run.end, run.note = EndReason.HARNESS_ERROR, str(error)
    finally:
        stepper.close()
    return _record(run, start, uses_code, depth)


def _step_record(reply: Reply, shown: CubeSeen, environment: CubeEnvironment, before: int) -> AgentStep:
    return AgentStep(
        reply=reply.text,
        code=shown.code,
        observation=shown.text,
        pictures=tuple(shown.pictures),
        calls=tuple(environment.calls[before:]),
        seconds=round(environment.seconds, 3),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        cost_usd=reply.cost_usd,
    )


def _record(run: _CubeRun, start: Faces, uses_code: bool, depth: int | None) -> RunRecord:
    assert run.end is not None
    environment = run.environment
    return RunRecord(
        state=start,
        depth=depth,
        setting=environment.setting,
        agent=environment.agent,
        uses_code=uses_code,
        reward=environment.reward_kind,
        end=run.end,
        message=run.note,
        moves=tuple(environment.moves),
        steps=tuple(run.steps),
        views=environment.views,
        invalid=environment.invalid,
        solver_calls=environment.solver_calls,
        seconds=round(environment.seconds, 3),
        terminal_reward=float(environment.is_solved),
    )
