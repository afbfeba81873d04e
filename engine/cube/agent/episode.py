"""A whole run: a model is asked step by step until the cube is solved or a limit is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from spatial_workbench.engine.core import Cancelled, Progress, silent
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


@dataclass
class _Run:
    """What has happened so far."""

    messages: list[Turn]
    steps: list[AgentStep] = field(default_factory=list)
    end: EndReason | None = None
    note: str = ""


@dataclass(frozen=True)
class StepLimits:
    """How many steps a run may have, and how many seconds it and the program of one step may take."""

    steps: int
    seconds: float
    step_seconds: float


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
    run = _Run([Turn("user", opening)])
    try:
        while run.end is None:
            progress(len(run.steps), max_steps, f"step {len(run.steps) + 1}")
            _one_step(run, environment, model, stepper, StepLimits(max_steps, max_seconds, step_seconds), progress)
    except Cancelled:
        raise
    except SandboxUnavailable as error:
        run.end = EndReason.HARNESS_ERROR
        run.note = str(error)
    finally:
        stepper.close()
    return _record(run, environment, start, uses_code, depth)


def _one_step(
    run: _Run,
    environment: CubeEnvironment,
    model: Model,
    stepper: Stepper,
    limits: StepLimits,
    progress: Progress,
) -> None:
    run.end = _limit_reached(run, environment, limits)
    if run.end is not None:
        return
    try:
        reply = model.reply(tuple(run.messages), limits.seconds - environment.seconds)
    except NoReply as error:
        run.end = EndReason.MODEL_ERROR
        run.note = str(error)
        return
    environment.let_pass(reply.earlier_seconds)
    seconds_left = limits.seconds - environment.seconds
    if seconds_left <= 0:
        run.end = EndReason.TIMEOUT
        return
    before = len(environment.calls)
    shown = stepper.step(reply.text, min(limits.step_seconds, seconds_left), progress)
    run.steps.append(_step_record(reply, shown, environment, before))
    run.messages += [Turn("assistant", reply.text), Turn("user", shown.text, tuple(shown.pictures))]
    if shown.stopped and not environment.has_ended:
        is_late = environment.seconds >= limits.seconds
        run.end = EndReason.TIMEOUT if is_late else EndReason.PROGRAM_ENDED
        run.note = shown.stopped


def _limit_reached(run: _Run, environment: CubeEnvironment, limits: StepLimits) -> EndReason | None:
    if environment.is_solved:
        return EndReason.SOLVED
    if environment.gave_up:
        return EndReason.GAVE_UP
    if environment.seconds >= limits.seconds:
        return EndReason.TIMEOUT
    return EndReason.STEP_LIMIT if len(run.steps) >= limits.steps else None


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


def _record(run: _Run, environment: CubeEnvironment, start: Faces, uses_code: bool, depth: int | None) -> RunRecord:
    assert run.end is not None
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
