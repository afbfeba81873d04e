"""A solver's text as steps and answer."""

import pytest

from spatial_workbench.engine.puzzles.prompting import solution_text
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.solving import answer_of, steps_of, with_answer, with_steps


def test_a_solution_s_steps_and_answer_are_found_again():
    puzzle = originals()[0].puzzle
    text = solution_text(puzzle)
    assert steps_of(text) == [step.explanation for step in puzzle.reasoning]
    assert answer_of(text) == puzzle.solution
    assert with_steps(text, steps_of(text)) == text


@pytest.mark.parametrize(
    "text", ["", "I think it is a clock\n\nand flags", "**Answer:** ANCHOR", "Answer:", "1.\n2. two"]
)
def test_writing_what_was_read_changes_neither_steps_nor_answer(text):
    again = with_answer(with_steps(text, steps_of(text)), answer_of(text))
    assert (steps_of(again), answer_of(again)) == (steps_of(text), answer_of(text))


def test_another_answer_leaves_the_steps_as_they_were_written():
    assert with_answer("so:  first\n\nAnswer: A\n", " B  C ") == "so:  first\nAnswer: B C"


def test_an_empty_answer_has_no_line():
    assert with_answer("1. look\nAnswer: A", "") == "1. look"
