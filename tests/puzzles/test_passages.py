"""Passages of a text that stand beside the steps they are closest to."""

from spatial_workbench.engine.puzzles.passages import closest_passages, passages

TEXT = "The clocks are semaphore flags.\n1. The waves give the order of the letters.\n\nAnswer: ANCHOR"


def test_paragraphs_list_entries_and_the_answer_are_passages():
    assert passages(TEXT) == [
        "The clocks are semaphore flags.",
        "1. The waves give the order of the letters.",
        "Answer: ANCHOR",
    ]


def test_a_step_stands_beside_the_passage_that_shares_its_words():
    steps = ["Sort the letters by the order of waves", "Read each clock as semaphore flags"]
    assert closest_passages(TEXT, steps) == [passages(TEXT)[1], passages(TEXT)[0]]


def test_a_step_that_the_text_does_not_touch_stands_alone():
    assert closest_passages(TEXT, ["Fold the paper into a cube"]) == [""]


def test_a_text_of_braces_is_read_at_once():
    assert closest_passages("{" * 400_000, ["Fold the paper"]) == [""]
