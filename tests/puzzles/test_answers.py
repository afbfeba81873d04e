"""Final answers: extraction, normalisation, comparison; stepwise scores."""

import random
import re
from pathlib import Path

import pytest

from spatial_workbench.engine.puzzles.answers import (
    FoundBy,
    equal_answers,
    extract,
    solved,
    solved_as_published,
)
from spatial_workbench.engine.puzzles.stepwise import share_met, stepwise_score
from spatial_workbench.engine.tasks.puzzle_hunt.crosscheck import right_again


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


EVERYDAY = {
    FoundBy.LINE: [
        "Answer: STEM",
        "answer: stem",
        "**Answer:** STEM",
        "**Answer: STEM**",
        "# Answer: `STEM`",
        "> Answer: STEM",
        "- Answer: STEM",
        'FINAL ANSWER: "STEM".',
        "Answer：STEM",
        "Answer = STEM",
        "Answer – STEM",
        "Answer: $\\boxed{STEM}$",
        "Answer: \\boxed{\\text{STEM}}",
        "Answer: \\text{STEM}",
        "Answer: <answer>STEM</answer>",
        "Final Answer: The final answer is $\\boxed{STEM}$. I hope it is correct.",
        "**Answer:** The answer is STEM.",
        "Answer: the word STEM",
        "Answer: STEM (a part of a plant)",
        "Answer: STEM — the part that carries the leaves",
        "Answer: STEM, because the letters spell it",
        "Answer: STEM because of the leaves",
        "Answer: STEM. The letters of the pots spell it.",
        "Answer: STEM; that is what the leaves grow on",
        "Answer: STEM, i.e., what the leaves grow on",
        "Answer → STEM",
        "Answer: <b>STEM</b><br>",
        "<p><strong>Answer:</strong> STEM</p>",
        "Answer: STEM</answer>",
        "final_answer: STEM",
        "Answer: STEM\n\nLet me know if you want more details.",
    ],
    FoundBy.HEADING: [
        "Answer:\nSTEM",
        "Answer:\n\n**STEM**",
        "## Answer\n\nSTEM",
        "**Final Answer**\n\n**STEM**",
        "## Final answer\n```\nSTEM\n```",
        "### Answer\nThe answer is **STEM**.",
        "The final answer is:\n\n**STEM**",
        "Therefore, the answer is\nSTEM",
        "The answer to this puzzle is:\n$$\\boxed{STEM}$$",
    ],
    FoundBy.TAG: [
        "<answer>STEM</answer>",
        "<answer>\nSTEM\n</answer>",
        "so <final_answer>STEM</final_answer>",
        "<answer>STEM",
    ],
    FoundBy.BOXED: [
        "so it is \\boxed{STEM}",
        "\\boxed{no} and then \\boxed{STEM}.",
        "\\boxed{\\text{STEM}}",
        "$\\boxed{STEM}$",
        "$$\\boxed{\\textbf{STEM}}$$",
        "\\[\\boxed{\\mathrm{STEM}}\\]",
    ],
    FoundBy.FIELD: [
        '{"answer": "STEM"}',
        '{"reasoning": "x", "answer": "STEM", "confidence": 0.9}',
        '```json\n{\n  "answer": "STEM"\n}\n```',
    ],
    FoundBy.SENTENCE: [
        "The answer is STEM",
        "The answer is: STEM",
        "The answer is **STEM**.",
        'So the final answer is "STEM".',
        "The answer: STEM",
        "My answer: STEM",
        "Thus, the solution to this puzzle is STEM, a part of a plant.",
        "The answer to the puzzle is therefore **STEM**.",
    ],
}
FORMS = [(text, found_by) for found_by, texts in EVERYDAY.items() for text in texts]


@pytest.mark.parametrize(("text", "found_by"), FORMS)
def test_answers_in_everyday_forms_are_found(text, found_by):
    answer = extract(f"The letters are sorted.\n\n{text}\n")
    assert answer.equals("STEM")
    assert answer.found_by is found_by


@pytest.mark.parametrize(("text", "found_by"), FORMS)
def test_the_cross_check_reads_everyday_forms_by_its_own_method(text, found_by):
    assert right_again(text, "STEM")
    assert not right_again(text, "LEAF")


def test_the_published_rule_differs_only_in_case_here():
    assert [text for text, _ in FORMS if not solved_as_published(text, "STEM")] == ["answer: stem"]


NO_ANSWERS = [
    "Answer: STEM or LEAF",
    "Answer: STEM/LEAF",
    "Answer: STEM (or LEAF)",
    "Answer: STEM — or perhaps it is LEAF",
    "Answer: LEAF (not STEM)",
    "Answer: STEM, LEAF, POT",
    "The answer is either STEM or LEAF",
    "The answer is not STEM",
    "If the answer is STEM, the leaves fit.",
    "Is the answer STEM?",
    "Answer:\nThe following words are candidates: STEM",
    "Answer: SYSTEM",
    "STEM, STOP and STEP are left.\nAnswer: STEP",
    "STEM",
]


@pytest.mark.parametrize("text", NO_ANSWERS)
def test_a_choice_a_doubt_and_a_condition_are_not_the_answer(text):
    assert solved_as_published(text, "STEM")
    assert not solved(text, "STEM")
    assert not right_again(text, "STEM")


@pytest.mark.parametrize(
    ("text", "solution"),
    [
        ("Answer: St. Elmo's fire on the sea", "STELMOSFIREONTHESEA"),
        ("Answer: Ten (10)", "TEN 10"),
        ("Answer: The word", "THE WORD"),
        ("Answer: spider - man, because", "SPIDERMAN"),
        ("Answer: Gone with the wind", "GONE WITH THE WIND"),
    ],
)
def test_what_looks_like_an_explanation_may_belong_to_the_answer(text, solution):
    assert solved(text, solution)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: first\n\\boxed{second}", "first"),
        ("\\boxed{first}\nThe answer is second", "first"),
        ("## Final Answer\nDecoding the letters of all pots gives us the word below:\n\\boxed{STEM}", "STEM"),
        ("Answer: \\boxed{\n\\text{STEM}\n}", "STEM"),
        ("Answer:\n<answer>\nSTEM\n</answer>", "STEM"),
    ],
)
def test_the_first_form_in_the_table_counts(text, answer):
    assert extract(text).text == answer


def test_all_pieces_together_are_read_alike_by_both_methods():
    pieces = [
        "Answer",
        "The answer is",
        ":",
        " ",
        "STEM",
        "LEAF",
        "**",
        "\n",
        "\\boxed{",
        "}",
        "<answer>",
        "</answer>",
        "(",
    ]
    pieces += ["because", ", ", ". ", " — ", "or", '"', "if", "# ", "- ", "the word", "so", "final "]
    rng = random.Random(7)
    for _ in range(2_000):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 10)))
        assert solved(text, "STEM") == right_again(text, "STEM"), text


@pytest.mark.parametrize(
    "text", ["", "Answer:", "\\boxed{", "\\boxed{}", "Answer: **", "<answer></answer>", "Answer: …"]
)
def test_a_text_without_any_of_them_has_no_answer(text):
    assert extract(text).found_by is FoundBy.NONE
    assert not solved(text, "NEON")


def documented(heading):
    """The rows of the first table below a heading of the documentation, as lists of cells."""
    page = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text("utf-8")
    part = page.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in part.splitlines() if line[:2] == "| "][
        1:
    ]


def as_documented(text):
    """A text as a cell of the documentation: code between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    mark = "`" * (longest + 1)
    blank = " " if longest else ""
    return f"{mark}{blank}{text.replace(chr(10), '↵')}{blank}{mark}"


def test_every_form_is_in_the_documentation():
    rows = documented("## Final answers")
    assert len(rows) >= len(FoundBy) - 1
    for _, text, _ in rows:
        assert solved(text.strip("`").replace("↵", "\n"), "STEM"), text


def test_the_documentation_shows_what_both_rules_say_of_each_case():
    cases = [text for text, _ in FORMS] + NO_ANSWERS
    marks = {True: "yes", False: "no"}
    assert documented("### Cases") == [
        [as_documented(text), marks[solved(text, "STEM")], marks[solved_as_published(text, "STEM")]] for text in cases
    ]


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
