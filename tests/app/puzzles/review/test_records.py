"""The log of a set's reviews."""

from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from tests.app.puzzles.review.conftest import FOLDER, assigned, reach


def test_the_author_cannot_be_a_reviewer_and_is_told_so(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "?")
    reach(review, qtbot, ReviewState.FLAGGED)
    with qtbot.waitSignal(review.message) as told:
        review.panel.assign_reviewers("Ada", "Ben")
    assert "Ada is the author" in told.args[0]


def test_people_assigned_to_a_review_are_known_names(review, qtbot):
    assigned(review, qtbot)
    qtbot.waitUntil(lambda: {"Ada", "Ben", "Cleo"} <= set(review.records.people))
