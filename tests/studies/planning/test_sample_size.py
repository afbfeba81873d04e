"""The planner: every number of its table."""

import math
from pathlib import Path

import pytest
from scipy import stats

from spatial_workbench.engine.studies.planning.sample_size import (
    Spread,
    effective_trials,
    least_difference,
    people_for_difference,
    people_for_half_width,
    people_for_pass_rate,
    slots_for,
    wilson_half_width,
)

PAGE = Path(__file__).resolve().parents[3] / "docs" / "study_statistics.md"
SPREAD = Spread(0.0326**0.5, 0.0382**0.5, 8)


def test_the_spread_of_person_means():
    assert SPREAD.of_person_means == pytest.approx(0.1933, abs=1e-4)
    assert SPREAD.correlation == pytest.approx(0.460, abs=1e-3)


@pytest.mark.parametrize(("half_width", "people"), [(0.10, 17), (0.05, 60)])
def test_people_for_an_interval(half_width, people):
    assert people_for_half_width(SPREAD, half_width) == people


@pytest.mark.parametrize(("difference", "groups", "people"), [(0.10, 1, 32), (0.15, 1, 16), (0.15, 2, 28)])
def test_people_for_a_difference(difference, groups, people):
    assert people_for_difference(SPREAD, difference, groups=groups) == people


def test_the_least_difference_that_twelve_people_find():
    assert least_difference(SPREAD, 12) == pytest.approx(0.172, abs=1e-3)


@pytest.mark.parametrize(("half_width", "people"), [(0.10, 93), (0.05, 381)])
def test_people_for_a_pass_rate(half_width, people):
    assert people_for_pass_rate(half_width) == people


@pytest.mark.parametrize("half_width", [0.2, 0.10, 0.07, 0.05, 0.031])
def test_people_for_a_pass_rate_in_closed_form(half_width):
    z = stats.norm.ppf(0.975)
    assert people_for_pass_rate(half_width) == math.ceil((z / (2 * half_width)) ** 2 - z**2)


def test_the_page_about_statistics_says_how_many_people_a_pass_rate_needs():
    page = " ".join(PAGE.read_text("utf-8").split())
    assert f"380 reach {wilson_half_width(380):.5f}, and 381 reach {wilson_half_width(381):.5f}" in page
    assert wilson_half_width(381) <= 0.05 < wilson_half_width(380)


def test_a_thousand_people_give_three_percent():
    assert wilson_half_width(1000) == pytest.approx(0.031, abs=5e-4)


def test_trials_of_a_person_are_not_independent():
    assert effective_trials(20, 8, SPREAD.correlation) == pytest.approx(37.9, abs=0.05)


def test_slots_make_up_for_dropout_in_full_rounds():
    assert slots_for(17, 0.15, 4) == 20
    assert slots_for(17, 0.2, 4) == 24
    assert slots_for(8, 0.0) == 8


def test_what_nobody_can_plan_is_not_planned():
    assert people_for_half_width(SPREAD, 1e-6) is None
