"""Estimates what a batch will take: calls, tokens and money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Instance, Progress, Task, answer_group_of, resolve, silent
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.engine.evaluation.planning.agent_options import converses, expected_calls
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender

ASSUMED_OUTPUT_TOKENS = 4_000
"""For an answer of a model that has not yet answered a task in this project."""
_CHARS_OF_A_TOKEN = 4
_TOKENS_OF_A_PICTURE = 1_000

Means = Mapping[tuple[str, str], float]
"""Mean output tokens of an answer, by (name of the run, task)."""


class Estimate(BaseModel):
    """What a contender, or a whole batch, is expected to take."""

    model_config = ConfigDict(frozen=True)

    items: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None = Field(description="None: a price is unknown")
    assumed: int = Field(description="Calls whose output tokens are assumed: that model has not done that task yet")


def estimate(plan: BatchPlan, means: Means, progress: Progress = silent) -> list[Estimate]:
    """What each contender is expected to take, in the plan's order.

    Raises:
        Cancelled: Raised by `progress`.
    """
    asked: dict[tuple[str, str], tuple[Task[Any], int]] = {}
    for k, address in enumerate(plan.addresses):
        progress(k, len(plan.addresses), "Counting")
        task, instance = resolve(address)
        key = (task.id, answer_group_of(task, instance) or address)
        if key not in asked:
            asked[key] = (task, _tokens_of(task, instance))
    return [_of_contender(plan, contender, list(asked.values()), means) for contender in plan.contenders]


def _tokens_of(task: Task[Any], instance: Instance) -> int:
    try:
        prompt = task.prompt(instance)
    except TaskFault:
        return 0  # nothing will be asked
    return len(prompt.whole_text) // _CHARS_OF_A_TOKEN + _TOKENS_OF_A_PICTURE * len(prompt.pictures)


def _steps(plan: BatchPlan, contender: Contender, task: Task[Any]) -> tuple[int, bool]:
    """About how many questions a task takes, and whether each repeats the conversation so far."""
    if plan.agent is None or not plan.plays(contender, task):
        return 1, False
    return expected_calls(task, plan.agent), converses(task, plan.agent)


def _of_contender(plan: BatchPlan, contender: Contender, asked: list[tuple[Task[Any], int]], means: Means) -> Estimate:
    repeats = plan.repeats_of(contender)
    items = len(plan.addresses) * repeats
    if not contender.settings.provider.is_endpoint:
        calls = 0 if contender.is_computed else len(asked) * repeats
        return Estimate(items=items, calls=calls, input_tokens=0, output_tokens=0, cost_usd=0.0, assumed=0)
    calls = input_tokens = output_tokens = assumed = 0
    more_tokens = len(contender.variant.text) // _CHARS_OF_A_TOKEN if contender.variant else 0
    for task, prompt_tokens in asked:
        steps, converses = _steps(plan, contender, task)
        mean = means.get((contender.settings.name, task.id))
        answer = _expected(mean, contender.settings.max_output_tokens, steps)
        calls += steps
        assumed += steps if mean is None else 0
        output_tokens += round(answer)
        # Half of all answers, on average, is the conversation that an agent's model reads again at a step.
        input_tokens += steps * (prompt_tokens + more_tokens) + converses * round(answer) * (steps - 1) // 2
    prices = contender.settings.prices
    has_prices = prices.input_usd is not None and prices.output_usd is not None
    cost = (
        (input_tokens * (prices.input_usd or 0) + output_tokens * (prices.output_usd or 0)) / 1e6
        if has_prices
        else None
    )
    return Estimate(
        items=items,
        calls=calls * repeats,
        input_tokens=input_tokens * repeats,
        output_tokens=output_tokens * repeats,
        cost_usd=None if cost is None else cost * repeats,
        assumed=assumed * repeats,
    )


def _expected(mean: float | None, cap: int | None, steps: int) -> float:
    """The expected output tokens of an answer, or of all steps of an agent."""
    if mean is not None:
        return mean
    return steps * min(ASSUMED_OUTPUT_TOKENS, cap or ASSUMED_OUTPUT_TOKENS)
