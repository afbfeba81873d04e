"""A live verdict tells what is wrong with what was placed only where the task's rule or the person says so; never
what is missing."""

import pytest

from spatial_workbench.engine.core import State
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.checks import INCOMPLETE

WITH_A_KEY = (
    *("classify_behaviour", "enumerate_edges", "half_subdivision", "topology_enumeration"),
    *("delaunay", "shikaku", "hamiltonian_loop"),
)


@pytest.fixture(params=WITH_A_KEY)
def task(request):
    return task_of(request.param)


def live(task, answer, verifier="default"):
    return task.verify(task.instances()[0], answer, verifier).while_building()


def test_an_untouched_answer_is_not_told_what_is_missing(task):
    for name in task.verifiers():
        verdict = live(task, task.empty(task.instances()[0]), name)
        assert verdict.failed_elements == ()
        assert not any("missing:" in problem.message.lower() for check in verdict.checks for problem in check.problems)


def test_no_figure_counts_what_agrees_with_the_key(task):
    verdict = live(task, task.empty(task.instances()[0]))
    assert not any(figure.is_of_key for figure in verdict.figures)


def test_a_pass_is_told_in_full(task):
    verdict = live(task, task.solve(task.instances()[0]))
    assert verdict.passed
    assert INCOMPLETE not in str(verdict)


def test_by_the_rule_of_a_set_right_and_wrong_look_the_same():
    task = task_of("half_subdivision")
    instance = task.instances()[0]
    right = task.solve(instance).neighbors
    target = instance.parameters["target"]
    told = [task.live.restricted(task.verify(instance, {"neighbors": [label]})) for label in (right[0], target)]
    assert told[0] == told[1]
    assert (told[0].score, told[0].figures, told[0].warnings, told[0].details) == (0, (), (), {})


def test_what_is_missing_in_form_is_said_without_naming_elements():
    task = task_of("classify_behaviour")
    instance = task.instances()[0]
    shown = task.live.restricted(task.verify(instance, {"labels": [""] * len(task.solve(instance).labels)}))
    assert [check.state for check in shown.checks] == [State.PASSED, State.NOT_REACHED]
    assert shown.checks[1].message.startswith("Square 0 has no label yet")
    assert shown.checks[1].elements == ()


def test_a_check_that_is_told_later_hides_all_that_follows_from_it():
    task = task_of("printable_prime")
    verdict = task.verify(task.instances()[0], task.solve(task.instances()[0]))
    shown = task.live.restricted(verdict)
    assert (shown.score, shown.passed, shown.is_undecided, shown.warnings) == (0.0, False, True, ())
    assert "score before the cap" not in {figure.name for figure in shown.figures}


def test_a_wrong_entry_is_named_while_a_missing_one_is_not():
    task = task_of("half_subdivision")
    instance = task.instances()[0]
    right = task.solve(instance).neighbors
    target = instance.parameters["target"]
    verdict = live(task, {"neighbors": [target, *right[1:]]})
    problems = [problem.message for check in verdict.checks for problem in check.problems]
    assert problems == ["The target is not its own neighbour"]


def test_the_catalogue_shows_no_key_of_a_published_instance(task, monkeypatch):
    def published(_task):
        pytest.fail("The thumbnail is drawn from a published instance")

    monkeypatch.setattr(type(task), "instances", published)
    assert task.thumbnail().items


def test_what_anybody_can_see_is_no_key():
    task = task_of("shikaku")
    verdict = live(task, {"rectangles": [[0, 0, 0, 0]]})
    assert not verdict.is_partial


def test_a_verdict_keeps_its_score_and_says_that_it_is_partial():
    task = task_of("half_subdivision")
    verdict = live(task, task.empty(task.instances()[0]))
    assert (verdict.score, verdict.passed, verdict.is_partial) == (0, False, True)
