"""Where two reviewers differ."""

import pytest

from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from tests.app.puzzles.review.conftest import FOLDER, assigned, decide, reach


@pytest.mark.slow
def test_a_disagreement_is_settled_by_a_new_text_which_is_what_is_stored(window, review, qtbot, puzzles):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    reach(review, qtbot, ReviewState.DISAGREEMENT)
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DisagreementForm))
    (part,) = review.panel.form.parts
    assert part.shown[0].property("rich")
    assert "<b><u>Ben&#x27;s</u>" in part.shown[0].text()
    window.person.change_person("Dora")
    review.records.reload()
    qtbot.waitUntil(lambda: review.panel.form is not None and review.panel.form.note.text() == "")
    (part,) = review.panel.form.parts
    assert part.choice() is None
    review.panel.form.settle.click()
    assert review.panel.form.trouble.text() == "Choose what is taken for step 1."
    part.taken.setCurrentText("New text")
    part.new.setPlainText("Pattern discovery: the words of both, which stand here.")
    review.panel.form.settle.click()
    reach(review, qtbot, ReviewState.VERIFIED)
    with qtbot.waitSignal(review.applied):
        review.records.apply()
    stored = puzzles.folder(FOLDER).read().puzzle
    assert stored.reasoning[0].explanation == "Pattern discovery: the words of both, which stand here."


def test_one_of_the_two_who_differ_proposes_and_the_other_agrees(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    for person, other in (("Ben", "Cleo"), ("Cleo", "Ben")):
        window.person.change_person(person)
        review.records.reload()
        qtbot.waitUntil(lambda other=other: _is_for(review.panel.form, other))
        review.panel.form.parts[0].taken.setCurrentText("Take B (Cleo)")
        review.panel.form.settle.click()
        if person == "Ben":
            qtbot.waitUntil(lambda: "Ben" in review.records.reviews[FOLDER].proposals)
            assert review.records.reviews[FOLDER].state is ReviewState.DISAGREEMENT
    reach(review, qtbot, ReviewState.VERIFIED)
    assert "Settled by Ben and Cleo." in review.panel.about.text()


def _is_for(form, other):
    return isinstance(form, DisagreementForm) and other in form.note.text()


def test_the_author_does_not_settle(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    window.person.change_person("Ada")
    review.records.reload()
    qtbot.waitUntil(lambda: review.panel.form is None)
