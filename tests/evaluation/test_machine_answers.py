"""Machines in a batch: an answer that breaks a rule is an attempt with a score of 0 that names the rule."""

from spatial_workbench.engine.store import BatchState
from tests.evaluation.conftest import run
from tests.machines.broken import TEXTS
from tests.models.conftest import chat


def test_every_broken_rule_is_named_on_the_verdict_of_its_attempt(project, batch_of, server):
    replies = iter(TEXTS.values())
    server.answers.append(lambda body: chat(next(replies)))
    batch, plan = batch_of(server.url, "machine_movement:0", repeats=len(TEXTS), settings={"limits": {"parallel": 1}})
    assert run(project, batch, plan) is BatchState.FINISHED
    rows = sorted(project.runs.select(), key=lambda row: row.number)
    assert {row.score for row in rows} == {0.0}
    told = [project.attempts.get(row.number).verdicts[0].model_dump_json() for row in rows]
    silent = [code for code, verdict in zip(TEXTS, told, strict=True) if code not in verdict]
    assert silent == ["NOT_A_LIST"]  # It is no answer at all, and says so.
