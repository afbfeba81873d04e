"""Verify again: only what today's verifiers say differently is stored and told."""

import json
import uuid

import pytest

from spatial_workbench.engine.core import Cancelled, Check, Problem, Verdict, task
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.evaluation.planning.starting import import_answers
from spatial_workbench.engine.evaluation.reverify import NOT_RUN, VerificationFailure, judge, news, verify_again
from spatial_workbench.engine.store import Actor, BatchState, Project, RunFilter
from spatial_workbench.engine.tasks.interlocking_parts import making
from tests.evaluation.conftest import run

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
        opened.attempts.add(ONE, text, Actor.PERSON, verdicts=tuple(judge(ONE.address, text)))
        opened.attempts.add(
            ONE, text, Actor.PERSON, verdicts=(verdict(0.25, version="0"), *judge(ONE.address, text)[1:])
        )
        yield opened


def test_only_what_changed_is_stored_and_the_old_verdict_is_kept(project):
    (change,) = verify_again(project.path, [1, 2])
    assert (change.attempt, change.verifier, change.before, change.after) == (2, "default", 0.25, 1.0)
    assert project.runs.rows([2])[0].score == 1.0
    assert [len(project.attempts.verdict_history(number)) for number in (1, 2)] == [3, 4]
    assert verify_again(project.path, [1, 2]) == []


def test_an_attempt_that_cannot_be_judged_is_told_and_the_others_go_on(project):
    project.database.execute("UPDATE facts SET address = 'two_segments:99' WHERE attempt = 1")
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
    assert project.runs.rows([2])[0].score == 1.0


# Programs in answers ---------------------------------------------------------------------------------------------

CAGE = task("interlocking_parts").instances()[0]
IDENTITY = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


@pytest.fixture
def ran(monkeypatch):
    """The programs that were run; none really is."""
    programs = []

    def run(form, contents, progress):
        programs.append(contents)
        raise making.NotEvaluated("there is no sandbox in this test")

    monkeypatch.setattr(making, "_run", run)
    monkeypatch.setattr(making, "_version", lambda form: "1")
    return programs


@pytest.fixture
def program():
    """An answer with a program that no cache knows."""
    part = {"fileContents": f"# {uuid.uuid4()}", "fileType": "Python Generating STL", "transform": IDENTITY}
    return json.dumps({"parts": [part]})


def test_verifying_again_runs_no_program_unless_somebody_allows_it(tmp_path, ran, program):
    with Project.create(tmp_path / "p.workbench") as project:
        number = project.attempts.add(CAGE, program, Actor.MODEL, "oak")
        (failure,) = verify_again(project.path, [number])
        assert (failure.reason, ran) == (NOT_RUN, [])
        assert project.attempts.verdict_history(number) == []
        assert verify_again(project.path, [number], programs=True)
        assert len(ran) > 0


def test_importing_runs_no_program_and_gives_no_score_to_it(tmp_path, ran, program):
    line = {"task": "interlocking_parts", "instance": 0, "model": "oak", "text": program}
    plain = {"task": "shikaku", "instance": 0, "model": "oak", "text": "[]"}
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, (line, plain))))
    with Project.create(tmp_path / "p.workbench") as project:
        batch = import_answers(project, tmp_path / "a.jsonl").batch
        plan = BatchPlan.model_validate_json(project.batches.plan(batch))
        assert run(project, batch, plan) is BatchState.FINISHED
        rows = project.runs.rows(project.runs.numbers(RunFilter(), descending=False))
    assert ran == []
    assert {row.task: row.score for row in rows} == {"interlocking_parts": None, "shikaku": 0.0}
