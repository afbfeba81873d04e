"""Batches against a mock of the API that is slow, broken, limits rates, cuts off and lies."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from spatial_workbench.engine.models import ModelLibrary, ModelSettings, Response
from spatial_workbench.engine.store import BatchState, ItemState, Project, RunFilter
from spatial_workbench.engine.store.items import Items
from tests.evaluation.conftest import oracle, run, states
from tests.models.conftest import DONE, ScriptedReply, chat, delta, refuse

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (lambda mock: mock.rate_limit(times=1, retry_after=0.05), "rate limit"),
        (lambda mock: mock.fail(500, times=1), "server"),
        (lambda mock: mock.truncate(after_chunks=2), "cut off"),
        (lambda mock: mock.disconnect(after_chunks=2), "network"),
    ],
)
def test_a_fault_that_passes_costs_a_try_and_no_item(project, batch_of, llmock, no_pauses, fault, error):
    llmock.reply('{"rectangles": []}', times=9)
    fault(llmock)
    batch, plan = batch_of(llmock.base_url(), "shikaku:0")
    assert run(project, batch, plan) is BatchState.FINISHED
    assert states(project, batch) == ["done"]
    assert [request.error for request in project.items.tries(1)] == [error, None]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (lambda mock: mock.corrupt(after_chunks=1, times=None), "bad response"),
        (lambda mock: mock.stall(after_chunks=1, times=None), "timeout"),
        (lambda mock: mock.context_overflow(times=None), "context overflow"),
    ],
)
def test_a_fault_that_stays_is_an_error_with_its_kind(project, batch_of, llmock, no_pauses, fault, error):
    fault(llmock)
    batch, plan = batch_of(llmock.base_url(), "shikaku:0", {"silence_s": 0.5, "timeout_s": 2})
    assert run(project, batch, plan) is BatchState.FINISHED
    assert [item.error for item in project.items.of_batch(batch)] == [error]


def test_a_slow_answer_is_waited_for(project, batch_of, llmock):
    llmock.reply('{"rectangles": []}', times=9).slow_first_token(1.0)
    batch, plan = batch_of(llmock.base_url(), "shikaku:0")
    run(project, batch, plan)
    assert states(project, batch) == ["done"]


@pytest.mark.parametrize(
    "lie",
    [
        '{"rectangles": [[0, 0, 1e999, 1]]}',
        '{"rectangles": [["a", null, {}, []]]}',
        '{"passed": true, "score": 1.0}',
        '{"rectangles": [' * 2000,
        "\x00\ufffd" * 50,
    ],
)
def test_an_answer_that_lies_or_is_nonsense_scores_0_and_says_what_is_wrong(project, batch_of, server, lie):
    server.answers.append(chat(lie))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert row.score == 0
    assert any(check.message for check in project.attempts.get(row.number).verdicts[0].checks)


def test_counts_that_nobody_told_are_unknown(project, batch_of, server):
    answer = chat('{"rectangles": []}')
    server.answers.append(ScriptedReply([*answer.parts[:2], answer.parts[-1]]))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (row,) = project.runs.select()
    assert (row.output_tokens, row.cost_usd) == (None, None)


@pytest.fixture
def heeds_ctrl_c():
    """Children heed Ctrl-C, even where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


HALVES = r'{"id": "c1", "model": "tiny", "choices": [{"delta": {"content": "%s"}, "finish_reason": null}]}'


def halves(*pieces):
    """An answer in pieces of a stream, each of which is written as it stands between quotation marks."""
    return ScriptedReply([*(f"data: {HALVES % piece}\n\n".encode() for piece in pieces), delta(finish="stop"), DONE])


def attempts_of(project):
    return project.runs.rows(project.runs.numbers(RunFilter(), descending=False))


def test_an_emoji_that_is_split_over_two_pieces_is_put_together(project, batch_of, server):
    server.answers.append(halves(r"I am \ud83d", r"\ude00 with it"))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (item,) = project.items.of_batch(batch)
    (reply,) = project.runs.replies(item.number)
    assert reply.text == "I am 😀 with it"
    assert json.loads(reply.record)["notes"] == []


def test_half_a_character_is_replaced_and_noted(project, batch_of, server):
    server.answers.append(halves(r"I am \ud83d", "gone"))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (item,) = project.items.of_batch(batch)
    (reply,) = project.runs.replies(item.number)
    assert reply.text == "I am \ufffdgone"
    assert "Half a character" in json.loads(reply.record)["notes"][0]
    assert "Half a character" in json.loads(project.items.tries(item.number)[0].record)["notes"][0]


@pytest.mark.parametrize("odd", [2**63, 10**30, -1, True, "many", 1.5, float("inf"), float("nan"), {"a": 1}])
def test_a_count_that_makes_no_sense_is_unknown_and_noted(project, batch_of, server, odd):
    server.answers.append(chat("[]", completion_tokens=odd))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (item,) = project.items.of_batch(batch)
    assert item.state is ItemState.DONE
    (attempt,) = attempts_of(project)
    assert attempt.output_tokens is None
    assert attempt.input_tokens == 10
    (reply,) = project.runs.replies(item.number)
    assert json.loads(reply.record)["notes"] == ["The count of output tokens made no sense, so it is unknown"]


def test_half_a_character_in_an_error_message_ends_its_item_only(project, batch_of, server, no_pauses):
    server.answers.append(refuse(400, "no \ud83d here"))
    server.answers.append(chat("[]"))
    batch, plan = batch_of(server.url, "shikaku:0-1")
    run(project, batch, plan)
    assert sorted(item.state for item in project.items.of_batch(batch)) == [ItemState.DONE, ItemState.ERROR]


def test_what_cannot_be_stored_is_the_error_of_its_item_and_resuming_goes_on(project, batch_of, server, monkeypatch):
    """Whatever slips through: other items are asked and judged, and so is this one when it is retried."""
    add = Items.add_reply

    def refuse_one(self, item, number, prompt, text, *more):
        if "unlucky" in text:
            raise OverflowError("Python int too large to convert to SQLite INTEGER")
        add(self, item, number, prompt, text, *more)

    monkeypatch.setattr(Items, "add_reply", refuse_one)
    server.answers.extend([chat("unlucky"), chat("[]")])
    batch, plan = batch_of(server.url, "shikaku:0-2")
    assert run(project, batch, plan) is BatchState.FINISHED
    items = project.items.of_batch(batch)
    assert sorted(item.state for item in items) == [ItemState.DONE, ItemState.DONE, ItemState.ERROR]
    (failed,) = [item for item in items if item.state is ItemState.ERROR]
    assert failed.message == "It cannot be stored: Python int too large to convert to SQLite INTEGER"
    monkeypatch.setattr(Items, "add_reply", add)
    project.items.retry_failed(batch)
    run(project, batch, plan)
    assert {item.state for item in project.items.of_batch(batch)} == {ItemState.DONE}


def test_a_reply_that_an_earlier_version_stored_with_an_odd_number_is_judged(project, batch_of, server):
    server.answers.append(chat("[]"))
    batch, plan = batch_of(server.url, "shikaku:0")
    lead = project.items.of_batch(batch)[0].number
    record = Response(text="", finish_reason="stop").model_dump(mode="json", exclude={"text", "reasoning", "tries"})
    odd = json.dumps(record | {"cost_usd": float("inf"), "seconds": float("nan"), "usage": {"output_tokens": 2**80}})
    project.items.begin_asking(lead)
    project.items.add_reply(lead, 0, "?", "[]", None, odd)
    run(project, batch, plan)
    (attempt,) = attempts_of(project)
    assert (attempt.cost_usd, attempt.output_tokens, attempt.seconds) == (None, None, 0.0)


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
@pytest.mark.slow
@pytest.mark.usefixtures("heeds_ctrl_c")
def test_ctrl_c_ends_the_watching_and_not_the_batch(tmp_path, monkeypatch, server):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    answer = oracle()(["shikaku:0"])
    command_has_ended = threading.Event()
    server.answers.append(lambda body: ScriptedReply([command_has_ended, *answer(body).parts]))
    ModelLibrary().store_model(ModelSettings(name="tiny", model="tiny", base_url=server.url))
    path = tmp_path / "c.workbench"
    words = ["evaluate", str(path), "--model", "tiny", "--tasks", "shikaku:0", "--no-probe"]
    command = subprocess.Popen(
        [sys.executable, "-m", "spatial_workbench", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    wait_until(lambda: server.seen)
    command.send_signal(signal.SIGINT)
    out, _ = command.communicate(timeout=120)
    command_has_ended.set()
    assert "continues in the background" in out
    with Project.open(path) as project:
        wait_until(lambda: project.batches.get(1).state is BatchState.FINISHED)
        assert [row.passed for row in project.runs.select()] == [True]


def wait_until(holds, seconds=120.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)
