"""Means with their intervals: one rule for every mean, and none of them surer than so few people allow."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from spatial_workbench.engine.evaluation.results.tables import percent
from spatial_workbench.engine.studies.analysis.intervals import (
    expanded_alpha,
    item_means,
    mean_interval,
    mean_of,
    resampled_means,
)
from tests.studies.analysis.test_statistics import SEED, T, incomplete

PAGE = Path(__file__).resolve().parents[3] / "docs" / "study_statistics.md"


def test_means_weigh_items_alike():
    assert item_means(T) == pytest.approx([0.925, 0.775, 0.5875, 0.225])
    assert mean_of(T) == pytest.approx(0.628125)
    assert mean_of(incomplete()) == pytest.approx(0.6473, abs=1e-4)


@pytest.mark.parametrize(("n", "alpha"), [(5, 0.00095), (8, 0.00574), (12, 0.01076), (20, 0.01588), (50, 0.02118)])
def test_few_people_widen_the_percentiles(n, alpha):
    assert expanded_alpha(n) == pytest.approx(alpha, abs=1e-5)


def test_the_interval_of_the_mean_is_over_people():
    estimate = mean_interval(T, SEED)
    assert (estimate.low, estimate.high) == pytest.approx((0.484, 0.778), abs=0.02)
    plain = np.quantile(resampled_means(T, SEED), [0.025, 0.975])
    assert plain == pytest.approx((0.513, 0.747), abs=0.02)


def test_fewer_than_eight_people_get_an_interval_by_t():
    estimate = mean_interval(T[:6], SEED)
    assert (estimate.low, estimate.high) == pytest.approx((0.426, 0.857), abs=1e-3)


def test_two_people_are_too_few_for_an_interval():
    estimate = mean_interval(T[:2], SEED)
    assert (estimate.low, estimate.high, estimate.people) == (None, None, 2)


def test_doubling_everybody_narrows_the_interval_by_the_root_of_two():
    single = resampled_means(T, SEED).std()
    double = resampled_means(np.vstack([T, T]), SEED).std()
    assert single / double == pytest.approx(2**0.5, rel=0.05)


def test_the_pass_rate_over_items():
    estimate = mean_interval((T >= 1 - 1e-9).astype(float), SEED)
    assert estimate.value == pytest.approx(0.3125)
    assert (estimate.low, estimate.high) == pytest.approx((0.094, 0.563), abs=0.032)  # Means are multiples of 1/32.


def ends(estimate):
    return (estimate.low, estimate.high)


def test_the_interval_by_t_is_that_of_the_means_of_people():
    people = T[:6].mean(axis=1)
    expected = stats.ttest_1samp(people, 0).confidence_interval(0.95)
    assert ends(mean_interval(T[:6], SEED)) == pytest.approx(tuple(expected), abs=1e-12)


def test_an_interval_by_t_lies_around_its_mean_where_cells_are_missing():
    estimate = mean_interval(incomplete()[:6], SEED)
    assert (estimate.low + estimate.high) / 2 == pytest.approx(estimate.value)


def test_where_cells_are_missing_the_interval_by_t_is_that_of_the_jackknife_over_people():
    scores = incomplete()[:7]
    estimate = mean_interval(scores, SEED)
    assert estimate.high - estimate.low == pytest.approx(2 * stats.t.ppf(0.975, 6) * _jackknife(scores))


def _jackknife(scores):
    """The standard error of the mean, by leaving out one person after the other."""
    left = [mean_of(np.delete(scores, person, axis=0)) for person in range(len(scores))]
    return np.sqrt((len(left) - 1) * np.var(left))


@pytest.mark.parametrize("people", [3, 5, 8, 20])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_equal_failures_or_successes_allow_what_clopper_and_pearson_say(people, value):
    exact = stats.binomtest(int(value * people), people).proportion_ci(0.95, method="exact")
    estimate = mean_interval(np.full((people, 3), value), SEED)
    assert ends(estimate) == pytest.approx(tuple(exact))


def test_five_failures_allow_a_mean_of_one_half():
    assert mean_interval(np.zeros((5, 1)), SEED).high == pytest.approx(0.5218, abs=1e-4)


@pytest.mark.parametrize("people", [5, 9])
def test_equal_scores_between_0_and_1_allow_higher_and_lower_means(people):
    low, high = ends(mean_interval(np.full((people, 2), 0.25), SEED))
    assert 0 < low < 0.25 < high < 1
    # A share of 1 - p, who all score 1, is found in none of so many people in 2.5 % of samples.
    assert (1 - (high - 0.25) / 0.75) ** people == pytest.approx(0.025)


@pytest.mark.parametrize("people", [5, 9])
def test_people_with_equal_means_over_different_scores_are_equals(people):
    scores = np.tile([[1.0, 0.0], [0.0, 1.0]], (people, 1))[:people]
    low, high = ends(mean_interval(scores, SEED))
    assert high - low > 0.3


def test_another_seed_moves_an_end_by_at_most_one_step_of_the_grid():
    passed = (T >= 1 - 1e-9).astype(float)
    found = np.array([ends(mean_interval(passed, seed)) for seed in range(5)])
    assert found * 32 == pytest.approx(np.round(found * 32))
    assert np.ptp(found, axis=0) == pytest.approx([1 / 32, 1 / 32])


def test_the_page_about_statistics_gives_the_ends_of_two_seeds():
    passed = (T >= 1 - 1e-9).astype(float)
    page = " ".join(PAGE.read_text("utf-8").split())
    for seed in (0, 1):
        low, high = ends(mean_interval(passed, seed))
        assert f"seed {seed} gives {percent(low)} to {percent(high)} %" in page


def test_the_order_of_people_changes_no_interval():
    assert mean_interval(T[::-1], SEED) == mean_interval(T, SEED)
    shuffled = mean_interval(incomplete()[[3, 1, 7, 0, 2, 6, 5, 4]], SEED)
    assert ends(shuffled) == ends(mean_interval(incomplete(), SEED))
