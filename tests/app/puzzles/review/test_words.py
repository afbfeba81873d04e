"""What the review of a puzzle says about itself."""

from datetime import date

from spatial_workbench.app.puzzles.review.words import MEANINGS, figure_words, review_words, settling_note
from spatial_workbench.engine.puzzles.annotation.review import Review, ReviewState, review_statistics

DISPUTED = Review("P", ReviewState.DISAGREEMENT, author="Ada", reviewers=("Ben", "Cleo"))


def test_a_rejected_step_that_an_old_version_kept_is_named():
    old = Review("P", ReviewState.VERIFIED, reviewers=("Ben", "Cleo"), settled_by=("Cleo",), kept_rejected=(2,))
    words = review_words(old)
    assert "Settled by Cleo. This is one of the two who differed." in words
    assert "Step 2 was rejected, and is still there" in words


def test_every_state_says_what_comes_next():
    assert MEANINGS.keys() == set(ReviewState)
    assert "Send drafts" in review_words(Review("P", ReviewState.DRAFT))


def test_a_due_day_stands_with_a_puzzle_in_review():
    review = Review("P", ReviewState.IN_REVIEW, reviewers=("Ben", "Cleo"), due=date(2026, 3, 1))
    assert "Due on 2026-03-01." in review_words(review)


def test_who_disputes_is_told_that_a_choice_is_a_proposal():
    assert "is a proposal, and counts once Cleo agrees" in settling_note(DISPUTED, "Ben")
    assert settling_note(DISPUTED, "Dora") == ""


def test_the_published_figures_stand_beside_ours():
    words = figure_words(review_statistics([]))
    assert "Of 0 puzzles sent to review, flagged n/a (published 12.11 %) · changed n/a (published 10.93 %)" in words
    assert "audit correct n/a (published 96.5 %)" in words
