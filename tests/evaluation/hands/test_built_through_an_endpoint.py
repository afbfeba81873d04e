"""Stand-in models behind an endpoint build a Lego shell and pack prisms with their hands, killed and erring."""

import os
import signal
import time
from datetime import UTC, datetime

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.evaluation.hands.records import HandsEnd, HandsRecord
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.running.storing import BatchStore
from spatial_workbench.engine.models import Capabilities, Feature, ModelSettings, ProbeFinding, Result
from spatial_workbench.engine.store import BatchState, Project
from tests.evaluation.conftest import run, store
from tests.evaluation.hands.scripts import said
from tests.evaluation.test_killing import begin
from tests.models.conftest import ScriptedReply, called, chat
from tests.tasks.test_pack_prisms_commands import calls_to

BUILT = "lego_hemisphere:0,pack_prisms:0"
CALLS_OF_A_REPLY = 30


def calls_of(address):
    """The calls that build the reference solution, in parts of several calls; the last one submits."""
    task, instance = resolve(address)
    reference = task.solve(instance)
    calls = list(calls_to(instance, reference)) if address.startswith("pack") else list(_bricks(reference))
    parts = [calls[k : k + CALLS_OF_A_REPLY] for k in range(0, len(calls), CALLS_OF_A_REPLY)]
    return [*parts, [("submit", {})]]


def _bricks(reference):
    for brick in reference.bricks:
        x, y, z = brick.Centroid
        layer = round((z - 4.8) / 9.6)
        yield "place", {"x_mm": x, "y_mm": y, "layer": layer, "turn_deg": brick.RotationDegrees}


def builder(native, seconds=0.0):
    """Answers each question with the part that comes after those that the conversation holds."""
    prompts = {resolve(address)[0].prompt(resolve(address)[1]).text: calls_of(address) for address in select(BUILT)}

    def answer(body):
        opening = next(message["content"] for message in body["messages"] if message["role"] == "user")
        parts = next(parts for prompt, parts in prompts.items() if prompt in opening)
        told = sum(message["role"] == "assistant" for message in body["messages"])
        reply = called(*parts[told]) if native else chat(said(*parts[told]))
        return ScriptedReply([seconds, *reply.parts])

    return answer


def plan_of(server, native, tasks=BUILT, **options):
    found = {Feature.FUNCTIONS: ProbeFinding(result=Result.WORKS)} if native else {}
    known = Capabilities(base_url=server.url, model="tiny", probed_at=datetime.now(UTC), findings=found)
    settings = ModelSettings(name="tiny", model="tiny", base_url=server.url, timeout_s=20)
    asked = Contender(settings=settings, capabilities=known)
    agent = AgentPlan(kind=HANDS, options={"sees": "text", **options})
    return BatchPlan(name="hands", contenders=(asked,), addresses=select(tasks), agent=agent, workers=1)


def records(project):
    return {
        row.address: HandsRecord.model_validate_json(project.attempts.transcript(row.number).record)
        for row in project.runs.select()
    }


@pytest.mark.slow
@pytest.mark.parametrize("native", [True, False])
def test_the_references_are_built_by_calls_and_pass(project, server, native):
    server.answers.append(builder(native))
    batch, plan = store(project, plan_of(server, native))
    assert run(project, batch, plan) is BatchState.FINISHED
    assert {row.address: row.passed for row in project.runs.select()} == dict.fromkeys(select(BUILT), True)
    assert {record.native_tools for record in records(project).values()} == {native}
    for row in project.runs.select():
        task, instance = resolve(row.address)
        assert project.attempts.get(row.number).answer == packed(task, task.solve(instance)).replace(
            "Strip solver.", ""
        )


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(os.name == "nt", reason="kills with POSIX signals")
def test_a_builder_that_is_killed_twice_ends_with_the_same_answer_and_is_asked_little_again(project, server):
    server.answers.append(builder(native=True, seconds=0.4))
    batch, _ = store(project, plan_of(server, native=True, tasks="lego_hemisphere:0"))
    parts = calls_of("lego_hemisphere:0")
    kills = 0
    while project.batches.get(batch).state is BatchState.RUNNING:
        asked = len(server.seen)
        process = begin(project, batch)
        while kills < 2 and len(server.seen) < asked + 2 and process.poll() is None:
            pass
        if kills < 2:
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
        process.wait(120)
    (row,) = project.runs.select()
    (record,) = records(project).values()
    assert (kills, row.passed, record.end) == (2, True, HandsEnd.SUBMITTED)
    assert [call.tool for call in record.calls] == [name for part in parts for name, _ in part]
    assert len(server.seen) <= len(parts) + kills


@pytest.mark.slow
def test_a_reply_is_stored_before_the_next_question_so_that_a_kill_costs_one_at_most(project, server, monkeypatch):
    build = builder(native=True)
    told = []
    add_reply = BatchStore.add_reply

    def add_slowly(*arguments, **named):
        time.sleep(0.2)
        add_reply(*arguments, **named)

    def answer(body):
        with Project.open(project.path) as seen:
            (item,) = seen.items.of_batch(batch)
            replies = sum(message["role"] == "assistant" for message in body["messages"])
            told.append((replies, len(seen.runs.replies(item.number))))
        return build(body)

    monkeypatch.setattr(BatchStore, "add_reply", add_slowly)
    server.answers.append(answer)
    batch, plan = store(project, plan_of(server, native=True, tasks="lego_hemisphere:0"))
    run(project, batch, plan)
    assert told == [(number, number) for number in range(len(calls_of("lego_hemisphere:0")))]


@pytest.mark.slow
@pytest.mark.parametrize("native", [True, False])
def test_a_model_that_errs_gets_sentences_and_ends_at_its_limit(project, server, native):
    errors = [
        ("fly", {}),
        ("place", {"size": "big", "corner": [0, 0, 0]}),
        ("delete", {"boxes": [99]}),
        ("move", {"boxes": list(range(10_000)), "x": 1}),
    ]
    server.answers.append(called(*errors) if native else chat(said(*errors)))
    batch, plan = store(project, plan_of(server, native, "pack_prisms:0", calls=10))
    run(project, batch, plan)
    (record,) = records(project).values()
    assert (record.end, len(record.calls)) == (HandsEnd.CALLS, 10)
    assert all(call.is_refused and call.result.endswith(".") for call in record.calls)


def test_prose_alone_ends_the_run_with_an_attempt(project, server):
    server.answers.append(chat("It should be possible to pack them tightly."))
    batch, plan = store(project, plan_of(server, False, "pack_prisms:0"))
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert (row.passed, records(project)[row.address].end) == (False, HandsEnd.SILENT)
