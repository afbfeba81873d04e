"""A batch whose process is killed at random moments ends with every item exactly once."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.batch_process import start
from spatial_workbench.engine.evaluation.lock import is_running
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import BatchState
from tests.evaluation.conftest import oracle, store
from tests.models.conftest import ScriptedReply
from tests.sweeps import few

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kills with POSIX signals")
ROOT = Path(__file__).resolve().parents[2]
KILLS = few(5, 50)


def address_of(body):
    text = body["messages"][-1]["content"]
    return next(address for address in select(TASKS) if resolve(address)[0].prompt(resolve(address)[1]).text in text)


TASKS = "two_segments"
REPEATS = few(6, 12)


def slowly(answer, seconds):
    return lambda body: ScriptedReply([seconds, *answer(body).parts])


def begin(project, batch):
    command = [sys.executable, "-m", "spatial_workbench.engine.evaluation", str(project.path), str(batch)]
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_batch_killed_again_and_again_has_every_item_once_and_every_request_as_a_row(project, server):
    server.answers.append(slowly(oracle()(select(TASKS)), 0.2))
    settings = ModelSettings(name="tiny", model="tiny", base_url=server.url, limits={"parallel": 3})
    plan = BatchPlan(
        name="x", contenders=(Contender(settings=settings),), addresses=select(TASKS), repeats=REPEATS, workers=1
    )
    batch, _ = store(project, plan)
    chance = random.Random(7)
    kills = 0
    while project.batches.get(batch).state is BatchState.RUNNING:
        process = begin(project, batch)
        try:
            process.wait(chance.uniform(0.6, 1.6) if kills < KILLS else 120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
    items = project.items.of_batch(batch)
    attempts = Counter(row.address for row in project.runs.select())
    asked = Counter(address_of(seen.body) for seen in server.seen)
    rows = Counter()
    for item in items:
        rows[item.address] += len(project.items.tries(item.number))
    assert kills == KILLS
    assert {item.state.value for item in items} == {"done"}
    assert attempts == dict.fromkeys(select(TASKS), REPEATS)
    assert len({item.attempt for item in items}) == len(items)
    assert all(rows[address] >= asked[address] for address in asked)
    # At most what was in flight at a kill was asked again.
    assert len(server.seen) <= len(items) + 3 * KILLS


def test_a_batch_goes_on_when_its_starter_has_gone_and_there_is_one_process_for_it(project, server):
    server.answers.append(slowly(oracle()(["two_segments:0"]), 1.0))
    settings = ModelSettings(name="tiny", model="tiny", base_url=server.url)
    contender = Contender(settings=settings)
    batch, _ = store(project, BatchPlan(name="x", contenders=(contender,), addresses=select("two_segments:0")))
    begin_it = f"start(Path({str(project.path)!r}), {batch})"
    code = f"from pathlib import Path; from spatial_workbench.engine.evaluation.batch_process import start; {begin_it}"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    wait_until(lambda: is_running(project.path, batch))
    assert not start(project.path, batch)
    wait_until(lambda: project.batches.get(batch).state is BatchState.FINISHED)
    assert [row.passed for row in project.runs.select()] == [True]


def wait_until(holds, seconds=30.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)
