"""One puzzle under review: flags, reviewers, and who sees which form."""

import pytest

from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.engine.puzzles.annotation.review import ReviewState, Settled
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice
from tests.app.puzzles.review.conftest import FOLDER, assigned, decide, in_form, reach


def test_a_flag_stands_with_the_puzzle(review, qtbot):
    assigned(review, qtbot)
    assert "Step 1, jump: Why semaphore?" in review.panel.about.text()


@pytest.mark.slow
def test_two_accepts_verify(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben")
    assert review.panel.form is None
    decide(window, review, qtbot, "Cleo")
    assert review.records.reviews[FOLDER].state is ReviewState.VERIFIED


@pytest.mark.slow
def test_a_reviewer_does_not_see_what_the_other_decided(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    window.person.change_person("Cleo")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    assert "Ben's words" not in review.panel.form.steps[0].text.toPlainText()
    assert "Ben has finished" in review.panel.about.text()
    assert "change" not in review.panel.about.text()


@pytest.mark.slow
def test_another_person_never_goes_on_with_somebody_elses_form(window, review, qtbot):
    form = in_form(window, review, qtbot)
    window.person.change_person("Cleo")
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm) and review.panel.form is not form)


@pytest.mark.slow
def test_a_form_that_was_begun_stays_while_others_are_looked_at_and_the_other_reviewer_finishes(window, review, qtbot):
    form = in_form(window, review, qtbot)
    form.steps[0].judged.setCurrentText("Reject")
    review.queues.choose("Supper_Without_a_Lamp")
    assert review.panel.form is None
    review.queues.choose(FOLDER)
    window.person.change_person("Cleo")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm) and review.panel.form is not form)
    decide(window, review, qtbot, "Cleo")
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(lambda: review.panel.form is form)
    assert form.steps[0].judged.currentText() == "Reject"
    assert form.isVisibleTo(review.panel)


@pytest.mark.slow
def test_a_comment_leaves_the_form_as_it_is(window, review, qtbot):
    form = in_form(window, review, qtbot)
    review.panel.add_comment("Why semaphore?", 1)
    qtbot.waitUntil(lambda: len(review.panel.review.comments) == 1)
    assert review.panel.form is form
    assert len(review.panel.comments.shown) == 1


def test_a_puzzle_is_sent_back_with_what_is_to_be_changed(window, review, qtbot):
    assigned(review, qtbot)
    review.panel.send_back("Say why it is semaphore.")
    reach(review, qtbot, ReviewState.RETURNED)
    assert "To be changed: Say why it is semaphore." in review.panel.about.text()
    assert not review.panel.back.isEnabled()


@pytest.mark.slow
def test_what_is_chosen_about_a_dispute_stays_when_the_other_proposes(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DisagreementForm))
    form = review.panel.form
    form.parts[0].taken.setCurrentText("Take A (Ben)")
    choices = (SettledChoice(place="step 1", taken="A"),)
    review.records.record(Settled, review.panel.review, choices=choices)
    qtbot.waitUntil(lambda: bool(review.panel.review.proposals))
    assert review.panel.form is form
    assert form.parts[0].taken.currentText() == "Take A (Ben)"
