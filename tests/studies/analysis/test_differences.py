"""People beside a model, and conditions beside each other."""

import numpy as np
import pytest
from scipy import stats

from spatial_workbench.engine.studies.analysis.differences import (
    contrast,
    difference_between,
    difference_within,
    sign_flip_p,
)
from spatial_workbench.engine.studies.analysis.intervals import mean_interval
from tests.studies.analysis.test_statistics import MODEL, SEED, T


def test_people_minus_the_model():
    result = contrast(T, MODEL, SEED)
    assert result.difference == pytest.approx(0.295, abs=5e-4)
    assert result.these_items == pytest.approx((0.114, 0.486), abs=0.02)
    assert result.such_items is None
    assert (result.p, result.below_model) == (0.125, 0.0)


def test_the_sign_flip_test_counts_all_signs():
    assert sign_flip_p(np.array([0.12, 0.05, -0.03, 0.20, 0.08, 0, 0.15, -0.02])) == pytest.approx(0.078125)
    assert sign_flip_p(np.full(20, 0.1)) < 0.001


def test_fewer_than_eight_people_minus_a_model_have_an_interval_by_t():
    single = [[0.5], [0.4], [0.1], [0.1]]
    result = contrast(T[:6], single, SEED)
    expected = stats.ttest_1samp(T[:6].mean(axis=1) - np.mean(single), 0).confidence_interval(0.95)
    assert result.these_items == pytest.approx(tuple(expected), abs=1e-12)


def test_the_difference_from_a_fixed_model_is_as_wide_as_the_mean_beside_it():
    mean = mean_interval(T[:5], SEED)
    low, high = contrast(T[:5], [[0.2]] * 4, SEED).these_items
    assert (low + 0.2, high + 0.2) == pytest.approx((mean.low, mean.high))


def test_samples_of_a_model_vary_too():
    people = np.array([[0.9], [0.6], [0.8], [0.7], [0.4]])
    samples = [0.1, 0.5, 0.3, 0.2]
    expected = stats.ttest_ind(people[:, 0], samples, equal_var=False).confidence_interval(0.95)
    assert contrast(people, [samples], SEED).these_items == pytest.approx(tuple(expected), abs=1e-12)


def test_five_failures_minus_a_model_allow_what_five_failures_do():
    low, high = contrast(np.zeros((5, 2)), [[0.0], [0.0]], SEED).these_items
    assert (low, high) == pytest.approx((0.0, 0.5218), abs=1e-4)


def test_nine_failures_minus_a_model_allow_what_nine_failures_do():
    exact = stats.binomtest(0, 9).proportion_ci(0.95, method="exact").high
    assert contrast(np.zeros((9, 2)), [[0.0], [0.0]], SEED).these_items == pytest.approx((0.0, exact))


@pytest.mark.parametrize("people", [5, 9])
def test_items_like_these_are_not_surer_than_these_items(people):
    rng = np.random.default_rng(1)
    for scores in (np.zeros((people, 8)), rng.random((people, 8)).round(1)):
        result = contrast(scores, [[0.3]] * 8, SEED)
        assert result.such_items[1] - result.such_items[0] >= result.these_items[1] - result.these_items[0] - 1e-9


def test_small_conditions_differ_by_the_test_of_welch():
    first = T[:4]
    second = T[3:] / 2
    expected = stats.ttest_ind(first.mean(axis=1), second.mean(axis=1), equal_var=False).confidence_interval(0.95)
    found = difference_between(first, second, SEED)
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("people", [5, 9])
def test_two_conditions_in_which_everybody_fails_may_differ(people):
    nothing = np.zeros((people, 2))
    found = difference_between(nothing, nothing, SEED)
    exact = stats.binomtest(0, people).proportion_ci(0.95, method="exact").high
    assert (found.value, found.low, found.high) == pytest.approx((0.0, -exact, exact))


def test_five_successes_beside_five_failures_differ_for_certain():
    found = difference_between(np.ones((5, 1)), np.zeros((5, 1)), SEED)
    assert 0 < found.low < 0.5
    assert found.high == 1.0


def test_conditions_whose_items_were_had_by_very_few_have_no_interval():
    scores = np.full((12, 12), np.nan)
    np.fill_diagonal(scores, np.linspace(0, 1, 12))
    found = difference_between(scores, np.tile(T, (5, 1)), SEED, draws=200)
    assert (found.low, found.high) == (None, None)


def test_equal_changes_of_people_are_no_certain_change():
    found = difference_within(np.full((5, 2), 0.5), np.full((5, 2), 0.5))
    assert found.low == pytest.approx(-found.high)
    assert found.high == pytest.approx(0.5218, abs=1e-4)


def test_changes_of_people_have_an_interval_by_t():
    found = difference_within(T, T[:, ::-1] ** 2)
    expected = stats.ttest_rel(T.mean(axis=1), (T**2).mean(axis=1)).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)
