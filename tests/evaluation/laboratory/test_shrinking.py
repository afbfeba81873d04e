"""Answers are made small, and the difference stays."""

import json

import pytest

from spatial_workbench.engine.core import resolve, task
from spatial_workbench.engine.evaluation.laboratory.answer_parts import element_count, most_digits
from spatial_workbench.engine.evaluation.laboratory.searching.asking import ask_all, findings_in
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import known_in
from spatial_workbench.engine.evaluation.laboratory.shrinking import keeping, made_small
from spatial_workbench.engine.evaluation.laboratory.verifiers import verifiers_of


def test_elements_that_do_not_matter_are_removed() -> None:
    bricks = [{"x": number} for number in range(40)]
    text = json.dumps({"bricks": bricks})

    def keeps(address: str, answer: str) -> bool:
        numbers = [brick.get("x") for brick in json.loads(answer).get("bricks", [])]
        return 17 in numbers and 31 in numbers

    small = made_small("shikaku:0", text, keeps)
    assert json.loads(small.answer) == {"bricks": [{"x": 17}, {"x": 31}]}
    assert small.is_finished


def test_numbers_become_short_or_zero() -> None:
    text = json.dumps({"points": [[12.345678, 0.512345], [7.25, 3.0]]})

    def keeps(address: str, answer: str) -> bool:
        points = json.loads(answer).get("points", [])
        return len(points) == 2 and len(points[0]) == 2 and 0.5 <= points[0][1] < 0.6

    small = made_small("shikaku:0", text, keeps)
    assert most_digits(small.answer) == 1
    assert json.loads(small.answer)["points"][0][1] == 0.5


def test_lines_and_words_of_texts_are_removed() -> None:
    small = made_small("maze_3d:0", "Here it is:\nA1\n2B\nbye now", lambda address, answer: "2B" in answer)
    assert small.answer == "2B"


def test_equal_arguments_give_equal_answers() -> None:
    text = json.dumps({"x": list(range(30))})

    def keeps(address: str, answer: str) -> bool:
        return sum(json.loads(answer).get("x", [])) > 40

    assert made_small("shikaku:0", text, keeps) == made_small("shikaku:0", text, keeps)


def test_a_limit_ends_it_with_the_smallest_so_far() -> None:
    text = json.dumps({"x": list(range(100))})
    small = made_small("shikaku:0", text, lambda address, answer: "99" in answer, most_asked=3)
    assert not small.is_finished
    assert small.asked == 3


def test_a_number_becomes_short_on_its_side_of_a_threshold() -> None:
    text = json.dumps({"x": 0.16712})
    small = made_small("shikaku:0", text, lambda address, answer: 0.1 < json.loads(answer).get("x", 0) < 0.168)
    assert most_digits(small.answer) == 2


@pytest.mark.slow
def test_the_difference_of_two_verifiers_is_kept_on_a_smaller_instance() -> None:
    judge = task("hamiltonian_loop")
    instance = judge.instances()[0]
    solved = json.loads(judge.format(judge.solve(instance)))
    shifted = {"steps": [{"xy": [x - 0.5 for x in step["xy"]]} for step in solved["steps"]]}
    text = json.dumps(shifted)
    verifiers = verifiers_of(judge)
    (found, *_) = findings_in(verifiers, ask_all(verifiers, instance, text), instance.address, text, "test")
    assert known_in(found) == ("fractional-coordinates",)
    small = made_small(instance.address, text, keeping(judge, found.divergence, known=known_in(found)))
    smaller = resolve(small.address)[1]
    assert judge.verify(smaller, small.answer, "published").passed
    assert not judge.verify(smaller, small.answer).passed
    assert element_count(small.answer) == 4
