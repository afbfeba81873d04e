"""Queues of a review."""

from datetime import date

import pytest

from spatial_workbench.engine.puzzles.annotation.queues import ReviewQueue, in_queue, is_overdue
from spatial_workbench.engine.puzzles.annotation.review import Flag, FlagKind, Review, ReviewState

FLAG = Flag(step=1, kind=FlagKind.JUMP, reason="Why semaphore?")
REVIEWS = (
    Review("Draft"),
    Review("Sent_Off", ReviewState.CHECKED, author="ada"),
    Review("Flagged", ReviewState.FLAGGED, author="ada", flags=(FLAG,)),
    Review("Late", ReviewState.IN_REVIEW, author="ada", reviewers=("ben", "cleo"), due=date(2026, 2, 1)),
    Review("Early", ReviewState.IN_REVIEW, author="ada", reviewers=("ben", "dan"), due=date(2026, 1, 1)),
    Review("Fight", ReviewState.DISAGREEMENT, author="ben", reviewers=("ada", "cleo"), proposals={"ada": "{}"}),
    Review("Back", ReviewState.RETURNED, author="ben"),
)


@pytest.mark.parametrize(
    ("queue", "person", "folders"),
    [
        (ReviewQueue.WAITING, "ben", ["Early", "Late", "Back"]),
        (ReviewQueue.WAITING, "ada", []),
        (ReviewQueue.WAITING, "cleo", ["Late", "Fight"]),
        (ReviewQueue.MINE, "cleo", ["Late", "Fight"]),
        (ReviewQueue.UNASSIGNED, "", ["Flagged", "Sent_Off"]),
        (ReviewQueue.DISPUTED, "", ["Fight"]),
    ],
)
def test_a_queue_holds_what_is_due_first_first(queue, person, folders):
    assert [review.folder for review in in_queue(REVIEWS, queue, person)] == folders


@pytest.mark.parametrize(
    ("search", "folders"), [("semaphore jump", ["Flagged"]), ("sent off", ["Sent_Off"]), ("x", [])]
)
def test_a_search_looks_for_all_its_words(search, folders):
    assert [review.folder for review in in_queue(REVIEWS, ReviewQueue.ALL, search=search)] == folders


def test_only_what_is_in_review_can_be_overdue():
    assert is_overdue(REVIEWS[4], date(2026, 1, 2))
    assert not is_overdue(REVIEWS[4], date(2026, 1, 1))
    assert not is_overdue(REVIEWS[5], date(2027, 1, 1))
