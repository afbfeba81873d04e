"""The lesson for annotators."""

import pytest

from spatial_workbench.engine.puzzles.annotation.lesson import PRACTICE, TaskKind, lesson
from spatial_workbench.engine.puzzles.sets.originals import originals

PUZZLE = next(original.puzzle for original in originals() if original.folder == PRACTICE)
SORTED = "Manipulation: put the words in order of length, which gives RAW, WARS, STRAW, WATERS, WARMEST."
RIGHT = (
    "stem",
    "Extraction: answer the clues in the given lengths, which gives WATERS, RAW, WARMEST, STRAW and WARS.",
    SORTED,
    "Extraction: take the added letters in order, S, T, E and M, which reads STEM.",
    "text,wordplay",
    "Edit it",
    "",
)
WRONG = (
    (0, "leaf", "not the answer"),
    (1, "Extraction: the answer is STEM.", "jumps"),
    (1, "", "Choose one"),
    (2, "", ""),
    (2, "Put the words in order of their length.", ""),
    (2, "Manipulation: sort.", ""),
    (2, "Extraction: read the first word of all of them.", "manipulation"),
    (3, "Extraction: take the added letters in their order.", "last step"),
    (4, "text", "wordplay is missing"),
    (4, "text,visual,wordplay", "visual is not needed"),
    (5, "Accept it", "cannot check"),
)


def checked(place, answer):
    return lesson()[place].check(answer, PUZZLE)


@pytest.mark.parametrize(("place", "answer"), list(enumerate(RIGHT)))
def test_what_is_right_is_said_to_be_so(place, answer):
    assert checked(place, answer).is_right


@pytest.mark.parametrize(("place", "answer", "said"), WRONG)
def test_what_is_wrong_is_explained(place, answer, said):
    feedback = checked(place, answer)
    assert (feedback.is_right, said.lower() in feedback.text.lower()) == (False, True)
    assert feedback.text


def test_the_steps_of_the_puzzle_pass_as_they_are():
    assert checked(3, PUZZLE.reasoning[-1].explanation).is_right


def test_hints_are_right_where_they_give_an_example():
    for place, task in enumerate(lesson()):
        if task.kind is TaskKind.TEXT:
            assert checked(place, task.hint.removeprefix("For example: ")).is_right
