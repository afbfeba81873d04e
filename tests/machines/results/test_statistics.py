"""Statistics of samples of machines, with numbers that can be checked by hand."""

from itertools import combinations
from statistics import fmean

import pytest

from spatial_workbench.engine.machines.results.statistics import Sample, best_of_curve, mean_by_round, summarize

UNREADABLE = Sample(0.0, False, None)
COLLIDING = Sample(0.0, True, False)


def valid(value):
    return Sample(value, True, True)


def test_spatial_validity_is_counted_among_the_machines_that_can_be_read():
    summary = summarize([UNREADABLE, COLLIDING, valid(3.0), valid(5.0)])
    assert list(map(str, (summary.file, summary.spatial, summary.machine))) == ["3/4", "2/3", "2/4"]


def test_machines_that_are_not_valid_count_in_one_mean_only():
    summary = summarize([UNREADABLE, COLLIDING, valid(3.0), valid(5.0)])
    assert (summary.mean_valid, summary.mean_all, summary.maximum) == (4.0, 2.0, 5.0)


def test_the_deviation_is_that_of_a_sample_over_all_machines():
    assert summarize([UNREADABLE, valid(2.0), valid(4.0)]).deviation == pytest.approx(2.0)


def test_the_deviation_agrees_with_a_published_one():
    # Mean 15.73 and deviation 2.47 over the 5 valid machines of 8 make 9.83 and 8.35 over all.
    apart = 2.47
    machines = [valid(15.73 + shift) for shift in (-apart, -apart, 0, apart, apart)]
    summary = summarize([*machines, *[UNREADABLE] * 3])
    assert summary.mean_all == pytest.approx(9.83, abs=0.01)
    assert summary.deviation == pytest.approx(8.35, abs=0.02)


def test_without_a_valid_machine_there_is_no_mean_over_valid_ones():
    assert summarize([UNREADABLE]).mean_valid is None
    assert summarize([UNREADABLE]).deviation is None


def test_best_of_all_samples_is_their_maximum_and_best_of_one_is_their_mean():
    curve = best_of_curve([0.0, 0.0, 0.0, 8.0])
    assert curve[-1] == 8.0
    assert curve[0] == pytest.approx(2.0, abs=1e-12)
    assert curve[1] == pytest.approx(4.0, abs=1e-12)


def test_a_best_of_n_curve_is_the_mean_over_all_choices():
    values = [3.0, 1.0, 4.0, 1.0, 5.0]
    by_hand = [fmean(map(max, combinations(values, n))) for n in range(1, 6)]
    assert best_of_curve(values) == pytest.approx(by_hand, abs=1e-12)


def test_a_best_of_n_curve_never_falls_and_is_the_same_each_time():
    curve = best_of_curve([3.0, 1.0, 4.0, 1.0, 5.0])
    assert (curve[1:] >= curve[:-1]).all()
    assert (best_of_curve([3.0, 1.0, 4.0, 1.0, 5.0]) == curve).all()


def test_expansions_are_averaged_over_the_searches_that_got_to_a_round():
    assert mean_by_round([[4, 2], [2]]) == [3.0, 2.0]
    assert mean_by_round([]) == []
