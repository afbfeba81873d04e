"""Where two reviewers differ."""

from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from tests.app.puzzles.review.conftest import FOLDER, assigned, decide, reach


def test_a_disagreement_is_settled_by_a_new_text_which_is_what_is_stored(window, review, qtbot, puzzles):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    reach(review, qtbot, ReviewState.DISAGREEMENT)
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DisagreementForm))
    (part,) = review.panel.form.parts
    assert part.shown[0].property("rich")
    assert "<b><u>Ben&#x27;s</u>" in part.shown[0].text()
    part.taken.setCurrentText("New text")
    part.new.setPlainText("Pattern discovery: the words of both, which stand here.")
    review.panel.form.settle.click()
    reach(review, qtbot, ReviewState.VERIFIED)
    with qtbot.waitSignal(review.applied):
        review.records.apply()
    stored = puzzles.folder(FOLDER).read().puzzle
    assert stored.reasoning[0].explanation == "Pattern discovery: the words of both, which stand here."
