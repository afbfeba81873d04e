"""While somebody builds, a verdict tells what is wrong with what they placed, and never what is missing."""

import pytest

import engine
from engine.core.checks import INCOMPLETE

WITH_A_KEY = (
    *("classify_behaviour", "enumerate_edges", "half_subdivision", "topology_enumeration"),
    *("delaunay", "shikaku", "hamiltonian_loop"),
)


@pytest.fixture(params=WITH_A_KEY)
def task(request):
    return engine.task(request.param)


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


def test_a_wrong_entry_is_named_while_a_missing_one_is_not():
    task = engine.task("half_subdivision")
    instance = task.instances()[0]
    right, target = task.solve(instance).neighbors, instance.parameters["target"]
    verdict = live(task, {"neighbors": [target, *right[1:]]})
    problems = [problem.message for check in verdict.checks for problem in check.problems]
    assert problems == ["The target is not its own neighbour"]


def test_the_catalogue_shows_no_key_of_a_published_instance(task, monkeypatch):
    def published(_task):
        pytest.fail("The thumbnail is drawn from a published instance")

    monkeypatch.setattr(type(task), "instances", published)
    assert task.thumbnail().items


def test_what_anybody_can_see_is_no_key():
    task = engine.task("shikaku")
    verdict = live(task, {"rectangles": [[0, 0, 0, 0]]})
    assert not verdict.is_partial


def test_a_verdict_keeps_its_score_and_says_that_it_is_partial():
    task = engine.task("half_subdivision")
    verdict = live(task, task.empty(task.instances()[0]))
    assert (verdict.score, verdict.passed, verdict.is_partial) == (0, False, True)
