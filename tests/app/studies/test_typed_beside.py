"""What is typed under *As text* and not applied is an answer, too: it is handed in if it can be read, or else kept."""

import pytest
from PySide6.QtWidgets import QLabel

from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import TrialState
from tests.app.studies.conftest import wait_for_item, wait_for_page
from tests.studies.sittings import SHIKAKU, Person, main_item, study

RIGHT = SHIKAKU.format(SHIKAKU.solve(SHIKAKU.instances()[0]))
BROKEN = '{"rectangles": [[0, 0, 1'


@pytest.fixture
def person(tmp_path):
    return Person(tmp_path, study([main_item(0), main_item(1)]))


def given(person):
    """What was handed in last for the first item, and whether it is right."""
    trial = person.record.trials[0]
    answer = trial.submissions[-1].answer if trial.submissions else None
    return trial, None if answer is None else SHIKAKU.verify(SHIKAKU.instances()[0], answer).score


def test_typed_text_that_can_be_read_is_handed_in(person):
    person.sitting.work.type_text(RIGHT)
    assert person.sitting.work.submit()
    trial, score = given(person)
    assert (score, trial.unapplied, trial.edits) == (1, "", 1)


def test_a_long_text_is_handed_in_whole(person):
    person.sitting.work.type_text(" " * 200_000 + RIGHT)
    assert person.sitting.work.submit()
    trial, score = given(person)
    assert (score, trial.unapplied) == (1, "")


def test_the_deadline_hands_typed_text_in(person):
    person.sitting.work.type_text(RIGHT)
    person.work(301)
    trial, score = given(person)
    assert (trial.state, score, trial.unapplied) == (TrialState.TIMED_OUT, 1, "")


def test_the_deadline_keeps_text_that_cannot_be_read_beside_the_draft(person):
    person.place([0, 0, 1, 1])
    person.sitting.work.type_text(BROKEN)
    person.work(301)
    trial, _ = given(person)
    assert (trial.unapplied, "[0,0,1,1]" in trial.submissions[-1].answer) == (BROKEN, True)


def test_giving_up_hands_typed_text_in(person):
    person.sitting.work.type_text(RIGHT)
    person.sitting.work.give_up()
    trial, score = given(person)
    assert (trial.state, score) == (TrialState.GIVEN_UP, 1)


def test_typed_text_survives_a_crash(person):
    person.sitting.work.type_text(BROKEN)
    person.work(2)
    person.die()
    person.begin()
    assert person.sitting.state.record.unapplied == BROKEN


def test_f9_hands_in_what_was_typed_and_not_applied(at_item, qtbot):
    window = at_item(study([main_item(0), main_item(1)]))
    window.page.answer_panel.text.setPlainText(RIGHT)
    window.submit()
    if window.is_asking:
        window._submit_now()
    qtbot.waitUntil(lambda: window.sitting.state.position == 1)
    (trial, _) = window.sitting.state.file.trials()
    assert SHIKAKU.verify(SHIKAKU.instances()[0], trial.submissions[-1].answer).passed


def test_text_that_cannot_be_read_is_objected_to_once_with_its_place(at_item, qtbot):
    window = at_item(study([main_item(0), main_item(1)]))
    window.page.answer_panel.text.setPlainText(BROKEN)
    objection = window.page.objection()
    assert "cannot be read" in objection
    assert "line 1" in objection
    assert "cannot be read" not in window.page.objection()


def test_what_was_typed_is_there_again_after_the_page_was_made_anew(at_item, qtbot):
    window = at_item(study([main_item(0), main_item(1)]))
    window.page.answer_panel.text.setPlainText(BROKEN)
    qtbot.waitUntil(lambda: window.sitting.state.record.unapplied == BROKEN)
    window.items.open_item(0)
    wait_for_item(qtbot, window)
    assert window.page.answer_panel.typed_text == BROKEN


def test_the_page_about_the_end_of_the_time_says_what_was_handed_in(at_item, qtbot):
    window = at_item(study([main_item(0), main_item(1)], limits={"item_s": 300, "pauses": {"kind": "between"}}))
    window.page.answer_panel.text.setPlainText(BROKEN)
    qtbot.waitUntil(lambda: window.sitting.state.record.unapplied == BROKEN)
    with window.sitting.recording.acting():
        window.sitting.answering.time_out()
    wait_for_page(qtbot, window, StudyPage.TIME_OVER)
    words = " ".join(label.text() for label in window.page.findChildren(QLabel))
    assert "The time for this item is over" in words
    assert "Your answer was handed in as it stood." in words
    assert "could not be read; it is kept" in words
