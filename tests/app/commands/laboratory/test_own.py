"""Verifiers of one's own on the command line: added, asked, run over a project, and removed."""

import json
import sys

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.own import kept
from spatial_workbench.engine.store import Actor, Project

TASK = task("shikaku")
INSTANCE = TASK.instances()[0]
GRADER = """
import json, sys
case = json.load(sys.stdin)
check = {"name": "mine", "passed": False, "message": "Not mine"}
print(json.dumps({"score": 0.25, "passed": False, "checks": [check]}))
"""


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "_default_path", lambda: tmp_path / "verifiers.json")

    def command(*words):
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture
def added(run, tmp_path):
    """A verifier that was added under the name “theirs”."""
    path = tmp_path / "grader.py"
    path.write_text(GRADER)
    code, out, _ = run("verifiers", "add", "theirs", "shikaku", "--command", f"{sys.executable} {path}")
    assert code == 0
    assert "“theirs” judges answers to shikaku" in out
    return path


@pytest.fixture
def answer(tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(TASK.format(TASK.solve(INSTANCE)))
    return path


def test_verifiers_are_listed_and_removed(run, added):
    assert "theirs  shikaku" in run("verifiers", "list")[1]
    assert run("verifiers", "remove", "theirs")[0] == 0
    assert "No verifiers yet" in run("verifiers")[1]


def test_an_answer_is_judged_by_ours_and_by_theirs(run, added, answer):
    code, out, _ = run("verify", "shikaku:0", answer, "--with", "theirs")
    assert code == 0
    assert "own:theirs" in out
    assert "Not mine" in out


def test_their_verdict_is_part_of_the_data(run, added, answer):
    _, out, _ = run("verify", "shikaku:0", answer, "--with", "theirs", "--json")
    (theirs,) = json.loads(out)["own"]
    assert (theirs["verifier"], theirs["score"]) == ("own:theirs", 0.25)


def test_a_verifier_that_gives_no_verdict_says_why(run, added, answer):
    added.write_text("print('nonsense')")
    code, out, _ = run("verify", "shikaku:0", answer, "--with", "theirs")
    assert code == 0
    assert "own:theirs: no verdict: The reply is no JSON" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("verify", "maze_3d:0", "ANSWER", "--with", "theirs"), "judges answers to shikaku, not to maze_3d"),
        (("verify", "shikaku:0", "ANSWER", "--with", "nobody"), "Those that were added: theirs"),
        (("verifiers", "add", "default", "shikaku", "--command", "true"), "is a verifier of ours"),
        (("verifiers", "add", "x", "shikaku", "--command", "true", "--seconds", "0"), "--seconds"),
        (("verifiers", "remove", "nobody"), "no verifier “nobody”"),
    ],
)
def test_what_cannot_be_done_is_said(run, added, answer, words, said):
    maze = answer.with_name("maze.txt")
    maze.write_text("A5054\n78882\n23404\n09759\n2210B")
    given = maze if "maze_3d:0" in words else answer
    code, _, err = run(*[given if word == "ANSWER" else word for word in words])
    assert code == 2
    assert said in err


def test_a_project_is_judged_and_what_gave_no_verdict_is_named(run, added, tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as project:
        answer = TASK.format(TASK.solve(INSTANCE))
        project.attempts.add(INSTANCE, answer, Actor.MODEL, "birch", verdicts=(TASK.verify(INSTANCE, answer),))
    code, out, _ = run("verifiers", "run", "theirs", path)
    assert code == 0
    assert "1 attempt judged, 1 of them differently from the default" in out
    added.write_text("import sys\nsys.exit('out of order')")
    code, _, err = run("verifiers", "run", "theirs", path)
    assert code == 1
    assert "attempt 1: no verdict: It ended with the exit code 1: out of order" in err


@pytest.mark.slow
def test_disagreements_with_it_are_looked_for(run, added):
    code, out, _ = run("disagree", "shikaku", "--answers", "3", "--with", "theirs")
    assert code == 1
    assert "own:theirs" in out


def test_a_verifier_of_a_task_that_is_not_searched_is_refused(run, added):
    code, _, err = run("disagree", "maze_3d", "--answers", "1", "--with", "theirs")
    assert (code, "judges answers to shikaku, which is not searched" in err) == (2, True)


@pytest.mark.slow
def test_the_agreement_of_all_verifiers_is_told(run, added, tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as project:
        answer = TASK.format(TASK.solve(INSTANCE))
        project.attempts.add(INSTANCE, answer, Actor.MODEL, "birch", verdicts=TASK.verify_all(INSTANCE, answer))
    run("verifiers", "run", "theirs", path)
    _, out, _ = run("verifiers", "agreement", path)
    assert "default / crosscheck" in out
    assert "default / own:theirs" in out
    _, out, _ = run("verifiers", "agreement", path, "--tasks", "shikaku", "--json")
    (pair,) = (row for row in json.loads(out) if row["second"] == "own:theirs" and row["first"] == "default")
    assert (pair["count"], pair["same"], pair["by_task"]) == (1, 0, {"shikaku": [1, 1]})
    assert "No attempt was judged" in run("verifiers", "agreement", path, "--tasks", "maze_3d")[1]


def test_results_are_of_its_scores_alone(run, added, tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as project:
        answer = TASK.format(TASK.solve(INSTANCE))
        project.attempts.add(INSTANCE, answer, Actor.MODEL, "birch", verdicts=TASK.verify_all(INSTANCE, answer))
    run("verifiers", "run", "theirs", path)
    _, out, _ = run("results", path, "--section", "scores", "--without-published", "--verifier", "own:theirs", "--json")
    assert 'over tasks, unweighted", 0.25' in out
    code, _, err = run("results", path, "--verifier", "own:nobody")
    assert (code, "No attempt was judged by “own:nobody”" in err) == (2, True)


def test_the_agreement_becomes_a_report(run, added, tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as project:
        answer = TASK.format(TASK.solve(INSTANCE))
        project.attempts.add(INSTANCE, answer, Actor.MODEL, "birch", verdicts=TASK.verify_all(INSTANCE, answer))
    run("verifiers", "run", "theirs", path)
    report = tmp_path / "agreement.html"
    run("verifiers", "agreement", path, "--who", "birch", "-o", report)
    assert "Attempts on which verifiers differ" in report.read_text()
    assert "No attempt was judged" in run("verifiers", "agreement", path, "--who", "nobody")[1]


def test_a_file_runs_outside_of_the_sandbox_only_if_it_is_trusted(run, answer, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def verify(instance, answer):\n    return {'score': 0.5, 'passed': False}\n")
    code, out, _ = run("verifiers", "add", "mine", "shikaku", "--file", path, "--trust")
    assert code == 0
    assert "It runs outside of the sandbox until the file changes." in out
    assert "(outside of the sandbox)" in run("verifiers", "list")[1]
    path.write_text("raise SystemExit\n")
    assert "has changed since you trusted it" in run("verifiers", "list")[1]
    code, _, err = run("verifiers", "add", "other", "shikaku", "--command", "true", "--trust")
    assert code == 2
    assert "--trust belongs to --file" in err
