"""A program evaluates a function: stored as it comes, several at once, and going on where it was cut off."""

import asyncio
import os
import signal
import threading
import time

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.evaluation.runner import run_batch
from spatial_workbench.engine.store import BatchState, Project
from tests.app.evaluation.conftest import set_up_endpoint
from tests.models.conftest import chat, server

__all__ = ["server"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.workbench"


def stored(path):
    with Project.open(path) as project:
        return [(row.address, row.score) for row in reversed(project.attempts.newest())]


def interrupt():
    """As Ctrl+C does; what is asked meanwhile takes a moment."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.5)


def solved(prompt):
    """The reference solution of a published puzzle, found by its prompt."""
    return next(
        sw.task("shikaku").format(sw.solve(f"shikaku:{number}"))
        for number in range(6)
        if sw.prompt(f"shikaku:{number}").text == prompt.text
    )


@pytest.mark.slow
def test_an_evaluation_that_was_cut_off_goes_on_and_asks_nothing_twice(path):
    asked = []

    def stops_at_the_third(prompt):
        asked.append(prompt.text)
        if len(asked) == 3:
            interrupt()
        return solved(prompt)

    with pytest.raises(KeyboardInterrupt):
        sw.evaluate(stops_at_the_third, "shikaku:0-3", project=path, name="mine", workers=1)

    def goes_on(prompt):
        asked.append(prompt.text)
        return solved(prompt)

    results = sw.evaluate(goes_on, "shikaku:0-3", project=path, name="mine", workers=1)
    assert [result.score for result in results] == [1.0] * 4
    assert len(asked) == 4
    with Project.open(path) as project:
        assert [row.state for row in project.batches.all()] == [BatchState.FINISHED]
    sw.evaluate(goes_on, "shikaku:0-3", project=path, name="mine", workers=1)
    assert len(stored(path)) == 8


@pytest.mark.slow
def test_several_answers_are_wanted_at_once_and_no_more_than_allowed():
    together = []
    lock = threading.Lock()
    busy = 0

    def slow(prompt):
        nonlocal busy
        with lock:
            busy += 1
            together.append(busy)
        time.sleep(0.3)
        with lock:
            busy -= 1
        return "[]"

    sw.evaluate(slow, "shikaku:0-5", workers=1, parallel=3)
    assert max(together) == 3


@pytest.mark.slow
def test_an_asynchronous_function_is_awaited():
    async def respond(prompt):
        await asyncio.sleep(0)
        return solved(prompt)

    assert [result.passed for result in sw.evaluate(respond, "shikaku:0-1", workers=1)] == [True, True]


@pytest.mark.slow
def test_times_tokens_and_costs_are_stored(path):
    def respond(prompt):
        time.sleep(0.05)
        return sw.Reply(solved(prompt), reasoning="I looked.", input_tokens=9, output_tokens=7, cost_usd=0.25)

    sw.evaluate(respond, "shikaku:0-1", project=path, workers=1)
    with Project.open(path) as project:
        batch = project.batches.all()[0]
        rows = list(project.runs.select())
    assert (batch.tokens, batch.cost_usd) == (14, 0.5)
    assert {(row.output_tokens, row.cost_usd) for row in rows} == {(7, 0.25)}
    assert all(row.seconds >= 0.05 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "words"),
    [(7, "answered with int"), (ZeroDivisionError("oh"), "ZeroDivisionError: oh"), (SystemExit(1), "SystemExit: 1")],
)
def test_a_function_that_fails_costs_its_own_item_alone(path, answer, words):
    def respond(prompt):
        if prompt.text != sw.prompt("shikaku:1").text:
            return solved(prompt)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    with pytest.raises(RuntimeError, match="1 of 3 questions have no answer, the first one shikaku:1") as told:
        sw.evaluate(respond, "shikaku:0-2", project=path, workers=1)
    assert words in str(told.value)
    assert stored(path) == [("shikaku:0", 1.0), ("shikaku:2", 1.0)]


def test_another_process_cannot_go_on_with_a_function_and_says_so(path):
    def stops(prompt):
        interrupt()
        return "[]"

    with pytest.raises(KeyboardInterrupt):
        sw.evaluate(stops, "shikaku:0-1", project=path, name="mine", workers=1)
    with Project.open(path) as project:
        number = project.batches.all()[0].number
        project.batches.set_state(number, BatchState.RUNNING)
    run_batch(path, number)
    with Project.open(path) as project:
        row = project.batches.get(number)
    assert row.state is BatchState.PAUSED
    assert "mine is a function of a program; run the program again" in row.note


@pytest.mark.slow
def test_instances_that_share_an_answer_are_asked_once():
    asked = []

    def respond(prompt):
        asked.append(prompt)
        return "{}"

    assert len(sw.evaluate(respond, "interlocking_parts", workers=1)) == 9
    assert len(asked) == 1


@pytest.mark.slow
def test_every_combination_of_a_grid_is_a_run_of_its_own(path):
    results = sw.evaluate(
        lambda prompt: "[]", "shikaku:0-1", project=path, name="mine", workers=1, grid={"repeats": [1, 2]}
    )
    once, *twice = ["shikaku:0", "shikaku:1"], "shikaku:0", "shikaku:0", "shikaku:1", "shikaku:1"
    assert [result.instance.address for result in results] == [*once, *twice]
    assert [result.run for result in results] == ["mine · repeats 1"] * 2 + ["mine · repeats 2"] * 4


@pytest.mark.slow
def test_a_model_is_asked_with_each_prompt_and_temperature_of_a_grid(path, server):
    server.answers.append(lambda body: chat("[]"))
    set_up_endpoint(server, name="elm", model="elm", limits={"parallel": 1})
    grid = {"temperature": [0, 1], "variants": {"own": None, "terse": "Be brief. {prompt}"}}
    results = sw.evaluate("elm", "shikaku:0", project=path, workers=1, grid=grid)
    assert len({result.run for result in results}) == 4
    assert [result.instance.address for result in results] == ["shikaku:0"] * 4
    assert sum("terse" in result.run for result in results) == 2


def test_a_value_of_a_grid_that_is_out_of_range_is_named():
    with pytest.raises(ValueError, match="Temperature “9"):
        sw.evaluate("reference", "shikaku:0", workers=1, grid={"temperature": [9]})
