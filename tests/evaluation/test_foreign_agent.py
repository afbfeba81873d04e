"""A task of another package may bring an agent of its own, which batches play as they play those on the cube."""

import json

from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.evaluation.planning.plan import agents_offered
from spatial_workbench.engine.store import RunFilter
from tests.core.test_foreign_tasks import installed  # noqa: F401
from tests.evaluation.conftest import run
from tests.models.conftest import chat


def test_it_is_offered_beside_ours(installed):  # noqa: F811
    assert agents_offered()["counter"] == "Agent that counts"
    assert "ideal-solver" in agents_offered()


def test_its_run_is_asked_step_by_step_stored_judged_and_found(installed, project, batch_of, server):  # noqa: F811
    server.answers += [chat(f'{{"corners": {count}}}') for count in (1, 2, 3)]
    batch, plan = batch_of(server.url, "count_corners:0", agent=AgentPlan(kind="counter"))
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert (row.passed, len(project.runs.replies(row.item))) == (True, 3)
    assert project.attempts.transcript(row.number).kind == "counting"
    assert json.loads(project.attempts.transcript(row.number).record)["said"][-1] == '{"corners": 3}'
    assert project.runs.numbers(RunFilter(text="corners")) == [row.number]


def test_a_task_that_does_not_offer_the_agent_gets_one_question(project, batch_of, server):
    server.answers.append(chat("{}"))
    batch, plan = batch_of(server.url, "shikaku:0", agent=AgentPlan(kind="counter"))
    run(project, batch, plan)
    assert len(server.seen) == 1
