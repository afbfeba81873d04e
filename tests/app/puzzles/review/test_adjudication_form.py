"""Two annotations side by side, and what is taken for the third."""

import pytest
from PySide6.QtGui import QUndoStack

from spatial_workbench.app.puzzles.review.adjudication_form import AdjudicationForm
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep

FIND = PuzzleStep("Pattern discovery: find the pots.")
A = Puzzle(
    "Leaf", "", "easy", "STEM", (FIND, PuzzleStep("Extraction: read the new letters.")), ("text",), ("wordplay",)
)
B = Puzzle("Leaf", "", "hard", "STEM", (FIND, PuzzleStep("Extraction: read the letters.")), ("text",), ("wordplay",))


@pytest.fixture
def stack(qapp):
    return QUndoStack()


@pytest.fixture
def form(qtbot, stack):
    form = AdjudicationForm(("Ada", A), ("Ben", B), stack)
    qtbot.addWidget(form)
    return form


def test_only_what_both_wrote_in_the_same_words_is_preset(form):
    assert [row.taken.currentText() for row in form.rows] == ["Same words", "Choose…"]
    assert [part.name for part in form.fields] == ["difficulty"]


def test_what_is_not_chosen_is_named(form):
    form.make.click()
    assert form.trouble.text() == "Choose what is taken for step 2 of A and step 2 of B."


def test_the_third_annotation_says_whose_each_step_is(form, qtbot):
    form.rows[1].taken.setCurrentText("Take both, A first")
    form.fields[0].taken.setCurrentText("Take B (Ben)")
    with qtbot.waitSignal(form.made) as made:
        form.make.click()
    steps, values = made.args
    assert [step.source.value for step in steps] == ["both", "A", "B"]
    assert (values["difficulty"], values["solution"]) == ("hard", "STEM")


def test_a_choice_and_typed_words_are_undone_and_done_again(form, stack):
    form.rows[1].taken.setCurrentText("New text")
    form.rows[1].new.setPlainText("Extraction: read STEM.")
    stack.undo()
    assert form.rows[1].new.toPlainText() == "Extraction: read the new letters."
    stack.undo()
    assert form.rows[1].taken.currentText() == "Choose…"
    assert not form.rows[1].new.isVisibleTo(form)
    stack.redo()
    stack.redo()
    assert form.steps()[1].text == "Extraction: read STEM."


def test_other_words_for_a_field_are_chosen(form):
    form.rows[1].taken.setCurrentText("Leave out")
    form.fields[0].taken.setCurrentText("Other words")
    form.fields[0].tags.choose(["medium"])
    assert form.values()["difficulty"] == "medium"
    assert len(form.steps()) == 1


def test_who_only_reads_chooses_nothing(qtbot):
    form = AdjudicationForm(("Ada", A), ("Ben", B), None)
    qtbot.addWidget(form)
    assert not form.rows[1].taken.isVisibleTo(form)
    assert not form.make.isVisibleTo(form)
