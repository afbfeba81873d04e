"""The learned baseline for machines: what is imitated becomes more probable, and the curve is drawn."""

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from tools.machine_baseline import Episode, Policy, drawing_of


def test_the_choices_of_good_episodes_become_more_probable():
    policy = Policy(100)
    rows = np.array([3, 5, 8])
    before = policy.chances(rows)
    policy.imitate([Episode(1.0, [(rows, 1)] * 4)])
    assert before == pytest.approx(1 / 3)
    assert policy.chances(rows)[1] > 0.8
    assert policy.chances(rows).sum() == pytest.approx(1)


def test_only_possible_actions_are_drawn():
    policy = Policy(100)
    mask = np.zeros(100, np.int8)
    mask[[7, 90]] = 1
    rng = np.random.default_rng(0)
    assert {policy.draw(1, mask, rng)[0] for _ in range(30)} == {7, 90}


def test_the_curve_names_what_random_edits_earn():
    assert "random edits, 0.100" in drawing_of([(0.1, 0.3), (0.2, 0.5)])
