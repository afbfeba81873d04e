"""Final answers: extraction, normalisation, comparison; stepwise scores."""

import pytest

from spatial_workbench.engine.puzzles.answers import (
    FoundBy,
    equal_answers,
    extract,
    normalised,
    solved,
    solved_as_published,
)
from spatial_workbench.engine.puzzles.stepwise import share_met, stepwise_score


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('**Answer:** "Le Mans."', "Le Mans"),
        ("answer: neon", "neon"),
        ("## Final Answer: `NEON`", "NEON"),
        ("> Answer： NEON", "NEON"),
        ("Answer: first\nthen more\nAnswer: second", "second"),
        ("Answer: NEON\nand some words after it", "NEON"),
        ("Answer: (NEON).", "NEON"),
        ("- Answer: NEON", "NEON"),
    ],
)
def test_the_last_answer_line_counts(text, answer):
    assert extract(text).text == answer
    assert extract(text).found_by is FoundBy.LINE


@pytest.mark.parametrize(
    "text", ["so it is \\boxed{NEON}", "\\boxed{no} and then \\boxed{NEON}.", "\\boxed{\\text{NEON}}"]
)
def test_without_an_answer_line_the_last_box_counts(text):
    assert normalised(extract(text).text).endswith("NEON")
    assert extract(text).found_by is FoundBy.BOXED


@pytest.mark.parametrize("text", ["", "The answer is NEON", "Answer:", "\\boxed{", "\\boxed{}", "Answer: **"])
def test_a_text_without_either_has_no_answer(text):
    assert extract(text).found_by is FoundBy.NONE
    assert not solved(text, "NEON")


@pytest.mark.parametrize(
    ("given", "solution"),
    [
        ("Le Mans", "LEMANS"),
        ("café", "CAFE"),
        ("salt & pepper", "Salt and Pepper"),
        ("The Lantern", "LANTERN"),
        ("LANTERN", "a lantern"),
        ("москва", "МОСКВА"),
        ("42", "4 2"),
    ],
)
def test_answers_are_compared_without_case_accents_blanks_and_articles(given, solution):
    assert equal_answers(given, solution)


@pytest.mark.parametrize(("given", "solution"), [("HARBOR", "ANCHOR"), ("", ""), ("THEME", "ME"), ("a", "the")])
def test_other_answers_differ(given, solution):
    assert not equal_answers(given, solution)


def test_lower_case_is_right_but_not_as_published():
    assert solved("answer: neon", "NEON")
    assert not solved_as_published("answer: neon", "NEON")


def test_a_list_of_candidates_is_right_as_published_only():
    text = "It could be ANCHOR, HARBOR, VESSEL, SAILOR, TIDE, WAVE, BOAT, PORT, QUAY or DOCK.\nAnswer: HARBOR"
    assert not solved(text, "ANCHOR")
    assert solved_as_published(text, "ANCHOR")


@pytest.mark.parametrize(
    ("met", "score", "share"),
    [
        ((True, False, True, False), 0.75, 0.5),
        ((False, False), 0.0, 0.0),
        ((False, False, True), 1.0, 1 / 3),
        ((), 0.0, 0.0),
    ],
)
def test_the_last_step_that_was_met_sets_the_score(met, score, share):
    assert stepwise_score(met) == score
    assert share_met(met) == pytest.approx(share)
