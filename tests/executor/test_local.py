"""Jobs on this machine: what becomes of them, and that none harms another."""

import contextlib
import os
import signal
import subprocess
import sys
import threading

import pytest

from spatial_workbench.engine.executor import ExecutorJob, JobOutcome, open_executor
from tests.executor.executor_tools import ALLOWED, all_of, is_alive, job, number_in, run, wait_for


@pytest.fixture(scope="module")
def shared():
    """Kept from test to test, since a process takes half a second to start."""
    with open_executor(2, allowed=ALLOWED) as executor:
        yield executor


@pytest.fixture
def executor():
    with open_executor(2, allowed=ALLOWED) as executor:
        yield executor


def test_a_job_gives_what_its_function_returns(shared):
    finished = run(shared, "add", a=2, b=3)
    assert (finished.outcome, finished.value, finished.message, finished.tries) == (JobOutcome.DONE, 5, "", 1)


@pytest.mark.parametrize("value", [None, True, 1.5, "día\n", [1, [2]], {"a": {"b": []}}, "x" * 3_000_000])
def test_json_data_comes_back_as_it_was(shared, value):
    assert run(shared, "echo", value=value).value == value


def test_every_job_of_many_is_given_once(shared):
    for number in range(500):
        shared.submit(job(str(number), "add", a=number, b=1))
    seen = []
    while shared.pending:
        seen += [(int(finished.key), finished.value) for finished in shared.finished(30)]
    assert sorted(seen) == [(number, number + 1) for number in range(500)]


@pytest.mark.slow
def test_ten_thousand_jobs_are_submitted_while_two_run():
    with open_executor(2, allowed=ALLOWED) as executor:
        for number in range(10_000):
            executor.submit(job(str(number), "sleep", seconds=60))
        assert executor.pending == 10_000
        assert executor.finished(0) == []


@pytest.mark.slow
def test_jobs_may_be_submitted_and_collected_in_different_threads(executor):
    def submit(first):
        for number in range(first, first + 100):
            executor.submit(job(str(number), "echo", value=number))

    threads = [threading.Thread(target=submit, args=(first,)) for first in (0, 100, 200)]
    for thread in threads:
        thread.start()
    seen = set()
    while len(seen) < 300:
        seen |= {finished.value for finished in executor.finished(30)}
    assert seen == set(range(300))


@pytest.mark.slow
def test_a_slow_job_gives_its_place_to_the_others(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.executor.local.SLOW_AFTER_S", 0.2)
    with open_executor(1, allowed=ALLOWED) as executor:
        executor.submit(job("slow", "sleep", seconds=60))
        executor.submit(job("quick", "add", a=1, b=1))
        assert [finished.key for finished in executor.finished(30)] == ["quick"]
        assert set(executor.running) == {"slow"}


@pytest.mark.slow
def test_after_slow_jobs_there_are_no_more_processes_than_before(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.executor.local.SLOW_AFTER_S", 0.1)
    with open_executor(1, allowed=ALLOWED) as executor:
        for number in range(3):
            executor.submit(job(str(number), "sleep", seconds=0.4))
        while executor.pending:
            executor.finished(30)
        wait_for(lambda: sum(thread.is_alive() for thread in executor._threads) == 1)


def test_an_exception_fails_its_job_with_type_and_text(shared):
    finished = run(shared, "fail", text="the grid is empty")
    assert (finished.outcome, finished.message) == (JobOutcome.FAILED, "ValueError: the grid is empty")


def test_leaving_python_fails_the_job_and_keeps_the_process(shared):
    assert run(shared, "leave", code=3).message == "SystemExit: 3"


def test_a_result_that_is_not_json_fails_its_job(shared):
    assert "not JSON serializable" in run(shared, "unfit").message


def test_arguments_that_are_not_json_are_refused_at_once(shared):
    with pytest.raises(TypeError):
        shared.submit(job("it", "echo", value={1, 2}))
    assert shared.pending == 0


def test_what_a_job_prints_and_reads_does_not_reach_the_executor(shared):
    assert run(shared, "chatter").value == ""


@pytest.mark.slow
@pytest.mark.parametrize("function", ["sleep", "burn"])
def test_a_job_is_stopped_at_its_time_limit(shared, function):
    finished = run(shared, function, seconds=30, time_limit_s=0.5)
    assert (finished.outcome, finished.message) == (JobOutcome.TIMED_OUT, "It was stopped at its time limit of 0.5 s")
    assert finished.tries == 1


def test_what_a_stopped_job_had_started_ends_with_it(executor, tmp_path):
    executor.submit(job("it", "begin_with_offspring", path=str(tmp_path / "pid"), time_limit_s=1))
    offspring = number_in(tmp_path / "pid")
    assert all_of(executor)["it"].outcome is JobOutcome.TIMED_OUT
    wait_for(lambda: not is_alive(offspring))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_job_is_held_to_its_memory_limit(shared):
    finished = run(shared, "allocate", megabytes=1000, memory_limit_mb=600)
    assert (finished.outcome, finished.message) == (
        JobOutcome.OUT_OF_MEMORY,
        "It used more than its limit of 600 MB of memory",
    )


def test_a_job_may_use_less_than_its_memory_limit(shared):
    assert run(shared, "allocate", megabytes=300, memory_limit_mb=600).value == 300 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_address_space_that_is_only_reserved_is_not_memory(shared):
    assert run(shared, "reserve", megabytes=8000, memory_limit_mb=600).outcome is JobOutcome.DONE


def test_a_job_whose_process_is_killed_once_is_tried_again(shared, tmp_path):
    finished = run(shared, "die_once", path=str(tmp_path / "died"))
    assert (finished.outcome, finished.value, finished.tries) == (JobOutcome.DONE, "survived", 2)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_job_whose_process_is_killed_twice_has_crashed(shared, number):
    finished = run(shared, "die", number=int(number))
    assert (finished.outcome, finished.tries) == (JobOutcome.CRASHED, 2)
    assert number.name in finished.message


@pytest.mark.slow
def test_a_crash_is_reported_with_exit_code_and_last_words(shared):
    finished = run(shared, "exit_hard", code=7, words="the joint is singular")
    assert finished.message == (
        'Its process died each time, the last time with exit code 7. It said: "the joint is singular"'
    )


@pytest.mark.slow
def test_the_last_words_are_those_of_the_job_itself():
    with open_executor(1, allowed=ALLOWED) as executor:
        executor.submit(job("talks", "chatter"))
        executor.submit(job("dies", "die"))
        assert "It said" not in all_of(executor)["dies"].message


@pytest.mark.slow
def test_crashes_do_not_harm_other_jobs(executor):
    for number in range(12):
        executor.submit(job(str(number), "die" if number % 5 == 0 else "process_id"))
    results = all_of(executor)
    outcomes = {int(key): finished.outcome for key, finished in results.items()}
    assert outcomes == {n: JobOutcome.CRASHED if n % 5 == 0 else JobOutcome.DONE for n in range(12)}
    assert all(finished.tries == 1 for finished in results.values() if finished.outcome is JobOutcome.DONE)


@pytest.mark.slow
def test_a_process_that_is_killed_between_jobs_is_replaced():
    with open_executor(1, allowed=ALLOWED) as executor:
        executor.submit(job("first", "process_id"))
        process = all_of(executor)["first"].value
        os.kill(process, signal.SIGKILL)
        # Whoever reads from it may have taken note of its end before.
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        executor.submit(job("second", "process_id"))
        second = all_of(executor)["second"]
        assert (second.outcome, second.tries) == (JobOutcome.DONE, 1)


def test_jobs_share_a_process_as_long_as_it_lives():
    with open_executor(1, allowed=ALLOWED) as executor:
        for key in "abc":
            executor.submit(job(key, "process_id"))
        assert len({finished.value for finished in all_of(executor).values()}) == 1


@pytest.mark.slow
def test_cancelling_a_running_job_kills_its_process_and_others_go_on(executor, tmp_path):
    executor.submit(job("long", "begin", path=str(tmp_path / "pid")))
    process = number_in(tmp_path / "pid")
    executor.cancel("long")
    executor.submit(job("next", "add", a=1, b=1))
    results = all_of(executor)
    assert (results["long"].outcome, results["next"].value) == (JobOutcome.CANCELLED, 2)
    wait_for(lambda: not is_alive(process))


def test_a_job_that_waits_is_cancelled_before_it_begins(tmp_path):
    with open_executor(1, allowed=ALLOWED) as executor:
        executor.submit(job("first", "sleep", seconds=0.3))
        executor.submit(job("second", "begin", path=str(tmp_path / "pid")))
        executor.cancel("second")
        executor.submit(job("third", "nothing"))
        assert {key: finished.outcome.name for key, finished in all_of(executor).items()} == {
            "first": "DONE",
            "second": "CANCELLED",
            "third": "DONE",
        }
    assert not (tmp_path / "pid").exists()


def test_cancelling_what_has_finished_or_never_was_changes_nothing(executor):
    executor.submit(job("it", "nothing"))
    wait_for(lambda: executor.finished(1))
    executor.cancel("it")
    executor.cancel("nobody")
    assert executor.pending == 0


def test_results_do_not_hang_on_the_number_of_cores_or_the_order_of_sets(shared):
    assert run(shared, "environment", name="OMP_NUM_THREADS").value == "1"
    assert run(shared, "environment", name="PYTHONHASHSEED").value == "0"


def test_closing_ends_what_runs_and_refuses_more(tmp_path):
    executor = open_executor(1, allowed=ALLOWED)
    executor.submit(job("long", "begin", path=str(tmp_path / "pid")))
    process = number_in(tmp_path / "pid")
    executor.close()
    assert not is_alive(process)
    assert (executor.pending, executor.finished(10)) == (0, [])
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(job("more", "nothing"))


@pytest.mark.slow
def test_closing_wakes_whoever_waits_for_a_job():
    executor = open_executor(1, allowed=ALLOWED)
    executor.submit(job("long", "sleep", seconds=60))
    given = []
    waiting = threading.Thread(target=lambda: given.append(executor.finished(60)))
    waiting.start()
    executor.close()
    waiting.join(20)
    assert given == [[]]


@pytest.mark.parametrize("function", ["begin", "begin_and_burn"])
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_processes_end_when_the_batch_is_killed(function, tmp_path):
    program = (
        "from spatial_workbench.engine.executor import *\n"
        f"executor = open_executor(1, allowed={ALLOWED!r})\n"
        f"job = ExecutorJob('it', 'tests.executor.executor_jobs:{function}', {{'path': {str(tmp_path / 'pid')!r}}})\n"
        "executor.submit(job)\n"
        "executor.finished(60)\n"
    )
    batch = subprocess.Popen([sys.executable, "-c", program])
    process = number_in(tmp_path / "pid")
    batch.kill()
    batch.wait()
    wait_for(lambda: not is_alive(process))


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are different there")
def test_ctrl_c_in_the_terminal_is_not_for_the_processes(executor, tmp_path):
    executor.submit(job("it", "begin", path=str(tmp_path / "pid"), time_limit_s=1))
    process = number_in(tmp_path / "pid")
    assert os.getpgid(process) != os.getpgid(0)
    os.kill(process, signal.SIGINT)
    assert all_of(executor)["it"].outcome is JobOutcome.TIMED_OUT


@pytest.mark.parametrize(
    "name",
    [
        "os:getpid",
        "enginex.core:resolve",
        "spatial_workbench.engine.core",
        "spatial_workbench.engine.core:_hidden",
        "spatial_workbench.engine.core:Task.parse",
        "spatial_workbench.engine..core:x",
    ],
)
def test_functions_outside_the_engine_are_refused(name):
    with open_executor(1) as executor, pytest.raises(ValueError, match="is not the name of a function"):
        executor.submit(ExecutorJob("it", name, {}))


def test_what_a_module_has_imported_from_elsewhere_is_refused():
    with open_executor(1) as executor:
        executor.submit(ExecutorJob("it", "spatial_workbench.engine.executor.job_process:replace", {}))
        assert all_of(executor)["it"].message.endswith("comes from dataclasses")


def test_tests_are_not_allowed_unless_they_say_so():
    with open_executor(1) as executor, pytest.raises(ValueError, match=r"in spatial_workbench\.engine\."):
        executor.submit(job("it", "nothing"))


def test_a_key_is_used_once(shared):
    shared.submit(job("once", "nothing"))
    all_of(shared)
    with pytest.raises(ValueError, match="a job 'once' already"):
        shared.submit(job("once", "nothing"))


def test_limits_are_greater_than_zero():
    with pytest.raises(ValueError, match="limits"):
        job("it", "nothing", time_limit_s=0)


def test_there_is_at_least_one_worker():
    with pytest.raises(ValueError, match="at least 1 worker"):
        open_executor(0)
    with open_executor(allowed=ALLOWED) as executor:
        assert run(executor, "add", a=1, b=1).value == 2
