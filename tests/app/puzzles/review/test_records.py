"""The log of a set's reviews."""

from datetime import date

from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from tests.app.puzzles.review.conftest import FOLDER, assigned, reach


def test_the_author_cannot_be_a_reviewer_and_is_told_so(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "?")
    reach(review, qtbot, ReviewState.FLAGGED)
    with qtbot.waitSignal(review.message) as told:
        review.records.assign([FOLDER], "Ada", "Ben")
    assert "Ada is the author" in told.args[0]


def test_several_puzzles_are_assigned_at_once_without_a_flag(review, qtbot):
    names = list(review.records.names)
    review.records.assign(names, "Ben", "Cleo", date(2020, 1, 1))
    for name in names:
        reach(review, qtbot, ReviewState.IN_REVIEW, name)
    assert {review.records.reviews[name].due for name in names} == {date(2020, 1, 1)}


def test_people_assigned_to_a_review_are_known_names(review, qtbot):
    assigned(review, qtbot)
    qtbot.waitUntil(lambda: {"Ada", "Ben", "Cleo"} <= set(review.records.people))
