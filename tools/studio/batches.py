"""Made-up batches for screenshots; no model was asked anything."""

from __future__ import annotations

from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import BatchState, ItemState, Project

_MESSAGE = "The endpoint accepts fewer requests than were sent. (429: slow down)"


def add_example_batches(project: Project) -> None:
    """Adds one that is done, one that is paused with failures, and one that was interrupted."""
    for name, tasks, done, state in (
        ("gpt-5.2-HighReasoning: axiomatic", "axiomatic", 75, BatchState.FINISHED),
        ("claude-sonnet-4-5-HighReasoning: planning", "planning", 21, BatchState.PAUSED),
        ("qwen at home: shikaku, delaunay", "shikaku,delaunay", 9, BatchState.RUNNING),
    ):
        settings = ModelSettings(name=name.partition(":")[0], model="m", base_url="http://127.0.0.1:1/v1")
        plan = BatchPlan(name=name, contenders=(Contender(settings=settings),), addresses=select(tasks))
        number = project.batches.add(plan.name, plan.model_dump_json(), plan.questions())
        for k, item in enumerate(project.items.of_batch(number)[:done]):
            project.items.add_try(item.number, "{}", seconds=40.0, output_tokens=5200 + 37 * k, cost_usd=0.031)
            if state is BatchState.PAUSED and k % 7 == 3:
                project.items.fail(item.number, ItemState.ERROR, "rate limit", _MESSAGE)
            elif state is BatchState.RUNNING and k > 5:
                project.items.begin_asking(item.number)
            else:
                project.items.fail(item.number, ItemState.DONE, "", "")
        project.batches.set_state(number, state)
