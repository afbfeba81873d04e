"""Commands of lists of patterns, and that a verdict in an episode tells only the form."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from tests.tasks.acting import after

TASK, FIRST = resolve("topology_enumeration:0")


def listed(*words):
    return "list", {"configs": [[int(letter) for letter in word] for word in words]}


def unlisted(*words):
    return "unlist", listed(*words)[1]


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_is_reached_pattern_by_pattern(instance):
    reference = TASK.solve(instance)
    assert after(TASK, instance, *[("list", {"configs": [list(config)]}) for config in reference.configs]) == reference


def test_a_pattern_is_taken_off_the_list_whatever_its_classes_are_called():
    assert after(TASK, FIRST, listed("0011", "0101"), unlisted("1100")).configs == ((0, 1, 0, 1),)


def test_the_list_is_emptied():
    assert after(TASK, FIRST, listed("0011", "0101"), ("clear", {})) == TASK.empty(FIRST)


def test_a_pattern_may_be_listed_twice_since_nobody_judges():
    assert len(after(TASK, FIRST, listed("0011"), listed("0011")).configs) == 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (unlisted("0101"), "0101 is not listed"),
        (("list", {"configs": [[0, 1, 2]]}), "configs"),
        (("list", {"configs": [["0", 0, 0, 1]]}), "must be a whole number"),
        (("list", {"configs": [[0, 0, 0, float("nan")]]}), "must be a whole number"),
        (("list", {"configs": [[0, 0, 0, 9]]}), "less than or equal to 3"),
        (("list", {"configs": [[0, 0, 1, 1]] * 10_000}), "Too many configs"),
        (("list", {"configs": [[0, 0, 1, 1]] * 256}), "more than 256 patterns"),
        (("list", {"entries": []}), "configs is missing"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, listed("0011"), call)


def test_a_verdict_in_an_episode_is_the_same_for_right_and_wrong_patterns():
    """Only the form is told: with a right list, a wrong one, and half of the right one."""
    right = TASK.solve(FIRST).configs
    wrong = [(0, 0, 0, 0)]
    told = set()
    for configs in (right, wrong, right[:1], [*right, *wrong]):
        acting = Episode(TASK, FIRST, HandsOptions(condition="judged"))
        acting.call("list", {"configs": [list(config) for config in configs]})
        told.add(acting.call("verdict").result)
    assert len(told) == 1
    (text,) = told
    assert "Score" not in text
    assert "qualifying" not in text


def test_a_verdict_tells_what_is_wrong_with_the_form():
    acting = Episode(TASK, FIRST, HandsOptions(condition="judged"))
    acting.call(*listed("0011", "1100"))
    assert "  configs[1] repeats configs[0] (both are 0011)" in acting.call("verdict").result.splitlines()
