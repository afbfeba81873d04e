"""One puzzle under review: flags, reviewers, and who sees which form."""

from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from tests.app.puzzles.review.conftest import FOLDER, assigned, decide, in_form


def test_a_flag_stands_with_the_puzzle(review, qtbot):
    assigned(review, qtbot)
    assert "Step 1, jump: Why semaphore?" in review.panel.about.text()


def test_two_accepts_verify(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben")
    assert review.panel.form is None
    decide(window, review, qtbot, "Cleo")
    assert review.records.reviews[FOLDER].state is ReviewState.VERIFIED


def test_a_reviewer_does_not_see_what_the_other_decided(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    window.person.change_person("Cleo")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    assert "Ben's words" not in review.panel.form.steps[0].text.toPlainText()
    assert "Ben has finished" in review.panel.about.text()
    assert "change" not in review.panel.about.text()


def test_another_person_never_goes_on_with_somebody_elses_form(window, review, qtbot):
    form = in_form(window, review, qtbot)
    window.person.change_person("Cleo")
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm) and review.panel.form is not form)
