"""A project's attempts are judged by somebody else's verifier: stored beside ours, never twice, never as an error."""

import re
import sys

import pytest

from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier, judge_attempts
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import SearchState, explore
from spatial_workbench.engine.evaluation.rulings import is_known
from spatial_workbench.engine.sandbox import availability
from spatial_workbench.engine.store import Actor, Project
from spatial_workbench.root import ROOT

TASK = task("shikaku")
INSTANCES = TASK.instances()[:2]
GRADER = """
import json, sys
case = json.load(sys.stdin)
if case["text"] == "broken":
    sys.exit("cannot read it")
print(json.dumps({"score": 0.25, "passed": False, "checks": [{"name": "mine", "passed": False}]}))
"""


@pytest.fixture
def project(tmp_path):
    """1 and 2: solved. 3: text that the grader cannot read. 4: of another task."""
    path = tmp_path / "work.workbench"
    with Project.create(path) as made:
        for instance in INSTANCES:
            answer = TASK.format(TASK.solve(instance))
            made.attempts.add(instance, answer, Actor.MODEL, "birch", verdicts=(TASK.verify(instance, answer),))
        made.attempts.add(INSTANCES[0], "broken", Actor.MODEL, "birch")
        other = task("maze_3d").instances()[0]
        made.attempts.add(other, "A5", Actor.MODEL, "birch")
    return path


@pytest.fixture
def grader(tmp_path):
    path = tmp_path / "grader.py"
    path.write_text(GRADER)
    return OwnVerifier(name="theirs", task="shikaku", kind=OwnKind.COMMAND, command=(sys.executable, str(path)))


def test_verdicts_are_stored_under_the_name_and_version_of_the_verifier(project, grader):
    outcome = judge_attempts(project, grader)
    assert (outcome.judged, outcome.known, outcome.differing) == (2, 0, 2)
    with Project.open(project) as stored:
        verdict = stored.attempts.verdicts(1)[-1]
        assert (verdict.verifier, verdict.version, verdict.score) == ("own:theirs", grader.version, 0.25)
        assert stored.attempts.get(1).score == 1


def test_where_it_gives_no_verdict_none_is_stored_and_the_attempt_is_named(project, grader):
    outcome = judge_attempts(project, grader)
    assert outcome.troubles == ((3, "It ended with the exit code 1: cannot read it"),)
    with Project.open(project) as stored:
        assert stored.attempts.verdicts(3) == ()
        assert stored.attempts.verdicts(4) == ()


@pytest.mark.slow
def test_an_attempt_is_judged_once_by_each_version(project, grader, tmp_path):
    judge_attempts(project, grader)
    again = judge_attempts(project, grader)
    assert (again.judged, again.known) == (0, 2)
    (tmp_path / "grader.py").write_text(GRADER.replace("0.25", "0.5"))
    newer = judge_attempts(project, grader)
    assert (newer.judged, newer.known) == (2, 0)
    with Project.open(project) as stored:
        assert stored.attempts.verdicts(1)[-1].score == 0.5


def test_what_it_judges_differently_is_a_question_and_no_known_difference(project, grader):
    judge_attempts(project, grader)
    with Project.open(project) as stored:
        found = stored.judgements.differences()
    assert [(difference.attempt, difference.second) for difference in found] == [(1, "own:theirs"), (2, "own:theirs")]
    assert not any(is_known(difference) for difference in found)


def from_the_page(name):
    """A program of the page on verifiers of one's own."""
    page = (ROOT / "docs" / "own_verifiers.md").read_text("utf-8")
    return re.search(rf"<!-- {re.escape(name)} -->\n```python\n(.*?)```", page, re.S)[1]


@pytest.mark.skipif(not availability().available, reason="no sandbox works here")
def test_the_grader_of_the_documentation_judges_as_it_says(project, tmp_path):
    path = tmp_path / "cells.py"
    path.write_text(from_the_page("grader.py"))
    outcome = judge_attempts(project, OwnVerifier(name="cells", task="shikaku", kind=OwnKind.FILE, path=str(path)))
    assert (outcome.judged, outcome.differing) == (2, 0)
    assert [number for number, _ in outcome.troubles] == [3]


def test_the_wrapped_grader_of_the_documentation_takes_20_lines_and_works(project, tmp_path):
    path = tmp_path / "wrapped.py"
    source = from_the_page("wrapped.py")
    path.write_text(source)
    assert len(source.splitlines()) <= 20
    command = (sys.executable, str(path))
    outcome = judge_attempts(project, OwnVerifier(name="origin", task="shikaku", kind=OwnKind.COMMAND, command=command))
    assert (outcome.judged, outcome.differing, outcome.troubles) == (3, 0, ())


def test_the_search_finds_what_it_judges_differently(grader):
    state = SearchState("shikaku", 1).as_data()
    limits = {"seconds": None, "answers": 3}
    found = explore(state, limits, own=[grader.model_dump(mode="json")])["groups"]
    assert ("default", "own:theirs") in {(row["divergence"]["first"], row["divergence"]["second"]) for row in found}
