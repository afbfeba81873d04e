"""Batches against a mock of the API that is slow, broken, limits rates, cuts off and lies."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from engine.models import ModelLibrary, ModelSettings
from engine.store import BatchState, Project
from tests.evaluation.conftest import oracle, run, states
from tests.models.conftest import ScriptedReply, chat

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
    assert [request.error for request in project.tries(1)] == [error, None]


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
    assert [item.error for item in project.items(batch)] == [error]


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
    (row,) = project.runs()
    assert row.score == 0
    assert any(check.message for check in project.attempt(row.number).verdicts[0].checks)


def test_counts_that_nobody_told_are_unknown(project, batch_of, server):
    answer = chat('{"rectangles": []}')
    server.answers.append(ScriptedReply([*answer.parts[:2], answer.parts[-1]]))
    batch, plan = batch_of(server.url, "shikaku:0")
    run(project, batch, plan)
    (row,) = project.runs()
    assert (row.output_tokens, row.cost_usd) == (None, None)


@pytest.fixture
def heeds_ctrl_c():
    """Children heed Ctrl-C, even where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_ends_the_watching_and_not_the_batch(tmp_path, monkeypatch, server):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    answer = oracle()(["shikaku:0"])
    command_has_ended = threading.Event()
    server.answers.append(lambda body: ScriptedReply([command_has_ended, *answer(body).parts]))
    ModelLibrary().put(ModelSettings(name="tiny", model="tiny", base_url=server.url))
    path = tmp_path / "c.workbench"
    words = ["evaluate", str(path), "--model", "tiny", "--tasks", "shikaku:0", "--no-probe"]
    command = subprocess.Popen([sys.executable, "-m", "app", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    wait_until(lambda: server.seen)
    command.send_signal(signal.SIGINT)
    out, _ = command.communicate(timeout=120)
    command_has_ended.set()
    assert "continues in the background" in out
    with Project.open(path) as project:
        wait_until(lambda: project.batch(1).state is BatchState.FINISHED)
        assert [row.passed for row in project.runs()] == [True]


def wait_until(holds, seconds=120.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)
