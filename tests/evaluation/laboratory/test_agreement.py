"""How far verifiers agree: rates, Cohen's kappa, and its interval by instances."""

import pytest

from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.agreement import (
    AgreementChoice,
    JudgedByAll,
    agreements,
    judged_attempts,
)
from spatial_workbench.engine.puzzles.statistics import cohens_kappa
from spatial_workbench.engine.store import Actor, Project

TASK = task("hamiltonian_loop")


def judged(rows, task="shikaku"):
    """Attempts from (address, default passes, published passes)."""
    return [JudgedByAll(task, address, {"default": ours, "published": theirs}) for address, ours, theirs in rows]


ROWS = [(f"shikaku:{k % 8}", k % 2 == 0, k % 2 == 0 or k % 5 == 0) for k in range(40)]


def test_rates_and_kappa_of_two_verifiers():
    (pair,) = agreements(judged(ROWS))
    assert (pair.first, pair.second, pair.count) == ("default", "published", 40)
    assert (pair.same, pair.only_first, pair.only_second) == (36, 0, 4)
    assert pair.rate == 0.9
    assert pair.kappa == pytest.approx(cohens_kappa([(ours, theirs) for _, ours, theirs in ROWS]))


def test_the_interval_holds_kappa_and_is_the_same_each_time():
    (pair,) = agreements(judged(ROWS))
    assert pair.low < pair.kappa < pair.high
    assert agreements(judged(ROWS)) == [pair]


def test_two_instances_give_no_interval():
    (pair,) = agreements(judged([(f"shikaku:{k % 2}", k % 3 == 0, k % 4 == 0) for k in range(12)]))
    assert pair.kappa is not None
    assert (pair.low, pair.high) == (None, None)


def test_kappa_is_unknown_where_both_say_the_same_of_all():
    (pair,) = agreements(judged([(f"shikaku:{k}", True, True) for k in range(5)]))
    assert (pair.rate, pair.kappa, pair.low) == (1, None, None)


def test_disagreements_are_counted_by_task():
    (pair,) = agreements([*judged(ROWS), *judged([("maze_3d:0", True, False)], "maze_3d")])
    assert pair.by_task == {"maze_3d": (1, 1), "shikaku": (40, 4)}


def test_verifiers_without_a_common_attempt_are_no_pair():
    first = JudgedByAll("shikaku", "shikaku:0", {"default": True, "own:a": True})
    second = JudgedByAll("shikaku", "shikaku:1", {"default": True, "own:b": True})
    assert {(pair.first, pair.second) for pair in agreements([first, second])} == {
        ("default", "own:a"),
        ("default", "own:b"),
    }


def test_the_attempts_of_a_project_are_read_with_all_their_verdicts(tmp_path):
    shifted = '{"steps": [{"xy": [0.5, 0.5]}]}'
    with Project.create(tmp_path / "work.workbench") as project:
        for answer in (TASK.format(TASK.solve(TASK.instances()[0])), shifted):
            verdicts = TASK.verify_all(TASK.instances()[0], answer)
            project.attempts.add(TASK.instances()[0], answer, Actor.MODEL, "birch", verdicts=verdicts)
        project.attempts.add(TASK.instances()[1], shifted, Actor.MODEL, "birch")
        found = judged_attempts(project)
        assert [sorted(each.passes) for each in found] == [["crosscheck", "default", "published"]] * 2
        assert {each.task for each in found} == {"hamiltonian_loop"}
        assert judged_attempts(project, AgreementChoice(tasks=("maze_3d",))) == []


def test_attempts_are_chosen_by_task_author_batch_and_number(tmp_path):
    with Project.create(tmp_path / "work.workbench") as project:
        batch = project.batches.add("one", "{}", [(0, "shikaku", "shikaku:0", 0, None)])
        instances = task("shikaku").instances()
        verdict = task("shikaku").verify(instances[0], "{}")
        project.attempts.add(instances[0], "{}", Actor.MODEL, "ash", verdicts=(verdict,))
        project.attempts.add(instances[1], "{}", Actor.MODEL, "birch", verdicts=(verdict,))
        assert AgreementChoice().numbers(project) == [1, 2]
        assert AgreementChoice(who=("birch",)).numbers(project) == [2]
        assert AgreementChoice(attempts=(1, 7)).numbers(project) == [1]
        assert AgreementChoice(attempts=(1,), who=("birch",)).numbers(project) == []
        assert AgreementChoice(batches=(batch,)).numbers(project) == []
