"""One reviewer's decision."""

import pytest
from PySide6.QtWidgets import QLabel

from tests.app.puzzles.review.conftest import in_form


def test_nothing_is_decided_before_the_reviewer_does(window, review, qtbot):
    form = in_form(window, review, qtbot)
    form.finish.click()
    assert form.note.text() == "Nothing is decided on step 1."


@pytest.mark.slow
def test_a_rejected_step_needs_a_reason(window, review, qtbot):
    form = in_form(window, review, qtbot)
    form.steps[1].judged.setCurrentText("Reject")
    form.accept_rest.click()
    form.finish.click()
    assert form.note.text() == "Say why step 2 is rejected."


def test_tags_and_difficulty_are_chosen_and_an_empty_choice_is_refused(window, review, qtbot):
    form = in_form(window, review, qtbot)
    form.accept_rest.click()
    form.tags["skills"].choose(())
    form.finish.click()
    assert form.note.text().startswith("Skills: “” is not one of")
    form.tags["skills"].choose(("logic",))
    form.solution.setText(" ")
    form.finish.click()
    assert form.note.text() == "The solution is empty."
    form.solution.setText("HARBOUR")
    form.tags["difficulty"].choose(("hard",))
    decision = form.decision()
    assert (decision.skills, decision.difficulty, decision.solution) == (("logic",), "hard", "HARBOUR")


@pytest.mark.slow
def test_steps_are_moved_and_added(window, review, qtbot):
    form = in_form(window, review, qtbot)
    form.accept_rest.click()
    form.steps[1].moved.emit(-1)
    form.steps[1].moved.emit(-1)
    form.before.add("Pattern discovery: read the title.")
    decision = form.decision()
    assert decision.order == (2, 1, 3, 4)
    assert decision.before == ("Pattern discovery: read the title.",)
    assert [form.steps[k].findChild(QLabel, "caption").text() for k in (0, 1)] == [
        "Step 1 · moved down",
        "Step 2 · moved up",
    ]
    assert not form.steps[1].up.isEnabled()
    form.steps[0].moved.emit(-1)
    assert form.decision().order is None
    assert form.steps[0].findChild(QLabel, "caption").text() == "Step 1"
