"""A third annotation, made from two independent ones."""

import pytest

from spatial_workbench.engine.puzzles.annotation.adjudicating import (
    AdjudicationError,
    PairTaken,
    StepSource,
    ThirdStep,
    says_the_same,
    taken_steps,
    third_annotation,
)
from spatial_workbench.engine.puzzles.annotation.double import StepPair
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep

A = Puzzle("Leaf", "", "easy", "STEM", (PuzzleStep("Find the pots."), PuzzleStep("Read STEM.", "figure_1.png")))
B = Puzzle("Leaf", "", "hard", "STEM", (PuzzleStep("Find the pots."), PuzzleStep("Index gives STEM.", "figure_1.png")))
VALUES = {"solution": "STEM", "difficulty": "easy", "modality": ("text",), "skills": ("wordplay",)}
SECOND = StepPair(2, 2, 0.5)


def sources(*steps):
    return [step.source.value for step in steps]


def test_the_same_words_are_of_both():
    pair = StepPair(1, 1, 1.0)
    assert says_the_same(pair, A, B)
    assert sources(*taken_steps(pair, A, B, PairTaken.FIRST)) == ["both"]


@pytest.mark.parametrize(
    ("taken", "texts", "of"),
    [
        (PairTaken.FIRST, ["Read STEM."], ["A"]),
        (PairTaken.SECOND, ["Index gives STEM."], ["B"]),
        (PairTaken.BOTH, ["Read STEM.", "Index gives STEM."], ["A", "B"]),
        (PairTaken.NEW, ["Sort.", "Read."], ["new", "new"]),
        (PairTaken.NEITHER, [], []),
    ],
)
def test_what_is_taken_says_whose_it_is(taken, texts, of):
    steps = taken_steps(SECOND, A, B, taken, "Sort.\n\nRead.")
    assert ([step.text for step in steps], sources(*steps)) == (texts, of)


def test_new_words_are_needed():
    with pytest.raises(AdjudicationError, match="empty"):
        taken_steps(SECOND, A, B, PairTaken.NEW, " ")


def test_figures_of_both_are_numbered_in_order():
    third = third_annotation(A, B, taken_steps(SECOND, A, B, PairTaken.BOTH), VALUES)
    assert [step.figure for step in third.reasoning] == ["figure_1.png", "figure_2.png"]


def test_nobody_is_given_words_that_they_did_not_write():
    forged = ThirdStep(text="Read STEAM.", source=StepSource.FIRST, first=2)
    with pytest.raises(AdjudicationError, match="Step 1 does not have the words of A"):
        third_annotation(A, B, [forged], VALUES)


@pytest.mark.parametrize(
    ("steps", "values", "said"),
    [
        ((), VALUES, "No step is left"),
        ((ThirdStep(text="x", source=StepSource.NEW, first=9),), VALUES, "A has no step 9"),
        ((ThirdStep(text="x", source=StepSource.NEW),), VALUES | {"difficulty": "odd"}, "not one of"),
    ],
)
def test_what_cannot_be_is_refused(steps, values, said):
    with pytest.raises(AdjudicationError, match=said):
        third_annotation(A, B, steps, values)
