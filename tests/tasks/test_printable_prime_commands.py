"""Commands of the printable prime: what each does to the digits, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from tests.tasks.acting import after

TASK, RULES = resolve("printable_prime:0")


def spelled(answer):
    return "".join(str(item.digit) for item in answer.numberSequence)


def stacked(text):
    return after(TASK, RULES, ("set", {"text": text, "orientations": ["flat"]}))


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached(instance):
    reference = TASK.solve(instance)
    ways = [item.orientation.value for item in reference.numberSequence]
    assert after(TASK, instance, ("set", {"text": spelled(reference), "orientations": ways})) == reference


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached_digit_by_digit(instance):
    reference = TASK.solve(instance)
    calls = [
        ("add", {"digit": item.digit, "orientation": item.orientation.value}) for item in reference.numberSequence[:60]
    ]
    assert after(TASK, instance, *calls).numberSequence == reference.numberSequence[:60]


def test_a_digit_goes_on_top_or_to_a_place():
    answer = after(TASK, RULES, ("add", {"digit": 9}), ("add", {"digit": 5, "place": 0}), answer=stacked("11"))
    assert spelled(answer) == "5119"


def test_digits_get_another_orientation():
    answer = after(TASK, RULES, ("turn", {"digits": [1], "orientation": "flippedX"}), answer=stacked("22"))
    assert [item.orientation for item in answer.numberSequence] == ["flat", "flippedX"]


def test_a_digit_moves_to_another_place():
    assert spelled(after(TASK, RULES, ("move", {"digit": 2, "place": 0}), answer=stacked("123"))) == "312"


def test_digits_are_deleted():
    assert spelled(after(TASK, RULES, ("delete", {"digits": [0, 2]}), answer=stacked("123"))) == "2"


def test_digits_that_do_not_rest_are_kept_since_nobody_judges():
    assert spelled(stacked("18")) == "18"


def test_the_orientations_of_a_number_are_found_as_in_the_reference():
    reference = TASK.solve(RULES)
    assert after(TASK, RULES, ("fitted", {"text": spelled(reference)})) == reference


def test_the_next_prime_is_larger_and_has_no_divisor():
    number = int(spelled(after(TASK, RULES, ("next_prime", {"way": "larger"}), answer=stacked("114"))))
    assert number > 114
    assert [divisor for divisor in range(2, number) if number % divisor == 0] == []


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("set", {"text": "12a", "orientations": ["flat"]}), "text"),
        (("set", {"text": "123", "orientations": ["flat", "flat"]}), "3 orientations are needed, or one"),
        (("set", {"text": "1", "orientations": ["upright"]}), "orientations"),
        (("add", {"digit": 10}), "digit"),
        (("add", {"digit": 1, "place": 4}), "There is no place 4"),
        (("delete", {"digits": [0]}), "there is no digit yet"),
        (("next_prime", None), "There are no digits yet"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, RULES, call)
