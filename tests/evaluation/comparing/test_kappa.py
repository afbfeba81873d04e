"""Cohen's kappa of two who say yes or no, with an interval by groups."""

import pytest

from spatial_workbench.engine.evaluation.comparing.kappa import KappaOfTwo, kappa_of_two
from spatial_workbench.engine.puzzles.statistics import cohens_kappa

ROWS = [(str(k % 8), k % 2 == 0, k % 2 == 0 or k % 5 == 0) for k in range(40)]


def test_kappa_is_cohens_and_its_interval_holds_it():
    found = kappa_of_two(ROWS)
    assert (found.same, found.only_first, found.only_second) == (36, 0, 4)
    assert found.kappa == pytest.approx(cohens_kappa([(first, second) for _, first, second in ROWS]))
    assert found.low < found.kappa < found.high


def test_verdicts_of_one_group_are_alike_so_their_number_does_not_narrow_the_interval():
    once = [(str(k), k % 2 == 0, k % 3 == 0) for k in range(12)]
    assert kappa_of_two(once * 50).low == pytest.approx(kappa_of_two(once).low)


def test_there_is_no_interval_with_two_groups_and_no_kappa_where_both_always_say_the_same():
    assert kappa_of_two(ROWS[:2]).low is None
    assert kappa_of_two([("a", True, True)] * 3).kappa is None


def test_nothing_in_common_gives_nothing():
    assert kappa_of_two([]) == KappaOfTwo(0, 0, 0, None, None, None)
