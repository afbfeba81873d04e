"""Verify again: only what today's verifiers say differently is stored and told."""

import pytest

from engine.core import Cancelled, Check, Problem, Verdict, task
from engine.evaluation.reverify import VerificationFailure, judge, news, verify_again
from engine.store import Actor, Project

ONE = task("two_segments").instances()[0]


def verdict(score=1.0, verifier="default", version="1", failing=()):
    checks = tuple(Check.of(name, [Problem("Wrong")] if name in failing else []) for name in ("a", "b"))
    return Verdict(
        instance=ONE.address, verifier=verifier, version=version, score=score, passed=score == 1, checks=checks
    )


def test_the_same_verdict_is_no_news():
    assert news(1, [verdict()], [verdict()]) == []


@pytest.mark.parametrize(
    "given",
    [verdict(0.5), verdict(version="2"), verdict(failing=["b"]), verdict().model_copy(update={"passed": False})],
)
def test_a_differing_score_version_check_or_pass_is_news(given):
    assert [changed for _, changed in news(1, [verdict()], [given])] == [given]


def test_news_says_what_was_and_what_is():
    ((change, _),) = news(7, [verdict()], [verdict(0.5, version="2", failing=["b"])])
    assert (change.attempt, change.before, change.after, change.version) == (7, 1.0, 0.5, "2")
    assert (change.checks, change.is_of_version_only) == (("b",), False)


def test_a_newer_verifier_that_says_the_same_is_told_as_such():
    ((change, _),) = news(7, [verdict()], [verdict(version="2")])
    assert change.is_of_version_only


def test_the_first_verdict_of_a_verifier_is_news():
    ((change, _),) = news(1, [], [verdict()])
    assert (change.before, change.after) == (None, 1.0)


@pytest.fixture
def project(tmp_path):
    """Two attempts: one with today's verdicts, one whose stored verdict is wrong."""
    text = task("two_segments").solve(ONE).model_dump_json()
    with Project.create(tmp_path / "work.workbench") as opened:
        opened.add_attempt(ONE, text, Actor.PERSON, verdicts=tuple(judge(ONE.address, text)))
        opened.add_attempt(
            ONE, text, Actor.PERSON, verdicts=(verdict(0.25, version="0"), *judge(ONE.address, text)[1:])
        )
        yield opened


def test_only_what_changed_is_stored_and_the_old_verdict_is_kept(project):
    (change,) = verify_again(project.path, [1, 2])
    assert (change.attempt, change.verifier, change.before, change.after) == (2, "default", 0.25, 1.0)
    assert project.run_rows([2])[0].score == 1.0
    assert [len(project.verdict_history(number)) for number in (1, 2)] == [3, 4]
    assert verify_again(project.path, [1, 2]) == []


def test_an_attempt_that_cannot_be_judged_is_told_and_the_others_go_on(project):
    project._execute("UPDATE facts SET address = 'two_segments:99' WHERE attempt = 1")
    first, second = verify_again(project.path, [1, 2])
    assert isinstance(first, VerificationFailure)
    assert "not 99" in first.reason
    assert second.attempt == 2


def test_what_was_judged_before_it_was_cancelled_is_stored(project):
    def stop(done, total, text=""):
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        verify_again(project.path, [2, 1], stop)
    assert project.run_rows([2])[0].score == 1.0
