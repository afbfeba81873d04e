"""Another version: what today's verifiers change in stored verdicts, told before anything is stored."""

import sys

import pytest

from spatial_workbench.engine.core import Cancelled, Instance, Verdict
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier
from spatial_workbench.engine.evaluation.laboratory.versions import changes_section, store_version, version_diff
from spatial_workbench.engine.store import Actor, Project

TASK = task("shikaku")
INSTANCES = TASK.instances()
SOLVED = TASK.format(TASK.solve(INSTANCES[0]))
TODAY = TASK.verifiers()["default"].version
WRONG = '{"rectangles": []}'


def stored(verifier, score, version):
    return Verdict(instance=INSTANCES[0].address, verifier=verifier, version=version, score=score, passed=score == 1)


@pytest.fixture
def path(tmp_path):
    """1: as today. 2: an old version refused the right answer. 3: an old version passed a wrong one. 4: no instance."""
    path = tmp_path / "work.workbench"
    with Project.create(path) as project:
        add = project.attempts.add
        add(INSTANCES[0], SOLVED, Actor.MODEL, "ash", verdicts=tuple(TASK.verify_all(INSTANCES[0], SOLVED)))
        add(INSTANCES[0], SOLVED, Actor.MODEL, "ash", verdicts=(stored("default", 0.0, "0"),))
        add(INSTANCES[0], WRONG, Actor.MODEL, "ash", verdicts=(stored("default", 1.0, "0"),))
        add(Instance.published("shikaku", 999, {}), SOLVED, Actor.MODEL, "ash")
    return path


def verdicts_of(path):
    with Project.open(path) as project:
        return {n: [(v.verifier, v.version, v.score) for v in project.attempts.verdicts(n)] for n in (1, 2, 3)}


def test_what_would_change_is_told_and_nothing_is_stored(path):
    before = verdicts_of(path)
    diff = version_diff(path, [1, 2, 3])
    decided = {(each.attempt, each.before, each.after) for each in diff.decided if each.verifier == "default"}
    assert decided == {(2, 0.0, 1.0), (3, 1.0, 0.0)}
    assert not any(each.attempt == 1 for each in diff.changes)
    assert verdicts_of(path) == before


def test_an_attempt_whose_instance_is_gone_is_named(path):
    (failure,) = version_diff(path, [4]).failures
    assert failure.attempt == 4
    assert "shikaku" in failure.reason


def test_the_section_has_the_changes_by_task_and_one_by_one(path):
    section = changes_section(version_diff(path, [1, 2, 3, 4]))
    by_task, changes, failures = section.tables
    default = next(line for line in by_task.lines if line.cells[0].text == "default")
    assert [cell.text for cell in default.cells[2:]] == ["2", "2", "1", "1"]
    assert default.cells[1].text.startswith("0 → ")
    first = next(line for line in changes.lines if line.cells[1].text == "default")
    assert (first.title, first.cells[4].text) == ("2", "now passes")
    assert [line.title for line in failures.lines] == ["4"]
    assert "Nothing is stored yet. 1 attempt could not be judged." in section.words[0]


def test_without_a_change_that_is_said(path):
    assert changes_section(version_diff(path, [1])).words == (
        "1 attempt judged; today's verifiers say what is stored.",
    )


def test_what_was_told_is_stored_beside_what_was_there(path):
    changed = version_diff(path, [1, 2, 3]).changes
    assert store_version(path, [2, 3]) == len(changed)
    assert not version_diff(path, [1, 2, 3]).changes
    with Project.open(path) as project:
        assert {0.0, 1.0} == {project.runs.verdict_scores("default", version)[2][0] for version in ("0", TODAY)}


def test_another_version_of_ones_own_verifier_is_compared(path, tmp_path):
    grader = tmp_path / "grader.py"
    grader.write_text('print(\'{"score": 0.5, "passed": false}\')')
    own = OwnVerifier(name="theirs", task="shikaku", kind=OwnKind.COMMAND, command=(sys.executable, str(grader)))
    with Project.open(path) as project:
        project.attempts.add_verdicts(1, [stored("own:theirs", 1.0, "old")], 0.01)
    (change,) = version_diff(path, [1], [own]).changes
    assert (change.verifier, change.old_version, change.before, change.after) == ("own:theirs", "old", 1.0, 0.5)
    grader.write_text("nonsense")
    (failure,) = version_diff(path, [1], [own]).failures
    assert failure.reason.startswith("own:theirs: ")


def test_it_ends_where_it_is_cancelled(path):
    def progress(done, total, text=""):
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        version_diff(path, [1, 2], progress=progress)
