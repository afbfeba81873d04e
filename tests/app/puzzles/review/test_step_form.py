"""A step in a reviewer's own version."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from spatial_workbench.app.puzzles.review.step_form import AddedSteps, StepForm


def test_a_text_looks_editable_only_while_it_is_edited(qtbot):
    form = StepForm(1, "One step.")
    qtbot.addWidget(form)
    assert (form.shown.isHidden(), form.text.isHidden()) == (False, True)
    form.judged.setCurrentText("Edit")
    assert (form.shown.isHidden(), form.text.isHidden()) == (True, False)


def test_a_step_is_split_at_the_cursor(qtbot):
    form = StepForm(1, "Find the dials. Read them.")
    qtbot.addWidget(form)
    form.judged.setCurrentText("Edit")
    cursor = form.text.textCursor()
    cursor.setPosition(len("Find the dials."), QTextCursor.MoveMode.MoveAnchor)
    form.text.setTextCursor(cursor)
    form.split_at_cursor()
    decision = form.decision()
    assert (decision.text, decision.more) == ("Find the dials.", ("Read them.",))


def test_accepting_what_is_open_leaves_decisions_alone(qtbot):
    form = StepForm(1, "x")
    qtbot.addWidget(form)
    form.judged.setCurrentText("Reject")
    form.accept_if_open()
    assert form.lacking == "Say why step 1 is rejected."


def test_new_steps_without_a_text_are_left_out(qtbot):
    added = AddedSteps("after step 1")
    qtbot.addWidget(added)
    added.add("First.")
    added.add(" ")
    added.add("Zeroth.", 0)
    assert added.texts() == ("Zeroth.", "First.")


def test_rejecting_goes_on_to_the_reason_and_editing_does_not_stop_the_arrow_keys(qtbot):
    form = StepForm(1, "One step.")
    qtbot.addWidget(form)
    form.show()
    form.judged.setFocus()
    for decision, focused in (("Accept", form.judged), ("Edit", form.judged), ("Reject", form.reason)):
        qtbot.keyClick(form.judged, Qt.Key.Key_Down)
        assert form.judged.currentText() == decision
        assert form.focusWidget() is focused
