"""The loop that submits jobs and collects what they give."""

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.executor import ExecutorJob, open_executor, run_jobs
from tests.executor.test_local import ALLOWED

MODULE = "tests.executor.executor_jobs"


@pytest.fixture
def executor():
    with open_executor(2, allowed=ALLOWED) as opened:
        yield opened


def additions(count):
    return iter([ExecutorJob(f"{k}", f"{MODULE}:add", {"a": k, "b": 1}) for k in range(count)])


@pytest.mark.slow
def test_every_job_is_given_once_and_reported(executor):
    jobs = additions(20)
    told = []
    values = [finished.value for finished in run_jobs(executor, lambda: next(jobs, None), told.append, most_pending=3)]
    assert sorted(values) == list(range(1, 21))
    assert (told[0], told[-1]) == (0, 20)
    assert told == sorted(told)


def test_no_jobs_are_no_results(executor):
    assert list(run_jobs(executor, lambda: None)) == []


@pytest.mark.slow
def test_a_job_that_depends_on_an_earlier_one_is_asked_for_when_that_has_finished(executor):
    values = [0]

    def next_job():
        if len(values) > 5 or values[-1] != len(values) - 1 or executor.pending:
            return None
        return ExecutorJob(f"{len(values)}", f"{MODULE}:add", {"a": values[-1], "b": 1})

    # Each job is made from the list as it is then.
    values.extend(finished.value for finished in run_jobs(executor, next_job))
    assert values == [0, 1, 2, 3, 4, 5]


@pytest.mark.slow
def test_leaving_the_loop_withdraws_the_other_jobs(executor):
    jobs = iter([ExecutorJob("quick", f"{MODULE}:nothing", {}), *sleeping()])
    for _ in run_jobs(executor, lambda: next(jobs, None)):
        break
    assert executor.pending == 0


def test_cancelling_withdraws_the_jobs_and_is_raised(executor):
    jobs = iter(sleeping())

    def report(_done):
        if executor.pending:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(run_jobs(executor, lambda: next(jobs, None), report))
    assert executor.pending == 0


def sleeping():
    return [ExecutorJob(f"sleep {k}", f"{MODULE}:sleep", {"seconds": 60}) for k in range(5)]
