"""Two independent annotations of the same puzzle."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.puzzles.annotation.double import (
    StepPair,
    aligned_steps,
    double_agreement,
    krippendorffs_alpha,
    share_aligned,
)
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep
from spatial_workbench.engine.puzzles.sets.originals import original

PUZZLE = original("Packing_Room").puzzle
RELIABILITY = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
"""The example of Krippendorff's paper: four people, twelve units, some without a value."""


def with_steps(*texts):
    return Puzzle(reasoning=tuple(PuzzleStep(text) for text in texts))


def test_alpha_is_that_of_the_published_example():
    people = [line.split() for line in RELIABILITY.split("\n") if line]
    units = [[value for value in unit if value != "."] for unit in zip(*people, strict=True)]
    assert krippendorffs_alpha(units) == pytest.approx(0.743, abs=5e-4)


@pytest.mark.parametrize(("units", "alpha"), [([], None), ([(1, 1)], None), ([(1, 1), (2, 2)], 1.0)])
def test_alpha_is_not_defined_where_nothing_varies(units, alpha):
    assert krippendorffs_alpha(units) == alpha


def test_a_step_that_one_annotation_lacks_has_no_partner():
    first = with_steps("find the six dials", "sort them by their waves", "read the word")
    second = with_steps("find all six dials", "read the word")
    pairs = [(pair.first, pair.second) for pair in aligned_steps(first, second)]
    assert pairs == [(1, 1), (2, None), (3, 2)]
    assert share_aligned(first, second) == pytest.approx(4 / 5)


def test_steps_keep_their_order_when_they_are_aligned():
    pairs = aligned_steps(with_steps("one two", "three four"), with_steps("three four", "one two"))
    assert sum(pair.first is not None and pair.second is not None for pair in pairs) == 1


def test_an_annotation_without_steps_has_no_partners():
    assert aligned_steps(with_steps(), with_steps("a")) == [StepPair(None, 1)]
    assert share_aligned(with_steps(), with_steps()) == 1.0


def test_agreement_of_a_set_has_intervals_over_its_puzzles():
    other = replace(PUZZLE, skills=("knowledge",), reasoning=PUZZLE.reasoning[:2], difficulty="hard")
    figures = double_agreement([(PUZZLE, PUZZLE)] * 5 + [(PUZZLE, other)])
    assert figures.puzzles == 6
    assert figures.steps.low <= figures.steps.mean <= figures.steps.high
    assert figures.tags.low < figures.tags.mean < figures.tags.high == 1.0
    assert (figures.same_difficulty.mean, figures.same_solution.mean) == (pytest.approx(5 / 6), 1.0)


def test_without_pairs_nothing_is_defined():
    figures = double_agreement([])
    assert (figures.puzzles, figures.steps, figures.tags) == (0, None, None)
