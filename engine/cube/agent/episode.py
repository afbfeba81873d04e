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


@dataclass
class _Run:
    """What has happened so far."""

    messages: list[Turn]
    steps: list[AgentStep] = field(default_factory=list)
    end: EndReason | None = None
    note: str = ""


def play(
    environment: CubeEnvironment,
    model: Model,
    uses_code: bool = True,
    max_steps: int = MAX_STEPS,
    max_seconds: float = MAX_SECONDS,
    depth: int | None = None,
    progress: Progress = silent,
) -> RunRecord:
    """Lets a model play until the cube is solved, it gives up, or a limit is reached.

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
            _one_step(run, environment, model, stepper, max_steps, max_seconds)
    except Cancelled:
        raise
    except SandboxUnavailable as error:
        run.end = EndReason.HARNESS_ERROR
        run.note = str(error)
    finally:
        stepper.close()
    return _record(run, environment, start, uses_code, depth)


def _one_step(
    run: _Run, environment: CubeEnvironment, model: Model, stepper: Stepper, max_steps: int, max_seconds: float
) -> None:
    run.end = _limit_reached(run, environment, max_steps, max_seconds)
    if run.end is not None:
        return
    try:
        reply = model.reply(tuple(run.messages), max_seconds - environment.seconds)
    except NoReply as error:
        run.end = EndReason.MODEL_ERROR
        run.note = str(error)
        return
    environment.let_pass(reply.earlier_seconds)
    if environment.seconds >= max_seconds:
        run.end = EndReason.TIMEOUT
        return
    before = len(environment.calls)
    shown = stepper.step(reply.text, max_seconds - environment.seconds)
    run.steps.append(_step_record(reply, shown, environment, before))
    run.messages += [Turn("assistant", reply.text), Turn("user", shown.text, tuple(shown.pictures))]
    if shown.timed_out and not environment.has_ended:
        run.end = EndReason.TIMEOUT


def _limit_reached(run: _Run, environment: CubeEnvironment, max_steps: int, max_seconds: float) -> EndReason | None:
    if environment.is_solved:
        return EndReason.SOLVED
    if environment.gave_up:
        return EndReason.GAVE_UP
    if environment.seconds >= max_seconds:
        return EndReason.TIMEOUT
    return EndReason.STEP_LIMIT if len(run.steps) >= max_steps else None


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
