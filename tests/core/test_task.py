"""The contract of tasks: instances, verdicts, verifiers, addresses."""

import pickle

import pytest

from spatial_workbench.engine.core import Cancelled, Check, CheckList, InstanceError, Problem, State, Verdict, resolve
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.checks import MAX_PROBLEMS
from tests.core.sample_task import SampleTask

TASK = SampleTask()
SQUARE = TASK.instances()[1]


@pytest.mark.parametrize("raw", ['{"points": [[1, 2]]}', {"points": [[1, 2]]}, TASK.parse({"points": [[1, 2]]})])
def test_verify_takes_text_plain_data_or_the_answer(raw):
    assert TASK.verify(SQUARE, raw).passed


def test_after_the_first_failing_step_the_rest_are_not_reached():
    states = [check.state for check in TASK.verify(SQUARE, {"points": [[9, 1]]}).checks]
    assert states == [State.PASSED, State.FAILED, State.NOT_REACHED]


def test_a_failed_check_names_its_elements():
    verdict = TASK.verify(SQUARE, {"points": [[1, 1], [9, 1], [9, 9]]})
    assert verdict.failed_elements == ("point 1", "point 2")
    assert verdict.checks[1].message == "Point 1 is outside (and 1 more)"


def test_an_answer_that_cannot_be_read_scores_zero_with_the_place():
    verdict = TASK.verify(SQUARE, '{"points": [[1, "x"]]}')
    assert (verdict.score, verdict.passed) == (0.0, False)
    assert "points[0][1]" in verdict.checks[0].message


def test_a_verdict_converts_to_json_and_back():
    verdict = TASK.verify(SQUARE, {"points": [[9, 1]]})
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


def test_a_verdict_says_which_verifier_gave_it():
    verdict = TASK.verify(SQUARE, {"points": [[2, 1]]}, "published")
    assert (verdict.verifier, verdict.passed) == ("published", True)


def test_disagreement_is_a_difference_in_passing_or_in_the_score():
    verdict = TASK.verify(SQUARE, {"points": [[2, 1]]})
    assert verdict.disagrees_with(TASK.verify(SQUARE, {"points": [[2, 1]]}, "published"))
    assert not verdict.disagrees_with(TASK.crosscheck(SQUARE, {"points": [[2, 1]]}))


def test_an_unknown_verifier_is_an_error():
    with pytest.raises(KeyError):
        TASK.verify(SQUARE, {"points": []}, "mine")


def test_a_verification_can_be_cancelled():
    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        TASK.verify(SQUARE, {"points": []}, progress=stop)


def test_problems_beyond_the_limit_are_counted_not_kept():
    check = Check.of("many", (Problem(f"Problem {n}") for n in range(MAX_PROBLEMS + 50)))
    assert (len(check.problems), check.problem_count) == (MAX_PROBLEMS, MAX_PROBLEMS + 50)


def test_a_check_list_can_report_all_steps():
    checks = CheckList()
    checks.step("one")(lambda: iter([Problem("wrong")]))
    checks.step("two")(lambda: iter([]))
    assert [check.state for check in checks.run(stop_at_first=False)] == [State.FAILED, State.PASSED]


def test_equal_parameters_make_equal_instances():
    assert TASK.generate(7, size=5) == TASK.generate(7, size=5)
    assert hash(TASK.generate(7, size=5)) == hash(TASK.generate(7, size=5))


def test_the_address_of_a_generated_instance_holds_its_difficulty():
    assert TASK.generate(7).address == "sample@7"
    assert TASK.generate(7, size=5).address == "sample@7?size=5"


def test_a_difficulty_out_of_range_is_refused_with_its_name():
    with pytest.raises(InstanceError, match="size"):
        TASK.generate(7, size=1000)


def test_instances_and_verdicts_travel_between_processes():
    verdict = TASK.verify(SQUARE, {"points": [[9, 1]]})
    assert pickle.loads(pickle.dumps((SQUARE, verdict))) == (SQUARE, verdict)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nothing:0", "no task 'nothing'"),
        ("two_segments:99", "instances 0 to 26"),
        ("two_segments:x", "not a number"),
        ("two_segments@1?decimals=99", "decimals"),
        ("", "no task"),
        ("../../etc:0", "no task"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(address, words):
    with pytest.raises(InstanceError, match=words):
        resolve(address)


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
def test_every_task_keeps_the_contract(task):
    instance = task.instances()[0]
    assert resolve(instance.address) == (task, instance)
    assert task.title
    assert task.summary.endswith(".")
    assert "default" in task.verifiers()
    assert task.prompt(instance) == task.prompt(instance)
    assert task.schema()["type"] == "object" or task.answer_format == "text"
    assert len({published.address for published in task.instances()}) == len(task.instances())
    assert task.caption(instance)
    assert task.parse(task.format(task.empty(instance))) == task.empty(instance) or task.answer_format == "text"
    assert task.scene(instance).items
