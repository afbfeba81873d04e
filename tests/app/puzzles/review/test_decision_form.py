"""One reviewer's decision."""

import pytest

from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from tests.app.puzzles.review.conftest import assigned, in_form


def test_a_rejected_step_needs_a_reason(window, review, qtbot):
    assigned(review, qtbot)
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    review.panel.form.steps[1].judged.setCurrentText("Reject")
    review.panel.form.finish.click()
    assert review.panel.form.note.text() == "Say why step 2 is rejected."


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("skills", "spacial", "Skills: “spacial” is not one of"),
        ("difficulty", "", "Difficulty: “” is not"),
        ("solution", " ", "The solution is empty."),
    ],
)
def test_a_reviewer_cannot_finish_with_a_tag_that_does_not_exist(window, review, qtbot, field, value, words):
    in_form(window, review, qtbot)
    review.panel.form.fields[field].setText(value)
    review.panel.form.finish.click()
    assert review.panel.form.note.text().startswith(words)
