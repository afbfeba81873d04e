"""Printable prime: what stands on what, the records, and what is refused."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core import FULL_SCORE, AnswerError, InstanceError, State
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.printable_prime import DigitStack
from spatial_workbench.engine.tasks.printable_prime.digits import (
    DigitPlaced,
    Orientation,
    fit,
    groups_of,
    layer_tenths,
    prints,
    refusal,
)
from spatial_workbench.engine.tasks.printable_prime.primes import is_prime, is_prime_by_rounds
from spatial_workbench.engine.tasks.printable_prime.solids import (
    HANGING_MM,
    UNCOVERED_MM2,
    balance_mm,
    hanging_mm,
    uncovered_mm2,
)

TASK = task_of("printable_prime")
INSTANCE = TASK.instances()[0]
ALL = [DigitPlaced(digit, orientation) for digit in range(10) for orientation in Orientation]
PRINTABLE = [placed for placed in ALL if prints(placed)]

LARGEST = "888999996969699696669666333377777711111171"
IMPROVED = "88889999969699666996966696663333377777771711111"
LONGEST = "88888899999996969966699696669666995555552525522255222225252257111"
SUBSETS = ("017", "1", "25", "137", "14", "25", "12345679", "17", "0123456789", "12345679")
"""Which digits fit on 0 to 9 in some pair of flat orientations."""


def number(text):
    """A stack like "3 flat, 3 rotate90Y, 1 rotate90X"."""
    words = [part.split() for part in text.split(",")]
    return {"numberSequence": [{"digit": int(d), "orientation": o} for d, o in words]}


def judged(text, verifier="default"):
    return TASK.verify(INSTANCE, number(text), verifier)


def failed(verdict):
    """The names of the rules that are broken."""
    return [check.name for check in verdict.checks if check.state == "failed" and check.name != FULL_SCORE]


def test_each_digit_prints_where_no_bar_hangs_free():
    assert [p for p in ALL if prints(p) != (hanging_mm(p) <= HANGING_MM)] == []


@pytest.mark.slow
def test_the_stacking_rules_are_those_of_the_geometry_for_every_pair():
    wrong = [
        (a, b)
        for a, b in product(PRINTABLE, PRINTABLE)
        if (not refusal(a, b)) != (uncovered_mm2(a, b) <= UNCOVERED_MM2)
    ]
    assert wrong == []


@pytest.mark.parametrize("lower", range(10))
def test_the_digits_that_fit_flat_on_a_digit(lower):
    flat = [o for o in Orientation if o.is_flat]
    fitting = {
        upper
        for upper in range(10)
        if any(not refusal(DigitPlaced(lower, a), DigitPlaced(upper, b)) for a in flat for b in flat)
    }
    assert fitting == {int(digit) for digit in SUBSETS[lower]}


@pytest.mark.parametrize(
    ("digits", "length", "height_mm", "reaches"),
    [(LARGEST, 42, 80.4, 1.0), (IMPROVED, 47, None, 47 / 42), (LONGEST, 65, 158.0, 65 / 42)],
)
def test_the_known_records_pass(digits, length, height_mm, reaches):
    stack = fit([int(digit) for digit in digits])
    assert len(digits) == length
    assert height_mm in (None, sum(map(layer_tenths, stack)) / 10)
    verdict = TASK.verify(INSTANCE, DigitStack.of(stack))
    assert verdict.passed
    assert verdict.score == 1
    assert {figure.name: figure.value for figure in verdict.figures}["score before the cap"] == round(reaches, 4)


def test_the_tallest_published_number_is_115_6_mm_high():
    stack = fit([int(digit) for digit in "88888999996969699696669666333337773111"])
    assert sum(map(layer_tenths, stack)) == 1156
    assert DigitPlaced(3, Orientation.SIDE) in stack


def test_a_number_beyond_the_published_record_is_flagged():
    assert any("exceeds the best published" in w for w in TASK.verify(INSTANCE, TASK.solve(INSTANCE)).warnings)


@pytest.mark.parametrize(
    ("text", "passes", "published"),
    [
        ("7 flat", True, True),
        ("1 flat, 7 rotate90Y", True, True),
        ("3 flat, 3 rotate90Y, 1 rotate90X", True, False),
        ("3 flat, 3 flat, 1 flat", True, True),
        ("1 flat, 7 flat", False, False),
        ("6 flat, 1 flat", False, True),
        ("1 rotate90X, 7 rotate90X", False, True),
        ("3 flat, 3 flat, 1 flat, 7 rotate90Y", False, False),
    ],
)
def test_small_stacks(text, passes, published):
    assert bool(not failed(judged(text))) == passes
    assert bool(not failed(judged(text, "published"))) == published


def test_the_score_of_a_low_stack_is_cut_by_a_tenth():
    assert judged("7 flat").score == pytest.approx(0.9 / 42)


def test_3317_stacks_but_is_no_prime():
    assert failed(judged("3 flat, 3 flat, 1 flat, 7 rotate90Y")) == ["a prime"]


def test_a_repeated_group_is_named():
    verdict = judged("1 flat, 2 flat, 3 flat, 1 flat, 2 flat, 3 flat")
    assert any("group 123 appears twice" in p.message for c in verdict.checks for p in c.problems)


def test_groups_are_counted_from_the_right_and_the_leading_one_may_be_shorter():
    assert groups_of("88888999", 3) == ["88", "888", "999"]


def test_a_leading_zero_is_refused():
    assert "a number" in failed(judged("0 flat, 7 flat"))


def test_an_empty_stack_scores_0():
    assert failed(TASK.verify(INSTANCE, {"numberSequence": []})) == ["a number"]


@pytest.mark.parametrize("judge", [TASK.verify, TASK.crosscheck])
def test_an_empty_stack_is_no_prime(judge):
    checks = judge(INSTANCE, {"numberSequence": []}).checks
    assert {check.state for check in checks[1:]} == {State.NOT_REACHED}


def test_a_standing_digit_that_hangs_is_told():
    assert "every digit prints" in failed(judged("8 rotate90X"))


@pytest.mark.parametrize(
    ("item", "place"),
    [
        ({"digit": 12, "orientation": "flat"}, "numberSequence[0].digit"),
        ({"digit": -1, "orientation": "flat"}, "numberSequence[0].digit"),
        ({"digit": 3.0, "orientation": "flat"}, "numberSequence[0].digit"),
        ({"digit": True, "orientation": "flat"}, "numberSequence[0].digit"),
        ({"digit": 3, "orientation": "upright"}, "numberSequence[0].orientation"),
        ({"digit": 3}, "orientation"),
        ({"orientation": "flat"}, "digit"),
    ],
)
def test_bad_digits_are_named(item, place):
    with pytest.raises(AnswerError) as caught:
        TASK.parse({"numberSequence": [item]})
    assert place in str(caught.value) + caught.value.place


@pytest.mark.parametrize("data", [{}, {"numberSequence": 5}, {"numberSequence": None}, {"numberSequence": "331"}, 7])
def test_an_answer_without_a_list_is_refused(data):
    with pytest.raises(AnswerError):
        TASK.parse(data)


def test_more_than_1000_digits_are_refused():
    with pytest.raises(AnswerError, match="limit 1000"):
        TASK.parse({"numberSequence": [{"digit": 8, "orientation": "flat"}] * 1001})


@pytest.mark.timeout(20)
def test_a_thousand_digits_are_judged():
    assert not TASK.verify(INSTANCE, number(", ".join(["1 flat"] * 1000))).passed


def test_both_methods_agree_on_the_solution_and_on_broken_ones():
    stack = list(TASK.solve(INSTANCE).stack)
    for changed in (stack, stack[1:], [*stack[:5], stack[-1], *stack[5:]], stack[::-1], stack[:-1]):
        answer = DigitStack.of(changed)
        assert TASK.verify(INSTANCE, answer).score == TASK.crosscheck(INSTANCE, answer).score


@pytest.mark.slow
@given(st.lists(st.sampled_from(PRINTABLE), min_size=1, max_size=5))
def test_both_methods_agree_on_any_stack(stack):
    answer = DigitStack.of(stack)
    assert TASK.verify(INSTANCE, answer).score == TASK.crosscheck(INSTANCE, answer).score


@given(st.integers(0, 10**7))
def test_both_primality_tests_agree(n):
    assert is_prime(n) == is_prime_by_rounds(n)


@pytest.mark.parametrize("pseudoprime", [2047, 3215031751, 3825123056546413051, 5459, 5777, 10877, 1194649, 12327121])
def test_pseudoprimes_are_not_prime(pseudoprime):
    assert not is_prime(pseudoprime)


def test_a_stack_leans_when_its_digits_stand_at_one_side():
    assert balance_mm([DigitPlaced(8, Orientation.FLAT)]) > 0
    assert balance_mm([DigitPlaced(1, Orientation.FLAT), DigitPlaced(1, Orientation.HEAD)]) < 1


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", [{}, {"digits": "12345679"}, {"group": 2}, {"standing": False}, {"group": 4}])
def test_generated_rules_come_with_a_number_that_passes(difficulty):
    instance = TASK.generate(7, **difficulty)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert instance == TASK.generate(7, **difficulty)
    assert TASK.prompt(instance) == TASK.prompt(TASK.generate(7, **difficulty))


def test_digits_that_make_no_prime_are_refused():
    with pytest.raises(InstanceError, match="allow more digits"):
        TASK.generate(1, digits="5")


def test_forbidden_digits_and_standing_digits_are_named():
    instance = TASK.generate(7, digits="12345679", standing=False)
    assert failed(TASK.verify(instance, number("8 flat, 7 rotate90X")))[0] == "a number"


def test_the_prompt_holds_the_rules():
    text = TASK.prompt(INSTANCE).text
    for words in ("divided by 42", "70 mm", "comma every 3 digits", "rotate90Y", "No two of these groups", "ABCDEFG"):
        assert words in text


def test_the_scene_has_an_element_for_each_digit():
    scene = TASK.scene(INSTANCE, TASK.solve(INSTANCE))
    assert {f"digit {k}" for k in range(65)} <= set(scene.ids())
