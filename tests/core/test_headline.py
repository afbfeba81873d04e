"""The figure that tables show beside the score: which one counts, and how it is written."""

import pytest

from spatial_workbench.engine.core import Figure, Verdict, headline_of, measured, measured_text


def verdict(**figures):
    shown = tuple(Figure(name.replace("_", " "), value) for name, value in figures.items())
    return Verdict(instance="x:0", verifier="default", version="1", score=1, passed=True, figures=shown)


@pytest.mark.parametrize(
    ("figures", "metres"),
    [
        ({"R": 250.0, "distance": 25.3}, 25.3),
        ({"R": 0.0, "distance": 25.3}, 0.0),
        ({"R": 1.0, "distance": 25.3, "targets_hit": 1.0}, None),
        ({}, None),
    ],
)
def test_a_throw_is_measured_in_metres_if_it_counts_and_its_level_has_no_targets(figures, metres):
    assert measured("machine_throw", verdict(**figures)) == metres


def test_the_stone_that_is_lifted_is_measured_by_its_height():
    assert measured("machine_pick", verdict(R=2.5, **{"height_gained": 2.5})) == 2.5


def test_a_headline_is_written_with_its_unit_and_never_cut_at_the_reference():
    assert measured_text("machine_movement", 143.86) == "143.9 m"


def test_a_task_without_a_headline_has_nothing_to_write():
    assert headline_of("shikaku") is None
    assert measured_text("shikaku", None) == ""
