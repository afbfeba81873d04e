"""Paths to the parts of an answer, and how large an answer is."""

import pytest

from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    digits_of,
    element_count,
    is_number,
    most_digits,
    part_at,
    paths_to,
    size_of,
    with_part,
)

BOXES = {"reasoning": "1, 2", "boxes": [{"xyz": [0, 1.25]}, {"xyz": [3, 4]}]}


def test_numbers_are_found_by_their_paths_without_truth_values() -> None:
    paths = paths_to({"a": [1, True, "2"], "b": 2.5}, is_number)
    assert paths == [("a", 0), ("b",)]


def test_a_part_is_replaced_in_a_copy() -> None:
    changed = with_part(BOXES, ("boxes", 1, "xyz", 0), 7)
    assert part_at(changed, ("boxes", 1, "xyz", 0)) == 7
    assert part_at(BOXES, ("boxes", 1, "xyz", 0)) == 3


@pytest.mark.parametrize(
    ("number", "digits"), [(0, 0), (7, 1), (120, 2), (0.125, 3), (-1.5, 2), (1e-9, 1), (1.000001, 7), (0.05, 1)]
)
def test_digits_are_those_that_matter(number: float, digits: int) -> None:
    assert digits_of(number) == digits


def test_the_size_of_an_answer_counts_its_longest_list_and_its_longest_number() -> None:
    text = '{"reasoning":"0.123456","boxes":[[1,2],[3,4],[5.25,6]]}'
    assert (element_count(text), most_digits(text)) == (3, 3)
    assert size_of('{"boxes":[[1,2]]}') < size_of(text)


def test_a_text_has_lines() -> None:
    assert (element_count("A1\n2B"), most_digits("A1\n2B")) == (2, 0)
