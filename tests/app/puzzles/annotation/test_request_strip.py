"""What a reviewer wants to be changed, above the annotation of a puzzle that was sent back."""

import pytest

from spatial_workbench.engine.puzzles.annotation.review import Returned, Review, ReviewState
from tests.app.puzzles.annotation.conftest import NAME


def reviewed(window, qtbot, person="Ada"):
    window.person.change_person(person)
    review = window.puzzle_pages.review()
    qtbot.waitUntil(lambda: NAME in review.records.names)
    return review


def reach(review, qtbot, state):
    qtbot.waitUntil(lambda: review.records.review(NAME).state is state)


def sent_back(window, qtbot):
    review = reviewed(window, qtbot)
    review.records.send()
    reach(review, qtbot, ReviewState.CHECKED)
    window.person.change_person("Ben")
    review.records.record(Returned, review.records.review(NAME), wanted="Say where the flags are.")
    reach(review, qtbot, ReviewState.RETURNED)
    return review


@pytest.mark.slow
def test_the_annotation_of_a_returned_puzzle_says_what_is_wanted_and_by_whom(window, note, qtbot):
    assert not note.request.isVisible()
    sent_back(window, qtbot)
    window.pages.tabs.setCurrentWidget(note)
    qtbot.waitUntil(note.request.isVisible)
    assert note.request.text.text() == "Sent back by Ben. To be changed: Say where the flags are."


def test_a_puzzle_that_was_sent_again_asks_for_nothing(note):
    note.request.show_request(Review(NAME, ReviewState.RETURNED, wanted="More.", wanted_by="Ben"))
    assert note.request.isVisibleTo(note)
    note.request.show_request(Review(NAME, ReviewState.CHECKED, wanted="More.", wanted_by="Ben"))
    assert not note.request.isVisibleTo(note)


@pytest.mark.slow
def test_the_request_stands_there_when_the_puzzle_is_opened_later_and_leads_to_its_review(
    window, page, open_note, qtbot
):
    review = sent_back(window, qtbot)
    review.choose(review.records.names[-1])
    window.pages.close(review)
    note = open_note()
    qtbot.waitUntil(note.request.isVisible)
    note.request.show_review.click()
    review = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: review.panel.review.folder == NAME)
