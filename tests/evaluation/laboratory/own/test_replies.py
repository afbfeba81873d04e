"""Replies of other people's verifiers are read strictly: a verdict, or the place of what is wrong."""

import json

import pytest

from spatial_workbench.engine.core import State
from spatial_workbench.engine.evaluation.laboratory.own.replies import MOST_BYTES, ReplyFault, read_reply

GOOD = {"score": 0.5, "passed": False}


def read(data):
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    return read_reply(text, "own:theirs", "abc", "shikaku:0")


def test_a_reply_is_a_verdict_under_the_name_of_its_verifier():
    checks = [
        {"name": "inside", "passed": True},
        {"name": "overlaps", "passed": False, "message": "Bricks 3 and 7 overlap", "elements": ["brick 3"]},
    ]
    verdict = read(GOOD | {"checks": checks})
    assert (verdict.verifier, verdict.version, verdict.instance) == ("own:theirs", "abc", "shikaku:0")
    assert (verdict.score, verdict.passed) == (0.5, False)
    assert [check.state for check in verdict.checks] == [State.PASSED, State.FAILED]
    assert verdict.failed_elements == ("brick 3",)
    assert verdict.checks[1].message == "Bricks 3 and 7 overlap"


def test_a_whole_number_is_a_score():
    assert read({"score": 1, "passed": True}).score == 1.0


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ("", "it is empty"),
        ("Traceback (most recent call last)", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ([1], "the reply"),
        ({"passed": True}, "score: "),
        ({"score": 1}, "passed: "),
        ({"score": 1.5, "passed": True}, "score: "),
        ({"score": -0.1, "passed": True}, "score: "),
        ({"score": "1", "passed": True}, "score: "),
        ({"score": True, "passed": True}, "score: "),
        ({"score": float("nan"), "passed": True}, "score: "),
        ({"score": float("inf"), "passed": True}, "score: "),
        ({"score": 1, "passed": "yes"}, "passed: "),
        (GOOD | {"checks": {}}, "checks: "),
        (GOOD | {"checks": [{"passed": True}]}, "checks[0].name: "),
        (GOOD | {"checks": [{"name": "a", "passed": True}, {"name": "b", "passed": None}]}, "checks[1].passed: "),
        (GOOD | {"checks": [{"name": "a", "passed": False, "elements": [1]}]}, "checks[0].elements[0]: "),
        (GOOD | {"checks": [{"name": "a", "passed": True}] * 1001}, "checks: "),
        (b"x" * (MOST_BYTES + 1), "bytes"),
    ],
)
def test_what_is_no_verdict_is_refused_with_its_place(reply, place):
    with pytest.raises(ReplyFault, match=place.replace("[", r"\[").replace("]", r"\]")):
        read(reply)
