"""The log of a set's reviews."""

from datetime import date

import pytest

from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from spatial_workbench.engine.puzzles.puzzle import Puzzle, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.review.conftest import FOLDER, assigned, reach


def test_the_author_cannot_be_a_reviewer_and_is_told_so(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "?")
    reach(review, qtbot, ReviewState.FLAGGED)
    with qtbot.waitSignal(review.message) as told:
        review.records.assign([FOLDER], "Ada", "Ben")
    assert "Ada is the author" in told.args[0]


def test_drafts_that_stay_are_counted_and_named_by_their_titles(puzzles, window, page, qtbot):
    for number in range(4):
        draft = write_metadata(Puzzle(title=f"Night Train {number}")).encode()
        save(puzzles, f"Night_Train_{number}", Change(writes={METADATA: draft}))
    window.person.change_person("Ada")
    opened = window.puzzle_pages.review()
    with qtbot.waitSignal(opened.message) as told:
        opened.records.send()
    assert told.args[0].startswith("2 puzzles sent to review, 4 not. Night Train 0: ")
    assert told.args[0].endswith(" And 2 more.")


@pytest.mark.slow
def test_the_list_of_the_set_has_the_states_of_the_review_when_it_is_shown_again(window, review, qtbot):
    review.records.assign([FOLDER], "Ben", "Cleo")
    reach(review, qtbot, ReviewState.IN_REVIEW)
    model = window.puzzle_pages.show_sets().puzzles.model
    qtbot.waitUntil(lambda: model.states.get(FOLDER) is ReviewState.IN_REVIEW)


@pytest.mark.slow
def test_several_puzzles_are_assigned_at_once_without_a_flag(review, qtbot):
    names = list(review.records.names)
    review.records.assign(names, "Ben", "Cleo", date(2020, 1, 1))
    for name in names:
        reach(review, qtbot, ReviewState.IN_REVIEW, name)
    assert {review.records.reviews[name].due for name in names} == {date(2020, 1, 1)}


@pytest.mark.slow
def test_people_assigned_to_a_review_are_known_names(review, qtbot):
    assigned(review, qtbot)
    qtbot.waitUntil(lambda: {"Ada", "Ben", "Cleo"} <= set(review.records.people))


def test_who_was_assigned_can_be_chosen_at_the_bottom_of_the_window(window, review, qtbot):
    review.records.assign([FOLDER], "Ben", "Cleo")
    qtbot.waitUntil(lambda: {"Ben", "Cleo"} <= set(window.status_bar.person.people))
