"""Paired differences: intervals, tests and counts, recomputed by hand or by another method."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from spatial_workbench.engine.evaluation.comparing.paired import (
    ScorePair,
    bootstrap_interval,
    holm,
    mcnemar_p,
    paired_difference,
    permutation_p,
)


def pair(number, first, second, cluster=None):
    address = f"shikaku:{number}"
    return ScorePair(address, "shikaku", first, second, first == 1, second == 1, cluster or address)


def pairs(*scores):
    return [pair(number, *both) for number, both in enumerate(scores)]


def test_the_means_and_counts_of_a_small_comparison():
    found = paired_difference(pairs((1, 0), (1, 1), (0, 0), (1, 0.5), (0, 1)))
    assert (found.n, found.clusters) == (5, 5)
    assert (found.first, found.second, found.difference) == pytest.approx((0.6, 0.5, 0.1))
    assert (found.only_first, found.only_second, found.both, found.neither) == (2, 1, 1, 1)
    assert found.agreement == pytest.approx(0.4)
    assert found.kappa == pytest.approx((0.4 - (0.6 * 0.4 + 0.4 * 0.6)) / (1 - 0.48))


def test_the_permutation_test_tries_all_exchanges_of_few_subtasks():
    differences = np.array([1.0, 1.0, 0.5, -0.25, 1.0])
    observed = abs(differences.sum())
    as_large = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True))) >= observed - 1e-9
        for signs in itertools.product((1, -1), repeat=5)
    ]
    assert permutation_p(differences) == sum(as_large) / 32


def test_subtasks_without_a_difference_change_no_probability():
    differences = np.array([1.0, 1.0, 1.0, 1.0])
    assert permutation_p(differences) == permutation_p(np.append(differences, np.zeros(40))) == 2 / 16


def test_the_permutation_test_of_many_subtasks_agrees_with_scipy():
    generator = np.random.default_rng(3)
    differences = generator.choice([-1.0, 0.0, 0.0, 1.0, 1.0], size=60)

    def mean(sample, axis):
        return sample.mean(axis=axis)

    expected = stats.permutation_test(
        (differences,), mean, permutation_type="samples", vectorized=True, n_resamples=50_000, rng=generator
    )
    assert permutation_p(differences) == pytest.approx(expected.pvalue, abs=0.006)


def test_two_equal_runs_do_not_differ():
    found = paired_difference(pairs(*[(1, 1)] * 5, *[(0, 0)] * 5))
    assert (found.difference, found.low, found.high, found.p, found.p_passed) == (0, 0, 0, 1.0, None)
    assert found.needed(0.05) is None


def test_mcnemars_exact_test_is_a_binomial_test_of_what_only_one_passed():
    assert mcnemar_p(8, 2) == pytest.approx(2 * sum(math.comb(10, k) for k in range(3)) / 1024)
    assert mcnemar_p(5, 5) == 1.0
    assert mcnemar_p(0, 0) is None


def test_the_interval_is_near_that_of_students_t_where_subtasks_are_independent():
    generator = np.random.default_rng(5)
    differences = generator.normal(0.1, 0.3, size=200)
    low, high = bootstrap_interval(differences, np.ones(200))
    expected = stats.t.interval(0.95, 199, differences.mean(), stats.sem(differences))
    assert (low, high) == pytest.approx(expected, abs=0.01)


def test_the_same_seed_gives_the_same_interval_and_probability():
    some = pairs(*[(number % 3 / 2, number % 2) for number in range(40)])
    assert paired_difference(some) == paired_difference(some)


def test_subtasks_that_share_an_answer_are_one_independent_piece():
    shared = [pair(number, 1, 0, cluster="one answer") for number in range(9)]
    alone = [pair(number, number % 2, 1 - number % 2) for number in range(9, 15)]
    found = paired_difference([*shared, *alone])
    assert (found.n, found.clusters) == (15, 7)
    assert found.design_effect > 2
    # Nine subtasks of one answer, taken for independent, would give p near 0.004 for the nine alone.
    assert found.p == pytest.approx(permutation_p(np.array([9.0, 1, 1, 1, -1, -1, -1])))
    assert found.p_passed == mcnemar_p(4, 3)
    assert paired_difference(shared).p is None
    assert paired_difference(shared).low is None


def test_clusters_that_vary_no_more_than_chance_have_a_design_effect_near_1():
    generator = np.random.default_rng(8)
    some = [pair(n, float(generator.integers(2)), float(generator.integers(2)), f"c{n // 4}") for n in range(400)]
    assert paired_difference(some).design_effect == pytest.approx(1, abs=0.35)


def test_holms_method_is_that_of_the_textbook():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, None, 0.9]) == [1.0, None, 1.0]
    assert holm([]) == []


def test_how_many_subtasks_show_a_difference_follows_from_the_normal_approximation():
    found = paired_difference(pairs(*[(1, 0), (0, 1)] * 50))
    spread = np.std([1, -1] * 50, ddof=1)
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert found.needed(0.2) == math.ceil((z * spread / 0.2) ** 2)
    power = stats.norm.cdf(0.2 * math.sqrt(found.needed(0.2)) / spread - stats.norm.ppf(0.975))
    assert power == pytest.approx(0.8, abs=0.01)
