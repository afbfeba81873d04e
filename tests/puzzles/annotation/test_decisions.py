"""The annotation as a reviewer wants it."""

from spatial_workbench.engine.puzzles.annotation.decisions import (
    JudgedAnnotation,
    PuzzleDecision,
    StepDecision,
    decision_applied,
    passages,
)
from spatial_workbench.engine.puzzles.sets.originals import original

PUZZLE = original("Packing_Room").puzzle
ACCEPT = StepDecision(judged=JudgedAnnotation.ACCEPT)


def test_steps_are_added_split_and_moved():
    first = StepDecision(judged=JudgedAnnotation.ACCEPT, more=("Added.",))
    decision = PuzzleDecision(steps=(first, *[ACCEPT] * 3), before=("Opening.",), order=(1, 2, 4, 3))
    wanted = decision_applied(PUZZLE, decision)
    own = PUZZLE.reasoning
    assert [wanted.reasoning[k] for k in (1, 3, 4, 5)] == [own[0], own[1], own[3], own[2]]
    assert [wanted.reasoning[k].explanation for k in (0, 2)] == ["Opening.", "Added."]
    assert decision.judged is JudgedAnnotation.CHANGE


def test_a_rejected_step_is_left_out():
    reject = StepDecision(judged=JudgedAnnotation.REJECT, reason="wrong")
    decision = PuzzleDecision(steps=(ACCEPT, reject, ACCEPT, ACCEPT))
    assert passages(PUZZLE, decision)[2] == ()
    assert decision_applied(PUZZLE, decision) is None


def test_an_order_names_each_step_once():
    assert PuzzleDecision(steps=(ACCEPT,) * 2, order=(1, 1)).trouble
    assert not PuzzleDecision(steps=(ACCEPT,) * 2, order=(2, 1)).trouble
