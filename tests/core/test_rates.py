"""Rates and their intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core.rates import Rate, wilson


@pytest.mark.parametrize(
    ("count", "n", "low", "high"), [(0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0), (15, 20, 0.5313, 0.8881)]
)
def test_the_wilson_interval(count, n, low, high):
    assert wilson(count, n) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_rate(pair):
    count, n = pair
    low, high = wilson(count, n)
    assert 0 <= low <= count / n + 1e-12
    assert count / n - 1e-12 <= high <= 1


def test_the_interval_of_nothing_is_everything():
    assert (Rate(0, 0).value, Rate(0, 0).interval) == (None, (0.0, 1.0))


def test_scores_between_0_and_1_count_by_their_sum():
    low, high = wilson(4.5, 9)
    assert low < 0.5 < high
    assert (low, high) == (pytest.approx(1 - high), pytest.approx(1 - low))
