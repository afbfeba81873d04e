"""A made-up evaluation with every kind of outcome, for screenshots and tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Check, Instance, Problem, Verdict, tasks
from spatial_workbench.engine.evaluation.failure_modes import FailureMode
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.scbench import published
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.store import Actor, Asked, BatchState, ItemState

if TYPE_CHECKING:
    from spatial_workbench.engine.store import BatchItem, Project

ABLE = (("aspen-large", False, 0.62), ("aspen-large", True, 0.7), ("birch", False, 0.35))
"""Name, tools, and how likely a subtask is passed."""
BUDGETS = ((1024, 0.1), (4096, 0.35), (8192, 0.5), (32768, 0.66))
USD_PER_TOKEN = {
    "aspen-large": 12e-6,
    "birch": 0.8e-6,
    "birch-1024": 0.8e-6,
    "birch-4096": 0.8e-6,
    "birch-8192": 0.8e-6,
}
"""What the made-up models cost; of the others, the price is not known."""
LABELS = (
    FailureMode.LOCAL_ONLY,
    FailureMode.LOCAL_ONLY,
    FailureMode.NEAR_MISS,
    FailureMode.EVASION,
    FailureMode.RUNAWAY,
    FailureMode.TRIVIALIZED,
)


def add_example_results(project: Project) -> None:
    """Adds a batch over all published tasks, a sweep over budgets, two generated instances, and a person's attempts.

    All scores are made up; answers are empty.
    """
    from tools.studio.quickstart import add_recorded_run

    rng = random.Random(7)
    addresses = [instance.address for task in tasks() if published().task(task.id) for instance in task.instances()]
    axiomatic = [row.id for row in published().members("axiomatic")]
    with project.database.write_transaction():
        for name, tools, able in ABLE:
            _add_batch(project, rng, "All tasks", ModelSettings(name=name, provider=Provider.RANDOM, tools=tools),
                       [*addresses, "two_segments@7", "shikaku@7"], able)  # fmt: skip
        for budget, able in BUDGETS:
            settings = ModelSettings(name=f"birch-{budget}", provider=Provider.RANDOM, max_output_tokens=budget)
            chosen = [address for address in addresses if address.partition(":")[0] in axiomatic]
            _add_batch(project, rng, f"Sweep, {budget} tokens", settings, chosen, able)
        for task in tasks():
            for instance in task.instances() if task.id in ("shikaku", "two_segments") else ():
                _add_attempt(project, rng, instance, Actor.PERSON, "Ada", 0.9, Asked())
    add_recorded_run(project)


def _add_batch(
    project: Project, rng: random.Random, name: str, settings: ModelSettings, addresses: list[str], able: float
) -> None:
    from spatial_workbench.engine.core import resolve

    plan = BatchPlan(name=name, contenders=(Contender(settings=settings),), addresses=tuple(addresses))
    batch = project.batches.add(name, plan.model_dump_json(), plan.questions())
    for item in project.items.of_batch(batch):
        if _is_left_out(rng, project, item):
            continue
        tokens = round((settings.max_output_tokens or 12_000) * rng.uniform(0.3, 1.0))
        asked = Asked(
            batch=batch,
            item=item.number,
            tools=settings.tools,
            budget=settings.max_output_tokens,
            output_tokens=tokens,
            input_tokens=900,
            cost_usd=tokens * USD_PER_TOKEN[settings.name] if settings.name in USD_PER_TOKEN else None,
            finish_reason="length" if rng.random() < 0.1 else "stop",
        )
        instance = resolve(item.address)[1]
        number = _add_attempt(project, rng, instance, Actor.MODEL, settings.name, able, asked)
        project.items.finish(item.number, number)
    project.batches.set_state(batch, BatchState.FINISHED)


def _is_left_out(rng: random.Random, project: Project, item: BatchItem) -> bool:
    ends = ((ItemState.ERROR, "timeout", 0.015), (ItemState.NOT_ASKED, "early fail", 0.03))
    for state, error, share in ends:
        if rng.random() < share:
            project.items.fail(item.number, state, error, "")
            return True
    return False


def _add_attempt(
    project: Project, rng: random.Random, instance: Instance, actor: Actor, name: str, able: float, asked: Asked
) -> int:
    score = 1.0 if rng.random() < able else rng.choice((0.0, 0.0, round(rng.random(), 2)))
    problems = [] if score == 1 else [Problem("Something that was made up is wrong here.")]
    verdict = Verdict(
        instance=instance.address,
        verifier="default",
        version="1",
        score=score,
        passed=score == 1,
        checks=(Check.of("made up", problems),),
    )
    number = project.attempts.add(instance, "{}", actor, name, rng.uniform(20, 300), (verdict,), asked=asked)
    if score < 0.6 and actor is Actor.MODEL and asked.budget is None:
        project.judgements.add_label(number, "ok", rng.choice(LABELS).value, "{}")
    return number
