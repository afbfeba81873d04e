"""Score against cost, tokens and time: which runs are drawn, which are on the front, and along which axis."""

import pytest

from spatial_workbench.engine.evaluation.comparing.front_charts import amount_axis, front_charts, front_words
from spatial_workbench.engine.evaluation.comparing.leaderboard import leaderboard
from tests.evaluation.comparing.test_leaderboard import run


@pytest.fixture
def board():
    """Two runs on the front, one that costs more and scores less, and one without a price."""
    return leaderboard(
        {
            "cheap": run([0, 0, 1, 0], cost_usd=0.01),
            "good": run([1, 1, 1, 0], cost_usd=1.0),
            "poor": run([0, 0, 0, 0], cost_usd=0.5),
            "free": run([1, 1, 1, 1]),
        },
        draws=100,
    )


def test_the_front_is_joined_and_the_other_runs_are_points(board):
    chart = front_charts(board)[0]
    front, others = chart.series
    assert [(mark.text, mark.x, mark.y) for mark in front.marks] == [("cheap", 0.01, 0.25), ("good", 1.0, 0.75)]
    assert ([mark.text for mark in others.marks], front.is_joined, others.is_joined) == (["poor"], True, False)
    row = next(row for row in board.rows if row.title == "good")
    assert (front.marks[1].low, front.marks[1].high) == row.interval


def test_a_run_without_a_price_is_named_and_not_drawn(board):
    chart = front_charts(board)[0]
    assert "free" not in [mark.text for series in chart.series for mark in series.marks]
    assert ("free", None) in [row[:2] for row in chart.rows]
    assert front_words(board)[0] == (
        "Score against cost: on the Pareto front are cheap, good. The price is not known, so these are not drawn: free."
    )


def test_what_is_known_of_no_run_has_no_chart(board):
    assert [chart.title for chart in front_charts(board)] == ["Score against cost"]
    assert front_words(board)[1] == "Score against tokens: the number of tokens is known of no run."


def test_an_axis_is_logarithmic_if_values_span_more_than_a_decade():
    assert not amount_axis([1, 10], "Cost", "$").is_log
    axis = amount_axis([0.02, 0.3], "Cost", "$")
    assert (axis.is_log, axis.label) == (True, "Cost ($, log scale)")
    assert [text for _, text in axis.ticks] == ["0.02", "0.05", "0.1", "0.2"]


def test_an_amount_of_0_is_at_the_end_of_a_logarithmic_axis_and_named():
    axis = amount_axis([0, 0.02, 3], "Cost", "$")
    assert (axis.is_log, axis.ticks[0]) == (True, (axis.low, "0"))
    assert amount_axis([0, 0], "Cost", "$").ticks[0] == (0.0, "0")
