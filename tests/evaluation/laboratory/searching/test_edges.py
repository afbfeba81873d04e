"""Where a verifier switches is found to the last digit, and both sides are asked."""

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.searching.edges import along_a_number, between, switching_amounts


def test_both_sides_of_a_tolerance_are_asked() -> None:
    amounts = list(switching_amounts(lambda amount: "passes" if amount <= 0.05 else "fails"))
    assert any(0.05 - 1e-12 < amount <= 0.05 for amount in amounts)
    assert any(0.05 < amount < 0.05 + 1e-12 for amount in amounts)
    assert 0.05 in amounts


def test_nothing_is_asked_where_nothing_switches() -> None:
    assert list(switching_amounts(lambda amount: "passes")) == []


def test_answers_between_two_of_the_same_form_are_mixed() -> None:
    mixed = between({"x": [0.0, 3]}, {"x": [1.0, 5]})
    assert mixed is not None
    assert mixed(0.5) == {"x": [0.5, 4]}
    assert between({"x": [0.0]}, {"x": [1.0, 2.0]}) is None
    assert between({"x": [0.0]}, {"x": [0.0]}) is None


def test_a_number_is_moved_and_whole_numbers_stay_whole() -> None:
    moved = along_a_number({"n": 3}, np.random.default_rng(0))
    assert moved is not None
    assert moved(0.0) == {"n": 3}
    assert moved(2.2)["n"] in (1, 5)
    assert along_a_number({"word": "x"}, np.random.default_rng(0)) is None
