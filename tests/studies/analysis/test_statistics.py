"""Every number of the worked example: eight people, four items, a model with three samples."""

import numpy as np
import pytest
from scipy import stats

from spatial_workbench.engine.core.rates import best_of, wilson
from spatial_workbench.engine.studies.analysis.intervals import expanded_alpha, mean_of, pieces_of_draws
from spatial_workbench.engine.studies.analysis.statistics import (
    calibration,
    discriminations,
    geometric_mean,
    median_by_people,
    pass_at,
    practice_effect,
    survival,
    variance_parts,
)

T = np.array(
    [
        [1, 1, 1, 0.9, 1, 0.7, 1, 0.8],
        [1, 0.8, 1, 0.4, 1, 0.6, 0.5, 0.9],
        [0.6, 1, 0.4, 0.3, 1, 0.2, 0.5, 0.7],
        [0.2, 0, 0.5, 0, 0.7, 0.1, 0.3, 0],
    ]
).T
MODEL = [[1, 0.5, 1], [0.4, 0.4, 0.1], [0.2, 0, 0.1], [0.3, 0, 0]]
SEED = 20261122


def incomplete():
    scores = T.copy()
    for person, item in ((1, 3), (4, 0), (5, 2)):
        scores[person, item] = np.nan
    return scores


def test_the_order_of_people_and_items_changes_no_figure():
    shuffled = T[[3, 1, 7, 0, 2, 6, 5, 4]][:, [2, 0, 3, 1]]
    assert mean_of(shuffled) == pytest.approx(mean_of(T))
    assert variance_parts(shuffled).people == pytest.approx(variance_parts(T).people)
    assert sorted(discriminations(shuffled)) == pytest.approx(sorted(discriminations(T)))


def test_pass_rates_of_single_items():
    passes = (T >= 1 - 1e-9).sum(axis=0)
    assert passes.tolist() == [5, 3, 2, 0]
    ends = [wilson(int(count), 8) for count in passes]
    assert np.array(ends) == pytest.approx(
        np.array([[0.306, 0.863], [0.137, 0.694], [0.072, 0.591], [0, 0.324]]), abs=1e-3
    )
    assert wilson(7, 12) == pytest.approx((0.3195, 0.8067), abs=1e-4)


SOLVED = [95, 140, 180, 210, 330, 415, 480]


def test_the_median_time_counts_those_who_did_not_solve_it():
    curve = survival([*SOLVED, 600, 600, 600], [True] * 7 + [False] * 3)
    assert curve.shares == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3])
    assert (curve.median, curve.low, curve.high) == (330, 95, None)
    assert curve.restricted_mean(600) == pytest.approx(365.0)


def test_a_curve_that_meets_one_half_has_its_median_there():
    curve = survival([120, 300, 450, 600, 600, 600], [True] * 3 + [False] * 3)
    assert curve.shares[-1] == pytest.approx(0.5)
    assert curve.median == 450


def test_without_solutions_there_is_no_median():
    curve = survival([600, 600], [False, False])
    assert (curve.times, curve.median, curve.restricted_mean(600)) == ((), None, 600)


def test_the_curve_and_its_interval_are_those_of_scipy():
    given = stats.CensoredData(uncensored=SOLVED, right=[600, 600, 600])
    expected = stats.ecdf(given).sf
    low = expected.confidence_interval(0.95, method="log-log").low
    curve = survival([*SOLVED, 600, 600, 600], [True] * 7 + [False] * 3)
    assert curve.shares == pytest.approx(expected.probabilities[:7])
    reached = [time for time, share in zip(low.quantiles, low.probabilities, strict=True) if share <= 0.5]
    assert curve.low == reached[0]


def timed(people, items, seed=4):
    """Times of people, some much slower than others on all items; unsolved ones end at the limit."""
    rng = np.random.default_rng(seed)
    own = rng.lognormal(4.5, 1.0, (people, 1)) * rng.lognormal(0, 0.1, (people, items))
    return np.minimum(own.round(), 600), own < 600


def test_the_median_over_several_items_draws_people_with_all_their_trials():
    times, solved = timed(9, 4)
    times[2, 1] = np.nan
    solved[2, 1] = False
    order = np.lexsort([*solved.T, *times.T])
    medians = []
    for weights in pieces_of_draws(9, SEED, 500):
        for row in weights.astype(int):
            drawn = np.repeat(order, row)
            known = np.isfinite(times[drawn])
            medians.append(survival(times[drawn][known].tolist(), solved[drawn][known].tolist()).median)
    reached = sorted(np.inf if median is None else median for median in medians)
    alpha = expanded_alpha(9)
    expected = [reached[int(np.ceil(share * 500)) - 1] for share in (alpha, 1 - alpha)]
    found = median_by_people(times, solved, SEED, draws=500)
    assert [np.inf if end is None else end for end in found] == expected


def test_items_on_which_everybody_is_as_fast_tell_no_more_than_one_of_them():
    times, solved = timed(12, 1)
    once = median_by_people(times, solved, SEED)
    assert median_by_people(np.tile(times, (1, 10)), np.tile(solved, (1, 10)), SEED) == once
    pooled = survival(np.repeat(times, 10).tolist(), np.repeat(solved, 10).tolist())
    assert once[0] < pooled.low


def test_a_median_that_few_reach_has_no_upper_end():
    times = np.full((8, 2), 600.0)
    solved = np.zeros((8, 2), bool)
    times[:4] = 60.0
    solved[:4] = True
    assert median_by_people(times, solved, SEED) == (60.0, None)
    assert median_by_people(times, ~np.ones_like(solved), SEED) == (None, None)


def test_the_order_of_people_changes_no_interval_of_times():
    times, solved = timed(9, 4)
    assert median_by_people(times[::-1], solved[::-1], SEED) == median_by_people(times, solved, SEED)


def test_times_of_those_who_solved_it_are_shorter():
    assert np.median(SOLVED) == 210
    assert geometric_mean(SOLVED) == pytest.approx(229.0, abs=0.05)
    assert geometric_mean([]) is None


@pytest.mark.parametrize(("k", "share"), [(1, 0.3125), (2, 0.5), (3, 0.6116), (5, 0.7188)])
def test_the_chance_that_one_of_k_people_passes(k, share):
    passes = (T >= 1 - 1e-9).sum(axis=0)
    assert np.mean([pass_at(int(count), 8, k) for count in passes]) == pytest.approx(share, abs=1e-4)


def test_the_best_of_two_by_the_same_formula_for_people_and_samples():
    assert pass_at(2, 8, 2) == pytest.approx(0.4643, abs=1e-4)
    best = [best_of(column, 2) for column in T.T]
    assert best == pytest.approx([0.9857, 0.9179, 0.7679, 0.3750], abs=1e-4)
    assert np.mean(best) == pytest.approx(0.7616, abs=1e-4)
    assert [best_of(samples, 2) for samples in MODEL] == pytest.approx([1, 0.4, 0.1667, 0.2], abs=1e-4)
    assert best_of([1.0], 2) is pass_at(1, 1, 2) is None


def test_the_variance_of_people_and_items():
    parts = variance_parts(T)
    assert (parts.people, parts.items, parts.rest) == pytest.approx((0.02185, 0.08682, 0.03579), abs=1e-5)
    assert parts.people**0.5 == pytest.approx(0.148, abs=1e-3)
    assert parts.reliability(4) == pytest.approx(0.709, abs=1e-3)


def test_the_variance_with_missing_cells():
    parts = variance_parts(incomplete())
    assert (parts.people, parts.items, parts.rest) == pytest.approx((0.02605, 0.07705, 0.02906), abs=1e-5)


def test_variance_needs_three_people_and_two_items():
    assert variance_parts(T[:2]) is None
    assert variance_parts(T[:, :1]) is None


def test_equal_scores_have_no_reliability():
    assert variance_parts(np.full((4, 3), 0.5)).reliability(3) is None


def test_items_tell_people_apart():
    assert discriminations(T) == pytest.approx([0.570, 0.625, 0.507, 0.456], abs=1e-3)
    constant = T.copy()
    constant[:, 1] = 0.5
    assert discriminations(constant)[1] is None


WILLIAMS = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]] * 2
POSITIONS = np.array([[row.index(item) for item in range(4)] for row in WILLIAMS], float)


def test_practice_is_told_apart_from_items():
    slope = practice_effect(T, POSITIONS)
    assert slope.value == pytest.approx(0.0188, abs=1e-4)
    assert slope.error == pytest.approx(0.0336, abs=1e-4)
    assert (slope.low, slope.high) == pytest.approx((-0.061, 0.098), abs=1e-3)


def test_a_fixed_order_hides_practice():
    assert practice_effect(T, np.tile(np.arange(4.0), (8, 1))) is None


def test_as_many_values_as_items_and_a_slope_leave_nothing_to_judge_by():
    scores = np.full((3, 2), np.nan)
    scores[0, 0] = scores[1, 1] = 0.5
    scores[2, 0] = 1.0
    assert practice_effect(scores, np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])) is None


def test_equal_scores_show_no_certain_lack_of_practice():
    assert practice_effect(np.zeros((8, 4)), POSITIONS) is None


def test_confidence_beside_success():
    result = calibration([90, 80, 60, 95, 30, 70], [True, True, False, True, False, False])
    assert result.brier == pytest.approx(0.1654, abs=1e-4)
    assert result.over == pytest.approx(0.208, abs=1e-3)
    assert calibration([], []) is None
