"""Each declared tolerance has answers on both sides of it, and each task says what is not calibrated."""

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.registry import tasks
from spatial_workbench.engine.evaluation.laboratory.calibrating import gauged_tolerances, not_gauged

GAUGED = [tolerance for known in tasks() for tolerance in gauged_tolerances(known.id)]
SLOW = "interlocking_parts"
"""A task whose verdicts take seconds."""
EACH = [
    pytest.param(each, marks=pytest.mark.slow if each.task == SLOW else (), id=f"{each.task}-{each.id}")
    for each in GAUGED
]


def failed(tolerance, amount):
    task, instance = resolve(tolerance.address)
    verdict = task.verify(instance, tolerance.made(amount))
    return {check.name for check in verdict.checks if check.state.value == "failed"}


@pytest.mark.parametrize("tolerance", EACH)
def test_the_check_passes_on_one_side_and_fails_on_the_other(tolerance):
    assert tolerance.check not in failed(tolerance, tolerance.passing)
    assert tolerance.check in failed(tolerance, tolerance.failing)


@pytest.mark.parametrize("tolerance", EACH)
def test_the_rule_lies_between_both_sides(tolerance):
    low, high = sorted((tolerance.figure_at(tolerance.passing), tolerance.figure_at(tolerance.failing)))
    assert low <= tolerance.rule < high or low < tolerance.rule <= high


@pytest.mark.parametrize("task", [known.id for known in tasks()])
def test_every_task_says_what_is_not_calibrated_and_why(task):
    assert all(left.why for left in not_gauged(task))
    assert not_gauged(task)
    assert len({tolerance.id for tolerance in gauged_tolerances(task)}) == len(gauged_tolerances(task))


def test_numbers_move_by_their_factors():
    overlap = next(tolerance for tolerance in GAUGED if tolerance.id == "overlap" and tolerance.unit == "mm")
    assert '"Centroid":[15.5,-64.0,4.8]' in overlap.made(0.5)
    assert overlap.figure_at(0.5) == 0.5


def test_a_foreign_task_declares_nothing():
    assert gauged_tolerances("nobodys_task") == ()
    assert not_gauged("nobodys_task")[0].why == "No tolerances are declared for this task."
