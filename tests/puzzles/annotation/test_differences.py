"""Differences of two reviewers, word by word, and what settles them."""

from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.differences import differences, marked_words
from spatial_workbench.engine.puzzles.sets.originals import original

PUZZLE = original("Packing_Room").puzzle
ACCEPT = StepDecision(judged=JudgedAnnotation.ACCEPT)


def edited(text):
    return PuzzleDecision(steps=(StepDecision(judged=JudgedAnnotation.CHANGE, text=text), ACCEPT, ACCEPT, ACCEPT))


ACCEPTED = PuzzleDecision(steps=(ACCEPT,) * 4)


def test_equal_decisions_do_not_differ():
    assert differences(PUZZLE, edited("Same"), edited("Same")) == []


def test_each_step_and_field_that_differs_is_named():
    second = ACCEPTED.model_copy(update={"skills": ("knowledge",)})
    assert [d.place for d in differences(PUZZLE, edited("Other words"), second)] == ["step 1", "skills"]


def test_a_rejected_step_is_a_difference_with_its_reason():
    rejected = PuzzleDecision(
        steps=(ACCEPT, StepDecision(judged=JudgedAnnotation.REJECT, reason="wrong"), ACCEPT, ACCEPT)
    )
    (found,) = differences(PUZZLE, ACCEPTED, rejected)
    assert (found.place, found.notes) == ("step 2", ("accept", "reject: wrong"))


def test_the_text_of_a_rejected_step_is_empty_in_the_column_of_who_rejects_it():
    rejected = PuzzleDecision(steps=(StepDecision(judged=JudgedAnnotation.REJECT, reason="wrong"), *[ACCEPT] * 3))
    (found,) = differences(PUZZLE, rejected, ACCEPTED)
    assert (found.first, found.original, found.second) == ("", found.second, PUZZLE.reasoning[0].explanation)


def test_steps_that_were_added_split_and_moved_are_differences():
    split = StepDecision(judged=JudgedAnnotation.CHANGE, text="One half.", more=("The other half.",))
    second = PuzzleDecision(steps=(split, *[ACCEPT] * 3), before=("Read the title.",), order=(2, 1, 3, 4))
    found = {d.place: d.second for d in differences(PUZZLE, ACCEPTED, second)}
    assert found == {
        "before step 1": "Read the title.",
        "step 1": "One half.\n\nThe other half.",
        "order": "2, 1, 3, 4",
    }


def test_words_that_differ_are_marked():
    assert marked_words("read the red lids", "read the lids") == [("read the ", False), ("red ", True), ("lids", False)]
