"""Commands of classify behaviour: labels come and go."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from tests.tasks.acting import after

TASK, SQUARES = resolve("classify_behaviour:0")


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached(instance):
    reference = TASK.solve(instance)
    calls = [("set", {"squares": [k], "label": label}) for k, label in enumerate(reference.labels)]
    assert after(TASK, instance, *calls) == reference


def test_squares_without_a_label_stay_empty():
    labels = after(TASK, SQUARES, ("set", {"squares": [1, 2], "label": "ambiguous"})).labels
    assert labels[:3] == ("", "ambiguous", "ambiguous")


def test_an_answer_without_labels_is_the_empty_one():
    answer = after(TASK, SQUARES, ("set", {"squares": [1], "label": "ambiguous"}), ("clear", {"squares": [1]}))
    assert answer == TASK.empty(SQUARES)


def test_the_state_lists_every_square():
    answer = after(TASK, SQUARES, ("set", {"squares": [1], "label": "ambiguous"}))
    assert TASK.state(SQUARES, answer)["squares"][:2] == [{"id": 0, "label": ""}, {"id": 1, "label": "ambiguous"}]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("set", {"squares": [99], "label": "ambiguous"}), "There is no square 99"),
        (("set", {"squares": [0], "label": "unclear"}), "label"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SQUARES, call)
