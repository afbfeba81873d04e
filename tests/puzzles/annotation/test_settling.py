"""What settles a disagreement of two reviewers is what is stored."""

import pytest

from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice, SettlingError, field_trouble, settled
from spatial_workbench.engine.puzzles.sets.originals import original

PUZZLE = original("Packing_Room").puzzle
TEXTS = [step.explanation for step in PUZZLE.reasoning]
ACCEPT = StepDecision(judged=JudgedAnnotation.ACCEPT)
OTHER_SKILL = {"skills": ("knowledge",)}
REJECT = StepDecision(judged=JudgedAnnotation.REJECT, reason="wrong")
ACCEPTED = PuzzleDecision(steps=(ACCEPT,) * 4)


def edited(text, **more):
    return PuzzleDecision(steps=(StepDecision(judged=JudgedAnnotation.CHANGE, text=text), *[ACCEPT] * 3), **more)


def rejecting(step):
    return PuzzleDecision(steps=tuple(REJECT if k == step else ACCEPT for k in range(4)))


def take(place, taken, text=""):
    return SettledChoice(place=place, taken=taken, text=text)


def texts(puzzle):
    return [step.explanation for step in puzzle.reasoning]


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ("A", [TEXTS[0], *TEXTS[2:]]),
        ("delete", [TEXTS[0], *TEXTS[2:]]),
        ("B", TEXTS),
        ("original", TEXTS),
    ],
)
def test_taking_the_version_of_who_rejected_a_step_deletes_it(taken, left):
    assert texts(settled(PUZZLE, rejecting(1), ACCEPTED, [take("step 2", taken)])) == left


def test_a_rejected_step_can_be_rewritten_as_two():
    puzzle = settled(PUZZLE, rejecting(1), rejecting(1), [take("step 2", "new", "One.\n \nTwo.")])
    assert texts(puzzle) == [TEXTS[0], "One.", "Two.", *TEXTS[2:]]


def test_what_is_agreed_stays_and_what_differs_takes_the_chosen_text():
    second = edited("Agreed", skills=("knowledge",))
    puzzle = settled(PUZZLE, edited("Agreed"), second, [take("skills", "new", "spatial, logic")])
    assert (texts(puzzle)[0], puzzle.skills) == ("Agreed", ("spatial", "logic"))


def test_an_order_can_be_taken_and_a_step_keeps_its_figure_when_it_moves():
    moved = ACCEPTED.model_copy(update={"order": (4, 1, 2, 3)})
    puzzle = settled(PUZZLE, ACCEPTED, moved, [take("order", "B")])
    assert puzzle.reasoning == (PUZZLE.reasoning[3], *PUZZLE.reasoning[:3])


@pytest.mark.parametrize(
    ("second", "choices", "reason"),
    [
        (rejecting(1), [], "Nothing is chosen for step 2"),
        (rejecting(1), [take("step 2", "B"), take("step 3", "A")], "do not differ about step 3"),
        (rejecting(1), [take("step 2", "new", " ")], "new text of step 2 is empty"),
        (ACCEPTED.model_copy(update={"solution": "X"}), [take("solution", "new", "")], "solution is empty"),
        (ACCEPTED.model_copy(update=OTHER_SKILL), [take("skills", "new", "magic")], "“magic” is not one"),
        (ACCEPTED.model_copy(update={"order": (2, 1, 3, 4)}), [take("order", "new", "1, 2")], "each step once"),
    ],
)
def test_choices_that_do_not_settle_are_refused(second, choices, reason):
    with pytest.raises(SettlingError, match=reason):
        settled(PUZZLE, ACCEPTED, second, choices)


def test_at_least_one_step_is_left():
    second = PuzzleDecision(steps=(REJECT,) * 4)
    with pytest.raises(SettlingError, match="No step is left"):
        settled(PUZZLE, ACCEPTED, second, [take(f"step {k}", "B") for k in range(1, 5)])


def test_known_words_are_no_trouble():
    assert field_trouble("difficulty", "easy") == field_trouble("skills", ("logic",)) == ""
