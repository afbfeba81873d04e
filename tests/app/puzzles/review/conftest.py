"""The review of a set in a window, and what its tests share."""

import pytest

from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState

FOLDER = "Harbour_Clocks"


@pytest.fixture
def review(window, page, qtbot):
    """The review of the set, its drafts sent by Ada."""
    window.person.change_person("Ada")
    opened = window.puzzle_pages.review()
    opened.records.send()
    reach(opened, qtbot, ReviewState.CHECKED)
    return opened


def reach(page, qtbot, state, folder=FOLDER):
    qtbot.waitUntil(lambda: folder in page.records.reviews and page.records.reviews[folder].state is state)
    page.choose(folder)


def assigned(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "Why semaphore?", 1)
    reach(review, qtbot, ReviewState.FLAGGED)
    review.records.assign([FOLDER], "Ben", "Cleo")
    reach(review, qtbot, ReviewState.IN_REVIEW)


def decide(window, review, qtbot, person, text=""):
    """A reviewer finishes, with a new text for the first step if one is given."""
    window.person.change_person(person)
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    if text:
        review.panel.form.steps[0].judged.setCurrentText("Edit")
        review.panel.form.steps[0].text.setPlainText(text)
    review.panel.form.accept_rest.click()
    review.panel.form.finish.click()
    qtbot.waitUntil(lambda: person in review.records.reviews[FOLDER].decisions)


def in_form(window, review, qtbot):
    """Ben's form, with the pages beside it."""
    assigned(review, qtbot)
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    qtbot.waitUntil(lambda: review.panel.pictures.pad.pages.names == ("content.png",))
    return review.panel.form
