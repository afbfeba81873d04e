"""Answers that are brought nearer to numbers that the rules name."""

import json

import numpy as np
import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.verdict import Figure, Verdict
from spatial_workbench.engine.evaluation.laboratory.searching.nearing import (
    MOST_APPROACHES,
    MOST_TRIES,
    Approach,
    Approaches,
    NamedNumber,
    figures_of,
    numbers_named,
)
from spatial_workbench.engine.evaluation.laboratory.searching.sources import AnswerSources, KeptAnswer


def verdict(score: float = 1.0, **figures: float | str) -> Verdict:
    shown = tuple(Figure(name, value, "mm") for name, value in figures.items())
    return Verdict(instance="x:0", verifier="default", version="1", score=score, passed=score == 1, figures=shown)


def approach() -> Approach:
    return Approach("x:0", "old", "height", 70.0, 12.0)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("the stack is lower than 70 mm", NamedNumber(70.0, "mm", True)),
        ("At most 1000 digits.", NamedNumber(1000.0, "digits", False)),
        ("at most 1000 digits.", NamedNumber(1000.0, "digits", True)),
        ("a gap of 0.2 mm", NamedNumber(0.2, "mm", False)),
        ("its surface is at least 36 voxels", NamedNumber(36.0, "voxels", True)),
    ],
)
def test_numbers_are_read_with_what_stands_around_them(text: str, number: NamedNumber) -> None:
    assert numbers_named(text) == [number]


def test_of_a_share_the_first_number_counts() -> None:
    assert figures_of(verdict(lakes="64/36", word="none")) == {"lakes": (64.0, "mm")}


def test_an_answer_without_a_score_has_no_figures() -> None:
    assert figures_of(verdict(0.0, height=70.0)) == {}


def test_an_approach_goes_on_from_what_is_nearer() -> None:
    near = approach()
    near.compare("x:0", "far", {"height": (90.0, "mm")})
    near.compare("x:1", "of another instance", {"height": (70.0, "mm")})
    assert near.answer == "old"
    near.compare("x:0", "nearer", {"height": (68.0, "mm")})
    assert (near.answer, near.distance) == ("nearer", 2.0)


def test_approaches_end_when_they_arrive_or_come_to_nothing() -> None:
    arriving, hopeless = approach(), approach()
    hopeless.figure, hopeless.tries = "length", MOST_TRIES + 1
    both = Approaches([arriving, hopeless])
    both.compare("x:0", "exact", verdict(height=70.0))
    assert not both.under_way
    assert arriving.answer == "exact"


def test_limits_are_aimed_at_before_other_numbers_with_the_unit_of_the_figure() -> None:
    some = Approaches()
    numbers = [NamedNumber(10.0, "mm"), NamedNumber(70.0, "mm", True), NamedNumber(65.0, "digits", True)]
    for seed in range(2 * MOST_APPROACHES):
        some.begin("x:0", "", {"height": (158.0, "mm")}, numbers, np.random.default_rng(seed))
    assert {each.target for each in some.under_way} == {70.0}
    assert len(some.under_way) == MOST_APPROACHES


def test_the_source_changes_what_is_nearest_so_far() -> None:
    task, instance = resolve("fluid_simulation:0")
    text = task.format(task.solve(instance))
    figures = figures_of(task.verify(instance, task.parse(text)))
    kept = [KeptAnswer(instance.address, text, passes=True, figures=dict(figures))]
    sources = AnswerSources(task, (1, 0), kept, [], lambda *_: "same")
    drawn = [candidate for number in range(4) for candidate in sources.draw("near", number)]
    assert drawn
    assert sources.approaches.under_way
    assert any(" near 36" in candidate.source for candidate in drawn)
    assert all(json.loads(candidate.answer) for candidate in drawn)
