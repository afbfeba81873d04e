"""Machines in a batch: what breaks a rule or cannot be simulated scores 0 with its reason, on every executor."""

import json
import os
import signal

import pytest

from spatial_workbench.engine.core.verdict import OF_ONE_JUDGING
from spatial_workbench.engine.executor import open_executor
from spatial_workbench.engine.machines.building.edits import apply_lines
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.store import BatchState, Project
from tests.evaluation.conftest import run
from tests.machines.broken import TEXTS
from tests.models.conftest import chat

LOADS = [f"Add [{kind}] to [1] in [{face}]" for kind in (15, 35) for face in (0, 5, 6)]
CARS = [apply_lines(references()["M1"].tree, [line]).tree for line in LOADS]


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


@pytest.fixture
def judged(tmp_path, batch_of, server):
    """Judges cars in a batch; gives what was stored of each: its answer, and its verdicts without their times."""

    def judge(executor):
        replies = iter([json.dumps({"blocks": write_tree(tree)}) for tree in CARS])
        server.answers.clear()
        server.answers.append(lambda body: chat(next(replies)))
        batch, plan = batch_of(
            server.url, "machine_movement:0", repeats=len(CARS), settings={"limits": {"parallel": 1}}
        )
        with Project.open(project_path) as project:
            assert run(project, batch, plan, executor) is BatchState.FINISHED
            attempts = [project.attempts.get(row.number) for row in project.runs.select() if row.batch == batch]
        return {
            attempt.answer: [verdict.model_dump(exclude=set(OF_ONE_JUDGING)) for verdict in attempt.verdicts]
            for attempt in attempts
        }

    project_path = tmp_path / "batch.workbench"
    return judge


class KillsOne:
    """An executor on a cluster, of which one worker process is killed when the first result is there."""

    def __init__(self, executor, processes):
        self._executor = executor
        self.processes = processes

    def __getattr__(self, name):
        return getattr(self._executor, name)

    def finished(self, timeout_s):
        done = self._executor.finished(timeout_s)
        if done and len(self.processes) == 2:
            assert self._executor.pending
            os.kill(self.processes.pop(), signal.SIGKILL)
        return done


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills with POSIX signals")
def test_a_cluster_of_which_a_worker_is_killed_judges_machines_as_this_machine_alone(judged):
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    with open_executor(1) as executor:
        alone = judged(executor)
    options = {"n_workers": 2, "threads_per_worker": 2, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(**options) as cluster,
        open_executor(cluster=cluster.scheduler_address) as executor,
    ):
        with distributed.Client(cluster) as client:
            processes = list(client.run(os.getpid).values())
        killing = KillsOne(executor, processes)
        assert judged(killing) == alone
    assert len(killing.processes) == 1
    assert len({json.dumps(verdicts, default=str) for verdicts in alone.values()}) == len(CARS)
