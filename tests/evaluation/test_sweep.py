"""Points of the sweep over token budgets."""

import pytest

from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.sweep import published_points, sweep_points


def item(number=0, tokens=500, score=1.0, **rest):
    fields = {
        "task": "two_segments",
        "model": "m-1024",
        "budget": 1024,
        "finish_reason": "stop",
        "text_length": 9,
    } | rest
    return Scored(address=f"two_segments:{number}", number=number, output_tokens=tokens, score=score, **fields)


def only(*items):
    (point,) = sweep_points(items)
    return point


def test_accuracy_is_the_sum_of_scores_over_subtasks_and_tokens_are_averaged():
    point = only(item(0, 400), item(1, 600, score=0.0))
    assert (point.accuracy.value, point.mean_output_tokens, point.accuracy.coverage) == (0.5, 500, "2 of 75 subtasks")


def test_as_many_tokens_as_the_budget_hit_the_cap():
    assert only(item(0, 1024), item(1, 1023)).cap_hits == (1, 2)


def test_an_answer_of_nothing_is_empty_and_one_that_was_cut_is_incomplete():
    point = only(item(0, text_length=0, score=0.0, finish_reason="length"), item(1))
    assert (point.empty, point.incomplete) == ((1, 2), (1, 2))


def test_an_error_is_no_empty_answer_and_misses_no_metadata():
    point = only(item(0, None, None, state=Ending.ERROR, finish_reason=None, text_length=None), item(1))
    assert (point.errors, point.empty, point.missing, point.with_tokens) == ((1, 2), (0, 2), (0, 2), (1, 2))


def test_output_that_is_all_reasoning_is_counted():
    assert only(item(0, 1024, reasoning_tokens=1024), item(1, 10, reasoning_tokens=5)).only_reasoning == (1, 2)


def test_tokens_that_nobody_told_are_missing_and_not_0():
    point = only(item(0, None))
    assert (point.mean_output_tokens, point.missing, point.cap_hits) == (None, (1, 1), (0, 1))


def test_budgets_of_a_model_make_one_line_in_order():
    points = sweep_points([item(budget=4096, model="m-4096"), item()])
    assert [(point.model, point.budget) for point in points] == [("m", 1024), ("m", 4096)]


@pytest.mark.parametrize("other", [{"task": "shikaku"}, {"tools": True}, {"budget": None}])
def test_other_buckets_tools_and_runs_without_a_budget_are_left_out(other):
    assert sweep_points([item(**other)]) == ()


def test_the_published_points_give_the_printed_rates():
    point = published_points()[0]
    assert (point.model, point.budget, round(point.accuracy.value, 4)) == ("claude-sonnet-4-5", 1025, 0.12)
    assert (point.cap_hits.value, point.errors) == (pytest.approx(25 / 75), None)
