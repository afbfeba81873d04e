"""Differences of two reviewers, word by word, and what settles them."""

from spatial_workbench.engine.puzzles.annotation.differences import differences, marked_words, settled
from spatial_workbench.engine.puzzles.annotation.review import JudgedAnnotation, PuzzleDecision, StepDecision
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


def test_what_is_agreed_stays_and_what_differs_takes_the_chosen_text():
    puzzle = settled(PUZZLE, edited("Agreed"), {"step 2": "Chosen", "skills": "spatial, logic"})
    assert [step.explanation for step in puzzle.reasoning[:2]] == ["Agreed", "Chosen"]
    assert puzzle.skills == ("spatial", "logic")


def test_words_that_differ_are_marked():
    assert marked_words("read the red lids", "read the lids") == [("read the ", False), ("red ", True), ("lids", False)]
