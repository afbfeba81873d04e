"""Figures of sets, reviews and judgements, by examples that can be worked out by hand."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.statistics import (
    PuzzleResult,
    agreement,
    bootstrap_interval,
    breakdown,
    cohens_kappa,
    correlation,
    histogram,
    set_statistics,
    step_group,
)

PUZZLES = [puzzle.puzzle for puzzle in originals()]


def test_the_figures_of_the_originals():
    figures = set_statistics(PUZZLES)
    assert (figures.puzzles, figures.steps) == (6, {4: 5, 5: 1})
    assert figures.mean_steps == pytest.approx(25 / 6)
    assert figures.median_steps == 4
    assert figures.share_with_figure == pytest.approx(4 / 25)
    assert figures.by_modality[Modality.VISUAL] == {
        PuzzleDifficulty.EASY: 2,
        PuzzleDifficulty.MEDIUM: 1,
        PuzzleDifficulty.HARD: 0,
    }
    assert figures.by_skill[Skill.SPATIAL] == 4


def test_an_empty_set_has_no_means():
    figures = set_statistics([])
    assert (figures.mean_steps, figures.mean_words, figures.difficulty_and_steps) == (None, None, None)


def test_difficulty_is_correlated_as_1_2_3():
    puzzles = [
        Puzzle(difficulty=d, reasoning=(PuzzleStep("x"),) * n) for d, n in (("easy", 1), ("medium", 2), ("Hard", 3))
    ]
    assert set_statistics(puzzles).difficulty_and_steps == pytest.approx(1.0)


def test_a_constant_side_has_no_correlation():
    assert correlation([1, 1, 1], [1, 2, 3]) is None


def test_equal_judgements_agree_fully():
    equal = agreement([0.25, 0.5, 1.0], [0.25, 0.5, 1.0])
    assert (equal.r, equal.mean_absolute_error, equal.count) == (pytest.approx(1.0), 0.0, 3)


def test_agreement_needs_three_pairs_and_a_spread():
    assert agreement([0.5, 1.0], [0.5, 1.0]) is None
    assert agreement([0.5, 0.5, 0.5], [0.1, 0.5, 1.0]).r is None


def test_cohens_kappa_of_a_textbook_table():
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    assert cohens_kappa(pairs) == pytest.approx(0.4)
    assert cohens_kappa([("yes", "yes")] * 3) is None
    assert cohens_kappa([]) is None


@pytest.mark.parametrize(("steps", "group"), [(1, "1–3"), (3, "1–3"), (4, "4–5"), (8, "6–8"), (9, "9+"), (20, "9+")])
def test_numbers_of_steps_are_grouped(steps, group):
    assert step_group(steps) == group


def test_a_puzzle_counts_in_each_of_its_tags_and_unjudged_ones_are_left_out_of_means():
    both = replace(PUZZLES[0], modality=("text", "Visual"))
    results = [PuzzleResult(both, True, True, 1.0, 1.0), PuzzleResult(PUZZLES[1], False, False)]
    parts = breakdown(results)
    counts = {cell.group: cell.count for cell in parts["modality"]}
    assert counts == {"text": 2, "visual": 1, "structured": 1}
    (overall,) = parts["overall"]
    assert (overall.count, overall.judged, overall.stepwise.mean, overall.accuracy.mean) == (2, 1, 1.0, 0.5)


def test_the_interval_holds_the_mean_and_is_the_same_each_time():
    interval = bootstrap_interval([0, 1] * 20)
    assert interval.low < interval.mean == 0.5 < interval.high
    assert interval == bootstrap_interval([0, 1] * 20)
    assert bootstrap_interval([]) is None


def test_the_histogram_closes_its_last_bin():
    assert histogram([0, 0.05, 0.5, 1.0]) == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
