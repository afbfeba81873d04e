"""The small real model is asked by a batch like any other; it is started and stopped by the program."""

import pytest

from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowRecord
from spatial_workbench.engine.models import ModelLibrary, why_not_offline
from spatial_workbench.engine.store import BatchState
from tests.evaluation.conftest import run, states, store
from tests.sweeps import few, only_with_all

MOST_TOKENS = few(16, 64)

pytestmark = pytest.mark.skipif(bool(why_not_offline()), reason=why_not_offline() or "it is there")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_batch_asks_the_real_small_model_and_counts_its_tokens(project, tmp_path):
    offline = ModelLibrary(tmp_path / "models.json").find("offline").settings.changed(max_output_tokens=MOST_TOKENS)
    plan = BatchPlan(name="x", contenders=(Contender(settings=offline),), addresses=select("two_segments:0"))
    batch, _ = store(project, plan)
    assert run(project, batch, plan) is BatchState.FINISHED
    assert states(project, batch) == ["done"]
    (row,) = project.runs.select()
    assert 0 < row.output_tokens <= MOST_TOKENS
    assert project.runs.replies(row.item)[0].text
    assert [request.error for request in project.items.tries(1)] == [None]


@pytest.mark.slow
@pytest.mark.timeout(600)
@only_with_all("test_workflow_agents.py does so with a stand-in, and the test above asks the real model")
def test_a_workflow_of_the_real_small_model_stores_every_call_and_is_replayed(project, tmp_path, monkeypatch):
    # It designs nothing that works, and each further try takes a quarter of a minute.
    monkeypatch.setattr("spatial_workbench.engine.machines.designing.workflows.MAX_LAYER_TRIES", 1)
    offline = ModelLibrary(tmp_path / "models.json").find("offline").settings.changed(max_output_tokens=32)
    agent = AgentPlan(kind="iterative", options={"designs": 1, "rounds": 1, "candidates": 1}, minutes=5.0)
    plan = BatchPlan(
        name="x", contenders=(Contender(settings=offline),), addresses=select("machine_movement:0"), agent=agent
    )
    batch, _ = store(project, plan)
    assert run(project, batch, plan) is BatchState.FINISHED
    (row,) = project.runs.select()
    record = WorkflowRecord.model_validate_json(project.attempts.transcript(row.number).record)
    replies = [reply.text for reply in project.runs.replies(row.item)]
    assert replies == [call.answer for call in record.calls]
    assert len(project.items.tries(row.item)) >= len(replies) > 0
    shown = replay_of(project, row.number)
    assert sum(len(node.talks) for node in shown.tree.nodes) >= len(record.calls)
