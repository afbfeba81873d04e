"""The small real model is asked by a batch like any other; it is started and stopped by the program."""

import pytest

from engine.evaluation.plan import BatchPlan, Contender, select
from engine.models import ModelLibrary, why_not_offline
from engine.store import BatchState
from tests.evaluation.conftest import run, states, store

pytestmark = pytest.mark.skipif(bool(why_not_offline()), reason=why_not_offline() or "it is there")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_batch_asks_the_real_small_model_and_counts_its_tokens(project, tmp_path):
    offline = ModelLibrary(tmp_path / "models.json").find("offline").settings.changed(max_output_tokens=64)
    plan = BatchPlan(name="x", contenders=(Contender(settings=offline),), addresses=select("two_segments:0"))
    batch, _ = store(project, plan)
    assert run(project, batch, plan) is BatchState.FINISHED
    assert states(project, batch) == ["done"]
    (row,) = project.runs()
    assert 0 < row.output_tokens <= 64
    assert project.replies(row.item)[0].text
    assert [request.error for request in project.tries(1)] == [None]
