"""Lines of workflows that go on at once: in every order of arrival, with failures, limits, kills and cancellation."""

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from spatial_workbench.engine.core.agents import AgentPlan, NobodyReplies, NoReply
from spatial_workbench.engine.evaluation.planning.plan import SpendingLimits
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.designing.roles import Role
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowRecord
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.store import BatchState, Project
from tests.evaluation.conftest import batch_of, project, run, states
from tests.machines.designing import test_workflows as scripted
from tests.models.conftest import ScriptedReply, chat, no_pauses, own_keyring, refuse, server
from tools.bench.workflows import StandIn, run_default

__all__ = ["batch_of", "no_pauses", "own_keyring", "project", "server"]

CAR = f"Plan.\n```json\n{json.dumps(write_tree(references()['M1'].tree))}\n```"
PLAN = json.dumps(
    {"build_order": ["car"], "machine_structure": {"car": {"block_id": [1, 2, 15, 35], "guidance": "so"}}}
)
WHOLE = AgentPlan(kind="hierarchical", options={"designs": 8, "rounds": 1, "candidates": 4})
CALLS = 1 + 8 + 1 + 4 + 1 + 4 * 2
AT_ONCE = {"limits": {"parallel": 8}}


def answer_of(body):
    """What a role answers; it depends on what the role is told alone."""
    system, user = (message["content"] for message in body["messages"])
    if "<Modification Steps>" in system:
        step = "Add [35] to [0] in [4]" if "has not been simulated" in system else "Remove [6]"
        return f"<Modification Steps>\n{step}\n</Modification Steps>"
    if "<Summary of Design Defects>" in system:
        return "<Summary of Design Defects>[]</Summary of Design Defects>"
    if "build_order" in system:
        return PLAN
    return CAR if "WHAT TO BUILD" in user else "<Required Feedback>[]</Required Feedback>"


def slowly(seconds=0.1):
    """Answers as the roles do, after a pause."""
    return lambda body: ScriptedReply([seconds, *chat(answer_of(body)).parts])


def record_of(project):
    (row,) = project.runs.select()
    return WorkflowRecord.model_validate_json(project.attempts.transcript(row.number).record)


def overlapping(tries):
    """How many of the stored requests had begun when another one had not ended, at the most crowded moment."""
    begun = [json.loads(request.record) for request in tries]
    spans = [(datetime.fromisoformat(request["started_at"]).timestamp(), request["seconds"]) for request in begun]
    return max(sum(at <= begin < at + seconds for at, seconds in spans) for begin, _ in spans)


def test_a_hierarchical_run_asks_at_once_as_many_as_the_model_allows(project, batch_of, server):
    designers, refiners = threading.Barrier(8, timeout=60), threading.Barrier(4, timeout=60)

    def when_all_have_asked(body):
        system, user = (message["content"] for message in body["messages"])
        if "<Modification Steps>" in system:
            refiners.wait()
        elif "WHAT TO BUILD" in user:
            designers.wait()
        return chat(answer_of(body))

    server.answers.append(when_all_have_asked)
    batch, plan = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE)
    run(project, batch, plan)
    assert (len(server.seen), server.most_at_a_time) == (CALLS, 8)
    assert overlapping(project.items.tries(1)) == 8
    assert record_of(project).end == "finished"


@pytest.mark.slow
def test_no_more_are_asked_at_once_than_the_model_allows(project, batch_of, server):
    server.answers.append(slowly(0.02))
    batch, plan = batch_of(server.url, "machine_movement:0", {"limits": {"parallel": 3}}, agent=WHOLE)
    run(project, batch, plan)
    assert len(server.seen) == CALLS
    assert server.most_at_a_time <= 3


@pytest.mark.slow
def test_a_default_run_asks_at_once_whoever_waits_for_nobody(tmp_path):
    """The server answers the requests of a phase when all of them are there, so its log does not depend on speed."""
    at_once = {"designer": 8, "blind refiner": 4, "refiner": 4}
    together = {role: threading.Barrier(count, timeout=60) for role, count in at_once.items()}
    queriers = iter([threading.Barrier(1), *[threading.Barrier(4, timeout=60)] * 8])

    def wait(request):
        barrier = next(queriers) if request.role == "querier" else together.get(request.role)
        if barrier is not None:
            barrier.wait()

    server = StandIn(wait)
    run_default(server.url, tmp_path / "run.workbench")
    server.close()
    assert server.phases() == [
        ("meta-designer", 1),
        *[("designer", 8)] * 3,
        ("inspector", 1),
        ("blind refiner", 4),
        ("querier", 1),
        *[("refiner", 4), ("querier", 4)] * 2,
    ]


class Hurried(scripted.Roles):
    """Roles that answer by what is asked where, in threads, in an order that is mixed anew for each seed."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed
        self.places = set()

    def ask(self, place, role, prompt):
        assert place not in self.places
        self.places.add(place)
        chance = hash((self.seed, place)) % 7
        time.sleep(chance / 1000)
        number = sum(map(ord, place))
        answers = {
            Role.DESIGNER: [scripted.listed(scripted.CAR), scripted.listed(scripted.OVERLAPPING), "none"],
            Role.REFINER: [scripted.SIDE, scripted.WRONG, scripted.steps("Add [15] to [0] in [3]"), "none"],
            Role.BLIND_REFINER: ["none", scripted.WRONG, scripted.MORE],
        }.get(role)
        return answers[number % len(answers)] if answers else super().ask(place, role, prompt)

    def together(self, works):
        with ThreadPoolExecutor(len(works)) as pool:
            return [future.result() for future in [pool.submit(work) for work in works]]


@pytest.mark.slow
def test_equal_replies_give_the_equal_tree_whatever_order_they_arrive_in():
    options = {"designs": 5, "rounds": 3, "candidates": 4, "strategy": "random"}
    whole, *others = [scripted.run("hierarchical", Hurried(seed), **options) for seed in range(6)]
    assert len(whole.machines) > 8
    assert all(other == whole for other in others)


class Failing(scripted.Roles):
    """Roles of which some give no reply."""

    def __init__(self, failing, error=NoReply, **script):
        super().__init__(**script)
        self.failing = failing
        self.error = error

    def ask(self, place, role, prompt):
        answer = super().ask(place, role, prompt)
        if self.failing in place:
            raise self.error("The endpoint reported an error of its own.")
        return answer


@pytest.mark.parametrize(
    ("failing", "machines"), [("design 0", 4), ("blind, try 1, candidate 0", 5), ("candidate 1, querier", 5)]
)
def test_a_candidate_without_a_reply_is_stored_as_such_and_the_others_go_on(failing, machines):
    record = scripted.run("iterative", Failing(failing))
    (failed,) = [call for call in record.calls if not call.answer]
    assert failed.error == "There was no reply: The endpoint reported an error of its own."
    assert (record.end, len(record.machines)) == ("finished", machines)


def test_a_refiner_without_a_reply_is_asked_again_and_told_nothing_of_it():
    roles = Failing("expansion 1, try 1, candidate 0")
    record = scripted.run("iterative", roles)
    tries = [(call.candidate, call.attempt, call.prompt) for call in record.calls if call.role is Role.REFINER]
    assert [try_[:2] for try_ in tries] == [(0, 1), (1, 1), (0, 2)]
    assert tries[2][2] == tries[0][2]


def test_a_run_ends_where_no_candidate_of_a_step_gets_a_reply():
    with pytest.raises(NoReply):
        scripted.run("iterative", Failing("design"))


def test_a_run_ends_where_no_further_question_would_be_answered():
    with pytest.raises(NobodyReplies):
        scripted.run("iterative", Failing("design 0", NobodyReplies))


@pytest.mark.slow
def test_a_request_that_fails_costs_one_candidate_and_not_the_run(project, batch_of, server):
    count = iter(range(1000))

    def answer(body):
        return refuse(400, "too long") if next(count) == 3 else chat(answer_of(body))

    server.answers.append(answer)
    batch, plan = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE)
    run(project, batch, plan)
    record = record_of(project)
    assert [call.role for call in record.calls if call.error] == [Role.DESIGNER]
    assert record.end == "finished"


def test_a_candidate_whose_simulation_raises_scores_nothing_and_the_others_go_on(
    project, batch_of, server, monkeypatch
):
    from spatial_workbench.engine.tasks.machine import agents

    usual = agents.simulated
    begun = []

    def sometimes(tree, level, **more):
        begun.append(tree)
        if len(begun) == 2:
            raise ArithmeticError("a joint went to infinity")
        return usual(tree, level, **more)

    monkeypatch.setattr(agents, "simulated", sometimes)
    server.answers.append(slowly(0.0))
    batch, plan = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE)
    run(project, batch, plan)
    record = record_of(project)
    (failed,) = [machine for machine in record.machines if machine.fault]
    assert (failed.score, record.end) == (0.0, "finished")
    assert "a joint went to infinity" in failed.fault


def test_an_unusable_key_stops_the_batch_as_before(project, batch_of, server):
    server.answers.append(refuse(401, "wrong key"))
    batch, plan = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE)
    assert run(project, batch, plan) is BatchState.PAUSED
    assert states(project, batch) == ["waiting"]


def test_an_items_limit_holds_for_requests_in_flight(project, batch_of, server):
    server.answers.append(slowly(0.05))
    limits = SpendingLimits(item_output_tokens=23)
    batch, plan = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE, spending=limits)
    run(project, batch, plan)
    (item,) = project.items.of_batch(batch)
    assert (item.state.value, item.error) == ("error", "item limit")
    assert sum(request.output_tokens for request in project.items.tries(1)) == 25


@pytest.mark.slow
def test_a_run_whose_process_was_killed_asks_nothing_twice(project, batch_of, server):
    release = threading.Event()
    count = iter(range(1000))

    def hold_some(body):
        held = next(count) in (4, 6, 7)
        return ScriptedReply([release, *chat(answer_of(body)).parts]) if held else chat(answer_of(body))

    server.answers.append(hold_some)
    batch, _ = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE)
    path = project.path
    command = [sys.executable, "-m", "spatial_workbench.engine.evaluation", str(path), str(batch)]
    with subprocess.Popen(command) as process:
        try:
            while len(project.runs.replies(1)) < 1 + 5:
                assert process.poll() is None
                time.sleep(0.05)
        finally:
            process.kill()
    release.set()
    with Project.open(path) as opened:
        places = {json.loads(reply.record)["place"] for reply in opened.runs.replies(1)}
        assert len(places) == 6
    subprocess.run(command, check=True, timeout=120)
    assert len(server.seen) == CALLS + 3
    assert record_of(project).end == "finished"
    assert len(project.runs.replies(1)) == CALLS


def test_cancelling_ends_all_requests_in_flight(project, batch_of, server):
    never = threading.Event()
    server.answers.append(lambda body: chat(PLAN) if "build_order" in str(body) else ScriptedReply([never]))
    batch, plan = batch_of(server.url, "machine_movement:0", AT_ONCE, agent=WHOLE)

    def cancel():
        while server.running < 8:
            time.sleep(0.01)
        with Project.open(project.path) as other:
            other.batches.set_state(batch, BatchState.CANCELLED)

    canceller = threading.Thread(target=cancel)
    canceller.start()
    assert run(project, batch, plan) is BatchState.CANCELLED
    canceller.join()
    while server.running:
        time.sleep(0.01)
    assert server.broken_off == 8
