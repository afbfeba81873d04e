"""A batch asks, stores every try, verifies, and goes on where it was stopped."""

import json
import time
from datetime import UTC, datetime

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.cube.agent import EndReason, RunRecord
from spatial_workbench.engine.evaluation.hands.records import HandsRecord
from spatial_workbench.engine.evaluation.planning.plan import (
    BatchPlan,
    Contender,
    EarlyFail,
    SpendingLimits,
    concerns,
    select,
)
from spatial_workbench.engine.evaluation.planning.starting import import_answers
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.evaluation.running.spending import BatchSpending, Spent
from spatial_workbench.engine.evaluation.running.watching import BatchHeartbeat
from spatial_workbench.engine.executor import Finished, JobOutcome
from spatial_workbench.engine.models import ModelLibrary, ModelSettings, PriceEntry, Prices
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, ProbeFinding, Result
from spatial_workbench.engine.store import BatchState, ItemState, Project, RunFilter
from spatial_workbench.engine.store.items import Items
from tests.evaluation.conftest import AtOnce, oracle, run, states, store
from tests.evaluation.hands.scripts import BOX, SUBMIT, said
from tests.models.conftest import DONE, ScriptedReply, called, chat, delta, refuse


def test_every_item_gets_an_attempt_with_verdicts_prompt_and_counts(project, batch_of, server):
    server.answers.append(oracle()(["shikaku:0", "shikaku:1"]))
    batch, plan = batch_of(server.url, "shikaku:0-1")
    assert run(project, batch, plan) is BatchState.FINISHED
    first, second = project.runs.select()
    assert (first.passed, second.passed, first.input_tokens, first.output_tokens) == (True, True, 10, 5)
    assert "rectangle" in project.runs.prompt_text(first.prompt)
    assert [verdict.verifier for verdict in project.attempts.get(1).verdicts][-1] == "crosscheck"


def test_a_wrong_answer_is_an_attempt_with_a_score_of_0(project, batch_of, server):
    server.answers.append(oracle(wrong=["shikaku:1"])(["shikaku:0", "shikaku:1"]))
    batch, plan = batch_of(server.url, "shikaku:0-1")
    run(project, batch, plan)
    assert {row.address: row.score for row in project.runs.select()} == {"shikaku:0": 1.0, "shikaku:1": 0.0}


def test_data_inside_of_free_text_is_judged_and_the_verdict_says_how_it_was_read(project, batch_of, server):
    server.answers.append(lambda body: chat("Let me see. It is easy.\nFinal answer: [[0, 0, 1, 1]]"))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (row,) = project.runs.select()
    attempt = project.attempts.get(row.number)
    assert attempt.answer.endswith("Final answer: [[0, 0, 1, 1]]")
    assert "What follows “Final answer:” was read" in attempt.verdicts[0].warnings
    assert project.runs.replies(row.item)[0].text.startswith("Let me see.")


def test_every_try_is_a_row_also_those_that_failed(project, batch_of, server, no_pauses):
    server.answers += [
        refuse(500, "trouble"),
        ScriptedReply([delta("half")]),
        refuse(429, "slow down", retry_after="0.01"),
    ]
    server.answers.append(oracle()(["shikaku:0"]))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    errors = [request.error for request in project.items.tries(1)]
    assert errors == ["server", "cut off", "rate limit", None]
    assert project.batches.get(batch).tries == 4


def test_an_error_that_stays_ends_the_item_and_not_the_batch(project, batch_of, server, no_pauses):
    server.answers.append(lambda body: refuse(400, "no such field"))
    batch, plan = batch_of(server.url, "shikaku:0-1")
    assert run(project, batch, plan) is BatchState.FINISHED
    assert [(item.state, item.error) for item in project.items.of_batch(batch)] == [
        (ItemState.ERROR, "bad request")
    ] * 2


def test_a_key_that_is_refused_pauses_the_batch_and_says_so(project, batch_of, server):
    server.answers.append(refuse(401, "wrong key"))
    batch, plan = batch_of(server.url, "shikaku:0-4", {"limits": {"parallel": 1}})
    assert run(project, batch, plan) is BatchState.PAUSED
    assert "key" in project.batches.get(batch).note
    assert states(project, batch) == ["waiting"] * 5
    assert len(server.seen) == 1


def test_failed_items_are_asked_again_when_somebody_wants_it(project, batch_of, server):
    server.answers += [refuse(400, "not now"), oracle()(["shikaku:0"])]
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    assert project.items.retry_failed(batch) == 1
    run(project, batch, plan)
    assert states(project, batch) == ["done"]


def test_an_answer_whose_verifier_broke_is_judged_again_without_asking(project, batch_of, server, monkeypatch):
    server.answers.append(oracle()(["shikaku:0"]))
    batch, plan = batch_of(server.url, "shikaku:0")
    with monkeypatch.context() as broken:
        broken.setattr("spatial_workbench.engine.evaluation.work.judge", lambda **_: 1 / 0)
        run(project, batch, plan)
    (item,) = project.items.of_batch(batch)
    assert (item.state, item.error) == (ItemState.ERROR, "verifier failed")
    project.items.retry_failed(batch)
    run(project, batch, plan)
    assert (states(project, batch), len(server.seen)) == (["done"], 1)


def test_an_answer_on_which_its_process_died_twice_is_marked_and_the_batch_goes_on(project, batch_of, server):
    class Dying(AtOnce):
        def submit(self, job):
            if job.key.startswith("judge:1:"):
                self.done.append(Finished(job.key, JobOutcome.CRASHED, None, "It was killed by SIGSEGV.", 0.1, 2))
            else:
                super().submit(job)

    server.answers.append(oracle()(["shikaku:0", "shikaku:1"]))
    batch, plan = batch_of(server.url, "shikaku:0-1")
    assert run(project, batch, plan, Dying()) is BatchState.FINISHED
    assert states(project, batch) == ["crashed", "done"]
    assert "SIGSEGV" in project.items.of_batch(batch)[0].message


def test_items_that_share_an_answer_are_asked_once_and_each_is_an_attempt(project, batch_of, server):
    server.answers.append(lambda body: chat('{"parts": []}'))
    batch, plan = batch_of(server.url, "interlocking_parts")
    run(project, batch, plan)
    assert len(server.seen) == 1
    rows = list(project.runs.select())
    assert len(rows) == 9
    assert [row.output_tokens for row in rows] == [5] + [None] * 8


def test_no_more_requests_at_a_time_than_the_limits_allow(project, batch_of, server):
    server.answers.append(lambda body: ScriptedReply([0.05, *chat("x").parts]))
    batch, plan = batch_of(server.url, "two_segments:0-9", {"limits": {"parallel": 3}})
    run(project, batch, plan)
    assert server.most_at_a_time == 3


def test_a_paused_batch_finishes_what_is_in_flight_and_goes_on_later(project, batch_of, server):
    answer = oracle()(select("shikaku"))
    batch, plan = batch_of(server.url, "shikaku", {"limits": {"parallel": 1}})

    def from_elsewhere(body):
        with Project.open(project.path) as other:
            other.batches.set_state(batch, BatchState.PAUSED)
        return ScriptedReply([1.2, *answer(body).parts])

    server.answers += [from_elsewhere, answer]
    assert run(project, batch, plan) is BatchState.PAUSED
    assert sorted(states(project, batch)) == ["done"] + ["waiting"] * 5
    project.batches.set_state(batch, BatchState.RUNNING)
    assert run(project, batch, plan) is BatchState.FINISHED
    assert len(server.seen) == 6


class PausedByThen(AtOnce):
    """Gives a job at a time; somebody pauses the batch after the first."""

    def __init__(self, project, batch):
        super().__init__()
        self.pause = lambda: project.batches.stop(batch, BatchState.PAUSED)

    def finished(self, timeout_s):
        self.pause()
        time.sleep(0.15)
        done, self.done = self.done[:1], self.done[1:]
        return done


def test_a_pause_stops_models_that_answer_at_once(project):
    reference = Contender(settings=ModelSettings(name="reference", provider="reference"))
    plan = BatchPlan(name="x", contenders=(reference,), addresses=select("shikaku"), workers=1)
    batch, plan = store(project, plan)
    assert run(project, batch, plan, PausedByThen(project, batch)) is BatchState.PAUSED
    assert states(project, batch).count("waiting") == 4
    project.batches.set_state(batch, BatchState.RUNNING)
    assert run(project, batch, plan) is BatchState.FINISHED
    assert states(project, batch) == ["done"] * 6


def test_a_pause_leaves_imported_answers_for_later(project, tmp_path):
    lines = [{"task": "shikaku", "instance": k, "model": "m", "text": "{}"} for k in range(6)]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)))
    batch = import_answers(project, tmp_path / "answers.jsonl", workers=1).batch
    plan = BatchPlan.model_validate_json(project.batches.plan(batch))
    assert run(project, batch, plan, PausedByThen(project, batch)) is BatchState.PAUSED
    assert 1 <= states(project, batch).count("done") <= 2
    project.batches.set_state(batch, BatchState.RUNNING)
    assert run(project, batch, plan) is BatchState.FINISHED


def test_a_batch_that_came_to_its_end_while_it_was_paused_is_finished(project, batch_of, server):
    answer = oracle()(["shikaku:0"])

    def pausing(body):
        with Project.open(project.path) as other:
            other.batches.stop(batch, BatchState.PAUSED)
        return ScriptedReply([0.5, *answer(body).parts])

    server.answers.append(pausing)
    batch, plan = batch_of(server.url, "shikaku:0")
    assert run(project, batch, plan) is BatchState.FINISHED
    project.batches.stop(batch, BatchState.PAUSED)
    assert project.batches.get(batch).state is BatchState.FINISHED


def test_a_cancelled_batch_takes_its_requests_back(project, batch_of, server):
    def cancelling(body):
        with Project.open(project.path) as other:
            other.batches.set_state(batch, BatchState.CANCELLED)
        return ScriptedReply([5.0])

    server.answers.append(cancelling)
    batch, plan = batch_of(server.url, "shikaku:0-1", {"limits": {"parallel": 1}})
    assert run(project, batch, plan) is BatchState.CANCELLED
    assert states(project, batch) == ["waiting"] * 2
    assert [request.error for request in project.items.tries(1)] == ["timeout"]


def test_what_was_in_flight_when_the_process_died_is_asked_again_and_leaves_a_row(project, batch_of, server):
    server.answers.append(oracle()(["shikaku:0"]))
    batch, plan = batch_of(server.url, "shikaku:0")
    project.items.begin_asking(1)
    run(project, batch, plan)
    assert [request.error for request in project.items.tries(1)] == ["lost", None]


def test_what_was_answered_when_the_process_died_is_not_asked_again(project, batch_of, server):
    batch, plan = batch_of(server.url, "shikaku:0")
    project.items.add_reply(1, 0, "Divide", '{"rectangles": []}', None, '{"finish_reason": "stop"}')
    run(project, batch, plan)
    assert (states(project, batch), len(server.seen)) == (["done"], 0)


@pytest.mark.parametrize(("wrong", "state"), [(["shikaku:0"], "not asked"), ([], "done")])
def test_early_fail_asks_the_rest_only_where_the_first_went_well(project, batch_of, server, wrong, state):
    server.answers.append(oracle(wrong)(select("shikaku")))
    batch, plan = batch_of(server.url, "shikaku", early_fail=EarlyFail(samples=1))
    run(project, batch, plan)
    assert states(project, batch) == ["done"] + [state] * 5


def test_early_fail_is_decided_anew_from_what_is_stored(project, batch_of, server):
    server.answers.append(oracle(["shikaku:0"])(["shikaku:0"]))
    batch, plan = batch_of(server.url, "shikaku", early_fail=EarlyFail())
    run(project, batch, plan)
    project.items.fail(2, ItemState.WAITING, "", "")
    project.batches.set_state(batch, BatchState.RUNNING)
    run(project, batch, plan)
    assert states(project, batch) == ["done"] + ["not asked"] * 5


def test_the_reference_and_random_answers_need_nobody(project):
    contenders = tuple(Contender(settings=ModelSettings(name=name, provider=name)) for name in ("reference", "random"))
    batch, plan = store(project, BatchPlan(name="x", contenders=contenders, addresses=select("shikaku:0-1"), repeats=2))
    run(project, batch, plan)
    scores = {(row.actor_name, row.repeat): row.score for row in project.runs.select(RunFilter(address="shikaku:0"))}
    assert scores == {("reference", 0): 1.0, ("reference", 1): 1.0, ("random", 0): 0.0, ("random", 1): 0.0}


TURN_BACK = '{"tool": "make_move", "arguments": {"moves": ["%s"]}}'


def test_an_agent_on_the_cube_is_asked_step_by_step_and_its_run_is_kept(project, batch_of, server):
    server.answers += [chat(TURN_BACK % "U"), chat('{"tool": "final_answer", "arguments": {"text": "no"}}')]
    batch, plan = batch_of(server.url, "cube_full_symbolic:0", agent=AgentPlan(uses_code=False))
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert row.has_transcript
    assert project.attempts.transcript(row.number).kind == "cube"
    assert (len(project.runs.replies(row.item)), row.output_tokens) == (2, 10)
    assert project.runs.numbers(RunFilter(text="final_answer")) == [row.number]


def test_an_agent_that_writes_code_runs_in_the_sandbox_and_solves_the_cube(project, batch_of, server):
    task, instance = resolve("cube_full_symbolic:0")
    moves = list(task.solve(instance).moves)
    code = f"I turn it back.\n```python\nfor move in {moves}:\n    make_move(move)\n```"
    server.answers.append(chat(code))
    batch, plan = batch_of(server.url, "cube_full_symbolic:0", agent=AgentPlan())
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert row.passed
    assert RunRecord.model_validate_json(project.attempts.transcript(row.number).record).uses_code


def test_an_agent_that_was_cut_off_goes_on_with_the_replies_it_had(project, batch_of, server):
    batch, plan = batch_of(server.url, "cube_full_symbolic:0", agent=AgentPlan(uses_code=False))
    record = '{"finish_reason": "stop", "usage": {"input_tokens": 7, "output_tokens": 3}}'
    project.items.add_reply(1, 0, "Solve", TURN_BACK % "U", None, record, is_last=False)
    server.answers.append(chat('{"tool": "final_answer", "arguments": {"text": "no"}}'))
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert len(server.seen) == 1
    assert "U" in project.attempts.get(row.number).answer
    assert row.output_tokens == 8


def test_the_clock_of_an_agent_that_was_cut_off_counts_what_its_replies_took(project, batch_of, server):
    batch, plan = batch_of(server.url, "cube_full_symbolic:0", agent=AgentPlan(uses_code=False, minutes=1))
    for number, seconds in enumerate((40, 30)):
        record = json.dumps({"finish_reason": "stop", "seconds": seconds})
        project.items.add_reply(1, number, "Solve", TURN_BACK % "U", None, record, is_last=False)
    run(project, batch, plan)
    (row,) = project.runs.select()
    record = RunRecord.model_validate_json(project.attempts.transcript(row.number).record)
    assert record.end == EndReason.TIMEOUT
    assert len(record.steps) == 1
    assert not server.seen


def test_a_model_with_hands_builds_its_answer_and_its_calls_are_kept(project, batch_of, server):
    server.answers += [chat(said(BOX)), chat(said(BOX, ("undo", {}))), chat(SUBMIT)]
    batch, plan = batch_of(server.url, "pack_prisms:0", agent=AgentPlan(kind=HANDS))
    run(project, batch, plan)
    (row,) = project.runs.select()
    record = HandsRecord.model_validate_json(project.attempts.transcript(row.number).record)
    assert [call.tool for call in record.calls] == ["place", "place", "undo", "submit"]
    assert json.loads(project.attempts.get(row.number).answer)["boxes"] == [{"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 2]}]


def test_a_model_with_hands_that_was_cut_off_asks_nothing_twice_and_ends_with_the_same_answer(
    project, batch_of, server
):
    batch, plan = batch_of(server.url, "pack_prisms:0", agent=AgentPlan(kind=HANDS))
    project.items.add_reply(1, 0, "Build", said(BOX), None, '{"finish_reason": "stop"}', is_last=False)
    server.answers += [chat(SUBMIT)]
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert len(server.seen) == 1
    assert len(json.loads(project.attempts.get(row.number).answer)["boxes"]) == 1


def test_a_model_that_was_seen_to_call_functions_is_offered_the_tools_and_resumed_from_its_calls(
    project, batch_of, server
):
    batch, plan = batch_of(server.url, "pack_prisms:0", agent=AgentPlan(kind=HANDS))
    found = {Feature.FUNCTIONS: ProbeFinding(result=Result.WORKS)}
    known = Capabilities(base_url=server.url, model="tiny", probed_at=datetime.now(UTC), findings=found)
    plan = plan.model_copy(update={"contenders": (plan.contenders[0].model_copy(update={"capabilities": known}),)})
    name, arguments = BOX
    earlier = {"finish_reason": "tool_calls", "tool_calls": [{"tool": name, "input": json.dumps(arguments), "id": "c"}]}
    project.items.add_reply(1, 0, "Build", "", None, json.dumps(earlier), is_last=False)
    server.answers += [called(BOX), called(("submit", {}))]
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert len(server.seen) == 2
    assert [message["role"] for message in server.seen[0].body["messages"]] == ["user", "assistant", "tool", "user"]
    assert len(json.loads(project.attempts.get(row.number).answer)["boxes"]) == 2


def test_answers_that_end_without_a_reason_or_are_no_answers_are_errors(project, batch_of, server, no_pauses):
    lies = [ScriptedReply([delta("x"), DONE]), ScriptedReply([b"data: <html>\n\n", DONE]), ScriptedReply([b""])]
    server.answers += [lies[0]] * 4 + [lies[1]] * 4 + [lies[2]]
    batch, plan = batch_of(server.url, "shikaku:0-2", {"limits": {"parallel": 1}})
    run(project, batch, plan)
    assert set(states(project, batch)) == {"error"}
    assert all(item.message for item in project.items.of_batch(batch))


@pytest.mark.slow
def test_judging_waits_for_nobody_but_its_answer(project, batch_of, server):
    server.answers.append(oracle()(["shikaku:0"]))
    batch, plan = batch_of(server.url, "shikaku:0", repeats=30)
    executor = AtOnce()
    run(project, batch, plan, executor)
    assert len(executor.jobs) == 30


def test_the_list_names_what_is_being_judged_for_a_while(project, batch_of, server, monkeypatch):
    class Slow(AtOnce):
        @property
        def running(self):
            return {job.key: 40.0 for job in self.jobs}

        def finished(self, timeout_s):
            return super().finished(timeout_s) if noted else []

    noted = []
    note_item = Items.note

    def note(self, lead, text):
        noted.append(text)
        note_item(self, lead, text)

    monkeypatch.setattr(Items, "note", note)
    monkeypatch.setattr(BatchHeartbeat, "look", BatchHeartbeat.name_slow_verdicts)
    server.answers.append(chat("[]"))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan, Slow())
    (item,) = project.items.of_batch(batch)
    assert noted[0].startswith("Being judged since ")
    assert (item.state, item.message) == (ItemState.DONE, None)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"output_tokens": 12}, "The limit of 12 output tokens is reached; 3 items are left."),
        ({"cost_usd": 0.03}, "The limit of $0.03 is reached; 3 items are left."),
    ],
)
def test_at_a_limit_of_spending_a_batch_pauses_says_what_is_left_and_resumes(project, batch_of, server, limits, words):
    server.answers.append(oracle()(select("shikaku")))
    prices = {"input_usd": 0, "output_usd": 2000}
    batch, plan = batch_of(server.url, "shikaku", {"limits": {"parallel": 1}, "prices": prices}, spending=limits)
    assert run(project, batch, plan) is BatchState.PAUSED
    assert sorted(states(project, batch)) == ["done"] * 3 + ["waiting"] * 3
    assert project.batches.get(batch).note == f"{words} Resume allows as much again."
    project.batches.set_state(batch, BatchState.RUNNING)
    assert run(project, batch, plan) is BatchState.FINISHED
    assert (project.batches.get(batch).note, len(server.seen)) == ("", 6)


def test_a_batch_that_ends_at_its_limit_is_finished(project, batch_of, server):
    server.answers.append(oracle()(select("shikaku:0")))
    batch, plan = batch_of(server.url, "shikaku:0", spending={"output_tokens": 5})
    assert run(project, batch, plan) is BatchState.FINISHED
    assert project.batches.get(batch).note == ""


def test_time_is_counted_from_the_start(project):
    seconds = iter((0.0, 3599.0, 3601.0))
    spending = BatchSpending(SpendingLimits(hours=1), lambda: next(seconds))
    assert [spending.is_over, spending.is_over] == [False, True]


def test_without_prices_a_limit_of_money_is_objected_to_beforehand():
    known = {"input_usd": 1, "output_usd": 2}
    for prices, told in (({}, ["tiny"]), (known, [])):
        settings = ModelSettings(name="tiny", model="tiny", base_url="http://127.0.0.1:1", prices=prices)
        plan = BatchPlan(
            name="b",
            contenders=(Contender(settings=settings),),
            addresses=select("shikaku:0"),
            spending=SpendingLimits(cost_usd=1),
        )
        assert [concern.contender for concern in concerns(plan) if "limit of money" in concern.sentence] == told


def test_a_variant_is_what_is_sent_and_stored_and_its_attempt_says_so(project, server):
    task, instance = resolve("shikaku:0")
    server.answers.append(chat(task.format(task.solve(instance))))
    settings = ModelSettings(name="tiny", model="tiny", base_url=server.url, temperature=0.5, effort="low")
    variant = PromptVariant(name="terse", text="Be brief.\n{prompt}")
    asked = (Contender(settings=settings), Contender(settings=settings.changed(name="t"), variant=variant))
    run(project, *store(project, BatchPlan(name="b", contenders=asked, addresses=("shikaku:0",))))
    rows = {row.actor_name: row for row in project.runs.select()}
    prompt = task.prompt(instance).text
    assert project.runs.prompt_text(rows["t"].prompt) == f"Be brief.\n{prompt}"
    assert f"Be brief.\n{prompt}" in [request.body["messages"][0]["content"] for request in server.seen]
    assert (rows["t"].variant, rows["tiny"].variant) == (variant.label, None)
    assert (rows["t"].temperature, rows["t"].effort, rows["t"].top_p) == (0.5, "low", None)


def test_a_later_edit_of_the_prices_changes_no_recorded_cost(project, batch_of, server, tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    library.store_model(ModelSettings(name="tiny", model="tiny", base_url=server.url))
    library.prices.store([PriceEntry(model="tiny", prices=Prices(input_usd=0, output_usd=1e6, as_of="2026-05-01"))])
    server.answers.append(chat("no"))
    asked = Contender(settings=library.priced("tiny").settings)
    batch, plan = store(project, BatchPlan(name="b", contenders=(asked,), addresses=select("shikaku:0-1")))
    library.prices.store([])
    run(project, batch, plan)
    assert project.batches.get(batch).cost_usd == 10
    stored = BatchPlan.model_validate_json(project.batches.plan(batch)).contenders[0].settings.prices
    assert stored.as_of.isoformat() == "2026-05-01"


def test_requests_without_a_price_are_counted(project, batch_of, server):
    server.answers.append(chat("no"))
    batch, plan = batch_of(server.url, "shikaku:0-1")
    run(project, batch, plan)
    row = project.batches.get(batch)
    assert (row.unpriced, row.cost_usd) == (2, 0)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"item_cost_usd": 0.015}, "The limit of $0.01 for an item is reached, after 2 requests."),
        ({"item_output_tokens": 10}, "The limit of 10 output tokens for an item is reached, after 2 requests."),
    ],
)
def test_an_agent_that_spent_what_an_item_may_ends_with_an_error_and_no_score(project, batch_of, server, limits, words):
    server.answers.append(chat("Let me think."))
    prices = {"input_usd": 0, "output_usd": 2000}
    agent = AgentPlan(kind="basic", uses_code=False, max_steps=20)
    batch, plan = batch_of(server.url, "cube_full_symbolic:0", {"prices": prices}, spending=limits, agent=agent)
    run(project, batch, plan)
    (item,) = project.items.of_batch(batch)
    assert (item.state, item.error, item.attempt) == (ItemState.ERROR, "item limit", None)
    assert item.message == words
    assert len(server.seen) == 2
    spent = Spent.model_validate_json(project.batches.get(batch).spending)
    assert (spent.stopped, spent.most_item_tokens, spent.output_tokens) == (1, 10, 10)


def test_a_single_question_is_answered_whatever_it_takes(project, batch_of, server):
    server.answers.append(oracle()(["shikaku:0"]))
    batch, plan = batch_of(server.url, "shikaku:0", spending={"item_output_tokens": 1})
    run(project, batch, plan)
    assert states(project, batch) == ["done"]
