"""What people are told before the first item that counts is what the plan says, and nothing else."""

import pytest

from spatial_workbench.engine.studies.planning.briefing import briefing, duration
from spatial_workbench.engine.studies.planning.document import study_of
from spatial_workbench.engine.studies.planning.slots import slots_of
from tests.studies.planning.test_document import SMALLEST
from tests.studies.sittings import main_item, study


def told(items=None, time_factor=1.0, **changes):
    of = study(items, **changes)
    return briefing(of, slots_of(of)[0], time_factor)


def test_items_that_count_are_counted_and_practice_is_told_apart():
    text = told([{**main_item(2), "phase": "practice"}, main_item(0), main_item(1)])
    assert "There are 2 items." in text
    assert "1 practice item" in text


def test_attention_items_are_not_told_apart():
    attention = {"id": "a", "kind": "question", "phase": "attention", "options": ["x"], "expects": {"value": "x"}}
    text = told([main_item(0), {**attention, "shows": "Choose x."}, main_item(1)])
    assert "There are 3 items." in text
    assert "attention" not in text.lower()


def test_a_limit_is_that_of_the_person():
    assert "up to 5 minutes for each item" in told()
    assert "up to 7 minutes 30 seconds for each item" in told(time_factor=1.5)


def test_no_limit_is_promised_and_no_end_of_the_time_where_there_is_none():
    text = told(limits={"pauses": {"kind": "none"}})
    assert "The items have no time limit." in text
    assert "is over" not in text


def test_items_with_limits_of_their_own_are_said_to_differ():
    text = told([{**main_item(0), "limit_s": 60}, main_item(1)])
    assert "different time limits" in text
    assert "for each item" not in text


def test_a_hidden_clock_is_not_promised():
    assert "The time left stands above the item." in told()
    assert "time left" not in told(conditions={"only": {"clock": "hidden"}})


@pytest.mark.parametrize(
    ("at_timeout", "words"), [("draft", "handed in as it stands"), ("none", "only what you have submitted counts")]
)
def test_what_the_end_of_the_time_does_is_said(at_timeout, words):
    assert words in told(limits={"item_s": 300, "at_timeout": at_timeout})


def test_tools_are_told_by_what_becomes_of_them():
    text = told(tools={"paper": "provided", "calculator": "allowed"})
    assert "You are given: paper and pen." in text
    assert "You may use: a calculator." in text
    assert "Please do not use: programs of your own, the internet, AI, other tools." in text


def test_several_submissions_say_which_one_counts():
    text = told(limits={"item_s": 300, "submissions": 3, "score_of": "best"})
    assert "up to 3 times. The best one counts." in text


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ({}, "You are not told how you did."),
        ({"feedback": "passed", "feedback_after": "end"}, "whether your answer was right, at the end"),
        ({"feedback": "score"}, "the score of your answer, after each item"),
    ],
)
def test_what_is_told_afterwards_is_that_of_the_condition(condition, words):
    assert words in told(conditions={"only": condition})


def test_failing_the_first_questions_is_said_to_end_participation():
    question = {"id": "c", "kind": "question", "phase": "comprehension", "options": ["x"], "expects": {"value": "x"}}
    assert "cannot take part" in told([{**question, "shows": "Choose x."}, main_item(0)])
    assert "cannot take part" not in told()


def test_pay_is_told():
    assert "5 euros an hour" in told(incentive={"base": "5 euros an hour"})
    assert "What you get" not in told()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(45, "45 seconds"), (60, "1 minute"), (90, "90 seconds"), (600, "10 minutes"), (5400, "1 hour 30 minutes")],
)
def test_times_are_said_as_people_say_them(seconds, words):
    assert duration(seconds) == words


def test_documents_without_a_text_of_their_own_keep_their_hash():
    assert "briefing" not in study_of(SMALLEST).data
    assert study_of(SMALLEST | {"briefing": "Be quick."}).data["briefing"] == "Be quick."
